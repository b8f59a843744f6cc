# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results as long as the data say, and what sorts, counts and gathers statistics."""

import torch

from case import ALL, FLOATS, Family, short

FAMILY = Family("data")
t = FAMILY.tensor

for dtype in ALL:
    x = t(4, 6, dtype=dtype, low=-2, high=2)
    x = x if dtype == torch.bool else x.round() if dtype.is_floating_point else x
    FAMILY.add(f"unique {short(dtype)}", lambda x: torch.unique(x), x)
    FAMILY.add(f"unique all {short(dtype)}", lambda x: torch.unique(x, return_inverse=True, return_counts=True), x)
    FAMILY.add(f"unique_consecutive {short(dtype)}", lambda x: torch.unique_consecutive(
        x.flatten().sort().values, return_inverse=True, return_counts=True), x)
rows = torch.tensor([[1, 2, 3], [0, 2, 1], [1, 2, 3], [0, 2, 1], [0, 1, 1]])
def flat(histograms):
    return tuple(tensor for counts, edges in histograms for tensor in (counts, *edges))


FAMILY.add("unique dim", lambda x: (*torch.unique(x, dim=0, return_inverse=True, return_counts=True),
                                    torch.unique(x, dim=1)), rows)
FAMILY.add("unique dim of cubes", lambda x: torch.unique(x, dim=1, return_inverse=True), rows.reshape(1, 5, 3).repeat(2, 1, 1))
FAMILY.add("unique_consecutive dim", lambda x: torch.unique_consecutive(x, dim=0, return_inverse=True, return_counts=True),
           rows[[0, 2, 1, 3, 4]])
FAMILY.add("unique, then more", lambda x: torch.unique(x) * 2 + 1, t(4, 6, dtype=torch.int64))
FAMILY.add("unique of rows, dynamic", lambda x: torch.unique(x, return_counts=True), t(4, 6, dtype=torch.int64),
           others=(t(7, 9, dtype=torch.int64),))
FAMILY.add("unique long", lambda x: torch.unique(x, return_inverse=True), t(700, low=0, high=99, dtype=torch.int64))
FAMILY.add("bincount", lambda x, w: (torch.bincount(x), torch.bincount(x, minlength=12), torch.bincount(x, w)),
           t(20, low=0, high=7, dtype=torch.int64), t(20))
FAMILY.add("bincount f64", lambda x, w: torch.bincount(x, w), t(20, low=0, high=7, dtype=torch.int32), t(20, dtype=torch.float64))
# bf16 whose place is just below a whole number; where PyTorch's roundings put it into the next bin is not asked
FAMILY.add("histc of bf16", lambda x: torch.histc(x, 5, -2, 2), torch.tensor([0.39453125, 1.1953125, -0.40234375, 1.5, 2, -2, 0.1]).bfloat16(),
           more=((torch.tensor([0.39453125, 0.39453125, -1.6015625, 1, 0, -0.40234375, 2]).bfloat16(),),))
FAMILY.add("histc", lambda x: (torch.histc(x, 5, -2, 2), torch.histc(x, 7)), t(40))
FAMILY.add("histogram", lambda x, w: (*torch.histogram(x, 5, range=(-2.0, 2.0)), *torch.histogram(x, 4),
                                      *torch.histogram(x, 5, range=(-4.0, 4.0), weight=w, density=True)), t(40), t(40, low=0))
FAMILY.add("histogram bins", lambda x, b: (*torch.histogram(x, b), *torch.histogram(x, b, density=True)), t(40),
           torch.tensor([-3.0, -1, 0, 0.5, 3]))
FAMILY.add("histograms of points", lambda x, w: flat((
    torch.histogramdd(x, [3, 2]), torch.histogramdd(x, 3, weight=w), torch.histogramdd(x, [2, 4], range=[-2.0, 2.0, 0.5, 0.5]),
    torch.histogramdd(x, [torch.tensor([-3.0, -1, 0, 3]), torch.tensor([-4.0, 1, 2])], density=True))), t(20, 2), t(20))
