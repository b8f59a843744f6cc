# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of matrices as calls of a library. Which library that is, the registry ``vendor`` says: the compiler has it first
with ``enable_external_calls``."""

from __future__ import annotations

from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.operation import CallExternalOp
from buddy.errors import UnsupportedError

_PRODUCTS = ("aten.mm.default", "aten.bmm.default", "aten.matmul.default")


def _call(graph: Graph, function: str) -> None:
    for op in list(graph.walk()):
        if op.target in _PRODUCTS and not isinstance(op, CallExternalOp):
            call = CallExternalOp(function, name=f"{op.name}_call")
            call.location = op.location
            graph.displace_node(op, call)


def replace_matmul_with_onednn(graph: Graph) -> None:
    """Products become CallExternalOp."""
    _call(graph, "onednn_matmul_f32")


def replace_matmul_with_buddy_runtime(graph: Graph) -> None:
    """Products become CallExternalOp."""
    _call(graph, "buddy_matmul_f32")


def pack_decode_matmul_weights(graph: Graph, vecsize: int = 32) -> None:
    """The original lays weights out for one of its kernels. Here the compiler lays them out, for the kernel that it chooses:
    there is nothing to change in a graph, and this is an error."""
    raise UnsupportedError("weights are laid out when a graph is compiled: see COMING_FROM_BUDDY_MLIR.md of the package", "UNSUPPORTED")
