# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that move numbers: views, gathers, writes in place, padding, sorting. See statements.py."""

from __future__ import annotations

from builder import NothingFits, dtype_name

VIEWS = [
    lambda g: f"{g.a(2, 2)}.t()",
    lambda g: f"{g.a(2)}.transpose({g.dim()}, {g.dim()})",
    lambda g: f"{g.a(1)}.permute({g.order()})",
    lambda g: f"{g.a(1)}.movedim({g.dim()}, {g.dim()})",
    lambda g: f"{g.a(2)}.mT",
    lambda g: f"{g.a()}.reshape({g.regroup()})",
    lambda g: f"{g.a()}.reshape({g.regroup()})",
    lambda g: f"{g.a()}.view({g.regroup()})",
    lambda g: f"{g.a()}.flatten()",
    lambda g: f"{g.a(2)}.flatten({g.int(0, 0)}, {g.int(1, g.t.dim() - 1)})",
    lambda g: f"{g.a()}.squeeze()",
    lambda g: f"{g.a(1)}.squeeze({g.dim()})",
    lambda g: f"{g.a(0, 4)}.unsqueeze({g.int(-1, g.t.dim())})",
    lambda g: expand(g),
    lambda g: f"{g.a(1)}[{g.subscripts()}]",
    lambda g: f"{g.a(1)}[{g.subscripts()}]",
    lambda g: f"{g.a(1)}[{g.subscripts()}]",
    lambda g: f"{g.a(1)}.select({g.dim()}, {g.int(-2, 1)})",
    lambda g: f"{g.a(1)}.narrow({g.dim()}, {g.int(-1, 1)}, {g.int(0, 2)})",
    lambda g: f"{g.a(1)}.chunk({g.int(1, 4)}, {g.dim()})[{g.int(-1, 0)}]",
    lambda g: f"{g.a(1)}.split({g.int(1, 4)}, {g.dim()})[{g.int(-1, 1)}]",
    lambda g: f"{g.a(1)}.tensor_split({g.int(1, 3)}, {g.dim()})[{g.int(-1, 0)}]",
    lambda g: f"{g.a(1)}.unbind({g.dim()})[{g.int(-1, 0)}]",
    lambda g: f"{g.a(2)}.diagonal({g.int(-2, 2)})",
    lambda g: f"{g.a(1)}.unfold({g.dim()}, {g.int(1, 3)}, {g.int(1, 3)})",
    lambda g: strided(g),
    lambda g: f"{g.a(1)}.view({g.one('torch.int32', 'torch.uint8', 'torch.int16', 'torch.float32', 'torch.int64')})",
    lambda g: f"{g.a()}.detach()",
    lambda g: f"torch.view_as_real({g.a(0, 5, 'complex')})",
    lambda g: f"{g.a(0, 5, 'complex')}.{g.one('real', 'imag')}",
]

