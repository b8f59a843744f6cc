# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs about values: dtypes and their promotion, odd numbers, odd shapes."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from catalog import Sample, draw_weights
from programs import booleans, integers, module, normal, program
from torch import Tensor, nn

# --------------------------------------------------------------------------------------------------------------------
# Dtypes and numbers
# --------------------------------------------------------------------------------------------------------------------


@program(integers(-9, 9, 4), normal(4), booleans(4), normal(4, dtype=torch.float16))
def mixed_dtypes(i: Tensor, f: Tensor, b: Tensor, h: Tensor) -> tuple[Tensor, ...]:
    """Type promotion between tensors, and between tensors and Python numbers."""
    return i + f, b + i, h + f, b * f, h + i, i / 2, i * 2.5, b + 1, b + 1.5, i + True, h * 1e-3, b / b, h // 2


@program(lambda: torch.tensor(2.5, dtype=torch.float64), normal(3), integers(0, 9, 3, dtype=torch.int32))
def zero_dim_promotion(s: Tensor, x: Tensor, i: Tensor) -> tuple[Tensor, ...]:
    """A 0-d tensor widens a tensor of dimensions only across categories."""
    return x * s, i * s, i + s.to(torch.int64), s + 1, torch.where(i > 4, s, x)


@program(lambda: torch.tensor(2.0), lambda: torch.tensor(-3), normal(4))
def zero_dim_tensors(x: Tensor, i: Tensor, v: Tensor) -> tuple[Tensor, ...]:
    """Tensors of rank 0 in, through and out."""
    return x * x, i.abs(), v.sum() + x, v.max(), v[2], torch.full((), 3.5), x.expand(2, 3), v.dot(v).reshape(1)


@program(lambda: torch.zeros(0, 3), normal(2, 3), lambda: torch.zeros(4, 0))
def zero_size_tensors(e: Tensor, x: Tensor, z: Tensor) -> tuple[Tensor, ...]:
    """Dimensions of size zero: sums are 0, products of matrices too, concatenation passes the rest through."""
    return torch.cat([e, x]), e.sum(0), z @ z.t(), e * 2, x[5:], x[:, :0].sum(1), torch.cat([torch.zeros(0), x[0]])


@program(normal(3, 4, 5))
def negative_indices(x: Tensor) -> tuple[Tensor, ...]:
    """Dims and indices counted from the end, slices beyond the end or empty."""
    return (
        x[-1],
        x[..., -3:-1],
        x.transpose(-1, -3),
        x[1:100, -2],
        x[:, 3:1],
        x.softmax(-2),
        x.sum((-1, 0), keepdim=True),
        x.flip(-1, 0)[::2],
        x.select(-2, -4),
        x.unsqueeze(-1).squeeze(-4),
        torch.cat([x, x], -2),
        x.flatten(-2),
        x.index_select(-1, torch.tensor([4, 0])),
        x[:, torch.tensor([-1, 0])],
        x.roll(-2, -1),
    )


@program(
    lambda: torch.tensor([7, -7, 7, -7, 0, 6, -6]),
    lambda: torch.tensor([3, 3, -3, -3, 5, -2, 2]),
    lambda: torch.tensor([7.5, -7.5, 7.5, -7.5, 0.0, 6.0, -6.0]),
)
def integer_division(a: Tensor, b: Tensor, f: Tensor) -> tuple[Tensor, ...]:
    """Rounding of quotients and signs of remainders, for integers and floats."""
    return (
        a // b,
        a % b,
        torch.div(a, b, rounding_mode="trunc"),
        torch.div(a, b, rounding_mode="floor"),
        a / b,
        torch.fmod(a, b),
        a // 2,
        a % -3,
        f // b,
        f % b,
        torch.fmod(f, b),
        torch.div(f, 2, rounding_mode="trunc"),
        5 % b,
        a >> 1,
        a << 2,
        a**2,
        -a,
    )


@program(
    integers(0, 256, 5, dtype=torch.uint8),
    integers(-128, 128, 5, dtype=torch.int8),
    integers(-32768, 32768, 5, dtype=torch.int16),
    integers(-(2**31), 2**31, 5, dtype=torch.int32),
)
def small_integers(u8: Tensor, i8: Tensor, i16: Tensor, i32: Tensor) -> tuple[Tensor, ...]:
    """Arithmetic wraps in the narrow type; bytes are unsigned."""
    return u8 + u8, u8 // 7, u8 > 100, i8 * i8, i16 + u8, i8 + u8, i32 * 3, u8.float() / 255, u8.sum(), ~i16, u8.max()


@program(integers(0, 6, 2, 5), normal(6, 3))
def int64_inputs(ids: Tensor, table: Tensor) -> tuple[Tensor, ...]:
    """Indices in and out."""
    picked = F.embedding(ids, table)
    return picked, picked.argmax(-1), ids.cumsum(1) * 2 - 1, ids.sort(1).indices, F.one_hot(ids, 6), ids.max()


@program(normal(3, 4))
def nonfinite_numbers(x: Tensor) -> tuple[Tensor, ...]:
    """Infinities and NaN as arguments and values; JSON has no numbers for them."""
    minus = x.masked_fill(x > 0, float("-inf"))
    nan = torch.where(x > 1, float("nan"), x)
    return (
        minus,
        minus.softmax(-1),
        nan,
        nan.isnan(),
        x.clamp(min=-float("inf"), max=0.5),
        torch.full((2,), float("inf")),
        minus.isinf(),
        torch.nan_to_num(minus),
        nan.max(),
        torch.finfo(torch.float32).min + x * 0,
    )


@program(integers(-5, 5, 4))
def large_integers(x: Tensor) -> tuple[Tensor, ...]:
    """Integers that a double cannot hold, as arguments and values."""
    big = 2**63 - 1
    return (
        x.clamp(max=big) + (2**53 + 1),
        torch.full((2,), big),
        torch.full((1,), -big - 1),
        x.bitwise_and(big - 2),
        x[:big],
    )


@program(booleans(3, 4), booleans(3, 4), normal(3, 4))
def boolean_logic(a: Tensor, b: Tensor, x: Tensor) -> tuple[Tensor, ...]:
    """Logical and bitwise ops on booleans, any and all, sums of booleans."""
    return a & b, a | b, a ^ b, ~a, a.any(1), a.all(), a.sum(), (x > 0) == b, x.logical_not(), a.float().mean(0), a < b


@program(normal(2, 6))
def conversions(x: Tensor) -> tuple[Tensor, ...]:
    """The family of .to; float to integer truncates."""
    return (
        x.to(torch.float64),
        (x * 10).to(torch.int32),
        (x * 10).long().type_as(x),
        x.to(x.device),
        x.bool(),
        x.half().float(),
        x.to(torch.zeros(1, dtype=torch.float64)),
        x.bfloat16().to(torch.float32),
        (x > 0).int(),
        x.double().to(torch.float32, copy=True),
    )


def _network(dtype: torch.dtype) -> Sample:
    network = nn.Sequential(nn.Linear(16, 32), nn.LayerNorm(32), nn.GELU(), nn.Linear(32, 8), nn.Softmax(-1))
    draw_weights(network)
    return Sample(network.to(dtype), (torch.randn(3, 16).to(dtype),))


@module()
def bfloat16_model() -> Sample:
    """Weights, inputs and outputs in bf16."""
    return _network(torch.bfloat16)


@module()
def float16_model() -> Sample:
    """Weights, inputs and outputs in f16."""
    return _network(torch.float16)


@module()
def float64_model() -> Sample:
    """Nothing may pass through f32 on the way."""
    return _network(torch.float64)
