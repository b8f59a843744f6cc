# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, scans and sorting."""

import torch

from case import ALL, FLOATS, INTS, Family, short

FAMILY = Family("reduce")
t = FAMILY.tensor

for dtype in ALL:
    x = t(3, 4, 5, dtype=dtype)
    FAMILY.add(f"sum {short(dtype)}", lambda x: (x.sum(), x.sum(1), x.sum((0, 2)), x.sum(-1, keepdim=True)), x)
    FAMILY.add(f"any all {short(dtype)}", lambda x: (x.any(), x.all(), x.any(1), x.all(-1, keepdim=True)), x)
    FAMILY.add(f"amax amin {short(dtype)}", lambda x: (x.amax(1), x.amin((0, 1)), x.max(), x.min()), x)
    FAMILY.add(f"max min {short(dtype)}", lambda x: (*x.max(1), *x.min(-1, keepdim=True)), x)
    FAMILY.add(f"cumsum {short(dtype)}", lambda x: (x.cumsum(0), x.cumsum(-1)), x)
    if dtype != torch.bool:
        FAMILY.add(f"argmax {short(dtype)}", lambda x: (x.argmax(), x.argmin(), x.argmax(1), x.argmin(-1, True)), x)
        FAMILY.add(f"prod {short(dtype)}", lambda x: (x.prod(), x.prod(1), x.prod(-1, keepdim=True)),
                   t(2, 3, 2, dtype=dtype, low=-2, high=2))
        FAMILY.add(f"cumprod {short(dtype)}", lambda x: x.cumprod(1), t(2, 3, dtype=dtype, low=-2, high=2))
        FAMILY.add(f"cummax {short(dtype)}", lambda x: (*x.cummax(1), *x.cummin(0)), x)
        FAMILY.add(f"sort {short(dtype)}", lambda x: (*x.sort(stable=True), *x.sort(dim=1, descending=True, stable=True)), x)
        FAMILY.add(f"topk {short(dtype)}", lambda x: (x.topk(3).values, x.topk(2, 1, largest=False).values), x)
for dtype in FLOATS:
    x = t(3, 4, 5, dtype=dtype)
    FAMILY.add(f"mean {short(dtype)}", lambda x: (x.mean(), x.mean(1), x.mean((0, 2), keepdim=True)), x)
    FAMILY.add(f"var {short(dtype)}", lambda x: (x.var(), x.var(1), x.std(), x.std((0, 2), keepdim=True)), x)
    FAMILY.add(f"var options {short(dtype)}", lambda x: (
        x.var(1, unbiased=False), x.std(1, correction=0), *torch.var_mean(x, (1, 2)),
        *torch.std_mean(x, 0, correction=2)), x)
    FAMILY.add(f"norm {short(dtype)}", lambda x: (
        torch.linalg.vector_norm(x), torch.linalg.vector_norm(x, 1, 1), torch.linalg.vector_norm(x, 3, (0, 1)),
        torch.linalg.vector_norm(x, float("inf"), -1, True), torch.linalg.vector_norm(x, -float("inf")),
        torch.linalg.vector_norm(x, 0)), x, tolerance=(4e-2, 4e-2) if dtype == torch.bfloat16 else None)

FAMILY.add("mean of ints", lambda x: (x.mean(dtype=torch.float32), x.sum(dtype=torch.float64)), t(3, 4, dtype=torch.int32))
FAMILY.add("sum into i32", lambda x: x.sum(dtype=torch.int32), t(3, 4, dtype=torch.int64))
special = torch.tensor([[1.0, float("nan"), 3.0, float("nan")], [-float("inf"), 2.0, float("inf"), 2.0],
                        [-float("inf")] * 4, [0.0, -0.0, 0.0, -0.0]])
FAMILY.add("special", lambda x: (x.sum(1), x.amax(1), x.amin(1), *x.max(1), *x.min(1), x.argmax(1), x.argmin(1),
                                 x.any(1), x.all(1)), special)
FAMILY.add("cummax special", lambda x: (*x.cummax(1), *x.cummin(1)), special)
FAMILY.add("sort special", lambda x: (*x.sort(dim=1, stable=True), *x.sort(dim=1, stable=True, descending=True)), special)
# A sum over nothing but itself, in a loop that goes round more often.
for name in ("sum", "prod", "amax", "logsumexp", "norm"):
    def reduce(x, name=name):
        return x.logsumexp(()) if name == "logsumexp" else getattr(x, name)()
    FAMILY.add(f"{name} of 0-d within loops", lambda x, y, reduce=reduce: (
        (y * reduce(x)).sum(), (y > reduce(x)).sum(1), torch.bucketize(reduce(x), y[0].abs().cumsum(0)), (y - reduce(x)).amax(0), y @ (y.T * reduce(x))),
        t(), t(3, 4))
