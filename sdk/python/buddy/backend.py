# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""``torch.compile(model, backend="buddy")``: the backend, which PyTorch finds by its entry point.

Options, ``torch.compile(..., backend="buddy", options={…})``:

registries: the order of registries, "tosa:*" by default.
opt_level: effort of code generation, 0 to 3.
threads: on how many threads runs go; 0 (the default): BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs.
fallback: "error" (the default): a graph with an op that no registry takes is an error; "eager": PyTorch runs that graph,
with a warning. Graphs that draw the same random numbers twice, as checkpointing has them, always go to PyTorch.
cache: True (the default): compiled code is kept on disk, where `python -m buddy cache` finds it, and a process that meets
the same graph again compiles nothing. Graphs that rows written in Python lower are not kept.
collectives: "torch" (the default): torch.distributed makes them, by its process groups (gloo, …), and what lies between them is
compiled; "dist": the registry dist makes them, within compiled code, over MPI.
"""

from __future__ import annotations

import os
import warnings
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._prims import rng_prims
from torch._functorch.aot_autograd import make_boxed_func  # type: ignore[attr-defined]
from torch.nn.attention import SDPBackend, sdpa_kernel

from buddy import _buddy
from buddy._collectives import compile_between, has_collectives
from buddy._decompositions import default_decompositions, with_needed
from buddy._program import Program, from_graph_module
from buddy._results import Results, with_tokens
from buddy._run import Executable, checked_threads
from buddy.compiler.graph.graph import CompileOptions, Graph
from buddy.compiler.registry import Registries
from buddy.errors import InvalidArgumentError, UnsupportedError, progress_or_log

_OPTIONS = {"registries": None, "opt_level": -1, "threads": 0, "fallback": "error", "cache": True, "collectives": "torch"}
_CHOICES = {"fallback": ("error", "eager"), "cache": (True, False), "collectives": ("torch", "dist")}
_KINDS = {"registries": "an order of names, 'tosa:*',", "opt_level": "a number"}
_NO_TENSORS = [(f"data/{kind}/model_{kind}_config.json", b'{"config": {}}') for kind in ("weights", "constants")]


# Ops that set PyTorch's generator to a state, or read the state: only PyTorch's own kernels draw from it.
_OF_THE_GENERATOR = (rng_prims.run_and_save_rng_state, rng_prims.run_with_rng_state, rng_prims.graphsafe_run_with_rng_state)


class _NotOurs(UnsupportedError):
    """A graph that PyTorch runs, whatever the options say."""


@dataclass
class Statistics:
    """What the backend has done in this process."""

    compiled: int = 0  #: graphs, forward and backward
    fallbacks: int = 0  #: graphs that PyTorch runs


statistics = Statistics()


class CompiledGraph:
    """One compiled graph, called as AOTAutograd calls it: with a list, which it empties."""

    def __init__(self, results: Results, executable: Executable, constants: list[torch.Tensor]) -> None:
        self._boxed_call = True  # of the object: wrappers copy its __dict__
        self.executable = executable
        self.constants = constants  # inputs of the program that are not the caller's
        self.results = results
        statistics.compiled += 1

    def __call__(self, arguments: list[Any]) -> list[Any]:
        values = with_tokens(arguments)
        arguments.clear()
        return self.results.read(values, self.executable([*self.constants, *values]))


def compile_graph(module: torch.fx.GraphModule, options: dict[str, Any]) -> Callable[..., Any]:
    """A graph of ATen ops, forward or backward, as a function."""
    if any(node.target in _OF_THE_GENERATOR for node in module.graph.nodes):
        raise _NotOurs("it draws the same random numbers twice (checkpointing), which PyTorch alone can", "UNSUPPORTED")
    registries = Registries.current(options["registries"])
    results = Results(module)
    if options["cache"] and not registries.has_python:
        program = from_graph_module(module, results=results.computed(), constants_are_inputs=True)
        executable = _compile_cached(program, options)
        executable.set_threads(options["threads"])
        return CompiledGraph(results, executable, list(program.tensors.values()))
    program = from_graph_module(module, results=results.computed())
    how = CompileOptions(options["opt_level"], options["threads"])
    graph = Graph.of_program(program, registries, "forward", "graph", how)
    return CompiledGraph(results, graph.compile(), [])


def _compile_cached(program: Program, options: dict[str, Any]) -> Executable:
    """Through the road of archives, which has the cache: an archive in memory, without weights, since all are inputs."""
    descriptor = os.memfd_create("buddy graph")
    with os.fdopen(descriptor, "wb") as file:
        with zipfile.ZipFile(file, "w") as archive:
            for name, text in (("archive_format", b"pt2"), ("models/model.json", program.text), *_NO_TENSORS):
                archive.writestr(zipfile.ZipInfo(f"graph/{name}"), text)  # the same bytes whenever it is written
        file.flush()
        native = _buddy.load_model(f"/proc/self/fd/{descriptor}", options["registries"], options["opt_level"], True,
                                   progress_or_log(None))  # fmt: skip
    return Executable(native, {}, program.draws)


def _compile_or_fall_back(module: torch.fx.GraphModule, options: dict[str, Any]) -> Callable[..., Any]:
    if options["collectives"] == "torch" and has_collectives(module):
        return make_boxed_func(compile_between(module, lambda part: _compile_or_fall_back(part, options)).forward)
    try:
        return compile_graph(module, options)
    except UnsupportedError as error:
        if options["fallback"] != "eager" and not isinstance(error, _NotOurs):
            raise
        statistics.fallbacks += 1
        warnings.warn(f"PyTorch runs a graph that buddy cannot: {error}", stacklevel=2)
        return make_boxed_func(module.forward)


def buddy(module: torch.fx.GraphModule, example_inputs: list[Any], *, options: dict[str, Any] | None = None,
          mode: str | None = None) -> Callable[..., Any]:  # fmt: skip
    """Compiles one graph of TorchDynamo, and its backward graph where gradients are wanted."""
    unknown = set(options or {}) - set(_OPTIONS)
    if unknown:
        raise InvalidArgumentError(f"unknown options {sorted(unknown)}; known are {sorted(_OPTIONS)}", "INVALID_ARGUMENT")
    chosen = _OPTIONS | (options or {})
    checked_threads(chosen["threads"])
    for name, known in _CHOICES.items():
        if not any(chosen[name] is one or (isinstance(one, str) and chosen[name] == one) for one in known):
            raise InvalidArgumentError(f"{name}={chosen[name]!r}: known are {' and '.join(map(repr, known))}", "INVALID_ARGUMENT")
    for name, kinds in (("registries", (str, type(None))), ("opt_level", int)):
        if not isinstance(chosen[name], kinds):
            raise InvalidArgumentError(f"{name}={chosen[name]!r}: {_KINDS[name]} is needed", "INVALID_ARGUMENT")

    def compiler(aten: torch.fx.GraphModule, _: list[Any]) -> Callable[..., Any]:
        return _compile_or_fall_back(aten, chosen)

    decompositions = with_needed(default_decompositions())
    backend = aot_autograd(fw_compiler=compiler, bw_compiler=compiler, decompositions=decompositions)
    # The fused kernels of attention have gradients that are kernels, too; attention of plain ops has plain gradients.
    with sdpa_kernel(SDPBackend.MATH):
        return backend(module, example_inputs)
