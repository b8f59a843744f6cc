# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic, comparison, logic, selection and casts: all element types, broadcasting, 0-d and empty tensors."""

import torch

from case import ALL, FLOATS, INTS, Family, short

FAMILY = Family("elementwise")
t = FAMILY.tensor

BINARY = {
    "add": lambda x, y: x + y,
    "add alpha": lambda x, y: torch.add(x, y, alpha=3),
    "sub": lambda x, y: x - y,
    "sub alpha": lambda x, y: torch.sub(x, y, alpha=2),
    "rsub": lambda x, y: torch.rsub(x, y),
    "mul": lambda x, y: x * y,
    "maximum": torch.maximum,
    "minimum": torch.minimum,
    "fmax": torch.fmax,
    "fmin": torch.fmin,
    "comparisons": lambda x, y: (x == y, x != y, x < y, x <= y, x > y, x >= y),
    "logical": lambda x, y: (torch.logical_and(x, y), torch.logical_or(x, y), torch.logical_xor(x, y)),
    "where": lambda x, y: torch.where(x > y, x, y),
}
NOT_BOOL = {"sub", "sub alpha", "rsub", "add alpha"}
DIVISIONS = {
    "div": lambda x, y: x / y,
    "floor": lambda x, y: torch.div(x, y, rounding_mode="floor"),
    "trunc": lambda x, y: torch.div(x, y, rounding_mode="trunc"),
    "floor_divide": lambda x, y: x // y,
    "remainder": lambda x, y: x % y,
    "fmod": torch.fmod,
}
UNARY = {
    "neg": torch.neg, "sign": torch.sign, "square": torch.square, "relu": torch.relu,
    "clamp": lambda x: (x.clamp(-1, 2), x.clamp(min=1), x.clamp(max=1)),
    "scalars": lambda x: (x + 2, 3 - x, x * 2, x == 1, x > 0),
    "logical_not": torch.logical_not,
}

for dtype in ALL:
    x, y = t(3, 1, 5, dtype=dtype), t(4, 1, dtype=dtype)
    for name, function in BINARY.items():
        if dtype != torch.bool or name not in NOT_BOOL:
            FAMILY.add(f"{name} {short(dtype)}", function, x, y, is_near="alpha" in name and dtype in FLOATS[:2])  # as eager rounds now and then
    if dtype != torch.bool:
        divisor = torch.where(y == 0, torch.ones_like(y), y)
        for name, function in DIVISIONS.items():
            FAMILY.add(f"{name} {short(dtype)}", function, x, divisor)
        for name, function in UNARY.items():
            FAMILY.add(f"{name} {short(dtype)}", function, x)
    FAMILY.add(f"casts of {short(dtype)}", lambda v: tuple(v.to(to) for to in ALL), t(7, dtype=dtype, low=0, high=100))

for dtype in (torch.int64, torch.int8, torch.uint8):
    x, y = t(3, 4, dtype=dtype), t(4, dtype=dtype, low=1, high=4)
    for name, function in DIVISIONS.items():
        FAMILY.add(f"{name} {short(dtype)} by 0", function, x, y, more=((x, torch.tensor([1, 2, 0, 3], dtype=dtype)),
                                                                       (x, torch.tensor([3, 2, 1, 1], dtype=dtype))))
