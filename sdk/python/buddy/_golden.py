# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m buddy golden MODEL.pt2``: what PyTorch computes, value by value, for ``buddy bisect --against``."""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
import zipfile
from collections.abc import Set
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind, TensorArgument

_BITS = {torch.bfloat16: torch.uint16, torch.float8_e4m3fn: torch.uint8, torch.float8_e5m2: torch.uint8}


def _array(tensor: torch.Tensor) -> np.ndarray:
    """What NumPy has no dtype for is written as its bits."""
    plain = tensor.detach().cpu().contiguous()
    return (plain.view(_BITS[plain.dtype]) if plain.dtype in _BITS else plain).numpy()


class _Recorder(torch.fx.Interpreter):
    """Writes each value as it is made: what a later op changes in place was another value then."""

    def __init__(self, module: torch.fx.GraphModule, out: zipfile.ZipFile, names: Set[str], known: dict[str, Any]) -> None:
        super().__init__(module)
        self.out, self.names, self.known, self.n = out, names, known, 0

    def record(self, name: str, value: Any) -> None:
        value = self.known.get(name, value)
        if isinstance(value, torch.Tensor) and (not self.names or name in self.names):
            data = io.BytesIO()
            np.save(data, _array(value), allow_pickle=False)
            self.out.writestr(f"{name}.npy", data.getbuffer())
            self.n += 1

    def run_node(self, n: torch.fx.Node) -> Any:
        value = super().run_node(n)
        if n.op == "call_function":
            for i, one in enumerate(value if isinstance(value, (tuple, list)) else ()):
                self.record(f"{n.name}.{i}", one)
            self.record(n.name, value)
        return value


def _arguments(program: torch.export.ExportedProgram, inputs: list[torch.Tensor], recorder: _Recorder) -> list[Any]:
    """Parameters, buffers and constants by their names, the user's inputs in their order."""
    given, arguments = iter(inputs), []
    for spec in program.graph_signature.input_specs:
        if spec.kind is InputKind.USER_INPUT:
            arguments.append(next(given))
            recorder.record(spec.arg.name, arguments[-1])
        elif spec.kind in (InputKind.PARAMETER, InputKind.BUFFER) and spec.target in program.state_dict:
            arguments.append(program.state_dict[spec.target])
        else:
            arguments.append(program.constants[spec.target])
    return arguments


def _results(program: torch.export.ExportedProgram, results: list[Any] | None) -> dict[str, Any]:
    """By the names of the values that the program gives as its user's outputs."""
    specs = [spec for spec in program.graph_signature.output_specs if spec.kind is OutputKind.USER_OUTPUT]
    return {spec.arg.name: result for spec, result in zip(specs, results or ()) if isinstance(spec.arg, TensorArgument)}


def _load(model: Path) -> torch.export.ExportedProgram:
    """What PyTorch cannot read is told in a sentence; which op or class it lacks, its own log tells."""
    try:
        return torch.export.load(model)
    except Exception as error:  # of whatever kind: it is PyTorch's
        cause = str(error.__cause__ or error).strip().partition("\n")[0].partition(". ")[0]
        raise SystemExit(f"{model}: PyTorch cannot read it: {cause}; if an op or a class is missing, name the module that "
                         "registers it with --import") from error  # fmt: skip


def write(model: Path, out: Path, inputs: list[Any] | None = None, names: Set[str] = frozenset(),
          results: list[Any] | None = None) -> int:  # fmt: skip
    """Runs the archive eagerly and writes its inputs and values as an .npz file; how many. results: flat, of the model that
    was exported, which stand above those of the archive.
    """
    program = _load(model)
    if inputs is None:
        if program.example_inputs is None:
            raise SystemExit(f"{model}: has no example inputs; give them with --input")
        inputs = torch.utils._pytree.tree_leaves(program.example_inputs)
    part = out.with_name(f".{out.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive, torch.no_grad():
            recorder = _Recorder(program.graph_module, archive, names, _results(program, results))
            recorder.run(*_arguments(program, inputs, recorder))
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
    return recorder.n


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m buddy golden", description=__doc__)
    parser.add_argument("model", type=Path, metavar="MODEL.pt2")
    parser.add_argument("-o", "--output", type=Path, default=Path("golden.npz"), metavar="FILE.npz")
    parser.add_argument("-i", "--input", action="append", metavar="FILE.npy",
                        help="the next input, flat; without any: those that the model was exported with")  # fmt: skip
    parser.add_argument("-n", "--name", action="append", default=[], help="of a node to write; repeat it (default: all)")
    parser.add_argument("--import", action="append", default=[], dest="modules", metavar="MODULE",
                        help="Python module to import first: transformers, where the archive's outputs are its classes")  # fmt: skip
    given = parser.parse_args(arguments)
    for module in given.modules:
        importlib.import_module(module)
    inputs = [torch.from_numpy(np.load(path)) for path in given.input] if given.input else None
    n = write(given.model, given.output, inputs, set(given.name))
    print(f"{given.output}: {n} values; buddy bisect {given.model} --against {given.output}")


if __name__ == "__main__":
    main(sys.argv[1:])
