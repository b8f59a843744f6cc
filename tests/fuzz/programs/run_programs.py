# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs from PyTorch through buddy, each in several runs, compared with eager and float64.

    python3 tests/fuzz/programs/run_programs.py --build build [--programs N] [--seed S] [--minutes M] [-j 1] [--show]

A finding is printed with its seed and a minimal program; --seed S --programs 1 repeats it. The README beside this file says
what is made and how it is judged. The last line is `N passed, N failed`: right or declined with a reason, and all else.
"""

from __future__ import annotations

import argparse
import functools
import logging
import os
import platform
import random
import re
import resource
import sys
import time
import warnings
from collections import Counter, defaultdict
from pathlib import Path

os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")  # PyTorch's warnings are not what is looked for

import torch  # noqa: E402

FOLDER = Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent.parent)]

from generate import generate  # noqa: E402
from judge import ORDERS, Road, Verdict, judge, scratch  # noqa: E402
from native import Library  # noqa: E402
from reduce import kind, probe, reduce  # noqa: E402
from workers import Handlers, serve_all  # noqa: E402

MOST_MEMORY = 22 << 30  # of a process: combinations of many are more than there is, and PyTorch refuses them then
STEP_SECONDS = 90      # of one program, then it hangs
REDUCE_SECONDS = 60
FINE = ("right", "declined", "export")


@functools.cache
def processors() -> list[str]:
    """For which code runs here: what users have is not what this machine has."""
    flags = Path("/proc/cpuinfo").read_text() if platform.machine() == "x86_64" else ""
    lesser = {"x86-64": "sse2", "nehalem": "sse4_2", "haswell": "avx2", "skylake-avx512": "avx512vl"}
    return ["native", *(name for name, feature in lesser.items() if f" {feature} " in flags)]


def roads_of(seed: int, ahead: float) -> list[Road]:
    rng = random.Random(~seed)
    order = ORDERS[seed % 3]
    if rng.random() < ahead:
        return [Road(order, 2, rng.choice(processors()))]
    return [Road(order, 2 if rng.random() < 0.25 else 0)]


class Run:
    def __init__(self, args: argparse.Namespace):
        self.args, self.build = args, args.build.resolve()
        self.counts, self.reasons, self.found = Counter(), Counter(), defaultdict(list)
        self.start = time.monotonic()

    def setup(self):
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        torch.set_num_threads(1)
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        torch._dynamo.config.fake_tensor_cache_enabled = False  # what is exported once finds little in it
        library = Library(self.build)

        def serve(task, send) -> None:
            seed, verdict = task
            program, roads = generate(seed), roads_of(seed, self.args.ahead)
            if verdict is None:
                verdict = judge(library, self.build, program, roads, lambda what: send("trying", what))
            if verdict.outcome in FINE or self.args.no_reduction:
                return send("result", (verdict, program if verdict.outcome not in FINE else None))
            road = Road(verdict.order, verdict.level, verdict.cpu)

            def again(smaller):
                send("trying", verdict)
                return probe(lambda tell: judge(library, self.build, smaller, [road], tell), STEP_SECONDS / 2)
            program, verdict = reduce(program, verdict, again, REDUCE_SECONDS)
            send("result", (verdict, program))
        return serve

    def take(self, task, value) -> None:
        verdict, program = value
        seed, _ = task
        self.counts[verdict.outcome] += 1
        total = sum(self.counts.values())
        if verdict.outcome == "declined":
            self.reasons[reason_of(verdict.text)] += 1
        if verdict.outcome not in FINE:
            self.show(seed, verdict, program)
        if total % 500 == 0:
            print(f"# {total} programs, {time.monotonic() - self.start:.0f} s: {dict(self.counts)}", flush=True)

    def crashed(self, task, trying, text):
        """A process died or hangs: in torch.export it is PyTorch's own; else a fresh one cuts the program down."""
        seed, known = task
        verdict = trying if trying is not None else Verdict("crashed", text)
        if verdict.outcome == "export":
            self.counts["export"] += 1
            return None
        if known is not None:
            self.counts[known.outcome] += 1
            self.show(seed, known, generate(seed))
            return None
        verdict.outcome, verdict.text = ("hung" if "no answer" in text else "crashed"), text
        return seed, verdict

    def show(self, seed: int, verdict: Verdict, program) -> None:
        ops = sorted(set(re.findall(r"\.(\w+)\(", "\n".join(program.body))))
        key = f"{kind(verdict)} {ops}"
        self.found[key].append(seed)
        if len(self.found[key]) > 1 and not self.args.every:
            return
        how = f"ahead of time for {verdict.cpu}" if verdict.cpu else f"level {verdict.level}"
        print(f"\n{verdict.outcome.upper()} seed {seed}, {verdict.order}, {how}: {verdict.text[:1500]}")
        print(program.page(), flush=True)

    def seeds(self):
        deadline = self.start + 60 * self.args.minutes if self.args.minutes else None
        n = 0
        while (self.args.programs is None or n < self.args.programs) and (deadline is None or time.monotonic() < deadline):
            yield self.args.seed + n, None
            n += 1


def reason_of(text: str) -> str:
    lines = [line for line in text.splitlines() if not line.startswith("code")]
    return re.sub(r"\d+", "N", lines[0] if lines else text)[:160]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--programs", type=int, help="how many; default: until --minutes are over")
    parser.add_argument("--minutes", type=float, help="no new ones after so many minutes")
    parser.add_argument("--seed", type=int, default=1, help="of the first; the next ones count up")
    parser.add_argument("--ahead", type=float, default=0.05, help="the part that is compiled ahead of time")
    parser.add_argument("--no-reduction", action="store_true")
    parser.add_argument("--every", action="store_true", help="also findings like one that was shown")
    parser.add_argument("--show", action="store_true", help="print the programs, and run none")
    parser.add_argument("-j", "--jobs", type=int, default=1)
    args = parser.parse_args()
    if args.programs is None and args.minutes is None:
        args.programs = 1000
    run = Run(args)
    if args.show:
        for seed, _ in run.seeds():
            print(f"# seed {seed}, {roads_of(seed, args.ahead)}\n{generate(seed).page()}\n")
        return 0
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    torch.set_num_threads(1)
    print(f"seed {args.seed}, PyTorch {torch.__version__}, {scratch() or 'the temporary folder'}", flush=True)
    serve_all(Handlers(run.setup, run.take, run.crashed, STEP_SECONDS), run.seeds(), args.jobs)
    total = sum(run.counts.values())
    print(f"\n{total} programs, {time.monotonic() - run.start:.0f} s")
    for outcome, n in run.counts.most_common():
        print(f"{n:7} {outcome}")
    for key, seeds in sorted(run.found.items(), key=lambda one: -len(one[1])):
        print(f"{len(seeds):7} {key[:160]}: seeds {', '.join(map(str, seeds[:8]))}{' …' if len(seeds) > 8 else ''}")
    for reason, n in run.reasons.most_common(30):
        print(f"{n:7} declined: {reason}")
    failed = sum(n for outcome, n in run.counts.items() if outcome not in FINE)
    passed = run.counts["right"] + run.counts["declined"]
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
