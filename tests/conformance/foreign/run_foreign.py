# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of other projects, which nobody here chose: each exported with fixed sizes and with dynamic ones, run by buddy, compared.

    pip install -r tests/requirements.txt && pip install --no-deps -r tests/conformance/foreign/requirements.txt
    python tests/conformance/foreign/run_foreign.py --build build [--source NAME…] [--only NAME…] [--limit N] [--log FILE]

Judged as random programs are (tests/fuzz/programs/README.md): three runs with other numbers, or at sizes of one more, 1, an odd one, 0
and the export's again, against eager and float64. A source whose package is absent is skipped and named. A run goes on where
the log of the last one ends; the last line is `N passed, N failed`.
"""

from __future__ import annotations

import argparse
import fnmatch
import hashlib
import json
import logging
import os
import sys
import time
import warnings
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent.parent
sys.path[:0] = [str(HERE), str(TESTS / "fuzz" / "programs"), str(TESTS)]
os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch  # noqa: E402
from foreign import Foreign  # noqa: E402
from judge import Road, Verdict, judge, silence  # noqa: E402
from native import Library  # noqa: E402
from sources import SOURCES  # noqa: E402
from workers import Handlers, serve_all  # noqa: E402

STEP_SECONDS = 120
# Not counted: PyTorch's own (export, specialised, random), what no call was found for (unbuilt), and runs at sizes at which the shapes
# that the archive declares do not hold, though eager goes on (bounded: sdk/docs/limits.md).
FINE = ("right", "declined", "export", "unbuilt", "specialised", "random", "bounded")
MODES = ("static", "dynamic")


class Run:
    """Takes the sources' programs one by one, and keeps what came of each."""

    def __init__(self, options: argparse.Namespace):
        self.options, self.build = options, options.build.resolve()
        self.done: dict[str, Verdict] = {}
        if options.log.exists():
            for line in options.log.read_text().splitlines():
                self.note(Verdict(**json.loads(line)["verdict"]), json.loads(line)["case"])
        self.log = open(options.log, "a", buffering=1)

    def note(self, verdict: Verdict, case: str) -> None:
        self.done[case] = verdict

    def tasks(self):
        for source in self.options.source or SOURCES:
            try:
                with silence():
                    names = list(SOURCES[source].names())
            except Exception as error:  # absent, or built for other versions
                print(f"skipped: {source}: {str(error)[:200]}", flush=True)
                continue
            names.sort(key=lambda name: hashlib.sha256(name.encode()).digest())  # whoever stops early has seen some of all kinds
            only = self.options.only
            names = [name for name in names if not only or any(fnmatch.fnmatch(name, one) for one in only)]
            for name in names[:self.options.limit]:
                for mode in self.options.mode:
                    known = self.done.get(f"{source}/{name}/{mode}")
                    other = self.done.get(f"{source}/{name}/{MODES[0]}")
                    if known is None and other is not None and other.outcome == "unbuilt":  # as in the other mode, and it took as long
                        self.take((source, name, mode), Verdict(**vars(other)))
                    elif known is None or known.outcome in self.options.again:
                        yield source, name, mode

    def setup(self):
        torch.set_num_threads(1)
        logging.disable(logging.WARNING)
        warnings.simplefilter("ignore")
        library = Library(self.build)

        def serve(task, send) -> None:
            source, name, mode = task
            send("trying", Verdict("export", "in making it, or in torch.export"))
            torch.manual_seed(0)
            try:
                with silence():
                    program = Foreign(SOURCES[source].make(name), mode == "dynamic")
            except Exception as error:
                return send("result", Verdict("unbuilt", f"{type(error).__name__}: {error}"[:300]))
            send("result", judge(library, self.build, program, [Road(self.options.order, self.options.level)], lambda what: send("trying", what)))
        return serve

    def take(self, task, verdict: Verdict) -> None:
        case = "/".join(task)
        if verdict.outcome == "export":
            kind = verdict.text.split(":")[0]
            verdict.outcome = {"NotDynamic": "specialised", "Random": "random"}.get(kind, "export")
        if verdict.outcome == "refused" and "the program holds only where" in verdict.text:
            verdict.outcome = "bounded"
        self.note(verdict, case)
        self.log.write(json.dumps({"case": case, "verdict": vars(verdict)}) + "\n")
        if verdict.outcome not in FINE or verdict.outcome == "declined":
            print(f"{verdict.outcome.upper()} {case}: {verdict.text[:600]}", flush=True)

    def crashed(self, task, trying, text: str):
        verdict = trying or Verdict("crashed")
        if verdict.outcome == "crashed":
            verdict.outcome = "hung" if "no answer" in text else "crashed"
        verdict.text = f"{verdict.text} {text}"
        self.take(task, verdict)

    def report(self) -> int:
        failed = passed = 0
        for source in SOURCES:
            for mode in MODES:
                counts = Counter(v.outcome for case, v in self.done.items() if case.startswith(source + "/") and case.endswith("/" + mode))
                if counts:
                    print(f"{source}, {mode}: " + ", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
                failed += sum(n for outcome, n in counts.items() if outcome not in FINE)
                passed += counts["right"]
        print(f"{passed} passed, {failed} failed")
        return 1 if failed or not passed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--source", nargs="+", choices=SOURCES, help="default: all")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="* and ? are wildcards")
    parser.add_argument("--mode", nargs="+", choices=MODES, default=MODES)
    parser.add_argument("--limit", type=int, help="programs of each source")
    parser.add_argument("--again", nargs="+", default=[], metavar="OUTCOME", help="judge those of this outcome again")
    parser.add_argument("--order", default="tosa:*", help="of registries (default: tosa:*)")
    parser.add_argument("--level", type=int, default=0, help="of optimisation (default: 0)")
    parser.add_argument("--log", type=Path, default=Path("foreign.jsonl"))
    parser.add_argument("-j", "--jobs", type=int, default=1)
    options = parser.parse_args()
    run = Run(options)
    serve_all(Handlers(run.setup, run.take, run.crashed, STEP_SECONDS), run.tasks(), options.jobs)
    return run.report()


if __name__ == "__main__":
    sys.exit(main())
