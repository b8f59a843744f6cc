# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who took which op, and why the others did not: as objects, as a table in the terminal, as a page in a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from buddy._page import frame
from buddy.compiler.graph.operation import Location


@dataclass(frozen=True)
class Try:
    """One row that was asked."""

    registry: str
    code: str  #: "OK": it took the node
    reason: str  #: why it did not


@dataclass(frozen=True)
class Decision:
    """What was decided for one node: the last try took it, unless nobody did."""

    op: str
    name: str
    types: str  #: "(f32[2,3]) -> f32[2,3]"
    location: Location
    is_taken: bool
    tries: tuple[Try, ...]
    expansion: tuple[Decision, ...]  #: of the nodes it was expanded to

    @classmethod
    def read(cls, data: tuple[Any, ...]) -> Decision:
        """From what the extension gives."""
        op, name, types, place, is_taken, tries, expansion = data
        return cls(op, name, types, Location(*place), is_taken, tuple(Try(*one) for one in tries),
                   tuple(cls.read(one) for one in expansion))  # fmt: skip

    @property
    def taken_by(self) -> str:
        """The registry that took it; "" if nobody did."""
        return self.tries[-1].registry if self.is_taken else ""

    def leaves(self) -> Iterator[Decision]:
        """The nodes that were lowered in the end: this one, or those it was expanded to."""
        if not self.expansion:
            yield self
        for one in self.expansion:
            yield from one.leaves()


_HEADINGS = ("COUNT", "OP", "TAKEN BY", "FIRST AT", "WHY NOT THE OTHERS")


class Explanation:
    """The decisions of one graph. ``str()`` is a table; notebooks show a page."""

    def __init__(self, decisions: list[Decision]) -> None:
        self.decisions = decisions

    def rows(self) -> list[tuple[str, str, str, str, str]]:
        """The table: ops with the same name, the same taker and the same reasons are one row."""
        groups: dict[tuple[Any, ...], list[Decision]] = {}
        for decision in self.decisions:
            others = [f"{one.registry}: {one.reason}" for one in decision.tries if one.code != "OK" and one.reason]
            taker = decision.taken_by or "NOBODY"
            groups.setdefault((decision.op, taker, "; ".join(others)), []).append(decision)
        return [(str(len(found)), op, taker, self._place(found[0].location), reasons)
                for (op, taker, reasons), found in groups.items()]  # fmt: skip

    @staticmethod
    def _place(location: Location) -> str:
        return f"{location.file.rpartition('/')[2]}:{location.line}" if location.file else location.module_path or ""

    def taken(self) -> Counter[str]:
        """How many nodes each registry lowers, expansions counted by what they expand to."""
        return Counter(leaf.taken_by or "nobody" for decision in self.decisions for leaf in decision.leaves())

    def _note(self) -> str:
        counts = ", ".join(f"{n} by {name}" for name, n in self.taken().most_common())
        return f"{len(self.decisions)} ops; with what they expand to: {counts or 'none'}"

    def __str__(self) -> str:
        table = [_HEADINGS, *self.rows()]
        widths = [max(len(row[i]) for row in table) for i in range(len(_HEADINGS) - 1)]
        lines = ["  ".join([*(cell.ljust(width) for cell, width in zip(row, widths)), row[-1]]).rstrip() for row in table]
        return "\n".join([*lines, "", self._note()])

    def _repr_html_(self) -> str:
        columns: list[dict[str, Any]] = [{"name": "node", "kind": "text", "narrow": True}, {"name": "op", "kind": "text"},
                                         {"name": "taken by", "kind": "choice", "narrow": True},
                                         {"name": "line", "kind": "text"}]  # fmt: skip
        rows = [[one.name, one.op, one.taken_by or "NOBODY", self._place(one.location), one.location.module_path or "", _told(one)]
                for one in self.decisions]  # fmt: skip
        return frame("nodes", self._note(), columns, rows)


def _told(decision: Decision) -> list[list[str]]:
    """What a click tells: types, the line, and the reasons of all that were asked, for what it expands to as well."""
    place = decision.location
    pairs = [["types", decision.types], ["where", f"{place.file}:{place.line}" if place.file else ""], ["code", place.code or ""]]
    pairs += [[f"why not {one.registry}", one.reason or one.code] for one in decision.tries if one.code != "OK"]
    for inner in decision.expansion:
        reasons = "; ".join(reason for key, reason in _told(inner) if key.startswith("why not"))
        pairs.append([f"expands to {inner.op}", (inner.taken_by or "NOBODY") + (f"; {reasons}" if reasons else "")])
    return [pair for pair in pairs if pair[1]]
