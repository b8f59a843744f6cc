"""The table of all results: as JSON, and as one page that sorts and filters and needs nothing beside it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from webpage import page_text  # noqa: E402
from results import UNJUDGED, Record  # noqa: E402

NOTE = ("A row is an op variant in one dtype under one registry order; it passes if every sample passes. What torch.export cannot "
        "export and what eager PyTorch refuses is listed, and is not part of the share.")
CHOICES = ["dtype", "mode", "dialect", "order", "verdict"]
REASON = 300  # characters on the page; the JSON has all that is kept


def write_whole(path: Path, text: str) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    temporary.write_text(text)
    temporary.rename(path)


def write_json(path: Path, records: list[Record]) -> None:
    write_whole(path, json.dumps([record.row() for record in records], indent=0))


def write_page(path: Path, records: list[Record]) -> None:
    """Words that repeat are in a list, and rows hold their numbers in it."""
    numbers: dict[str, int] = {}

    def number(word: str) -> int:
        return numbers.setdefault(word, len(numbers))

    rows = [[number(record.entry.op), number(record.entry.dtype), number(record.entry.mode), number(record.dialect),
             number(record.order), number(record.verdict), record.counts.get("passed", 0), record.tried, record.total,
             number(" ".join(record.reason.split())[:REASON])] for record in records]
    columns = [{"name": "op", "kind": "text", "narrow": True}]
    columns += [{"name": name, "kind": "choice", "narrow": name in ("dtype", "verdict")} for name in CHOICES]
    columns += [{"name": name, "kind": "number"} for name in ("passed", "tried", "of")]
    view = {"name": "entries", "columns": [*columns, {"name": "why", "kind": "text"}], "words": list(numbers), "rows": rows,
            "share": {"column": 1 + CHOICES.index("verdict"), "good": ["passed"], "skip": sorted(UNJUDGED)}}
    write_whole(path, page_text("Conformance with PyTorch's OpInfo database", [NOTE], [view]))
