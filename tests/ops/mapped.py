# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""torch.vmap, whose regions an archive holds whole, and what PyTorch builds on it."""

import torch
from torch._higher_order_ops.associative_scan import associative_scan

from case import Family

FAMILY = Family("mapped")
t = FAMILY.tensor
vmap = torch.vmap

FAMILY.add("products of rows", lambda x, y: vmap(lambda a, b: (a * b).sum())(x, y), t(5, 3), t(5, 3))
FAMILY.add("another dim in", lambda x, y: vmap(lambda a, b: a @ b, in_dims=(1, 2))(x, y), t(4, 5, 3), t(3, 2, 5))
FAMILY.add("dims from the end", lambda x: vmap(lambda a: a.cumsum(0), in_dims=-1)(x), t(4, 5))
FAMILY.add("what is around", lambda x, w, b: vmap(lambda a: torch.tanh(a @ w + b) + x.mean())(x) * 2, t(5, 3), t(3, 4), t(4))
FAMILY.add("one of the two", lambda x, w: vmap(lambda a, b: a @ b, in_dims=(0, None))(x, w), t(5, 3), t(3, 4))
FAMILY.add("a result that no slice changes", lambda x, w: vmap(lambda a: (w, a, w * 2))(x), t(5, 3), t(2))
FAMILY.add("a result that no slice of any size changes", lambda x, w: vmap(lambda a: (w, a, w * 2))(x), t(5, 3), t(2), others=(t(4, 6), t(3)))
FAMILY.add("several", lambda x: vmap(lambda a: (a.max(), a.argmax(), a.sort()[0]))(x), t(5, 7))
FAMILY.add("within one another", lambda x, y: vmap(lambda a: vmap(lambda b: (a * b).sum() + y[0, 0])(y))(x), t(4, 3), t(5, 3))
FAMILY.add("three deep", lambda x: vmap(vmap(vmap(lambda a: a.exp() + x.sum()), in_dims=1))(x), t(2, 3, 4, 5))
FAMILY.add("one after another", lambda x: vmap(lambda a: a - a.mean())(vmap(lambda a: a * 2, in_dims=1)(x)), t(4, 3))
FAMILY.add("no slice", lambda x: vmap(lambda a: a * 2)(x), t(0, 3))
FAMILY.add("slices of nothing", lambda x, w: (torch._higher_order_ops.map(lambda a: a.sin() + 1, x), torch._higher_order_ops.scan(
    lambda c, a: (c * 2, torch.cat([a, a])), w, x)), t(3, 5, 0), t(5))
FAMILY.add("weights of their own", lambda x, w: vmap(lambda a, k: torch.nn.functional.layer_norm(torch.nn.functional.linear(a, k), (5,)))(x, w),
           t(3, 4, 6), t(3, 5, 6), tolerance=(1e-4, 1e-4))
FAMILY.add("masks", lambda q, k: vmap(vmap(lambda i, j: (i >= j) & (j > 0), in_dims=(None, 0)), in_dims=(0, None))(q, k),
           torch.arange(5), torch.arange(7))
FAMILY.sizes("any number of slices", lambda x, y: vmap(lambda a, b: a.softmax(0) * b)(x, y), (4, 3), (4, 3))
FAMILY.add("views and writes inside", lambda x: vmap(lambda a: a.view(3, 2).t().clone().add_(1).flatten())(x), t(4, 6))
FAMILY.add("scans of sums", lambda x: associative_scan(lambda a, b: a + b, x, 0, combine_mode="generic"), t(7, 3))
FAMILY.add("scans of pairs", lambda x, y: associative_scan(lambda p, q: (p[0] * q[0], q[0] * p[1] + q[1]), (x, y), 1,
                                                          combine_mode="generic"), t(2, 6, low=-1, high=1), t(2, 6))
# Decomposed, the number is converted by itself: _to_copy(1, dtype=float32).
FAMILY.add("beside a number", lambda x: vmap(lambda r: r / (r.norm() + 1))(x), FAMILY.tensor(3, 4))
