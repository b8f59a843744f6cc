# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the programs that run_dist.py runs, with their inputs and what each rank has to give.

    python tests/dist/export_dist.py FOLDER

PyTorch's fake process group stands for the ranks, two or three, while programs are exported: nothing is sent. A case is a folder:

    model.pt2, or model0.pt2 and model1.pt2      the program of both ranks, or of each
    r0/in_0.npy …, r0/out_0.npy …, r1/…          inputs and results of the ranks
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy
import torch
import torch.distributed as dist
import torch.distributed._functional_collectives as funcol
from torch.export import Dim
from torch.testing._internal.distributed.fake_pg import FakeStore

Tensors = Sequence[torch.Tensor]
BITS = {torch.bfloat16: torch.uint16}


def save(path: Path, tensor: torch.Tensor) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    tensor = tensor.detach().contiguous()
    numpy.save(path, tensor.view(BITS.get(tensor.dtype, tensor.dtype)).numpy())


class Program(torch.nn.Module):
    def __init__(self, function: Callable[..., object]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor) -> object:
        return self.function(*inputs)


def write(folder: Path, inputs: Sequence[Tensors], outputs: Sequence[Tensors]) -> None:
    for rank in range(len(inputs)):
        for i, tensor in enumerate(inputs[rank]):
            save(folder / f"r{rank}" / f"in_{i}.npy", tensor)
        for i, tensor in enumerate(outputs[rank]):
            save(folder / f"r{rank}" / f"out_{i}.npy", tensor)


def case(folder: Path, function: Callable[..., object], inputs: Sequence[Tensors], outputs: Sequence[Tensors], shapes=None,
         strict: bool = False) -> None:
    write(folder, inputs, outputs)
    program = torch.export.export(Program(function), tuple(inputs[0]), dynamic_shapes=shapes, strict=strict)
    torch.export.save(program, folder / "model.pt2")


# ---- Reductions ----
COMBINE: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
    "sum": torch.add, "avg": lambda a, b: (a + b) / 2, "product": torch.mul, "min": torch.minimum, "max": torch.maximum,
    "band": torch.bitwise_and, "bor": torch.bitwise_or, "bxor": torch.bitwise_xor}
FLOATS, ORDER = ("sum", "avg", "product", "min", "max"), ("min", "max", "band", "bor", "bxor")
SMALLER = [torch.uint16, torch.uint32, torch.uint64]  # PyTorch itself adds none of them
OPS = {torch.float16: FLOATS, torch.bfloat16: FLOATS, torch.float32: FLOATS, torch.float64: FLOATS,
       torch.complex64: FLOATS[:3], torch.complex128: FLOATS[:3], torch.bool: ORDER,
       **{dtype: ("sum", "product", *ORDER) for dtype in (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)}}


def numbers(dtype: torch.dtype, shape: Sequence[int]) -> torch.Tensor:
    if dtype == torch.bool:
        return torch.rand(shape) < 0.5
    if dtype.is_complex or dtype.is_floating_point:
        return torch.randn(shape, dtype=torch.complex128 if dtype.is_complex else torch.float64).to(dtype)
    return torch.randint(0 if dtype == torch.uint8 else -100, 101, shape).to(dtype)


