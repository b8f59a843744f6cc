# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Special functions, and functions of integers and of complex numbers, of the math registry."""

import torch

from case import FLOATS, INTS, Family, short

FAMILY = Family("special")
t = FAMILY.tensor
S = torch.special

# name: (function, lowest, highest argument)
ONE = {
    "lgamma": (torch.lgamma, 0.1, 20), "digamma": (torch.digamma, 0.1, 20), "erfinv": (torch.erfinv, -0.99, 0.99),
    "ndtr": (S.ndtr, -2, 5),
    "i0": (torch.i0, -9, 9), "i0e": (S.i0e, -9, 40), "i1": (S.i1, -9, 9), "i1e": (S.i1e, -9, 40), "entr": (S.entr, -1, 5),
    "sinc": (torch.sinc, -4, 4), "logit": (torch.logit, 0.01, 0.99),
    "polygamma 0": (lambda x: torch.polygamma(0, x), 0.1, 9), "polygamma 1": (lambda x: torch.polygamma(1, x), 0.1, 9),
    "polygamma at poles": (lambda x: torch.polygamma(1, x.round()), -9, 3),
    "polygamma 2": (lambda x: torch.polygamma(2, x), 0.5, 9), "polygamma 3": (lambda x: torch.polygamma(3, x), 0.5, 9),
    "mvlgamma": (lambda x: torch.mvlgamma(x, 3), 1.1, 20), "logit eps": (lambda x: torch.logit(x, 0.1), -1, 2),
}
# not of f16 and bf16 in PyTorch
WIDE = {
    "erfcx": (S.erfcx, -3, 9), "log_ndtr": (S.log_ndtr, -9, 5), "ndtri": (S.ndtri, 0.01, 0.99),
    "bessel_j0": (S.bessel_j0, -9, 9), "bessel_j1": (S.bessel_j1, -9, 9), "bessel_y0": (S.bessel_y0, 0.1, 9),
    "bessel_y1": (S.bessel_y1, 0.1, 9), "modified_bessel_i0": (S.modified_bessel_i0, -9, 9),
    "modified_bessel_i1": (S.modified_bessel_i1, -9, 9), "modified_bessel_k0": (S.modified_bessel_k0, 0.1, 9),
    "modified_bessel_k1": (S.modified_bessel_k1, 0.1, 9),
    "scaled_modified_bessel_k0": (S.scaled_modified_bessel_k0, 0.1, 30),
    "scaled_modified_bessel_k1": (S.scaled_modified_bessel_k1, 0.1, 30),
    "spherical_bessel_j0": (S.spherical_bessel_j0, -9, 9), "airy_ai": (S.airy_ai, -6, 6),
}
for dtype in FLOATS:
    for name, (function, low, high) in ONE.items():
        FAMILY.add(f"{name} {short(dtype)}", function, t(3, 7, dtype=dtype, low=low, high=high),
                   tolerance=(3e-2, 4e-3) if dtype.itemsize == 2 and name in ("ndtr", "logit", "logit eps") else None)
for dtype in (torch.float32, torch.float64):
    for name, (function, low, high) in WIDE.items():
        FAMILY.add(f"{name} {short(dtype)}", function, t(3, 7, dtype=dtype, low=low, high=high), tolerance=(1e-5, 1e-6))
edges = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0, -0.0, 1.0, -1.0, 0.5, 2.0])
ENDS = torch.tensor([0.0, -0.0, 0.85, 0.8500001, -0.86, 0.9999999, -0.9999999, 1.0, -1.0, 1.5, float("nan"), 1e-30, 0.5, 0.075, 0.0749999, 1e-12])
for dtype in (torch.float32, torch.float64):  # the inverses of what is in the middle, near to the ends, and at them
    FAMILY.add(f"inverses at the ends {short(dtype)}", lambda x: (x.erfinv(), S.ndtri(x), S.ndtri(1 - x)), ENDS.to(dtype).repeat(3),
               tolerance=(3e-7, 0) if dtype == torch.float32 else (4e-15, 0))
for name in ("lgamma", "digamma", "erfinv", "erfcx", "ndtr", "log_ndtr", "ndtri", "i0e", "i1e", "entr", "sinc", "logit"):
    FAMILY.add(f"{name} edges", {**ONE, **WIDE}[name][0], edges)

TWO = {
    "zeta": (S.zeta, (1.5, 6), (0.2, 9)), "igamma": (torch.igamma, (0.1, 20), (0.1, 20)),
    "igammac": (torch.igammac, (0.1, 20), (0.1, 20)), "xlogy": (torch.xlogy, (-2, 2), (0.1, 4)),
    "xlog1py": (S.xlog1py, (-2, 2), (-0.9, 4)), "logaddexp": (torch.logaddexp, (-9, 9), (-9, 9)),
    "logaddexp2": (torch.logaddexp2, (-9, 9), (-9, 9)),
}
for dtype in FLOATS:
    for name, (function, one, two) in TWO.items():
        if dtype.itemsize < 4 and name == "zeta":
            continue
        FAMILY.add(f"{name} {short(dtype)}", function, t(3, 1, dtype=dtype, low=one[0], high=one[1]),
                   t(5, dtype=dtype, low=two[0], high=two[1]))
for name in TWO:
    FAMILY.add(f"{name} edges", TWO[name][0], edges[:, None], edges)
