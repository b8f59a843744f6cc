# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Distances of all pairs, bags of embeddings, sampling by a grid, and windows that are gathered or added up."""

import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("windows")
t = FAMILY.tensor

for p in (0, 1, 2, 2.5, float("inf")):
    FAMILY.add(f"distances {p}", lambda x, y, p=p: (torch.cdist(x, y, p), torch.cdist(x[0], y[1], p), F.pdist(x[0], p)),
               t(2, 5, 3), t(2, 4, 3), tolerance=(1e-5, 1e-5))
FAMILY.add("distances of many", lambda x, y: torch.cdist(x, y), t(30, 6), t(40, 6), tolerance=(1e-4, 1e-4))
FAMILY.add("distances of broadcast", lambda x, y: torch.cdist(x, y, 1.0), t(2, 1, 5, 3), t(4, 4, 3), tolerance=(1e-5, 1e-5))
for p in (1.0, 2.0):
    FAMILY.add(f"distances of lines {p}", lambda x, y, p=p: (torch.cdist(x, y, p), torch.cdist(y[:3], x, p), F.pdist(x, p)),
               t(9, 37), t(6, 37), others=(t(4, 300), t(3, 300)), tolerance=(1e-4, 1e-4))
FAMILY.add("pairs of sums", lambda x, y: ((x[:, :, None] - y) ** 2).sum(-1).tanh() + (x[:, :, None] * y.abs()).sum(-1),
           t(2, 7, 40), t(5, 40), others=(t(3, 4, 19), t(8, 19)), tolerance=(1e-4, 1e-4))
FAMILY.add("distances without width", lambda x, y: torch.cdist(x, y), t(3, 0), t(4, 0))
FAMILY.add("distances, dynamic", lambda x, y: torch.cdist(x, y, 1.0), t(5, 3), t(4, 3), others=(t(7, 5), t(3, 5)), tolerance=(1e-5, 1e-5))

INDICES, OFFSETS = torch.tensor([1, 2, 4, 5, 4, 3, 2, 9, 0, 2]), torch.tensor([0, 4, 4, 7])
for mode in ("sum", "mean", "max"):
    FAMILY.add(f"bags {mode}", lambda i, o, w, m=mode: (
        F.embedding_bag(i, w, o, mode=m), F.embedding_bag(i, w, o, mode=m, padding_idx=2),
        F.embedding_bag(i, w, o, mode=m, padding_idx=-1), F.embedding_bag(i, w, o, mode=m, padding_idx=-10),
        F.embedding_bag(i.reshape(2, 5), w, mode=m), F.embedding_bag(i, w, torch.cat([o, torch.tensor([10])]), mode=m,
                                                                     include_last_offset=True)), INDICES, OFFSETS, t(10, 3))
FAMILY.add("bags that end before the last index", lambda i, o, w: tuple(
    F.embedding_bag(i, w, o, mode=mode, include_last_offset=True, padding_idx=padding)
    for mode in ("sum", "mean", "max") for padding in (None, 2)), INDICES, torch.tensor([0, 4, 7]), t(10, 3))
FAMILY.add("bags of f64 that end before the last index", lambda i, o, w: (
    F.embedding_bag(i, w, o, mode="sum", include_last_offset=True), F.embedding_bag(i, w, o, mode="mean", include_last_offset=True)),
    INDICES, torch.tensor([0, 4, 7]), t(10, 3, dtype=torch.float64))
FAMILY.add("bags, weighted", lambda i, o, w, s: F.embedding_bag(i, w, o, mode="sum", per_sample_weights=s), INDICES, OFFSETS,
           t(10, 3), t(10))
FAMILY.add("bags of i32", lambda i, o, w: F.embedding_bag(i, w, o), INDICES.int(), OFFSETS.int(), t(10, 3, dtype=torch.float64))
FAMILY.add("bags, dynamic", lambda i, o, w: F.embedding_bag(i, w, o, mode="sum"), INDICES, OFFSETS, t(10, 3),
           others=(torch.tensor([3, 1, 2, 2, 0, 1]), torch.tensor([0, 1]), t(12, 4)))

