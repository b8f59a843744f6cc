# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Latency, all contenders in turn: each loaded in a process of its own, the others asleep while one runs."""

from __future__ import annotations

import random
import shutil
import statistics
import time
from pathlib import Path

from contenders import ANCHOR
from results import Case, Json, Results, say
from session import Failed, Worker

Round = dict[str, Json]
SETTLE = 0.25  # seconds until threads that wait by spinning have gone to sleep
LEAST = 3  # runs in a round


def groups(names: list[str], bytes_of_model: int) -> list[list[str]]:
    """Contenders that fit into memory at one time, each group with the anchor: one may take four times the weights."""
    lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    free = int(next(line.split()[1] for line in lines if line.startswith("MemAvailable"))) * 1024
    room = max(2, int(free * 0.7 / (4 * bytes_of_model + 300e6)))
    others = [name for name in names if name != ANCHOR]
    count = max(1, -(-len(others) // (room - 1)))
    return [[ANCHOR, *others[k::count]] for k in range(count)]


def one_round(case: Case, workers: dict[str, Worker], seconds: float, errors: dict[str, str]) -> Round:
    order = [name for name in workers if name not in errors]
    random.shuffle(order)
    times: Round = {}
    for name in order:
        time.sleep(SETTLE)
        try:
            got = workers[name].ask(case.timeout, do="time", seconds=seconds, least=LEAST)
            times[name] = {"wall": statistics.median(got["wall"]), "least": min(got["wall"]), "cpu": got["cpu"]}
        except Failed as error:
            errors[name] = str(error)
    return times


def run_group(case: Case, group: list[str], repeats: int, seconds: float) -> tuple[list[Round], dict[str, str]]:
    errors: dict[str, str] = {}
    workers: dict[str, Worker] = {}
    rounds: list[Round] = []
    try:
        for name in group:
            workers[name] = Worker(case.job(name), case.caches(name))
            try:
                workers[name].answer(case.timeout)
            except Failed as error:
                errors[name] = str(error)
        for _ in range(repeats):
            rounds.append(one_round(case, workers, seconds, errors))
    finally:
        for worker in workers.values():
            worker.close()
    return rounds, errors


def summed(rounds: list[Round], name: str) -> Json:
    walls = [r[name]["wall"] for r in rounds]
    low, middle, high = statistics.quantiles(walls, n=4) if len(walls) > 1 else walls * 3
    record: Json = {
        "rounds": len(walls),
        "wall": {"median": middle, "low": low, "high": high},
        "least": min(r[name]["least"] for r in rounds),
        "cpu": min(r[name]["cpu"] for r in rounds),
    }
    for what in ("wall", "least", "cpu"):
        ratios = [r[name][what] / r[ANCHOR][what] for r in rounds if ANCHOR in r]
        if ratios:
            record[f"{what}_ratio"] = statistics.median(ratios)
    return record


def text_of(record: Json) -> str:
    if "error" in record:
        return f"failed: {record['error']}"
    text = f"{record['wall']['median'] * 1e3:9.3f} ms"
    if "wall_ratio" in record:
        text += f"  {record['wall_ratio']:.2f} of eager, {record['cpu_ratio']:.2f} by CPU time"
    return text


def measure(case: Case, names: list[str], results: Results, size: int, repeats: int, seconds: float) -> None:
    """From the caches that starts left, where there are some: what compiling takes is not asked here."""
    wanted = [name for name in names if name != ANCHOR and case.key("latency", name) not in results]
    for group in groups(wanted, size) if wanted else []:
        rounds, errors = run_group(case, group, repeats, seconds)
        for name in group:
            record = {"error": errors[name]} if name in errors else summed(rounds, name)
            results.add(case.key("latency", name), case.record("latency", name) | record)
            say(f"  latency {name:16} {text_of(record)}")
    for name in names:
        shutil.rmtree(case.caches(name), ignore_errors=True)
