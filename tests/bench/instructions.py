# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts the instructions of import, planning, emission, compiling and runs, and says what got slower.

    python3 tests/bench/instructions.py --build build             compares with instructions.txt: ±3 %
    python3 tests/bench/instructions.py --build build --update    writes instructions.txt anew
    … --all                                                       the cases that take minutes, too
    … --only GLOB                                                 the cases of that name: 'run *'

Counts come from callgrind and repeat to within 2 %, most to 0.3 %, whatever else the machine does; wall-clock time
cannot tell a loss of 3 % on a shared machine. They depend on the compiler, its options and the versions of LLVM and the C
library, so the table says which those were, and a comparison with others is refused. The stages are those of the C
API, with all that they call. Runs are those of code for one processor; they want PyTorch, which makes the models.

Exit status: 0 as in the table, 1 something needs over 3 % more, 2 not comparable. What needs over 3 % less is told,
so that the table is renewed.
"""

from __future__ import annotations

import argparse
import fnmatch
import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from import_cost import EXAMPLE, chain_archive

TABLE = Path(__file__).with_suffix(".txt")
TOLERANCE = 0.03
STAGES = {
    "load": "buddy_registries_create",
    "open": "buddy_archive_open",
    "import": "buddy_archive_import",
    "plan": "buddy_plan_create",
    "lower": "buddy_lower",
    "compile": "buddy_compile",
    "run": "buddy_model_run",
}
LLVM = ("libLLVM", "libMLIR")
RUNS = ("run", "--library", "--threads", "1", "--repeat", "3")  # the first of which packs weights
TARGET = "haswell"  # whatever this machine is


@dataclass(frozen=True)
class Case:
    name: str
    command: tuple[str, ...]
    is_slow: bool = False
    stage: str = ""  # the only one that is counted


def cases(folder: Path, build: Path) -> list[Case]:
    """Archives that the tree has or makes itself."""
    example, one, many = str(EXAMPLE), str(folder / "one.pt2"), str(folder / "many.pt2")
    chain_archive(Path(one), 1)
    chain_archive(Path(many), 1000)
    every = [
        Case("registries", ("registries",)),
        Case("explain lenet5", ("explain", example)),
        Case("explain 1000 additions", ("explain", many)),
        Case("import lenet5", ("import", example)),
        Case("import 1000 additions", ("import", many), is_slow=True),
        Case("compile one addition", ("run", "--no-cache", one), is_slow=True),
        Case("compile lenet5", ("run", "--no-cache", example), is_slow=True),
    ]
    if importlib.util.find_spec("torch"):
        every += [Case(f"run {name}", (*RUNS, str(path)), stage="run") for name, path in libraries(folder, build).items()]
    return every


def libraries(folder: Path, build: Path) -> dict[str, Path]:
    """Models compiled ahead of time: what runs is the code alone, under its names."""
    import run_models
    compiled = {}
    for name, path in run_models.write(folder).items():
        compiled[name] = path.with_suffix(".so")
        subprocess.run([build / "bin" / "buddy", "compile", path, "-o", compiled[name], "--target-cpu", TARGET, "--runtime",
                        build / "lib" / "libbuddy_runtime.so"], check=True, capture_output=True)
    return compiled


class Profile:
    """A callgrind file: instructions of each object alone, and of calls of each function with all that they call."""

    def __init__(self, path: Path) -> None:
        self.objects: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()
        names: dict[tuple[str, str], str] = {}

        def name_of(kind: str, text: str) -> str:
            number, _, name = text.partition(" ")
            if name:
                names[kind, number] = name
            return names.get((kind, number), number)

        current, callee, is_call = "", "", False
        for line in path.read_text(errors="replace").splitlines():
            if found := re.match(r"(c?ob|c?fn)=(.*)", line):
                key, text = found.groups()
                name = name_of(key[-2:], text)
                if key == "ob":
                    current = name
                elif key == "cfn":
                    callee = name
            elif line.startswith("calls="):
                is_call = True
            elif re.match(r"[+*-]?\d* ?\d+$", line):
                cost = int(line.split()[-1])
                if is_call:
                    self.calls[callee] += cost
                else:
                    self.objects[current] += cost
                is_call = False

    def rows(self) -> Iterator[tuple[str, int]]:
        """What the table has of a case: the whole, the libraries' share, the stages that took part."""
        yield "all", self.objects.total()
        llvm = sum(n for name, n in self.objects.items() if any(word in name for word in LLVM))
        if llvm:
            yield "of it LLVM and MLIR", llvm
        for stage, function in STAGES.items():
            if self.calls[function]:
                yield stage, self.calls[function]