FAMILY.add("histograms of points of one and three coordinates", lambda x, y, z: flat((
    torch.histogramdd(x, 4, density=True), torch.histogramdd(y, [2, 3, 2], weight=z), torch.histogramdd(y[:0], 2))),
    t(9, 1), t(4, 5, 3), t(4, 5))
FAMILY.add("hashes", lambda x, y, z, b: (*(torch.hash_tensor(v).view(torch.int64) for v in (x, y, z, b)),
                                         torch.hash_tensor(x, 1).view(torch.int64), torch.hash_tensor(y, (0, 1), keepdim=True).view(torch.int64)),
           t(4, 5), t(4, 5, dtype=torch.int8), t(6, dtype=torch.bfloat16), t(3, dtype=torch.bool))
FAMILY.add("repeat_interleave", lambda x, r: (torch.repeat_interleave(x, r, 0), torch.repeat_interleave(r)), t(3, 4),
           torch.tensor([2, 0, 3]))
FAMILY.add("repeat_interleave one", lambda x, r: torch.repeat_interleave(x, r), t(3, 2), torch.tensor([2]))
FAMILY.add("repeat_interleave size", lambda x, r: torch.repeat_interleave(x, r, 1, output_size=5), t(2, 3),
           torch.tensor([2, 0, 3]))
FAMILY.add("nonzero_static", lambda x: (torch.nonzero_static(x, size=3), torch.nonzero_static(x, size=30, fill_value=7)),
           t(3, 4).relu())
FAMILY.add("positions of a number", lambda x, y: (*torch.where(x), *torch.where(y)), torch.tensor(2.0), torch.tensor(False))
FAMILY.add("mask then sum", lambda x: (x[x > 0].sum(), torch.masked_select(x, x < 0).mean()), t(4, 5))
FAMILY.add("rows by mask, then product", lambda x, w: x[x[:, 0] > 0] @ w, t(6, 4), t(4, 3))

for dtype in FLOATS:
    x = t(4, 7, dtype=dtype)
    FAMILY.add(f"mode {short(dtype)}", lambda x: (*torch.mode(x, 1), *torch.mode(x, 0, True)), x.round())
    FAMILY.add(f"nanmedian {short(dtype)}", lambda x: (torch.nanmedian(x), *torch.nanmedian(x, 1)),
               torch.where(x > 2, float("nan"), x))
for dtype in (torch.float32, torch.float64):
    x = t(4, 7, dtype=dtype)
    q = torch.tensor([0.1, 0.5, 0.75], dtype=dtype)
    for mode in ("linear", "lower", "higher", "midpoint", "nearest"):
        FAMILY.add(f"quantile {mode} {short(dtype)}", lambda x, q, m=mode: (
            torch.quantile(x, 0.3, interpolation=m), torch.quantile(x, q, 1, interpolation=m),
            torch.quantile(x, q, 0, True, interpolation=m), torch.nanquantile(x, 0.6, 1, interpolation=m)), x, q)
    FAMILY.add(f"nanquantile {short(dtype)}", lambda x, q: (torch.nanquantile(x, q, 1), torch.quantile(x, q, 1)),
               torch.where(x > 2, float("nan"), x), q)
    FAMILY.add(f"trapezoid {short(dtype)}", lambda y, x: (
        torch.trapezoid(y), torch.trapezoid(y, x), torch.trapezoid(y, dx=0.5, dim=0), torch.cumulative_trapezoid(y, x),
        torch.cumulative_trapezoid(y, dx=2.0, dim=0), torch.trapezoid(y, y.cumsum(1))), x, t(7, dtype=dtype))
    FAMILY.add(f"gradient {short(dtype)}", lambda x, c: (
        *torch.gradient(x), *torch.gradient(x, spacing=2.0, dim=1), *torch.gradient(x, spacing=(2.0, 0.5)),
        *torch.gradient(x, spacing=(c,), dim=1), *torch.gradient(x, edge_order=2)), x,
        torch.arange(7, dtype=dtype) ** 2 / 7)
