# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The road through TorchDynamo: graphs as it finds them, brought to ATen by AOTAutograd."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._subclasses.fake_tensor import FakeTensorMode

from buddy._decompositions import default_decompositions, with_needed
from buddy._program import Program, from_graph_module
from buddy._results import Results, with_tokens
from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.verbose import Verbose
from buddy.errors import BuddyError


class GraphRunner:
    """Runs one ATen graph: eagerly while it is being imported, compiled afterwards."""

    _boxed_call = True  # AOTAutograd hands over a list, and forgets it

    def __init__(self, module: torch.fx.GraphModule, graph: Graph, parameters: set[int], results: Results,
                 is_compiled: bool) -> None:  # fmt: skip
        self.module, self.graph, self.parameters = module, graph, parameters
        self.is_compiled = is_compiled
        self.results = results

    def __call__(self, arguments: list[Any]) -> Any:
        values = list(arguments)
        arguments.clear()
        if not self.is_compiled:
            return self.module(*values)
        inputs = with_tokens([value for i, value in enumerate(values) if i not in self.parameters])
        return self.results.read(values, self.graph.compile()(inputs))


class GraphImport:
    """Takes graphs as TorchDynamo finds them: ``graphs`` are those found. ``is_running``: they are compiled when they are
    run, and not PyTorch's."""

    def __init__(self, decompositions: Mapping[Any, Any] | None, verbose: Verbose | None,
                 import_program: Callable[[Program, str], Graph], model: Any = None) -> None:  # fmt: skip
        self.decompositions = default_decompositions() if decompositions is None else decompositions
        self.verbose = verbose
        self.import_program = import_program
        self.graphs: list[Graph] = []
        self.runners: list[GraphRunner] = []
        self.names = _names_of(model)
        self.is_running = False

    def compile_graph(self, module: torch.fx.GraphModule, example_inputs: list[Any]) -> Callable[..., Any]:
        """What TorchDynamo calls for each graph."""
        parameters = {}
        for i, example in enumerate(example_inputs):
            if isinstance(example, torch.Tensor) and id(example) in self.names:
                parameters[i] = (self.names[id(example)], example)

        def import_graph(aten: torch.fx.GraphModule, _: list[Any]) -> GraphRunner:
            if self.verbose is not None:
                self.verbose.table(aten)
            first = _n_tokens(aten)
            own = {first + i: parameter for i, parameter in parameters.items()}
            own = own if _fit(own, aten, first + len(example_inputs)) else {}
            graph = self.import_program(from_graph_module(aten, own), f"graph {len(self.graphs)}")
            self.graphs.append(graph)
            runner = GraphRunner(aten, graph, set(own), Results(aten), self.is_running)
            self.runners.append(runner)
            return runner

        backend = aot_autograd(fw_compiler=import_graph, decompositions=with_needed(self.decompositions))
        return backend(module, example_inputs)


class DynamoImport:
    """One import: called once with the arguments; ``run`` is the function over all graphs that were found.
    ``compile_graph`` is what TorchDynamo calls for each; it hands them to ``found``."""

    def __init__(self, model: Callable[..., Any], found: GraphImport, compile_graph: Callable[..., Any],
                 captures_scalars: bool) -> None:  # fmt: skip
        self.found = found
        self.captures_scalars = captures_scalars
        self.model, self.grows = model, False
        torch._dynamo.reset()
        self.n_breaks = len(torch._dynamo.utils.graph_break_reasons)
        self.function = torch._dynamo.optimize(compile_graph)(model)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.found.is_running:
            self.grows = _is_refused_for_out(self.model, args, kwargs)
        if self.grows:
            _grow_outs(self.model, args, kwargs)
        captures_scalars = self.captures_scalars or _captures_scalars()
        with ours(), torch._dynamo.config.patch(capture_scalar_outputs=captures_scalars, allow_rnn=True):
            return self.function(*args, **kwargs)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """The function, with every graph compiled."""
        self.found.is_running = True
        for runner in self.found.runners:
            runner.is_compiled = True
        with torch.no_grad():
            return self(*args, **kwargs)

    def is_broken(self) -> bool:
        """Whether TorchDynamo could not trace all of it."""
        return len(torch._dynamo.utils.graph_break_reasons) > self.n_breaks

    def breaks(self) -> list[str]:
        """Why there are several graphs: "file.py:7: the reason", each place once."""
        found: dict[str, None] = {}
        for reason in torch._dynamo.utils.graph_break_reasons[self.n_breaks :]:
            frame = next(iter(reversed(reason.user_stack)), None)
            place = f"{frame.filename}:{frame.lineno}: " if frame else ""
            lines = [line.strip() for line in str(reason.reason).strip().splitlines()]
            explanation = next((line.partition(":")[2].strip() for line in lines if line.startswith("Explanation:")), "")
            found.setdefault(f"{place}{explanation or lines[0]}")
        return list(found)

    def explain_breaks(self) -> str:
        """The warning."""
        reasons = "\n  ".join(self.breaks())
        return (f"the function became {len(self.found.graphs)} graphs, with Python between them, because of\n  {reasons}\n"
                "all of them are in imported_graphs; dynamo_run() runs them together")  # fmt: skip


class _Whole(Exception):
    """TorchDynamo has found a graph to its end."""


def _stop(*_: Any) -> Any:
    raise _Whole


def _is_refused_for_out(model: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether the first thing that TorchDynamo cannot trace is an ``out=`` without elements, which PyTorch makes grow."""
    if not any(isinstance(value, torch.Tensor) and value.numel() == 0 for value in torch.utils._pytree.tree_leaves((args, kwargs))):
        return False
    try:
        with torch._dynamo.config.patch(suppress_errors=False):
            torch._dynamo.optimize(_stop, nopython=True)(model)(*args, **kwargs)
    except torch._dynamo.exc.Unsupported as error:
        return (error.gb_type or "").startswith("Shape mismatch with out=")
    except Exception:
        return False
    finally:
        torch._dynamo.reset()
    return False


def _grow_outs(model: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Gives tensors without elements among the arguments the size that the function gives them. Nothing else is run."""
    flat, spec = torch.utils._pytree.tree_flatten((args, kwargs))
    with FakeTensorMode(allow_non_fake_inputs=True) as mode:
        fakes = [mode.from_tensor(value) if isinstance(value, torch.Tensor) else value for value in flat]
        given, named = torch.utils._pytree.tree_unflatten(fakes, spec)
        try:
            model(*given, **named)
        except Exception:
            return  # where it is traced, the reason is told
    for value, fake in zip(flat, fakes):
        is_known = isinstance(value, torch.Tensor) and all(isinstance(size, int) for size in fake.shape)
        if is_known and value.numel() == 0 and value.shape != fake.shape:
            value.resize_(fake.shape)


def _captures_scalars() -> bool:
    return bool(torch._dynamo.config.capture_scalar_outputs)


@contextmanager
def ours() -> Iterator[None]:
    """Errors that our code raises inside TorchDynamo leave it as they are."""
    try:
        yield
    except torch._dynamo.exc.BackendCompilerFailed as error:
        if isinstance(error.inner_exception, BuddyError):
            raise error.inner_exception from None
        raise


def _n_tokens(aten: torch.fx.GraphModule) -> int:
    """How many tokens, by which effects keep their order, AOTAutograd has put in front of the inputs."""
    placeholders = [node for node in aten.graph.nodes if node.op == "placeholder"]
    with_effects = torch.ops.higher_order.with_effects
    return sum(any(user.target is with_effects and user.args[0] is node for user in node.users) for node in placeholders)


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
