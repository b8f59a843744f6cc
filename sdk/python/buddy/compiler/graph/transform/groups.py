# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Groups of ops, which ``GraphDriver`` makes functions of."""

from __future__ import annotations

from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.type import DeviceType


def simply_fuse(graph: Graph) -> None:
    """All ops in one group, "subgraph0"."""
    graph.op_groups = {"subgraph0": list(graph.walk())}
    graph.group_map_device = {"subgraph0": DeviceType.CPU}
