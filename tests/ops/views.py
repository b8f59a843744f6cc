# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Views, pieces, joins and filled tensors as the composite registry expands them; 0-d, empty and dynamic ones."""

import itertools

import torch

from case import ALL, Family, short

FAMILY = Family("views")
t = FAMILY.tensor

CASES = {
    "reshape": lambda x: (x.reshape(3, -1), x.reshape(-1), x.view(6, 4), x.view_as(x.reshape(4, 6)), x.reshape_as(x.view(-1)),
                          x.flatten(), x.flatten(1), x.flatten(0, 1), x.ravel(), x.unflatten(2, (2, 2)), x.unflatten(-1, (2, -1))),
    "squeeze": lambda x: (x.unsqueeze(0), x.unsqueeze(-1), x.unsqueeze(1).squeeze(1), x.unsqueeze(1).squeeze(0),
                          x[:1].squeeze(), x[:1, :, :1].squeeze((0, 2)), x[:1, :, :1].squeeze((0, 1))),
    "expand": lambda x: (x[:1].expand(5, 3, 4), x.expand(2, 2, 3, 4), x[:, :1].expand(-1, 3, -1), x[:1].expand_as(x),
                         x[:, :, :1].broadcast_to(2, 2, 3, 4), x.expand(2, 3, 4)),
    "permute": lambda x: (x.permute(2, 0, 1), x.transpose(0, -1), x.swapaxes(0, 1), x.mT, x[0].t(), x[0].T, x.movedim(0, -1),
                          x.movedim((0, 1), (1, 2)), x.moveaxis(2, 0), x.adjoint(), x.permute(0, 1, 2)),
    "split": lambda x: (*x.split(2, 1), *x.split(3, -1), *x.split([1, 3], 2), *x.chunk(2), *x.chunk(3, 2), *x.chunk(5, 1)),
    "unbind": lambda x: (*x.unbind(), *x.unbind(-1), *x.tensor_split(2, 2), *x.tensor_split(5, 1), *x.tensor_split((1, 2), 2),
                         *x.hsplit(3), *x.vsplit(2), *x.dsplit(2)),
    "select": lambda x: (x[0], x[-1], x[:, 2], x[..., -1], x.select(1, -1), x.narrow(2, 1, 2), x.narrow(-1, -2, 1), x[1, 2, 3]),
    "slice": lambda x: (x[:, 1:], x[:, :-1], x[..., ::2], x[..., 1::2], x[:, 5:], x[:, -100:100], x[:, 2:1]),
    "stack": lambda x: (torch.stack([x, x]), torch.stack([x, x, x], -1), torch.stack([x], 1), torch.hstack([x, x]),
                        torch.vstack([x, x]), torch.dstack([x, x]), torch.column_stack([x[0], x[0]])),
    "cat": lambda x: (torch.cat([x, x]), torch.cat([x, x[:, :1], x[:, :0]], 1), torch.cat([x], -1), torch.concat([x, x], -2)),
    "repeat": lambda x: (x.repeat(2, 1, 3), x.repeat(2, 1, 1, 1), x.tile(2), x.tile((2, 1, 1, 1)), x.repeat(1, 0, 1),
                         x.repeat_interleave(2), x.repeat_interleave(3, 1), x.repeat_interleave(2, -1)),
    "filled": lambda x: (torch.zeros_like(x), torch.ones_like(x), torch.full_like(x, 1), x.new_zeros(2, 3), x.new_ones(4),
                         x.new_full((2,), 1), torch.zeros_like(x, dtype=torch.int64), torch.full_like(x, 1, dtype=torch.float64)),
}
for dtype in ALL:
    for name, function in CASES.items():
        FAMILY.add(f"{name} {short(dtype)}", function, t(2, 3, 4, dtype=dtype))
    if dtype != torch.bool:
        FAMILY.add(f"diff {short(dtype)}", lambda x: (x.diff(), x.diff(dim=0), x.diff(n=2, dim=1), x.diff(
            prepend=x[..., :1], append=x[..., :2]), x.diff(n=0), x.diff(n=7)), t(2, 3, 4, dtype=dtype))
    else:
        FAMILY.add("diff bool", lambda x: (x.diff(), x.diff(n=2, dim=1)), t(2, 3, 4, dtype=dtype))
