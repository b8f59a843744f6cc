# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's own numbers again, otherwise: with roundings elsewhere, or with more digits.

A mode sees every op that a program runs, those within cond, loops and scans included.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable

import mpmath
import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode, _disable_current_modes
from torch.utils._pytree import tree_leaves, tree_map

# Their results are sums, whose roundings follow from the order of their terms. PyTorch's tag for reductions has not all.
SUMS = set("""mm bmm addmm baddbmm addbmm mv addmv dot vdot addr addcmul addcdiv lerp convolution cumsum cumprod logcumsumexp trace _cdist_forward
_softmax _log_softmax _pdist_forward _trilinear _embedding_bag _embedding_bag_forward_only grid_sampler_2d grid_sampler_3d native_layer_norm
native_group_norm _native_batch_norm_legit _native_batch_norm_legit_no_training _batch_norm_no_update native_batch_norm _fft_r2c _fft_c2c
_fft_c2r avg_pool1d avg_pool2d avg_pool3d _adaptive_avg_pool2d _adaptive_avg_pool3d upsample_linear1d upsample_bilinear2d
upsample_trilinear3d upsample_bicubic2d _upsample_bilinear2d_aa _upsample_bicubic2d_aa
scatter_add scatter_reduce index_add index_reduce index_put put""".split())  # the last add to what lies there, in an order that is theirs
PRODUCTS = set("mm bmm addmm baddbmm".split())

# Functions that PyTorch gives to fewer digits than float64 has.
SPECIAL: dict[str, Callable] = {
    "polygamma": lambda n, x: mpmath.psi(n, x), "digamma": lambda x: mpmath.psi(0, x), "special_zeta": mpmath.zeta,
    "lgamma": lambda x: mpmath.log(abs(mpmath.gamma(x))), "special_erfcx": lambda x: mpmath.exp(x * x) * mpmath.erfc(x),
    "special_log_ndtr": lambda x: mpmath.log(mpmath.ncdf(x)), "i0": lambda x: mpmath.besseli(0, x),
    "special_i1": lambda x: mpmath.besseli(1, x), "special_bessel_j0": lambda x: mpmath.besselj(0, x),
    "special_bessel_j1": lambda x: mpmath.besselj(1, x), "special_bessel_y0": lambda x: mpmath.bessely(0, x),
    "special_bessel_y1": lambda x: mpmath.bessely(1, x), "special_airy_ai": mpmath.airyai}
MOST_DIGITS = 20
RUN = 64
DIFFERENCES = 2  # how cdist computes: not by products, which leave a distance of 1e-7 between equal rows
LARGE = 1e6  # what is beyond the whole numbers is quantized to any of them
# Other ways to the same numbers, where the one that PyTorch takes leaves something of equal or infinite ones.
ALTERNATIVES: dict[str, Callable] = {
    "_euclidean_dist": lambda func, x, y: distances(x, y, 2.0),
    "_cdist_forward": lambda func, x, y, p, mode: distances(x, y, p),
    "fake_quantize_per_channel_affine_cachemask": lambda func, x, *args: func(within(x, LARGE), *args),
    "fake_quantize_per_tensor_affine_cachemask": lambda func, x, *args: func(within(x, LARGE), *args),
    "_upsample_bilinear2d_aa": lambda func, *args, **kwargs: into_one_column(func, *args, **kwargs),
    "_upsample_bicubic2d_aa": lambda func, *args, **kwargs: into_one_column(func, *args, **kwargs),
    "var": lambda func, *args, **kwargs: spread_apart(func, *args, **kwargs),
    "std": lambda func, *args, **kwargs: spread_apart(func, *args, **kwargs),
    "var_mean": lambda func, x, dim=None, keepdim=False, **kwargs: mean_apart(func, x, dim, keepdim, **kwargs),
    "std_mean": lambda func, x, dim=None, keepdim=False, **kwargs: mean_apart(func, x, dim, keepdim, **kwargs),
    "_fft_c2c": lambda func, *args: transform(func, *args), "_fft_r2c": lambda func, *args: transform(func, *args),
    "_fft_c2r": lambda func, *args: transform(func, *args),
    **{name: (lambda func, *args, **kwargs: in_runs(func, args[:-2], *args[-2:], **kwargs)) for name in PRODUCTS},
    "_unique2": lambda func, *args, **kwargs: unique_in_any_order(func, *args, **kwargs),
    "_to_copy": lambda func, x, **kwargs: to_unsigned(func, x, **kwargs),
    "histc": lambda func, x, *args, **kwargs: func(x.float(), *args, **kwargs).to(x.dtype) if x.dtype.itemsize == 2 else func(x, *args, **kwargs)}
