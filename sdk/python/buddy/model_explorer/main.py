# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What Model Explorer (PyPI's ``ai-edge-model-explorer``) loads of an extension."""

from __future__ import annotations

import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import dacite  # type: ignore  # comes with Model Explorer
from model_explorer import Adapter, AdapterMetadata  # type: ignore
from model_explorer.graph_builder import GraphCollection  # type: ignore

from buddy._paths import command
from buddy.errors import NotFoundError, UnsupportedError


class BuddyAdapter(Adapter):  # type: ignore[misc]
    """Layers are the model's modules; each node tells its registry, why not the others, its Python line and shapes."""

    metadata = AdapterMetadata(id="buddy", name="buddy", description="torch.export archives: who takes which op, and why",
                               fileExts=["pt2"])  # fmt: skip

    def convert(self, model_path: str, settings: dict[str, Any]) -> dict[str, list[GraphCollection]]:
        """The graph and its subgraphs. Ops that nobody takes are nodes as well."""
        program = command()
        if program is None:
            raise NotFoundError("the buddy command is not part of this installation", "NOT_FOUND")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "graph.json")
            done = subprocess.run([program, "explain", "--output", path, "--", model_path], capture_output=True, text=True,
                                  check=False, errors="replace")  # fmt: skip
            if not path.exists():
                raise UnsupportedError(done.stderr.strip() or f"buddy explain: exit status {done.returncode}", "UNSUPPORTED")
            data = json.loads(path.read_text(encoding="utf-8"))
        return {"graphCollections": [dacite.from_dict(GraphCollection, data, dacite.Config(strict=True))]}
