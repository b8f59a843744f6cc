# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What `buddy profile` costs a run: two programs of a model, one of which measures itself, run in turns in one process.

    python tests/bench/profile_cost.py --build build [--runs N] MODEL.pt2…

Inputs are the .npy files that tests/models/export.py puts beside an archive, in the folder of its name. Runs are timed in rounds of
many, for not all runs of microseconds are measured. A line for each
model: the least and the median time of a round's run without and with, in milliseconds, and by how much the least is longer. Needs
numpy. The last line is `N passed, N failed`: with at most 3 % more, a run passes.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from capi import Library, Memory, Model, dense_strides  # noqa: E402

MOST = 0.03


def inputs_of(path: Path) -> list[Memory]:
    files = sorted(path.with_suffix("").glob("input_*.npy"), key=lambda file: int(file.stem.split("_")[1]))
    arrays = [np.ascontiguousarray(np.load(file)) for file in files]
    return [Memory(array, array.ctypes.data, str(array.dtype), array.shape, dense_strides(array.shape)) for array in arrays]


ROUND = 1e-3  # seconds, at least


def timed(model: Model, inputs: list[Memory], n: int) -> float:
    """Of n runs, each."""
    seconds = 0.0
    for _ in range(n):
        begin = time.perf_counter()
        results = model.run(inputs)
        seconds += time.perf_counter() - begin
        results.release()
    return seconds / n


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--runs", type=int, default=200, help="rounds of runs")
    parser.add_argument("--order", default="tosa:*")
    parser.add_argument("models", type=Path, nargs="+")
    args = parser.parse_args()
    library, good = Library(args.build), []
    for path in args.models:
        models = [Model(library, path, args.order, profile=profile) for profile in (0, 1)]
        inputs = inputs_of(path)
        least = min(timed(models[0], inputs, 1) for _ in range(10))
        n = 1 + int(ROUND / least)
        times = [[timed(model, inputs, n) for model in models] for _ in range(args.runs)]
        plain, measured = ([1e3 * pair[k] for pair in times] for k in (0, 1))
        more = min(measured) / min(plain) - 1
        good.append(more <= MOST)
        print(f"{path.stem:<32}{min(plain):8.3f} {statistics.median(plain):8.3f}  {min(measured):8.3f} {statistics.median(measured):8.3f}"
              f"  {100 * more:+6.1f} %", flush=True)
        for model in models:
            model.close()
    print(f"{sum(good)} passed, {len(good) - sum(good)} failed")
    return len(good) > sum(good)


if __name__ == "__main__":
    sys.exit(main())
