# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One task of a worker: the samples of an entry, exported, loaded and run under each order, and judged.

Outcomes of a sample, under an order and a dialect:

  passed        the results are right
  declined      no registry of the order takes the graph; the reason is told
  failed        anything else: a wrong number, dtype or shape, or an error where there should be none
  crashed       the process died or hung
  inexportable  torch.export does not take the call
  no eager      PyTorch itself raises an error
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch

from entries import OpInfo, Sample, operators, samples_of
from exported import Archive, Cache, sample_of
from judge import compare
from native import UNSUPPORTED, BuddyError, Library, Model, plan
from redraw import RUNS, calls_like

GROUP = 32    # samples in one archive
CRASHES = 4   # of an entry; its samples that are still to try are then given up
DEFECT = "for the author of the registry"  # a row failed rather than declined
TEXT = 600    # characters of a reason that are kept


@dataclass(frozen=True)
class Entry:
    op: str       # OpInfo's formatted name: with the variant
    dtype: str
    dynamic: bool

    @property
    def mode(self) -> str:
        return "dynamic" if self.dynamic else "static"

    @property
    def name(self) -> str:
        return f"{self.op}-{self.dtype}-{self.mode}"


@dataclass(frozen=True)
class Step:
    """Some samples, tried together under an order and a dialect; both are empty for eager runs and exports."""

    order: str
    dialect: str
    samples: tuple[int, ...]


@dataclass
class Task:
    entry: Entry
    orders: list[str]
    dialects: list[str]
    limit: int                                        # of samples; 0: all
    opt_level: int = -1
    done: set[tuple[str, str, int]] = field(default_factory=set)  # (order, dialect, sample), when tried again
    alone: set[int] = field(default_factory=set)      # samples that must not be tried with others
    crashes: int = 0


@dataclass
class Total:
    """How many samples OpInfo has, and how many are tried."""

    all: int
    tried: int


@dataclass
class Outcome:
    step: Step  # of one sample
    outcome: str
    text: str = ""

    def __post_init__(self) -> None:
        self.text = self.text[:TEXT]


class Server:
    """What a worker keeps between tasks."""

    def __init__(self, build: Path, cache: Path):
        torch.set_num_threads(1)
        self.library, self.cache = Library(build), Cache(cache)

    def serve(self, task: Task, send: Callable) -> None:
        Run(self, task, send).run()


