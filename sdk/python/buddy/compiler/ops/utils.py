"""Helpers for lowerings written in Python."""

from buddy.compiler.ir import element_type as mlir_element_type_get

__all__ = ["mlir_element_type_get"]
