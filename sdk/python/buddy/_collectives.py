# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs with collectives of torch.distributed: PyTorch makes them, by the program's process group, in the order of the graph;
what lies between them is compiled."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx.passes.split_module import split_module

Boxed = Callable[[list[Any]], Any]


def _is_collective(node: torch.fx.Node) -> bool:
    if node.target is operator.getitem:  # of a coalesced one
        return isinstance(node.args[0], torch.fx.Node) and _is_collective(node.args[0])
    return isinstance(node.target, torch._ops.OpOverload) and node.target.namespace.startswith("_c10d_functional")


def has_collectives(module: torch.fx.GraphModule) -> bool:
    """Whether an op of it asks other ranks for their values."""
    return any(_is_collective(node) for node in module.graph.nodes)


class _Part(torch.nn.Module):
    def __init__(self, run: Boxed) -> None:
        super().__init__()
        self.run = run

    def forward(self, *inputs: Any) -> tuple[Any, ...]:
        return tuple(self.run(list(inputs)))


def compile_between(module: torch.fx.GraphModule, compiler: Callable[[torch.fx.GraphModule], Boxed]) -> torch.fx.GraphModule:
    """The graph, with `compiler`'s functions in place of the parts between collectives."""
    part_of: dict[torch.fx.Node, int] = {}
    part, was_collective = 0, False
    for node in module.graph.nodes:
        if node.op in ("placeholder", "output"):
            continue
        is_collective = _is_collective(node)
        part += is_collective != was_collective
        part_of[node], was_collective = part, is_collective
    split = split_module(module, None, part_of.__getitem__, keep_original_order=True, tuple_return=True)  # type: ignore[arg-type]
    for name, piece in list(split.named_children()):
        if isinstance(piece, torch.fx.GraphModule) and not has_collectives(piece):
            setattr(split, name, _Part(compiler(piece)))
    return split
