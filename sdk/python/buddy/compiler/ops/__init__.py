# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The registries, one module each: ``tosa``, ``linalg``, ``math``, ``func``; every one has an ``ops_registry``."""

from buddy.compiler.ops import func, linalg, math, tosa

__all__ = ["func", "linalg", "math", "tosa"]
