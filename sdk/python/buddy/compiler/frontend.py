# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""DynamoCompiler: PyTorch functions, models and archives become graphs, MLIR and running code."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, overload

import torch

from buddy import _buddy
from buddy._dynamo import DynamoImport, GraphImport, ours
from buddy._program import Program, as_module, from_exported, from_graph_module, is_subclass
from buddy._run import Executable, checked_threads
from buddy._signature import Signature, is_constant
from buddy.compiler.graph.graph import CompileOptions, Graph
from buddy.compiler.graph.operation import Op
from buddy.compiler.graph.verbose import Verbose
from buddy.compiler.ops_map import OpsMap
from buddy.compiler.registry import OpsRegistry, Registries
from buddy.errors import GraphBreakWarning, InvalidArgumentError, UnsupportedError

__all__ = ["DynamoCompiler", "ImportedGraphs", "dynamo_compiler"]


class ImportedGraphs:
    """What an import gives.

        graphs = compiler.importer(...)          # len(graphs), graphs[0], graphs[-1]: all that the compiler has imported
        module, params = compiler.importer(...)  # this import's first graph, and its parameters

    It has the graphs by number, and unpacks into the pair: the original's documents do both. So it is no list. An import
    that a graph break has cut in pieces unpacks into its graphs, as there is no pair: the original's scripts loop over them.
    """

    __reversed__ = None

    def __init__(self, graphs: Sequence[Graph], first: int) -> None:
        self._graphs = list(graphs)
        self._first = first

    def __len__(self) -> int:
        return len(self._graphs)

    @overload
    def __getitem__(self, number: int) -> Graph: ...
    @overload
    def __getitem__(self, number: slice) -> list[Graph]: ...
    def __getitem__(self, number: int | slice) -> Graph | list[Graph]:
        return self._graphs[number]

    def __iter__(self) -> Iterator[Any]:
        graphs = self._graphs[self._first :]
        return iter(self.pair() if len(graphs) == 1 else graphs)

    def __contains__(self, graph: object) -> bool:
        return graph in self._graphs

    def pair(self) -> tuple[Graph, list[torch.Tensor]]:
        """This import's first graph and its parameters."""
        return self[self._first], self[self._first].tensors

    def __repr__(self) -> str:
        return f"<imported graphs: {self._graphs}>"

    def _repr_html_(self) -> str:
        return "".join(graph._repr_html_() for graph in self._graphs[self._first :])


