# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of all results: as JSON, as one page that sorts and filters and needs nothing beside it, and as rows of README.md."""

from __future__ import annotations

import datetime
import json
import os
import re
import subprocess
import sys
from collections import Counter
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


def where_and_when() -> str:
    """The day, the commit (with a + where the tree differs from it) and the machine."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=Path(__file__).parent, capture_output=True, text=True, check=True).stdout.strip()

    changed = "+" if git("status", "--porcelain", "--untracked-files=no") else ""
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    return (f"{datetime.date.today()}, {git('rev-parse', '--short', 'HEAD')}{changed}, "
            f"{model[1].strip() if model else os.uname().machine} × {os.cpu_count()}")


def sweep_rows(records: list[Record], samples: str, is_natural: bool) -> dict[str, str]:
    """A row of README.md for each order, dialect, mode and dtype, by the part that says which; the natural dtypes are one."""
    groups: dict[str, Counter[str]] = {}
    for record in records:
        mode = record.entry.mode if record.dialect == "composite" else f"{record.entry.mode}, {record.dialect}"
        key = f"| {'natural' if is_natural else record.entry.dtype} | {mode}, {samples} | `{record.order}` |"
        groups.setdefault(key, Counter())[record.verdict] += 1
    rows, here = {}, where_and_when()
    for key, count in groups.items():
        judged = sum(n for verdict, n in count.items() if verdict not in UNJUDGED)
        failed = count["failed"] + count["crashed"]
        rows[key] = f"{key} {count['passed']} of {judged} | {count['declined']} | {failed} | {here} |"
    return rows


def write_sweeps(path: Path, records: list[Record], samples: str, is_natural: bool) -> None:
    """Puts the rows into the table between the two comments of the page, in place of those that said the same sweep."""
    before, start, table, end, after = re.split(r"(<!-- sweeps -->\n)(.*)(<!-- /sweeps -->)", path.read_text(), maxsplit=1, flags=re.DOTALL)
    rows = sweep_rows(records, samples, is_natural)
    lines = [next((rows.pop(key) for key in list(rows) if line.startswith(key)), line) for line in table.splitlines()]
    write_whole(path, "".join([before, start, *(f"{line}\n" for line in [*lines, *rows.values()]), end, after]))
