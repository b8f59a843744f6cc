# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cold and warm starts, private memory, and whether the numbers are right: each in fresh processes."""

from __future__ import annotations

import statistics
import time
from pathlib import Path
from typing import Any

import numpy
from compare import compare
from contenders import CONTENDERS
from results import Case, Json, Results, say
from session import Failed, Watch, Worker, run_command


def by_worker(case: Case, name: str, caches: Path, **options: Any) -> Json:
    with Worker(case.job(name, **options), caches) as worker:
        phases = worker.answer(case.timeout)["phases"]
        return {"wall": time.perf_counter() - worker.start, "cpu": worker.cpu(), "phases": phases}


def by_command(case: Case, name: str, caches: Path) -> Json:
    """buddy has a command, which is what a person starts."""
    order = CONTENDERS[name].order  # type: ignore[attr-defined]
    command = [str(case.build / "bin" / "buddy"), "run", str(case.folder / "model.pt2"), "--registries", order]
    for k in range(len(list(case.folder.glob("input_*.npy")))):
        command += ["--input", str(case.folder / f"input_{k}.npy")]
    command += ["--output-dir", str(caches / "outputs")]
    return run_command(command, case.threads, caches, case.timeout)


def start_twice(case: Case, name: str, caches: Path) -> Json:
    """A cold start, and a warm one with what the first left behind."""
    if CONTENDERS[name].role == "buddy":
        return {"cold": by_command(case, name, caches), "warm": by_command(case, name, caches)}
    cold = by_worker(case, name, caches)
    kept = {"cache": str(caches / "cache" / "own")}
    if name == "openvino":  # keeps nothing unless it is told to
        by_worker(case, name, caches, **kept)
    return {"cold": cold, "warm": by_worker(case, name, caches, **kept)}


def memory_and_numbers(case: Case, name: str, caches: Path) -> Json:
    """Of a second start: what it takes while loading and running, and its results beside PyTorch's."""
    watch = Watch()
    with Worker(case.job(name), caches) as worker:
        phases = worker.answer(case.timeout, watch)["phases"]
        worker.ask(case.timeout, watch, do="time", seconds=0.0, least=3)
        steady = watch.look(worker.process.pid)
        worker.ask(case.timeout, do="outputs", folder=str(caches / "outputs"))
    problem = problem_of(case.folder, caches / "outputs")
    return {"memory": {"peak": watch.peak, "steady": steady}, "phases": phases, "problem": problem}


def problem_of(expected: Path, actual: Path) -> str:
    problems = []
    for file in sorted(expected.glob("expected_*.npy")):
        path = actual / file.name.replace("expected", "output")
        if not path.exists():
            problems.append(f"{path.name} is missing")
        elif problem := compare(numpy.load(file), numpy.load(path)).problem:
            problems.append(f"{path.name}: {problem}")
    return "; ".join(problems)


def summed(taken: list[Json]) -> Json:
    record: Json = {"starts": len(taken)}
    for kind in ("cold", "warm"):
        walls = [one[kind]["wall"] for one in taken]
        cpu = statistics.median(one[kind]["cpu"] for one in taken)
        record[kind] = {"wall": statistics.median(walls), "least": min(walls), "cpu": cpu}
        phases = [one[kind]["phases"] for one in taken if "phases" in one[kind]]
        if phases:
            record[kind]["phases"] = {key: statistics.median(p[key] for p in phases) for key in phases[0]}
    return record


def text_of(record: Json) -> str:
    if "error" in record:
        return f"failed: {record['error']}"
    wrong = f"  WRONG: {record['problem']}" if record["problem"] else ""
    memory = record["memory"]["peak"]["dirty"] / 1e6
    return f"cold {record['cold']['wall']:8.2f} s  warm {record['warm']['wall']:7.2f} s  {memory:7.0f} MB{wrong}"


def measure(case: Case, names: list[str], results: Results, rounds: int, seconds: float) -> None:
    """Rounds over the contenders; one that has taken `seconds` gets no more. The caches of the last start are left."""
    todo = [name for name in names if case.key("start", name) not in results]
    taken: dict[str, list[Json]] = {name: [] for name in todo}
    errors: dict[str, str] = {}
    for _ in range(rounds):
        for name in todo:
            spent = sum(one["cold"]["wall"] + one["warm"]["wall"] for one in taken[name])
            if name in errors or spent > seconds:
                continue
            try:
                taken[name].append(start_twice(case, name, case.empty_caches(name)))
            except Failed as error:
                errors[name] = str(error)
    for name in todo:
        try:
            if name in errors:
                raise Failed(errors[name])
            record = summed(taken[name]) | memory_and_numbers(case, name, case.caches(name))
        except Failed as error:
            record = {"error": str(error)}
        results.add(case.key("start", name), case.record("start", name) | record)
        say(f"  start   {name:16} {text_of(record)}")
