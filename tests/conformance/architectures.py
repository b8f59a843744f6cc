# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Architectures of `transformers`, each shrunk to a toy with random weights: exported, run by buddy, compared with eager.

    python tests/conformance/architectures.py --buddy build/bin/buddy --out DIR [--only NAME…] [--registries LIST]

Every model type that transformers registers for AutoModel is tried. Its default configuration is shrunk by rules on the
names of its fields (two layers, narrow widths), so nothing here is tuned to one architecture. An outcome is

    passed        all outputs agree with eager, dtype and shape included
    declined      buddy refused, with a message
    wrong, crashed, timeout, failed
    inexportable  torch.export itself fails, or disagrees with eager
    unbuilt       the rules do not make a model of it: a fault of this file, not counted

The last lines are a summary; --json keeps all outcomes, and a run with the same file goes on where the last one ended;
--table writes what does not pass, and why. The toys themselves are toys.py's.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import os
import shutil
import signal
import sys
import textwrap
import time
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "models"))

import torch  # noqa: E402
from catalog import Model  # noqa: E402
from export import export_model, quiet  # noqa: E402
from run_models import Case, run_case  # noqa: E402
from toys import build  # noqa: E402
from transformers.models.auto.modeling_auto import MODEL_MAPPING_NAMES  # noqa: E402

Json = dict[str, Any]

def first_line(text: str) -> str:
    return next((line.strip() for line in text.splitlines() if line.strip()), "")[:300]


def export(kind: str, out: Path) -> Json:
    """Runs in a process of its own: transformers and torch.export keep state, and some models take minutes."""
    torch.manual_seed(0)
    try:
        sample = build(kind)
    except LookupError as error:
        return {"status": "unbuilt", "why": first_line(str(error))}
    model = Model(kind, lambda: sample, "architectures", False, None, True, ("composite",))
    try:
        failures = export_model(model, ["composite"], out)
    except Exception as error:  # noqa: BLE001
        failures = {"composite": f"{type(error).__name__}: {error}"}
    if failures:
        return {"status": "inexportable", "why": first_line(failures["composite"])}
    return {"status": "exported"}


def in_child(kind: str, out: Path, limit: float) -> Json:
    answer = out / f"{kind}.json"
    answer.unlink(missing_ok=True)
    child = os.fork()
    if child == 0:
        try:
            answer.write_text(json.dumps(export(kind, out)), encoding="utf-8")
        finally:
            os._exit(0)
    deadline = time.monotonic() + limit
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return {"status": "inexportable", "why": f"not exported within {limit:.0f} s"}
        time.sleep(0.02)
    if not answer.exists():
        return {"status": "inexportable", "why": "the exporting process died"}
    result = json.loads(answer.read_text(encoding="utf-8"))
    answer.unlink()
    return result


def run_one(kind: str, options: argparse.Namespace) -> Json:
    result = in_child(kind, options.out, options.timeout)
    if result["status"] != "exported":
        return result
    stem = f"{kind}.composite"
    entry = json.loads((options.out / stem / "entry.json").read_text(encoding="utf-8"))
    outcome = run_case(Case(stem, entry, entry["sizes"][0], options.registries), options.buddy, options.out, options.timeout)
    if outcome.status == "passed" and not options.keep:
        shutil.rmtree(options.out / stem)
        (options.out / f"{stem}.pt2").unlink()
    status = "declined" if outcome.status == "refused" else outcome.status
    return {"status": status, "why": outcome.detail, "error": outcome.error, "nodes": entry["nodes"]}


def table(done: dict[str, Json]) -> str:
    """What does not pass, and why, by outcome; then the names of what does."""
    lines = []
    for status in ("crashed", "wrong", "failed", "timeout", "declined", "inexportable", "unbuilt"):
        named = sorted(kind for kind, result in done.items() if result["status"] == status)
        lines += [f"{status}: {len(named)}"] + [f"  {kind:32} {done[kind].get('why', '')}".rstrip() for kind in named]
    passed = sorted(kind for kind, result in done.items() if result["status"] == "passed")
    exportable = len(done) - sum(done[kind]["status"] in ("inexportable", "unbuilt") for kind in done)
    lines += [f"passed: {len(passed)} of {exportable} that torch.export takes, {len(done)} tried"]
    return "\n".join(lines + [textwrap.fill(" ".join(passed), 118, initial_indent="  ", subsequent_indent="  ")]) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--buddy", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="for archives; those that pass are removed")
    parser.add_argument("--json", type=Path, help="outcomes; those already in it are not tried again")
    parser.add_argument("--table", type=Path, help="what does not pass, and why, as text; of all that --json has")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="* and ? are wildcards")
    parser.add_argument("--again", nargs="+", default=[], metavar="STATUS", help="try those of this status again")
    parser.add_argument("--registries", default="", metavar="LIST")
    parser.add_argument("--timeout", type=float, default=180, metavar="SECONDS")
    parser.add_argument("--keep", action="store_true", help="keep the archives that pass, too")
    options = parser.parse_args()
    quiet()
    torch.set_num_threads(1)
    options.out.mkdir(parents=True, exist_ok=True)
    done: dict[str, Json] = {}
    if options.json and options.json.exists():
        done = json.loads(options.json.read_text(encoding="utf-8"))
    kinds = [k for k in MODEL_MAPPING_NAMES if not options.only or any(fnmatch.fnmatch(k, p) for p in options.only)]
    kinds.sort(key=lambda kind: hashlib.sha256(kind.encode()).digest())  # whoever stops early has seen some of all kinds
    for number, kind in enumerate(kinds, 1):
        if kind in done and done[kind]["status"] not in options.again:
            continue
        done[kind] = run_one(kind, options)
        print(f"[{number}/{len(kinds)}] {done[kind]['status']:12} {kind:32} {done[kind].get('why', '')}", flush=True)
        if options.json:
            options.json.write_text(json.dumps(done, indent=1) + "\n", encoding="utf-8")
    if options.table:
        options.table.write_text(table(done), encoding="utf-8")
    counts = Counter(done[kind]["status"] for kind in kinds)
    print(", ".join(f"{count} {status}" for status, count in counts.most_common()))
    bad = sum(counts[s] for s in ("wrong", "crashed", "failed", "timeout", "declined"))
    print(f"{counts['passed']} passed, {bad} failed")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
