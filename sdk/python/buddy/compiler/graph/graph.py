"""A graph as it was imported, and the module that it is lowered to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from buddy import _buddy
from buddy._program import TORCH_DTYPES, Program, import_program
from buddy._run import Executable, Mapped
from buddy.compiler.graph.explain import Decision, Explanation
from buddy.compiler.graph.operation import Location, Op, op_type
from buddy.errors import UnsupportedError, progress_or_log

if TYPE_CHECKING:
    from buddy.compiler.registry import Registries


def _plain(value: Any) -> Any:
    """An argument as the extension gives it: values and graphs by their name, dtypes as torch's."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, tuple):
        kind, name = value
        return TORCH_DTYPES[name] if kind == "dtype" else name
    return value


@dataclass(frozen=True)
class CompileOptions:
    """How a graph is compiled, and run."""

    opt_level: int = -1  #: effort of code generation, 0 to 3; -1: the usual one
    threads: int = 0  #: on how many threads runs go; 0: BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs


class MLIRModule:
    """A verified MLIR module. ``str()`` is its text."""

    def __init__(self, native: _buddy.Module) -> None:
        self._native = native

    def text(self, generic: bool = False, locations: bool = False) -> str:
        """The module as text; ``locations`` adds the user's Python lines."""
        return self._native.print("generic" if generic else "mlir", locations)

    def bytecode(self) -> bytes:
        """The module as MLIR bytecode, locations included."""
        return self._native.print("bytecode")

    def save(self, path: str) -> None:
        """Writes text, or bytecode if the path ends in ``.mlirbc``. The file appears when it is whole."""
        _buddy.write_file(path, self.bytecode() if str(path).endswith(".mlirbc") else self.text().encode())

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<MLIR module of {len(self.text().splitlines())} lines>"


class Graph:
    """One imported graph. Printing it prints its MLIR module; ``body`` are its ops.

    Lowering, compiling and running happen once each, when they are asked for first.
    """

    def __init__(self, native: _buddy.Graph, registries: Registries, program: Program | None, name: str,
                 options: CompileOptions | None = None) -> None:  # fmt: skip
        self._native = native
        self._registries = registries
        self._program = program
        self._func_name = name
        self._module: MLIRModule | None = None
        self._module_form: str | None = None
        self._executable: Executable | None = None
        self._lock = threading.RLock()
        self._options = options or CompileOptions()

    @classmethod
    def of_program(cls, program: Program, registries: Registries, name: str, where: str,
                   options: CompileOptions | None = None) -> Graph:  # fmt: skip
        """Imports a serialized program."""
        return cls(import_program(registries.native, program, where), registries, program, name, options)

    # ---- What it is ----

    @property
    def params(self) -> list[torch.Tensor]:
        """Parameters, buffers and constants, in the order in which the function takes them: the model's own tensors.
        Those of an archive, which stay in its mapped file, are copied for this."""
        tensors = self._tensors()
        found = [tensors[target] for _, kind, target, _ in self._native.inputs() if kind != "user"]
        return [tensor.tensor() if isinstance(tensor, Mapped) else tensor for tensor in found]

    def _tensors(self) -> dict[str, torch.Tensor] | dict[str, Mapped]:
        if self._program is not None:
            return self._program.tensors
        mapped = {}
        for (_, kind, target, (dtype, sizes)), data in zip(self._native.inputs(), self._native.data()):
            if kind != "user" and data is not None:
                address, _, offset, strides = data
                address += offset * TORCH_DTYPES[dtype].itemsize
                mapped[target] = Mapped(address, dtype, sizes, strides, self._native)
        return mapped

    @property
    def inputs(self) -> list[tuple[str, str, str, tuple[str, list[int | str]]]]:
        """(name, kind, name in the module, (dtype, sizes)) of each input; sizes may be symbolic."""
        return self._native.inputs()

    @property
    def outputs(self) -> list[tuple[str, str | None, Any]]:
        """(kind, what it changes, value) of each output."""
        return self._native.outputs()

    @property
    def body(self) -> list[Op]:
        """The ops, in order."""
        return list(self.walk())

    def walk(self) -> Iterator[Op]:
        """The ops, in order."""
        for target, name, arguments, results, place in self._native.nodes():
            schema = self._registries.native.schema(target)
            shapes = [sizes for _, (_, sizes) in results]
            dtypes = [TORCH_DTYPES[dtype] for _, (dtype, _) in results]
            one = len(results) == 1
            kwargs = {key: _plain(value) for key, value in arguments.items()}
            yield Op(target, name, list(kwargs.values()), kwargs,
                     {"shape": shapes[0] if one else shapes, "dtype": dtypes[0] if one else dtypes},
                     Location(*place), op_type(schema[2] if schema else ""))  # fmt: skip

    def text(self) -> str:
        """The graph's own text form, as ``buddy import --emit graph`` writes it."""
        return self._native.text()

    @property
    def decisions(self) -> list[Decision]:
        """Which row takes each op; ops that nobody takes are among them."""
        try:
            self._imported_module  # noqa: B018  rows may also decline while they emit
        except UnsupportedError:
            pass  # the decisions say it
        return [Decision.read(data) for data in self._native.decisions()]

    def explain(self) -> Explanation:
        """Who takes which op, and why the others do not: ``print`` it, or let a notebook show it."""
        return Explanation(self.decisions)

    # ---- Transforms ----

    def perform(self, transforms: list[Callable[[Graph], Any]]) -> None:
        """Calls each transform with this graph."""
        for transform in transforms:
            transform(self)

    def fuse_ops(self, patterns: list[Callable[[Graph], Any]]) -> None:
        """Calls each pattern with this graph. Fusion itself is the compiler's: ops are merged into loops when the graph
        is compiled, whatever the patterns say."""
        self.perform(patterns)

    # ---- MLIR ----

    def lower_to_top_level_ir(self, do_params_pack: bool = False, params: str | None = None) -> MLIRModule:
        """Emits the MLIR module, which is ``_imported_module`` from then on.

        do_params_pack: all parameters of one dtype become one argument. params: "args" (the default), "pack" or
        "resource" (parameters are part of the module, without being copied).
        """
        form = params or ("pack" if do_params_pack else "args")
        with self._lock:
            if self._module is None or self._module_form != form:
                self._module = MLIRModule(self._native.lower(self._func_name, form))
                self._module_form = form
            return self._module

    @property
    def _imported_module(self) -> MLIRModule:
        return self._module or self.lower_to_top_level_ir()

    @property
    def module(self) -> MLIRModule:
        """The MLIR module."""
        return self._imported_module

    def __str__(self) -> str:
        return str(self._imported_module)

    def __repr__(self) -> str:
        return f"<graph {self._func_name}: {len(self._native.nodes())} ops>"

    # ---- Running ----

    def compile(self, progress: Callable[[str, float], Any] | None = None) -> Executable:
        """Machine code for this processor, with the parameters bound. progress: called with a stage and a fraction; without
        it, they go to the log, at INFO."""
        with self._lock:
            if self._executable is None:
                native = self._native.lower(self._func_name, "args")
                program = native.compile(self._options.opt_level, None, progress_or_log(progress))
                self._executable = Executable(program, self._tensors(), self._program is not None and self._program.draws)
                self._executable.set_threads(self._options.threads)
            return self._executable
