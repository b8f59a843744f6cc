# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets each allocation of buddy's own code fail, one in a run, and looks at what the command makes of it.

    python3 tests/command/malloc_sweep.py --build build [--at-most 150] [--model MODEL.pt2 --input FILE.npy…] [SCENARIO…]

Of N allocations in a scenario those at the beginning and a sample of the others fail, one a run. A run must end by itself,
with status 0 and all that it says and writes else, or with 1 and a sentence that says that memory ran out; a cache must be as
good as it was. The last line is `N runs, N failed`.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "examples" / "models" / "lenet5.pt2"
INPUT = ROOT / "examples" / "models" / "lenet5_input.npy"
SOURCE = Path(__file__).with_name("fail_nth.c")
SAID = ("memory ran out", "out of memory", "cannot allocate memory", "there is no memory", "has no memory")


class Scenario:
    def __init__(self, words: list[object], warm: bool = False, prepare: Callable[[Sweep], None] | None = None,
                 text: Path | None = None) -> None:  # fmt: skip
        """text: a file that is written, the same in each run."""
        self.words, self.warm, self.prepare, self.text = words, warm, prepare, text

    def told(self, result: subprocess.CompletedProcess[str]) -> list[str]:
        """What each good run says, and writes: all but times."""
        lines = [line for line in result.stdout.splitlines() if not line.endswith(" ms")]
        return lines + (self.text.read_text().splitlines() if self.text else [])


class Sweep:
    def __init__(self, build: Path, folder: Path, preload: Path) -> None:
        self.build, self.folder, self.preload = build, folder, preload
        self.cache = folder / "cache"
        self.count = folder / "count"
        self.sites: dict[str, str] = {}

    def run(self, words: list[object], at: int = 0) -> subprocess.CompletedProcess[str]:
        clean = {key: value for key, value in os.environ.items() if not key.startswith("BUDDY_")}
        self.count.unlink(missing_ok=True)
        env = clean | {"LD_PRELOAD": str(self.preload), "BUDDY_FAIL_AT": str(at), "BUDDY_FAIL_COUNT": str(self.count),
                       "BUDDY_CACHE_DIR": str(self.cache), "BUDDY_CONFIG": ""}
        return subprocess.run([str(self.build / "bin" / "buddy"), *map(str, words)], capture_output=True, text=True, env=env,
                              timeout=120, errors="replace", check=False)

    def counted(self) -> tuple[int, str]:
        if not self.count.exists():
            return 0, "unknown"
        lines = self.count.read_text().splitlines()
        return int(lines[0]), lines[1] if len(lines) > 1 else ""

    def entries(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in sorted(self.cache.iterdir())} if self.cache.exists() else {}


def points(n: int, at_most: int) -> list[int]:
    if n <= at_most:
        return list(range(1, n + 1))
    first = at_most // 3
    step = (n - first) / (at_most - first)
    return list(range(1, first + 1)) + sorted({first + 1 + int(k * step) for k in range(at_most - first)} - {0})


def judge(result: subprocess.CompletedProcess[str], told: list[str], good: list[str]) -> str:
    text = result.stdout + result.stderr
    if result.returncode < 0 or result.returncode > 1:
        return f"ends with {result.returncode}"
    if result.returncode == 1 and not any(word in text.lower() for word in SAID):
        return "does not say that memory ran out"
    if result.returncode == 0 and told != good:
        return "says or writes other things than a good run"
    return "is called damaged" if "damaged" in text else ""


def sweep(name: str, scenario: Scenario, s: Sweep, at_most: int) -> tuple[int, int]:
    shutil.rmtree(s.cache, ignore_errors=True)
    s.cache.mkdir(mode=0o700)
    if scenario.prepare:
        scenario.prepare(s)
    if scenario.warm:
        s.run(scenario.words)
    good = s.run(scenario.words)
    n, _ = s.counted()
    assert good.returncode == 0 and n > 0, (name, good.stdout + good.stderr)
    told, before = scenario.told(good), s.entries()
    n_runs = n_failed = 0
    for at in points(n, at_most):
        if not scenario.warm:
            shutil.rmtree(s.cache, ignore_errors=True)
        result = s.run(scenario.words, at)
        problem = judge(result, scenario.told(result), told)
        if not problem and scenario.warm and not set(before) <= set(s.entries()):
            problem = "an entry of the cache is gone"
        n_runs += 1
        if problem:
            n_failed += 1
            print(f"{name}: allocation {at} of {n}: {problem}; {s.counted()[1]}: {result.stderr.strip()[-300:]!r}", flush=True)
            if scenario.warm:
                s.run(scenario.words)
    print(f"{name}: {n} allocations, {n_runs} runs, {n_failed} failed", flush=True)
    return n_runs, n_failed


def scenarios(folder: Path, model: Path = MODEL, inputs: list[Path] | None = None) -> dict[str, Scenario]:
    library = folder / "model.so"
    given = [word for path in inputs or [INPUT] for word in ("--input", path)]

    def build(s: Sweep) -> None:
        s.run(["compile", model, "-o", library, "-O0", "--runtime", s.build / "lib" / "libbuddy_runtime.so"])

    return {"registries": Scenario(["registries"]), "config": Scenario(["config"]), "ops": Scenario(["ops"]),
            "explain": Scenario(["explain", model, "--registries", "tosa:*"]),
            "import": Scenario(["import", model, "-o", folder / "x.mlir"], text=folder / "x.mlir"),
            "cached": Scenario(["run", model, *given, "--output-dir", folder / "out"], warm=True),
            "cold": Scenario(["run", model, *given, "-O0"]),
            "compile": Scenario(["compile", model, "-o", folder / "y.so", "-O0"]),
            "ahead": Scenario(["run", library, *given], prepare=build),
            "check": Scenario(["check", model])}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--at-most", type=int, default=150)
    parser.add_argument("--model", type=Path, default=MODEL)
    parser.add_argument("--input", type=Path, action="append", help="of the model, one after the other")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    n_runs = n_failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        preload = folder / "fail_nth.so"
        subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", preload, SOURCE, "-ldl"], check=True)
        s = Sweep(args.build.resolve(), folder, preload)
        for key, scenario in scenarios(folder, args.model.resolve(), args.input).items():
            if args.names and key not in args.names:
                continue
            runs, failed = sweep(key, scenario, s, args.at_most)
            n_runs, n_failed = n_runs + runs, n_failed + failed
    print(f"{n_runs} runs, {n_failed} failed")
    return 1 if n_failed else 0


if __name__ == "__main__":
    sys.exit(main())
