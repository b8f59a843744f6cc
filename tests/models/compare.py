# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares an array with the expected one.

    python tests/models/compare.py EXPECTED.npy ACTUAL.npy [--tolerance T] [--dtype bfloat16]

Dtype and shape have to be equal, integers and booleans exactly so, NaNs and infinities in the same places. Other
floating point values may differ by at most the tolerance times the largest expected magnitude: an error counts against
the whole array, since a sum of large terms that happens to be near zero is no more exact than its neighbours.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# Largest error, as a fraction of the largest expected magnitude. f32 leaves room for another order of summation in
# models of a dozen layers; the 16-bit types for rounding after every op, where PyTorch itself may round less often.
TOLERANCES = {"float64": 1e-9, "float32": 1e-4, "float16": 4e-3, "bfloat16": 2e-2}


@dataclass(frozen=True)
class Comparison:
    """`error` is relative to the largest expected magnitude; `problem` is empty where the arrays agree."""

    problem: str = ""
    error: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.problem


def tolerance_for(dtype: str, override: float | None = None) -> float:
    """The tolerance for a dtype by its name; zero for integers and booleans, whatever the override."""
    if dtype not in TOLERANCES:
        return 0.0
    return TOLERANCES[dtype] if override is None else override


def widen(array: np.ndarray, dtype: str) -> np.ndarray:
    """Values in f64; bf16 comes as its bit pattern in uint16."""
    if dtype == "bfloat16":
        return (array.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return array.astype(np.float64)


def compare(
    expected: np.ndarray, actual: np.ndarray, *, dtype: str | None = None, tolerance: float | None = None
) -> Comparison:
    """Compares two arrays; `dtype` names what the array's own dtype cannot say (bfloat16)."""
    if actual.dtype != expected.dtype:
        return Comparison(f"dtype is {actual.dtype}, expected {expected.dtype}")
    if actual.shape != expected.shape:
        return Comparison(f"shape is {actual.shape}, expected {expected.shape}")
    name = dtype or expected.dtype.name
    if expected.size == 0:
        return Comparison()
    if name not in TOLERANCES:
        return _compare_exactly(expected, actual)
    return _compare_floats(widen(expected, name), widen(actual, name), tolerance_for(name, tolerance))


def _compare_exactly(expected: np.ndarray, actual: np.ndarray) -> Comparison:
    different = expected != actual
    if not different.any():
        return Comparison()
    return Comparison(f"{_count(different)} differ, {_first(different, expected, actual)}", float("inf"))


def _compare_floats(expected: np.ndarray, actual: np.ndarray, tolerance: float) -> Comparison:
    finite = np.isfinite(expected)
    same_special = (expected == actual) | (np.isnan(expected) & np.isnan(actual))
    misplaced = np.where(finite, ~np.isfinite(actual), ~same_special)
    if misplaced.any():
        what = f"{_count(misplaced)} are NaN or infinite in one only, {_first(misplaced, expected, actual)}"
        return Comparison(what, float("inf"))
    difference = np.where(finite, np.abs(np.where(finite, actual, 0) - np.where(finite, expected, 0)), 0)
    scale = float(np.abs(expected[finite]).max(initial=0.0))
    worst = float(difference.max())
    if worst <= tolerance * scale:
        return Comparison(error=worst / scale if scale else 0.0)
    error = worst / scale if scale else float("inf")
    wrong = difference > tolerance * scale
    what = f"error {error:.3g} above {tolerance:g}: {_count(wrong)} differ, {_first(wrong, expected, actual)}"
    return Comparison(what, error)


def _count(mask: np.ndarray) -> str:
    return f"{int(mask.sum())} of {mask.size} values"


def _first(mask: np.ndarray, expected: np.ndarray, actual: np.ndarray) -> str:
    index = tuple(int(i) for i in np.unravel_index(int(np.argmax(mask)), mask.shape))
    return f"first at {list(index)}: {actual[index]} instead of {expected[index]}"


def main() -> int:
    parser = argparse.ArgumentParser(description="Compares an array with the expected one.")
    parser.add_argument("expected", type=Path)
    parser.add_argument("actual", type=Path)
    parser.add_argument("--tolerance", type=float, help="default: by dtype, 1e-4 for f32")
    parser.add_argument("--dtype", help="bfloat16 if the arrays hold bit patterns of it")
    options = parser.parse_args()
    arrays = [np.load(path, allow_pickle=False) for path in (options.expected, options.actual)]
    result = compare(*arrays, dtype=options.dtype, tolerance=options.tolerance)
    print(result.problem or f"equal, error {result.error:.3g}")
    return 0 if result.ok else 1


if __name__ == "__main__":
    sys.exit(main())
