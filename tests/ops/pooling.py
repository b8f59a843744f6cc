# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Maximum, average and adaptive pooling."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("pooling")
t = FAMILY.tensor
SIZES = {1: (11,), 2: (9, 10), 3: (5, 6, 7)}
MAX = {1: F.max_pool1d, 2: F.max_pool2d, 3: F.max_pool3d}
AVG = {1: F.avg_pool1d, 2: F.avg_pool2d, 3: F.avg_pool3d}
ADAPTIVE = {1: F.adaptive_avg_pool1d, 2: F.adaptive_avg_pool2d, 3: F.adaptive_avg_pool3d}
ADAPTIVE_MAX = {1: F.adaptive_max_pool1d, 2: F.adaptive_max_pool2d, 3: F.adaptive_max_pool3d}
SHARED = [{}, {"stride": 2}, {"padding": 1}, {"stride": 2, "padding": 1}, {"stride": 2, "ceil_mode": True},
          {"stride": 2, "padding": 1, "ceil_mode": True}]

for n in (1, 2, 3):
    x = t(2, 3, *SIZES[n])
    for options in SHARED:
        FAMILY.add(f"max_pool{n}d {options}", lambda x, n=n, o=options: MAX[n](x, 3, **o), x)
        FAMILY.add(f"avg_pool{n}d {options}", lambda x, n=n, o=options: (
            AVG[n](x, 3, **o), AVG[n](x, 3, count_include_pad=False, **o)), x)
        if n > 1:
            FAMILY.add(f"max_pool{n}d indices {options}", lambda x, n=n, o=options: (
                *MAX[n](x, 3, return_indices=True, **o),), x)
    FAMILY.add(f"max_pool{n}d dilation", lambda x, n=n: MAX[n](x, 2, stride=1, dilation=2), x)
    FAMILY.add(f"avg_pool{n}d without batch", lambda x, n=n: AVG[n](x, 2), t(3, *SIZES[n]))
    for size in (1, 2, 3, 5):
        FAMILY.add(f"adaptive_avg_pool{n}d {size}", lambda x, n=n, s=size: ADAPTIVE[n](x, s), x)
    FAMILY.add(f"adaptive_max_pool{n}d", lambda x, n=n: ADAPTIVE_MAX[n](x, 1), x)
FAMILY.add("adaptive of multiples", lambda x: (F.adaptive_avg_pool2d(x, (3, 2)), F.adaptive_max_pool2d(x, (3, 2))),
           t(2, 3, 9, 4))
FAMILY.add("adaptive to more", lambda x: F.adaptive_avg_pool2d(x, (6, 7)), t(2, 3, 4, 5))
FAMILY.add("windows far beyond the input", lambda x: (
    F.avg_pool2d(x, 2560, ceil_mode=True), F.max_pool2d(x, 3000, ceil_mode=True),
    F.avg_pool2d(x, (9, 7), padding=(4, 3), count_include_pad=False), F.max_pool2d(x, (9, 7), padding=(4, 3)),
    F.avg_pool2d(x, 900, ceil_mode=True, divisor_override=7)), t(2, 3, 3, 4))
FAMILY.add("divisor", lambda x: F.avg_pool2d(x, 2, divisor_override=3), t(2, 3, 6, 6))
FAMILY.add("uneven kernels", lambda x: (F.max_pool2d(x, (2, 3), (1, 2), (1, 0)), F.avg_pool2d(x, (2, 3), (1, 2), (1, 0))),
           t(2, 3, 6, 7))
for dtype in FLOATS:
    FAMILY.add(f"pools {short(dtype)}", lambda x: (F.max_pool2d(x, 2), F.avg_pool2d(x, 3, 2, 1), F.adaptive_avg_pool2d(x, 1)),
               t(2, 3, 6, 6, dtype=dtype))
FAMILY.add("max_pool of ints", lambda x: F.max_pool2d(x, 2), t(2, 3, 6, 6, dtype=torch.int64))
special = t(1, 1, 4, 4)
special[0, 0, 1, 1] = float("nan")
special[0, 0, 2:, 2:] = -float("inf")
FAMILY.add("special", lambda x: (*F.max_pool2d(x, 2, return_indices=True),), special)
FAMILY.add("dynamic", lambda x: (F.max_pool2d(x, 2), F.avg_pool2d(x, 3, 2, 1, count_include_pad=False),
                                 F.adaptive_avg_pool2d(x, 1)), t(2, 3, 8, 8), others=(t(4, 3, 11, 9),))
FAMILY.add("dynamic ceil", lambda x: F.max_pool2d(x, 3, 2, ceil_mode=True), t(2, 3, 8, 8), others=(t(4, 3, 11, 10),))
FAMILY.add("dynamic adaptive", lambda x: F.adaptive_avg_pool2d(x, 3), t(2, 3, 8, 8), others=(t(4, 3, 11, 9),))
FAMILY.add("im2col", lambda x: (F.unfold(x, 2), F.unfold(x, (2, 3), padding=1, stride=2), F.unfold(x, 2, dilation=2)),
           t(2, 3, 6, 7))
FAMILY.add("im2col, dynamic", lambda x: F.unfold(x, 3, padding=1), t(2, 3, 6, 7), others=(t(3, 3, 8, 9),))
FAMILY.add("avg_pool of whole numbers", lambda x: (F.avg_pool1d(x, 3, 2, 1), F.avg_pool2d(x, 2), F.avg_pool2d(
    x, 3, 2, 1, ceil_mode=True, count_include_pad=False), F.avg_pool2d(x, 2, divisor_override=3)), t(3, 7, 8, dtype=torch.int64))
for n in (1, 2, 3):
    FAMILY.sizes(f"adaptive_max_pool{n}d over uneven windows", lambda x, n=n: ADAPTIVE_MAX[n](x, 3, return_indices=True), (1, 2, 7, 8, 5)[:2 + n],
                 growth=None)
