# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""8-bit floats: every code and every op that eager PyTorch has for them on CPU, to the last bit."""

import torch
from torch.nn import functional as F

from case import Family, short

FAMILY = Family("float8")
t = FAMILY.tensor
E4M3FN, E5M2 = torch.float8_e4m3fn, torch.float8_e5m2
FLOATS8 = [E4M3FN, E5M2, torch.float8_e4m3fnuz, torch.float8_e5m2fnuz]
WIDER = [torch.float32, torch.float64, torch.float16, torch.bfloat16]
INTS = [torch.int8, torch.int16, torch.int32, torch.int64, torch.uint8]
CODES = torch.arange(256, dtype=torch.int32).to(torch.uint8)
MASK = torch.arange(256).reshape(16, 16) % 3 == 0
SPOTS = torch.tensor([3, 0, 11])


def hard_numbers() -> torch.Tensor:
    """Each 8-bit float, each middle of two neighbours, and the f32 next to these on either side, of both signs."""
    near = [torch.tensor([float("inf"), float("nan"), 0.0, 1e-45, 1e-38, 3e38, 464.0, 61440.0])]
    for dtype in FLOATS8:
        codes = CODES.view(dtype).float()
        codes = codes[codes.isfinite() & (codes >= 0)].unique()
        near += [codes, (codes[1:] + codes[:-1]) / 2, codes[-1:] + (codes[-1:] - codes[-2:-1]) / 2]
    near = torch.cat(near).unique()
    near = torch.cat([near, near.nextafter(torch.tensor(0.0)), near.nextafter(torch.tensor(float("inf")))])
    return torch.cat([near, -near])


HARD = hard_numbers()
WHOLE = torch.cat([torch.arange(-600, 600), torch.tensor([2**k + d for k in range(10, 31) for d in (-1, 0, 1)])])

