# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors out of numbers."""

import torch

from case import ALL, FLOATS, INTS, Family, short

FAMILY = Family("creation")
t = FAMILY.tensor

for dtype in ALL:
    x = t(2, 3, dtype=dtype)
    FAMILY.add(f"filled {short(dtype)}", lambda x, d=dtype: (
        torch.full((2, 3), 1, dtype=d), torch.zeros(2, dtype=d), torch.ones(3, 2, dtype=d), torch.zeros_like(x),
        torch.ones_like(x), torch.full_like(x, 1), x.new_zeros(3), x.new_ones((2, 2)), x.new_full((2,), 1)), x)
    FAMILY.add(f"eye {short(dtype)}", lambda x, d=dtype: (torch.eye(3, dtype=d), torch.eye(2, 4, dtype=d), x.clone()), x)
    if dtype != torch.bool:
        FAMILY.add(f"arange {short(dtype)}", lambda x, d=dtype: (
            torch.arange(5, dtype=d), torch.arange(2, 7, dtype=d), torch.arange(1, 10, 3, dtype=d), x.clone()), x)
for dtype in FLOATS:
    FAMILY.add(f"ranges {short(dtype)}", lambda x, d=dtype: (
        torch.arange(0, 1, 0.1, dtype=d), torch.linspace(-1, 1, 7, dtype=d), torch.linspace(0, 5, 1, dtype=d),
        torch.arange(3, 0, -0.5, dtype=d), x.clone()), t(1, dtype=dtype))
FAMILY.add("linspace ints", lambda x: (torch.linspace(0, 10, 5, dtype=torch.int64), x.clone()), t(1))
FAMILY.add("special numbers", lambda x: (torch.full((2,), float("inf")), torch.full((2,), float("nan")),
                                         torch.full((2,), 2**63 - 1), torch.full((2,), -(2**63)), x.clone()), t(1))
FAMILY.add("big", lambda x: torch.zeros(100, 200) + x, t(200))
FAMILY.add("complex", lambda x: (torch.zeros(2, dtype=torch.complex64) + x), t(2, dtype=torch.complex64))
FAMILY.add("dynamic", lambda x: (torch.zeros(x.shape[0]), torch.full((x.shape[0], 2), 3.0), torch.arange(x.shape[1]),
                                 torch.ones_like(x), torch.arange(1, x.shape[1], 2), torch.eye(x.shape[0]),
                                 x.new_full((x.shape[1],), x.shape[0])), t(3, 4), others=(t(5, 7),))
FAMILY.add("numbers of shapes", lambda x: (x * x.shape[0], x + x.shape[1], x / x.shape[0]), t(3, 4), others=(t(5, 7),))
FAMILY.add("scalar tensor", lambda x: x + torch.tensor(2.5), t(3))
FAMILY.add("ints", lambda x: tuple(torch.full((2,), 100, dtype=d) for d in INTS) + (x.clone(),), t(1))
