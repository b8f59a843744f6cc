# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads and writes by index tensors and masks."""

import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("indexing")
aten = torch.ops.aten
t = FAMILY.tensor


def index(*sizes: int, high: int, low: int = 0, dtype: torch.dtype = torch.int64) -> torch.Tensor:
    return t(*sizes, low=low, high=high, dtype=dtype)


x = t(4, 5, 6)
for dtype in (torch.float32, torch.int64, torch.bool, torch.float16):
    v = t(4, 5, 6, dtype=dtype)
    FAMILY.add(f"index_select {short(dtype)}", lambda x, i: (x.index_select(0, i), x.index_select(-1, i)), v,
               index(3, high=3))
    FAMILY.add(f"gather {short(dtype)}", lambda x, i: x.gather(1, i), v, index(4, 3, 6, high=4))
    FAMILY.add(f"embedding {short(dtype)}", lambda x, i: F.embedding(i, x[0]), v, index(2, 3, high=4))
    FAMILY.add(f"index_put {short(dtype)}", lambda x, i, v: x.index_put((i,), v), v,
               torch.tensor([2, 0]), t(2, 5, 6, dtype=dtype))
    FAMILY.add(f"scatter {short(dtype)}", lambda x, i, v: x.scatter(1, i, v), v,
               torch.tensor([[[0, 1], [2, 3]]]), t(1, 2, 2, dtype=dtype))
FAMILY.add("int32 index", lambda x, i: (x.index_select(0, i), F.embedding(i, x[0])), x, index(3, high=3, dtype=torch.int32))
FAMILY.add("embedding options", lambda x, i: F.embedding(i, x[0], padding_idx=1), x, index(2, 3, high=4))

READS = {
    "one": lambda x, i, j: (x[i], x[:, i], x[..., i], x[i, :, 0]),
    "two": lambda x, i, j: (x[i, i], x[:, i, i], x[i, :, i], x[i, 1], x[i, :, 2]),
    "broadcast": lambda x, i, j: (x[i[:, None], j], x[i[:, None], :, j], x[:, i[:, None], j]),
    "three": lambda x, i, j: (x[i, i, i], x[i[:, None], j, 0]),
    "negative": lambda x, i, j: (x[i - 3], x[:, -i - 1]),
}
for name, function in READS.items():
    FAMILY.add(f"index {name}", function, x, index(3, high=3), index(2, high=3))
    FAMILY.add(f"index {name}, dynamic", function, x, index(3, high=3), index(2, high=3),
               others=(t(7, 8, 9), index(5, high=3), index(4, high=3)))
mask = t(4, 5, dtype=torch.bool)
mask[0, 0], mask[1, 1] = True, False
FAMILY.add("index mask", lambda x, m: x[m], x, mask)
FAMILY.add("index mask whole", lambda x, m: x[m], t(4, 5), mask)
FAMILY.add("index mask later", lambda x, m: x[:, m], t(3, 4, 5), mask)
FAMILY.add("masked_select", lambda x, m: torch.masked_select(x, m), t(4, 5), mask)
FAMILY.add("masked_select broadcast", lambda x, m: torch.masked_select(x, m), t(4, 5), mask[:, :1])
FAMILY.add("nonzero", lambda x: torch.nonzero(x), mask)
FAMILY.add("where positions", lambda x: (*torch.where(x), torch.argwhere(x)), mask)
FAMILY.add("nonzero of floats, then more", lambda x: torch.nonzero(x.relu()) * 2, t(4, 5))

def assigned(x: torch.Tensor, place: tuple, value: torch.Tensor) -> torch.Tensor:
    x = x.clone()
    x[place] = value
    return x


FAMILY.add("take", lambda x, i: (torch.take(x, i), torch.take_along_dim(x, i[:, None, None], 0)), x, index(3, high=3))
FAMILY.add("take along, from the end", lambda x, i: torch.take_along_dim(x, i, 1), t(3, 4), index(3, 2, low=-4, high=3))
FAMILY.add("take along, round", lambda x, i: torch.take_along_dim(x, i, 1), t(3, 4), index(3, 2, low=-9, high=11))
for name, others in (("", None), (", dynamic", (t(4, 5), index(2, high=3), t(2, 5))), (", of nothing", (t(4, 0), torch.tensor([7, -9]), t(2, 0)))):
    FAMILY.add(f"write by index{name}", lambda x, i, v: (
        x.index_add(0, i, v), x.index_copy(0, i, v), x.index_fill(0, i, 2.0), x[i], x.T[:, i], x.index_put((i,), v)),
        t(4, 3), index(2, high=3), t(2, 3), others=others)
