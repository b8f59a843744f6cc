# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How a live program reaches the C importer: as the text that torch.export.save would write, and tensors by address.

PyTorch's own serializer writes each node; it is the one description of a program that PyTorch keeps stable over its
versions, and the importer reads it from archives anyway, so there is no second importer. Weights are not part of the
text: they go along as addresses of the model's own storages.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.export import graph_signature as sig

from buddy import _buddy
from buddy._serializer import write
from buddy.errors import InvalidArgumentError, UnsupportedError

DTYPE_TEXTS = {
    torch.bool: "i1", torch.uint8: "u8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
    torch.uint16: "u16", torch.uint32: "u32", torch.uint64: "u64", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.float32: "f32", torch.float64: "f64", torch.complex32: "c32", torch.complex64: "c64",
    torch.complex128: "c128", torch.float8_e4m3fn: "f8e4m3fn", torch.float8_e5m2: "f8e5m2",
    torch.float8_e4m3fnuz: "f8e4m3fnuz", torch.float8_e5m2fnuz: "f8e5m2fnuz",
    torch.float8_e8m0fnu: "f8e8m0fnu",
}  # fmt: skip
DTYPES = {dtype: _buddy.DTYPES[text] for dtype, text in DTYPE_TEXTS.items()}  #: torch dtype to buddy's number
TORCH_DTYPES = {text: dtype for dtype, text in DTYPE_TEXTS.items()}  #: buddy's text to torch dtype


@dataclass
class Program:
    """A serialized program: its text, its tensors by name, and what its inputs and outputs are."""

    text: bytes
    tensors: dict[str, torch.Tensor]  #: parameters, buffers and constants by their name in the module
    inputs: list[sig.InputSpec]
    outputs: list[sig.OutputSpec]
    parameters: list[str] = field(default_factory=list)  #: names of those that are inputs, in order
    out_spec: Any = None  #: how the outputs nest, where the graph says it
    draws: bool = False  #: random numbers


class _Function(torch.nn.Module):
    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def as_module(model: torch.nn.Module | Callable[..., Any]) -> torch.nn.Module:
    """A function as the module that torch.export wants."""
    return model if isinstance(model, torch.nn.Module) else _Function(model)


def is_subclass(tensor: torch.Tensor) -> bool:
    """Whether it is more than a tensor over one storage."""
    return type(tensor) not in (torch.Tensor, torch.nn.Parameter, torch.nn.Buffer)


def draws_numbers(module: torch.fx.GraphModule) -> bool:
    """Whether a run draws random numbers; dropout that is switched off does not."""
    graphs = [part.graph for part in module.modules() if isinstance(part, torch.fx.GraphModule)]
    return any(_draws(node) for graph in graphs for node in graph.nodes)


def _draws(node: torch.fx.Node) -> bool:
    target = node.target
    if not isinstance(target, torch._ops.OpOverload) or torch.Tag.nondeterministic_seeded not in target.tags:
        return False
    arguments = target._schema.arguments
    given = {argument.name: argument.default_value for argument in arguments if argument.has_default_value()}
    given |= dict(zip((argument.name for argument in arguments), node.args)) | node.kwargs
    return given.get("train", given.get("training")) is not False and given.get("dropout_p", given.get("p")) != 0


def describe_storage(name: str, tensor: torch.Tensor) -> tuple[Any, ...]:
    """What _buddy.import_program wants to know of a tensor; nothing is copied."""
    dtype = DTYPES.get(tensor.dtype)
    if dtype is None or tensor.layout != torch.strided:
        raise UnsupportedError(f"{name}: a tensor of dtype {tensor.dtype}, layout {tensor.layout}", "UNSUPPORTED")
    if is_subclass(tensor):
        raise UnsupportedError(f"{name}: a tensor of the subclass {type(tensor).__name__}", "UNSUPPORTED")
    if tensor.is_meta:
        raise InvalidArgumentError(f"{name}: the tensor is on the meta device and has no bytes", "INVALID_ARGUMENT")
    sizes, strides = tuple(tensor.shape), tensor.stride()
    if tensor.device.type != "cpu" or tensor.is_conj() or tensor.is_neg():
        return name, 0, 0, 0, dtype, sizes, None  # bytes not known: it can be imported, and is read when it runs
    storage = tensor.untyped_storage()
    return (name, storage.data_ptr(), storage.nbytes(), tensor.storage_offset(), dtype, sizes,
            None if tensor.is_contiguous() else strides)  # fmt: skip