FAMILY.add("nanmean", lambda x: (x.nanmean(), x.nanmean(1), x.nanmean((0, 1), True)),
           torch.tensor([[1.0, float("nan"), 3.0], [float("nan"), 2.0, 5.0]]))
FAMILY.add("mode of integers", lambda x: tuple(torch.mode(x, 1)), t(5, 9, low=0, high=3, dtype=torch.int64))
FAMILY.add("renorm", lambda x: (torch.renorm(x, 2, 0, 1.5), torch.renorm(x, 1, -1, 3.0), torch.renorm(x, float("inf"), 1, 1.0)),
           t(3, 4, 2))
FAMILY.add("msort", lambda x: (torch.msort(x), x.sort(descending=True).values), t(5, 4))

i = torch.tensor([[0, 2, 1, 2], [1, 1, 0, 3], [3, 3, 3, 3]])
for dtype in (torch.float32, torch.float64, torch.int64, torch.float16):
    x, v = t(4, 4, dtype=dtype, low=1), t(3, 4, dtype=dtype, low=1)
    for reduce in ("sum", "prod", "mean", "amax", "amin"):
        FAMILY.add(f"scatter_reduce {reduce} {short(dtype)}", lambda x, i, v, r=reduce: (
            x.scatter_reduce(0, i, v, r), x.scatter_reduce(1, i, v, r, include_self=False)), x, i, v,
            is_near=reduce == "mean" and dtype == torch.float16)  # eager rounds each sum
    for reduce in ("prod", "mean", "amax", "amin"):
        FAMILY.add(f"index_reduce {reduce} {short(dtype)}", lambda x, i, v, r=reduce: (
            x.index_reduce(0, i, v, r), x.index_reduce(0, i, v, r, include_self=False)), x, torch.tensor([2, 0, 2]), v,
            is_near=reduce == "mean" and dtype == torch.float16)
FAMILY.add("scatter_reduce mean below zero", lambda x, i, v: x.scatter_reduce(0, i, v, "mean"),
           t(4, 4, dtype=torch.int32), i, t(3, 4, dtype=torch.int32, low=-9, high=3))
FAMILY.add("put", lambda x, i, v: (x.put(i, v), x.put(i, v, accumulate=True)), t(3, 4), torch.tensor([[1, 5], [0, -1]]),
           t(2, 2))
FAMILY.add("put accumulate", lambda x, i, v: x.put(i, v, accumulate=True), t(3, 4), torch.tensor([1, 5, 1]), t(3))
FAMILY.add("tril_indices", lambda x: (torch.tril_indices(4, 3), torch.triu_indices(3, 5, 1), torch.tril_indices(3, 3, -1) + x),
           torch.tensor(1))
FAMILY.add("vander", lambda x: (torch.vander(x), torch.vander(x, 3), torch.vander(x, 4, increasing=True),
                                torch.linalg.vander(x), torch.linalg.vander(x, N=2)), t(5))
FAMILY.add("block_diag", lambda x, y: torch.block_diag(x, y, x[0]), t(2, 3), t(3, 1))
FAMILY.add("cartesian", lambda x, y: (torch.cartesian_prod(x, y), torch.cartesian_prod(x)), t(4), t(3))
FAMILY.add("diagflat", lambda x: (torch.diagflat(x), torch.diagflat(x, 1), torch.diagflat(x, -2)), t(2, 2))
FAMILY.add("logspace", lambda x: x + torch.logspace(-2, 2, 5), t(5))
FAMILY.add("sum_to_size", lambda x: (x.sum_to_size(3, 1), x.sum_to_size(1, 4), x.sum_to_size(4)), t(3, 4))
FAMILY.add("isclose", lambda x, y: (torch.isclose(x, y), torch.isclose(x, y, 0.5, 0.5), torch.isclose(x, y, equal_nan=True)),
           torch.tensor([1.0, float("nan"), float("inf"), 2.0]), torch.tensor([1.0, float("nan"), float("inf"), 2.1]))