class DynamoCompiler:
    """Imports PyTorch programs and runs them.

    func_name: name of the function in the MLIR module.
    primary_registry: asked first for every op; all the others follow. A module of ``buddy.compiler.ops``, its
    ``ops_registry``, a dictionary made of such, or the name of one.
    aot_autograd_decomposition: decompositions, op to function, that PyTorch applies before the import; without any,
    TorchDynamo's graphs are brought to core ATen ops and exported programs stay as they are.
    verbose: tells of each graph that TorchDynamo gives, as a table, and of each node that is lowered, with its MLIR.
    verbose_path: the file that it is added to, instead of standard output.
    enable_external_calls: the registry ``vendor`` is asked before all others; ops become calls of its library.
    capture_scalar_outputs: numbers that a program reads off tensors stay in its graph.
    registries: the whole order, "vendor:tosa:*", instead of primary_registry.
    opt_level, threads: see ``CompileOptions``.

    A compiler is a backend of TorchDynamo, too: ``torch.compile(model, backend=compiler)``.
    """

    def __init__(
        self,
        func_name: str = "forward",
        primary_registry: OpsRegistry | Mapping[Any, Any] | ModuleType | str | None = None,
        aot_autograd_decomposition: Mapping[Any, Any] | None = None,
        verbose: bool = False,
        enable_external_calls: bool = False,
        registries: str | None = None,
        pins: Sequence[str] = (),
        opt_level: int = -1,
        threads: int = 0,
        *,
        capture_scalar_outputs: bool = False,
        verbose_path: str | os.PathLike[str] | None = None,
    ) -> None:
        self._func_name = func_name
        self._decompositions = aot_autograd_decomposition
        path = None if verbose_path is None else os.fspath(verbose_path)
        self._verbose = Verbose(path) if verbose or verbose_path is not None else None
        self._captures_scalars = capture_scalar_outputs
        self._options = CompileOptions(opt_level, checked_threads(threads), self._verbose)
        if isinstance(primary_registry, ModuleType):
            primary_registry = _registry_of(primary_registry)
        if isinstance(primary_registry, Mapping) and not isinstance(primary_registry, OpsRegistry):
            primary_registry = OpsRegistry.of(primary_registry)
        self._primary = None
        if isinstance(primary_registry, OpsRegistry) and not primary_registry.is_native:
            self._primary = primary_registry if primary_registry.python else None
            primary = "primary:tosa" if self._primary else None
        else:
            primary = primary_registry.name if isinstance(primary_registry, OpsRegistry) else primary_registry
        order = registries or (f"{primary}:*" if primary else None)
        if enable_external_calls and registries is None:
            order = f"vendor:{order or 'tosa:*'}"
        self._order, self._pins = order, tuple(pins)
        self._classes = OpsMap()
        self._current_registries(is_import=False)  # an order that does not exist is an error here already
        self._imported_graphs: list[Graph] = []
        self._runner: Callable[..., Any] | None = None
        self._importing: GraphImport | None = None

    @property
    def _ops_map(self) -> OpsMap:
        """From the symbol of an op to its class."""
        return self._classes

    @_ops_map.setter
    def _ops_map(self, classes: Mapping[str, type[Op]]) -> None:
        self._classes = OpsMap(classes)

    @property
    def imported_graphs(self) -> list[Graph]:
        """All graphs that were imported, in the order in which programs reach them."""
        return self._imported_graphs

    @property
    def imported_params(self) -> Mapping[Graph, list[torch.Tensor]]:
        """For each graph its parameters, then its buffers and constants: the model's own tensors."""
        return _Parameters(self._imported_graphs)

    def _current_registries(self, is_import: bool = True) -> Registries:
        return Registries.current(self._order, self._pins, self._classes.own, self._primary, is_import)

    def __repr__(self) -> str:
        return (f"<DynamoCompiler {self._func_name}: registries {self._order or 'tosa:*'}, "
                f"{len(self._imported_graphs)} graphs imported>")  # fmt: skip

    # ---- Roads in ----

    def importer(self, model: Callable[..., Any], *args: Any, **kwargs: Any) -> ImportedGraphs:
        """Imports a function or module by TorchDynamo, which runs it once on the arguments given.

        What TorchDynamo cannot trace through splits it into several graphs, with a GraphBreakWarning that says where;
        ``dynamo_run()`` runs them together with the Python between them. A program without ops is imported by torch.export.
        """
        self._importing = self._new_import(model)
        road = DynamoImport(model, self._importing, self._backend, self._captures_scalars)
        try:
            with torch.no_grad():
                road(*args, **kwargs)
        finally:
            found, self._importing = self._importing, None
        if not found.graphs and not road.is_broken():
            return self.importer_by_export(model, *args, **kwargs)
        if not found.graphs:
            raise InvalidArgumentError("TorchDynamo found no tensor operations to import: " + "; ".join(road.breaks()),
                                       "INVALID_ARGUMENT")  # fmt: skip
        if len(found.graphs) > 1:
            warnings.warn(GraphBreakWarning(road.explain_breaks()), stacklevel=2)
        return self._keep(found.graphs, road.run)

    def _new_import(self, model: Any = None) -> GraphImport:
        return GraphImport(self._decompositions, self._verbose, self._import_program, model)

    def _backend(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        return self._compile_fx(module, inputs)

    def _compile_fx(self, module: torch.fx.GraphModule, inputs: list[Any]) -> Callable[..., Any]:
        """Takes one graph of TorchDynamo; what it gives runs it."""
        if self._importing is not None:
            return self._importing.compile_graph(module, inputs)
        found = self._new_import()
        found.is_running = True
        with ours():
            run = found.compile_graph(module, inputs)
        self._imported_graphs.extend(found.graphs)
        return run

    def __call__(self, module: torch.fx.GraphModule, inputs: list[Any], **_: Any) -> Callable[..., Any]:
        """As a backend of TorchDynamo: the graph is imported, and runs compiled."""
        return self._compile_fx(module, inputs)

    def importer_by_export(self, module: Any, *args: Any, dynamic_shapes: Any = None, strict: bool = False,
                           **kwargs: Any) -> ImportedGraphs:  # fmt: skip
        """Imports a module or function, an ExportedProgram, or the path of a .pt2 file, by torch.export: one graph, whose
        inputs stay in the order of the module's own."""
        if isinstance(module, (str, os.PathLike)):
            return self._import_archive(os.fspath(module))
        if isinstance(module, torch.export.ExportedProgram):
            exported = module
        else:
            exported = torch.export.export(as_module(module), args, kwargs, dynamic_shapes=dynamic_shapes, strict=strict)
        if self._decompositions is not None:
            from buddy._decompositions import with_needed

            exported = exported.run_decompositions(with_needed(self._decompositions))
        elif any(is_subclass(tensor) for tensor in exported.state_dict.values()):
            exported = _of_plain_tensors(exported)
        graph = self._import_program(from_exported(exported), "exported program")
        return self._keep([graph], _ExportedRunner(graph, exported))

    def importer_by_torchscript(self, module: Any, *args: Any, **kwargs: Any) -> ImportedGraphs:
        """Imports a TorchScript module or function, or the path of an archive that ``torch.jit.save`` wrote, through
        PyTorch's own conversion to torch.export; loops are unrolled, unless numbers say how often they run. The archive is loaded by PyTorch, so load only what you trust."""
        from torch._export.converter import TS2EPConverter

        if isinstance(module, (str, os.PathLike)):
            module = torch.jit.load(os.fspath(module))  # type: ignore[no-untyped-call]
        if not isinstance(module, (torch.jit.ScriptModule, torch.jit.ScriptFunction)):
            raise InvalidArgumentError(f"a TorchScript module is needed, not {type(module).__name__}", "INVALID_ARGUMENT")
        if isinstance(module, torch.jit.ScriptModule):
            module = module.eval() if not module.training else module
        try:
            exported = TS2EPConverter(module, args, kwargs or None).convert()
        except Exception as error:
            return self._import_unrolled(module, args, kwargs, error)
        return self.importer_by_export(exported)

    def _import_unrolled(self, module: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[Any, Any],
                         reason: Exception) -> ImportedGraphs:  # fmt: skip
        """What PyTorch's conversion does not know, loops above all, is run on tensors without numbers: what does not ask for
        numbers does the same in every run. TorchScript's optimizer would keep such tensors as constants of the user's program."""
        flat, spec = torch.utils._pytree.tree_flatten((args, kwargs))
        places = [i for i, value in enumerate(flat) if isinstance(value, torch.Tensor)]

        def run(*tensors: torch.Tensor) -> Any:
            values = [*flat]
            for i, tensor in zip(places, tensors):
                values[i] = tensor
            given, named = torch.utils._pytree.tree_unflatten(values, spec)
            return module(*given, **named)

        tensors = [flat[i] for i in places]
        try:
            with torch.no_grad(), torch.jit.optimized_execution(False):  # type: ignore[attr-defined]
                traced = _traced(run, tensors)
        except Exception as error:
            raise UnsupportedError(f"PyTorch cannot convert this TorchScript: {reason}; and it cannot be run once for all: "
                                   f"{error}", "UNSUPPORTED") from error  # fmt: skip
        imported = self.importer_by_fx(traced, *tensors)
        self._runner = _UnrolledRunner(self.compiled(), flat, places, spec)
        return imported

    def importer_by_fx(self, module: torch.fx.GraphModule, *args: Any) -> ImportedGraphs:
        """Imports a graph of ATen ops, as ``make_fx`` traces it, or of any others, as ``symbolic_trace`` does. args: what it
        was traced with, for shapes that its nodes do not tell; tensors that it holds become constants."""
        if not _is_of_aten(module):
            with torch.no_grad():
                module = _traced(module, args)
        elif any("val" not in node.meta for node in module.graph.nodes if node.op in ("placeholder", "call_function")):
            from torch.fx.passes.fake_tensor_prop import FakeTensorProp

            FakeTensorProp(module).propagate(*args)
        program = from_graph_module(module)
        graph = self._import_program(program, "traced graph")
        return self._keep([graph], _TracedRunner(graph, program, torch.utils._pytree.tree_structure((args, {}))))

    def _import_archive(self, path: str) -> ImportedGraphs:
        registries = self._current_registries()
        native = _buddy.open_archive(registries.native, path)
        graph = Graph(native, registries, None, self._func_name, self._options, os.path.abspath(path))
        return self._keep([graph], _ArchiveRunner(graph, Signature(path, None)))

    def _import_program(self, program: Program, where: str) -> Graph:
        return Graph.of_program(program, self._current_registries(), self._func_name, where, self._options)

    def _keep(self, graphs: Sequence[Graph], runner: Callable[..., Any]) -> ImportedGraphs:
        first = len(self._imported_graphs)
        self._imported_graphs.extend(graphs)
        self._runner = runner
        return ImportedGraphs(self._imported_graphs, first)

    # ---- Running ----

    def compiled(self) -> Callable[..., Any]:
        """A function that runs what was imported last, compiled; it takes and gives what the model does."""
        if self._runner is None:
            raise InvalidArgumentError("nothing that can run was imported: call importer() first", "INVALID_ARGUMENT")
        return self._runner

    def dynamo_run(self) -> Callable[..., list[Any]]:
        """The same, but what it gives is a list of all results, however the model nests them."""
        run = self.compiled()
        return lambda *args, **kwargs: torch.utils._pytree.tree_leaves(run(*args, **kwargs))


def dynamo_compiler(module: torch.fx.GraphModule, inputs: list[Any], **_: Any) -> Callable[..., Any]:
    """A backend of TorchDynamo, ``torch.compile(model, backend=dynamo_compiler)``, with default options."""
    return DynamoCompiler()(module, inputs)


def _registry_of(module: ModuleType) -> OpsRegistry:
    found = getattr(module, "ops_registry", None)
    if not isinstance(found, OpsRegistry):
        raise InvalidArgumentError(f"primary_registry: the module {module.__name__} has no ops_registry; those of "
                                   "buddy.compiler.ops have one", "INVALID_ARGUMENT")  # fmt: skip
    return found


def _is_of_aten(module: torch.fx.GraphModule) -> bool:
    """Whether its nodes are ops, and no functions and modules that are made of ops."""
    ops = (torch._ops.OpOverload, torch._ops.HigherOrderOperator)
    called = [node for node in module.graph.nodes if node.op.startswith("call_")]
    return all(node.op == "call_function" and (isinstance(node.target, ops) or _is_beside_ops(node)) for node in called)


def _is_beside_ops(node: torch.fx.Node) -> bool:
    """One of an op's results, or arithmetic on sizes: what a graph of ops has, too, which says so in its values."""
    if node.target is operator.getitem and isinstance(node.args[0], torch.fx.Node):
        return isinstance(node.args[0].meta.get("val"), (tuple, list))
    return "val" in node.meta and not isinstance(node.meta["val"], torch.Tensor)


def _traced(function: Callable[..., Any], args: Sequence[Any]) -> torch.fx.GraphModule:
    """The ATen ops of a function, run on tensors without numbers; its own tensors stay what they are."""
    from torch.fx.experimental.proxy_tensor import make_fx

    return make_fx(function, tracing_mode="fake", _allow_non_fake_inputs=True)(*args)


def _of_plain_tensors(exported: torch.export.ExportedProgram) -> torch.export.ExportedProgram:
    """The program on the tensors that its parameters of tensor subclasses are made of, as PyTorch's own step makes it."""
    plain: torch.export.ExportedProgram = exported.run_decompositions({})
    if len(plain.graph_signature.output_specs) != len(exported.graph_signature.output_specs):
        raise UnsupportedError("the results are tensors of a subclass; return plain tensors", "UNSUPPORTED")
    return plain


class _Parameters(Mapping[Graph, list[torch.Tensor]]):
    """For each graph its parameters, found when they are asked for."""

    def __init__(self, graphs: Sequence[Graph]) -> None:
        self._graphs = list(graphs)

    def __getitem__(self, graph: Graph) -> list[torch.Tensor]:
        if graph not in self._graphs:
            raise KeyError(graph)
        return graph.tensors

    def __iter__(self) -> Iterator[Graph]:
        return iter(self._graphs)

    def __len__(self) -> int:
        return len(self._graphs)


class _ArchiveRunner:
    """Calls a program of a .pt2 file: inputs by position or by name; one result, or a tuple of all."""

    def __init__(self, graph: Graph, signature: Signature) -> None:
        self.graph, self.signature = graph, signature

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        executable = self.graph.compile()
        inputs, kwargs = self.signature.flattened(args, kwargs)
        for name in executable.user_names[len(inputs) :]:
            if name in kwargs:
                inputs.append(kwargs.pop(name))
        if kwargs:
            raise InvalidArgumentError(
                f"no inputs are called {sorted(kwargs)}; the program's are {executable.user_names}", "INVALID_ARGUMENT"
            )
        results = executable(inputs)
        return results[0] if len(results) == 1 else tuple(results)


class _TracedRunner:
    """Calls a graph of make_fx as the function was called."""

    def __init__(self, graph: Graph, program: Program, spec: Any) -> None:
        self.graph, self.program, self.spec = graph, program, spec

    def __call__(self, *args: Any) -> Any:
        args, _ = in_order(self.spec, args, {})
        inputs = [value for value in torch.utils._pytree.tree_leaves(args) if value is not None]
        results = self.graph.compile()(inputs)
        values = [as_result(result, spec.arg) for result, spec in zip(results, self.program.outputs)]
        return torch.utils._pytree.tree_unflatten(values, self.program.out_spec)


class _UnrolledRunner:
    """Calls a TorchScript program whose loops were unrolled, with the numbers that it was unrolled for."""

    def __init__(self, run: Callable[..., Any], known: list[Any], places: list[int], spec: Any) -> None:
        self.run, self.known, self.places, self.spec = run, known, places, spec

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args, kwargs = in_order(self.spec, args, kwargs)
        flat = torch.utils._pytree.tree_leaves((args, kwargs))
        numbers = [value for value in flat if not isinstance(value, torch.Tensor)]
        wanted = [value for i, value in enumerate(self.known) if i not in self.places]
        if numbers != wanted:
            raise InvalidArgumentError(f"the program was imported for {wanted}, not {numbers}", "INVALID_ARGUMENT")
        return self.run(*(value for value in flat if isinstance(value, torch.Tensor)))


class _ExportedRunner:
    """Calls an exported program as the module was called."""

    def __init__(self, graph: Graph, exported: torch.export.ExportedProgram) -> None:
        self.graph, self.exported = graph, exported
        specs = exported.graph_signature.input_specs
        users = [spec for spec in specs if spec.kind == torch.export.graph_signature.InputKind.USER_INPUT]
        self.constants = [spec.arg if isinstance(spec.arg, torch.export.graph_signature.ConstantArgument) else None
                          for spec in users]  # fmt: skip
        outputs = exported.graph_signature.output_specs
        self.outputs = [spec.arg for spec in outputs
                        if spec.kind == torch.export.graph_signature.OutputKind.USER_OUTPUT]  # fmt: skip

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        executable: Executable = self.graph.compile()
        args, kwargs = in_order(self.exported.call_spec.in_spec, args, kwargs)
        flat, _ = self.exported._get_flat_args_with_check(args, kwargs)  # type: ignore[no-untyped-call]
        inputs = []
        for value, constant in zip(flat, self.constants):
            if constant is None:
                inputs.append(value)
            elif not is_constant(value, constant.value):
                raise InvalidArgumentError(
                    f"{constant.name}: the program was exported for {constant.value!r}, not {value!r}", "INVALID_ARGUMENT"
                )
        results = [as_result(result, argument) for result, argument in zip(executable(inputs), self.outputs)]
        spec = self.exported.call_spec.out_spec
        return torch.utils._pytree.tree_unflatten(results, spec)


def in_order(spec: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments with the keys of their dictionaries in the order in which the program was imported; others stay what they are."""
    try:
        return torch.utils._pytree.tree_unflatten(spec.flatten_up_to((args, kwargs)), spec)  # type: ignore[no-any-return]
    except (AttributeError, ValueError, KeyError):
        return args, kwargs  # PyTorch says what is wrong


def as_result(result: Any, argument: Any) -> Any:
    """A tensor as what the program's signature says it is: a number, a constant, or the tensor."""
    if isinstance(argument, torch.export.graph_signature.ConstantArgument):
        return argument.value
    is_tensor = isinstance(argument, torch.export.graph_signature.TensorArgument)
    return result if is_tensor or result is None else result.item()
