# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes that serve many tasks each, so that a crash or a hang costs one task and is told.

A task is anything that can be pickled. In the child, `setup()` is called once and gives the function that serves a
task: `serve(task, send)`. It calls `send("trying", what)` before each step that may end the process and
`send("result", value)` as it learns something. In the parent, `take(task, value)` gets the results, and
`crashed(task, what, text)` is told of a process that died or overstepped the time limit in the step `what`; it returns
the task to go on with, or None.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

TASKS_PER_PROCESS = 200  # then a fresh one: what leaks does not add up
MOST_WAITING = 10        # times the limit, by the clock: a process that others keep from the processor is late, and does not hang


@dataclass
class Handlers:
    setup: Callable[[], Callable[[Any, Callable[[str, Any], None]], None]]
    take: Callable[[Any, Any], None]
    crashed: Callable[[Any, Any, str], Any]
    seconds: float  # of one step, of the processor's time


def child(setup: Callable, pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    serve = setup()
    while (task := pipe.recv()) is not None:
        serve(task, lambda kind, value: pipe.send((kind, value)))
        pipe.send(("done", None))


def processor_seconds(pid: int) -> float:
    """Of a process and the children that it has waited for."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Worker:
    def __init__(self, handlers: Handlers):
        self.handlers, self.process, self.pipe, self.served = handlers, None, None, 0

    def start(self) -> None:
        context = get_context("fork")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=child, args=(self.handlers.setup, theirs), daemon=True)
        self.process.start()
        theirs.close()
        self.served = 0

    def serve(self, task: Any) -> None:
        while task is not None:
            task = self.attempt(task)

    def attempt(self, task: Any) -> Any:
        """Serves a task; what is left of it if the process died, else None."""
        if self.process is not None and self.served >= TASKS_PER_PROCESS:
            self.stop()
        if self.process is None:
            self.start()
        self.served += 1
        trying, late = None, False
        try:
            self.pipe.send(task)
            while True:
                if not self.is_heard():
                    late = True
                    self.process.kill()
                kind, value = self.pipe.recv()
                if kind == "done":
                    return None
                if kind == "trying":
                    trying = value
                else:
                    trying = None
                    self.handlers.take(task, value)
        except (EOFError, OSError):
            self.process.join()
            code = self.process.exitcode or 0
            self.process = None
            text = f"ended by {signal.Signals(-code).name}" if code < 0 else f"exit status {code}"
            if late:
                text = f"no answer within {self.handlers.seconds:.0f} s"
            return self.handlers.crashed(task, trying, text)

    def is_heard(self) -> bool:
        """False if the step took longer than it may."""
        seconds, start = self.handlers.seconds, time.monotonic()
        spent = processor_seconds(self.process.pid)
        while not self.pipe.poll(seconds):
            if processor_seconds(self.process.pid) - spent > seconds or time.monotonic() - start > MOST_WAITING * seconds:
                return False
        return True

    def stop(self) -> None:
        if self.process is not None:
            self.pipe.send(None)
            self.process.join()
            self.process = None


def serve_all(handlers: Handlers, tasks: Iterable[Any], jobs: int) -> None:
    """Serves all tasks; the handlers are called by several threads, one at a time."""
    lock, waiting = threading.Lock(), iter(tasks)

    def one_at_a_time(function: Callable) -> Callable:
        def locked(*arguments):
            with lock:
                return function(*arguments)
        return locked

    handlers = Handlers(handlers.setup, one_at_a_time(handlers.take), one_at_a_time(handlers.crashed),
                        handlers.seconds)

    def loop(worker: Worker) -> None:
        while True:
            with lock:
                task = next(waiting, None)
            if task is None:
                return worker.stop()
            worker.serve(task)

    workers = [Worker(handlers) for _ in range(jobs)]
    for worker in workers:
        worker.start()  # before there are threads: fork copies only the calling one
    threads = [threading.Thread(target=loop, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