class Run:
    def __init__(self, server: Server, task: Task, send: Callable):
        self.library, self.cache, self.task, self.send = server.library, server.cache, task, send
        self.op: OpInfo = operators()[task.entry.op]
        self.samples: list[Sample] = []
        # Of each sample: the calls of the runs, and what they give.
        self.calls: dict[int, list[Sample]] = {}
        self.wanted: dict[int, list[list[torch.Tensor]]] = {}

    def run(self) -> None:
        self.send("trying", Step("", "", ()))
        self.samples, total = samples_of(self.op, self.task.entry.dtype, self.task.limit)
        self.send("result", Total(total, len(self.samples)))
        good = [i for i in range(len(self.samples)) if self.run_eager(i)]
        together = [i for i in good if i not in self.task.alone]
        groups = [together[at:at + GROUP] for at in range(0, len(together), GROUP)]
        for group in groups + [[i] for i in good if i in self.task.alone]:
            for order, dialect in itertools.product(self.task.orders, self.task.dialects):
                self.try_samples(order, dialect, group)

    def tell(self, order: str, dialect: str, sample: int, outcome: str, text: str = "") -> None:
        self.task.done.add((order, dialect, sample))
        self.send("result", Outcome(Step(order, dialect, (sample,)), outcome, text))

    def run_eager(self, i: int) -> bool:
        """Keeps what eager PyTorch gives; whether there is anything to compare with."""
        pairs = list(itertools.product(self.task.orders, self.task.dialects))
        if all((order, dialect, i) in self.task.done for order, dialect in pairs):
            return False
        outcome = text = ""
        if any(tensor.layout != torch.strided for tensor in self.samples[i].tensors):
            outcome, text = "inexportable", "an input is a sparse tensor, which an archive's program does not take"
        else:
            self.send("trying", Step("", "", (i,)))
            try:
                self.wanted[i] = [self.samples[i].eager()]
                self.calls[i] = [self.samples[i], *self.other_calls(i)]
            except Exception as error:
                outcome, text = "no eager", f"{type(error).__name__}: {error}"
        if outcome:
            for order, dialect in pairs:
                self.tell(order, dialect, i, outcome, text)
        return not outcome

    def other_calls(self, i: int) -> list[Sample]:
        """The same with other numbers, where PyTorch takes them and the results have the same sizes."""
        shapes = [tensor.shape for tensor in self.wanted[i][0]]

        def takes(tensors: list[torch.Tensor]) -> bool:
            try:
                found = replace(self.samples[i], tensors=tensors).eager()
            except Exception:
                return False
            return [tensor.shape for tensor in found] == shapes

        others = [replace(self.samples[i], tensors=tensors) for tensors in calls_like(self.samples[i].tensors, takes)][1:]
        self.wanted[i] += [other.eager() for other in others]
        return others

    def try_samples(self, order: str, dialect: str, numbers: list[int]) -> None:
        """Tries samples in one archive, and those that keep it from passing in smaller ones."""
        numbers = [i for i in numbers if (order, dialect, i) not in self.task.done]
        if not numbers:
            return
        self.send("trying", Step("", "", tuple(numbers)))
        archive = self.cache.archive(self.task.entry.name, self.samples, numbers, self.task.entry.dynamic,
                                     self.task.dialects)
        if archive.error:
            if len(numbers) > 1:
                return self.halve(order, dialect, numbers)
            return self.tell(order, dialect, numbers[0], "inexportable", archive.error)
        self.send("trying", Step(order, dialect, tuple(numbers)))
        try:
            results = self.load_and_run(archive, order, dialect)
        except BuddyError as error:
            if error.code == UNSUPPORTED and DEFECT not in str(error):
                return self.declined(archive, order, dialect, error)
            if len(numbers) > 1:
                return self.halve(order, dialect, numbers)
            return self.tell(order, dialect, numbers[0], "failed", str(error))
        except Exception as error:
            if len(numbers) > 1:
                return self.halve(order, dialect, numbers)
            return self.tell(order, dialect, numbers[0], "failed", f"{type(error).__name__}: {error}")
        self.judge(order, dialect, numbers, results)

    def halve(self, order: str, dialect: str, numbers: list[int]) -> None:
        middle = len(numbers) // 2
        self.try_samples(order, dialect, numbers[:middle])
        self.try_samples(order, dialect, numbers[middle:])

    def load_and_run(self, archive: Archive, order: str, dialect: str) -> list[list[torch.Tensor]]:
        """The results of each run."""
        model = Model(self.library, archive.paths[dialect], order, self.task.opt_level)
        try:
            if DEFECT in model.warnings:
                raise AssertionError(model.warnings)
            return [model.run([tensor for i in archive.samples for tensor in self.calls[i][run].tensors])
                    for run in range(RUNS)]
        finally:
            model.close()

    def judge(self, order: str, dialect: str, numbers: list[int], results: list[list[torch.Tensor]]) -> None:
        at = 0
        n = len(results[0])
        if n != sum(len(self.wanted[i][0]) for i in numbers) and len(numbers) > 1:
            return self.halve(order, dialect, numbers)
        for place, i in enumerate(numbers):
            end = at + len(self.wanted[i][0]) if place + 1 < len(numbers) else n
            try:
                remarks = [self.compare_run(i, run, results[run][at:end]) for run in range(RUNS)]
                self.tell(order, dialect, i, "passed", remarks[0])
            except AssertionError as error:
                self.tell(order, dialect, i, "failed", f"{error} [sample {self.samples[i].text()}]")
            at = end

    def compare_run(self, i: int, run: int, results: list[torch.Tensor]) -> str:
        try:
            return compare(self.op, self.calls[i][run], results, self.wanted[i][run])
        except AssertionError as error:
            raise AssertionError(f"run {run + 1}: {error}" if run else str(error)) from None

    def declined(self, archive: Archive, order: str, dialect: str, error: BuddyError) -> None:
        """The plan says which samples are to blame; the others are tried again without these."""
        numbers = archive.samples
        if len(numbers) == 1:
            reasons = {0: self.reasons(archive, order, dialect).get(0) or short(str(error))}
        else:
            reasons = self.reasons(archive, order, dialect)
        if not reasons:
            return self.halve(order, dialect, numbers)
        for place, text in reasons.items():
            self.tell(order, dialect, numbers[place], "declined", text)
        self.try_samples(order, dialect, [i for place, i in enumerate(numbers) if place not in reasons])

    def reasons(self, archive: Archive, order: str, dialect: str) -> dict[int, str]:
        """Why samples are declined, by their place in the archive; without those whose nodes do not tell it."""
        found: dict[int, list[str]] = {}
        for decision in plan(self.library, archive.paths[dialect], order):
            place = sample_of(decision.module)
            if not decision.is_taken and place is not None:
                reasons = "; ".join(dict.fromkeys(decision.reasons)) or "no row"
                found.setdefault(place, []).append(f"{decision.op}: {reasons}")
        return {place: " | ".join(dict.fromkeys(texts)) for place, texts in found.items()}


def short(text: str) -> str:
    """Of a diagnostic about one node: the op and the reasons."""
    found = re.search(r"nobody takes (\S+?)(?: \(\d+ nodes\))?; (.*?); types ", text, re.DOTALL)
    return f"{found[1]}: {found[2]}" if found else re.sub(r"^code \d+\n.*?: ", "", text)


def after_crash(task: Task, step: Step | None, text: str, take: Callable) -> Task | None:
    """What to go on with: the samples of the step one by one, or the others if it was of one."""
    numbers = step.samples if step else ()
    pairs = [(step.order, step.dialect)] if step and step.order else list(itertools.product(task.orders, task.dialects))
    if len(numbers) > 1:
        task.alone |= set(numbers)
        return task
    task.crashes += 1
    for i, (order, dialect) in itertools.product(numbers, pairs):
        task.done.add((order, dialect, i))
        take(task, Outcome(Step(order, dialect, (i,)), "crashed", text))
    if not numbers or task.crashes >= CRASHES:
        take(task, Outcome(Step("", "", ()), "crashed", f"given up: {text}"))
        return None
    return task
