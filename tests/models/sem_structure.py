# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs about structure: signatures, ops of several results, subgraphs, symbolic sizes, masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from catalog import Sample, draw_weights
from programs import Lambda, module, normal, program
from torch import Tensor, nn
from torch._higher_order_ops.while_loop import while_loop as torch_while_loop
from torch.export import Dim

# --------------------------------------------------------------------------------------------------------------------
# Signatures
# --------------------------------------------------------------------------------------------------------------------


@program(normal(3), normal(3))
def duplicate_outputs(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    """The same value twice and inputs passed straight through."""
    z = x + y
    return z, x, z, y, x


class PassThrough(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(2, 2))
        self.register_buffer("state", torch.randn(3))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        return self.weight, x, self.state, torch.tensor([4, 5])


@module()
def pass_through_state() -> Sample:
    """Outputs that are a parameter, a buffer and a constant; no op computes anything."""
    return Sample(PassThrough(), (torch.randn(2),))


@program(normal(2, 3))
def scalar_outputs(x: Tensor) -> tuple[Any, ...]:
    """Python numbers among the outputs."""
    return x.shape[1], x * 2, 2.5, True, -7


@program(normal(2, 3))
def none_outputs(x: Tensor) -> tuple[Any, ...]:
    """None among the outputs."""
    return None, x + 1, None


@program(normal(2, 3))
def no_tensor_output(x: Tensor) -> int:
    """Nothing computed reaches an output."""
    _ = x.exp()
    return 3


@program(lambda: {"b": torch.randn(3), "a": (torch.randn(3), [torch.randn(3)])}, scale=normal(3), bias=normal(3))
def nested_structures(tree: dict[str, Any], *, bias: Tensor, scale: Tensor) -> dict[str, Any]:
    """Nested containers, keyword inputs in an order other than the signature's, and a key that is not ASCII."""
    first, (second,) = tree["a"]
    total = first * scale + bias
    return {"größe": (total, [second - tree["b"]]), "a": {"inner": (total.sum(),)}, "empty": []}


@program(normal(3), 2, 1.5, flag=True, mode="scale", extra=None)
def constant_inputs(
    x: Tensor, power: int, scale: float, *, flag: bool, mode: str, extra: Tensor | None
) -> Tensor | int | float:
    """Python values as inputs are fixed at export."""
    y = x**power * scale if flag and mode == "scale" else x
    return y if extra is None else y + extra


@program(lambda: torch.randn(6, 4).t()[1:4], lambda: torch.randn(3, 1).expand(3, 6))
def strided_inputs(x: Tensor, y: Tensor) -> tuple[Tensor, ...]:
    """Inputs that were views when the program was exported; at run time they need not be."""
    return x * y, x.reshape(-1), x.t(), (x + y).contiguous().view(2, 9)


@program(normal(4), normal(4))
def unused_values(x: Tensor, unused: Tensor) -> Tensor:
    """An input nobody reads, and a dead op whose argument is named `from`."""
    torch.empty_like(x).uniform_(-1.0, 1.0)
    _ = torch.sort(x)
    return x.cos()


@module()
def awkward_names() -> Sample:
    """Inputs named like nodes, like words of C and of MLIR."""
    names = ("mul", "add", "input", "int", "struct", "return_", "func", "arg0", "output", "add_1", "é")

    def combine(**kwargs: Tensor) -> Tensor:
        total = kwargs[names[0]]
        for weight, name in enumerate(names[1:], 2):
            total = total + weight * kwargs[name]
        return total

    return Sample(Lambda(combine), (), {name: torch.randn(3) for name in names})


# --------------------------------------------------------------------------------------------------------------------
# Several results, regions, symbols
# --------------------------------------------------------------------------------------------------------------------


@program(normal(7, 4))
def split_chunk_unbind(x: Tensor) -> tuple[Tensor, ...]:
    """Ops that return lists, with a ragged last part and parts nobody uses."""
    a, b, c = x.split(3)
    d, _, e = x.split([2, 4, 1])
    f, g = x.chunk(2, -1)
    h = x.unbind(1)
    p, q = torch.tensor_split(x, (5,))
    return a * 2, b, c, d, e + 1, f - g, h[3], torch.stack(h[:2]), p.sum() + q.sum()


@program(normal(3, 6))
def unused_results(x: Tensor) -> tuple[Tensor, ...]:
    """Ops of several results of which one is used."""
    return x.max(1).indices, x.topk(2).values, x.sort(0, descending=True)[0], torch.var_mean(x, 1)[1], x.min(0)[0]


@program(normal(3, 4))
def no_grad_region(x: Tensor) -> tuple[Tensor, Tensor]:
    """torch.no_grad in forward becomes wrap_with_set_grad_enabled around a subgraph; regions nest."""
    y = x * 2
    with torch.no_grad():
        z = y.sin()
        with torch.enable_grad():
            w = z + y
        z = z.clone()
        z[0].add_(1)
    return z * w, y


@program(normal(3, 4))
def no_grad_writes(x: Tensor) -> tuple[Tensor, Tensor]:
    """A region that writes to a value from outside, through a view, and hands out another view of it."""
    y = x * 2
    with torch.no_grad():
        y[0].add_(1)
        row = y.select(0, 1)
    y.mul_(3)
    return y, row


@program(normal(3, 4), normal(4, 5), tolerance=2e-2)
def autocast_region(x: Tensor, y: Tensor) -> Tensor:
    """torch.autocast in forward becomes wrap_with_autocast around a subgraph."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = x @ y
    return z.float().relu()


class Branches(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(4, 4)

    def forward(self, x: Tensor, choose: Tensor) -> tuple[Tensor, Tensor]:
        y = torch.cond(choose, lambda v: self.layer(v).relu(), lambda v: v.sin() - 1, (x,))
        z = torch.cond(x.sum() > 1e6, lambda v: v * 2, lambda v: v / 2, (x,))
        return y, z


@module()
def cond() -> Sample:
    """Control flow by value: cond with two subgraphs, one of which reads parameters."""
    network = Branches()
    draw_weights(network)
    return Sample(network, (torch.randn(2, 4), torch.tensor(True)))


@program(normal(3), lambda: torch.tensor(5))
def while_loop(x: Tensor, count: Tensor) -> tuple[Tensor, ...]:
    """A loop whose condition and body are subgraphs."""
    return torch_while_loop(lambda i, v: i > 0, lambda i, v: (i - 1, v * 0.5 + i), (count, x))


@program(normal(8), lambda: torch.tensor(5))
def item_as_size(x: Tensor, count: Tensor) -> Tensor:
    """A size read from a tensor: item, an unbacked symbol and its assertions."""
    n = count.item()
    torch._check(n >= 2)
    torch._check(n <= 8)
    torch._check(2 * n < x.shape[0] + 3)
    return x.narrow(0, 0, n) * n


@program(normal(6, 3), lambda: torch.tensor([1, 3, 2]))
def sizes_from_list(x: Tensor, counts: Tensor) -> tuple[Tensor, ...]:
    """Sizes read from elements of one tensor, of which nothing else is made: routing to experts."""
    sizes = counts.tolist()
    return tuple(part.sum(0) for part in x.split(sizes))


@program(normal(8))
def nonzero_size(x: Tensor) -> tuple[Tensor, Tensor]:
    """Results whose size depends on values."""
    return torch.nonzero(x > 0), x[x > 0] * 2


@program(normal(1, 2, 5, 7), normal(4, 2, 3, 3), normal(4))
def string_arguments(x: Tensor, weight: Tensor, bias: Tensor) -> tuple[Tensor, ...]:
    """Arguments that are words: padding modes, an equation, a reduction."""
    y = F.conv2d(x, weight, bias, padding="same", dilation=2)
    z = torch.einsum("nchw,dchw->nd", y[..., :3, :3], torch.cat([weight, weight], 1))
    return y, z, F.gelu(z, approximate="tanh"), F.pad(x, (1, 2, 0, 1), mode="reflect"), F.pad(x, (1, 1), value=2.0)


@program(lambda: torch.tensor([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]), normal(2, 5, 5))
def mask_building(mask: Tensor, scores: Tensor) -> tuple[Tensor, ...]:
    """How attention masks are made: comparisons of aranges, index with None, cumsum, diff, broadcast of &."""
    steps = torch.arange(5)
    causal = steps[None, :] <= steps[:, None]
    allowed = causal & mask[:, None, :].bool()
    blocks = (torch.diff(steps, prepend=steps[:1] - 1) != 1).cumsum(0)
    picked = mask[torch.arange(2)[:, None, None], steps[None, None, :]]
    triangle = torch.tril(scores) + torch.triu(scores, 2)
    bias = torch.where(allowed, 0.0, torch.finfo(torch.float32).min)
    positions = (mask.cumsum(-1) - 1).masked_fill(mask == 0, 1)
    return (scores + bias).softmax(-1), blocks, picked, triangle, positions, scores[:, None, [0, 3]], scores[:, causal]


def _dynamic(
    function: Callable[..., Any], shapes: Any, example: tuple[Tensor, ...], others: tuple[tuple[Tensor, ...], ...]
) -> Sample:
    sizes = tuple((args, {}) for args in (example, *others))
    return Sample(Lambda(function), example, {}, {"args": shapes}, sizes)


@module()
def dynamic_slices_of_units() -> Sample:
    """A slice that drops one dim of size 1 keeps another: shapes tell which, strides do not."""

    def slices(x: Tensor) -> tuple[Tensor, ...]:
        first = (x * 2).unsqueeze(0)
        first.select(2, -1).copy_(torch.ones(()))
        between = (x + 1).unsqueeze(1).unsqueeze(3)
        between[:, :, 1] += between.select(2, 0)
        last = torch.select_scatter((x - 1).unsqueeze(3), x[:, :, :1] * 3, 2, 1)
        twice = (x * x).unsqueeze(0).unsqueeze(0)
        twice[:, :, 0].neg_()
        twice[0].select(2, 1).zero_()
        return first, between, last, twice, x.unsqueeze(0).unsqueeze(3)[:, :, -1].sum(2), x[None, :, :1][:, -1]

    shapes = ({0: Dim.AUTO, 1: Dim.AUTO, 2: Dim.AUTO},)
    sizes = ((torch.randn(2, 2, 2, 3),), (torch.randn(3, 9, 4, 3),), (torch.randn(8, 3, 17, 3),))
    return _dynamic(slices, shapes, (torch.randn(9, 8, 5, 3),), sizes)


@module()
def symbolic_sizes() -> Sample:
    """Arithmetic on sizes in shapes, slices, factories and values."""

    def sizes(x: Tensor) -> tuple[Any, ...]:
        b, n, c = x.shape
        return (
            x.view(b, -1),
            x.reshape(b * n, c),
            torch.arange(n) + b,
            x[:, : n - 1].sum() / n,
            torch.full((n // 2, b), 1.5 * n),
            x.new_zeros(b, 2 * n + 1, c - 1),
            x.transpose(0, 1).flatten(1),
            F.pad(x, (1, 2)).mean(),
            x.expand(3, b, n, c)[0, -1],
        )

    shapes = ({0: Dim("b", min=2, max=32), 1: Dim("n", min=4, max=100)},)
    return _dynamic(sizes, shapes, (torch.randn(3, 6, 4),), ((torch.randn(2, 9, 4),), (torch.randn(8, 4, 4),)))


@module()
def symbolic_outputs() -> Sample:
    """Sizes themselves as outputs, and a derived dimension."""

    def outputs(x: Tensor, y: Tensor) -> tuple[Any, ...]:
        return x.shape[0], torch.cat([x, x + y[1:]]), x.shape[0] * 2 + 1, x.numel() / 2

    n = Dim("n", min=2, max=64)

    def call(size: int) -> tuple[Tensor, Tensor]:
        return torch.randn(size), torch.randn(size + 1)

    return _dynamic(outputs, ({0: n}, {0: n + 1}), call(5), (call(2), call(40)))


@module()
def symbolic_scalar_input() -> Sample:
    """An integer input that is a symbol, not a constant."""

    def scale(x: Tensor, n: int) -> tuple[Any, ...]:
        return x * n, torch.arange(n), n + 1

    sizes = tuple(((torch.randn(3), n), {}) for n in (4, 2, 9))
    return Sample(Lambda(scale), sizes[0][0], {}, {"args": (None, Dim.DYNAMIC)}, sizes)