def combined(op: str, a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    wide = torch.float32 if a.dtype in (torch.float16, torch.bfloat16) else a.dtype
    return COMBINE[op](a.to(wide), b.to(wide)).to(a.dtype)


def reductions(folder: Path, shape: Sequence[int]) -> None:
    def function(*inputs):
        return tuple(funcol.all_reduce(x, op, "0") for x, ops in zip(inputs, OPS.values()) for op in ops)

    inputs = [[numbers(dtype, shape) for dtype in OPS] for _ in range(2)]
    outputs = [combined(op, a, b) for a, b, ops in zip(*inputs, OPS.values()) for op in ops]
    case(folder, function, inputs, [outputs, outputs])


def sixteen_bits(folder: Path) -> None:
    """Every pattern of 16 bits, with some other one."""
    bits = [torch.arange(-(1 << 15), 1 << 15).to(torch.int16), torch.randperm(1 << 16).to(torch.int16)]
    inputs = [[b.clone().view(torch.float16), b.clone().view(torch.bfloat16)] for b in bits]
    outputs = [combined("sum", a, b) for a, b in zip(*inputs)]
    case(folder, lambda *xs: tuple(funcol.all_reduce(x, "sum", "0") for x in xs), inputs, [outputs, outputs])


def large(folder: Path) -> None:
    """Above what every rank reduces whole, and what is reduced at a time; odd, so that slices are not alike."""
    shapes = [(1_300_001,), (2 * 400_003,)]
    inputs = [[torch.randn(shape) for shape in shapes] for _ in range(2)]
    (a, c), (b, d) = inputs
    halves = (c + d).chunk(2)
    case(folder, lambda x, y: (funcol.all_reduce(x, "sum", "0"), funcol.reduce_scatter_tensor(y, "sum", 0, dist.group.WORLD)),
         inputs, [[a + b, half] for half in halves])


# ---- Moves ----
def moves(folder: Path, n: int) -> None:
    """n rows of 3, and where it has to be 2 n; the second input comes transposed."""
    world = dist.group.WORLD

    def function(x, y, z):
        first, second = funcol.all_gather_into_tensor_coalesced([x, y.t()], world)
        low, high = funcol.all_reduce_coalesced([x, x + 1], "max", world)
        part, = funcol.reduce_scatter_tensor_coalesced([z], "sum", [0], world)
        return (funcol.all_gather_tensor(x, 0, world), funcol.all_gather_tensor(x, 1, world),
                funcol.reduce_scatter_tensor(z, "sum", 0, world), funcol.reduce_scatter_tensor(y, "max", 0, world) if n % 2 == 0 else x,
                funcol.all_to_all_single(z, None, None, world), funcol.broadcast(y.t(), 1, world),
                funcol.all_reduce(y.t(), "sum", world), first, second, low, high, part)

    inputs = [[torch.randn(n, 3), torch.randn(n, 5).t().contiguous().t().clone(), torch.randn(2 * n, 3)] for _ in range(2)]
    (a, c, e), (b, d, f) = inputs
    outputs = []
    for rank, x in enumerate((a, b)):
        halves = [t.tensor_split(2) for t in (e, f)]
        outputs.append([torch.cat([a, b]), torch.cat([a, b], 1), (e + f).tensor_split(2)[rank],
                        torch.maximum(c, d).tensor_split(2)[rank] if n % 2 == 0 else x,
                        torch.cat([h[rank] for h in halves]), d.t(), (c + d).t(), torch.cat([a, b]), torch.cat([c.t(), d.t()]),
                        torch.maximum(a, b), torch.maximum(a + 1, b + 1), (e + f).tensor_split(2)[rank]])
    case(folder, function, inputs, outputs)


def symbolic(folder: Path, sizes: Sequence[int]) -> None:
    def function(x, z):
        y = funcol.all_reduce(x, "sum", "0")
        return y.relu(), funcol.all_gather_tensor(y, 0, dist.group.WORLD), funcol.all_to_all_single(z, None, None, dist.group.WORLD)

    for n in reversed(sizes):
        inputs = [[torch.randn(n, 3), torch.randn(2 * n, 3)] for _ in range(2)]
        (a, c), (b, d) = inputs
        y = a + b
        write(folder.with_name(f"{folder.name}_{n}"), inputs,
              [[y.relu(), torch.cat([y, y]), torch.cat([t.tensor_split(2)[rank] for t in (c, d)])] for rank in range(2)])
    s = Dim("s", min=0, max=4096)
    program = torch.export.export(Program(function), (torch.randn(6, 3), torch.randn(12, 3)),
                                  dynamic_shapes={"inputs": ({0: s}, {0: 2 * s})})
    for n in sizes:
        torch.export.save(program, folder.with_name(f"{folder.name}_{n}") / "model.pt2")


def three(folder: Path) -> None:
    """Three ranks: sums have an order, slices a rest, and each rank sends others other numbers of rows."""
    rows = [[1, 2, 0], [0, 3, 1], [4, 0, 2]]  # from, to
    inputs = [[torch.randn(9), torch.randn(300_007), torch.randn(5, 2), torch.randn(9, 4).half(), torch.randn(sum(rows[r]), 3)]
              for r in range(3)]
    a, b, c = inputs
    sums = [(x + y) + z for x, y, z in zip(a[:2], b[:2], c[:2])]
    mean = ((a[3].float() + b[3].float() + c[3].float()) / 3).half().chunk(3)
    back = [(z + x) + y for x, y, z in zip(a[:1], b[:1], c[:1])]
    outputs = []
    for r in range(3):
        sent = [inputs[s][4].split(rows[s])[r] for s in range(3)]
        outputs.append([*sums, torch.cat([x[2] for x in inputs]), mean[r], torch.cat(sent), c[2], *back])
    write(folder, inputs, outputs)
    for r in range(3):
        def function(x, y, z, h, t, r=r):
            world = dist.group.WORLD
            return (funcol.all_reduce(x, "sum", "0"), funcol.all_reduce(y, "sum", "0"), funcol.all_gather_tensor(z, 0, world),
                    funcol.reduce_scatter_tensor(h, "avg", 0, world),
                    funcol.all_to_all_single(t, [rows[s][r] for s in range(3)], rows[r], world), funcol.broadcast(z, 2, world),
                    funcol.all_reduce(x, "sum", "turned"))

        torch.export.save(torch.export.export(Program(function), tuple(inputs[r])), folder / f"model{r}.pt2")


def plain(folder: Path) -> None:
    """What users write: torch.distributed's own functions, in place."""
    def function(x):
        y = x * 2
        dist.all_reduce(y)
        return y + 1

    inputs = [[torch.randn(3, 5)] for _ in range(2)]
    outputs = [2 * inputs[0][0] + 2 * inputs[1][0] + 1]
    case(folder, function, inputs, [outputs, outputs])


# ---- A decoder, cut by hand ----
HEADS, WIDTH, HIDDEN, LAYERS, VOCABULARY = 4, 64, 176, 2, 96


def norm(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * weight


class Layer(torch.nn.Module):
    """`part` of `n`: heads and hidden units; the sums of both halves are the ranks' to add."""

    def __init__(self, weights: dict[str, torch.Tensor], part: int, n: int) -> None:
        super().__init__()
        cut = {"wo": 1, "w2": 1, "n1": None, "n2": None}
        for name, weight in weights.items():
            axis = cut.get(name, 0)
            self.register_buffer(name, weight if axis is None else weight.chunk(n, axis)[part].contiguous())
        self.n = n

    def add(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.n == 1 else funcol.all_reduce(x, "sum", "0")

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h, (b, s, _) = norm(x, self.n1), x.shape
        q, k, v = ((h @ w.t()).view(b, s, HEADS // self.n, WIDTH // HEADS).transpose(1, 2) for w in (self.wq, self.wk, self.wv))
        y = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.add(y.transpose(1, 2).reshape(b, s, WIDTH // self.n) @ self.wo.t())
        h = norm(x, self.n2)
        return x + self.add((torch.nn.functional.silu(h @ self.w1.t()) * (h @ self.w3.t())) @ self.w2.t())


class Decoder(torch.nn.Module):
    def __init__(self, weights: Sequence[dict[str, torch.Tensor]], embedding: torch.Tensor, part: int = 0, n: int = 1) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer(w, part, n) for w in weights)
        self.register_buffer("embedding", embedding)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = torch.nn.functional.embedding(tokens, self.embedding)
        for layer in self.layers:
            x = layer(x)
        return x @ self.embedding.t()


def decoder(folder: Path, length: int) -> None:
    def weight(*shape):
        return torch.randn(*shape) / math.sqrt(shape[-1])

    shapes = {"wq": (WIDTH, WIDTH), "wk": (WIDTH, WIDTH), "wv": (WIDTH, WIDTH), "wo": (WIDTH, WIDTH), "w1": (HIDDEN, WIDTH),
              "w3": (HIDDEN, WIDTH), "w2": (WIDTH, HIDDEN)}
    weights = [{name: weight(*shape) for name, shape in shapes.items()} | {"n1": torch.rand(WIDTH), "n2": torch.rand(WIDTH)}
               for _ in range(LAYERS)]
    embedding, tokens = torch.randn(VOCABULARY, WIDTH), torch.randint(0, VOCABULARY, (1, length))
    expected = Decoder(weights, embedding)(tokens)
    write(folder, [[tokens]] * 2, [[expected]] * 2)
    for rank in range(2):
        program = torch.export.export(Decoder(weights, embedding, rank, 2), (torch.randint(0, VOCABULARY, (1, 5)),),
                                      dynamic_shapes={"tokens": {1: Dim("s", min=2, max=512)}})
        torch.export.save(program, folder / f"model{rank}.pt2")


# ---- A mixture of experts ----
EXPERTS, CAPACITY, CHOSEN = 4, 3, 2


class Mixture(torch.nn.Module):
    """Each rank sends its own tokens to the ranks of their experts, and has them back: two all_to_all. An expert takes CAPACITY
    tokens of each rank, the first that choose it."""

    def __init__(self, router: torch.Tensor, up: torch.Tensor, down: torch.Tensor, part: int, n: int) -> None:
        super().__init__()
        self.register_buffer("router", router)
        self.register_buffer("up", up.chunk(n)[part].contiguous())
        self.register_buffer("down", down.chunk(n)[part].contiguous())
        self.n = n

    def swap(self, x: torch.Tensor) -> torch.Tensor:
        return x if self.n == 1 else funcol.all_to_all_single(x, None, None, dist.group.WORLD)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """x: [tokens, width], of one rank."""
        share, chosen = (x @ self.router.t()).softmax(-1).topk(CHOSEN, -1)
        is_chosen = torch.nn.functional.one_hot(chosen, EXPERTS).sum(1)
        place = is_chosen.cumsum(0) * is_chosen - 1  # in the expert's queue; -1: in none
        is_at = (place[..., None] == torch.arange(CAPACITY)).to(x.dtype)  # [tokens, experts, places]
        weight = torch.zeros_like(is_at[..., 0]).scatter(1, chosen, share)
        sent = torch.einsum("tep,tw->epw", is_at, x)
        there = self.swap(sent).view(self.n, EXPERTS // self.n, CAPACITY, WIDTH).transpose(0, 1).flatten(1, 2)
        done = torch.nn.functional.silu(there @ self.up.transpose(1, 2)) @ self.down.transpose(1, 2)
        back = self.swap(done.unflatten(1, (self.n, CAPACITY)).transpose(0, 1).reshape(EXPERTS, CAPACITY, WIDTH))
        return torch.einsum("te,tep,epw->tw", weight, is_at, back)


class Experts(torch.nn.Module):
    """Attention that is cut by heads, then a mixture whose ranks share the tokens."""

    def __init__(self, weights: Sequence[dict[str, torch.Tensor]], part: int = 0, n: int = 1) -> None:
        super().__init__()
        self.part, self.n, self.layers = part, n, torch.nn.ModuleList()
        self.mixtures = torch.nn.ModuleList()
        for w in weights:
            self.layers.append(Layer({name: w[name] for name in ("wq", "wk", "wv", "wo", "w1", "w2", "w3", "n1", "n2")}, part, n))
            self.mixtures.append(Mixture(w["router"], w["up"], w["down"], part, n))

    def mix(self, mixture: Mixture, x: torch.Tensor) -> torch.Tensor:
        """Without other ranks, what each would have done with its tokens."""
        if self.n == 1:
            return torch.cat([mixture(half) for half in x.unflatten(0, (2, -1)).unbind(0)])
        return funcol.all_gather_tensor(mixture(x.unflatten(0, (2, -1))[self.part]), 0, dist.group.WORLD)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer, mixture in zip(self.layers, self.mixtures):
            x = layer(x)
            x = x + self.mix(mixture, norm(x, layer.n2).flatten(0, 1)).view_as(x)
        return x


def experts(folder: Path, lengths: Sequence[int]) -> None:
    def weight(*shape: int) -> torch.Tensor:
        return torch.randn(*shape) / math.sqrt(shape[-1])

    shapes = {"wq": (WIDTH, WIDTH), "wk": (WIDTH, WIDTH), "wv": (WIDTH, WIDTH), "wo": (WIDTH, WIDTH), "w1": (HIDDEN, WIDTH), "w3": (HIDDEN, WIDTH),
              "w2": (WIDTH, HIDDEN), "router": (EXPERTS, WIDTH), "up": (EXPERTS, HIDDEN, WIDTH), "down": (EXPERTS, WIDTH, HIDDEN)}
    weights = [{name: weight(*shape) for name, shape in shapes.items()} | {"n1": torch.rand(WIDTH), "n2": torch.rand(WIDTH)}
               for _ in range(LAYERS)]
    half = Dim("half", min=2, max=64)
    programs = [torch.export.export(Experts(weights, rank, 2), (torch.randn(1, 12, WIDTH),), dynamic_shapes={"x": {1: 2 * half}}) for rank in range(2)]
    for length in lengths:
        x, into = torch.randn(1, length, WIDTH), folder.with_name(f"{folder.name}_{length}")
        write(into, [[x]] * 2, [[Experts(weights)(x)]] * 2)
        for rank, program in enumerate(programs):
            torch.export.save(program, into / f"model{rank}.pt2")


# ---- Programs about what is kept, and what goes wrong ----
class Kept(torch.nn.Module):
    """Sizes tell which is which: nobody uses the first, the second is of a weight alone, the last two are the same."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("weight", torch.ones(5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        funcol.all_reduce(x[:3], "sum", "0")
        w = funcol.all_reduce(self.weight, "sum", "0")
        return w.sum() + funcol.all_reduce(x[:7], "sum", "0").sum() + funcol.all_reduce(x[:7], "sum", "0").sum()


class Checked(torch.nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = funcol.all_reduce(x, "sum", "0")
        torch._assert_async((x > 0).all(), "x is to be positive")
        return funcol.all_reduce(y * 2, "sum", "0")


def odd_ones(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    programs = {"kept": Kept(), "checked": Checked(), "sum": Program(lambda x: funcol.all_reduce(x, "sum", "0")),
                "gather": Program(lambda x: funcol.all_gather_tensor(x, 0, dist.group.WORLD)),
                "max": Program(lambda x: funcol.all_reduce(x, "max", "0")),
                "pair": Program(lambda x: funcol.all_reduce(x, "sum", "pair")),
                "long": Program(lambda x: funcol.all_reduce(x.cumsum(0).sin(), "sum", "0"))}
    for name, program in programs.items():
        x = torch.randn(9, 1000) if name == "long" else torch.randn(9)
        torch.export.save(torch.export.export(program, (x,)), folder / f"{name}.pt2")
    save(folder / "x0.npy", torch.ones(9))
    save(folder / "x1.npy", -torch.ones(9))


def main() -> None:
    folder = Path(sys.argv[1])
    torch.manual_seed(0)
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=2)
    for shape in [(3, 5), (0,), (1,)]:
        reductions(folder / ("reductions_" + "x".join(map(str, shape))), shape)
    sixteen_bits(folder / "sixteen_bits")
    large(folder / "large")
    for n in (0, 1, 2, 5):
        moves(folder / f"moves_{n}", n)
    symbolic(folder / "symbolic", (0, 1, 7, 33))
    plain(folder / "plain")
    for length in (2, 7):
        decoder(folder / f"decoder_{length}", length)
    experts(folder / "decoder_of_experts", (4, 6, 30))
    odd_ones(folder / "odd")
    dist.destroy_process_group()
    dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=3)
    three(folder / "three")


if __name__ == "__main__":
    main()