def import_program(registries: _buddy.Registries, program: Program, where: str) -> _buddy.Graph:
    """The graph of a program; it keeps the program's tensors alive."""
    tensors = [describe_storage(name, tensor) for name, tensor in program.tensors.items()]
    return _buddy.import_program(registries, where, program.text, tensors, program.tensors)


# ---- From torch.export ----


def from_exported(exported: torch.export.ExportedProgram) -> Program:
    """A program of torch.export."""
    signature = exported.graph_signature
    tensors: dict[str, torch.Tensor] = {}
    parameters = []
    for spec in signature.input_specs:
        if spec.kind in (sig.InputKind.PARAMETER, sig.InputKind.BUFFER, sig.InputKind.CONSTANT_TENSOR):
            assert spec.target is not None
            found = exported.state_dict.get(spec.target)
            tensors[spec.target] = exported.constants[spec.target] if found is None else found
            parameters.append(spec.target)
    text = write(exported.graph_module, signature, exported.range_constraints)
    return Program(text, tensors, list(signature.input_specs), list(signature.output_specs), parameters,
                   draws=draws_numbers(exported.graph_module))  # fmt: skip


# ---- From graphs that TorchDynamo, AOTAutograd and make_fx give ----


def from_graph_module(
    module: torch.fx.GraphModule, parameters: Mapping[int, tuple[str, torch.Tensor]] | None = None,
    results: list[Any] | None = None, constants_are_inputs: bool = False,
) -> Program:  # fmt: skip
    """A graph of ATen ops in functional form whose nodes carry ``meta["val"]``.

    ``parameters``: placeholders that are parameters or buffers: number to (name in the module, tensor). They come first
    among the inputs of the program. Tensors that the graph holds as attributes become constants, or, with
    ``constants_are_inputs``, inputs like the user's, in front of those. ``results``: nodes of the module, in the place of
    its results. The module given is not changed.
    """
    parameters = parameters or {}
    graph = torch.fx.Graph()
    copies: dict[torch.fx.Node, torch.fx.Node] = {}
    specs, tensors = [], {}
    placeholders = [node for node in module.graph.nodes if node.op == "placeholder"]
    order = sorted(range(len(placeholders)), key=lambda i: _rank(parameters.get(i)))
    for i in order:
        node = copies[placeholders[i]] = graph.node_copy(placeholders[i])
        if i in parameters:
            name, tensor = parameters[i]
            is_parameter = isinstance(tensor, torch.nn.Parameter)
            kind = sig.InputKind.PARAMETER if is_parameter else sig.InputKind.BUFFER
            specs.append(sig.InputSpec(kind, sig.TensorArgument(node.name), name, None if is_parameter else True))
            tensors[name] = tensor
        else:
            specs.append(sig.InputSpec(sig.InputKind.USER_INPUT, _argument(node), None))
    constants = _constants(module, graph, copies, tensors)
    if constants_are_inputs:
        constants = [sig.InputSpec(sig.InputKind.USER_INPUT, spec.arg, None) for spec in constants]
    specs = [*(spec for spec in specs if spec.target), *constants, *(spec for spec in specs if not spec.target)]
    for node in module.graph.nodes:
        if node.target is torch.sym_sum:
            copies[node] = _sum_of(graph, [copies.get(term, term) for term in node.args[0]])
        if node not in copies:
            copies[node] = graph.node_copy(node, lambda old: copies[old])
        stack = node.meta.get("nn_module_stack")
        if stack:
            copies[node].meta["nn_module_stack"] = {key: (_module_path(path), _class_name(kind))
                                                    for key, (path, kind) in stack.items()}  # fmt: skip
    flat, out_spec = torch.utils._pytree.tree_flatten(graph.output_node().args[0])
    if results is not None:
        flat = [copies.get(result, result) for result in results]
    graph.output_node().args = (tuple(flat),)
    outputs = [sig.OutputSpec(sig.OutputKind.USER_OUTPUT, _argument(result), None) for result in flat]
    copy = torch.fx.GraphModule(module, graph)
    text = write(copy, sig.ExportGraphSignature(specs, outputs), _ranges(placeholders))
    return Program(text, tensors, specs, outputs, [spec.target for spec in specs if spec.target], out_spec,
                   draws_numbers(module))  # fmt: skip