for dtype in FLOATS8:
    name = short(dtype)
    codes = CODES.view(dtype).reshape(16, 16)
    numbers = codes[~codes.float().isnan() & codes.float().isfinite()]
    few = t(3, 4).to(dtype)

    # ---- Numbers ----
    for wider in WIDER:
        FAMILY.add(f"{name} to {short(wider)}", lambda x, to=wider: x.to(to), codes)
        FAMILY.add(f"{short(wider)} to {name}", lambda x, to=dtype: x.to(to), HARD.to(wider))
    for other in FLOATS8:
        FAMILY.add(f"{name} to {short(other)}", lambda x, to=other: x.to(to), codes)
    for integer in INTS:
        FAMILY.add(f"{name} to {short(integer)}", lambda x, to=integer: x.to(to), numbers[numbers.float().abs() < 120])
        FAMILY.add(f"{short(integer)} to {name}", lambda x, to=dtype: x.to(to), WHOLE.to(integer))
    FAMILY.add(f"{name} to and from bool", lambda x, m, to=dtype: (x.bool(), m.to(to)), codes, MASK)
    FAMILY.add(f"bits of {name}", lambda x: (x.view(torch.uint8), x.view(torch.uint8).view(x.dtype)), codes)

    FAMILY.add(f"{name} beside numbers", lambda x: [y for n in (-0.7, 0.3, 17, 1.0, 0.0, 449, 464, 465, 1e-3, -61440.0) for y in (x == n, x != n)], codes)

    # ---- Elements that only move ----
    FAMILY.add(f"joined {name}", lambda x: (torch.cat([x, x.flip(0)], 1), torch.stack([x, x], 1), torch.cat([x.t(), x])), codes)
    FAMILY.add(f"turned {name}", lambda x: (x.t().contiguous(), x.flip(0), x.roll(3, 0), x.reshape(4, 64).t().clone()), codes)
    FAMILY.add(f"repeated {name}", lambda x: (x.repeat(2, 3), x[:, None].expand(16, 2, 16).clone(), x.repeat_interleave(2, 0)), codes)
    FAMILY.add(f"padded {name}", lambda x: (F.pad(x, (1, 2)), F.pad(x, (2, 0, 1, 1), value=1.3), F.pad(x, (-1, 2)),
                                            F.pad(x[None], (1, 2), mode="circular")), codes)
    FAMILY.add(f"rows of {name}", lambda x, i: (F.embedding(i, x), x.index_select(1, i), x[i], x[:, i], x[i, i]), codes, SPOTS)
    FAMILY.add(f"rows put into {name}", lambda x, i: (x.index_put((i,), x[:3]), x.index_put((i,), x[0, 0])), codes, SPOTS)
    FAMILY.add(f"chosen {name}", lambda x, m: (torch.where(m, x, x.flip(0)), torch.where(m, x, x[0])), codes, MASK)
    FAMILY.add(f"masked {name}", lambda x, m: x[m], codes, MASK)
    FAMILY.add(f"cut {name}", lambda x: (x[1:9:3], x.slice_scatter(x[:4], 0, 2, 6), x.select_scatter(x[0], 0, 1), x.unfold(1, 3, 2).clone(),
                                         x.diagonal().clone(), torch.diag_embed(x[0]), x.diagonal_scatter(x[0])), codes)
    FAMILY.add(f"made {name}", lambda x, to=dtype: (torch.full((3, 4), 2.7, dtype=to), torch.zeros_like(x), torch.ones_like(x),
                                                    torch.eye(3, dtype=to), x.new_full((2,), -0.3)), codes)
    FAMILY.add(f"constants {name}", lambda x, c=codes: (torch.cat([x, c]), c.float()), codes)
    FAMILY.add(f"written {name}", lambda x: (torch.zeros_like(x).copy_(x.float() * 1.7), x.clone().fill_(3.1)), codes)
    FAMILY.sizes(f"moved {name}", lambda x: (torch.cat([x, x.flip(0)]), F.pad(x, (1, 2)), x.repeat(2, 1), x.t().contiguous()), (3, 5),
                 dtype=dtype)

    # ---- What computes ----
    FAMILY.add(f"compared {name}", lambda x: (x == x.t(), x != x.t(), x == 0, x.isnan()), codes)
    FAMILY.add(f"any and all of {name}", lambda x: (x.any(), x.all(), x.any(1), x.all(0)), codes)
    FAMILY.add(f"absolute {name}", lambda x: x.abs(), codes)
    FAMILY.add(f"multiplied {name}", lambda x: (x * x.t(), x * x[0]), codes)
    FAMILY.add(f"multiplied by a wider float {name}", lambda x, s: x.float() * s, codes, t(1))
    FAMILY.add(f"sum of {name}", lambda x: x.sum(dtype=torch.float32), few)
    FAMILY.add(f"counted {name}", lambda x: x.count_nonzero(0), codes)
    FAMILY.add(f"added up at places {name}", lambda x, i: x.index_put((i,), x[:3], accumulate=True), few.repeat(4, 1), SPOTS)
    FAMILY.add(f"product {name}", lambda x, y: x @ y, t(5, 7).to(dtype), t(7, 3).to(dtype))
    FAMILY.add(f"linear {name}", lambda x, w: F.linear(x, w), t(5, 7).to(dtype), t(3, 7).to(dtype))
    FAMILY.add(f"product with a sum {name}", lambda a, x, y: torch.addmm(a, x, y), t(5, 3).to(dtype), t(5, 7).to(dtype), t(7, 3).to(dtype))
for dtype in [E4M3FN, E5M2]:
    FAMILY.add(f"scaled product {short(dtype)}", lambda x, w, a, b: torch._scaled_mm(x, w.t(), a, b, out_dtype=torch.float32),
               t(16, 32).to(dtype), t(16, 32).to(dtype), torch.tensor(0.5), torch.tensor(3.0))

# ---- Exponents alone: what eager has for them ----
E8M0 = torch.float8_e8m0fnu
scales = CODES.view(E8M0).reshape(16, 16)
EXPONENTS = torch.arange(256, dtype=torch.int32)[:, None] << 23 | torch.tensor([0, 1, 0x3fffff, 0x400000, 0x400001, 0x7fffff])
EXPONENTS = torch.cat([EXPONENTS, EXPONENTS | -2**31]).view(torch.float32)
for wider in WIDER:
    FAMILY.add(f"float8_e8m0fnu to {short(wider)}", lambda x, to=wider: x.to(to), scales)
    FAMILY.add(f"{short(wider)} to float8_e8m0fnu", lambda x: x.to(E8M0), EXPONENTS.to(wider))
for other in FLOATS8:
    FAMILY.add(f"{short(other)} and float8_e8m0fnu", lambda x, y, to=other: (x.to(to), y.to(E8M0)), scales, CODES.view(other))
for integer in INTS:
    FAMILY.add(f"{short(integer)} and float8_e8m0fnu", lambda x, y: (x.to(y.dtype), y.to(E8M0)), scales.flatten()[100:134], WHOLE.to(integer))
