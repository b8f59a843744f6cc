"""The road through TorchDynamo: graphs as it finds them, brought to ATen by AOTAutograd."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd

from buddy._decompositions import default_decompositions, with_needed
from buddy._program import Program, from_graph_module
from buddy._results import Results
from buddy.compiler.graph.graph import Graph


class GraphRunner:
    """Runs one ATen graph: eagerly while it is being imported, compiled afterwards."""

    _boxed_call = True  # AOTAutograd hands over a list, and forgets it

    def __init__(self, module: torch.fx.GraphModule, graph: Graph, parameters: set[int], results: Results) -> None:
        self.module, self.graph, self.parameters = module, graph, parameters
        self.is_compiled = False
        self.results = results

    def __call__(self, arguments: list[Any]) -> Any:
        values = list(arguments)
        arguments.clear()
        if not self.is_compiled:
            return self.module(*values)
        inputs = [value for i, value in enumerate(values) if i not in self.parameters]
        return self.results.read(values, self.graph.compile()(inputs))


class DynamoImport:
    """One import: called once with the arguments; ``graphs`` are those found, ``run`` the function over all of them."""

    def __init__(self, model: Callable, decompositions: Mapping | None, verbose: bool,
                 import_program: Callable[[Program, str], Graph]) -> None:  # fmt: skip
        self.model = model
        self.decompositions = default_decompositions() if decompositions is None else decompositions
        self.verbose = verbose
        self.import_program = import_program
        self.graphs: list[Graph] = []
        self.runners: list[GraphRunner] = []
        self.reasons: list[str] = []
        self.names = _names_of(model)
        torch._dynamo.reset()
        self.function = torch._dynamo.optimize(self.compile_graph)(model)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """The function, with every graph compiled."""
        for runner in self.runners:
            runner.is_compiled = True
        with torch.no_grad():
            return self.function(*args, **kwargs)

    def compile_graph(self, module: torch.fx.GraphModule, example_inputs: list[Any]) -> Callable:
        """TorchDynamo calls this with each of its graphs."""
        if self.verbose:
            module.graph.print_tabular()
        parameters = {}
        for i, example in enumerate(example_inputs):
            if isinstance(example, torch.Tensor) and id(example) in self.names:
                parameters[i] = (self.names[id(example)], example)

        def import_graph(aten: torch.fx.GraphModule, _: list[Any]) -> GraphRunner:
            own = parameters if _fit(parameters, aten, len(example_inputs)) else {}
            graph = self.import_program(from_graph_module(aten, own), f"graph {len(self.graphs)}")
            self.graphs.append(graph)
            runner = GraphRunner(aten, graph, set(own), Results(aten))
            self.runners.append(runner)
            return runner

        backend = aot_autograd(fw_compiler=import_graph, decompositions=with_needed(self.decompositions))
        return backend(module, example_inputs)

    def explain_breaks(self) -> str:
        """Why there are several graphs."""
        breaks = torch._dynamo.utils.counters["graph_break"]
        reasons = "\n  ".join(str(reason).strip().splitlines()[0] for reason in breaks) or "TorchDynamo gives no reason"
        return (f"the function became {len(self.graphs)} graphs, with Python between them, because of\n  {reasons}\n"
                "all of them are in imported_graphs; dynamo_run() runs them together")  # fmt: skip


def _fit(parameters: Mapping[int, tuple[str, torch.Tensor]], aten: torch.fx.GraphModule, n_inputs: int) -> bool:
    """Whether AOTAutograd has kept the inputs as they were: where inputs share memory, it may give others."""
    placeholders = [node for node in aten.graph.nodes if node.op == "placeholder"]
    if len(placeholders) != n_inputs:
        return False
    values = {i: placeholders[i].meta.get("val") for i in parameters}
    return all(isinstance(values[i], torch.Tensor) and values[i].shape == tensor.shape
               and values[i].stride() == tensor.stride() and values[i].dtype == tensor.dtype
               for i, (_, tensor) in parameters.items())  # fmt: skip


def _names_of(model: Any) -> dict[int, str]:
    """Parameters and buffers of a module by identity."""
    if not isinstance(model, torch.nn.Module):
        model = getattr(model, "__self__", None)
    if not isinstance(model, torch.nn.Module):
        return {}
    named = [*model.named_parameters(remove_duplicate=False), *model.named_buffers(remove_duplicate=False)]
    names: dict[int, str] = {}
    for name, tensor in named:
        names.setdefault(id(tensor), name)
    return names
