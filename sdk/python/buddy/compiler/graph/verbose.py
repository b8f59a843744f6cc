# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ``verbose`` tells: tables of what PyTorch gives, and, for each node of a graph that is lowered, its MLIR."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from buddy.compiler.graph.operation import Op, PlaceholderOp
from buddy.errors import BuddyError

if TYPE_CHECKING:
    from buddy.compiler.graph.graph import Graph

_HEADINGS = ("opcode", "name", "target", "args", "kwargs")


@dataclass(frozen=True)
class Verbose:
    """Where it goes: a file, to which it is added, or standard output."""

    path: str | None = None

    def write(self, text: str) -> None:
        """Lines of text."""
        if self.path is None:
            sys.stdout.write(text + "\n")
            return
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(text + "\n")

    def table(self, module: torch.fx.GraphModule) -> None:
        """The nodes that PyTorch gives; the targets of ops are the keys of ``_ops_map``."""
        rows = [(node.op, node.name, _target(node.target), str(node.args), str(node.kwargs)) for node in module.graph.nodes]
        table = [_HEADINGS, *rows]
        widths = [max(len(row[i]) for row in table) for i in range(len(_HEADINGS))]
        rule = tuple("-" * width for width in widths)
        self.write("\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip()
                             for row in (_HEADINGS, rule, *rows)))  # fmt: skip

    def __call__(self, graph: Graph) -> None:
        """The nodes of a graph that was lowered, each with what it becomes alone."""
        for op in graph.body:
            if not isinstance(op, PlaceholderOp):
                self.write(_block(op, _ops_of(graph, op)))


def _target(target: Any) -> str:
    return str(target).removeprefix("aten.").removeprefix("prims.") if not callable(target) or hasattr(target, "_schema") \
        else getattr(target, "__name__", str(target))  # fmt: skip


def _block(op: Op, ops: str) -> str:
    key = op.target.removeprefix("aten.")
    lines = [f"{'=' * 20}Graph Node{'=' * 20}", f"Node: {op.name}", f"Key: {key} ({type(op).__name__})", f"Type: {op._op_type}",
             f"Arguments: {op.args}", f"Parents: {op._parents}", f"Children: {op._children}",
             f"{'-' * 20}MLIR OPS{'-' * 20}"]  # fmt: skip
    return "\n".join([*lines, ops] if ops else lines)


def _ops_of(graph: Graph, op: Op) -> str:
    """The ops of a node, which is lowered alone."""
    lines = _generic(lambda: _alone(graph, op))
    inside = [line.strip() for line in lines if not line.lstrip().startswith(("^bb", '"func.return"', '"builtin.module"',
                                                                             '"func.func"', "})", "}"))]  # fmt: skip
    return "\n".join(inside)


def _alone(graph: Graph, op: Op) -> str:
    meta = op.tensor_meta.get("dtype")
    results = [f"{op.name}.{i}" for i in range(len(meta))] if isinstance(meta, list) else [op.name]
    return graph._native.extract({op.name}, results).lower("node", "args").print("generic", False)


def _generic(make: Callable[[], str]) -> list[str]:
    try:
        return make().splitlines()
    except (BuddyError, ValueError):
        return []  # control flow is a function of its own; the output is no op