COPIES = [
    lambda g: f"{g.a(1)}.flip({g.dims()})",
    lambda g: f"{g.a(1)}.roll({g.int(-9, 9)}, {g.dim()})",
    lambda g: f"{g.a(2)}.roll(({g.int(-3, 3)}, {g.int(-3, 3)}), (0, -1))",
    lambda g: f"{g.a(2)}.rot90({g.int(-1, 3)}, (0, 1))",
    lambda g: f"{g.a(0, 3)}.repeat({', '.join(str(g.int(1, 2)) for _ in range(g.t.dim() + g.int(0, 1)))})",
    lambda g: f"{g.a(1, 3)}.tile(({g.int(1, 3)},))",
    lambda g: f"{g.a(1, 4)}.repeat_interleave({g.int(1, 3)}, {g.dim()})",
    lambda g: f"torch.cat([{g.a(1)}, {g.alike()}, {g.alike()}], {g.dim()})",
    lambda g: cat_parts(g),
    lambda g: f"torch.stack([{g.a(0, 4)}, {g.alike()}], {g.int(-1, g.t.dim())})",
    lambda g: f"{g.a()}.clone()",
    lambda g: f"{g.a()}.contiguous()",
    lambda g: f"{g.a(2)}.{g.one('tril', 'triu')}({g.int(-2, 2)})",
    lambda g: f"F.pad({g.a(1)}, {pads(g)}, value={g.int(0, 2)})",
    lambda g: f"F.pad({g.a(1)}, {pads(g)}, value={g.int(0, 2)})",
    lambda g: f"F.pad({g.f(3, 4)}, {(g.int(0, 2), g.int(0, 2))}, mode={g.one('reflect', 'replicate', 'circular')!r})",
    lambda g: f"F.pad({g.f(4, 4)}, {(g.int(0, 2), g.int(0, 2), g.int(0, 1), g.int(0, 2))}, mode={g.one('reflect', 'replicate', 'circular')!r})",
    lambda g: f"torch.diag_embed({g.a(1, 3)}, {g.int(-1, 2)})",
    lambda g: f"torch.diag({g.a(1, 2)}, {g.int(-1, 1)})",
    lambda g: f"torch.block_diag({g.a(2, 2)}, {g.alike()})",
    lambda g: f"{g.a()}.to({g.dtype()})",
    lambda g: f"{g.a()}.to({g.dtype()})",
    lambda g: f"F.pixel_shuffle({g.a(3, 4)}, 2)",
    lambda g: f"F.pixel_unshuffle({g.filled(3, 4)}, {g.int(1, 3)})",
    lambda g: f"F.channel_shuffle({g.f(3, 4)}, {g.int(1, 3)})",
    lambda g: f"torch.meshgrid({g.a(1, 1)}, {g.a(1, 1)}, indexing='ij')[{g.int(0, 1)}]",
    lambda g: f"torch.cartesian_prod({g.a(1, 1)}, {g.alike()})",
]

GATHERS = [
    lambda g: f"{g.a(1)}[{g.subscripts('any')}]",
    lambda g: f"{g.a(1)}[{g.subscripts('any')}]",
    lambda g: f"{g.a(2)}[:, {g.indices(g.t.shape[1])}]",
    lambda g: f"{g.a(1)}[{g.index_tensor(g.t.shape[0], [g.int(1, 4)], True)}]",
    lambda g: f"{g.a(2)}[..., {g.index_tensor(g.t.shape[-1], [g.int(1, 4)], True)}]",
    lambda g: two_lists(g),
    lambda g: f"{g.a(1)}.index_select({g.dim()}, {g.index_tensor(g.t.shape[g.d], [g.int(1, 4)])})",
    lambda g: f"{g.a(1)}.index_select({g.dim()}, {g.index_tensor(g.t.shape[g.d], [g.int(1, 4)])})",
    lambda g: gather(g),
    lambda g: gather(g),
    lambda g: f"{g.a()}.take({g.index_tensor(g.t.numel(), [g.int(1, 3), 2], True)})",
    lambda g: f"torch.take_along_dim({g.a(1)}, {g.index_tensor(g.t.shape[0], [g.int(1, 4)] + [1] * (g.t.dim() - 1))}, 0)",
    lambda g: f"F.embedding({g.index_tensor(g.f(2, 2) and g.t.shape[0], [g.int(1, 3), 2])}, {table(g)})",
    lambda g: f"{g.a(1)}[torch.arange({g.size(g.t.shape[0])})]",
    lambda g: f"torch.where({g.a()} > 0, {g.one('1', '0.5')}, {g.a()})",
    lambda g: f"torch.where({g.a() and g.mask()}, {g.alike()}, {g.other()})",
    lambda g: f"{g.a()}.masked_fill({g.mask()}, {g.int(0, 3)})",
]

