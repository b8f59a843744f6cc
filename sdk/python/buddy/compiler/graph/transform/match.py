# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the transforms share: who makes a value, who uses it, and nodes in the place of others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch

from buddy.compiler import ops_map
from buddy.compiler.graph.body import names_in
from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.operation import Op, OutputOp


class Nodes:
    """The nodes of a graph while a transform works on them."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.table = graph.node_table

    def maker(self, value: Any, *targets: str) -> Op | None:
        """The op of one of those targets whose only result the value is."""
        op = self.table.get(value) if isinstance(value, str) else None
        return op if op is not None and op.target in targets else None

    def shape(self, value: Any) -> list[Any]:
        """The shape of a value that is the only result of its node."""
        op = self.table.get(value) if isinstance(value, str) else None
        shape = op.tensor_meta["shape"] if op is not None else []
        return list(shape)

    def users(self, value: str) -> list[Op]:
        """The nodes that use it, the output among them."""
        return [op for op in self.graph.body if value in names_in(_arguments(op))]

    def insert(self, before: Op, target: str, arguments: dict[str, Any], shape: Sequence[Any], dtype: torch.dtype) -> Op:
        """A new node before one."""
        op = ops_map.class_of(target)()
        op.target, op.kwargs, op.location = target, arguments, before.location
        op.name = self._free(target.split(".")[1])
        op.tensor_meta = {"shape": list(shape), "dtype": dtype}
        self.graph.body.insert(self.graph.body.index(before), op)
        self.table[op.name] = op
        return op

    def _free(self, name: str) -> str:
        i = 0
        while (free := f"{name}_fused{i or ''}") in self.table:
            i += 1
        return free

    def replace(self, value: str, by: str) -> None:
        """Users of one value use another."""
        self.graph.replace_uses(value, by)

    def sweep(self, candidates: Sequence[Op]) -> None:
        """Removes those of the ops that nothing uses any more, the last first."""
        places = {id(op): i for i, op in enumerate(self.graph.body)}
        for op in sorted(candidates, key=lambda op: -places.get(id(op), 0)):
            results = len(op.tensor_meta["shape"]) if isinstance(op.tensor_meta["dtype"], list) else 0
            names = [f"{op.name}.{i}" for i in range(results)] or [op.name]
            if id(op) in places and not any(self.users(name) for name in names):
                self.graph.delete_node(op)
                self.table.pop(op.name, None)


def _arguments(op: Op) -> list[Any]:
    return list(op.args) if isinstance(op, OutputOp) else [*op.args, *op.kwargs.values()]
