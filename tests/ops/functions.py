# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transcendental functions, roundings and float tests of the math registry."""

import torch

from case import FLOATS, Family, short

FAMILY = Family("functions")
t = FAMILY.tensor

ANYWHERE = ["exp", "exp2", "expm1", "sin", "cos", "tan", "atan", "sinh", "cosh", "tanh", "asinh", "erf", "erfc",
            "sigmoid", "ceil", "floor", "round", "trunc", "abs", "frac", "deg2rad", "rad2deg"]
POSITIVE = ["log", "log2", "log10", "log1p", "sqrt", "rsqrt"]
UNIT = ["asin", "acos", "atanh"]
TESTS = ["isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"]
special = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5])

for dtype in FLOATS:
    for names, low, high in ((ANYWHERE, -4, 4), (POSITIVE, 0.01, 20), (UNIT, -0.99, 0.99), (["acosh"], 1, 9)):
        for name in names:
            FAMILY.add(f"{name} {short(dtype)}", getattr(torch, name), t(3, 5, dtype=dtype, low=low, high=high))
    for name in TESTS:
        FAMILY.add(f"{name} {short(dtype)}", getattr(torch, name), special.to(dtype))
    x, y = t(3, 4, dtype=dtype, low=0.1), t(3, 4, dtype=dtype)
    FAMILY.add(f"pow {short(dtype)}", lambda a, b: (a**b, a**2, a**3, a**0.5, a**-1, a**1.5, 2.0**b), x, y)
    FAMILY.add(f"atan2 {short(dtype)}", lambda a, b: (torch.atan2(b, a), torch.hypot(a, b)), x, y)
    FAMILY.add(f"copysign {short(dtype)}", lambda a, b: (torch.copysign(a, b), torch.copysign(a, -1.0)), x, y)
for name in ANYWHERE + POSITIVE + UNIT + ["acosh"]:
    FAMILY.add(f"{name} special", getattr(torch, name), special)
for dtype in (torch.int32, torch.uint8, torch.bool):
    x = t(6, dtype=dtype, low=1)
    for name in ("exp", "sqrt", "sigmoid", "log", "sin"):
        FAMILY.add(f"{name} {short(dtype)}", getattr(torch, name), x)
    for name in ("isnan", "isfinite", "isinf"):
        FAMILY.add(f"{name} {short(dtype)}", getattr(torch, name), x)
for dtype in (torch.int32, torch.int8):
    FAMILY.add(f"abs {short(dtype)}", lambda x: (x.abs(), x.ceil(), x.floor(), x.round(), x.trunc()), t(6, dtype=dtype))
FAMILY.add("pow broadcast", lambda a, b: a**b, t(3, 1, low=0.1), t(4))
FAMILY.add("pow int float", lambda a: (a**0.5, a**2.0), t(6, dtype=torch.int64, low=0))
FAMILY.add("atan2 broadcast", torch.atan2, t(3, 1), t(4))
FAMILY.add("atan2 of zeros that are folded",
           lambda x: tuple(torch.atan2(torch.full_like(x, y), torch.full_like(x, z)) for y in (0.0, -0.0) for z in (0.0, -0.0, 2.0)), t(3))
FAMILY.add("angle of zeros that are folded", lambda x: torch.zeros_like(x).angle(), t(3, dtype=torch.complex64))
FAMILY.add("round decimals", lambda a: (a.round(decimals=2), (a * 100).round(decimals=-1)), t(9))
FAMILY.add("0-d", torch.tanh, t())
FAMILY.add("empty", torch.tanh, t(0, 4))
FAMILY.sizes("tanh", torch.tanh, (4, 5))
FAMILY.sizes("pow", lambda a, b: a.abs() ** b, (4, 5), (5,))