def _rank(parameter: tuple[str, torch.Tensor] | None) -> int:
    """Parameters come first, then buffers, then what the user gives: on every road."""
    return 2 if parameter is None else 0 if isinstance(parameter[1], torch.nn.Parameter) else 1


def _sum_of(graph: torch.fx.Graph, terms: list[Any]) -> Any:
    """A sum of sizes, two at a time: PyTorch's serializer does not know torch.sym_sum."""
    values = [term.meta["val"] if isinstance(term, torch.fx.Node) else term for term in terms]
    total, value = terms[0], values[0]
    for term, added in zip(terms[1:], values[1:]):
        total, value = graph.call_function(operator.add, (total, term)), value + added
        total.meta["val"] = value
    return total


def _module_path(path: str) -> str:
    """TorchDynamo's "L['self']._modules['layer']._modules['0'].norm" as "layer.0.norm"."""
    path = re.sub(r"^L\['\w+'\]", "", path)
    path = re.sub(r"(?:\._modules)?\[['\"]?([\w.]+)['\"]?\]", r".\1", path)
    return path.strip(".")


def _class_name(kind: Any) -> str:
    return f"{kind.__module__}.{kind.__qualname__}" if isinstance(kind, type) else str(kind)


def _argument(value: Any) -> Any:
    if not isinstance(value, torch.fx.Node):
        return sig.ConstantArgument("", value)
    meta = value.meta.get("val")
    if isinstance(meta, torch.SymInt):
        return sig.SymIntArgument(value.name)
    if isinstance(meta, torch.SymFloat):
        return sig.SymFloatArgument(value.name)
    if isinstance(meta, torch.SymBool):
        return sig.SymBoolArgument(value.name)
    if meta is None or isinstance(meta, (bool, int, float, str)):
        return sig.ConstantArgument(value.name, meta)
    return sig.TensorArgument(value.name)


def _constants(
    module: torch.fx.GraphModule,
    graph: torch.fx.Graph,
    copies: dict[torch.fx.Node, torch.fx.Node],
    tensors: dict[str, torch.Tensor],
) -> list[sig.InputSpec]:
    """Placeholders for tensors that the graph reads by get_attr; graphs within are left as they are."""
    specs = []
    by_target: dict[str, torch.fx.Node] = {}
    for node in module.graph.nodes:
        if node.op != "get_attr":
            continue
        value = torch.fx.graph_module._get_attr(module, node.target)
        if not isinstance(value, torch.Tensor):
            continue
        if node.target not in by_target:
            placeholder = graph.placeholder(f"constant_{len(by_target)}")
            placeholder.meta = dict(node.meta)
            placeholder.meta.setdefault("val", value)
            name = f"{node.target}" if node.target not in tensors else f"constant.{node.target}"
            tensors[name] = value
            specs.append(sig.InputSpec(sig.InputKind.CONSTANT_TENSOR, sig.TensorArgument(placeholder.name), name))
            by_target[node.target] = placeholder
        copies[node] = by_target[node.target]
    return specs


def _ranges(placeholders: Iterable[torch.fx.Node]) -> dict[Any, Any]:
    """Ranges of the symbols that the shapes of the inputs are made of."""
    for node in placeholders:
        value = node.meta.get("val")
        sizes = value.shape if isinstance(value, torch.Tensor) else (value,)
        for size in sizes:
            if isinstance(size, torch.SymInt):
                environment = size.node.shape_env
                return {symbol: bounds for symbol, bounds in environment.var_to_range.items()
                        if symbol.name.startswith(("s", "u"))}  # fmt: skip
    return {}
