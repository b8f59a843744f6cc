# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages within notebooks, of the template that the command writes; ``page.html`` tells what its data are."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import Any

_TEMPLATE = Path(os.path.abspath(__file__)).with_name("page.html")  # not resolved: a build tree links the sources


def frame(title: str, note: str, columns: list[dict[str, Any]], rows: list[list[Any]]) -> str:
    """A table that folds by module, in a frame of its own: neither reaches the notebook's elements. Where frames are not
    shown, the note is. A row: its cells, the module's path, and pairs of what else there is to tell."""
    for row in rows:
        row[-2] = row[-2].replace(".", "/")
    data = {"title": title, "notes": [note], "views": [{"name": title, "by": "module", "columns": columns, "rows": rows}]}
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = html.escape(_TEMPLATE.read_text(encoding="utf-8").replace("@DATA@", text))
    return (f'<p>{html.escape(note)}</p><iframe title="{html.escape(title)}" sandbox="allow-scripts" srcdoc="{page}" '
            'style="width: 100%; height: 36rem; border: 0"></iframe>')  # fmt: skip