MOST_SPECIAL = 1 << 16  # elements; that many take 20 seconds, more of them minutes
FEW_SPECIAL = 1 << 10  # in each noisy run
MATRIX_ROUNDINGS = 4  # how far away is the matrix of which a factorisation is the exact one
SPECIAL_ROUNDINGS = 8  # what PyTorch's own special functions are off by in float32, at the most (erfcx: 4)


def name_of(func) -> str:
    return func._schema.name.split("::")[1].removeprefix("_foreach_")


def is_of_matrices(name: str) -> bool:
    """What solves, inverts or factors a matrix is right for one that is some roundings away from it, with any sign of a 0."""
    return name.lstrip("_").startswith("linalg_") or name in ("cholesky_solve", "cholesky_inverse", "triangular_solve", "lu_solve", "geqrf", "ormqr")


def into_one_column(func, x: torch.Tensor, size, align_corners: bool, scale_h: float | None = None, scale_w: float | None = None) -> torch.Tensor:
    """What PyTorch's second step reads of a single column is its first row; turned round it is a row."""
    if size[1] != 1:
        return func(x, size, align_corners, scale_h, scale_w)
    row = func(x, [x.shape[2], 1], align_corners, None, scale_w).mT.contiguous()
    return func(row, [1, size[0]], align_corners, None, scale_h).mT


def within(x: torch.Tensor, most: float) -> torch.Tensor:
    """By no more than the dtype has: an infinity stays one else."""
    most = min(most, torch.finfo(x.dtype).max)
    return x.clamp(-most, most)


def distances(x: torch.Tensor, y: torch.Tensor, p: float) -> torch.Tensor:
    wide = torch.float32 if x.itemsize == 2 else x.dtype  # it has no kernel for 16 bits
    return torch.ops.aten._cdist_forward(x.to(wide), y.to(wide), p, DIFFERENCES).to(x.dtype)


def in_runs(func, first: tuple, a: torch.Tensor, b: torch.Tensor, **kwargs) -> torch.Tensor:
    """A product whose sums are of short runs: those over many equal terms round the same way each time. Where there are few terms,
    of one each: a processor that does not add in the same breath rounds every term, and may leave all numbers at it."""
    if a.itemsize <= 2:
        return func(*first, a, b, **kwargs)  # whose own sums are of float32
    length = 1 if a.shape[-1] <= RUN else RUN
    result = func(*first, a[..., :length], b[..., :length, :], **kwargs)
    for at in range(length, a.shape[-1], length):
        result = result + kwargs.get("alpha", 1) * (a[..., at:at + length] @ b[..., at:at + length, :])
    return result


def mean_apart(func, x: torch.Tensor, dim, keepdim: bool, **kwargs):
    return func(x, dim, keepdim=keepdim, **kwargs)[0], x.mean(dim, keepdim)


def spread_apart(func, x: torch.Tensor, dim=None, correction=1, keepdim: bool = False) -> torch.Tensor:
    """Of the differences from the mean, which is known before them: PyTorch's running sums are off by a hundred roundings."""
    result, dims = func(x, dim, correction=correction, keepdim=keepdim), dim or list(range(x.dim()))
    if x.is_complex() or not result.isfinite().all():
        return result
    squares = (x - x.mean(dims, True)).square().sum(dims, keepdim)
    squares = squares / max(math.prod(x.shape[d] for d in dims) - (1 if correction is None else correction), 0)
    return squares.sqrt() if name_of(func) == "std" else squares


def is_float(value) -> bool:
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def is_inexact(value) -> bool:
    return is_float(value) or (isinstance(value, torch.Tensor) and value.is_complex())