def count(buddy: Path, case: Case, folder: Path) -> Profile:
    out = folder / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", str(buddy), *case.command]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode != 0:
        sys.exit(f"{case.name}: {' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return Profile(out)


def setting(build: Path) -> str:
    """What the counts depend on beside buddy's sources."""
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    wanted = "CMAKE_BUILD_TYPE|CMAKE_C_FLAGS|CMAKE_C_COMPILER|BUDDY_SANITIZE"
    options = dict(re.findall(rf"^({wanted}):\w+=(.*)$", cache, re.M))
    compiler = subprocess.run([options["CMAKE_C_COMPILER"], "--version"], capture_output=True, text=True, check=True)
    library = subprocess.run(["ldd", "--version"], capture_output=True, text=True, check=True)
    llvm = subprocess.run(["ldd", build / "lib" / "libbuddy_mlir.so"], capture_output=True, text=True, check=True)
    name = re.search(r"libLLVM\S*", llvm.stdout)
    words = [compiler.stdout.splitlines()[0], options.get("CMAKE_BUILD_TYPE") or "no build type",
             options.get("CMAKE_C_FLAGS", ""), options.get("BUDDY_SANITIZE", ""), library.stdout.splitlines()[0],
             name[0] if name else "no LLVM"]
    return "; ".join(word for word in words if word)


def read_table() -> tuple[str, dict[tuple[str, str], int]]:
    if not TABLE.exists():
        return "", {}
    lines = TABLE.read_text(encoding="utf-8").splitlines()
    rows = {}
    for line in lines:
        if found := re.match(r"(\S.*?)  +(\S.*?)  +([\d,]+)$", line):
            rows[found[1], found[2]] = int(found[3].replace(",", ""))
    return next((line[2:] for line in lines if line.startswith("# ")), ""), rows


def write_table(about: str, rows: dict[tuple[str, str], int]) -> None:
    lines = [f"# {about}", "# Written by instructions.py --update --all: instructions by case and stage of the C API."]
    lines += [f"{case:26}{part:24}{number:>16,}" for (case, part), number in rows.items()]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def compare(counted: dict[tuple[str, str], int], kept: dict[tuple[str, str], int]) -> int:
    """Says what changed; the number of losses."""
    losses = 0
    for (case, part), number in counted.items():
        before = kept.get((case, part))
        change = number / before - 1 if before else 0.0
        mark = "" if before else "new"
        if abs(change) > TOLERANCE:
            mark = "MORE" if change > 0 else "less: renew the table"
            losses += change > 0
        print(f"{case:26}{part:24}{number:>16,}{change:>+9.1%}  {mark}".rstrip())
    print(f"{losses} of {len(counted)} counts above the table by more than {TOLERANCE:.0%}")
    return losses


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--all", action="store_true", help="the slow cases, too")
    parser.add_argument("--only", default="*", metavar="GLOB", help="the cases of that name")
    parser.add_argument("--update", action="store_true", help="write the table")
    args = parser.parse_args()
    if not shutil.which("valgrind"):
        print("valgrind is not installed: nothing counted")
        return 2
    about, (kept_about, kept) = setting(args.build), read_table()
    if kept and not args.update and about != kept_about:
        print(f"not comparable: the table is of\n  {kept_about}\nand this build of\n  {about}")
        return 2
    counted: dict[tuple[str, str], int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder), args.build):
            if (args.all or not case.is_slow) and fnmatch.fnmatch(case.name, args.only):
                profile = count(args.build / "bin" / "buddy", case, Path(folder))
                counted |= {(case.name, part): number for part, number in profile.rows() if case.stage in ("", part)}
    if args.update:
        write_table(about, (kept if kept_about == about else {}) | counted)
    return 1 if compare(counted, kept) and not args.update else 0


if __name__ == "__main__":
    sys.exit(main())
