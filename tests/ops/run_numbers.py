# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers that only the run knows: wherever an op takes a number, a size of another tensor may stand (`tril(mask, past)`)."""

from __future__ import annotations

import itertools

import torch
import torch.nn.functional as F

from case import Family

FAMILY = Family("run_numbers")

# x is 8 by 8, k is 4 where the program is exported.
PROGRAMS = {
    "slice step": lambda x, k: x[:, ::k]*1,
    "slice start step": lambda x, k: x[:, 1:k+2:k-1]*1,
    "slice_scatter step": lambda x, k: x.slice_scatter(torch.zeros_like(x[:, ::k]), 1, 0, None, k),
    "channel_shuffle": lambda x, k: F.channel_shuffle(x[None, :, :, None], k),
    "tril": lambda x, k: x.tril(k-3),
    "triu": lambda x, k: x.triu(3-k),
    "eye": lambda x, k: torch.eye(k, 8),
    "arange": lambda x, k: torch.arange(k, 30, k),
    "arange2": lambda x, k: torch.arange(0, k)*2,
    "topk": lambda x, k: x.topk(k)[0],
    "kthvalue": lambda x, k: x.kthvalue(k)[0],
    "roll": lambda x, k: x.roll(k, 1),
    "narrow": lambda x, k: x.narrow(1, k, 2),
    "irfft": lambda x, k: torch.fft.irfft(x, k*2),
    "bincount": lambda x, k: torch.bincount(x.long().abs().flatten()%3, minlength=k+3),
    "repeat_interleave": lambda x, k: x.repeat_interleave(k, 1),
    "tensor_split": lambda x, k: torch.tensor_split(x, (k, ), 1)[0]*1,
    "index_fill": lambda x, k: x.index_fill(0, torch.tensor([0]), k),
    "interp": lambda x, k: F.interpolate(x[None, None], size=(k*2, 5), mode="bilinear"),
    "embedding pad": lambda x, k: F.embedding(torch.tensor([0, 1, k]), x),
    "nll": lambda x, k: F.cross_entropy(x, torch.arange(8)%4, ignore_index=k),
    "select": lambda x, k: x.select(0, k)*1,
    "as_strided_scatter": lambda x, k: x.as_strided_scatter(torch.zeros(2, 2), (2, 2), (k+4, 1), k),
    "expand": lambda x, k: x[:, None].expand(8, k, 8)+1,
    "pad reflect": lambda x, k: F.pad(x[None], (k, k-2), mode="reflect"),
    "select_scatter": lambda x, k: x.select_scatter(x[0]*0, 0, k),
    "cartesian_prod": lambda x, k: torch.cartesian_prod(torch.arange(k), torch.arange(3)),
    "block_diag": lambda x, k: torch.block_diag(x[:k], x[:2]),
    "shift": lambda x, k: x.long().bitwise_left_shift(k),
    "addbmm": lambda x, k: torch.baddbmm(x[None], x[None], x[None], beta=k, alpha=k-1),
    "slice from": lambda x, k: x[:, k-2:]*1,
    "triu of scores": lambda x, k: torch.full((8, 8), float("-inf")).triu(k - 2) + x,
}


def of_size(function):
    return lambda x, y: function(x, y.shape[0])


for name, function in PROGRAMS.items():
    x = FAMILY.tensor(8, 8)
    FAMILY.add(name, of_size(function), x, torch.zeros(4), others=(FAMILY.tensor(8, 8), torch.zeros(5)))

# Below and above zero: what is cut off, and what is put beside. PyTorch's program may hold on one side alone.
PADS = {
    "pad in front": lambda x, k: F.pad(x, (k-4, 0)), "pad behind": lambda x, k: F.pad(x, (0, k-4)),
    "pad both": lambda x, k: F.pad(x, (k-4, 4-k, 1, k-4)), "pad replicate": lambda x, k: F.pad(x[None], (k-4, 4-k), mode="replicate"),
    "pad reflect": lambda x, k: F.pad(x[None], (4-k, k-4), mode="reflect"), "tril": lambda x, k: x.tril(k-4),
    "roll": lambda x, k: x.roll((k-4, 4-k), (0, 1)), "fft": lambda x, k: torch.fft.fft(x, k+4), "irfft": lambda x, k: torch.fft.irfft(x, k+4)}