FAMILY.sizes("sizes as divisors", lambda x, y: (x // y.shape[0], x % y.shape[0]), (4,), (3,), dtype=torch.int64)
FAMILY.add("nothing is divided by 0", lambda x, y: x // y, t(0, 3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64))
for name, function in {"//": lambda x, y: x // y, "%": lambda x, y: x % y, "fmod": torch.fmod, "% a size": lambda x, y: x % x.shape[0] + y,
                       "// a size": lambda x, y: x // x.shape[0] + y}.items():
    FAMILY.add(f"nothing is divided by 0 in this run: {name}", function, t(2, 3, dtype=torch.int64), torch.tensor([1, 2, 3]),
               others=(t(0, 3, dtype=torch.int64), torch.zeros(3, dtype=torch.int64)))

special = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.5, -2.5])
other = torch.tensor([1.0, float("nan"), 2.0, -0.0, 0.0, float("inf"), -float("inf")])
for name, function in {**BINARY, **{k: v for k, v in DIVISIONS.items()}}.items():
    FAMILY.add(f"{name} special", function, special.reshape(7, 1), other)
for name in ("neg", "sign", "relu", "clamp", "square"):
    FAMILY.add(f"{name} special", UNARY[name], special)

for dtype in INTS:
    x, y = t(40, dtype=dtype, low=-100, high=100), t(40, dtype=dtype, low=0, high=6)
    FAMILY.add(f"bits {short(dtype)}", lambda a, b: (a & b, a | b, a ^ b, ~a), x, y)
    FAMILY.add(f"shifts {short(dtype)}", lambda a, b: (a << b, a >> b, a << 1, a >> 2), x, y)
    FAMILY.add(f"pow {short(dtype)}", lambda a, b: (a**b, a**2, a**3, a**0), t(40, dtype=dtype), y)
FAMILY.add("bits bool", lambda a, b: (a & b, a | b, a ^ b, ~a), t(9, dtype=torch.bool), t(9, dtype=torch.bool))
FAMILY.add("divide lowest", lambda a, b: (torch.div(a, b, rounding_mode="trunc"), a % b),
           torch.tensor([[-(2**31)], [7]], dtype=torch.int32), torch.tensor([[1], [-1]], dtype=torch.int32))  # by -1 eager dies
FAMILY.add("negative powers", lambda a, b: a**b, t(40, low=-2, high=2, dtype=torch.int32),
           t(40, low=0, high=3, dtype=torch.int32))
FAMILY.add("pow int number base", lambda a: 2**a, t(9, low=0, high=9, dtype=torch.int64))

MIXED = [(torch.int32, torch.float32), (torch.bool, torch.int64), (torch.float16, torch.float32),
         (torch.uint8, torch.int8), (torch.int64, torch.float16), (torch.bfloat16, torch.float16),
         (torch.bool, torch.float32), (torch.int64, torch.float64)]
for a, b in MIXED:
    for name in ("add", "mul", "maximum", "comparisons", "where"):
        FAMILY.add(f"{name} {short(a)} {short(b)}", BINARY[name], t(3, 4, dtype=a), t(4, dtype=b))
    FAMILY.add(f"div {short(a)} {short(b)}", lambda x, y: x / (y.abs() + 1 if y.dtype != torch.bool else 2),
               t(3, 4, dtype=a), t(4, dtype=b))
FAMILY.add("int and float numbers", lambda x: (x + 1.5, x * 0.5, x / 2, x < 0.5), t(6, dtype=torch.int32))
FAMILY.add("0-d", lambda x, y: (x + y, x * 2, torch.maximum(x, y)), t(), t())
FAMILY.add("0-d and 1-d", lambda x, y: (x + y, x < y), t(), t(5))
FAMILY.add("empty", lambda x, y: (x + y, -x), t(0, 3), t(3))

FAMILY.sizes("add broadcast", lambda x, y: (x + y, x > y, torch.where(x > y, x, y)), (2, 1, 5), (4, 1))
FAMILY.sizes("add same", lambda x, y: x * y + 1, (4, 5), (4, 5))
FAMILY.sizes("clamp", lambda x: x.clamp(-1, 1), (4, 5))

for dtype in FLOATS:
    x, y, z = t(3, 4, dtype=dtype), t(3, 4, dtype=dtype), t(4, dtype=dtype, low=1)
    FAMILY.add(f"addcmul {short(dtype)}", lambda a, b, c: torch.addcmul(a, b, c, value=0.5), x, y, z)
    FAMILY.add(f"addcdiv {short(dtype)}", lambda a, b, c: torch.addcdiv(a, b, c, value=2), x, y, z)
    FAMILY.add(f"lerp {short(dtype)}", lambda a, b, c: (torch.lerp(a, b, 0.25), torch.lerp(a, b, c)), x, y, z)
    FAMILY.add(f"activations {short(dtype)}", lambda a: (
        torch.nn.functional.relu6(a), torch.nn.functional.leaky_relu(a, 0.2), torch.nn.functional.hardtanh(a, -2, 3),
        torch.nn.functional.threshold(a, 0.5, 7.0), torch.reciprocal(a)), x)
FAMILY.add("clamp tensors", lambda a, b, c: (torch.clamp(a, b, c), torch.clamp(a, min=b), torch.clamp(a, max=c)),
           t(3, 4), t(4, high=0), t(3, 1, low=0))
FAMILY.add("masked_fill", lambda a, m: (a.masked_fill(m, 2.5), a.masked_fill(m, torch.tensor(1.0))), t(3, 4),
           t(4, dtype=torch.bool))
FAMILY.add("where numbers", lambda c, x: (torch.where(c, 1.0, 0.0), torch.where(c, x, 2.0), torch.where(c, 3, x)),
           t(3, 4, dtype=torch.bool), t(4))
FAMILY.add("complex", lambda x, y: (x + y, x - y, x * y, x / y, -x, x == y), t(3, 4, dtype=torch.complex64),
           t(4, dtype=torch.complex64))
FAMILY.add("casts out of range", lambda x: (x.to(torch.int32), x.to(torch.int64)), torch.tensor([1e10, -1e10, 3.7, -3.7]))
FAMILY.add("casts to another's dtype", lambda x, y: (x.type_as(y), x.to(y), y.type_as(x) + 1, y.to(x) * 2),  # of any shape
           t(2, 3, dtype=torch.int64), t(5))
FAMILY.add("casts of fractions", lambda x: tuple(x.to(to) for to in ALL), t(20))
FAMILY.add("heaviside", torch.heaviside, special, other)
FAMILY.add("complex parts", lambda x: (x.real, x.imag, x.abs(), x.angle(), x.conj(), torch.view_as_real(x)),
           t(3, 4, dtype=torch.complex64))
FAMILY.add("complex made", lambda x, y: (torch.complex(x, y), torch.polar(x, y), torch.view_as_complex(torch.stack([x, y], -1))),
           t(3, 4), t(3, 4))
FAMILY.add("rotary", lambda x, y: torch.view_as_real(torch.view_as_complex(x.reshape(2, -1, 3, 2))
                                                    * torch.polar(torch.ones_like(y), y)).flatten(2),
           t(2, 5, 6), t(5, 3), others=(t(2, 7, 6), t(7, 3)))


def written(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Overloads that write, each named otherwise than the one that computes what they write."""
    most, least, quotient, rest = x * 2, x + 1, torch.zeros_like(x), torch.zeros_like(x)
    torch.max(most, y, out=most)
    torch.min(least, y, out=least)
    torch.div(x, y, rounding_mode="floor", out=quotient)
    torch.remainder(x, y, out=rest)
    found, places = torch.empty_like(x, dtype=torch.bool), torch.empty_like(x, dtype=torch.int64)
    torch.isin(x, 3, out=found)
    torch.bucketize(x, y.flatten().sort().values, out=places)
    return most, least, quotient, rest, found, places, torch.max(x, out=torch.zeros_like(x[0, 0])), x.div_(y, rounding_mode="trunc")


for dtype in (torch.float32, torch.int64, torch.int32):
    FAMILY.add(f"written {short(dtype)}", written, t(5, 3, dtype=dtype), t(5, 3, dtype=dtype).abs() + 1)
