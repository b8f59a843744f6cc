# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes which ops a folder of exported models uses, with counts, dtypes and arguments, as Markdown.

    python tests/models/ops_report.py --models DIR [--notes FILE] [--out FILE]

Reads the archives' JSON alone; PyTorch is asked only for the defaults of the ops' arguments, which archives leave out.
"""

from __future__ import annotations

import argparse
import json
import sys
import zipfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch._export.serde.schema import ScalarType

Json = dict[str, Any]
SHOWN_VALUES = 6
KEPT_VALUES = 64


@dataclass
class Usage:
    """How one op is used over some graphs."""

    count: int = 0
    archives: set[str] = field(default_factory=set)
    dtypes: Counter[str] = field(default_factory=Counter)
    arguments: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def merge(self, other: Usage) -> None:
        self.count += other.count
        self.archives |= other.archives
        self.dtypes += other.dtypes
        for name, values in other.arguments.items():
            self.arguments[name] += values


def read_program(archive: Path) -> Json:
    with zipfile.ZipFile(archive) as file:
        [name] = [n for n in file.namelist() if n.endswith("/models/model.json")]
        return json.loads(file.read(name))


def graphs(graph: Json) -> Iterator[Json]:
    """A graph and those inside its nodes' arguments."""
    yield graph
    for node in graph["nodes"]:
        for argument in node["inputs"]:
            if "as_graph" in argument["arg"]:
                yield from graphs(argument["arg"]["as_graph"]["graph"])


def short(target: str) -> str:
    return target.removeprefix("torch.ops.")


def schema_defaults(target: str) -> dict[str, tuple[str, Any]]:
    """For each argument of an op its type and default; empty for what has no schema."""
    parts = short(target).split(".")
    try:
        operator = torch.ops
        for part in parts:
            operator = getattr(operator, part)
        return {
            a.name: (str(a.type), a.default_value if a.has_default_value() else ...) for a in operator._schema.arguments
        }
    except (AttributeError, RuntimeError):
        return {}


def show(argument: Json) -> tuple[str, Any]:
    """An argument as text, and as the Python value to compare a default with."""
    [(kind, value)] = argument.items()
    if kind == "as_none":
        return "None", None
    if kind in ("as_tensor", "as_tensors", "as_optional_tensors", "as_optional_tensor", "as_nested_tensors"):
        if kind == "as_optional_tensors":
            return "[" + ",".join("T" if "as_tensor" in v else "None" for v in value) + "]", ...
        return kind.removeprefix("as_"), ...
    if kind == "as_graph":
        return "graph", ...
    if kind in ("as_sym_int", "as_sym_bool", "as_sym_float"):
        return kind.removeprefix("as_"), ...
    if kind == "as_sym_ints":
        return "[" + ",".join(str(v.get("as_int", "sym")) for v in value) + "]", ...
    if kind == "as_scalar_type":
        return ScalarType(value).name.lower(), ...
    if kind == "as_device":
        return value["type"], ...
    return json.dumps(value), value


def scalar_kind(argument: Json, value: Any) -> str:
    """For an argument whose type is Tensor but whose value is a number."""
    [(kind, _)] = argument.items()
    return f"<{kind.removeprefix('as_')} {value}>" if kind in ("as_bool",) else f"<{kind.removeprefix('as_')}>"


def tensor_names(argument: Json) -> list[str]:
    [(kind, value)] = argument.items()
    if kind == "as_tensor":
        return [value["name"]]
    if kind == "as_tensors":
        return [v["name"] for v in value]
    if kind == "as_optional_tensors":
        return [v["as_tensor"]["name"] for v in value if "as_tensor" in v]
    return []


def dtype_signature(node: Json, graph: Json) -> str:
    def names(arguments: list[Json]) -> str:
        found = []
        for argument in arguments:
            for name in tensor_names(argument):
                meta = graph["tensor_values"].get(name)
                found.append(ScalarType(meta["dtype"]).name.lower() if meta else "?")
        return ",".join(dict.fromkeys(found))

    return f"{names([a['arg'] for a in node['inputs']])}→{names(node['outputs'])}"


