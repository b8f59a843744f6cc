# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of prims, into which PyTorch's decompositions turn programs."""

import torch
import torch._inductor.inductor_prims  # noqa: F401: registers what Inductor's decompositions add

from case import Family

FAMILY = Family("prims")
t = FAMILY.tensor
prims = torch.ops.prims
CPU = torch.device("cpu")


def one(name: str, *inputs: torch.Tensor, call=None, **options) -> None:
    """An op on three sets of numbers, and with every dim dynamic."""
    function = call or (lambda *xs: getattr(prims, name)(*xs))
    more = tuple(tuple(x[torch.randperm(len(x), generator=FAMILY.random)] if x.dim() else x + 1 for x in inputs) for _ in range(2))
    FAMILY.add(f"{options.pop('label', '')}{name}", function, *inputs, more=more, **options)


UNARY = {
    "abs": (-4, 4), "acos": (-1, 1), "acosh": (1, 5), "asin": (-1, 1), "asinh": (-4, 4), "atan": (-4, 4), "atanh": (-0.9, 0.9),
    "bessel_i0": (-4, 4), "bessel_i0e": (-4, 4), "bessel_i1": (-4, 4), "bessel_i1e": (-4, 4), "bessel_j0": (0, 9),
    "bessel_j1": (0, 9), "cbrt": (-4, 4), "ceil": (-4, 4), "cos": (-4, 4), "cosh": (-4, 4),
    "digamma": (0.5, 4), "erf": (-2, 2), "erf_inv": (-0.9, 0.9), "erfc": (-2, 2), "erfcx": (-2, 4), "exp": (-4, 4), "exp2": (-4, 4),
    "expm1": (-4, 4), "floor": (-4, 4), "isfinite": (-4, 4), "lgamma": (0.5, 4), "log": (0.1, 4), "log10": (0.1, 4),
    "log1p": (0.1, 4), "log2": (0.1, 4), "ndtri": (0.1, 0.9), "neg": (-4, 4), "reciprocal": (0.5, 4), "round": (-4, 4),
    "rsqrt": (0.1, 4), "sign": (-4, 4), "sin": (-4, 4), "sinh": (-4, 4), "spherical_bessel_j0": (0.5, 4),
    "sqrt": (0.1, 4), "tan": (-1, 1), "tanh": (-4, 4), "trunc": (-4, 4), "clone": (-4, 4), "view_of": (-4, 4),
}
for name, (low, high) in UNARY.items():
    one(name, t(3, 5, low=low, high=high), others=(t(4, 7, low=low, high=high),))
one("frexp", t(3, 5), others=(t(4, 7),))
one("signbit", t(3, 5), call=lambda x: prims.signbit(x).float())  # its type for torch.export is f32
one("conj", t(3, 5, dtype=torch.complex64), call=lambda x: (prims.conj(x) * x, prims.conj_physical(x)))
one("real", t(3, 5, dtype=torch.complex64))
one("imag", t(3, 5, dtype=torch.complex64))
one("bitwise_not", t(3, 5, dtype=torch.int32), others=(t(4, 7, dtype=torch.int32),))

BINARY = ["add", "atan2", "div", "eq", "fmax", "fmin", "fmod", "ge", "gt", "hypot", "le", "lt", "maximum", "minimum", "mul", "ne",
          "nextafter", "pow", "remainder", "sub"]
for name in BINARY:
    low = 0.5 if name in ("pow", "fmod", "remainder") else -4
    one(name, t(3, 5, low=low), t(3, 5, low=low), others=(t(4, 7, low=low), t(4, 7, low=low)))
for name in ("add", "div", "remainder", "maximum", "ge"):
    one(name, t(3, 5, dtype=torch.int64), t(3, 5, low=1, high=3, dtype=torch.int64), label="integers: ")
for name in ("igamma", "igammac", "zeta"):
    one(name, t(3, 5, low=1.2, high=4), t(3, 5, low=0.5, high=4))
for name in ("bitwise_and", "bitwise_or", "bitwise_xor", "gcd", "shift_left", "shift_right_arithmetic"):
    one(name, t(3, 5, dtype=torch.int32), t(3, 5, low=0, high=6, dtype=torch.int32))
