# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the results of one sample are right."""

from __future__ import annotations

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from entries import OpInfo, Sample, as_tensor, tolerance

# What these give is whatever the memory held: dtype and shape are all there is to compare.
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
# Where elements are equal, any of their positions is right, and eager's differ by size and thread count. The place of the
# argument `dim` after the input.
POSITIONS = {"argsort": 0, "sort": 0, "kthvalue": 1, "topk": 1, "median": 0, "nanmedian": 0, "mode": 0}
TIMES = 4       # see is_as_exact
ROUNDING = 8    # in units of the last place of the largest number: what eager may be off for that to apply
SENSITIVE = 1e-3  # of the largest number: what rounding the inputs may change for that to be the measure
STATISTICS = 6  # standard errors that two means of random numbers may lie apart


class Draws(TorchDispatchMode):
    """Sees whether any op draws numbers."""

    found = False

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        self.found |= torch.Tag.nondeterministic_seeded in function.tags
        return function(*args, **(kwargs or {}))


def is_random(sample: Sample) -> bool:
    with Draws() as draws:
        sample.call([tensor.clone() for tensor in sample.tensors])
    return draws.found


def compare_statistics(got: torch.Tensor, wanted: torch.Tensor) -> None:
    """Of the same sizes: the means agree within chance, and the range is of the same magnitude."""
    if got.numel() < 2:
        return
    kind = torch.complex128 if got.is_complex() else torch.float64
    a, b = got.to(kind).flatten(), wanted.to(kind).flatten()
    if a.is_complex():
        a, b = torch.view_as_real(a).flatten(), torch.view_as_real(b).flatten()
    if not torch.isfinite(b).all():
        return
    if not torch.isfinite(a).all():
        raise AssertionError("random numbers that are not finite, where PyTorch's are")
    error = torch.sqrt((a.var() + b.var()) / a.numel()) + 1e-6 * b.abs().max()
    if (a.mean() - b.mean()).abs() > STATISTICS * error:
        raise AssertionError(f"random numbers of mean {a.mean():.4g}, not {b.mean():.4g} ± {error:.2g}")


def in_double(sample: Sample, shaken: bool = False) -> list[torch.Tensor] | None:
    """The results with all inputs in double precision, or with these off by half a unit of the last place that the
    sample's have; None if PyTorch does not take them."""
    wider = {torch.float16: torch.float64, torch.bfloat16: torch.float64, torch.float32: torch.float64,
             torch.complex64: torch.complex128}
    generator = torch.Generator().manual_seed(0)

    def widen(tensor: torch.Tensor) -> torch.Tensor:
        wide = tensor.to(wider.get(tensor.dtype, tensor.dtype))
        if not shaken or wide.dtype == tensor.dtype:
            return wide
        signs = torch.randint(0, 2, wide.shape, generator=generator) * 2 - 1
        return wide * (1 + signs * torch.finfo(tensor.dtype).eps / 2)
    try:
        return [as_tensor(value) for value in sample.call([widen(tensor) for tensor in sample.tensors])]
    except Exception:
        return None


def is_close(got: torch.Tensor, truth: torch.Tensor, rtol: float, atol: float) -> bool:
    """Whether the tolerance holds for the result in double precision: it is eager, then, that is off."""
    return got.shape == truth.shape and torch.allclose(got.to(truth.dtype), truth, rtol, atol, equal_nan=True)


def is_as_exact(got: torch.Tensor, wanted: torch.Tensor, truth: torch.Tensor) -> bool:
    """Whether a result is, anywhere, at most some times as far from the truth as eager's own rounding takes eager.

    OpInfo's tolerances are below that where sums of large numbers cancel. Where eager's own error is more than rounding,
    nothing is allowed.
    """
    if not (truth.is_floating_point() or truth.is_complex()) or truth.shape != got.shape or not truth.numel():
        return False
    finite = torch.isfinite(truth)
    if not torch.equal(torch.isfinite(got), finite) or not torch.equal(torch.isfinite(wanted), finite):
        return False
    if not torch.equal(got[~finite].isnan(), wanted[~finite].isnan()) or not finite.any():
        return False
    eps = torch.finfo(got.dtype).eps
    got, wanted, truth = (tensor[finite].to(truth.dtype) for tensor in (got, wanted, truth))
    error = (wanted - truth).abs().max()
    if error > ROUNDING * eps * truth.abs().max():
        return False
    return bool((got - truth).abs().max() <= TIMES * error)


def is_as_sensitive(sample: Sample, got: torch.Tensor, truth: torch.Tensor, i: int) -> bool:
    """Whether a result is at most some times as far from the truth as rounding the inputs takes it. That is much where
    an op magnifies differences (softmax of large numbers); where it is more than a thousandth, it is no measure."""
    shaken = in_double(sample, shaken=True)
    if not shaken or not truth.is_floating_point() or truth.shape != got.shape or not truth.numel():
        return False
    change, scale = (shaken[i] - truth).abs().max(), truth.abs().max()
    return bool(change <= SENSITIVE * scale and (got.to(truth.dtype) - truth).abs().max() <= TIMES * change)


