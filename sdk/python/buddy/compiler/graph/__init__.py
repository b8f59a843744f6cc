# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of imported programs, modules that they are lowered to, and functions that they are split into."""

from buddy.compiler.graph.driver import GraphDriver
from buddy.compiler.graph.graph import Graph, MLIRModule
from buddy.compiler.graph.operation import Op, OpType
from buddy.compiler.graph.type import DeviceType, TensorDType, TensorMeta

__all__ = ["DeviceType", "Graph", "GraphDriver", "MLIRModule", "Op", "OpType", "TensorDType", "TensorMeta"]
