# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products of every rank, linear, and their bf16, f16, f64 and integer forms."""

import torch
import torch.nn.functional as F
import transformers.integrations.moe  # noqa: F401: defines the op

from case import FLOATS, Family, short

FAMILY = Family("contraction")
t = FAMILY.tensor
LOOSE = {torch.bfloat16: (2e-2, 2e-1), torch.float16: (4e-3, 2e-2)}


def products(x, y):
    return torch.matmul(x, y)


RANKS = [((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)), ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)),
         ((5, 2, 3), (5, 3, 4)), ((6, 5, 2, 3), (5, 3, 4)), ((6, 1, 2, 3), (5, 3, 4)), ((3,), (5, 3, 4)),
         ((5, 2, 3), (3,)), ((2, 6, 5, 2, 3), (6, 5, 3, 4))]
for dtype in (*FLOATS, torch.int64, torch.int32, torch.complex64):
    loose = LOOSE.get(dtype)
    x, y, v, w = t(4, 5, dtype=dtype), t(5, 3, dtype=dtype), t(5, dtype=dtype), t(3, dtype=dtype)
    batch_x, batch_y = t(2, 4, 5, dtype=dtype), t(2, 5, 3, dtype=dtype)
    FAMILY.add(f"mm {short(dtype)}", lambda a, b: (a.mm(b), a @ b), x, y, tolerance=loose)
    FAMILY.add(f"bmm {short(dtype)}", torch.bmm, batch_x, batch_y, tolerance=loose)
    FAMILY.add(f"mv dot {short(dtype)}", lambda a, b: (a.mv(b), b.dot(b), torch.outer(b, b)), x, v, tolerance=loose)
    FAMILY.add(f"addmm {short(dtype)}", lambda a, b, c: (torch.addmm(c, a, b), torch.addmm(c, a, b, beta=2, alpha=3)),
               x, y, w, tolerance=loose)
    FAMILY.add(f"baddbmm {short(dtype)}", lambda a, b, c: (
        torch.baddbmm(c, a, b), torch.baddbmm(c, a, b, beta=0, alpha=2)), batch_x, batch_y, t(2, 4, 3, dtype=dtype),
        tolerance=loose)
    FAMILY.add(f"addmv {short(dtype)}", lambda a, b, c: torch.addmv(c, a, b), x, v, t(4, dtype=dtype), tolerance=loose)
    if dtype.is_floating_point:
        FAMILY.add(f"linear {short(dtype)}", lambda a, b, c: (F.linear(a, b, c), F.linear(a, b), F.linear(a[0], b, c)),
                   x, t(3, 5, dtype=dtype), w, tolerance=loose)
        FAMILY.add(f"linear 3d {short(dtype)}", lambda a, b, c: (F.linear(a, b, c), F.linear(a, b)), batch_x,
                   t(3, 5, dtype=dtype), w, tolerance=loose)
FAMILY.add("addbmm of none", torch.addbmm, t(1), t(0, 2, 3, dtype=torch.bfloat16), t(0, 3, 4))
# Rows of a mixture's tokens by their experts' matrices; a group may be empty.
for dtype in (torch.bfloat16, torch.float32):
    ends = torch.tensor([3, 3, 8, 16], dtype=torch.int32)
    if dtype == torch.bfloat16:
        FAMILY.add("grouped mm bf16", lambda x, w, ends: torch._grouped_mm(x, w, ends), t(16, 8, dtype=dtype),
                   t(4, 8, 16, dtype=dtype), ends, tolerance=LOOSE[dtype])
    else:
        FAMILY.add("grouped mm of transformers", lambda x, w, ends: torch.ops.transformers.grouped_mm_fallback(
            x, w, ends), t(16, 5, dtype=dtype), t(4, 5, 6, dtype=dtype), ends)
for a, b in RANKS:
    FAMILY.sizes(f"matmul {a} {b}", products, a, b)
FAMILY.add("nan in unused self", lambda a, b, c: torch.addmm(c, a, b, beta=0), t(2, 3), t(3, 4),
           torch.full((4,), float("nan")))