FAMILY.add("float8_e8m0fnu to and from bool", lambda x, m: (x.bool(), m.to(E8M0)), scales, MASK)
FAMILY.add("bits of float8_e8m0fnu", lambda x: (x.view(torch.uint8), x.view(torch.uint8).view(E8M0), x.view(torch.uint8).view(E8M0).float()), scales)
FAMILY.add("NaN of float8_e8m0fnu", lambda x: (x.float().view(torch.int32), x.isnan()), scales)
FAMILY.add("float8_e8m0fnu beside numbers", lambda x: [y for n in (-0.7, 0.3, 17, 1.0, 0.0, 0, 1e-40, 1e39, 3, 1.5, 5.9e-39, 8e-39) for y in (x == n, x != n)], scales)
FAMILY.add("turned float8_e8m0fnu", lambda x: (torch.cat([x, x.t()], 1), torch.stack([x, x], 1), x.t().contiguous(), x.roll(3, 0), x.repeat(2, 3),
                                              x[:, None].expand(16, 2, 16).clone(), x.repeat_interleave(2, 0), x.unfold(1, 3, 2).clone()), scales)
FAMILY.add("padded float8_e8m0fnu", lambda x: (F.pad(x, (1, 2), value=1.0), F.pad(x, (2, 0, 1, 1), value=1.5), F.pad(x[None], (1, 2), mode="circular")), scales)
FAMILY.add("rows of float8_e8m0fnu", lambda x, i: (F.embedding(i, x), x.index_select(1, i), x[i], x[:, i], x[i, i]), scales, SPOTS)
FAMILY.add("chosen float8_e8m0fnu", lambda x, m: (torch.where(m, x, x[0]), x[m], x[1:9:3], x.slice_scatter(x[:4], 0, 2, 6), x.diagonal().clone()), scales, MASK)
FAMILY.add("made float8_e8m0fnu", lambda x: (torch.full((3, 4), 2.7, dtype=E8M0), torch.full((3,), 3, dtype=E8M0), torch.zeros_like(x), torch.ones_like(x),
                                             torch.eye(3, dtype=E8M0), x.new_full((2,), 0.3), x.clone().fill_(3.1)), scales)
FAMILY.add("constants float8_e8m0fnu", lambda x, c=scales: (torch.cat([x, c]), c.float()), scales)
FAMILY.add("compared float8_e8m0fnu", lambda x: (x == x.t(), x != x.t(), x.any(), x.all(0)), scales)
FAMILY.add("multiplied float8_e8m0fnu", lambda x: (x * x.t(), x * x[0]), scales)
FAMILY.add("symbolic float8_e8m0fnu", lambda x: (torch.cat([x, x]), x.repeat(2, 1), x.t().contiguous().float()), scales[:3], others=(scales[4:11],))

FAMILY.add("infinite float8_e5m2", lambda x: (x.isinf(), x.isfinite()), CODES.view(E5M2))
FAMILY.add("scaled product of groups", lambda x, w, a, b: torch._scaled_grouped_mm(x, w.mT, a, b, offs=torch.tensor([16, 32], dtype=torch.int32),
                                                                                  out_dtype=torch.bfloat16),
           t(32, 32).to(E4M3FN), t(2, 16, 32).to(E4M3FN), t(32).abs(), t(2, 16).abs(), declined="which PyTorch has not on CPU")
FAMILY.add("scaled product by blocks", lambda x, w, a, b: torch._scaled_mm(x, w.t(), a, b, out_dtype=torch.bfloat16),
           t(128, 128).to(E4M3FN), t(128, 128).to(E4M3FN), scales.flatten().repeat(2), scales.flatten().repeat(2), declined="scales of rows or blocks")
FAMILY.add("scaled product with a bias", lambda x, w, a, b, c: torch._scaled_mm(x, w.t(), a, b, bias=c, out_dtype=torch.bfloat16),
           t(16, 32).to(E4M3FN), t(16, 32).to(E4M3FN), torch.tensor([0.5]), torch.tensor([[3.0]]), t(16).bfloat16())
FAMILY.add("scaled product, of rows of their own", lambda x, w, a, b: torch._scaled_mm(x, w.t(), a, b, out_dtype=torch.bfloat16),
           t(16, 32).to(E4M3FN), t(16, 32).to(E4M3FN), t(16, 1).abs(), t(1, 16).abs(), declined="scales of rows")