FAMILY.add("searchsorted, sorter", lambda x, v: torch.searchsorted(x, v, sorter=x.argsort()), t(3, 8), t(3, 5))
FAMILY.add("take flat", lambda x, i: torch.take_along_dim(x, i), x, index(3, high=100))

WRITES = {
    "plain": lambda x, i, v: (x.index_put((i,), v), x.index_put((i,), v[0, 0])),
    "accumulate": lambda x, i, v: x.index_put((torch.cat([i, i]),), torch.cat([v, v]), accumulate=True),
    "later": lambda x, i, v: assigned(x, (slice(None), i), v[:1, :1]),
    "two": lambda x, i, v: x.index_put((i, i), v[:, 0]),
    "apart": lambda x, i, v: assigned(x, (i, slice(None), i), v[:, :, 0]),
}
for name, function in WRITES.items():
    FAMILY.add(f"index_put {name}", function, x, torch.tensor([2, 0, 3]), t(3, 5, 6))
FAMILY.add("index_put plain, dynamic", lambda x, i, v: x.index_put((i,), v), x, torch.tensor([2, 0, 3]), t(3, 5, 6),
           others=(t(6, 7, 8), torch.tensor([1, 0, 3, 5]), t(4, 7, 8)))
FAMILY.add("index_put mask", lambda x, m, v: (x.index_put((m,), v), x.index_put((m,), v * 2, accumulate=True)), x, mask,
           torch.tensor(2.5))
FAMILY.add("index_put mask row", lambda x, m, v: x.index_put((m,), v), x, mask, t(6))
FAMILY.add("index_put mask elements", lambda x, m: x.index_put((m,), x[m] * 2), t(4, 5), mask)
# A mask beside indices: one true element is spread, as many as the others go along, another number is an error.
pair, fill = torch.tensor([1, 2]), torch.tensor(9.0)
FAMILY.add("index_put mask beside indices", lambda x, m, i, v: x.index_put((m, i), v), t(2, 3, 4), torch.tensor([True, False]), pair, fill,
           more=((t(2, 3, 4), torch.tensor([True, True]), pair, fill), (t(2, 3, 4), torch.tensor([False, False]), pair, fill)))
FAMILY.add("index_put mask between indices", lambda x, m, i, v: x.index_put((i[None], m, i[:, None]), v), t(3, 3, 4),
           torch.tensor([False, True, False]), pair, fill, more=((t(3, 3, 4), torch.tensor([True, False, True]), pair, fill),))
FAMILY.add("index_put two masks", lambda x, m, n, v: x.index_put((m, n), v, accumulate=True), t(3, 3, 2), torch.tensor([False, True, False]),
           torch.tensor([True, False, True]), fill,
           more=((t(3, 3, 2), torch.tensor([True, True, False]), torch.tensor([False, True, True]), fill),
                 (t(3, 3, 2), torch.tensor([True, True, True]), torch.tensor([False, True, True]), fill)))
# What is symbolic may be 1 in a run, and is spread: an index or values beside a mask whose true elements the data count.
three, some = torch.tensor([0, 3, 1]), torch.tensor([True, False, True, True, False])
for at, other in {"one index": (three[:1], some, t(3)), "one value": (three, some, t(1)), "one of both": (three[:1], some, t(1)),
                  "one true element": (three, some & (torch.arange(5) < 1), t(3)), "two of each": (three[1:], ~some, t(2)),
                  "none": (three[:0], some & False, t(0)), "one index and none true": (three[:1], some & False, t(0))}.items():
    for accumulate in (False, True):
        FAMILY.add(f"index_put mask beside {at}, dynamic, {accumulate}", lambda x, i, m, v, a=accumulate: x.index_put((i, m), v, accumulate=a),
                   t(4, 5), three, some, t(3), others=(t(6, 5), *other))
FAMILY.add("index_put mask of rows and one value, dynamic", lambda x, m, v: x.index_put((m,), v), t(5, 2), some, t(3, 2), others=(t(5, 4), some, t(1, 4)))
# ATen takes a mask without dims to write one number by, and passes over it beside other indices.
yes, no = torch.tensor(True), torch.tensor(False)
FAMILY.add("index_put mask without dims", lambda x, m, v: x.index_put((m,), v), t(3, 4), yes, fill, more=((t(3, 4), no, fill),))
FAMILY.add("index_put mask without dims beside an index", lambda x, m, i, v: (x.index_put((m, i), v), x.index_put((i, m), v, accumulate=True)),
           t(3, 4), yes, pair, fill, more=((t(3, 4), no, pair, fill),))
