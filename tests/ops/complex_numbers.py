# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on complex numbers that are ops on their parts, or formulas of their own."""

import torch
from torch.nn import functional as F

from case import Family, short

FAMILY = Family("complex_numbers")
t = FAMILY.tensor
inf, nan = float("inf"), float("nan")
SPECIAL = torch.tensor([complex(1, nan), complex(nan, 2), complex(inf, 0), complex(0, -inf), complex(nan, inf), 1 + 2j])
parts = (0.0, -0.0, 1.0, -3.0, inf, -inf, nan, 1e-30, 1e30)
EVERY = torch.tensor([complex(a, b) for a in parts for b in parts], dtype=torch.complex128)
MODERATE = EVERY[(torch.view_as_real(EVERY) != 1e30).all(1)]  # PyTorch's squares of c64 overflow in f32


def every_pair(dtype: torch.dtype) -> tuple[torch.Tensor, torch.Tensor]:
    """Each number over each; a column of its own, so that the mean is of one."""
    return EVERY.repeat_interleave(len(EVERY))[:, None].to(dtype), EVERY.repeat(len(EVERY))[:, None].to(dtype)


for dtype in (torch.complex64, torch.complex128):
    name = short(dtype)
    x, y = t(3, 4, dtype=dtype), t(3, 4, dtype=dtype)
    loose = (1e-4, 1e-4) if dtype == torch.complex64 else (1e-8, 1e-8)

    def add(title: str, function, *inputs: torch.Tensor) -> None:
        FAMILY.add(f"{title} {name}", function, *inputs, tolerance=loose)

    add("sums of infinities", lambda a, b: (a + b, a - b, torch.sub(a, b, alpha=2), torch.rsub(a, b)), *every_pair(dtype))
    FAMILY.add(f"sums of scaled infinities {name}", lambda a, b: (torch.addcmul(a[:1], a, b), torch.addcdiv(a[:1], a, b, value=-0.5)),
               *every_pair(dtype), tolerance=loose, is_whole=True)  # decomposed, PyTorch leaves the product with 1 out
    add("tests", lambda s: (s.isnan(), s.isinf(), s.isfinite()), SPECIAL.to(dtype))
    add("quotients of special numbers", lambda a, b: (a / b, 2 / b, b.reciprocal(), a / 4, a.mean(1)), *every_pair(dtype))
    add("powers of special numbers", lambda a: (a ** 0, a ** 0.5, a ** 1, a ** 2, a ** 3), MODERATE.to(dtype))
    add("powers of special numbers by tensors", lambda a, e: (torch.pow(a[:, None], e), torch.float_power(a[:, None], e.real), torch.pow(0.0, e)),
        MODERATE.to(dtype), torch.tensor([0, 1, 2, -1, 0.5, 3], dtype=dtype))
    add("powers", lambda a: (a ** -2, a ** -1, a ** -0.5, a ** 4, a ** 2.5, a ** (2 + 1j), torch.pow(2, a), a ** a), x)
    add("sinc", lambda a: (torch.sinc(a), torch.sinc(a * 0)), x)
    add("lerp", lambda a, b: (torch.lerp(a, b, 0.25), torch.lerp(a, b, 0.3 - 2j), torch.lerp(a, b, a)), x, y)
    add("logsumexp", lambda a: (a.logsumexp(0), a.logsumexp((0, 1), True), (a[0, 0] * 9).logsumexp(0),
                                (a.real - inf + 0j).logsumexp(0)), x)
    add("logaddexp", lambda a, b, e: (torch.logaddexp(a, b), torch.logaddexp(a, e), torch.logaddexp(e, e)), x, y,
        (torch.full((4,), -inf) + 0j).to(dtype))
    add("variance", lambda a: (a.var(), a.std(), a.var(0), a.std(1, True), a.var((0, 1), correction=0), a.var(False),
                               *torch.var_mean(a), *torch.std_mean(a, 1, keepdim=True)), x)
    add("convolution", lambda a, w, b: (F.conv1d(a, w, b, padding=1), F.conv1d(a, w, padding="same"),
                                        F.conv_transpose1d(a, w, stride=2)), t(2, 3, 8, dtype=dtype),
        t(3, 3, 3, dtype=dtype), t(3, dtype=dtype))
    add("complex factors", lambda m, a, b, v, w: (
        torch.addbmm(m, a, b, beta=2 - 1j, alpha=0.5j), torch.addr(m, v, w, beta=0, alpha=1 + 1j),
        torch.addmm(m, a[0], b[0], beta=1j, alpha=2)),
        t(3, 4, dtype=dtype), t(2, 3, 5, dtype=dtype), t(2, 5, 4, dtype=dtype), t(3, dtype=dtype), t(4, dtype=dtype))
    add("logdet", torch.logdet, t(2, 3, 3, dtype=dtype))
    add("dist", lambda a, b: (torch.dist(a, b), torch.dist(a, b, 1), torch.dist(a, b, inf)), x, y)
    add("ldexp", lambda a, n: torch.ldexp(a, n), x, torch.tensor([0, 1, -2, 5]))
FAMILY.add("beside real numbers", lambda c, x, i: (torch.outer(c, x), torch.ger(x, c), torch.angle(i)), t(4, dtype=torch.complex64),
           t(6), torch.tensor([-3, 0, 5]))


def written(write):
    """What a write to a view of the numbers leaves of them, and of other views of them."""
    def function(x, y):
        a = x.clone()
        before = a.imag, torch.view_as_real(a)[1]
        write(a, y)
        x.mul_(2)
        write(x, y)
        return a, *before, a.conj() + 1, x.real
    return function


def write_pairs(a, y):
    pairs = torch.view_as_real(a).clone()
    torch.view_as_complex(pairs)[0].mul_(2j)
    pairs[..., 0].add_(1)
    a.copy_(torch.view_as_complex(pairs))


WRITES = {
    "real": lambda a, y: a.real.relu_(), "imag": lambda a, y: a.imag.mul_(y), "a row of real": lambda a, y: a.real[1].add_(y[0]),
    "real, transposed": lambda a, y: a.real.t()[1:].sub_(1), "imag of columns": lambda a, y: a[:, ::2].imag.copy_(y[:, ::2]),
    "pairs": lambda a, y: torch.view_as_real(a).add_(y[..., None]), "a part of pairs": lambda a, y: torch.view_as_real(a)[:, 1:, 1].fill_(3),
    "imag of conj": lambda a, y: a.conj().imag.add_(y), "a row of real of conj": lambda a, y: a.conj().real[0].add_(y[1]),
    "real of mH": lambda a, y: a.mH.real.mul_(2), "imag of adjoint": lambda a, y: a.adjoint().imag.add_(y.t()),
    "real by imag": lambda a, y: a.real.add_(a.imag), "complex of pairs": write_pairs, "index": lambda a, y: a.real.__setitem__((slice(None), [0, 2]), 7.0),
}
for dtype in (torch.complex64, torch.complex128):
    for name, write in WRITES.items():
        x, y = t(3, 4, dtype=dtype), t(3, 4, dtype=dtype.to_real())
        FAMILY.add(f"written through {name} {short(dtype)}", written(write), x, y)
        if dtype == torch.complex64 and " of " not in name:  # PyTorch keeps no size of conjugates dynamic
            FAMILY.add(f"written through {name}, dynamic", written(write), x, y, others=(t(5, 6, dtype=dtype), t(5, 6)))
