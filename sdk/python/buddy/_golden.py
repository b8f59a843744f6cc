# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``python -m buddy golden MODEL.pt2``: what PyTorch computes, value by value, for ``buddy bisect --against``."""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import io
import os
import sys
import zipfile
from collections.abc import Iterator, Sequence, Set
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.export.graph_signature import InputKind, OutputKind
from torch.export.pt2_archive._package import load_pt2

from buddy.errors import InvalidArgumentError, shown

# As buddy's .npy files have what NumPy lacks (npy.c).
_BITS = {
    torch.bfloat16: torch.uint16, torch.complex32: torch.uint32, torch.float8_e4m3fn: torch.uint8, torch.float8_e5m2: torch.uint8,
    torch.float8_e4m3fnuz: torch.uint8, torch.float8_e5m2fnuz: torch.uint8, torch.float8_e8m0fnu: torch.uint8,
}  # fmt: skip


class Refused(InvalidArgumentError):
    """What is wrong with an archive, an input or a name, in a sentence."""

    def __init__(self, message: str) -> None:
        super().__init__(message, "INVALID_ARGUMENT")


def _array(tensor: torch.Tensor) -> np.ndarray:
    """What NumPy has no dtype for is written as its bits."""
    plain = tensor.detach().cpu().resolve_conj().resolve_neg().contiguous()
    return (plain.view(_BITS[plain.dtype]) if plain.dtype in _BITS else plain).numpy()


def _typed(dtype: torch.dtype, sizes: Sequence[Any]) -> str:
    return f"{str(dtype).removeprefix('torch.')}[{','.join(str(size) for size in sizes)}]"


def _checked(value: Any, wanted: Any, name: str, where: str) -> Any:
    """The input as the program takes it: bits become numbers of their dtype; another dtype or size is refused."""
    if not isinstance(wanted, torch.Tensor) or not isinstance(value, torch.Tensor):
        return value
    if wanted.dtype in _BITS and value.dtype is _BITS[wanted.dtype]:
        value = value.view(wanted.dtype)
    sizes = [size if isinstance(size, int) else None for size in wanted.shape]
    fits = len(sizes) == value.dim() and all(size in (None, actual) for size, actual in zip(sizes, value.shape))
    if value.dtype is not wanted.dtype or not fits:
        raise Refused(f"{where}: input {name} is {_typed(wanted.dtype, wanted.shape)}, but {_typed(value.dtype, value.shape)} was given")
    return value


def read_inputs(paths: Sequence[str]) -> list[torch.Tensor] | None:
    """Of .npy files; none: those that the model was exported with."""
    inputs = []
    for path in paths:
        try:
            inputs.append(torch.from_numpy(np.load(path, allow_pickle=False)))
        except (OSError, ValueError, TypeError, EOFError) as error:
            raise Refused(f"{path}: cannot be read as an array of NumPy: {error}") from error
    return inputs or None


class _Recorder(torch.fx.Interpreter):
    """Writes each value as it is made: what a later op changes in place was another value then."""

    def __init__(self, module: torch.fx.GraphModule, out: zipfile.ZipFile, names: Set[str]) -> None:
        super().__init__(module)
        self.out, self.names = out, names
        self.found: set[str] = set()

    def write(self, name: str, value: Any) -> None:
        data = io.BytesIO()
        np.save(data, _array(torch.as_tensor(value)), allow_pickle=False)
        self.out.writestr(f"{name}.npy", data.getbuffer())

    def record(self, name: str, value: Any) -> None:
        if isinstance(value, torch.Tensor) and (not self.names or name in self.names):
            self.write(name, value)
            self.found.add(name)

    def run_node(self, n: torch.fx.Node) -> Any:
        value = super().run_node(n)
        if n.op == "call_function":
            for i, one in enumerate(value if isinstance(value, (tuple, list)) else ()):
                self.record(f"{n.name}.{i}", one)
            self.record(n.name, value)
        return value


def _identity(model: Path, program: str) -> np.ndarray:
    """Of what computes in an archive, as ``buddy bisect`` has it (golden.c): names, sizes and checksums of its text, weights, constants."""
    digest = hashlib.blake2b(digest_size=32)
    with zipfile.ZipFile(model) as archive:
        for entry in archive.infolist():
            role = entry.filename.partition("/")[2]
            if role == f"models/{program}.json" or role.startswith(("data/weights/", "data/constants/")):
                digest.update(f"{role} {entry.file_size} {entry.CRC}\n".encode())
    return np.array(bytearray(digest.digest()), np.uint8)


def _arguments(program: torch.export.ExportedProgram, inputs: list[Any], recorder: _Recorder, where: str) -> list[Any]:
    """Parameters, buffers and constants by their names, the user's inputs in their order, which are written whatever is asked for:
    values are of their inputs.
    """
    specs, arguments = program.graph_signature.input_specs, []
    n_user = sum(spec.kind is InputKind.USER_INPUT for spec in specs)
    if len(inputs) != n_user:
        raise Refused(f"{where}: the model takes {n_user} inputs, but {len(inputs)} were given")
    wanted = {node.name: node.meta.get("val") for node in program.graph.find_nodes(op="placeholder")}
    given = iter(inputs)
    for spec in specs:
        if spec.kind is InputKind.USER_INPUT:
            name = spec.arg.name
            value = _checked(next(given), wanted.get(name), name, where)
            if isinstance(value, (torch.Tensor, bool, int, float)):
                recorder.write(name, value)
            arguments.append(value.clone() if isinstance(value, torch.Tensor) else value)  # the program may write to it
        elif spec.kind in (InputKind.PARAMETER, InputKind.BUFFER) and spec.target in program.state_dict:
            arguments.append(program.state_dict[spec.target])
        else:
            arguments.append(program.constants[spec.target])
    return arguments