FAMILY.add("sum of a 0-d truth within loops", lambda x, y: (torch.bucketize(x.sum(dtype=torch.float32), y), (y * x.sum()).sum()),
           t(dtype=torch.bool) | True, torch.tensor([-1.5, 0.0, 0.5, 2.0]))
FAMILY.add("sums over dims of size 1 within loops", lambda x, y: ((y * x.sum(1, keepdim=True)).sum(1), (y > x.amax((1,), keepdim=True)).sum()),
           t(3, 1), t(3, 4), others=(t(1, 1), t(1, 5)))
FAMILY.add("0-d", lambda x: (x.sum(), x.mean(), x.amax(0), x.argmax(), *x.max(0), x.cumsum(0), *x.sort(0)), t())
FAMILY.add("empty", lambda x: (x.sum(), x.sum(0), x.prod(1), x.any(0), x.all(1), x.mean(1), x.cumsum(0)), t(0, 3))
FAMILY.add("argsort", lambda x: (x.argsort(stable=True), x.argsort(dim=0, descending=True, stable=True)), t(6, 7))
FAMILY.add("sort long", lambda x: x.sort().values, t(3, 1000))
FAMILY.add("sort one", lambda x: (*x.sort(1),), t(3, 1))
FAMILY.add("sum of complex", lambda x: (x.sum(), x.mean(1)), t(3, 4, dtype=torch.complex64))
FAMILY.add("linear norm", lambda x: (x.norm(), x.norm(1), x.norm(2, 1, True)), t(3, 4))

distinct = torch.randperm(60, generator=FAMILY.random).reshape(3, 4, 5).float()
FAMILY.add("median", lambda x: (x.median(), *x.median(1), *x.median(-1, True), *x.kthvalue(2, 1), *x.kthvalue(5)), distinct)
FAMILY.add("median nan", lambda x: (x.median(), x.median(1).values), torch.where(distinct == 7, float("nan"), distinct))
FAMILY.add("logcumsumexp", lambda x: (x.logcumsumexp(1), x.logcumsumexp(0)), t(3, 4))
FAMILY.add("logcumsumexp special", lambda x: x.logcumsumexp(1), special)
FAMILY.add("nansum", lambda x: (x.nansum(), x.nansum(1)), special)
boundaries = torch.tensor([-2.0, 0.0, 0.5, 3.0])
FAMILY.add("bucketize", lambda x, b: (torch.bucketize(x, b), torch.bucketize(x, b, right=True, out_int32=True),
                                      torch.searchsorted(b, x), torch.searchsorted(b, x, side="right")), t(3, 4), boundaries)
FAMILY.add("searchsorted rows", torch.searchsorted, t(3, 5).sort().values, t(3, 2))
FAMILY.add("isin", lambda x, y: (torch.isin(x, y), torch.isin(x, y, invert=True)), t(3, 4, dtype=torch.int64),
           t(2, 2, dtype=torch.int64))
FAMILY.sizes("median of rows", lambda x: (x.median(0).values, x.median()), (3, 5))
for size in (0, 1, 2, 3, 64, 65):  # what the steps find where nothing is in order
    FAMILY.sizes(f"searchsorted in no order {size}", lambda s, x: (
        torch.searchsorted(s, x), torch.searchsorted(s, x, right=True), torch.searchsorted(s[0], 0.5), torch.bucketize(x, s[1])), (3, size), (3, 7))
FAMILY.sizes("bucketize rows", lambda x, b: torch.bucketize(x, b.sort().values), (3, 5), (4,))

FAMILY.sizes("sum mean", lambda x: (x.sum(1), x.mean((0, 2)), x.mean(), x.var(-1), x.amax(0)), (3, 4, 5))
FAMILY.sizes("argmax", lambda x: (x.argmax(1), x.argmax(), *x.max(-1)), (3, 4, 5))
FAMILY.sizes("scans", lambda x: (x.cumsum(1), *x.sort(0), x.cumprod(0)), (4, 5), low=0.5, high=1.5)
FAMILY.sizes("topk", lambda x: x.topk(3).values, (4, 5))
