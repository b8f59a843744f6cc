"""Runs cases: exports each with torch.export, runs the archive, and compares with eager PyTorch.

    python3 tests/ops/harness.py --build build [--order linalg:*] [--only TEXT] [--decompose]

The last line is `N passed, N failed`."""

from __future__ import annotations

import argparse
import importlib
import os
import signal
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

from case import TOLERANCE, Case  # noqa: E402
from native import Library, Model  # noqa: E402

FAMILIES = ["elementwise", "functions", "reduce", "shape", "contraction", "convolution", "pooling", "indexing",
            "creation", "resample"]


class Wrapped(torch.nn.Module):
    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor):
        return self.function(*inputs)


def export(case: Case, decompose: bool) -> torch.export.ExportedProgram:
    shapes = None
    if case.others is not None:
        shapes = (tuple({d: torch.export.Dim.AUTO for d in range(t.dim())} for t in case.inputs),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        program = torch.export.export(Wrapped(case.function), case.inputs, dynamic_shapes=shapes, strict=False)
        return program.run_decompositions() if decompose else program


def flatten(result) -> list[torch.Tensor]:
    return [torch.as_tensor(value) for value in torch.utils._pytree.tree_leaves(result)]


def compare(case: Case, got: list[torch.Tensor], wanted: list[torch.Tensor]) -> None:
    if len(got) != len(wanted):
        raise AssertionError(f"{len(got)} results, not {len(wanted)}")
    for a, b in zip(got, wanted):
        rtol, atol = case.tolerance or TOLERANCE.get(b.dtype, (0, 0))
        torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)


def run_archive(library: Library, program: torch.export.ExportedProgram, order: str):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.pt2"
        torch.export.save(program, path)
        return Model(library, path, order)


def check(library: Library, case: Case, order: str, decompose: bool, load=run_archive) -> None:
    model = load(library, export(case, decompose), order)
    for inputs in filter(None, [case.inputs, case.others]):
        copies = [tensor.clone() for tensor in inputs]
        compare(case, model.run(list(inputs)), flatten(case.function(*copies)))


def outcome(library: Library, case: Case, order: str, decompose: bool, load) -> str:
    """"" if the case passes, else what went wrong; in a process of its own, since compiled code may crash."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        text = ""
        try:
            check(library, case, order, decompose, load)
        except BaseException as error:  # whatever it is, it is this case's failure
            text = f"{type(error).__name__}: {error}"
        os.write(writer, text.encode()[:60000])
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return f"ended by {signal.Signals(-status).name}" if status < 0 else text


def cases_of(families: list[str]) -> list[Case]:
    return [case for name in families for case in importlib.import_module(name).FAMILY.cases]


def main(load=run_archive) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--order", default="linalg:*")
    parser.add_argument("--only", default="", help="run cases whose name has this text")
    parser.add_argument("--decompose", action="store_true", help="export core ATen")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    library, failed, passed = Library(args.build), 0, 0
    for case in cases_of(FAMILIES):
        if args.only not in case.name:
            continue
        error = outcome(library, case, args.order, args.decompose, load)
        passed += not error
        failed += bool(error)
        if error or args.verbose:
            print(f"FAIL {case.name}: {error}"[:1500] if error else f"ok {case.name}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