def _user_outputs(program: torch.export.ExportedProgram, outputs: Sequence[Any]) -> list[Any]:
    """Those that the user sees, in their order."""
    specs = program.graph_signature.output_specs
    return [value for spec, value in zip(specs, outputs) if spec.kind is OutputKind.USER_OUTPUT]


def _load(model: Path, name: str | None) -> torch.export.ExportedProgram:
    """What PyTorch cannot read is told in a sentence; which op or class it lacks, its own log tells. name: of a program of several."""
    try:
        if name is None:
            return torch.export.load(model)
        programs = load_pt2(str(model)).exported_programs
    except Exception as error:  # of whatever kind: it is PyTorch's
        if isinstance(error, KeyError) and error.args == ("model",):
            raise Refused(f"{model}: holds several programs; choose one with --program") from error
        cause = str(error.__cause__ or error).strip().partition("\n")[0].partition(". ")[0]
        raise Refused(f"{model}: PyTorch cannot read it: {cause}; if an op or a class is missing, name the module that "
                      "registers it with --import") from error  # fmt: skip
    if name not in programs:
        raise Refused(f"{model}: has no program {name!r}; it holds {', '.join(map(repr, programs))}")
    return programs[name]


@contextlib.contextmanager
def _archive(out: Path) -> Iterator[zipfile.ZipFile]:
    """A file that has its name when it is whole; a device or a FIFO is written to."""
    target = out.resolve()
    is_special = target.exists() and not target.is_file()
    part = target if is_special else target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with zipfile.ZipFile(part, "w", zipfile.ZIP_STORED) as archive:
            yield archive
        if not is_special:
            part.replace(target)
    except OSError as error:
        raise Refused(f"{out}: cannot be written: {error.strerror}") from error
    finally:
        if not is_special:
            part.unlink(missing_ok=True)


def write(model: Path, out: Path, inputs: list[Any] | None = None, names: Set[str] = frozenset(),
          results: list[Any] | None = None, program: str | None = None) -> int:  # fmt: skip
    """Runs the archive eagerly and writes its inputs and values as an .npz file; how many values. results: flat, of the model
    that was exported, which are right and not those of the archive. program: of an archive that holds several. Raises Refused.
    """
    loaded = _load(model, program)
    if inputs is None:
        if loaded.example_inputs is None:
            raise Refused(f"{model}: has no example inputs; give them with --input")
        inputs = torch.utils._pytree.tree_leaves(loaded.example_inputs)
    with _archive(out) as archive, torch.no_grad():
        recorder = _Recorder(loaded.graph_module, archive, names)
        recorder.write("program.identity", _identity(model, program or "model"))
        arguments = _arguments(loaded, inputs, recorder, str(model))
        try:
            outputs = recorder.run(*arguments)
        except OSError:
            raise
        except Exception as error:  # of whatever kind: it is PyTorch's
            raise Refused(f"{model}: PyTorch cannot run it: {str(error).strip().partition(chr(10))[0]}") from error
        if missing := names - recorder.found:
            raise Refused(f"{model}: has no tensor {', '.join(sorted(missing))} among its values")
        for k, value in enumerate(results or _user_outputs(loaded, outputs)):
            if isinstance(value, torch.Tensor) and not names:
                recorder.write(f"output.{k}", value)  # whatever it is called once ops in place are others
    return len(recorder.found)


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m buddy golden", description=__doc__)
    parser.add_argument("model", type=Path, metavar="MODEL.pt2")
    parser.add_argument("-o", "--output", type=Path, default=Path("golden.npz"), metavar="FILE.npz")
    parser.add_argument("-i", "--input", action="append", default=[], metavar="FILE.npy",
                        help="the next input, flat; without any: those that the model was exported with")  # fmt: skip
    parser.add_argument("-n", "--name", action="append", default=[],
                        help="of a node whose value to write, beside the inputs; repeat it (default: all)")  # fmt: skip
    parser.add_argument("--program", metavar="NAME", help="which program of an archive that holds several")
    parser.add_argument("--import", action="append", default=[], dest="modules", metavar="MODULE",
                        help="Python module to import first: transformers, where the archive's outputs are its classes")  # fmt: skip
    given = parser.parse_args(arguments)
    for module in given.modules:
        importlib.import_module(module)
    try:
        n = write(given.model, given.output, read_inputs(given.input), set(given.name), program=given.program)
    except Refused as error:
        raise SystemExit(f"buddy: error: {error}") from None
    chosen = f" --program {given.program}" if given.program else ""
    print(shown(f"{given.output}: {n} values; buddy bisect {given.model}{chosen} --against {given.output}"))


if __name__ == "__main__":
    main(sys.argv[1:])
