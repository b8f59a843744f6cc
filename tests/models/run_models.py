# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs exported models with `buddy run` and compares what comes out with what PyTorch computed.

    python tests/models/run_models.py --buddy PATH --models DIR [--registries LIST]… [--only NAME…] [-j N]

DIR is what export.py wrote. Every archive, size and registry order is one case:

    buddy run MODEL.pt2 --input input_0.npy … --output-dir TMP [--registries LIST]

which has to write TMP/output_K.npy, K being the place among the flattened outputs; None has no file. The inputs of two
more calls follow, and TMP/run_1 and run_2 get what these give. Prints a line per
case and last `N passed, N failed`; the exit status is 1 if any failed. Needs numpy, not PyTorch.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from compare import compare

Json = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One run: an archive at one size under one registry order (empty: buddy's default)."""

    archive: str
    entry: Json
    size: Json
    registries: str

    @property
    def name(self) -> str:
        folder = self.size["folder"]
        return self.archive if folder == "." else f"{self.archive}/{folder}"


@dataclass
class Outcome:
    """`status` is passed, refused (where a clean refusal is allowed), wrong, failed, crashed or timeout."""

    name: str
    registries: str
    status: str
    seconds: float
    error: float | None
    detail: str

    @property
    def ok(self) -> bool:
        return self.status in ("passed", "refused")


@dataclass(frozen=True)
class Finished:
    """How a process ended; `code` is None where it was killed for taking too long."""

    code: int | None
    stderr: str
    seconds: float


def run_limited(command: list[str], timeout: float) -> Finished:
    """Runs a command in a process group of its own, which is killed as a whole when time is up."""
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        _, stderr = process.communicate(timeout=timeout)
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        _, stderr = process.communicate()
        code = None
    return Finished(code, stderr, time.monotonic() - start)


def further_of(case: Case) -> list[Json]:
    """The calls after the first, which the same loaded model answers; one without inputs runs once."""
    return case.size["further"] if any("file" in value for value in case.size["inputs"]) else []


def command_of(case: Case, buddy: Path, models: Path, output: Path) -> list[str]:
    folder = models / case.entry["folder"] / case.size["folder"]
    command = [str(buddy), "run", "--no-cache", str(models / case.entry["archive"])]
    for inputs in [case.size["inputs"], *(call["inputs"] for call in further_of(case))]:
        for value in inputs:
            if "file" in value:
                command += ["--input", str(folder / value["file"])]
    command += ["--output-dir", str(output)]
    if case.registries:
        command += ["--registries", case.registries]
    return command


def load(path: Path) -> np.ndarray | str:
    try:
        return np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        return f"{path.name}: {error}"


def check_outputs(case: Case, models: Path, output: Path) -> tuple[float, list[str]]:
    """The largest error over all outputs of all runs, and what is wrong."""
    worst, problems = check_run(case, case.size["outputs"], models, output)
    for run, call in enumerate(further_of(case), 1):
        error, more = check_run(case, call["outputs"], models, output / f"run_{run}")
        worst = max(worst, error)
        problems += [f"run {run + 1}: {problem}" for problem in more]
    return worst, problems


def check_run(case: Case, outputs: list[Json], models: Path, output: Path) -> tuple[float, list[str]]:
    folder = models / case.entry["folder"] / case.size["folder"]
    worst, problems = 0.0, []
    for k, value in enumerate(outputs):
        path = output / f"output_{k}.npy"
        if "file" not in value:
            if path.exists():
                problems.append(f"{path.name}: written, though output {k} is {value['kind']}")
            continue
        actual = load(path)
        if isinstance(actual, str):
            problems.append(actual)
            continue
        result = compare(
            np.load(folder / value["file"]), actual, dtype=value.get("dtype"), tolerance=case.entry["tolerance"]
        )
        worst = max(worst, result.error)
        if not result.ok:
            problems.append(f"{path.name}: {result.problem}")
    return worst, problems


def last_lines(text: str, count: int = 4) -> str:
    return " / ".join(line.strip() for line in text.strip().splitlines()[-count:])


def run_case(case: Case, buddy: Path, models: Path, timeout: float) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="buddy-run-") as name:
        output = Path(name)
        ended = run_limited(command_of(case, buddy, models, output), timeout)
        error: float | None = None
        detail = last_lines(ended.stderr)
        if ended.code is None:
            status, detail = "timeout", f"after {timeout:g} s; {detail}"
        elif ended.code < 0 or ended.code >= 128:
            number = -ended.code if ended.code < 0 else ended.code - 128
            status, detail = "crashed", f"{signal.strsignal(number) or number}; {detail}"
        elif ended.code != 0:
            status = "refused" if case.entry["may_refuse"] and detail else "failed"
            detail = detail or f"exit status {ended.code} and no message"
        else:
            error, problems = check_outputs(case, models, output)
            status, detail = ("wrong", "; ".join(problems)) if problems else ("passed", "")
    return Outcome(case.name, case.registries, status, round(ended.seconds, 3), error, detail)


def cases(options: argparse.Namespace) -> Iterator[Case]:
    index = json.loads((options.models / "index.json").read_text(encoding="utf-8"))
    for name, entry in sorted(index["archives"].items()):
        names = (name, entry["model"])
        if options.only and not any(fnmatch.fnmatch(n, p) for n in names for p in options.only):
            continue
        if any(fnmatch.fnmatch(n, p) for n in names for p in options.skip):
            continue
        if options.tiny and not entry["quick"] or options.dialect not in ("both", entry["dialect"]):
            continue
        for size in entry["sizes"]:
            for registries in options.registries or [""]:
                yield Case(name, entry, size, registries)


def line_of(outcome: Outcome, width: int) -> str:
    error = "-" if outcome.error is None else f"{outcome.error:.1e}"
    fields = f"{outcome.status:8} {outcome.name:{width}} {outcome.registries or 'default':24} {error:>8}"
    return f"{fields} {outcome.seconds:8.2f} s  {outcome.detail}".rstrip()


def parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Runs exported models with buddy and compares the results.")
    parser.add_argument("--buddy", type=Path, required=True, metavar="PATH", help="the buddy command")
    parser.add_argument("--models", type=Path, required=True, metavar="DIR", help="what export.py wrote")
    parser.add_argument(
        "--registries",
        nargs="+",
        action="extend",
        default=[],
        metavar="LIST",
        help="registry orders to run under, each like tosa:* (default: buddy's own)",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="models or archives; * and ? allowed")
    parser.add_argument("--skip", nargs="+", default=[], metavar="NAME", help="models or archives to leave out")
    parser.add_argument("--dialect", choices=("composite", "decomposed", "both"), default="both")
    parser.add_argument("--tiny", action="store_true", help="only the models quick enough for every CI run")
    parser.add_argument("--timeout", type=float, default=300.0, metavar="SECONDS", help="per case (default: 300)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes here")
    parser.add_argument("-j", "--jobs", type=int, default=1, metavar="N", help="cases at a time (default: 1)")
    return parser.parse_args()


def main() -> int:
    options = parse_arguments()
    todo = list(cases(options))
    if not todo:
        print("no archive matches", file=sys.stderr)
        return 1
    width = max(len(case.name) for case in todo)
    outcomes: list[Outcome] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for outcome in pool.map(lambda c: run_case(c, options.buddy, options.models, options.timeout), todo):
            outcomes.append(outcome)
            print(line_of(outcome, width), flush=True)
    failed = sum(not outcome.ok for outcome in outcomes)
    if options.json:
        options.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=1) + "\n", encoding="utf-8")
    print(f"{len(outcomes) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
