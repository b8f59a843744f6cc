# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the time of a graph goes: as objects, as a table in the terminal, as a page in a notebook."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from buddy._page import frame
from buddy.compiler.graph.explain import Decision

_HEADINGS = ("SHARE", "MS", "OP", "NODES", "KERNEL", "WHERE")


@dataclass(frozen=True)
class Step:
    """One kernel, which may do the work of several nodes."""

    nodes: tuple[str, ...]  #: of the graph; empty: it lies between them
    module: str  #: the path of the model's module: "layer1.0.conv1"
    where: str  #: "model.py:41"
    kernel: str
    seconds: float  #: the least of all runs
    n_bytes: int  #: that its arguments have; 0 where a size is known in the run alone
    op: str  #: of the first node
    registries: tuple[str, ...]  #: that took the nodes


class Profile:
    """The steps of one graph, in the order of the run. ``str()`` is a table; notebooks show a page."""

    def __init__(self, name: str, steps: list[tuple[str, str, str, str, float, int]], decisions: list[Decision], runs: int) -> None:
        known: dict[str, tuple[str, str]] = {}
        for decision in decisions:
            for name_of_node, taker in _takers(decision):
                known.setdefault(name_of_node, (decision.op, taker))
        self.name, self.runs = name, runs
        self.steps = [self._step(known, *step) for step in steps]

    @staticmethod
    def _step(known: dict[str, tuple[str, str]], nodes: str, module: str, where: str, kernel: str, seconds: float, n_bytes: int) -> Step:
        names = tuple(nodes.split("+")) if nodes else ()
        found = [known[name] for name in names if name in known]
        takers = tuple(dict.fromkeys(taker for _, taker in found if taker))
        return Step(names, module, where, kernel, seconds, n_bytes, found[0][0] if found else "", takers)

    @property
    def seconds(self) -> float:
        """The sum of all steps."""
        return sum(step.seconds for step in self.steps)

    def _note(self) -> str:
        return f"{len(self.steps)} steps, {1e3 * self.seconds:.3f} ms in the least of {self.runs} runs each"

    def __str__(self) -> str:
        rows = [(f"{100 * step.seconds / (self.seconds or 1):5.1f} %", f"{1e3 * step.seconds:8.3f}", step.op or "(between)",
                 "+".join(step.nodes), step.kernel, step.where)
                for step in sorted(self.steps, key=lambda step: -step.seconds)]  # fmt: skip
        widths = [max(len(row[i]) for row in [_HEADINGS, *rows]) for i in range(len(_HEADINGS))]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in [_HEADINGS, *rows]]
        return "\n".join([*lines, "", self._note()])

    def __repr__(self) -> str:
        return f"<profile of {self.name}: {self._note()}>"

    def _repr_html_(self) -> str:
        columns: list[dict[str, Any]] = [{"name": "nodes", "kind": "text", "narrow": True}, {"name": "op", "kind": "text"},
                                         {"name": "taken by", "kind": "choice"}, {"name": "line", "kind": "text"},
                                         {"name": "ms", "kind": "number", "fold": "sum", "heat": True, "narrow": True}]  # fmt: skip
        rows = [["+".join(step.nodes) or step.kernel, step.op or "(between)", "+".join(step.registries), step.where, 1e3 * step.seconds,
                 step.module, [["kernel", step.kernel], ["module", step.module], ["bytes", str(step.n_bytes)]]]
                for step in self.steps]  # fmt: skip
        return frame(f"profile of {self.name}", self._note(), columns, rows)


def _takers(decision: Decision) -> Iterator[tuple[str, str]]:
    """Names of a node and of what it was expanded to, with who took each; "" for what was only expanded."""
    yield decision.name, "" if decision.expansion else decision.taken_by
    for one in decision.expansion:
        yield from _takers(one)
