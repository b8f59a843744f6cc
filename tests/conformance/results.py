# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What came of the entries: kept in a file per entry, so that a later run redoes only what it has to; and summed up."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from cases import Entry, Outcome, Total

WORST_FIRST = ["crashed", "failed", "declined", "passed", "inexportable", "no eager", "no samples"]
UNJUDGED = {"inexportable", "no eager", "no samples"}  # entries of these are listed apart: there is nothing to lower


@dataclass
class Record:
    """An entry under one order and dialect."""

    entry: Entry
    order: str
    dialect: str
    stamp: str                     # of the libraries that it was run with
    total: int = 0                 # samples that OpInfo has
    tried: int = 0                 # samples that were to be tried
    counts: dict[str, int] = field(default_factory=dict)
    reasons: list[tuple[int, str, str]] = field(default_factory=list)  # sample, outcome, text; not of plain passes

    @property
    def verdict(self) -> str:
        """Of the entry as a whole: that of its worst sample; what cannot be exported does not count if others can."""
        return next((outcome for outcome in WORST_FIRST if self.counts.get(outcome)), "no samples")

    @property
    def reason(self) -> str:
        """Of the first sample of the verdict."""
        return next((text for _, outcome, text in self.reasons if outcome == self.verdict), "")

    def add(self, outcome: Outcome) -> None:
        self.counts[outcome.outcome] = self.counts.get(outcome.outcome, 0) + 1
        if outcome.text or outcome.outcome != "passed":
            number = outcome.step.samples[0] if outcome.step.samples else -1
            self.reasons.append((number, outcome.outcome, outcome.text))

    def row(self) -> dict:
        return {"op": self.entry.op, "dtype": self.entry.dtype, "mode": self.entry.mode, "order": self.order,
                "dialect": self.dialect, "verdict": self.verdict, "total": self.total, "tried": self.tried,
                "counts": self.counts, "reasons": self.reasons, "stamp": self.stamp}


def stamp_of(build: Path) -> str:
    """Of the libraries and plugins as they are built."""
    digest = hashlib.sha256()
    for path in sorted([*(build / "lib").glob("*.so"), *(build / "lib" / "buddy").rglob("*.so")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


class Store:
    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def path(self, entry: Entry, order: str, dialect: str) -> Path:
        return self.folder / f"{entry.name}-{dialect}-{order.replace(':', '+').replace('*', 'rest')}.json"

    def read(self, entry: Entry, order: str, dialect: str) -> Record | None:
        path = self.path(entry, order, dialect)
        if not path.exists():
            return None
        row = json.loads(path.read_text())
        return Record(entry, order, dialect, row["stamp"], row["total"], row["tried"], row["counts"],
                      [tuple(reason) for reason in row["reasons"]])

    def write(self, record: Record) -> None:
        path = self.path(record.entry, record.order, record.dialect)
        temporary = path.with_suffix(f".{os.getpid()}")
        temporary.write_text(json.dumps(record.row()))
        temporary.rename(path)


class Collector:
    """Turns the outcomes of running tasks into records."""

    def __init__(self, store: Store, stamp: str):
        self.store, self.stamp = store, stamp
        self.open: dict[tuple[Entry, str, str], Record] = {}
        self.totals: dict[Entry, Total] = {}

    def record(self, entry: Entry, order: str, dialect: str) -> Record:
        key = (entry, order, dialect)
        if key not in self.open:
            self.open[key] = Record(entry, order, dialect, self.stamp)
        return self.open[key]

    def finish(self, entry: Entry, orders: list[str], dialects: list[str]) -> list[Record]:
        total = self.totals.pop(entry, Total(0, 0))
        records = []
        for order in orders:
            for dialect in dialects:
                record = self.record(entry, order, dialect)
                record.total, record.tried = total.all, total.tried
                record.reasons.sort()
                self.store.write(record)
                records.append(self.open.pop((entry, order, dialect)))
        return records


def summary(records: list[Record]) -> list[str]:
    """A line per order, dialect, mode and dtype."""
    lines = []
    groups: dict[tuple, list[Record]] = {}
    for record in records:
        groups.setdefault((record.order, record.dialect, record.entry.mode, record.entry.dtype), []).append(record)
    for (order, dialect, mode, dtype), group in sorted(groups.items()):
        count = Counter(record.verdict for record in group)
        judged = sum(count[verdict] for verdict in count if verdict not in UNJUDGED)
        share = f"{100 * count['passed'] / judged:5.1f} %" if judged else "    –"
        remarks = Counter(reason.split(",")[0].split(":")[0] for record in group if record.verdict == "passed"
                          for reason in {text for _, _, text in record.reasons if text})
        words = ", ".join(f"{count[verdict]} {verdict}" for verdict in WORST_FIRST if count[verdict])
        told = "".join(f"; {n} {remark}" for remark, n in remarks.most_common())
        lines.append(f"{order:14} {dialect:10} {mode:7} {dtype:9} {share} of {judged:3}: {words}{told}")
    return lines


def digest(records: list[Record]) -> str:
    """Markdown: what does not pass, the reason met most often first."""
    lines = ["# Conformance digest", "", "```", *summary(records), "```", ""]
    for verdict in ("crashed", "failed", "declined"):
        groups: dict[str, dict[str, int]] = {}
        for record in records:
            if record.verdict != verdict:
                continue
            for text in dict.fromkeys(text for _, outcome, text in record.reasons if outcome == verdict):
                for part in text.split(" | ") if verdict == "declined" else [text]:
                    key = part.split(" [sample")[0] if verdict == "declined" else f"{record.entry.op}: {part}"
                    where = groups.setdefault(" ".join(key.split())[:300], {})
                    name = f"{record.entry.op}({record.entry.dtype})"
                    where[name] = where.get(name, 0) + 1
        lines += [f"## {verdict}: {sum(record.verdict == verdict for record in records)} entries", ""]
        for text, where in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])):
            names = list(where)
            shown = ", ".join(names[:12]) + (f" and {len(names) - 12} more" if len(names) > 12 else "")
            lines.append(f"- {len(names)}× {text} — {shown}")
        lines.append("")
    for verdict in sorted(UNJUDGED):
        rows = [record for record in records if record.verdict == verdict]
        lines += [f"## {verdict}: {len(rows)} entries", ""]
        lines += [f"- {record.entry.op}({record.entry.dtype}): {' '.join(record.reason.split())[:160]}" for record in rows]
        lines.append("")
    return "\n".join(lines)
