# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a live BERT-base takes from ExportedProgram to verified MLIR, in buddy and in torch-mlir.

    python tests/python/import_speed.py --package build/python --rounds 5
    python tests/python/import_speed.py --package build/python --torch-mlir VENV/bin/python

Every number is from a process of its own, one round of all after another. `first` is the first import of the process,
`later` the third; `modules` is what importing the Python modules takes before it. torch-mlir's are those of
fx.export_and_import, to its torch dialect ("raw"), linalg and TOSA. Seconds of CPU, and of wall in parentheses: least, median.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

KINDS = ("raw", "linalg-on-tensors", "tosa")


def timed(work: Callable[[], Any]) -> tuple[Any, tuple[float, float]]:
    """What it gives, and its seconds of CPU and of wall."""
    cpu, wall = time.process_time(), time.monotonic()
    result = work()
    return result, (time.process_time() - cpu, time.monotonic() - wall)


def bert() -> Any:
    """BERT-base with 128 tokens, weights drawn at random."""
    import torch
    import transformers

    torch.set_num_threads(1)
    model = transformers.BertModel(transformers.BertConfig()).eval()
    for part in model.modules():
        part._non_persistent_buffers_set.clear()  # torch-mlir wants all buffers in the state dict
    ids = torch.randint(0, 30000, (1, 128))
    return lambda: torch.export.export(model, (), {"input_ids": ids, "attention_mask": torch.ones_like(ids)})


def buddy_child() -> dict[str, tuple[float, float]]:
    exported, export = timed(bert())

    def load() -> Any:
        from buddy.compiler.frontend import DynamoCompiler

        return DynamoCompiler

    compiler, modules = timed(load)
    times = [timed(lambda: compiler().importer_by_export(exported)[0].lower_to_top_level_ir())[1] for _ in range(3)]
    return {"export": export, "buddy modules": modules, "buddy first": times[0], "buddy later": times[2]}


def torch_mlir_child(kind: str) -> dict[str, tuple[float, float]]:
    exported, _ = timed(bert())

    def load() -> Any:
        from torch_mlir import fx

        return fx

    fx, modules = timed(load)
    _, first = timed(lambda: fx.export_and_import(exported, output_type=kind, func_name="forward"))
    return {"torch-mlir modules": modules, f"torch-mlir {kind}": first}


def run(python: str, child: str, package: Path) -> dict[str, list[float]]:
    environment = os.environ | {"PYTHONPATH": str(package.resolve()), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([python, __file__, "--child", child], env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--package", type=Path, default=Path("build/python"), help="the built package's PYTHONPATH")
    parser.add_argument("--torch-mlir", metavar="PYTHON", help="a Python that has torch-mlir, beside the same PyTorch")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        print(json.dumps(buddy_child() if options.child == "buddy" else torch_mlir_child(options.child)))
        return
    found: dict[str, list[list[float]]] = {}
    for _ in range(options.rounds):
        children = [(sys.executable, "buddy")]
        children += [(options.torch_mlir, kind) for kind in KINDS] if options.torch_mlir else []
        for python, child in children:
            for name, seconds in run(python, child, options.package).items():
                found.setdefault(name, []).append(seconds)
    for name, times in found.items():
        cpu, wall = zip(*times)
        print(f"{name:30} {min(cpu):7.3f} {statistics.median(cpu):7.3f}   ({min(wall):.3f} {statistics.median(wall):.3f})")


if __name__ == "__main__":
    main()
