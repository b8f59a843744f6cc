"""The table of all results: as JSON, and as one page that sorts and filters and needs nothing beside it."""

from __future__ import annotations

import json
import os
from pathlib import Path

from results import Record

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
    data = json.dumps({"words": list(numbers), "rows": rows}, separators=(",", ":")).replace("</", "<\\/")
    template = (Path(__file__).resolve().parent / "page.html").read_text()
    write_whole(path, template.replace("@DATA@", data))