FAMILY.add("isin numbers", lambda x: (torch.isin(x, 2), torch.isin(3, x)), t(3, 4, dtype=torch.int64))
FAMILY.add("bucketize f64 by numbers", lambda x, b: (torch.bucketize(x, b), torch.bucketize(x, b, right=True)),
           t(9, dtype=torch.float64), torch.tensor([-2.0, 0, 2], dtype=torch.float64))
FAMILY.add("searchsorted by a sorter", lambda s, x: (torch.searchsorted(s, x, sorter=s.argsort(stable=True)), torch.searchsorted(
    s, x, sorter=s.argsort(stable=True), right=True)), t(3, 5), t(3, 2))
for left, right in ((torch.float32, torch.complex64), (torch.float64, torch.complex64), (torch.float32, torch.float64), (torch.int64, torch.float32),
                    (torch.float16, torch.bfloat16), (torch.int64, torch.int32)):
    FAMILY.add(f"einsum of {short(left)} and {short(right)}, nothing summed over both", lambda x, y, z: (
        torch.einsum("ab,bc->abc", x, y), torch.einsum("ab,bc->b", x, y), torch.einsum("ab,cb", x[:, :1], y), torch.einsum("a,a->a", x[0], y[:, 0]),
        torch.einsum("ab,cd,ea->e", x[:, :1], y[:1], z)), t(2, 3, dtype=left, low=0), t(3, 4, dtype=right, low=0), t(4, 2, dtype=torch.promote_types(left, right), low=0))
FAMILY.add("einsum diagonals", lambda x, y: (torch.einsum("ii", x), torch.einsum("ii->i", x), torch.einsum("aab,b->a", y, y[0, 0]),
                                             torch.einsum("abb->ba", y.permute(2, 0, 1)), torch.einsum("iij,jkk->ik", y, y.permute(2, 0, 1))),
           t(3, 3), t(3, 3, 4).contiguous())
FAMILY.add("combinations", lambda x: torch.ops.aten.combinations(x, 1), t(4))
FAMILY.add("logspace of tensors", lambda a, b: (torch.logspace(a, b, 5), torch.logspace(a, 2.0, 4), torch.logspace(0.0, b, 3)),
           torch.tensor(-1.0), torch.tensor(2.0))
FAMILY.add("histogram of one", lambda x: (*torch.histogram(x, 2), torch.histc(x, 3)), torch.tensor(3.0))
FAMILY.add("norms of nothing", lambda x: (torch.linalg.norm(x, 1), torch.linalg.norm(x.mT, float("inf"))), torch.zeros(3, 0))
FAMILY.sizes("quantile of rows", lambda x: torch.quantile(x, 0.25, 1), (4, 5))
FAMILY.sizes("trapezoid of rows", lambda y, x: torch.trapezoid(y, x), (4, 5), (5,))
FAMILY.sizes("mode of rows", lambda x: torch.mode(x.round(), 1).values, (4, 5))


# ---- Parts whose ends the program computes; the second inputs have other ends, negative and far ones among them --------
def ends(*numbers):
    return tuple(torch.tensor(number) for number in numbers)


def narrowed(x, start, length):
    return x.narrow(0, start.item(), length.item())


def filled(x, start, end):
    y = x.clone()
    y[start.item():end.item()] = 7
    return y


def replaced(x, index):
    y, index = x.clone(), index.item()
    torch._check(index >= 0)
    torch._check(index < 7)
    y[index] = 7
    return y


def from_behind(x, n):
    n = n.item()
    torch._check(n >= 1)
    torch._check(n <= 7)
    return x[-n:]


def rolled(n):
    rows = torch.zeros(n.item(), 2) + 0
    none = rows.reshape(0, 3)  # says that there are no rows, without a 0 in their place
    return rows.roll(1, 0) + 1, none, rows.roll((-1, 1), (0, 1))


def split_in(x, sizes):
    sizes = sizes.tolist()
    for size in sizes:
        torch._check(size >= 0)
    return torch.split(x, sizes)


def branched(x, start):
    return torch.cond(x.sum() > 0, lambda x, start: x[start.item():].sum(0), lambda x, start: x.sum(0), (x, start))


