"""Graphs of imported programs, and modules that they are lowered to."""

from buddy.compiler.graph.graph import Graph, MLIRModule
from buddy.compiler.graph.operation import Op, OpType

__all__ = ["Graph", "MLIRModule", "Op", "OpType"]
