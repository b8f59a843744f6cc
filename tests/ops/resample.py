# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Interpolation to another size."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("resample")
t = FAMILY.tensor


def holed(*sizes: int) -> torch.Tensor:
    """Infinities, NaN, and numbers."""
    x = t(*sizes)
    return torch.where(x > 3.7, torch.inf, torch.where(x < -3.8, torch.nan, x))


SIZES = {1: (5,), 2: (4, 5), 3: (3, 4, 5)}
TARGETS = {1: (8,), 2: (7, 3), 3: (4, 7, 3)}
LINEAR = {1: "linear", 2: "bilinear", 3: "trilinear"}

for n in (1, 2, 3):
    x = t(2, 3, *SIZES[n])
    for mode in ("nearest", "nearest-exact"):
        FAMILY.add(f"{mode} {n}d", lambda x, n=n, m=mode: (
            F.interpolate(x, TARGETS[n], mode=m), F.interpolate(x, scale_factor=2, mode=m),
            F.interpolate(x, scale_factor=1.7, mode=m), F.interpolate(x, scale_factor=0.6, mode=m)), x)
    # 2.25 gives twice as many of 2 and of 3, but not of 4
    FAMILY.add(f"nearest to the double {n}d", lambda x: (F.interpolate(x, scale_factor=2.25), F.interpolate(x[..., :2], scale_factor=2.25),
                                                         F.interpolate(x[..., :3], scale_factor=2.25, mode="nearest-exact")), x[..., :3, :][..., :4] if n > 1 else x)
    # 1.1 leaves 4 and 5 what they are; images of more than 128 rows and columns go by the scale
    FAMILY.add(f"nearest to the same {n}d", lambda x: (F.interpolate(x, scale_factor=1.1), F.interpolate(x[..., :3], scale_factor=1.3),
                                                       F.interpolate(x, scale_factor=1.1, mode="nearest-exact")), x)
    FAMILY.add(f"linear {n}d", lambda x, n=n: (
        F.interpolate(x, TARGETS[n], mode=LINEAR[n]), F.interpolate(x, scale_factor=2, mode=LINEAR[n]),
        F.interpolate(x, TARGETS[n], mode=LINEAR[n], align_corners=True),
        F.interpolate(x, scale_factor=1.7, mode=LINEAR[n])), x)
    for name, x in (("", x), (", infinite", torch.where(x > 0.9 * x.max(), torch.inf, x))):
        FAMILY.add(f"linear to the same {n}d{name}", lambda x, n=n: (
            F.interpolate(x, scale_factor=1.1, mode=LINEAR[n]), F.interpolate(x, x.shape[2:], mode=LINEAR[n]),
            F.interpolate(x, (*x.shape[2:-1], 7), mode=LINEAR[n]), F.interpolate(x, scale_factor=(*[1.7] * (n - 1), 1.1), mode=LINEAR[n]),
            F.interpolate(x, x.shape[2:], mode=LINEAR[n], align_corners=True)), x, is_whole=True)  # decomposed, PyTorch goes by the scale
for height, width in ((64, 64), (65, 64), (1, 128), (1, 127), (127, 1), (129, 1)):
    FAMILY.add(f"nearest of {height}x{width}", lambda x, h=height, w=width: F.interpolate(x, scale_factor=(1 + 0.9 / h, 1 + 0.9 / w)), t(1, 2, height, width))
for height, width in ((32, 32), (33, 32), (1, 63), (1, 64)):
    FAMILY.add(f"nearest to the double of {height}x{width}",
               lambda x, h=height, w=width: F.interpolate(x, scale_factor=(2 + 0.9 / h, 2 + 0.9 / w)), t(1, 2, height, width))
for is_antialiased in (False, True):
    for mode in ("bilinear", "bicubic"):
        FAMILY.add(f"{mode} to the same, antialiased {is_antialiased}", lambda x, m=mode, a=is_antialiased: (
            F.interpolate(x, scale_factor=1.1, mode=m, antialias=a), F.interpolate(x, scale_factor=(1.1, 1.7), mode=m, antialias=a),
            F.interpolate(x, scale_factor=(1.7, 1.1), mode=m, antialias=a), F.interpolate(x, x.shape[2:], mode=m, antialias=a)), t(2, 3, 4, 5), is_whole=True)
for dtype in FLOATS:
    FAMILY.add(f"both {short(dtype)}", lambda x: (F.interpolate(x, scale_factor=2.0),
                                                  F.interpolate(x, (7, 3), mode="bilinear")), t(1, 2, 4, 5, dtype=dtype))
FAMILY.add("cubic", lambda x: (F.interpolate(x, (7, 3), mode="bicubic"), F.interpolate(x, scale_factor=1.7, mode="bicubic"),
                               F.interpolate(x, (9, 8), mode="bicubic", align_corners=True)), t(1, 2, 4, 5))
FAMILY.add("to one", lambda x: F.interpolate(x, (1, 1), mode="bilinear", align_corners=True), t(1, 2, 4, 5))
FAMILY.add("dynamic", lambda x: (F.interpolate(x, scale_factor=2.0), F.interpolate(x, scale_factor=2.0, mode="bilinear")),
           t(2, 2, 4, 5), others=(t(3, 2, 6, 7),))
for mode in ("bilinear", "bicubic"):
    FAMILY.add(f"{mode}, antialiased", lambda x, m=mode: (
        F.interpolate(x, (3, 4), mode=m, antialias=True), F.interpolate(x, (9, 7), mode=m, antialias=True),
        F.interpolate(x, (3, 10), mode=m, antialias=True, align_corners=True),
        F.interpolate(x, scale_factor=(0.45, 1.7), mode=m, antialias=True)), t(2, 2, 8, 9), tolerance=(1e-4, 1e-4))
    for size in (3, 5, 12):  # a window reads nothing beside it; the cubic filter's zeros are a matter of roundings
        FAMILY.add(f"{mode}, antialiased, of infinities, {size}", lambda x, m=mode, size=size: tuple(
            F.interpolate(x, (size, size), mode=m, antialias=True, align_corners=aligns) for aligns in (m == "bicubic", True)),
            holed(2, 2, 8, 7), others=(holed(3, 4, 11, 7),), tolerance=(1e-4, 1e-4), is_whole=True)
    FAMILY.add(f"{mode}, antialiased, dynamic", lambda x, m=mode: (
        F.interpolate(x, (3, 4), mode=m, antialias=True), F.interpolate(x, (3, 10), mode=m, antialias=True, align_corners=True),
        F.interpolate(x, (x.shape[2] // 2, x.shape[3] + 2), mode=m, antialias=True)), t(2, 2, 8, 9), others=(t(3, 4, 11, 7),),
        tolerance=(1e-4, 1e-4))
