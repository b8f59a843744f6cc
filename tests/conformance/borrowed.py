"""Another project's tests as cases: what coremltools' tests of PyTorch ops export is run by buddy, and compared with eager.

    pip install -r tests/requirements.txt -r tests/conformance/borrowed.txt
    python tests/conformance/borrowed.py --build build [--limit 6] [--order tosa:*] [--log FILE] [pytest arguments]

Nobody here chose these cases: shapes, dims, dtypes, modules. A run goes on where the log of the last one ends. Prints how many
cases had which outcome, and those that did not pass; the last line is `N passed, N failed` (declined cases are neither).
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TESTS = ["converters/mil/frontend/torch/test/test_torch_ops.py"]
CRASHED = 128  # exit statuses from here on, and negative ones, are of signals


def run(options: argparse.Namespace, folder: Path) -> None:
    """Runs pytest, again after each crash, which costs one case."""
    environment = os.environ | {
        "BORROWED_LOG": str(options.log), "BORROWED_BUILD": str(options.build.resolve()), "BORROWED_ORDER": options.order,
        "BORROWED_LIMIT": str(options.limit), "PYTHONPATH": str(HERE),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "borrowed_plugin", "-p", "no:cacheprovider", "--timeout", "120",
               "-W", "ignore", *options.pytest, *(str(folder / test) for test in TESTS)]
    status = -1
    while status < 0 or status >= CRASHED:
        status = subprocess.run(command, env=environment, cwd=folder.parent, check=False).returncode


def report(log: Path) -> int:
    last = {}
    for line in log.read_text().splitlines():
        case = json.loads(line)
        last[case["test"]] = case
    for case in last.values():
        if case["outcome"] in ("failed", "crashed", "declined"):
            print(case["outcome"], case["test"].rsplit("/", 1)[-1], case["text"].replace("\n", " "), sep="  ")
    counts = collections.Counter(case["outcome"] for case in last.values())
    print(", ".join(f"{n} {outcome}" for outcome, n in counts.most_common()))
    failed = counts["failed"] + counts["crashed"]
    print(f"{counts['passed']} passed, {failed} failed")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=6, help="parametrizations of one test; 0: all (default: 6)")
    parser.add_argument("--order", default="tosa:*", help="of registries (default: tosa:*)")
    parser.add_argument("--log", type=Path, default=Path("borrowed.jsonl"))
    options, options.pytest = parser.parse_known_args()
    options.log = options.log.resolve()
    found = importlib.util.find_spec("coremltools")
    if found is None or found.origin is None:
        parser.error(f"coremltools is not installed: pip install -r {HERE / 'borrowed.txt'}")
    options.log.touch()
    run(options, Path(found.origin).parent)
    return report(options.log)


if __name__ == "__main__":
    sys.exit(main())