one("add", t(3, 5), label="a number: ", call=lambda x: (prims.add(x, 2.5), prims.div(x, 3.0), prims.pow(x.abs(), 2.0)))
one("where", t(3, 5, dtype=torch.bool), t(3, 5), t(3, 5), others=(t(4, 7, dtype=torch.bool), t(4, 7), t(4, 7)))
one("fma", t(3, 5), t(3, 5), t(3, 5))
one("convert_element_type", t(3, 5), call=lambda x: (
    prims.convert_element_type(x, torch.int32), prims.convert_element_type(x, torch.float64), prims.convert_element_type(x, torch.bool)))

for name in ("amax", "amin", "sum", "prod"):
    one(name, t(2, 3, 4), others=(t(3, 5, 6),), call=lambda x, f=getattr(prims, name): (f(x, [1]), f(x, [0, 2]), f(x, [2, 1, 0])))
one("sum", t(2, 3, dtype=torch.int64), label="integers: ", call=lambda x: (prims.sum(x, [1]), prims.prod(x, [0, 1])))
one("var", t(2, 3, 4), others=(t(3, 5, 6),), call=lambda x: (prims.var(x, [1], 1), prims.var(x, [0, 2], 0), prims.var(x, [0, 1, 2], 2)))

one("broadcast_in_dim", t(2, 3), others=(t(4, 5),), call=lambda x: (
    prims.broadcast_in_dim(x, [5, x.shape[0], 2, x.shape[1]], [1, 3]), prims.broadcast_in_dim(x[:, :1], [x.shape[0], 7], [0, 1])))
one("collapse", t(2, 3, 4, 5), others=(t(3, 4, 5, 6),), call=lambda x: (
    prims.collapse(x, 1, 2), prims.collapse_view(x, 0, 3), prims.collapse_view(x, 2, 3)))
one("split_dim", t(6, 4), others=(t(9, 4),), call=lambda x: prims.split_dim(x, 0, 3))
one("squeeze", t(2, 1, 4, 1), others=(t(3, 1, 5, 1),), call=lambda x: (prims.squeeze(x, [1]), prims.squeeze(x, [1, 3])))
one("transpose", t(2, 3, 4), others=(t(3, 4, 5),), call=lambda x: (prims.transpose(x, [2, 0, 1]), prims.transpose(x, [0, 2, 1])))
one("reshape", t(2, 3, 4), others=(t(3, 4, 5),), call=lambda x: prims.reshape(x, [x.shape[0], x.shape[1] * x.shape[2]]))
one("rev", t(2, 3, 4), others=(t(3, 4, 5),), call=lambda x: (prims.rev(x, [0]), prims.rev(x, [1, 2])))
one("cat", t(2, 3), t(4, 3), others=(t(3, 5), t(6, 5)), call=lambda x, y: prims.cat([x, y], 0))
one("as_strided_scatter", t(3, 4), t(2, 2), call=lambda x, y: prims.as_strided_scatter(x, y, [2, 2], [4, 1], 1))
one("view_of_dtype", t(3, 4), call=lambda x: prims.view_of_dtype(x, torch.int32))
one("copy_strided", t(3, 4), call=lambda x: (prims.copy_strided(x, [1, 3]), prims.device_put(x, CPU)))
one("view that is written to", t(2, 3, 4), call=lambda x: written(x.clone()))
one("full", t(2, 3), others=(t(4, 5),), call=lambda x: (
    prims.full([x.shape[0], 2], 1.5, dtype=torch.float32, device=CPU, requires_grad=False) + x[:, :2], prims.fill(x, 7.0),
    prims.full_like(x, 3, dtype=torch.int64, device=CPU, requires_grad=False),
    prims.iota(x.shape[1], start=3, step=2, dtype=torch.int64, device=CPU, requires_grad=False) + x))
