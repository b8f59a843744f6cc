# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From what a compiled program gives to what the caller of its graph expects."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import torch

_TOKEN = torch.empty(0)


def with_tokens(arguments: Sequence[Any]) -> list[Any]:
    """AOTAutograd's arguments as a program takes them: a token, by which effects keep their order, is None there."""
    return [_TOKEN if value is None else value for value in arguments]


class Results:
    """The results of one graph.

    A result that is an input, or a view of one or of another result, is not computed: it is made anew, of that very tensor.
    AOTAutograd reads off it where it lies in the other's memory, so a tensor of the same numbers would not do.
    """

    def __init__(self, module: torch.fx.GraphModule) -> None:
        self.placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
        self.results: list[Any] = list(module.graph.output_node().args[0])  # type: ignore[arg-type]
        tensors = {node for node in self.results if isinstance(node, torch.fx.Node) and not _is_number(node)}
        known = {*self.placeholders, *(node for node in tensors if not _is_view_op(node))}
        self.views = {node for node in tensors if node not in known and _is_made_of(node, known)}
        self.views |= set(self.results).intersection(self.placeholders)

    def computed(self) -> list[Any]:
        """What the program has to compute: the results, with None for views."""
        return [None if isinstance(node, torch.fx.Node) and node in self.views else node for node in self.results]

    def read(self, inputs: Sequence[Any], outputs: Sequence[Any]) -> list[Any]:
        """The results, from the graph's inputs and the program's outputs."""
        if not self.views:
            return [_read(node, output) for node, output in zip(self.results, outputs)]
        known = dict(zip(self.placeholders, inputs))
        for node, output in zip(self.results, outputs):
            if isinstance(node, torch.fx.Node) and node not in self.views:
                known[node] = _read(node, output)
        return [_value(node, known) for node in self.results]


def _is_number(node: torch.fx.Node) -> bool:
    return isinstance(node.meta.get("val"), (torch.SymInt, torch.SymFloat, torch.SymBool, int, float, bool))


def _read(node: Any, output: Any) -> Any:
    """A tensor stays, a number is taken out of its tensor, a constant is itself."""
    if not isinstance(node, torch.fx.Node):
        return node
    return output.item() if _is_number(node) and isinstance(output, torch.Tensor) else output


def _is_view_op(node: torch.fx.Node) -> bool:
    if node.op != "call_function":
        return False
    if node.target is operator.getitem:
        return isinstance(node.args[0], torch.fx.Node) and _is_view_op(node.args[0])
    return isinstance(node.target, torch._ops.OpOverload) and node.target.is_view


def _is_made_of(node: torch.fx.Node, known: set[torch.fx.Node]) -> bool:
    """Whether views and arithmetic on sizes alone lead from what is known to the node."""
    if node in known:
        return True
    if not _is_view_op(node) and not (_is_number(node) and node.op == "call_function"):
        return False
    return all(_is_made_of(used, known) for used in node.all_input_nodes)


def _value(node: Any, known: dict[torch.fx.Node, Any]) -> Any:
    if not isinstance(node, torch.fx.Node):
        return node
    if node not in known:
        arguments, options = torch.fx.node.map_arg((node.args, node.kwargs), lambda used: _value(used, known))
        known[node] = node.target(*arguments, **options)  # type: ignore[operator]
    return known[node]