def is_finite(value: torch.Tensor) -> bool:
    """Floats of 8 bits have no kernel for the question."""
    return bool((value.float() if is_float(value) and value.itemsize == 1 else value).isfinite().all())


def far(func, args, kwargs, result: torch.Tensor) -> torch.Tensor:
    """Of finite numbers, where some results are not finite, float64's, rounded: whether an infinity is left of a sum, or NaN, follows
    from the order of its terms, and whether a function leaves all numbers on its way from how it is computed."""
    if is_finite(result) or not all(is_finite(one) for one in tree_leaves((args, kwargs)) if is_float(one)):
        return result
    wide = func(*tree_map(lambda one: one.double() if is_float(one) else one, args), **kwargs).to(result.dtype)
    return torch.where(result.isfinite(), result, wide)


def without_cancelled(func, args, kwargs, result):
    """What is left of terms that cancel but for roundings is 0: of sums and differences, and of normed numbers that are all the same."""
    name, first = name_of(func), args[0]
    if not is_inexact(first) or first.numel() == 0 or "max" in name:
        return result
    if "norm" in name and isinstance(result, tuple) and len(result) >= 3 and is_float(result[2]) and result[2].numel():
        most = 8 * torch.finfo(torch.float32).eps * first.abs().max() * result[2].abs().max()
        return (torch.where(result[0].abs() <= most, 0, result[0]), *result[1:])
    if name not in SUMS | {"add", "sub", "rsub", "sum", "mean", "var_mean", "std_mean", "linalg_cross"}:
        return result
    terms = func(*tree_map(lambda one: one.abs() if is_inexact(one) else one, args), **kwargs)
    if name in ("sub", "rsub"):
        terms = first.abs() + torch.as_tensor(args[1]).abs()
    if name == "linalg_cross":
        terms = (first.abs().max() * args[1].abs().max()).expand_as(result)
    near = 8 * torch.finfo(first.dtype).eps
    return tree_map(lambda one, of: torch.where(one.abs() <= near * of.abs(), 0, one) if is_inexact(one) else one, result, terms)


def without_small_pivots(func, args, result):
    """The determinant of a matrix that is singular within its roundings is 0."""
    if name_of(func) not in ("_linalg_det", "_linalg_slogdet") or not args[0].isfinite().all():
        return result
    is_singular = torch.linalg.matrix_rank(args[0]) < args[0].shape[-1]
    gone = (0,) if name_of(func) == "_linalg_det" else (0, -torch.inf)
    return (*(one.masked_fill(is_singular, value) for one, value in zip(result, gone)), *result[len(gone):])


def unique_in_any_order(func, x: torch.Tensor, *args, **kwargs):
    """Each NaN is another one, and which of them comes first follows from how they are sorted."""
    values, inverse, counts = func(x, *args, **kwargs)
    odd = inverse[x.isnan()] if inverse.shape == x.shape else inverse[:0]
    if odd.numel():
        inverse = inverse.masked_scatter(x.isnan(), odd.roll(1))
    return values, inverse, counts


def to_unsigned(func, x: torch.Tensor, **kwargs):
    """What a float outside of an unsigned dtype of 32 or 64 bits becomes is nobody's: PyTorch's vectors and its rest differ."""
    result = func(x, **kwargs)
    signed = {torch.uint32: torch.int32, torch.uint64: torch.int64}.get(result.dtype)
    if signed is None or not (x.is_floating_point() or x.is_complex()):
        return result
    numbers = (x.real if x.is_complex() else x).double()
    return torch.where((numbers > -1) & (numbers < 2.0 ** torch.iinfo(result.dtype).bits), result.view(signed), 7).view(result.dtype)


def by_definition(x: torch.Tensor, dims: list[int], norm: int, forward: bool) -> torch.Tensor:
    """A Fourier transform as a product with a matrix: what 0 times an infinity leaves of one, and in which order infinities meet,
    is another thing in each algorithm. Not where all roots are 1, -1, i and -i."""
    x = x.to(torch.complex128)
    for dim in dims:
        n = x.shape[dim]
        if n in (1, 2, 4):
            x = torch.ops.aten._fft_c2c(x, [dim], norm, forward)
            continue
        k = torch.arange(n, dtype=torch.float64)
        angles = (k[:, None] * k % n) * ((-2 if forward else 2) * torch.pi / max(n, 1))
        x = (x.transpose(dim, -1) @ torch.polar(torch.ones(n, n, dtype=torch.float64), angles)).transpose(dim, -1) / (1, n**0.5, n)[norm]
    return x


