"""Whether the results of one sample are right."""

from __future__ import annotations

import torch

from entries import OpInfo, Sample, tolerance

# What these give is whatever the memory held: dtype and shape are all there is to compare.
UNINITIALISED = {"empty", "empty_like", "empty_permuted", "empty_strided", "new_empty", "new_empty_strided"}
STATISTICS = 6  # standard errors that two means of random numbers may lie apart


def differs(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.shape != b.shape or not torch.equal(torch.nan_to_num(a) if a.is_floating_point() else a,
                                                 torch.nan_to_num(b) if b.is_floating_point() else b)


def is_random(sample: Sample, wanted: list[torch.Tensor]) -> bool:
    """Whether the op draws numbers: eager moves the generator's state."""
    before = torch.get_rng_state()
    sample.call([tensor.clone() for tensor in sample.tensors])
    moved = not torch.equal(before, torch.get_rng_state())
    torch.set_rng_state(before)
    return moved


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


def compare(op: OpInfo, sample: Sample, got: list[torch.Tensor], wanted: list[torch.Tensor]) -> None:
    """Raises AssertionError on a difference: number of results, dtype, shape, contents."""
    if len(got) != len(wanted):
        raise AssertionError(f"{len(got)} results, not {len(wanted)}")
    random = None
    for i, (a, b) in enumerate(zip(got, wanted)):
        if a.dtype != b.dtype or a.shape != b.shape:
            raise AssertionError(f"result {i}: {a.dtype}{list(a.shape)}, not {b.dtype}{list(b.shape)}")
        if op.name in UNINITIALISED:
            continue
        rtol, atol = tolerance(op, b.dtype)
        try:
            torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)
        except AssertionError as error:
            if random is None:
                random = is_random(sample, wanted)
            if not random:
                raise AssertionError(f"result {i}: {error}") from None
            compare_statistics(a, b)
