# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs PyTorch's own OpInfo database against a build: each sample is exported, run by the C library three times, the
second and third with other numbers (redraw.py), and compared.

    python3 tests/conformance/run_conformance.py --build build [--dtypes natural | all | float32,int64,…]
        [--modes static,dynamic] [--dialects composite,decomposed] [--registries ORDER]… [--only GLOB]… [--samples N]
        [--shard I/N] [--redo changed | unpassed | all | nothing] [-j N] [--json FILE] [--page FILE] [--digest FILE] [--readme]
        [--fast | --record]

An entry is an op variant in one dtype; it passes if every sample does (cases.py tells the outcomes of a sample). What
cannot be exported, and what eager PyTorch itself refuses, is listed apart. Results are kept in the build folder and an
entry is run again only if the libraries have changed since (--redo changed), or unless it has passed (unpassed).

--fast is what a landing runs: every entry in its natural dtype, a few samples each; an entry that passing.txt names and
that does not pass any more has failed, and so has an overload of PyTorch that overloads.py finds forgotten or lost. --record runs the same and writes passing.txt and failing.txt anew.
The last line is `N passed, N failed`; failed counts wrong numbers, crashes and entries lost, not what is declined with
a reason. With --fast, faults that failing.txt names, which are known and open, are told and not counted.
"""

from __future__ import annotations

import argparse
import fnmatch
import logging
import os
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

import overloads  # noqa: E402
from cases import Entry, Outcome, Server, Step, Task, Total, after_crash  # noqa: E402
from entries import DTYPES, dtypes_of, operators  # noqa: E402
from report import write_json, write_page, write_sweeps  # noqa: E402
from results import Collector, Record, Store, digest, stamp_of, summary  # noqa: E402
from workers import Handlers, serve_all  # noqa: E402

DIALECTS = ["composite", "decomposed"]
MODES = ["static", "dynamic"]
FAST_SAMPLES = 2
PASSING = FOLDER / "passing.txt"
FAILING = FOLDER / "failing.txt"
SECONDS = 120  # of a step; then its process is ended


def entries(args: argparse.Namespace) -> list[Entry]:
    found = []
    for name, op in sorted(operators().items()):
        if args.only and not any(fnmatch.fnmatch(name, glob) for glob in args.only):
            continue
        dtypes = dtypes_of(op)
        if args.dtypes == ["natural"]:
            dtypes = dtypes[:1]
        elif args.dtypes != ["all"]:
            dtypes = [dtype for dtype in dtypes if dtype in args.dtypes]
        found += [Entry(name, dtype, mode == "dynamic") for dtype in dtypes for mode in args.modes]
    shard, shards = args.shard
    return found[shard::shards]


def is_current(record: Record | None, redo: str, stamp: str, samples: int) -> bool:
    """Whether what is known of an entry need not be found out again."""
    if record is None or redo == "all":
        return False
    if redo == "nothing":
        return True
    fewer = record.tried < (min(samples, record.total) if samples else record.total)
    if redo == "unpassed":
        return record.verdict == "passed" and not fewer
    return record.stamp == stamp and not fewer


class Progress:
    """A line per entry that is not passed, and now and then how far it has come."""

    def __init__(self, total: int, verbose: bool):
        self.total, self.done, self.verbose = total, 0, verbose
        self.count: Counter[str] = Counter()
        self.start = self.told = time.monotonic()

    def add(self, records: list[Record]) -> None:
        self.done += 1
        for record in records:
            self.count[record.verdict] += 1
            if self.verbose or record.verdict in ("failed", "crashed"):
                text = " ".join(record.reason.split())
                print(f"{record.verdict.upper():8} {record.entry.name} [{record.dialect}, {record.order}] "
                      f"{dict(record.counts)} {text[:300]}", flush=True)
        now = time.monotonic()
        if now - self.told > 10 or self.done == self.total:
            self.told = now
            words = ", ".join(f"{n} {verdict}" for verdict, n in self.count.most_common())
            print(f"{self.done} of {self.total} entries, {now - self.start:.0f} s: {words}", flush=True)


def run(args: argparse.Namespace, store: Store, stamp: str) -> list[Record]:
    found, tasks = [], []
    for entry in entries(args):
        known = [store.read(entry, order, dialect) for order in args.registries for dialect in args.dialects]
        if all(is_current(record, args.redo, stamp, args.samples) for record in known):
            found += known
        elif args.redo != "nothing":
            tasks.append(Task(entry, args.registries, args.dialects, args.samples, args.opt))
    collector, progress = Collector(store, stamp), Progress(len(tasks), args.verbose)

    def setup():
        log = os.open(args.build / "conformance" / "workers.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(log, 1)  # torch.export prints the graphs that it refuses
        os.dup2(log, 2)
        logging.disable(logging.WARNING)  # torch.export's remarks on dynamic dims
        warnings.simplefilter("ignore")
        server = Server(args.build.resolve(), args.cache)

        def serve(task: Task, send) -> None:
            server.serve(task, send)
            send("result", None)
        return serve

    def take(task: Task, value: Outcome | Total | None) -> None:
        if isinstance(value, Total):
            collector.totals[task.entry] = value
        elif value is None:
            records = collector.finish(task.entry, task.orders, task.dialects)
            found.extend(records)
            progress.add(records)
        else:
            for order in [value.step.order] if value.step.order else task.orders:
                for dialect in [value.step.dialect] if value.step.dialect else task.dialects:
                    collector.record(task.entry, order, dialect).add(value)
            task.done |= {(value.step.order, value.step.dialect, i) for i in value.step.samples}

    def crashed(task: Task, step: Step | None, text: str) -> Task | None:
        rest = after_crash(task, step, text, take)
        if rest is None:
            take(task, None)
        return rest

    serve_all(Handlers(setup, take, crashed, args.seconds), tasks, args.jobs)
    return found


def lost(records: list[Record]) -> list[Record]:
    """Those not passed although passing.txt names them."""
    named = set(PASSING.read_text().split())
    return [record for record in records if record.verdict in ("declined", "no samples") and record.entry.op in named]


def known(records: list[Record]) -> list[Record]:
    """Those that fail and that failing.txt names."""
    named = {line.split(maxsplit=1)[0] for line in FAILING.read_text().splitlines() if line}
    return [record for record in records if record.verdict == "failed" and record.entry.op in named]


def words(allowed: list[str], *more: str):
    def parse(text: str) -> list[str]:
        found = text.split(",")
        wrong = [word for word in found if word not in (*allowed, *more)]
        if wrong:
            raise argparse.ArgumentTypeError(f"{', '.join(wrong)}: not among {', '.join([*more, *allowed])}")
        return found
    return parse


def shard(text: str) -> tuple[int, int]:
    i, n = (int(part) for part in text.split("/"))
    if not 0 <= i < n:
        raise argparse.ArgumentTypeError(f"{text}: shards are numbered from 0/{n} to {n - 1}/{n}")
    return i, n


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--dtypes", type=words(list(DTYPES), "natural", "all"), default=["natural"])
    parser.add_argument("--modes", type=words(MODES), default=["static"])
    parser.add_argument("--dialects", type=words(DIALECTS), default=["composite"])
    parser.add_argument("--registries", action="append", metavar="ORDER", help="default: tosa:*")
    parser.add_argument("--only", action="append", metavar="GLOB", help="of op names, as in 'nn_functional_*pool*'")
    parser.add_argument("--samples", type=int, default=0, metavar="N", help="of an entry, spread evenly; default: all")
    parser.add_argument("--shard", type=shard, default=(0, 1), metavar="I/N")
    parser.add_argument("--redo", choices=["changed", "unpassed", "all", "nothing"], default="changed")
    parser.add_argument("--cache", type=Path, help="folder of the archives; default: in the build folder")
    parser.add_argument("--opt", type=int, default=-1, help="optimisation level of the code; -1: the default")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="limit of a step")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--json", type=Path, help="every result")
    parser.add_argument("--page", type=Path, help="the same as a page that sorts and filters")
    parser.add_argument("--digest", type=Path, help="what does not pass, by reason, as Markdown")
    parser.add_argument("--readme", action="store_true", help="write what passed into the table of README.md; of whole sweeps alone")
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    if args.readme and (args.only or args.shard[1] > 1):
        parser.error("--readme is for whole sweeps: without --only and --shard")
    args.registries = args.registries or ["tosa:*"]
    if args.fast or args.record:
        args.samples = FAST_SAMPLES
    folder = args.build / "conformance"
    args.cache = (args.cache or folder / "archives").resolve()
    start = time.monotonic()
    store = Store(folder / ("fast" if args.fast or args.record else "results"))
    records = run(args, store, stamp_of(args.build))
    records.sort(key=lambda record: (record.entry.name, record.order, record.dialect))
    if args.json:
        write_json(args.json, records)
    if args.page:
        write_page(args.page, records)
    if args.digest:
        args.digest.write_text(digest(records))
    if args.readme:
        write_sweeps(FOLDER / "README.md", records, str(args.samples or "all"), args.dtypes == ["natural"])
    if args.record:
        names = sorted({record.entry.op for record in records if record.verdict == "passed"})
        PASSING.write_text("".join(f"{name}\n" for name in names))
        faults = {record.entry.op: " ".join(record.reason.split())[:160] for record in records if record.verdict == "failed"}
        FAILING.write_text("".join(f"{name} {why}\n" for name, why in sorted(faults.items())))
    gone = lost(records) if args.fast else []
    open_faults = known(records) if args.fast else []
    for record in open_faults:
        print(f"KNOWN    {record.entry.name}: {record.reason}")
    for record in gone:
        print(f"LOST     {record.entry.name}: it passed once; now {record.verdict}: {record.reason}")
    print("\n".join(summary(records)))
    count = Counter(record.verdict for record in records)
    of_names = overloads.faults(args.build.resolve()) if args.fast else []
    for fault in of_names:
        print(f"OVERLOAD {fault}")
    failed = count["failed"] + count["crashed"] + len(gone) + len(of_names) - len(open_faults)
    print(f"{time.monotonic() - start:.0f} s")
    print(f"{count['passed']} passed, {failed} failed")
    return 1 if failed or not records else 0


if __name__ == "__main__":
    sys.exit(main())
