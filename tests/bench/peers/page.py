# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: a table for each quantity, a bar in each cell."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from contenders import CONTENDERS  # noqa: E402
from results import Json  # noqa: E402
from webpage import page_text  # noqa: E402

PHASES = ("import", "read", "compile", "first")
MODEL = {"name": "model", "kind": "text", "narrow": True}


def name_of(table: Json) -> str:
    unit = f" [{table['unit']}]" if table["unit"] else ""
    return f"{table['name']}{unit}, {table['threads']} thread(s)"


def grid(name: str, first: str, values: dict[str, dict[str, float | None]]) -> Json:
    """A row for each of `values`, a column for each contender; bars have the row's scale."""
    names = [name for name in CONTENDERS if any(row.get(name) is not None for row in values.values())]
    numbers = [{"name": name, "kind": "number", "heat": "row", "narrow": name in ("eager", "buddy")} for name in names]
    return {"name": name, "columns": [MODEL | {"name": first}, *numbers],
            "rows": [[label, *(row.get(name) for name in names)] for label, row in values.items()]}


def phases(records: list[Json]) -> Json:
    """What a cold start is made of, for those whose process told."""
    told = [r for r in records if r["kind"] == "start" and "phases" in r.get("cold", {})]
    columns = [MODEL, {"name": "contender", "kind": "choice", "narrow": True}, {"name": "threads", "kind": "choice"},
               *({"name": f"{phase} [s]", "kind": "number", "heat": "row", "narrow": phase == "first"} for phase in PHASES)]
    rows = [[r["model"], r["contender"], str(r["threads"]), *(r["cold"]["phases"][phase] for phase in PHASES)] for r in told]
    return {"name": "what a cold start is made of", "columns": columns, "rows": rows}


def page_of(summary: Json, records: list[Json], anchor: str) -> str:
    versions = ", ".join(f"{name} {version}" for name, version in summary["versions"].items())
    loads = summary["loads"] or [0]
    notes = [f"{summary['machine']}; {versions}. float32. Load average while measuring: {min(loads):.1f} to {max(loads):.1f}.",
             f"Latencies are ratios to {anchor} in the same round. Smaller is better, but in the first table, which has the "
             "geometric mean over the models of the best peer over each contender: above 1 is ahead of all peers.",
             *summary["marks"]]
    means = {name_of(table): table["means"] for table in summary["tables"] if "means" in table}
    views = [grid("best peer over contender", "quantity", means)]
    views += [grid(name_of(table), "model", table["values"]) for table in summary["tables"]]
    views += [phases(records), grid("on disk beside the model [MB]", "", {"all": summary["disk_mb"]})]
    return page_text("buddy and its peers", notes, [view for view in views if view["rows"]])
