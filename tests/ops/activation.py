# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Activations and the other elementwise formulas: every float dtype, numbers that decide branches, NaN and infinities."""

import torch
import torch.nn.functional as F

from case import ALL, FLOATS, INTS, Family, short

FAMILY = Family("activation")
t = FAMILY.tensor
LOOSE = {torch.float16: (2e-3, 1e-3), torch.bfloat16: (1.6e-2, 1e-2)}

UNARY = {
    "relu": F.relu, "relu6": F.relu6, "silu": F.silu, "mish": F.mish, "sigmoid": torch.sigmoid, "tanh": torch.tanh,
    "logsigmoid": F.logsigmoid, "hardsigmoid": F.hardsigmoid, "hardswish": F.hardswish, "tanhshrink": F.tanhshrink,
    "softsign": F.softsign, "selu": F.selu, "sinc": torch.sinc, "square": torch.square, "frac": torch.frac,
    "deg2rad": torch.deg2rad, "rad2deg": torch.rad2deg,
    "gelu": lambda x: (F.gelu(x), F.gelu(x, approximate="tanh")),
    "hardtanh": lambda x: (F.hardtanh(x), F.hardtanh(x, -2, 0.5)),
    "clamp": lambda x: (x.clamp(-1, 1), x.clamp(min=0.5), x.clamp(max=-0.5), x.clamp_min(1), x.clamp_max(2)),
    "elu": lambda x: (F.elu(x), F.elu(x, 0.5)),
    "celu": lambda x: (F.celu(x), F.celu(x, 0.5), F.celu(x, 2)),
    "leaky_relu": lambda x: (F.leaky_relu(x), F.leaky_relu(x, 0.3), F.leaky_relu(x, -1.0), F.leaky_relu(x, 2)),
    "softplus": lambda x: (F.softplus(x), F.softplus(x, 2, 3), F.softplus(x, 0.5)),
    "threshold": lambda x: (F.threshold(x, 0.5, 20), F.threshold(x, -1, 0)),
    "hardshrink": lambda x: (F.hardshrink(x), F.hardshrink(x, 1.5)),
    "softshrink": lambda x: (F.softshrink(x), F.softshrink(x, 1.5)),
    "glu": lambda x: (F.glu(x), F.glu(x, 0)),
    "nan_to_num": lambda x: (x.nan_to_num(), x.nan_to_num(1, 2, 3), x.nan_to_num(posinf=9.0)),
    "rsub": lambda x: (2 - x, torch.rsub(x, 1.5, alpha=2)),
}
numbers = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -1.5, 3.0, -3.0,
                        6.0, 20.0, -20.0, 90.0, -90.0, 1e-3, -1e-3])
for dtype in FLOATS:
    x = t(4, 6, dtype=dtype, low=-6, high=8)
    for name, function in UNARY.items():
        FAMILY.add(f"{name} {short(dtype)}", function, x, tolerance=LOOSE.get(dtype))
        special = numbers[torch.isfinite(numbers)] if name == "gelu" else numbers  # PyTorch's own gelu(inf) may be NaN
        FAMILY.add(f"{name} numbers {short(dtype)}", function, special.to(dtype), tolerance=LOOSE.get(dtype))
for name, function in UNARY.items():
    if name != "glu":
        FAMILY.add(f"{name} 0-d", function, t())
    FAMILY.add(f"{name} empty", function, t(0, 4))
    FAMILY.sizes(name, function, (4, 6), growth=(6, 8))
for name in ("relu", "relu6", "clamp", "threshold", "square", "rsub"):
    for dtype in INTS:
        FAMILY.add(f"{name} {short(dtype)}", {
            "clamp": lambda x: (x.clamp(1, 3), x.clamp(min=2), x.clamp(max=2), x.clamp_min(1), x.clamp_max(2)),
            "threshold": lambda x: F.threshold(x, 1, 20), "rsub": lambda x: (7 - x, torch.rsub(x, 9, alpha=2)),
        }.get(name, UNARY[name]), t(4, 6, dtype=dtype))