SIDES = {
    "pad circular": lambda x, k: F.pad(x[None], (k-4, 2), mode="circular"),
    "slice before": lambda x, k: x[:, :k-4]*1, "slice_scatter": lambda x, k: x.slice_scatter(torch.zeros(8, 2), 1, k-4, k-2)}
BOTH, WITHIN = [(6, 2), (2, 7)], [(6, 7), (3, 2)]
for (name, function), (n, other) in [*itertools.product(PADS.items(), BOTH), *itertools.product(SIDES.items(), WITHIN)]:
    FAMILY.add(f"{name}, {n} to {other}", of_size(function), FAMILY.tensor(8, 8), torch.zeros(n), others=(FAMILY.tensor(8, 8), torch.zeros(other)))
FAMILY.add("as_strided of a part", lambda x: x[3].as_strided((2, 3), (2, 1)) * 1, FAMILY.tensor(4, 6), others=(FAMILY.tensor(4, 9),))
FAMILY.add("as_strided of rows", lambda x: x[1:].as_strided((2, 2), (x.shape[1], 1), x.shape[1]) * 1, FAMILY.tensor(4, 6),
           others=(FAMILY.tensor(4, 9),))

# A fraction of a size, where an op takes any number, beside tensors of one number and of several: it lifts no dtype.
FRACTIONS = {
    "add": lambda x, k: torch.add(x, x, alpha=k), "sub": lambda x, k: torch.sub(x, x, alpha=k), "rsub": lambda x, k: torch.rsub(x, k),
    "mul": lambda x, k: x * k, "div": lambda x, k: x / k, "rdiv": lambda x, k: k / (x + 9), "floor_divide": lambda x, k: x // k,
    "div to floor": lambda x, k: torch.div(x, k, rounding_mode="floor"), "remainder": lambda x, k: x % k, "pow": lambda x, k: (x + 9) ** k,
    "rpow": lambda x, k: k ** x, "clamp": lambda x, k: x.clamp(-k, k), "clamp_min": lambda x, k: x.clamp_min(k), "clamp_max": lambda x, k: x.clamp_max(k),
    "lt": lambda x, k: x < k, "eq": lambda x, k: x == k, "where": lambda x, k: torch.where(x > 0, x, k), "xlogy": lambda x, k: torch.xlogy(x, k),
    "masked_fill": lambda x, k: x.masked_fill(x > 1, k), "addcmul": lambda x, k: torch.addcmul(x, x, x, value=k),
    "lerp": lambda x, k: torch.lerp(x, x * x, k), "leaky_relu": lambda x, k: F.leaky_relu(x, k),
    "threshold": lambda x, k: F.threshold(x, k, -k), "hardtanh": lambda x, k: F.hardtanh(x, -k, k),
    "full": lambda x, k: torch.full_like(x, k), "heaviside": lambda x, k: torch.heaviside(x, torch.tensor(k, dtype=x.dtype)),
    "linspace": lambda x, k: torch.linspace(-k, k, 5) * x.sum(), "index_fill": lambda x, k: x.reshape(-1).index_fill(0, torch.tensor([0]), k),
    "where of two": lambda x, k: torch.where(x > 0, k, -k), "scatter": lambda x, k: x.reshape(-1).scatter(0, torch.tensor([0]), k),
    "addmm": lambda x, k: torch.addmm(x.reshape(-1)[:1], x.reshape(1, -1), x.reshape(-1, 1), beta=k, alpha=k)}
OF_WHOLE = ("mul", "div", "rdiv", "floor_divide", "remainder", "pow", "clamp", "lt", "where", "xlogy", "masked_fill")
for (name, function), dtype in itertools.product(FRACTIONS.items(), (torch.float32, torch.bfloat16, torch.int64)):
    if dtype.is_floating_point or name in OF_WHOLE:
        for sizes in ((), (3, 2)):
            FAMILY.add(f"{name} by a fraction, {str(dtype)[6:]}{list(sizes)}", lambda x, y, f=function: f(x, y.shape[0] / 6),
                       FAMILY.tensor(*sizes, dtype=dtype), torch.zeros(4), others=(FAMILY.tensor(*sizes, dtype=dtype), torch.zeros(5)),
                       is_near=dtype == torch.bfloat16 and name not in ("lt", "eq"))
FAMILY.add("shift beside bytes", lambda x, y: x.sum().to(torch.uint8) + (1 << y.shape[0]), FAMILY.tensor(3, dtype=torch.uint8), torch.zeros(4),
           others=(FAMILY.tensor(4, dtype=torch.uint8), torch.zeros(5)))