def transform(func, x: torch.Tensor, dims: list[int], norm: int, last) -> torch.Tensor:
    """_fft_c2c, _fft_r2c and _fft_c2r; last: is it forward, is it one half, how long is the result."""
    result = func(x, dims, norm, last)
    if x.isfinite().all():
        return result
    if name_of(func) == "_fft_c2c":
        return by_definition(x, dims, norm, last).to(result.dtype)
    *others, dim = dims
    if name_of(func) == "_fft_r2c":
        return by_definition(x, dims, norm, True).narrow(dim, 0, result.shape[dim]).to(result.dtype)
    x = by_definition(x, others, norm, False)
    rest = x.narrow(dim, 1, last - x.shape[dim]).conj_physical().flip(dim)
    return by_definition(torch.cat([x, rest], dim), [dim], norm, False).real.to(result.dtype)


class RowByRow(TorchFunctionMode):
    """Causal attention asked for each query alone. What is hidden is not looked at: PyTorch's fused kernel leaves it out by blocks,
    its plain one multiplies it by 0, which leaves NaN of what is no number."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if func is not F.scaled_dot_product_attention or not kwargs.get("is_causal") or args[0].shape[-2] == 0:
            return func(*args, **kwargs)
        query, key, value = args
        kwargs = {**kwargs, "is_causal": False}
        rows = range(query.shape[-2])
        return torch.cat([func(query[..., i:i + 1, :], key[..., :i + 1, :], value[..., :i + 1, :], **kwargs) for i in rows], -2)


class Replay(TorchDispatchMode):
    supports_higher_order_operators = True

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if isinstance(func, torch._ops.HigherOrderOperator):
            return func(*tree_map(self.within, args), **tree_map(self.within, kwargs))
        if func._can_decompose():  # those within a branch come whole
            with self:
                return func.decompose(*args, **kwargs)
        return self.run(func, args, kwargs)

    def within(self, value):
        """The function of a branch or a loop, which this mode sees into as well."""
        if not callable(value) or isinstance(value, torch.Tensor):
            return value

        def call(*args):
            with self:
                return value(*args)
        return call


class Noise(Replay):
    """Changes every float that an op gives by a rounding or two, and those that it sums up, and the sign of a NaN: numbers
    that are sensitive to it cannot be asked for."""

    def __init__(self, seed: int):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)
        self.is_other, self.is_whole_exact = seed % 2 == 1, seed % 8 >= 6  # else a mask of x >= 1 is another one each time

    def run(self, func, args, kwargs):
        if any(argument.alias_info for argument in func._schema.arguments):
            args = self.apart(args) if self.is_other else args
            is_sum = name_of(func).removesuffix("_") in SUMS
            result = func(args[0], *tree_map(self.change, args[1:]), **kwargs) if is_sum else func(*args, **kwargs)
            is_computed = is_sum or torch.Tag.pointwise in func.tags
            return result.copy_(self.change(result)) if is_computed and isinstance(result, torch.Tensor) else result
        if name_of(func) == "mode":
            return self.mode_in_any_order(func, *args, **kwargs)
        if self.is_other and name_of(func) in ALTERNATIVES:
            return tree_map(self.change, ALTERNATIVES[name_of(func)](func, *args, **kwargs))
        if is_of_matrices(name_of(func)):
            args = tree_map(lambda one: self.change(one, MATRIX_ROUNDINGS), args)
        elif torch.Tag.reduction in func.tags or name_of(func) in SUMS:
            args = tree_map(self.change, args)
        result = func(*args, **kwargs)
        if self.is_other and is_float(result) and (torch.Tag.pointwise in func.tags or name_of(func) in PRODUCTS):
            result = far(func, args, kwargs, result)
        if self.is_other and isinstance(result, torch.Tensor) and result.numel() <= FEW_SPECIAL:
            result = to_last_digit(func, args, result)
        if self.is_whole_exact:
            result = without_small_pivots(func, args, without_cancelled(func, args, kwargs, result))
        if is_of_matrices(name_of(func)):
            result = tree_map(self.any_zero, result)
        return tree_map(self.change_far if name_of(func) in SPECIAL else self.change, result)

    def apart(self, args):
        """What lies in the memory of a first operand that is written may be read before it changes, or after."""
        first, *others = args
        if not isinstance(first, torch.Tensor):
            return args
        place = first.untyped_storage().data_ptr()
        return first, *tree_map(lambda one: one.clone() if isinstance(one, torch.Tensor) and one.untyped_storage().data_ptr() == place else one, others)

    def mode_in_any_order(self, func, value, dim=-1, keepdim=False):
        """Of numbers beside NaN PyTorch takes what its sorting happens to put first."""
        if value.dim() == 0:
            return func(value, dim, keepdim)
        if self.is_other:
            value, order = value.sort(dim, descending=True)
        else:
            order = torch.rand(value.shape, generator=self.generator).argsort(dim)
            value = value.gather(dim, order)
        most, at = func(value, dim, True)
        at = order.gather(dim, at)
        return (most, at) if keepdim else (most.squeeze(dim), at.squeeze(dim))

    def any_zero(self, value):
        if not is_float(value):
            return value
        sign = 2 * torch.randint(0, 2, value.shape, generator=self.generator) - 1
        return torch.where(value == 0, (sign * 0.0).to(value.dtype), value)

    def change_far(self, value):
        return self.change(value, SPECIAL_ROUNDINGS)

    def change(self, value, roundings=1):
        if not isinstance(value, torch.Tensor) or not (value.is_floating_point() or value.is_complex()) or value.itemsize == 1:
            return value  # of 8 bits: their roundings belong to the program
        sign, kind = torch.randint(-2 * roundings, 2 * roundings + 1, value.shape, generator=self.generator), torch.finfo(value.dtype)
        if self.is_whole_exact and not value.is_complex():
            sign = torch.where(value == value.round(), 0, sign)
        noisy = value + value * (sign * kind.eps * 0.5).to(value.real.dtype if value.is_complex() else value.dtype)
        noisy = torch.where(value.isfinite(), noisy, value)  # an infinity that is changed by one of its own would be no number
        if value.is_complex():
            return noisy
        is_subnormal = (value != 0) & (value.abs() < kind.smallest_normal)
        noisy = torch.where(is_subnormal, value + (sign.sign() * (kind.smallest_normal * kind.eps)).to(value.dtype), noisy)
        return any_nan(noisy.copysign(torch.where(value.isnan(), sign, value)), sign) if value.isnan().any() else noisy


def any_nan(value: torch.Tensor, sign: torch.Tensor) -> torch.Tensor:
    """Some of the NaN with all bits set."""
    bits = value.view({2: torch.int16, 4: torch.int32, 8: torch.int64}[value.itemsize])
    return torch.where(value.isnan() & (sign == 1), -1, bits).view(value.dtype)


@contextlib.contextmanager
def plain_kernels():
    """PyTorch's plain kernels in place of its fused ones and mkldnn's."""
    with sdpa_kernel(SDPBackend.MATH), torch.backends.mkldnn.flags(enabled=False):
        yield


@contextlib.contextmanager
def noise(seed: int):
    """Every second seed takes the plain kernels, every fourth one query at a time."""
    with plain_kernels() if seed % 2 else contextlib.nullcontext(), RowByRow() if seed % 4 == 2 else contextlib.nullcontext(), Noise(seed):
        yield


@contextlib.contextmanager
def digits(has_float64: bool):
    """float64 wherever no dtype is said; special functions to its last digit, where the program itself has float64."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        with Digits() if has_float64 else contextlib.nullcontext():
            yield
    finally:
        torch.set_default_dtype(before)