DYNAMIC = {
    "reshape": lambda x: (x.reshape(x.shape[0], -1), x.reshape(-1), x.flatten(0, 1), x.unsqueeze(1).squeeze(1)),
    "expand": lambda x: (x[:1].expand(x.shape), x[:, :1].expand(-1, 5, -1), x.expand(2, *x.shape)),
    "permute": lambda x: (x.permute(2, 0, 1), x.transpose(0, 1), x.mT, x.movedim(0, -1)),
    "select": lambda x: (x[0], x[-1], x[:, 1], x[..., -1], x.narrow(1, 1, 2)),
    "slice": lambda x: (x[:, 1:], x[:, :-1], x[..., ::2], x[: x.shape[0] - 1], x[:, -2:], x[:, 1:-1]),
    "stack": lambda x: (torch.stack([x, x]), torch.cat([x, x[:1]]), torch.stack([x, x], -1)),
    "repeat": lambda x: (x.repeat(2, 1, 1), x.repeat(1, x.shape[0], 1), x.repeat_interleave(2, 1)),
    "filled": lambda x: (torch.zeros_like(x), x.new_ones(x.shape[1]), torch.full_like(x, 3), torch.arange(x.shape[1]),
                         torch.arange(1, x.shape[0] + 1)),
    "diff": lambda x: x.diff(dim=1),
    "split": lambda x: (*x.split(2, 2), *x.unbind(2), *x.chunk(2, 2)),
}
for name, function in DYNAMIC.items():
    FAMILY.add(f"{name}, dynamic", function, t(3, 5, 4), others=(t(6, 7, 4),))
for name in ("reshape", "expand", "permute", "stack", "filled"):
    FAMILY.add(f"{name} of empty", {
        "reshape": lambda x: (x.reshape(-1, 3), x.flatten(), x.unsqueeze(0), x.squeeze(), x.reshape(4, 0)),
        "expand": lambda x: (x.expand(2, 0, 3), x[:, :1].expand(0, 5)),
        "permute": lambda x: (x.t(), x.transpose(0, 1), x.movedim(0, 1)),
        "stack": lambda x: (torch.stack([x, x]), torch.cat([x, x]), torch.cat([x, x], 1), x.repeat(2, 2)),
        "filled": lambda x: (torch.zeros_like(x), x.new_full((0,), 2), torch.arange(0), *x.split(2, 1)),
    }[name], t(0, 3))
FAMILY.add("0-d", lambda x: (x.reshape(1), x.view(1, 1), x.unsqueeze(0), x.squeeze(), x.flatten(), x.expand(3), x.expand(2, 2),
                             x.repeat(2), torch.stack([x, x]), torch.zeros_like(x), x.ravel(), x.clone()), t())
FAMILY.add("0-d more", lambda x: (torch.atleast_1d(x), torch.atleast_2d(x), torch.atleast_3d(x), x.tile(2), x.t(), x.positive(),
                                  x.broadcast_to(2), x.repeat_interleave(3)), t())
FAMILY.add("1-d", lambda x: (torch.atleast_1d(x), torch.atleast_2d(x), x.t(), torch.outer(x, x), x.unflatten(0, (2, 3))), t(6))
FAMILY.add("of rank 8", lambda x: (x.permute(7, 6, 5, 4, 3, 2, 1, 0), x.sum((1, 3)), x + x, x.flatten(2, 5), x.flip(0, 7)),
           t(2, 1, 2, 3, 1, 2, 1, 2))
FAMILY.add("cat of many", lambda x: torch.cat([x + i for i in range(20)]), t(2, 3))
FAMILY.add("cat of several dtypes", lambda a, b, c: torch.cat([a, b, c]), t(2), t(2, dtype=torch.int32), t(2, dtype=torch.float64))
FAMILY.add("aliases of inputs", lambda x, y: (x, y, x.view(-1), x), t(2, 3), t(2))
FAMILY.add("meshgrid", lambda a, b: torch.meshgrid(a, b, indexing="ij"), t(3), t(4))


