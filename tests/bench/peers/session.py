# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parent's side of a measured process: starts it, talks to it, and reads what the kernel knows of it."""

from __future__ import annotations

import json
import os
import resource
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contenders import environment

WORKER = Path(__file__).resolve().parent / "worker.py"


class Failed(Exception):
    """A contender did not do what it was asked for; the text is the last line it wrote."""


@dataclass(frozen=True)
class Job:
    """What a process is started for."""

    contender: str
    stem: Path
    threads: int
    options: dict[str, Any]


def last_line(path: Path) -> str:
    lines = [line.strip() for line in path.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it wrote nothing"


class Worker:
    """A process of worker.py, in a group of its own that ends with it."""

    def __init__(self, job: Job, caches: Path) -> None:
        for name in ("cache", "inductor", "tmp"):
            (caches / name).mkdir(parents=True, exist_ok=True)
        self.log = caches / f"{job.contender}.log"
        command = [sys.executable, WORKER, job.contender, job.stem, job.threads, json.dumps(job.options)]
        self.start = time.perf_counter()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment(job.threads, caches),
                start_new_session=True,
            )
        self.buffer = b""

    def answer(self, timeout: float, watch: Watch | None = None) -> dict[str, Any]:
        """The next line; `watch` looks at the process while it is awaited."""
        deadline = time.monotonic() + timeout
        assert self.process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Failed(f"no answer within {timeout:g} s")
                if watch:
                    watch.look(self.process.pid)
                if selector.select(min(left, watch.interval) if watch else left):
                    more = os.read(self.process.stdout.fileno(), 1 << 20)
                    if not more:
                        raise Failed(last_line(self.log))
                    self.buffer += more
        line, _, self.buffer = self.buffer.partition(b"\n")
        return json.loads(line)

    def ask(self, timeout: float, watch: Watch | None = None, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write((json.dumps(request) + "\n").encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Failed(last_line(self.log)) from None
        return self.answer(timeout, watch)

    def cpu(self) -> float:
        """Seconds of CPU time up to now, with those of its children that have ended."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")

    def close(self) -> None:
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.communicate()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Watch:
    """The private memory of a process over time: pages of its own, and file pages that it alone has mapped."""

    interval = 0.05

    def __init__(self) -> None:
        self.peak = {"dirty": 0, "clean": 0}

    def look(self, pid: int) -> dict[str, int]:
        now = {"dirty": 0, "clean": 0}
        try:
            text = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            return now
        for line in text.splitlines():
            if line.startswith("Private_"):
                key = "dirty" if line.startswith("Private_Dirty") else "clean"
                now[key] += int(line.split()[1]) * 1024
        self.peak["dirty"] = max(self.peak["dirty"], now["dirty"])
        self.peak["clean"] = max(self.peak["clean"], now["clean"])
        return now


def run_command(command: list[str], threads: int, caches: Path, timeout: float) -> dict[str, float]:
    """Seconds of wall clock and of CPU time that a command takes to its end."""
    for name in ("cache", "tmp"):
        (caches / name).mkdir(parents=True, exist_ok=True)
    log = caches / "command.log"
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with log.open("w") as file:
        try:
            done = subprocess.run(
                command, env=environment(threads, caches), stdout=file, stderr=file, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            raise Failed(f"not done within {timeout:g} s") from None
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise Failed(last_line(log))
    return {"wall": wall, "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