FAMILY.add("igamma of large", lambda a, x: (torch.igamma(a, x), torch.igammac(a, x)),
           torch.tensor([1e3, 1e5, 1e7, 1e7, 3.0], dtype=torch.float64),
           torch.tensor([1.01e3, 0.999e5, 1.0001e7, 1e7, 100.0], dtype=torch.float64))

POLYNOMIALS = ["chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
               "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
               "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he",
               "laguerre_polynomial_l", "legendre_polynomial_p"]
degrees = torch.tensor([-1.0, 0, 1, 2, 3, 5, 8, 12])
for name in POLYNOMIALS:
    function = getattr(S, name)
    for dtype in (torch.float32, torch.float64):
        FAMILY.add(f"{name} {short(dtype)}", lambda x, n, f=function: (f(x, n), f(x, 3), f(0.25, n)),
                   torch.cat([t(6, dtype=dtype, low=-1.5, high=1.5), torch.tensor([1.0, -1.0, 0.0], dtype=dtype)])[:, None],
                   degrees.to(dtype), tolerance=(2e-4, 1e-4) if dtype == torch.float32 else None)

for dtype in (torch.float32, torch.float64, torch.bfloat16):
    FAMILY.add(f"nextafter {short(dtype)}", torch.nextafter, edges.to(dtype)[:, None], edges.to(dtype))
for dtype in FLOATS:
    FAMILY.add(f"frexp {short(dtype)}", lambda x: tuple(torch.frexp(x)), edges[3:].to(dtype))
    FAMILY.add(f"ldexp {short(dtype)}", torch.ldexp, t(3, 1, dtype=dtype), torch.tensor([-3, 0, 2, 5]))
    FAMILY.add(f"float_power {short(dtype)}", lambda x: (torch.float_power(x, 2.5), torch.float_power(x, x),
                                                         torch.float_power(2, x)), t(5, dtype=dtype, low=0.1))
for dtype in INTS:
    x, y = t(40, dtype=dtype, low=-60, high=60), t(40, dtype=dtype, low=-12, high=12)
    FAMILY.add(f"gcd lcm {short(dtype)}", lambda a, b: (torch.gcd(a, b), torch.lcm(a, b)), x, y)
FAMILY.add("gcd broadcast", torch.gcd, t(3, 1, dtype=torch.int64, high=30), t(5, dtype=torch.int64, high=30))
FAMILY.add("of integers", lambda x: (torch.lgamma(x), torch.digamma(x), S.i0e(x), torch.sinc(x), S.erfcx(x)),
           t(6, dtype=torch.int32, low=1, high=9))
FAMILY.add("0-d", torch.lgamma, t(low=1))
FAMILY.add("empty", torch.digamma, t(0, 4))
FAMILY.sizes("of rows", lambda x, y: (torch.lgamma(x), torch.igamma(x, y), torch.xlogy(x, y)), (4, 5), (5,), low=0.1, high=3)

COMPLEX = ["exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "rsqrt", "sigmoid", "sin", "cos", "tan", "asin",
           "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "reciprocal", "neg", "square", "abs",
           "angle", "sgn", "conj", "real", "imag"]
for dtype in (torch.complex64, torch.complex128):
    x, y = t(3, 5, dtype=dtype), t(5, dtype=dtype)
    for name in COMPLEX:
        FAMILY.add(f"{name} {short(dtype)}", getattr(torch, name), x)
    FAMILY.add(f"pow {short(dtype)}", lambda a, b: (a**b, a**2, a**0.5, 2.0**b, a ** (1 + 2j)), x, y)
    FAMILY.add(f"arithmetic {short(dtype)}", lambda a, b: (
        a + b, a - b, a * b, a / b, a == b, a != b, a + 1, a * 2j, torch.where(a.real > 0, a, b), a.abs() > 1), x, y)
    FAMILY.add(f"reductions {short(dtype)}", lambda a: (
        a.sum(), a.mean(1), a.prod(0), a.cumsum(1), a.cumprod(0), a.any(), a.all(1), torch.linalg.vector_norm(a)), x)
    FAMILY.add(f"products {short(dtype)}", lambda a, b: (
        a @ b, torch.mm(a, a.mH), torch.bmm(a[None], a.T[None]), torch.dot(b, b), torch.vdot(b, b), torch.outer(b, b)), x, y)
    FAMILY.add(f"casts {short(dtype)}", lambda a: (
        a.to(torch.complex64), a.to(torch.complex128), a.real.to(torch.complex64), (a.real > 0).to(torch.complex64)), x)
    FAMILY.add(f"shapes {short(dtype)}", lambda a: (
        a.T, a.reshape(-1), a[1:, ::2], torch.cat([a, a]), a.flip(0), torch.view_as_real(a),
        torch.view_as_complex(torch.view_as_real(a)), a.roll(1, 0), torch.nn.functional.pad(a, (1, 2))), x)
    FAMILY.add(f"indices {short(dtype)}", lambda a, i: (
        a[i], a.gather(1, i[:, None]), a.index_add(0, i, a), a.index_put((i,), a), torch.tril(a), torch.diagonal(a)), x,
        torch.tensor([2, 0, 1]))
FAMILY.sizes("complex rows", lambda x: (x.exp(), x.abs(), x @ x.mH), (3, 5), dtype=torch.complex64)
FAMILY.add("angle of reals", torch.angle, edges)
FAMILY.add("isreal", lambda x, y: (torch.isreal(x), torch.isreal(y)), torch.complex(t(4), torch.tensor([0.0, 1, 0, 2])), t(4))