def looped(x, start):
    return torch._higher_order_ops.while_loop(lambda k, total: k < 3, lambda k, total: (k + 1, total + x[k.item():].sum(0)),
                                              (start, torch.zeros(4)))


x = t(7, 4)
for name, function, first, *others in (
        ("from and to", lambda x, a, b: x[a.item():b.item()], ends(1, 5), ends(0, 9), ends(4, 2), ends(-3, -1), ends(-9, 3)),
        ("to", lambda x, a: x[:a.item()] * 2, ends(4), ends(0), ends(-2), ends(77)),
        ("from", lambda x, a: x[a.item():].sum(0), ends(4), ends(0), ends(-2), ends(8)),
        ("every second", lambda x, a, b: x[a.item():b.item():2], ends(1, 6), ends(0, 7), ends(0, 5), ends(5, 1)),
        ("columns", lambda x, a: x[:, a.item():] + 1, ends(1), ends(3), ends(-1)),
        ("narrow", narrowed, ends(1, 3), ends(0, 7), ends(4, 0), ends(-3, 2)),
        ("narrow by a tensor's two", lambda x, a: x.narrow(0, a.item(), 2), ends(3), ends(-3), ends(5)),
        ("from behind", from_behind, ends(3), ends(7), ends(1)),
        ("row", lambda x, a: x[a.item()], ends(3), ends(-1), ends(0)),
        ("replaced row", replaced, ends(3), ends(0), ends(6)),
        ("filled", filled, ends(1, 4), ends(-2, 9), ends(3, 3)),
        ("tensor_split", lambda x, a: torch.tensor_split(x, a), ends([2, 5]), ends([0, 9]), ends([5, 2]), ends([-3, 6])),
        ("split", split_in, ends([1, 2, 4]), ends([7, 0, 0])),
        ("in a branch", branched, ends(3), ends(-2)),
        ("in a loop", looped, ends(0), ends(2))):
    FAMILY.add(f"ends, {name}", function, x, *first, more=tuple((y, *other) for y in (x, x.abs(), -x.abs()) for other in others))
FAMILY.sizes("ends, half from behind", lambda x: (x[-(x.shape[0] // 2):], x[-(x.shape[0] // 2):-1]), (6, 3))


# ---- Reductions over consecutive pieces --------------------------------------------------------------------------------
for dtype in FLOATS:
    FAMILY.add(f"segments {short(dtype)}", lambda x, n, at: tuple(
        torch.segment_reduce(x, kind, **{name: told}, axis=0, initial=initial, unsafe=True)
        for kind in ("sum", "mean", "max", "min", "prod") for name, told in (("lengths", n), ("offsets", at)) for initial in (None, 2.0)),
        t(6, 3, dtype=dtype), torch.tensor([2, 0, 4]), torch.tensor([0, 2, 2, 6]), tolerance={torch.float16: (1e-2, 1e-2),
                                                                                            torch.bfloat16: (1e-1, 1e-1)}.get(dtype))
FAMILY.add("segments of rows", lambda x, n: tuple(torch.segment_reduce(x, kind, lengths=n, axis=1, unsafe=True) for kind in ("sum", "mean", "max")),
           t(2, 5, 3), torch.tensor([[2, 0, 3], [1, 3, 1]]), more=((t(2, 5, 3), torch.tensor([[0, 0, 5], [5, 0, 0]])),))
FAMILY.add("segments of NaN", lambda x, n: (torch.segment_reduce(x, "max", lengths=n), torch.segment_reduce(x, "min", lengths=n)),
           torch.tensor([1.0, float("nan"), 2.0, -3.0]), torch.tensor([2, 2]))
FAMILY.add("segments, dynamic", lambda x, n: torch.segment_reduce(x, "mean", lengths=n), t(6, 3), torch.tensor([2, 0, 4]),
           others=(t(9, 5), torch.tensor([2, 3, 0, 4])))
FAMILY.add("roll of no rows, which are counted", rolled, *ends(0))