class Rounded(Replay):
    """Each op in float64, its results rounded once: as good a way as eager's, on which what cancels is 0."""

    def run(self, func, args, kwargs):
        result = func(*args, **kwargs)
        if any(argument.alias_info for argument in func._schema.arguments) or torch.Tag.nondeterministic_seeded in func.tags:
            return result
        try:
            exact = func(*tree_map(as_double, args), **tree_map(as_double, kwargs))
        except RuntimeError:
            return result
        return tree_map(lambda one, wide: wide.to(one.dtype) if is_float(one) else one, result, exact)


def as_double(value):
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


class Forgiving(Replay):
    """What fails gives numbers at random in place of an error, of the sizes that it would have had; no results: None."""

    def __init__(self, seed: int):
        super().__init__()
        self.generator = torch.Generator().manual_seed(seed)

    def run(self, func, args, kwargs):
        try:
            return func(*args, **kwargs)
        except (RuntimeError, IndexError):
            if not func._schema.returns:
                raise
        written = [arg for argument, arg in zip(func._schema.arguments, args) if argument.alias_info and argument.alias_info.is_write]
        if written:
            return [one.copy_(self.any_of(one)) for one in written][0]
        try:
            with _disable_current_modes():  # noise has nothing to say of sizes
                sizes = func(*tree_map(sizes_of, args), **tree_map(sizes_of, kwargs))
            return tree_map(self.any_of, sizes)
        except (RuntimeError, IndexError, NotImplementedError):
            return None if len(func._schema.returns) == 1 else (None,) * len(func._schema.returns)

    def any_of(self, value):
        if not isinstance(value, torch.Tensor):
            return value
        return torch.randint(0, 9, value.shape, generator=self.generator).to(value.dtype)


