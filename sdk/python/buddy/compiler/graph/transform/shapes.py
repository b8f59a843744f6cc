# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transposes, reshapes and pools that say less than they could."""

from __future__ import annotations

from typing import Any

from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.operation import Op
from buddy.compiler.graph.transform.match import Nodes

_PERMUTE, _VIEW = "aten.permute.default", "aten.view.default"


def _order(op: Op, rank: int) -> list[int]:
    return [dim % rank for dim in op.kwargs["dims"]]


def maxpool2d_simplify(graph: Graph) -> None:
    """max_pool2d_with_indices whose indices nobody uses is max_pool2d."""
    nodes = Nodes(graph)
    for op in list(graph.walk()):
        if op.target != "aten.max_pool2d_with_indices.default" or nodes.users(f"{op.name}.1"):
            continue
        shape, dtype = op.tensor_meta["shape"][0], op.tensor_meta["dtype"][0]
        new = nodes.insert(op, "aten.max_pool2d.default", dict(op.kwargs), shape, dtype)
        nodes.replace(f"{op.name}.0", new.name)
        nodes.sweep([op])


def eliminate_transpose(graph: Graph) -> None:
    """A transpose of a transpose is one, and one that changes nothing is none."""
    nodes = Nodes(graph)
    for op in list(graph.walk()):
        if op.target != _PERMUTE:
            continue
        rank = len(op.tensor_meta["shape"])
        inner = nodes.maker(op.kwargs["self"], _PERMUTE)
        if inner is not None:
            first = _order(inner, rank)
            op.kwargs.update({"self": inner.kwargs["self"], "dims": [first[dim] for dim in _order(op, rank)]})
            op.args = []
            nodes.sweep([inner])
        if _order(op, rank) == list(range(rank)):
            nodes.replace(op.name, op.kwargs["self"])
            nodes.sweep([op])


def eliminate_matmul_transpose_reshape(graph: Graph) -> None:
    """A transpose that moves only dims of size 1 is a view; a view of a view is one, and one that changes nothing is none."""
    nodes = Nodes(graph)
    for op in list(graph.walk()):
        if op.target == _PERMUTE and _moves_ones_only(op, nodes):
            shape = op.tensor_meta["shape"]
            arguments = {"self": op.kwargs["self"], "size": list(shape)}
            op = _swap(nodes, op, _VIEW, arguments)
        if op.target == _VIEW:
            inner = nodes.maker(op.kwargs["self"], _VIEW)
            if inner is not None:
                op.kwargs["self"], op.args = inner.kwargs["self"], []
                nodes.sweep([inner])
            if nodes.shape(op.kwargs["self"]) == list(op.tensor_meta["shape"]):
                nodes.replace(op.name, op.kwargs["self"])
                nodes.sweep([op])


def _moves_ones_only(op: Op, nodes: Nodes) -> bool:
    shape = nodes.shape(op.kwargs["self"])
    if not shape:
        return False
    kept = [dim for dim in _order(op, len(shape)) if shape[dim] != 1]
    return kept == sorted(kept)


def _swap(nodes: Nodes, op: Op, target: str, arguments: dict[str, Any]) -> Op:
    new = nodes.insert(op, target, arguments, op.tensor_meta["shape"], op.tensor_meta["dtype"])
    nodes.replace(op.name, new.name)
    nodes.sweep([op])
    return new


def apply_classic_fusion(graph: Graph) -> None:
    """A product with a transposed matrix is one op, ``linear``, which reads the matrix as it lies."""
    nodes = Nodes(graph)
    for op in list(graph.walk()):
        if op.target not in ("aten.mm.default", "aten.addmm.default"):
            continue
        transpose = nodes.maker(op.kwargs["mat2"], _PERMUTE)
        if transpose is None or _order(transpose, 2) != [1, 0]:
            continue
        arguments = {"weight": transpose.kwargs["self"]}
        if op.target == "aten.mm.default":
            arguments["input"] = op.kwargs["self"]
        elif op.kwargs["beta"] == 1 and op.kwargs["alpha"] == 1 and len(nodes.shape(op.kwargs["self"])) == 1:
            arguments |= {"input": op.kwargs["mat1"], "bias": op.kwargs["self"]}
        else:
            continue
        _swap(nodes, op, "aten.linear.default", arguments)
        nodes.sweep([transpose])