SCATTERS = [
    lambda g: scatter(g, "scatter_add({d}, {i}, {s})"),
    lambda g: scatter(g, "scatter_reduce({d}, {i}, {s}, " + repr(g.one("sum", "prod", "mean", "amax", "amin")) + f", include_self={g.flag()})"),
    lambda g: f"{g.a(1)}.scatter({g.dim()}, torch.zeros({one_at(g)}, dtype=torch.int64), {g.int(0, 3)})",
    lambda g: index_write(g, "index_add({d}, {i}, {s})", False),
    lambda g: index_write(g, "index_add({d}, {i}, {s}, alpha=2)", False),
    lambda g: index_write(g, "index_copy({d}, {i}, {s})", True),
    lambda g: index_write(g, "index_fill({d}, {i}, 2)", False),
    lambda g: index_write(g, "index_reduce({d}, {i}, {s}, " + repr(g.one("prod", "mean", "amax", "amin")) + ")", False),
    lambda g: f"{g.whole(1)}.slice_scatter({g.alike()}[{g.slice(g.t.shape[0])}], 0)",
    lambda g: slice_scatter(g),
    lambda g: f"{g.whole(1)}.select_scatter({g.alike()}.select({g.dim()}, 0), {g.d}, {g.int(-1, 0)})",
    lambda g: f"{g.whole(2)}.diagonal_scatter({g.alike()}.diagonal({(k := g.int(-1, 1))}), {k})",
    lambda g: f"{g.a(1)}.index_put(({g.indices(g.t.shape[0])},), {g.alike()}[0], accumulate=True)".replace("([", "(torch.tensor([").replace("],)", "]),)"),
    lambda g: f"{g.a()}.masked_scatter({g.mask()}, {g.alike()})",
]

# In place: what they write may be a view, an input, or a buffer.
WRITES = [
    lambda g: f"{target(g)}.add_({g.other()})",
    lambda g: f"{target(g)}.mul_({g.other()})",
    lambda g: f"{target(g)}.sub_({g.other()}, alpha={g.int(1, 3)})",
    lambda g: f"{target(g)}.copy_({g.other_value()})",
    lambda g: f"{target(g)}.fill_({g.int(0, 3)})",
    lambda g: f"{target(g)}.zero_()",
    lambda g: f"{target(g)}.{g.one('relu_', 'abs_', 'neg_', 'sigmoid_', 'square_', 'sin_')}()",
    lambda g: f"{target(g)}.clamp_({g.int(-2, 0)}, {g.int(0, 2)})",
    lambda g: f"{target(g)}.masked_fill_({g.mask()}, {g.int(0, 3)})",
    lambda g: f"{target(g, 1)}[{g.subscripts()}] = {g.int(-3, 3)}",
    lambda g: f"{target(g, 1)}[{g.subscripts()}] += {g.int(-3, 3)}",
    lambda g: f"{target(g, 1)}[{g.subscripts()}].mul_({g.int(-3, 3)})",
    lambda g: slice_copy(g),
    lambda g: f"{target(g, 1)}[{g.indices(g.t.shape[0], unique=True)}] = {g.int(-3, 3)}",
    lambda g: f"{target(g, 1)}[{g.indices(g.t.shape[0], unique=True)}] *= {g.int(-3, 3)}",
    lambda g: f"{target(g, 1)}[{g.mask()}] = {g.int(0, 2)}",
    lambda g: f"{target(g, 2)}.transpose(0, 1).add_({g.int(1, 3)})",
    lambda g: f"{target(g, 2)}.diagonal().{g.one('zero_()', 'add_(1)', 'mul_(2)')}",
    lambda g: f"{target(g, 2, 2)}.fill_diagonal_({g.int(0, 3)})",
    lambda g: f"{target(g, 1)}.select({g.dim()}, {g.int(-1, 0)}).{g.one('zero_()', 'add_(1)', 'copy_(torch.ones(()))')}",
    lambda g: f"{target(g, 1)}.index_add_(0, {g.index_tensor(g.t.shape[0], [2])}, {g.apart()}[:2])",
    lambda g: f"{target(g, 1)}.index_fill_(0, {g.index_tensor(g.t.shape[0], [2])}, {g.int(0, 3)})",
    lambda g: f"{target(g, 1)}.scatter_add_(0, {g.index_tensor(g.t.shape[0], [1] * g.t.dim())}, {g.apart()})",
    lambda g: f"{target(g)}.lerp_({g.alike()}, 0.25)",
    lambda g: f"{target(g)}.view(-1)[{g.int(0, 2)}:].add_(1)",
    lambda g: f"{target(g, 1)}.unsqueeze(0).expand(1, {', '.join('-1' for _ in g.t.shape)}).mul_(2)",
]