def names_equal_elements(op: OpInfo, sample: Sample, got: torch.Tensor, wanted: torch.Tensor) -> bool:
    """Whether positions along a dim, each but once, are of the same elements as eager's."""
    first, args, kwargs = sample.arguments(sample.tensors)
    place = POSITIONS.get(op.name)
    if place is None or got.dtype != torch.int64 or not got.numel():
        return False
    dim = kwargs.get("dim", args[place] if len(args) > place else -1)
    if isinstance(dim, bool) or kwargs.get("stable") or not first.dim():
        return False
    kept = got.dim() == first.dim()
    at, right = (got, wanted) if kept else (got.unsqueeze(dim), wanted.unsqueeze(dim))
    if at.min() < 0 or at.max() >= first.shape[dim]:
        return False
    ordered = at.sort(dim).values
    if (ordered.diff(dim=dim) == 0).any():
        return False
    return torch.equal(torch.nan_to_num(first.gather(dim, at)), torch.nan_to_num(first.gather(dim, right)))


def determined(sample: Sample, results: list[torch.Tensor]) -> list[torch.Tensor] | None:
    """The results as OpInfo compares them where more than one is right: eigenvectors without their signs. None where
    that leaves out, or reshapes, anything."""
    if len(results) < 2:
        return None
    try:
        found = sample.process(tuple(results))
    except Exception:
        return None
    if not isinstance(found, tuple) or [x.shape for x in found] != [x.shape for x in results]:
        return None
    return None if all(a is b for a, b in zip(found, results)) else list(found)


def is_determined_alike(sample: Sample, got: list[torch.Tensor], wanted: list[torch.Tensor], i: int, rtol: float,
                        atol: float) -> bool:
    a, b = determined(sample, got), determined(sample, wanted)
    return bool(a and b) and a[i] is not got[i] and torch.allclose(a[i], b[i], rtol, atol, equal_nan=True)


def is_decomposition(op: OpInfo, sample: Sample, got: list[torch.Tensor], rtol: float, atol: float) -> bool:
    """Whether singular vectors, of any signs, are orthonormal and give the matrix again; the values are compared as ever."""
    if op.name not in ("svd", "linalg.svd") or len(got) != 3:
        return False
    matrix = sample.arguments(sample.tensors)[0]
    u, s, right = got[0], got[1], got[2] if op.name == "linalg.svd" else got[2].mH
    k = s.shape[-1]

    def is_one(product: torch.Tensor) -> bool:
        return torch.allclose(product, torch.eye(product.shape[-1], dtype=product.dtype).expand_as(product), rtol, 10 * atol)
    again = (u[..., :k] * s.unsqueeze(-2)) @ right[..., :k, :]
    scale = float(matrix.abs().max()) if matrix.numel() else 0.0
    return is_one(u.mH @ u) and is_one(right @ right.mH) and torch.allclose(again, matrix, rtol, 10 * atol * max(scale, 1.0))


def compare(op: OpInfo, sample: Sample, got: list[torch.Tensor], wanted: list[torch.Tensor]) -> str:
    """Raises AssertionError on a difference: number of results, dtype, shape, contents. What there is to remark."""
    if len(got) != len(wanted):
        raise AssertionError(f"{len(got)} results, not {len(wanted)}")
    random = truths = None
    remark = ""
    for i, (a, b) in enumerate(zip(got, wanted)):
        if a.dtype != b.dtype or a.shape != b.shape:
            raise AssertionError(f"result {i}: {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}")
        if op.name in UNINITIALISED:
            continue
        rtol, atol = tolerance(op, b.dtype)
        try:
            torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)
        except AssertionError as error:
            if names_equal_elements(op, sample, a, b):
                continue
            if i != 1 and is_decomposition(op, sample, got, rtol, atol):
                remark = "singular vectors of other signs"
                continue
            if is_determined_alike(sample, got, wanted, i, rtol, atol):
                remark = "compared as OpInfo does where more than one result is right"
                continue
            if random is None:
                random = is_random(sample)
            if random:
                compare_statistics(a, b)
                remark = "random: compared by statistics"
                continue
            truths = in_double(sample) if truths is None else truths
            if not truths:
                raise AssertionError(f"result {i}: {error}") from None
            if is_close(a, truths[i], rtol, atol) or is_as_exact(a, b, truths[i]):
                remark = "beyond the tolerance, but not beyond eager's own rounding"
            elif is_as_sensitive(sample, a, truths[i], i):
                remark = "beyond the tolerance, but not beyond what rounding the inputs changes"
            else:
                raise AssertionError(f"result {i}: {error}") from None
    return remark
