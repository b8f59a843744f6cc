"""``torch.compile(model, backend="buddy")``: the backend, which PyTorch finds by its entry point.

Options, ``torch.compile(..., backend="buddy", options={…})``:

registries: the order of registries, "tosa:*" by default.
opt_level: effort of code generation, 0 to 3.
fallback: "error" (the default): a graph with an op that no registry takes is an error; "eager": PyTorch runs that graph,
with a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._functorch.aot_autograd import make_boxed_func
from torch.nn.attention import SDPBackend, sdpa_kernel

from buddy._decompositions import default_decompositions, with_needed
from buddy._dynamo import result_readers
from buddy._program import from_graph_module
from buddy.compiler.graph.graph import Graph
from buddy.compiler.registry import Registries
from buddy.errors import InvalidArgumentError, UnsupportedError

_OPTIONS = {"registries": None, "opt_level": -1, "fallback": "error"}


@dataclass
class Statistics:
    """What the backend has done in this process."""

    compiled: int = 0  #: graphs, forward and backward
    fallbacks: int = 0  #: graphs that PyTorch runs


statistics = Statistics()


class CompiledGraph:
    """One compiled graph, called as AOTAutograd calls it: with a list, which it empties."""

    def __init__(self, module: torch.fx.GraphModule, graph: Graph) -> None:
        self._boxed_call = True  # of the object: wrappers copy its __dict__
        self.executable = graph.compile()
        self.readers = result_readers(module)
        statistics.compiled += 1

    def __call__(self, arguments: list[Any]) -> list[Any]:
        values = list(arguments)
        arguments.clear()
        return [read(result) for read, result in zip(self.readers, self.executable(values))]


def compile_graph(module: torch.fx.GraphModule, options: dict[str, Any]) -> Callable:
    """A graph of ATen ops, forward or backward, as a function."""
    graph = Graph.of_program(from_graph_module(module), Registries.shared(options["registries"]), "forward", "graph")
    graph._opt_level = options["opt_level"]
    return CompiledGraph(module, graph)


def _compile_or_fall_back(module: torch.fx.GraphModule, options: dict[str, Any]) -> Callable:
    try:
        return compile_graph(module, options)
    except UnsupportedError as error:
        if options["fallback"] != "eager":
            raise
        statistics.fallbacks += 1
        warnings.warn(f"PyTorch runs a graph that buddy cannot: {error}", stacklevel=2)
        return make_boxed_func(module.forward)


def buddy(module: torch.fx.GraphModule, example_inputs: list[Any], *, options: dict[str, Any] | None = None,
          mode: str | None = None) -> Callable:  # fmt: skip
    """Compiles one graph of TorchDynamo, and its backward graph where gradients are wanted."""
    unknown = set(options or {}) - set(_OPTIONS)
    if unknown:
        raise InvalidArgumentError(f"unknown options {sorted(unknown)}; known are {sorted(_OPTIONS)}", "INVALID_ARGUMENT")
    chosen = _OPTIONS | (options or {})

    def compiler(aten: torch.fx.GraphModule, _: list[Any]) -> Callable:
        return _compile_or_fall_back(aten, chosen)

    decompositions = with_needed(default_decompositions())
    backend = aot_autograd(fw_compiler=compiler, bw_compiler=compiler, decompositions=decompositions)
    # The fused kernels of attention have gradients that are kernels, too; attention of plain ops has plain gradients.
    with sdpa_kernel(SDPBackend.MATH):
        return backend(module, example_inputs)