def collect(program: Json, archive: str) -> dict[str, Usage]:
    usages: dict[str, Usage] = defaultdict(Usage)
    for graph in graphs(program["graph_module"]["graph"]):
        for node in graph["nodes"]:
            usage = usages[short(node["target"])]
            usage.count += 1
            usage.archives.add(archive)
            usage.dtypes[dtype_signature(node, graph)] += 1
            defaults = schema_defaults(node["target"])
            for position, argument in enumerate(node["inputs"]):
                text, value = show(argument["arg"])
                kind, default = defaults.get(argument["name"], ("", ...))
                if text == "tensor" and (kind == "Tensor" or not kind) or value == default != ...:
                    continue
                if kind == "Tensor" and text != "tensor":
                    text = scalar_kind(argument["arg"], value)
                name = argument["name"] or f"#{position}"
                if len(usage.arguments[name]) < KEPT_VALUES or text in usage.arguments[name]:
                    usage.arguments[name][text] += 1
    return usages


def cell_of_values(values: Counter[str]) -> str:
    shown = [text for text, _ in values.most_common(SHOWN_VALUES)]
    more = len(values) - len(shown)
    return " ".join(f"`{text}`" for text in shown) + (f" +{more}" if more > 0 else "")


def cell_of_arguments(usage: Usage) -> str:
    return "; ".join(f"{name}: {cell_of_values(values)}" for name, values in usage.arguments.items())


def table(usages: dict[str, Usage], *, archives: bool) -> list[str]:
    heads = ["op", "count", *(["archives"] if archives else []), "dtypes", "arguments that are not at their default"]
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    order = sorted(usages, key=(lambda op: op) if archives else (lambda op: (-usages[op].count, op)))
    for op in order:
        usage = usages[op]
        cells = [f"`{op}`", str(usage.count), *([str(len(usage.archives))] if archives else [])]
        cells += [cell_of_values(usage.dtypes), cell_of_arguments(usage)]
        lines.append("| " + " | ".join(cells).replace("||", "\\|\\|") + " |")
    return lines


def union(parts: list[dict[str, Usage]]) -> dict[str, Usage]:
    whole: dict[str, Usage] = defaultdict(Usage)
    for part in parts:
        for op, usage in part.items():
            whole[op].merge(usage)
    return whole


def report(models: Path, notes: str) -> list[str]:
    index = json.loads((models / "index.json").read_text(encoding="utf-8"))
    entries: dict[str, Json] = index["archives"]
    usages = {name: collect(read_program(models / e["archive"]), name) for name, e in entries.items()}

    def of(dialect: str, semantics: bool) -> list[dict[str, Usage]]:
        wanted = [n for n, e in entries.items() if e["dialect"] == dialect and (e["group"] == "semantics") == semantics]
        return [usages[name] for name in wanted]

    lines = ["# Ops of the test models", "", f"Versions: {index['versions']}. {len(entries)} archives.", ""]
    lines += [notes, ""] if notes else []
    for dialect in ("composite", "decomposed"):
        for semantics, what in ((False, "models"), (True, "semantics programs")):
            whole = union(of(dialect, semantics))
            lines += [f"## Union: {what}, {dialect} ({len(whole)} ops)", "", *table(whole, archives=True), ""]
    lines += [
        "## Each archive",
        "",
        "| archive | group | nodes | ops | parameters | bytes |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for name, entry in entries.items():
        size, count = entry["archive_bytes"], entry["parameters"]
        lines.append(f"| {name} | {entry['group']} | {entry['nodes']} | {len(usages[name])} | {count:,} | {size:,} |")
    for name in entries:
        lines += ["", f"### {name}", "", *table(usages[name], archives=False)]
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description="Writes which ops a folder of exported models uses.")
    parser.add_argument("--models", type=Path, required=True, metavar="DIR", help="what export.py wrote")
    parser.add_argument("--notes", type=Path, metavar="FILE", help="Markdown to put in front")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: standard output")
    options = parser.parse_args()
    notes = options.notes.read_text(encoding="utf-8") if options.notes else ""
    text = "\n".join(report(options.models, notes)) + "\n"
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
