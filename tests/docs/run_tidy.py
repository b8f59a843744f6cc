# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Static analysis of the C sources of a build: clang-tidy by .clang-tidy, or gcc -fanalyzer.

    python3 tests/docs/run_tidy.py --build build [--gcc] [-j 2] [PATH…]      # PATH: files or folders; default: core sdk plugins

Asserts hold for both: what an analyzer cannot see is stated as one, or changed so that it can. Each source without a finding has
passed; one that gcc has not ended with in five minutes is named, and counts as neither. The last line is `N passed, N failed`.
Takes half an hour of a processor, or as much by gcc.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TIDY = "clang-tidy-22"
GCC_SECONDS = 300
GCC = ["gcc", "-O1", "-U_FORTIFY_SOURCE", "-fanalyzer", "-Werror", "-DBUDDY_PARANOID", "-UNDEBUG", "-S", "-o", "/dev/null"]


def commands(build: Path, paths: list[str]) -> dict[Path, dict[str, str]]:
    """How the build compiles its sources that are in the tree: what the build makes itself is nobody's to read."""
    tops = [(ROOT / path).resolve() for path in paths]
    entries = {Path(entry["file"]): entry for entry in json.loads((build / "compile_commands.json").read_text())}
    return {source: entries[source] for source in sorted(entries)
            if source.suffix == ".c" and any(source.is_relative_to(top) for top in tops) and not source.is_relative_to(build.resolve())}


def by_clang(build: Path, source: Path, entry: dict[str, str]) -> str:
    done = subprocess.run([TIDY, "-p", build, "--quiet", source], capture_output=True, text=True, errors="replace")
    return "" if done.returncode == 0 else done.stdout or done.stderr


def by_gcc(build: Path, source: Path, entry: dict[str, str]) -> str | None:
    """None: it did not end in time."""
    words = shlex.split(entry["command"])
    flags = [word for word in words if word.startswith(("-D", "-I", "-std", "-f", "-m"))]
    system = [word for flag, folder in zip(words, words[1:]) if flag == "-isystem" for word in (flag, folder)]
    done = subprocess.run(["timeout", str(GCC_SECONDS), GCC[0], *flags, *system, *GCC[1:], source],  # ends gcc's own processes, too
                          cwd=entry["directory"], capture_output=True, text=True, errors="replace")
    return "" if done.returncode == 0 else None if done.returncode == 124 else done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--gcc", action="store_true", help="gcc -fanalyzer in place of clang-tidy")
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="*", default=["core", "sdk", "plugins"], metavar="PATH")
    args = parser.parse_args()
    if not shutil.which(GCC[0] if args.gcc else TIDY):
        print(f"SKIPPED: {GCC[0] if args.gcc else TIDY} is not installed")
        return 0
    find: Callable[[Path, Path, dict[str, str]], str | None] = by_gcc if args.gcc else by_clang
    passed = failed = 0
    sources = commands(args.build, args.paths)
    with ThreadPoolExecutor(args.jobs) as pool:
        for source, found in zip(sources, pool.map(lambda one: find(args.build, one, sources[one]), sources)):
            passed += found == ""
            failed += bool(found)
            sys.stdout.write(f"not analysed in {GCC_SECONDS} s: {source.relative_to(ROOT)}\n" if found is None else found)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
