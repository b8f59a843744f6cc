# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results declared as what they are not: with a size, a rank or a dtype that does not follow from the arguments.

    python3 tests/fuzz/archives/false_types.py --build build [--ops N] [--order REGISTRIES]

Takes archives of one call each, of ops of PyTorch's OpInfo database, as they are and decomposed, and makes one type of each false in
every way of these: a size one less and one more, a dim less and one more, each other dtype. All have to be refused before a registry
is asked for code, but for those of OPEN. The last line is `N passed, N failed`, in declarations.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

from forge import Source, calls_of_ops, read_source, write  # noqa: E402

BATCH = 400
DTYPES = (2, 4, 5, 6, 7, 8, 10, 12, 13)  # of PyTorch's enumeration: i8, i32, i64, f16, f32, f64, c64, bool, bf16
# What an op's arguments do not tell: how many there are depends on values, or on the kernel that PyTorch takes.
OPEN = {
    "size": {"_unique2", "argwhere", "embedding_bag", "_embedding_bag_forward_only", "linalg_matrix_rank", "nonzero", "nonzero_numpy",
             "repeat_interleave", "unique_consecutive", "unique_dim", "masked_select", "bincount", "_linear_cross_entropy_batch_chunked",
             # where they stand for no elements
             "cumulative_trapezoid", "dstack", "linalg_tensorinv", "pairwise_distance"},
    "rank": {"embedding_bag", "_embedding_bag_forward_only", "unique_consecutive", "unique_dim", "atleast_1d", "atleast_2d", "atleast_3d",
             "pairwise_distance", "linalg_tensorinv", "linalg_tensorsolve", "quantile", "nanquantile", "dstack", "hstack", "vstack",
             "_linear_cross_entropy_batch_chunked", "_trilinear"},
    "dtype": {"_batch_norm_with_update", "_batch_norm_with_update_functional", "_scaled_mm", "arange", "embedding_bag",
              "_embedding_bag_forward_only", "pow", "_linear_cross_entropy_batch_chunked"},
}


def results(graph: dict) -> Iterator[tuple[str, dict]]:
    """The op and the type of each tensor that a node makes."""
    for node in graph["nodes"]:
        for output in node["outputs"]:
            for one in [output.get("as_tensor"), *(output.get("as_tensors") or [])]:
                if one and ".higher_order." not in node["target"]:  # tokens, which nobody reads
                    yield node["target"].split(".")[-2], graph["tensor_values"][one["name"]]


def false_types(source: Source) -> Iterator[tuple[str, str, bytes]]:
    """How, of which op, and the program."""
    document = source.document()
    for op, declared in results(document["graph_module"]["graph"]):
        sizes, strides, dtype = declared["sizes"], declared["strides"], declared["dtype"]
        for i, size in enumerate(sizes):
            for other in (size.get("as_int", 0) - 1, size.get("as_int", -2) + 1):
                if other >= 0:
                    declared["sizes"] = [*sizes[:i], {"as_int": other}, *sizes[i + 1:]]
                    yield "size", op, json.dumps(document).encode()
        for n in ({len(sizes) - 1, len(sizes) + 1} - {-1}):
            declared["sizes"] = [*sizes, {"as_int": 1}][:n]
            declared["strides"] = [*strides, {"as_int": 1}][:n]
            yield "rank", op, json.dumps(document).encode()
        declared["sizes"], declared["strides"] = sizes, strides
        for other in DTYPES:
            if other != dtype:
                declared["dtype"] = other
                yield "dtype", op, json.dumps(document).encode()
        declared["dtype"] = dtype


def drive(build: Path, order: str, batch: list[tuple[str, str, Path]]) -> tuple[Counter, list[str]]:
    """How many are refused, and what else came of the others."""
    refused, failures = Counter(), []
    while batch:
        lines = "".join(f"import {path}\n" for _, _, path in batch)
        done = subprocess.run([build / "bin" / "forged_archives"], input=lines, capture_output=True, text=True, errors="replace",
                              env=os.environ | {"BUDDY_REGISTRIES": order}, check=False)
        ends = [line.split(" ")[3] for line in done.stdout.splitlines() if line.startswith("end ")]
        for (how, op, path), stage in zip(batch, ends):
            if stage == "done" and op not in OPEN[how]:
                failures.append(f"{how} of {op} ({path.stem}): accepted")
            refused[how] += stage != "done"
        if len(ends) < len(batch):
            how, op, path = batch[len(ends)]
            failures.append(f"{how} of {op} ({path.stem}): ended the process ({done.returncode}) {done.stderr[-500:]}")
        for _, _, path in batch[: len(ends) + 1]:
            path.unlink()
        batch = batch[len(ends) + 1:]
    return refused, failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--ops", type=int, default=10000, help="as many as this")
    parser.add_argument("--order", default="linalg:*", help="BUDDY_REGISTRIES")
    args = parser.parse_args()
    refused, failures, n, batch = Counter(), [], 0, []

    def finish() -> None:
        some, more = drive(args.build.resolve(), args.order, batch)
        refused.update(some)
        failures.extend(more)
        batch.clear()

    with tempfile.TemporaryDirectory() as folder:
        for path in calls_of_ops(Path(folder), args.ops, decomposed=True):
            source = read_source(path)
            for how, op, program in false_types(source):
                forged = Path(folder) / f"{path.stem}@{n}.pt2"
                forged.write_bytes(write(source.entries | {source.program: program}))
                batch.append((how, op, forged))
                n += 1
                if len(batch) == BATCH:
                    finish()
        finish()
    for failure in failures:
        print(failure)
    print(f"refused: {dict(refused)}; accepted where the arguments do not tell: {n - sum(refused.values()) - len(failures)}")
    print(f"{n - len(failures)} passed, {len(failures)} failed")
    return 1 if failures or not n else 0


if __name__ == "__main__":
    sys.exit(main())
