# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""clang-tidy over the C sources of a build, by .clang-tidy.

    python3 tests/docs/run_tidy.py --build build [-j 2] [PATH…]      # PATH: files or folders; default: core sdk plugins

Each source that is clean has passed; the last line is `N passed, N failed`. Takes half an hour of a processor.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TIDY = "clang-tidy-22"


def sources(build: Path, paths: list[str]) -> list[Path]:
    """Those that the build compiles, and that are in the tree: what the build makes itself is nobody's to read."""
    compiled = {Path(entry["file"]) for entry in json.loads((build / "compile_commands.json").read_text())}
    tops = [(ROOT / path).resolve() for path in paths]
    return sorted(one for one in compiled if one.suffix == ".c" and any(one.is_relative_to(top) for top in tops)
                  and not one.is_relative_to(build.resolve()))


def findings(build: Path, source: Path) -> str:
    done = subprocess.run([TIDY, "-p", build, "--quiet", source], capture_output=True, text=True, errors="replace")
    return "" if done.returncode == 0 else done.stdout or done.stderr


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("-j", "--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="*", default=["core", "sdk", "plugins"], metavar="PATH")
    args = parser.parse_args()
    if not shutil.which(TIDY):
        print(f"SKIPPED: {TIDY} is not installed")
        return 0
    failed = 0
    files = sources(args.build, args.paths)
    with ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(lambda source: findings(args.build, source), files):
            failed += bool(found)
            sys.stdout.write(found)
    print(f"{len(files) - failed} passed, {failed} failed")
    return 1 if failed or not files else 0


if __name__ == "__main__":
    sys.exit(main())
