# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that the command writes (sdk/cli/page.html tells what its data are), for what the tests and benchmarks measure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEMPLATE = Path(__file__).resolve().parent.parent / "sdk" / "cli" / "page.html"


def page_text(title: str, notes: list[str], views: list[dict[str, Any]]) -> str:
    data = json.dumps({"title": title, "notes": notes, "views": views}, separators=(",", ":"))
    return TEMPLATE.read_text(encoding="utf-8").replace("@DATA@", data.replace("<", "\\u003c"))
