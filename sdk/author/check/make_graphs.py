# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes aten.graphs: one small graph for each op and each kind of arguments, for `buddy plugin check`.

    python3 sdk/author/check/make_graphs.py --build build [--archives DIR]… [--keep] -o sdk/author/check/aten.graphs

The op suite of the tests (tests/ops) is exported by PyTorch, and each node of each graph that `buddy import` reads becomes
a graph of its own. Of those that differ in names and sizes alone the first is kept, and of each op at most MOST, chosen so
that dtypes and kinds of arguments differ. Needs PyTorch, as the op suite does; the result is data that needs nothing.
"""

from __future__ import annotations

import argparse
import importlib
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
MOST = 12       # graphs of one op
LARGEST = 4096  # elements of one tensor
NODE = re.compile(r"^  %(\S+?)(?::(\d+))? = ([A-Za-z0-9_.]+)\((.*?)\)(?: : (.*?))?(?: loc\(.*\))?$")
INPUT = re.compile(r"^  (?:input|parameter|buffer|constant) %(\S+)(?: \"[^\"]*\")? : (.*?)$")
VALUE = re.compile(r"%([A-Za-z0-9_.]+)")


def split_types(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+\[[^\]]*\]", text or "")


def n_elements(kind: str) -> int:
    n = 1
    for dim in re.search(r"\[(.*)\]", kind)[1].split(","):
        n *= int(dim) if dim.isdigit() else 4 if dim else 1
    return n


def unmet_sizes(symbols: list[str], kinds: list[str]) -> list[str]:
    """One more input for the symbols that no operand has as a dim: in the whole graph another input had them."""
    dims = {dim for kind in kinds for dim in re.search(r"\[(.*)\]", kind)[1].split(",")}
    unmet = [symbol for symbol in symbols if symbol not in dims]
    return [f"  input %sizes : f32[{','.join(unmet)}]"] if unmet else []


def graphs_of(text: str) -> list[tuple[str, str, str]]:
    """(op, what makes it different, graph) for each node that stands alone."""
    symbols = re.findall(r"^  symbol (\S+) (\[.*\])$", text, re.MULTILINE)
    types: dict[str, str] = {}
    found = []
    for line in text.splitlines():
        if match := INPUT.match(line):
            types[match[1]] = match[2].split(" ")[0]
        if not (match := NODE.match(line)):
            continue
        name, count, op, args, results = match.groups()
        results = split_types(results)
        names = [name] if count is None else [f"{name}.{k}" for k in range(int(count))]
        types.update(zip(names, results))
        operands = list(dict.fromkeys(VALUE.findall(args)))
        if "@" in args or len(names) != len(results) or any(value not in types for value in operands):
            continue
        kinds = [types[value] for value in operands]
        if any(n_elements(kind) > LARGEST for kind in kinds + results):
            continue
        new = {value: f"a{k}" for k, value in enumerate(operands)}
        args = VALUE.sub(lambda found_name: "%" + new[found_name[1]], args)
        body = args + " ".join(kinds + results)
        lines = [f"  symbol {symbol} {limits}" for symbol, limits in symbols
                 if re.search(rf"\b{re.escape(symbol)}\b", body)]
        if any(symbol.startswith("u") for symbol, _ in symbols if re.search(rf"\b{re.escape(symbol)}\b", body)):
            continue  # its value comes from elsewhere
        lines += [f"  input %{new[value]} : {kind}" for value, kind in zip(operands, kinds)]
        lines += unmet_sizes([line.split()[1] for line in lines if line.startswith("  symbol")], kinds)
        head = "%r" if count is None else f"%r:{count}"
        lines.append(f"  {head} = {op}({args})" + (f" : {', '.join(results)}" if results else ""))
        lines += [f"  output %r{'' if count is None else f'.{k}'}" for k in range(len(names))]
        # Sizes and numbers do not make a graph different; dtypes, ranks, symbols, and which arguments there are do.
        key = re.sub(r"(?<![A-Za-z])\d+(\.\d+)?", "N", args) + " ".join(re.sub(r"\b\d+\b", "N", kind) for kind in kinds)
        found.append((op, key, "graph @c {\n" + "\n".join(lines) + "\n}\n"))
    return found


def spread(graphs: list[tuple[str, str]]) -> list[str]:
    """At most MOST of them, as different in their words as can be."""
    chosen: list[tuple[set[str], str]] = []
    rest = [(set(re.findall(r"[A-Za-z_0-9]+", key)), graph) for key, graph in graphs]
    while rest and len(chosen) < MOST:
        seen = set().union(*(words for words, _ in chosen)) if chosen else set()
        best = max(range(len(rest)), key=lambda i: (len(rest[i][0] - seen), -i))
        chosen.append(rest.pop(best))
    return [graph for _, graph in chosen]


def exported(cache: Path) -> list[Path]:
    sys.path[:0] = [str(ROOT / "tests" / "ops")]
    run_ops = importlib.import_module("run_ops")
    cases = [case for name in run_ops.FAMILIES if run_ops.digest_of(name)
             for case in importlib.import_module(name).FAMILY.cases]
    paths = []
    for case in cases:
        try:
            paths += run_ops.archives(case, cache).values()
        except Exception as error:
            print(f"{case.name}: {error}", file=sys.stderr)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--archives", type=Path, action="append", default=[], help="further .pt2 files")
    parser.add_argument("--no-export", action="store_true", help="use the archives that are there, without PyTorch")
    parser.add_argument("--keep", action="store_true", help="begin with the graphs that the output has")
    parser.add_argument("-o", "--output", type=Path, required=True)
    args = parser.parse_args()
    paths = [] if args.no_export else exported(args.build / "ops")
    for folder in args.archives:
        paths += sorted(folder.glob("**/*.pt2"))
    by_op: dict[str, dict[str, str]] = {}
    for text in re.findall(r"^graph @c {\n.*?^}\n", args.output.read_text() if args.keep else "", re.MULTILINE | re.DOTALL):
        for op, key, graph in graphs_of(text):
            by_op.setdefault(op, {}).setdefault(key, graph)
    for path in paths:
        result = subprocess.run([args.build / "bin" / "buddy", "import", "--emit", "graph", path], capture_output=True,
                                text=True, check=False)
        for op, key, graph in graphs_of(result.stdout):
            by_op.setdefault(op, {}).setdefault(key, graph)
    lines = ["// Graphs of one op each, for `buddy plugin check`; written by make_graphs.py."]
    for op in sorted(by_op):
        lines += [graph.rstrip("\n") for graph in spread(list(by_op[op].items()))]
    args.output.write_text("\n".join(lines) + "\n")
    print(f"{len(lines) - 1} graphs of {len(by_op)} ops")


if __name__ == "__main__":
    main()