FAMILY.add("hardtanh i64", lambda x: F.hardtanh(x, -2, 1), t(9, dtype=torch.int64))
FAMILY.add("nan_to_num i32", lambda x: x.nan_to_num(), t(9, dtype=torch.int32))
FAMILY.add("clamp of integers by fractions", lambda x: (x.clamp(-1.5, 1.5), x.clamp(min=0.5)), t(9, dtype=torch.int32))
FAMILY.add("clamp of min above max", lambda x: x.clamp(2, -2), t(9))
FAMILY.add("clamp of i64 outside i32", lambda x: x.clamp(-2**40, 2**40), torch.tensor([2**50, -2**50, 7]))
FAMILY.add("sigmoid of integers", lambda x: (torch.sigmoid(x), torch.tanh(x), torch.sinc(x)), t(9, dtype=torch.int32))

for dtype in FLOATS:
    x, y, z = t(3, 4, dtype=dtype), t(3, 4, dtype=dtype, low=0.5), t(4, dtype=dtype, low=1)
    loose = LOOSE.get(dtype)
    FAMILY.add(f"addcmul {short(dtype)}", lambda a, b, c: (torch.addcmul(a, b, c), torch.addcmul(a, b, c, value=0.5)),
               x, y, z, tolerance=loose)
    FAMILY.add(f"addcdiv {short(dtype)}", lambda a, b, c: (torch.addcdiv(a, b, c), torch.addcdiv(a, b, c, value=-2)),
               x, y, z, tolerance=loose)
    FAMILY.add(f"lerp {short(dtype)}", lambda a, b, c: (torch.lerp(a, b, 0.25), torch.lerp(a, b, 0.75),
                                                        torch.lerp(a, b, c), torch.lerp(a, b, 1.0)), x, y, z, tolerance=loose)
    FAMILY.add(f"logaddexp {short(dtype)}", torch.logaddexp, x, z, tolerance=loose)
    FAMILY.add(f"xlogy {short(dtype)}", lambda a, b: (torch.xlogy(a, b), torch.xlogy(a, 2.0), torch.xlogy(3.0, b)), x, y,
               tolerance=loose)
    FAMILY.add(f"prelu {short(dtype)}", lambda a, w: (F.prelu(a, w), F.prelu(a, w[:1])), t(2, 3, 4, dtype=dtype),
               t(3, dtype=dtype), tolerance=loose)
    FAMILY.add(f"masked_fill {short(dtype)}", lambda a, m: (a.masked_fill(m, -1e4), a.masked_fill(m, float("-inf")),
                                                           a.masked_fill(m, torch.tensor(1.5))), x, t(4, dtype=torch.bool))
for dtype in ALL:
    FAMILY.add(f"masked_fill, where {short(dtype)}", lambda a, m, b: (a.masked_fill(m, 1), torch.where(m, a, b)),
               t(3, 4, dtype=dtype), t(3, 1, dtype=torch.bool), t(4, dtype=dtype))
left, right = numbers.reshape(-1, 1), numbers
FAMILY.add("logaddexp numbers", torch.logaddexp, left, right)
FAMILY.add("xlogy numbers", torch.xlogy, left, right)
FAMILY.add("lerp numbers", torch.lerp, left, right, torch.tensor(0.3))
FAMILY.add("addcdiv numbers", lambda a, b: torch.addcdiv(torch.tensor(1.0), a, b), left, right)
FAMILY.add("xlogy of integers", lambda a, b: torch.xlogy(a, b), t(6, low=0, dtype=torch.int32), t(6, low=1, dtype=torch.int32))
FAMILY.add("addcmul of integers", lambda a, b, c: torch.addcmul(a, b, c, value=3), *(t(4, dtype=torch.int64) for _ in "abc"))
FAMILY.add("prelu 1-d", lambda a, w: F.prelu(a, w), t(5), t(1))
FAMILY.add("prelu 0-d", lambda a, w: F.prelu(a, w), t(), t(1))
FAMILY.add("prelu 4-d", lambda a, w: F.prelu(a, w), t(2, 3, 4, 5), t(3))
FAMILY.sizes("prelu", lambda a, w: F.prelu(a, w), (2, 3, 5), (3,))
FAMILY.sizes("lerp, addcmul", lambda a, b: (torch.lerp(a, b, 0.3), torch.addcmul(a, a, b), torch.logaddexp(a, b)), (4, 5), (5,))
FAMILY.add("gelu of a sum", lambda x, b: F.gelu(x + b) * torch.sigmoid(x), t(4, 6), t(6))