FAMILY.add("empty k", lambda a, b: a @ b, t(2, 0), t(0, 3))
FAMILY.add("empty m", lambda a, b: a @ b, t(0, 2), t(2, 3))
FAMILY.sizes("attention scores", lambda q, k: torch.matmul(q, k.transpose(-2, -1)), (2, 3, 5, 4), (2, 3, 5, 4))
FAMILY.sizes("linear", lambda x, w, b: F.linear(x, w, b), (2, 3, 4), (5, 4), (5,))
FAMILY.sizes("addmm", lambda x, w, b: torch.addmm(b, x, w), (3, 4), (4, 5), (5,))
# Few rows by columns that lie dense, of sizes that are no whole vectors; one program for few rows and for many. The
# tolerance is for oneDNN, which adds up a row in one chain, an error of up to 2.4e-7 of the sum of the magnitudes (k = 83;
# eager and tosa's code, in several chains, 7e-8).
for dtype in FLOATS:
    FAMILY.add(f"few rows {short(dtype)}", lambda x, y, w, b: (F.linear(x, w, b), F.linear(y, w)), t(1, 83, dtype=dtype),
               t(3, 83, dtype=dtype), t(77, 83, dtype=dtype), t(77, dtype=dtype), tolerance=LOOSE.get(dtype, (1e-5, 2e-5)))
# Columns of a page, a step more and less, several, and so long that eight are read side by side; the last eight of them incomplete. Few stay in the
# second cache, many do not; where others lie between them, nothing is fetched.
for dtype in FLOATS:
    for k in (100, 1023, 1024, 1057, 2080, 4100):
        for n in (21, 2**20 // (k * dtype.itemsize) // 8 * 8 + 13):
            FAMILY.add(f"few rows by {n} columns of {k} {short(dtype)}", lambda x, y, z, w, k=k: (
                F.linear(x, w), F.linear(y, w), F.linear(z, w), F.linear(x[:, :k - 3], w[:, :k - 3])), t(1, k, dtype=dtype) / k**0.5,
                t(2, k, dtype=dtype) / k**0.5, t(7, k, dtype=dtype) / k**0.5, t(n, k, dtype=dtype), tolerance=LOOSE.get(dtype, (1e-5, 2e-5)))
FAMILY.sizes("few rows or many", lambda x, w, b: F.linear(x, w, b), (3, 40), (21, 40), (21,), growth=(18, 29, 55))
FAMILY.sizes("scores of one token", lambda q, k: torch.matmul(q, k.transpose(-2, -1)), (2, 3, 1, 24), (2, 3, 35, 24))
# Constant weights of bf16, whose columns or rows are packed in pairs: of even and odd depth, with whole panels and a rest,
# in one block of k and in several.
for k, n in ((64, 64), (96, 77), (83, 77), (2600, 40)):
    columns, rows, ends = (t(*shape, dtype=torch.bfloat16) for shape in ((n, k), (k, n), (n,)))
    FAMILY.add(f"constant bf16 weights {k}x{n}", lambda x, columns=columns, rows=rows, ends=ends: (
        F.linear(x, columns, ends), F.gelu(F.linear(x, columns)), torch.addmm(ends, x, rows), x @ rows),
        t(29, k, dtype=torch.bfloat16) / k**0.5, tolerance=LOOSE[torch.bfloat16])
# Any number of rows: whole tiles of 32, or of 14, and what is left of them.
for k, n in ((96, 77), (2600, 40)):
    columns, ends, bytes_ = t(n, k, dtype=torch.bfloat16), t(n, dtype=torch.bfloat16), t(k, 24, dtype=torch.int8, low=-128, high=127)
    for rows in (9, 15, 17, 31, 33, 48, 49, 63, 65, 300):
        FAMILY.add(f"constant weights of words {k}x{n}, {rows} rows, dynamic",
                   lambda x, y, columns=columns, ends=ends, bytes_=bytes_: (F.linear(x, columns, ends), torch._int_mm(y, bytes_)),
                   t(29, k, dtype=torch.bfloat16) / k**0.5, t(39, k, dtype=torch.int8, low=-128, high=127), others=(
                       t(rows, k, dtype=torch.bfloat16) / k**0.5, t(max(rows, 17) + 1, k, dtype=torch.int8, low=-128, high=127)),
                   tolerance=LOOSE[torch.bfloat16])
# Weights of narrower types, widened for the product.
for dtype in (torch.int8, torch.uint8, torch.bfloat16):
    for rows in (1, 3, 24):
        FAMILY.add(f"narrow weights {short(dtype)} {rows}", lambda x, w, s: (
            torch.mm(x, w.t().to(x.dtype)) * s, F.linear(x, w.to(x.dtype)), torch.mm(x, w[:83, :83].to(x.dtype))),
            t(rows, 83), (t(91, 83, low=0, high=9) * 20).to(dtype), t(91), tolerance=(1e-5, 2e-3))
    FAMILY.add(f"narrow weights {short(dtype)}, dynamic", lambda x, w: F.linear(x, w.to(x.dtype)), t(5, 83),
               (t(91, 83, low=0, high=9) * 20).to(dtype), others=(t(30, 83), (t(91, 83, low=0, high=9) * 20).to(dtype)),
               tolerance=(1e-5, 2e-3))
