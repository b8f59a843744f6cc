# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers beside 16-bit floats, to the last bit: PyTorch rounds some of them to the tensor's dtype first, and others not."""

import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("sixteen_bits")
COUNT = 4096  # whole vectors: eager rounds once more in what is left behind them
NUMBERS = {
    "add": lambda x, y: (x + 1.15, 1.15 + x, x + 3),
    "add alpha": lambda x, y: (torch.add(x, y, alpha=3.3), torch.sub(x, y, alpha=-1.7)),
    "add number alpha": lambda x, y: (torch.add(x, 1.15, alpha=2), torch.sub(x, 1.15, alpha=2)),
    "sub": lambda x, y: (x - 1.15, 1.15 - x),
    "rsub alpha": lambda x, y: torch.rsub(x, y, alpha=2),
    "mul": lambda x, y: (x * 1.15, 1.15 * x),
    "div": lambda x, y: (x / 1.15, 1.15 / y),
    "div floor": lambda x, y: torch.div(x, 1.15, rounding_mode="floor"),
    "div trunc": lambda x, y: torch.div(x, 1.15, rounding_mode="trunc"),
    "floor_divide": lambda x, y: x // -1.15,
    "remainder": lambda x, y: (x % -1.15, x % 0.3),
    "remainder of a number": lambda x, y: torch.remainder(7.7, y),
    "fmod": lambda x, y: (torch.fmod(x, -1.15), torch.fmod(x, 0.3)),
    "pow": lambda x, y: (x.abs() ** 1.7, x**2, 1.3**x),
    "addcmul": lambda x, y: torch.addcmul(x, y, y, value=1.3),
    "addcdiv": lambda x, y: torch.addcdiv(x, x, y, value=1.3),
    "clamp": lambda x, y: (x.clamp(-0.33, 0.77), x.clamp(min=0.33), x.clamp(max=0.77)),
    "threshold": lambda x, y: F.threshold(x, 0.33, 0.77),
    "comparisons": lambda x, y: (x < 0.33, x >= 0.1, x == 0.33, x > -0.7, x != 1.1),
    "where": lambda x, y: (torch.where(x > y, x, 0.33), x.masked_fill(x > y, 0.33)),
    "leaky_relu": lambda x, y: F.leaky_relu(x, 0.33),
    "elu": lambda x, y: F.elu(x, 0.33),
    "hardtanh": lambda x, y: F.hardtanh(x, -0.33, 0.77),
    "hardshrink": lambda x, y: F.hardshrink(x, 0.33),
    "softshrink": lambda x, y: F.softshrink(x, 0.33),
    "copysign": lambda x, y: torch.copysign(x, -0.33),
    "signs of another": lambda x, y: (torch.copysign(y, x), torch.copysign(y.float(), x), torch.nextafter(x * 0, x), x.signbit(), x // y),
    "maximum": lambda x, y: torch.maximum(x, torch.tensor(0.33)),
    "0-d float32": lambda x, y: (x + torch.tensor(1.15), x * torch.tensor(1.15), x % torch.tensor(1.15)),
    "cumulative": lambda x, y: (x[:64].cumsum(0), x[:64].sum(), x[:64].mean()),
}
for dtype in (torch.float16, torch.bfloat16):
    for name, function in NUMBERS.items():
        x = FAMILY.tensor(COUNT, dtype=dtype)
        y = FAMILY.tensor(COUNT, dtype=dtype, low=0.5)
        FAMILY.add(f"{name} {short(dtype)}", function, x, y, tolerance=(0, 0),
                   is_whole=name == "softshrink")  # PyTorch decomposes it into ops that round more