class Detour(Replay):
    """What has no kernel for floats of 8 bits, or for whole numbers without a sign, is computed in float32 and int64."""

    def run(self, func, args, kwargs):
        try:
            return func(*args, **kwargs)
        except NotImplementedError:
            short = next((one.dtype for one in tree_leaves((args, kwargs)) if wider(one)), None)
            if short is None or any(argument.alias_info for argument in func._schema.arguments):
                raise
        wide = torch.float32 if short.is_floating_point else torch.int64
        args, kwargs = tree_map(lambda one: one.to(wide) if wider(one) == wide else wide if one is short else one, (args, kwargs))
        return tree_map(lambda one: one.to(short) if isinstance(one, torch.Tensor) and one.dtype == wide else one, func(*args, **kwargs))


def wider(value) -> torch.dtype | None:
    """For dtypes that few kernels know: what holds their numbers, or their bits."""
    if not isinstance(value, torch.Tensor):
        return None
    if value.is_floating_point():
        return torch.float32 if value.itemsize == 1 else None
    return torch.int64 if value.dtype in (torch.uint16, torch.uint32, torch.uint64) else None


def sizes_of(value):
    return value.to("meta") if isinstance(value, torch.Tensor) else value


class Wide(Replay):
    """A program in float64, with what takes float32 alone."""

    def run(self, func, args, kwargs):
        if func.namespace == "quantized_decomposed":
            args, kwargs = tree_map(lambda one: one.float() if is_float(one) else one, (args, kwargs))
        return func(*args, **kwargs)


class Digits(Replay):
    def run(self, func, args, kwargs):
        if name_of(func) == "_euclidean_dist":
            return torch.ops.aten._cdist_forward(*args, 2.0, DIFFERENCES)
        return to_last_digit(func, args, func(*args, **kwargs))


def to_last_digit(func, args, result):
    """float64's special functions as mpmath has them; other results are as they were."""
    function = SPECIAL.get(name_of(func))
    if function is None or not isinstance(result, torch.Tensor) or result.dtype != torch.float64 or result.numel() > MOST_SPECIAL:
        return result
    operands = [arg.expand_as(result).flatten().tolist() if isinstance(arg, torch.Tensor) else [arg] * result.numel() for arg in args]
    precise = [last_digit(function, known, *numbers) for known, *numbers in zip(result.flatten().tolist(), *operands)]
    return torch.tensor(precise, dtype=torch.float64).reshape(result.shape)


def last_digit(function: Callable, known: float, *numbers: float) -> float:
    """The number that is known, to its last digit; at poles and beyond the range PyTorch's own."""
    with mpmath.workdps(MOST_DIGITS):
        try:
            found = float(function(*numbers))
        except (ValueError, ArithmeticError, TypeError):
            return known
    return found if abs(found - known) <= 1e-5 * abs(found) else known