def target(g, low: int = 0, high: int = 6) -> str:
    """What may be written: mostly a copy that the program made, else an input, a view, a buffer."""
    buffers = [f"self.{one.name}" for one in g.program.state if not one.is_parameter and not one.name.startswith("p")]
    if buffers and g.chance(0.2):
        name = g.rng.choice(buffers)
        g.t = getattr(g.module, name[5:])
        if not low <= g.t.dim() <= high:
            raise NothingFits
        return name
    return g.a(low, high)


def expand(g) -> str:
    name = g.a(0, 4)
    sizes = [g.size(n) if n != 1 else str(g.int(1, 4)) for n in g.t.shape]
    sizes = ["-1" if g.chance(0.2) else size for size in sizes]
    return f"{name}.expand({', '.join([str(g.int(1, 3))] * g.int(0, 1) + sizes) or '[]'})"


def strided(g) -> str:
    name = g.a(1, 3)
    n = g.t.numel()
    rows, columns = g.int(1, 4), g.int(1, 4)
    strides = g.int(0, 4), g.int(0, 3)
    if (rows - 1) * strides[0] + (columns - 1) * strides[1] + 1 > n:
        raise NothingFits
    return f"{name}.contiguous().as_strided(({rows}, {columns}), {strides})"


def pads(g) -> list[int]:
    return [g.int(-1, 3) for _ in range(2 * g.int(1, min(g.t.dim(), 3)))]


def cat_parts(g) -> str:
    name = g.a(1, 4)
    return f"torch.cat([{name}, {name}[{g.slice(g.t.shape[0])}], {name}[{g.slice(g.t.shape[0])}]])"


def two_lists(g) -> str:
    name, k = g.a(2), g.int(1, 4)
    first, second = (g.index_tensor(n, [k], True) for n in g.t.shape[:2])
    return f"{name}[{first}, {second}]"


def gather(g) -> str:
    name = g.a(1, 4)
    d = g.dim()
    sizes = [g.int(1, 4) if k == g.d else g.int(1, n) if n else 0 for k, n in enumerate(g.t.shape)]
    return f"{name}.gather({d}, {g.index_tensor(g.t.shape[g.d], sizes)})"


def table(g) -> str:
    """The matrix that was picked before."""
    return next(name for name, value in reversed(list(g.values.items())) if value is g.t)


def one_at(g) -> list[int]:
    return [1 if k == g.d else n for k, n in enumerate(g.t.shape)]


def scatter(g, text: str) -> str:
    name = g.a(1, 3, "real")
    d = g.dim()
    sizes = [g.int(1, 4) if k == g.d else n for k, n in enumerate(g.t.shape)]
    source = g.constant(sizes, dtype_name(g.t))
    return f"{name}." + text.format(d=d, i=g.index_tensor(g.t.shape[g.d], sizes), s=source)


def index_write(g, text: str, unique: bool) -> str:
    name = g.a(1, 3)
    d = g.dim()
    n = g.t.shape[g.d]
    indices = g.indices(n, unique=unique)
    source = g.constant([len(indices) if k == g.d else m for k, m in enumerate(g.t.shape)], dtype_name(g.t))
    index = f"torch.tensor({indices})" if unique or g.chance(0.6) else g.index_input([len(indices)], str(n))
    return f"{name}." + text.format(d=d, i=index, s=source)


def slice_scatter(g) -> str:
    name, source = g.whole(1), g.alike()
    d = g.dim()
    n = g.t.shape[g.d]
    start, end, step = g.int(-n - 3, n), g.one("None", str(g.int(-n, n + 9))), g.int(1, 3)
    chosen = len(range(*slice(start, None if end == "None" else int(end), step).indices(n)))
    return f"{name}.slice_scatter({source}.narrow({d}, 0, {chosen}), {d}, {start}, {end}, {step})"


def slice_copy(g) -> str:
    name = target(g, 1)
    n = g.t.shape[0]
    k = g.int(0, n)
    return f"{name}[:{k}] = {g.alike()}[{n - k}:]"