FAMILY.add("fold", lambda x: (F.fold(x, (5, 6), 2), F.fold(x[0], (5, 6), 2)), t(2, 12, 20))
FAMILY.add("fold with stride", lambda x: F.fold(x, (7, 8), (2, 3), dilation=2, padding=1, stride=2), t(2, 18, 12))
FAMILY.add("unfold and fold, dynamic", lambda x: F.fold(F.unfold(x, 3, padding=1), x.shape[-2:], 3, padding=1), t(2, 3, 6, 7),
           others=(t(3, 3, 8, 9),))

for n, sizes in ((1, (10,)), (2, (8, 10)), (3, (4, 6, 8))):
    pool, unpool = getattr(F, f"max_pool{n}d"), getattr(F, f"max_unpool{n}d")
    FAMILY.add(f"unpool {n}d", lambda x, pool=pool, unpool=unpool: unpool(*pool(x, 2, return_indices=True), 2), t(2, 3, *sizes))
    adaptive = getattr(F, f"adaptive_max_pool{n}d")
    FAMILY.add(f"adaptive maxima {n}d", lambda x, f=adaptive: (*f(x, 3, return_indices=True), f(x, 4), f(x[0], 7)), t(2, 3, *sizes))
    if n > 1:
        fractional = getattr(F, f"fractional_max_pool{n}d")
        FAMILY.add(f"fractional maxima {n}d", lambda x, s, f=fractional: (
            *f(x, 2, 3, return_indices=True, _random_samples=s), f(x, 2, output_ratio=(0.6,) * s.shape[-1], _random_samples=s),
            f(x, 3, 1, _random_samples=s), f(x[0], 2, 3, _random_samples=s)), t(2, 3, *(size + 2 for size in sizes)), t(2, 3, n, low=0, high=0.99))
special = t(1, 1, 5, 5)
special[0, 0, 1, 1] = float("nan")
FAMILY.add("adaptive maxima of NaN", lambda x: F.adaptive_max_pool2d(x, 3, return_indices=True), special)
for n, sizes in ((2, (4, 5)), (3, (3, 4, 5))):
    for align in (False, True):
        FAMILY.add(f"affine grid {n}d {align}", lambda x, n=n, s=sizes, a=align: (
            F.affine_grid(x, [2, 3, *s], align_corners=a), F.affine_grid(x, [2, 3, *[1] * n], align_corners=a)), t(2, n, n + 1),
            tolerance=(1e-5, 1e-5))

for align in (False, True):
    FAMILY.add(f"grid mirrored many times {align}", lambda x, y, g, a=align: (
        *(F.grid_sample(x, g[..., :2], m, "reflection", a) for m in ("bilinear", "nearest", "bicubic")),
        F.grid_sample(y, g[:, None], "bilinear", "reflection", a)), t(2, 2, 5, 7), t(2, 2, 3, 5, 4), t(2, 3, 4, 3, low=-9, high=9),
        tolerance=(1e-4, 1e-4))

for n, sizes, points in ((2, (5, 6), (4, 7)), (3, (3, 4, 5), (2, 3, 4))):
    for mode in ("bilinear", "nearest", "bicubic")[:5 - n]:
        for padding in ("zeros", "border", "reflection"):
            FAMILY.add(f"grid sample {n}d {mode} {padding}", lambda x, g, m=mode, p=padding: tuple(
                F.grid_sample(x, g, m, p, align_corners=a) for a in (False, True)), t(2, 3, *sizes), t(2, *points, n, low=-1.7, high=1.7),
                tolerance=(1e-4, 1e-4))
FAMILY.add("grid sample of doubles", lambda x, g: F.grid_sample(x, g, align_corners=False), t(1, 2, 4, 4, dtype=torch.float64),
           t(1, 3, 3, 2, low=-1.2, high=1.2, dtype=torch.float64))
FAMILY.add("grid sample far outside", lambda x, g: (F.grid_sample(x, g, align_corners=False), F.grid_sample(
    x, g, "nearest", "border", align_corners=True)), t(1, 2, 4, 4), torch.tensor([[[[-1e30, 0.0], [1e30, 1e30], [0.5, -1e9]]]]))
FAMILY.add("grid sample, dynamic", lambda x, g: F.grid_sample(x, g, align_corners=False), t(2, 3, 5, 6), t(2, 4, 7, 2, low=-1.2, high=1.2),
           others=(t(3, 2, 8, 4), t(3, 5, 6, 2, low=-1.2, high=1.2)), tolerance=(1e-4, 1e-4))