FAMILY.add("masked_scatter", lambda x, m, v: x.masked_scatter(m, v), t(4, 5), mask, t(20))
FAMILY.add("masked_scatter broadcast", lambda x, m, v: x.masked_scatter(m[:, :1], v), t(4, 5), mask, t(20))

i3 = index(4, 3, 6, high=4)
for reduce in ("sum", "prod", "amax", "amin"):
    FAMILY.add(f"scatter_reduce {reduce}", lambda x, i, v, r=reduce: (
        x.scatter_reduce(1, i, v, r), x.scatter_reduce(1, i, v, r, include_self=False)), x, i3, t(4, 3, 6))
FAMILY.add("scatter_add", lambda x, i, v: x.scatter_add(1, i, v), x, i3, t(4, 3, 6))
FAMILY.add("scatter_add int", lambda x, i, v: x.scatter_add(1, i, v), t(4, 5, 6, dtype=torch.int32), i3,
           t(4, 3, 6, dtype=torch.int32))
FAMILY.add("scatter value", lambda x, i: (x.scatter(1, i, 2.5), x.scatter(1, i, 2.0, reduce="add"),
                                          x.scatter(1, i, 2.0, reduce="multiply")), x, i3)
FAMILY.add("index_add", lambda x, i, v: (x.index_add(0, i, v), x.index_add(0, i, v, alpha=2)), x, index(3, high=3),
           t(3, 5, 6))
FAMILY.add("index_add later", lambda x, i, v: x.index_add(1, i, v), x, index(3, high=4), t(4, 3, 6))
FAMILY.add("index_copy", lambda x, i, v: x.index_copy(0, i, v), x, torch.tensor([2, 0, 3]), t(3, 5, 6))
FAMILY.add("index_fill", lambda x, i: (x.index_fill(1, i, 2.5), x.index_fill(0, i, torch.tensor(1.0))), x,
           index(3, high=3))
FAMILY.add("0-d", lambda x, i: (x.index_select(0, i), x.gather(0, i), x.scatter(0, i, 3.0)), t(), torch.tensor(0))
FAMILY.add("0-d, whole slices", lambda x, i, v: (x.index_add(0, i, v), x.index_copy(0, i, v), x.index_fill(0, i, v)), t(),
           torch.zeros(1, dtype=torch.int64), t())
FAMILY.add("0-d, filled", lambda x, i: x.index_fill(0, i, 2.5), t(), torch.zeros(3, dtype=torch.int64))
FAMILY.add("0-d, no slice", lambda x, i: x.index_fill(0, i, 2.5), t(), torch.zeros(0, dtype=torch.int64))
FAMILY.add("0-d index", lambda x, i: (x[i], x.index_select(0, i)), x, torch.tensor(2))
FAMILY.add("empty index", lambda x, i: (x[i], x.index_select(0, i)), x, torch.zeros(0, dtype=torch.int64))
FAMILY.add("gather, dynamic", lambda x, i: x.gather(1, i), t(4, 5), index(4, 3, high=4), others=(t(6, 7), index(6, 2, high=4)))
FAMILY.add("scatter, dynamic", lambda x, i, v: x.scatter_add(1, i, v), t(4, 5), index(4, 3, high=4), t(4, 3),
           others=(t(6, 7), index(6, 2, high=4), t(6, 2)))
FAMILY.add("embedding, dynamic", lambda w, i: F.embedding(i, w), t(9, 4), index(2, 3, high=8),
           others=(t(12, 4), index(5, 7, high=8)))
FAMILY.add("masked index", lambda x, m, i, j, v: (
    aten._unsafe_masked_index(x, m, [i, None, j], 2.5), aten._unsafe_masked_index(x[:0], m, [i, None, j], 1),
    aten._unsafe_masked_index_put_accumulate(x, m, [i, None, j], v)),
    x, torch.tensor([[True], [False], [True]]), torch.tensor([3, 99, 2]), torch.tensor([0, -9, 5]), t(3, 5))
FAMILY.add("as_strided_scatter", lambda x, v: (x.as_strided_scatter(v, (3, 2), (2, 6), 1), x.as_strided_scatter(v[0], (2,), (1,))),
           t(4, 5), t(3, 2))


def write_strided(x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    y = x * 1
    y.as_strided((2, 3), (1, 7), 2).add_(v)
    return y


FAMILY.add("write through as_strided", write_strided, t(4, 5), t(2, 3))
FAMILY.add("chunk_cat", lambda a, b, c: (aten._chunk_cat([a, b], 0, 3), aten._chunk_cat([a, c], 1, 4)), t(4, 5, 2), t(7, 3),
           t(4, 3))