one("scalar_tensor", t(2, 3), call=lambda x: x * prims.scalar_tensor(2.5, dtype=torch.float32, device=CPU))
one("empty", t(2, 3), call=lambda x: (
    prims.fill(prims.empty([2, 3], dtype=torch.float32, device=CPU, requires_grad=False), 1.0) + x,
    prims.fill(prims.empty_strided([2, 3], [3, 1], dtype=torch.float32, device=CPU, requires_grad=False), 2.0) + x,
    prims.fill(prims.empty_permuted([2, 3], [1, 0], dtype=torch.float32, device=CPU, requires_grad=False), 2.0) + x))
one("svd", t(4, 3), tolerance=(1e-4, 1e-4), call=lambda x: product(*prims.svd(x, full_matrices=False)))
one("fft", t(3, 8), tolerance=(1e-4, 1e-4), call=lambda x: (
    prims.fft_r2c(x, dim=[1], onesided=True), prims.fft_c2r(prims.fft_r2c(x, dim=[1], onesided=True), dim=[1], last_dim_size=8),
    prims.fft_c2c(prims.fft_r2c(x, dim=[0, 1], onesided=False), dim=[0], forward=False)))
one("prepare_softmax_online", t(3, 5), others=(t(4, 7),), call=lambda x: prims.prepare_softmax_online(x, 1))
one("inductor_force_stride_order", t(3, 4), call=lambda x: prims.inductor_force_stride_order(x, [1, 3]))
# Eager writes twice, which shows where it accumulates: a defect of PyTorch.
one("_unsafe_index_put_", t(5, 3), t(2, 3), call=lambda x, y: prims._unsafe_index_put_(x.clone(), [torch.tensor([3, 1])], y))
one("inductor_cvt_e8m0_rceil", t(3, 4), call=prims.inductor_cvt_e8m0_rceil)
for label, pool in {"2d": ([3, 3], [2, 2], [1, 1], [1, 1], False), "2d, ceil": ([3, 2], [2, 3], [1, 0], [2, 1], True)}.items():
    one("_low_memory_max_pool_with_offsets", t(2, 3, 9, 8), others=(t(3, 2, 13, 11),), label=f"{label}: ", call=lambda x, p=pool: (
        *(both := prims._low_memory_max_pool_with_offsets(x, *p)),
        prims._low_memory_max_pool_offsets_to_indices(both[1], p[0], x.shape[2:], *p[1:4])))
one("_low_memory_max_pool_with_offsets", t(2, 2, 5, 6, 7), label="3d: ", call=lambda x: (
    *(both := prims._low_memory_max_pool_with_offsets(x, [2, 3, 2], [2, 1, 2], [1, 1, 0], [1, 1, 2], False)),
    prims._low_memory_max_pool_offsets_to_indices(both[1], [2, 3, 2], x.shape[2:], [2, 1, 2], [1, 1, 0], [1, 1, 2])))


def written(x: torch.Tensor):
    prims.collapse_view(x, 1, 2)[0].mul_(2)
    prims.transpose(x, [1, 0, 2])[2].add_(1)
    prims.copy_to(prims.squeeze(x[:, :1], [1]), x[:, 1] * 3)
    return x


def product(u: torch.Tensor, s: torch.Tensor, v: torch.Tensor):
    return (u * s) @ v, s


def between(low: float, high: float):
    def check(*results: torch.Tensor) -> None:
        for x in results:
            assert low <= x.min() and x.max() <= high, (x.min(), x.max())
    return check


FAMILY.add("normal", lambda x: x + prims.normal([100], mean=2.0, std=0.5, dtype=torch.float32, device=CPU, requires_grad=False),
           torch.zeros(100), check=between(-1, 5))
FAMILY.add("uniform", lambda x: x + prims.uniform([100], low=2.0, high=3.0, dtype=torch.float32, device=CPU, stride=[1]),
           torch.zeros(100), check=between(2, 3))
FAMILY.add("inductor's numbers", lambda x: (
    x + prims.inductor_random([100], prims.inductor_lookup_seed(prims.inductor_seeds(2, CPU), 1), "rand"),
    prims.inductor_random([100], prims.inductor_seed(CPU), "randn") + x,
    prims.inductor_randint(2, 200, [100], prims.inductor_seed(CPU)) + x), torch.zeros(100), check=between(-7, 200))
