# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin of pytest: a test that calls torch.export.export ends there, and the program becomes a case of buddy's.

The program is saved, loaded by the C library, run on the test's own inputs and compared with the exported module in
eager PyTorch. Each case is a line of JSON in the file that BORROWED_LOG names, written before it is tried and after,
so that a crash leaves the first. Set by borrowed.py: BORROWED_LOG, BORROWED_BUILD, BORROWED_ORDER, BORROWED_LIMIT.
"""

from __future__ import annotations

import copy
import importlib.abc
import importlib.machinery
import json
import os
import platform
import random
import sys
import tempfile
from pathlib import Path
from unittest.mock import MagicMock

import pytest
import torch

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from native import UNSUPPORTED, BuddyError, Library, Model  # noqa: E402

# Relative and, as a fraction of the largest expected magnitude, absolute.
TOLERANCES = {
    torch.float64: (1e-7, 1e-7), torch.float32: (1.3e-4, 2e-5), torch.float16: (8e-3, 2e-3), torch.bfloat16: (3e-2, 2e-2),
    torch.complex64: (1e-4, 2e-5), torch.complex128: (1e-7, 1e-7),
}
export_of_torch = torch.export.export
leaves = torch.utils._pytree.tree_leaves
platform.machine = lambda: "arm64"  # coremltools exports nothing on x86-64
os.environ["TORCH_FRONTENDS"] = "TORCHEXPORT"
# Tools of vendors that executorch's tests import, and need only after the export.
ABSENT = ("tosa", "tosa_serializer", "executorch.backends.samsung.python", "executorch.backends.mlx.serialization", "eiq_neutron_sdk")


class Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Modules that stand for those, and for all within them."""

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        is_absent = any(name == absent or name.startswith(absent + ".") for absent in ABSENT)
        return importlib.machinery.ModuleSpec(name, self, is_package=True) if is_absent else None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> MagicMock:
        module = MagicMock(name=spec.name)
        module.__name__, module.__path__, module.__spec__ = spec.name, [], spec
        return module

    def exec_module(self, module: object) -> None:
        pass


sys.meta_path.append(Absent())  # the last: what is installed is found before


class Judge:
    """Judges the programs of one pytest process."""

    def __init__(self) -> None:
        self.library = Library(Path(os.environ["BORROWED_BUILD"]))
        self.log = open(os.environ["BORROWED_LOG"], "a", buffering=1)
        self.folder = tempfile.TemporaryDirectory()
        self.test = ""

    def tell(self, outcome: str, text: str = "") -> None:
        self.log.write(json.dumps({"test": self.test, "outcome": outcome, "text": text[:600]}) + "\n")

    def judge(self, program: torch.export.ExportedProgram, args: tuple, kwargs: dict) -> None:
        path = Path(self.folder.name) / "case.pt2"
        try:
            torch.export.save(program, path)
        except Exception as error:
            return self.tell("inexportable", f"{type(error).__name__}: {error}")
        try:
            wanted, again = eager(program, args, kwargs), eager(program, args, kwargs)
        except Exception as error:
            return self.tell("no eager", f"{type(error).__name__}: {error}")
        self.tell("crashed")  # until it is known better
        try:
            results = self.run(path, leaves((args, kwargs)))
        except BuddyError as error:
            return self.tell("declined" if error.code == UNSUPPORTED else "failed", str(error))
        problem = compare(wanted, results, values=not compare(wanted, again))
        self.tell("failed" if problem else "passed", problem)

    def run(self, path: Path, values: list) -> list[torch.Tensor]:
        model = Model(self.library, path, os.environ["BORROWED_ORDER"], -1)
        try:
            return model.run([value for value in values if isinstance(value, torch.Tensor)])
        finally:
            model.close()


def tolerances(expected: torch.Tensor) -> tuple[float, float]:
    """Relative and absolute; none for integers and booleans."""
    if expected.dtype not in TOLERANCES:
        return 0.0, 0.0
    relative, absolute = TOLERANCES[expected.dtype]
    finite = expected[torch.isfinite(expected)].abs()
    return relative, absolute * (max(1.0, float(finite.max())) if finite.numel() else 1.0)


def eager(program: torch.export.ExportedProgram, args: tuple, kwargs: dict) -> list:
    with torch.no_grad():  # a copy: runs may write into buffers
        results = leaves(copy.deepcopy(program.module())(*copy.deepcopy(args), **copy.deepcopy(kwargs)))
    return [result for result in results if result is not None]


def compare(wanted: list, results: list, values: bool = True) -> str:
    """What differs; empty if nothing does. Of random results, which eager itself does not repeat, only dtype and shape count."""
    if len(results) < len(wanted):
        return f"{len(results)} results, expected {len(wanted)}"
    for i, (expected, actual) in enumerate(zip(wanted, results)):
        if not isinstance(expected, torch.Tensor):
            expected, actual = torch.tensor(expected), torch.as_tensor(actual)
            actual = actual.to(expected.dtype)
        if not values:
            expected = actual.new_zeros(expected.shape, dtype=expected.dtype)
            actual = torch.zeros_like(actual)
        rtol, atol = tolerances(expected)
        try:
            torch.testing.assert_close(actual, expected.detach(), rtol=rtol, atol=atol, equal_nan=True, check_stride=False)
        except AssertionError as error:
            return f"result {i}: {error}"
    return ""


judge = Judge()


def export(module, args=(), kwargs=None, *, dynamic_shapes=None, strict=False, **rest):
    kwargs = kwargs or {}
    saved = copy.deepcopy((tuple(args), dict(kwargs)))
    try:
        program = export_of_torch(module, tuple(args), kwargs, dynamic_shapes=dynamic_shapes, strict=strict)
    except Exception as error:
        judge.tell("inexportable", f"{type(error).__name__}: {error}")
    else:
        judge.judge(program, *saved)
    pytest.skip("judged")


torch.export.export = export
torch.set_num_threads(1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """At most BORROWED_LIMIT parametrizations of a test, drawn by its name; none that the log has already."""
    with open(os.environ["BORROWED_LOG"]) as log:
        done = {json.loads(line)["test"] for line in log}
    limit, groups = int(os.environ["BORROWED_LIMIT"]), {}
    for item in items:
        groups.setdefault(item.nodeid.split("[")[0], []).append(item)
    drawn = [random.Random(name).sample(group, limit) if 0 < limit < len(group) else group for name, group in groups.items()]
    items[:] = [item for group in drawn for item in group if item.nodeid not in done]


def pytest_runtest_setup(item: pytest.Item) -> None:
    judge.test = item.nodeid
    torch.manual_seed(0)
