# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other projects' tests as cases: what they give to torch.export is run by buddy, and compared with eager.

    pip install -r tests/requirements.txt -r tests/conformance/borrowed.txt && pip install --no-deps executorch==1.5.1
    python tests/conformance/borrowed.py --build build [--project coremltools | executorch] [--tests PATH…] [--limit 6]
        [--order tosa:*] [--log FILE] [pytest arguments]

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
# Of each project, what it has tests of PyTorch programs in.
PROJECTS = {
    "coremltools": ["converters/mil/frontend/torch/test/test_torch_ops.py"],
    "executorch": ["backends/test/suite/operators", "backends/xnnpack/test/ops", "backends/arm/test/ops", "backends/cortex_m/test/ops",
                   "backends/webgpu/test/ops", "exir/tests"],
}
CRASHED = 128  # exit statuses from here on, and negative ones, are of signals


def run(options: argparse.Namespace, folder: Path) -> None:
    """Runs pytest, again after each crash, which costs one case."""
    environment = os.environ | {
        "BORROWED_LOG": str(options.log), "BORROWED_BUILD": str(options.build.resolve()), "BORROWED_ORDER": options.order,
        "BORROWED_LIMIT": str(options.limit), "PYTHONPATH": str(HERE),
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "borrowed_plugin", "-p", "no:cacheprovider", "--timeout", "120",
               "-W", "ignore", "--continue-on-collection-errors", *options.pytest,
               *(str(folder / test) for test in options.tests or PROJECTS[options.project])]
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
    parser.add_argument("--project", choices=PROJECTS, default="coremltools", help="default: coremltools")
    parser.add_argument("--tests", nargs="+", metavar="PATH", help="in the project's package; default: all that are known")
    parser.add_argument("--limit", type=int, default=6, help="parametrizations of one test; 0: all (default: 6)")
    parser.add_argument("--order", default="tosa:*", help="of registries (default: tosa:*)")
    parser.add_argument("--log", type=Path, default=Path("borrowed.jsonl"))
    options, options.pytest = parser.parse_known_args()
    options.log = options.log.resolve()
    found = importlib.util.find_spec(options.project)
    if found is None or not found.submodule_search_locations:
        parser.error(f"{options.project} is not installed: see {__file__} --help, and {HERE / 'borrowed.txt'}")
    options.log.touch()
    run(options, Path(next(iter(found.submodule_search_locations))))
    return report(options.log)


if __name__ == "__main__":
    sys.exit(main())
