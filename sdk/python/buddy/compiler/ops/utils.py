# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers for lowerings written in Python."""

from __future__ import annotations

import torch

from buddy.compiler.ir import Attribute, FloatAttr, IntegerAttr
from buddy.compiler.ir import element_type as mlir_element_type_get

__all__ = ["mlir_element_attr_get", "mlir_element_type_get"]


def mlir_element_attr_get(dtype: torch.dtype, value: float | bool) -> Attribute:
    """A number as an attribute of the type that a dtype has in MLIR."""
    kind = mlir_element_type_get(dtype)
    return FloatAttr.get(kind, float(value)) if dtype.is_floating_point else IntegerAttr.get(kind, int(value))