def written_grid(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """A grid is views: what it is made of is written through them."""
    a, b = a.clone(), b.clone()
    grid = torch.meshgrid(a, b, indexing="xy")
    grid[0][0].add_(1)
    grid[1][:, 0].mul_(2)
    return a, b, *grid


FAMILY.add("meshgrid, written", written_grid, t(3), t(4))
FAMILY.add("meshgrid of one, written", lambda a: (torch.meshgrid(a, indexing="ij")[0].mul_(2), a), t(4))
FAMILY.add("block_diag, kron", lambda a, b: (torch.block_diag(a, b), torch.kron(a, b)), t(2, 3), t(3, 2))
FAMILY.add("meshgrid xy", lambda a, b, c: (*torch.meshgrid(a, b, c, indexing="xy"), *torch.meshgrid(a, indexing="xy")),
           t(3), t(4), t(2))
FAMILY.add("stacks of few dims", lambda a, b, c: (
    torch.hstack([a, a]), torch.vstack([a, a]), torch.dstack([a, a]), torch.column_stack([a, a]), torch.hstack([b, b]),
    torch.vstack([b, b]), torch.dstack([b, b]), torch.column_stack([b, c]), torch.vstack([b, c]), torch.dstack([c, c])),
    t(), t(3), t(3, 3))
FAMILY.add("splits of few dims", lambda a, x: (*a.hsplit(2), *a.hsplit([1, 3]), *x.hsplit([1]), *x.vsplit([1, 2])), t(4), t(3, 4))
FAMILY.add("tile more than the rank", lambda x: (x.tile(5), x.tile((7, 1))), t(2))
FAMILY.add("pixel_shuffle", lambda x: (torch.pixel_shuffle(x, 2), torch.pixel_unshuffle(x, 2), torch.channel_shuffle(x, 2)), t(1, 8, 4, 4))
FAMILY.add("copies of slices", lambda x, c, r: (
    *torch.split_copy(x, 2, 1), torch.slice_copy(x, 1, 1, 3), torch.slice_copy(x, 0, -2, None, 2), torch.alias_copy(x), torch.detach_copy(x),
    torch.view_as_real_copy(c), torch.view_as_complex_copy(r)), t(3, 5), t(2, 3, dtype=torch.complex64), t(4, 2))
FAMILY.add("copies", lambda x: (torch.squeeze_copy(x), torch.squeeze_copy(x, 1), torch.unbind_copy(x), torch.diagonal_copy(
    x, 1, 0, 2), torch.atleast_3d(x, x[0, 0]), torch.atleast_1d(x[0, 0, 0], x), torch.atleast_2d(x[0, 0], x)), t(3, 1, 4))
FAMILY.add("trapezoid of mixed dtypes", lambda y, x, i: (torch.trapezoid(y, x), torch.cumulative_trapezoid(y, i), torch.trapezoid(
    i, i), torch.trapezoid(i, dx=0.3)), t(2, 5, dtype=torch.float16), t(5), t(2, 5, low=0, high=255, dtype=torch.uint8))
FAMILY.add("diff, none of it", lambda x: x.diff(n=0, prepend=x, append=x), t(3, 4))
FAMILY.add("rot90, fliplr", lambda x: (x.rot90(), x.rot90(2), x.rot90(-1, (1, 0)), x.rot90(4), x.fliplr(), x.flipud(), x.roll(1, 0)), t(3, 4))


def resized(x: torch.Tensor, *sizes: int) -> tuple[torch.Tensor, ...]:
    """Seen and written through: what resize_ leaves is the tensor itself."""
    y = x * 1
    seen = y.view(-1)
    y.resize_(sizes)
    y.mul_(2)
    return y * 1, seen


def made_of_nothing(x: torch.Tensor, make, resize) -> tuple[torch.Tensor, ...]:
    """What is resized before anything is in it, and written to by each of its names."""
    y = make(x)
    z = resize(y, x)
    z.fill_(2)
    y.mul_(x[:1].sum())
    return y * 1, z


NOTHING = {"new": lambda x: x.new(), "empty": lambda x: torch.empty(0), "of two dims": lambda x: x.new_zeros(0, 2), "a sum": lambda x: x.new_zeros(0) + 1}
for name, make in NOTHING.items():
    for how, resize in {"resize_": lambda y, x: y.resize_((3, *x.shape[1:])), "resize_as_": lambda y, x: y.resize_as_(x)}.items():
        FAMILY.add(f"{how} of nothing, {name}", lambda x, m=make, r=resize: made_of_nothing(x, m, r), t(2, 3, 4), is_whole=True)


for name, sizes in {"the same": (2, 3, 4), "another shape": (4, 6), "fewer": (3, 5), "one": (), "none": (0, 3)}.items():
    FAMILY.add(f"resize_ to {name}", lambda x, s=sizes: resized(x, *s), t(2, 3, 4))

for name, function in {"view": lambda x: x.view(-1, x.shape[2]), "unflatten": lambda x: x.unflatten(0, (-1, x.shape[0])),
                       "flatten": lambda x: x.flatten(1)}.items():
    FAMILY.add(f"{name} that may be of nothing", function, t(2, 3, 4), others=(t(0, 0, 0),), is_whole=True)
    FAMILY.add(f"{name} of nothing along one dim", function, t(2, 3, 4), others=(t(0, 3, 4),), is_whole=True)


def written_behind(seen, part=lambda x: x):
    """A view in another shape sees what is written to what it was made of; a copy does not."""
    def run(x):
        whole = x * 1
        shown = seen(part(whole))
        whole.add_(1)
        return shown * 1
    return run


PARTS = {"whole": lambda x: x, "transposed": lambda x: x.mT, "with gaps": lambda x: x[:, ::2]}
SEEN = {"-1 behind": lambda x: x.reshape(*x.shape[:-1], 3, -1), "-1 in front": lambda x: x.reshape(-1, 3, x.shape[1]),
        "-1 between": lambda x: x.reshape(3, -1, x.shape[1]), "-1 alone": lambda x: x.reshape(-1)}
for (part, cut), (name, seen) in itertools.product(PARTS.items(), SEEN.items()):
    FAMILY.add(f"{part}, reshaped with {name}, written behind, dynamic", written_behind(seen, cut), t(6, 12),
               others=(t(12, 24),), refused="so that it is a copy")

NUMBERS = {"last": lambda x: x[-1, -1], "inner": lambda x: x[1, 2], "of a transposed": lambda x: x.mT[0, 3], "of every second": lambda x: x[::2, 1][1]}
OF_ONE = {"reshape": lambda x: x.reshape(-1), "reshape to three dims": lambda x: x.reshape(1, 1, 1), "flatten": lambda x: x.flatten(),
          "ravel": lambda x: x.ravel(), "reshape_as": lambda x: x.reshape_as(torch.ones(1, 1)), "contiguous": lambda x: x.contiguous(),
          "reshape to none": lambda x: x.reshape(1).reshape(())}
for (part, cut), (name, seen) in itertools.product(NUMBERS.items(), OF_ONE.items()):
    FAMILY.add(f"one number, {part}, {name}, written behind", written_behind(seen, cut), t(4, 5))

ROWS = {"every second": lambda x: x[:, ::2], "a column": lambda x: x[:, 1], "one column": lambda x: x[:, 1:2], "a row": lambda x: x[1:2], "rows": lambda x: x[1:]}
for (part, cut), (name, seen) in itertools.product(ROWS.items(), {"ravel": lambda x: x.ravel(), "flatten": lambda x: x.flatten()}.items()):
    FAMILY.add(f"{part}, {name}, written behind", written_behind(seen, cut), t(4, 6))

# to() gives the tensor itself where it has the memory format by PyTorch's lights: images of one channel or of one element are contiguous.
LAST, LAST_3D = torch.channels_last, torch.channels_last_3d
FORMATS = {"to": lambda x: x.to(memory_format=LAST), "to twice": lambda x: x.to(memory_format=LAST).to(memory_format=LAST),
           "to and back": lambda x: x.to(memory_format=LAST).to(memory_format=torch.contiguous_format),
           "to, of permuted": lambda x: x.permute(0, 3, 1, 2).to(memory_format=LAST), "to, of transposed": lambda x: x.transpose(1, 3).to(memory_format=LAST),
           "to contiguous, of permuted": lambda x: x.permute(0, 3, 1, 2).to(memory_format=torch.contiguous_format),
           "to, of expanded": lambda x: x[:, :1].expand(-1, 3, -1, -1).to(memory_format=LAST), "to, of every second": lambda x: x[:, :, ::2].to(memory_format=LAST),
           "to, of unsqueezed": lambda x: x[:, 0].unsqueeze(1).to(memory_format=LAST), "to, of volumes": lambda x: x[None].to(memory_format=LAST_3D),
           "to, of permuted volumes": lambda x: x[None].permute(0, 4, 1, 2, 3).to(memory_format=LAST_3D),
           "contiguous": lambda x: x.permute(0, 3, 1, 2).contiguous(memory_format=LAST), "flatten": lambda x: x.to(memory_format=LAST).flatten(1),
           "flatten of a part": lambda x: x[:, :, 1:].transpose(1, 2).flatten(1)}
IMAGES = ((1, 1, 1, 2), (1, 1, 2, 1), (2, 1, 3, 4), (2, 3, 1, 1), (1, 3, 2, 2), (2, 3, 4, 5), (3, 1, 1, 1), (2, 1, 8, 3))
for (name, seen), shape in itertools.product(FORMATS.items(), IMAGES):
    FAMILY.add(f"memory format, {name} {shape}, written behind", written_behind(seen), t(*shape), is_whole=True)
for name, seen in FORMATS.items():
    FAMILY.add(f"memory format, {name}, batches, written behind, dynamic", written_behind(seen), t(3, 2, 4, 5), others=(t(6, 2, 4, 5),), is_whole=True)

# The bytes as numbers of another dtype: written through, and seen from both sides.
for before, after in ((torch.float32, torch.int32), (torch.float64, torch.int64), (torch.float16, torch.int16), (torch.int16, torch.bfloat16),
                      (torch.float8_e4m3fn, torch.uint8), (torch.uint8, torch.float8_e8m0fnu), (torch.int32, torch.uint32)):
    def through(x, after=after):
        source = x.clone()
        source.view(after)[1].copy_(source[2].view(after))
        return source, source.view(after)
    FAMILY.add(f"bits of {short(before)} as {short(after)}, written", through, t(4, 6, low=1).to(before))  # no NaN, whose bits may change
FAMILY.add("bits of a part, added to in place", lambda x: (lambda s: (s[1:, ::2].view(torch.int32).add_(1), s.view(torch.int32)[0].bitwise_and_(-65536), s * 1))(
    x.clone())[2], t(4, 6))

# A view at some sizes and a copy at others; whatever is written to, and read behind.
EITHER = {"reshape": lambda x: x.t().reshape(-1), "contiguous": lambda x: x.t().contiguous(), "to": lambda x: x.t().to(
              x.dtype, memory_format=torch.contiguous_format), "sum_to_size": lambda x: x.sum_to_size(1, x.shape[1]),
          "reshape of contiguous": lambda x: x.t().contiguous().reshape(2, -1).t().reshape(-1),
          "flatten": lambda x: x.unsqueeze(0).mT.flatten()}


def changed(tensor):
    return tensor.mul_(2)


WRITES = {"view, view read": lambda x, v: (changed(v), x)[0] + 1, "view, both read": lambda x, v: (changed(v) * 1, x * 1),
          "source, view read": lambda x, v: (changed(x), v)[1] * 1, "source, source read": lambda x, v: changed(x) * 1,
          "both, view read": lambda x, v: (changed(x), changed(v))[1] * 1,
          "part of the view, source read": lambda x, v: (changed(v[:1]), x)[1] * 1,
          "part of the source, view read": lambda x, v: (changed(x[:1]), v)[1] * 1,
          "one of two views, other read": lambda x, v: (changed(v), x.t().reshape(-1))[1] * 1}
for (name, either), (written, write) in itertools.product(EITHER.items(), WRITES.items()):
    def run(x, either=either, write=write):
        source = x * 1
        return write(source, either(source))
    FAMILY.add(f"{name} or a copy: {written}, dynamic", run, t(6, 12), others=(t(4, 10),), refused="so that it is a copy")

# What reshapes to a copy, of results that ops on lists give: nobody's write behind it is seen.
COPIES = {"meshgrid": lambda x: torch.meshgrid(x[0], x[:, 0], indexing="ij")[0], "meshgrid xy": lambda x: torch.meshgrid(x[0], x[:, 0], indexing="xy")[1],
          "broadcast_tensors": lambda x: torch.broadcast_tensors(x[0, :, None], x[0])[0], "split": lambda x: x.split(2, 1)[1], "unbind": lambda x: x.t().unbind(0)[1],
          "chunk": lambda x: x.t().chunk(2, 1)[0], "tensor_split": lambda x: torch.tensor_split(x, 3, 1)[1], "atleast_3d": lambda x: torch.atleast_3d(x.t())}
for (name, view), (how, copied) in itertools.product(COPIES.items(), {
        "flatten": lambda v: v.flatten(), "contiguous": lambda v: v.contiguous(), "reshape": lambda v: v.reshape(1, -1)}.items()):
    def run(x, view=view, copied=copied):
        source = x * 1
        result = copied(view(source))
        source.square_()
        return result + 0, source
    FAMILY.add(f"{name}, {how} before a write", run, t(4, 6))
FAMILY.add("kron of real and complex numbers", lambda x, y: (torch.kron(x, y), torch.kron(y, x)), t(2, 3), t(3, dtype=torch.complex64))
