# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a program, as torch.export.save would write it: PyTorch's serializer, with short ways for what is common.

PyTorch builds a dataclass for every size, argument and name, each with all the fields that its union could have. That is
some ten thousand objects for a BERT-base, thrice what the rest of its import costs. Tensors, numbers and lists of them are
written here as the plain dictionaries that those dataclasses become; every other thing goes PyTorch's own way. What is
not needed (a copy in canonical form, the readable source text of the graph, a second walk) is left out.
"""

from __future__ import annotations

import gc
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch._export.serde import schema
from torch._export.serde.serialize import (
    _TORCH_TO_SERIALIZE_DTYPE,
    _TORCH_TO_SERIALIZE_LAYOUT,
    _TORCH_TO_SERIALIZE_MEMORY_FORMAT,
    GraphModuleSerializer,
    serialize_range_constraints,
    serialize_sym_int,
)
from torch._export.serde.union import _Union
from torch.export import graph_signature as sig

from buddy.errors import InvalidArgumentError, UnsupportedError

_SCALARS = {bool: "as_bool", int: "as_int", str: "as_string"}
_LISTS = {bool: "as_bools", int: "as_ints", str: "as_strings"}
_SETTINGS: dict[type, tuple[str, Mapping[Any, Any]]] = {
    torch.dtype: ("as_scalar_type", _TORCH_TO_SERIALIZE_DTYPE),
    torch.layout: ("as_layout", _TORCH_TO_SERIALIZE_LAYOUT),
    torch.memory_format: ("as_memory_format", _TORCH_TO_SERIALIZE_MEMORY_FORMAT),
}


def write(module: torch.fx.GraphModule, signature: sig.ExportGraphSignature, ranges: dict[Any, Any]) -> bytes:
    """The text of a graph of ATen ops in functional form."""
    with _no_collection():
        serializer = GraphModuleSerializer(signature, [])
        _ShortWays(serializer)
        for node in module.graph.nodes:
            _write_node(serializer, node)
        program = {
            "graph_module": {
                "graph": vars(serializer.graph_state),
                "signature": serializer.serialize_signature(signature),
                "module_call_graph": [],
            },
            "range_constraints": serialize_range_constraints(ranges),
            "schema_version": {"major": schema.SCHEMA_VERSION[0], "minor": schema.SCHEMA_VERSION[1]},
            "torch_version": torch.__version__,
        }
        return json.dumps(program, default=_plain, check_circular=False).encode()


@contextmanager
def _no_collection() -> Iterator[None]:
    """Nothing made here lies in a cycle, but a collection that it sets off looks at all that PyTorch has made: 0.2 s."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _write_node(serializer: GraphModuleSerializer, node: torch.fx.Node) -> None:
    try:
        getattr(serializer, f"handle_{node.op}")(node)
    except (UnsupportedError, InvalidArgumentError):
        raise
    except Exception as error:
        line = _user_line(node)
        advice = " (keep pairs of 4-bit floats as uint8)" if str(torch.float4_e2m1fn_x2) in str(error) else ""
        raise UnsupportedError(
            f"{node.name}{line}: PyTorch cannot serialize {node.format_node()}: {error}{advice}", "UNSUPPORTED"
        ) from error


def _user_line(node: torch.fx.Node) -> str:
    trace = node.meta.get("stack_trace") or ""
    frames = [line.strip() for line in trace.splitlines() if line.strip().startswith("File ")]
    if not frames:
        return ""
    file, line = frames[-1].split(", ")[:2]
    return f" ({file.removeprefix('File ').strip(chr(34))}:{line.removeprefix('line ')})"


# ---- What PyTorch's dataclasses become ----


def _plain(value: Any) -> Any:
    """json.dumps asks this of everything that is no plain value."""
    if isinstance(value, _Union):
        inner = value.value
        if isinstance(inner, float) and not math.isfinite(inner):
            inner = "NaN" if math.isnan(inner) else "Infinity" if inner > 0 else "-Infinity"
        elif isinstance(inner, (list, tuple)):
            inner = [_finite(item) for item in inner]
        return {value.type: inner}
    return vars(value)


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


# ---- The short ways ----


class _ShortWays:
    """Methods in the place of the serializer's, which PyTorch lets nobody derive from. They give what ``_plain`` would."""

    def __init__(self, serializer: GraphModuleSerializer) -> None:
        self.state = serializer  # whose graph_state changes where graphs lie within graphs
        self.other_input = serializer.serialize_input
        self.other_output = serializer.serialize_output
        self.other_placeholder = serializer.handle_placeholder
        self.other_input_spec = serializer.serialize_input_spec
        for name in ("serialize_input", "serialize_output", "serialize_tensor_output", "handle_placeholder",
                     "serialize_input_spec"):  # fmt: skip
            setattr(serializer, name, getattr(self, name))
        setattr(serializer, "serialize_metadata", _metadata)

    def serialize_tensor_output(self, name: str, value: torch.Tensor) -> dict[Any, Any]:
        """The type of a value, and the value by its name."""
        if name in self.state.graph_state.tensor_values:
            raise AssertionError(f"name {name!r} already in tensor_values")
        values: dict[str, Any] = self.state.graph_state.tensor_values
        values[name] = {
            "dtype": _TORCH_TO_SERIALIZE_DTYPE[value.dtype],
            "sizes": [_size(size) for size in value.shape],
            "requires_grad": value.requires_grad,
            "device": _device(value.device),
            "strides": [_size(stride) for stride in value.stride()],
            "storage_offset": _size(value.storage_offset()),
            "layout": _TORCH_TO_SERIALIZE_LAYOUT[value.layout],
        }
        return {"name": name}

    def serialize_output(self, name: str, value: Any) -> Any:
        """A result of a node."""
        if isinstance(value, torch.Tensor):
            return {"as_tensor": self.serialize_tensor_output(name, value)}
        return self.other_output(name, value)

    def handle_placeholder(self, node: torch.fx.Node) -> None:
        """An input of the graph."""
        if isinstance(node.meta["val"], torch.Tensor):
            self.state.graph_state.inputs.append(self.serialize_output(node.name, node.meta["val"]))
        else:
            self.other_placeholder(node)

    def serialize_input_spec(self, spec: sig.InputSpec) -> Any:
        """What an input of the graph is."""
        if spec.kind == sig.InputKind.PARAMETER and isinstance(spec.arg, sig.TensorArgument):
            return {"parameter": {"arg": {"name": spec.arg.name}, "parameter_name": spec.target}}
        return self.other_input_spec(spec)

    def serialize_input(self, value: Any, kind: Any = None) -> Any:
        """An argument of a node."""
        if isinstance(value, torch.fx.Node):
            if self._is_tensor(value):
                return {"as_tensor": {"name": self.state.duplicate_getitem_nodes.get(value.name, value.name)}}
            if value.name in self.state.graph_state.sym_int_values:
                return {"as_sym_int": {"as_name": value.name}}
        elif value is None:
            return {"as_none": True}
        elif type(value) is float:
            return {"as_float": _finite(value)}
        elif tag := _SCALARS.get(type(value)):
            return {tag: value}
        elif setting := _SETTINGS.get(type(value)):
            return {setting[0]: setting[1][value]}
        elif isinstance(value, torch.device):
            return {"as_device": _device(value)}
        elif isinstance(value, (list, tuple)) and (found := self._list(value, kind)) is not None:
            return found
        return self.other_input(value, kind)

    def _list(self, values: list[Any] | tuple[Any, ...], kind: Any) -> dict[Any, Any] | None:
        """A list of plain values, sizes, or tensors; none: not one of those."""
        if not values:
            return {"as_ints": []} if _is_of_integers(kind) else None
        kinds = {type(value) for value in values}
        if len(kinds) == 1 and (tag := _LISTS.get(next(iter(kinds)))):
            return {tag: list(values)}
        if not kinds <= {int, torch.fx.Node}:
            return None
        nodes = [value for value in values if isinstance(value, torch.fx.Node)]
        if all(node.name in self.state.graph_state.sym_int_values for node in nodes):
            return {"as_sym_ints": [{"as_name": value.name} if isinstance(value, torch.fx.Node) else {"as_int": value}
                                    for value in values]}  # fmt: skip
        if len(nodes) == len(values) and all(map(self._is_tensor, nodes)):
            return {"as_tensors": [{"name": node.name} for node in nodes]}
        return None

    @staticmethod
    def _is_tensor(node: torch.fx.Node) -> bool:
        return node.op != "get_attr" and isinstance(node.meta.get("val"), torch.Tensor)


def _size(size: Any) -> Any:
    return {"as_int": size} if type(size) is int else serialize_sym_int(size)


def _is_of_integers(kind: Any) -> bool:
    inner = kind.getElementType() if isinstance(kind, torch.OptionalType) else kind
    return isinstance(inner, torch.ListType) and isinstance(inner.getElementType(), torch.IntType)


def _device(device: torch.device) -> dict[Any, Any]:
    return {"type": device.type, "index": device.index}


def _metadata(node: torch.fx.Node) -> dict[str, str]:
    """What the importer reads of a node's metadata: the user's lines, and the path of the module. The rest costs time,
    and holds addresses, which would make the text of one program another one in each process."""
    found = {}
    if trace := node.meta.get("stack_trace"):
        found["stack_trace"] = trace
    if stack := node.meta.get("nn_module_stack"):
        found["nn_module_stack"] = ";".join(f"{i},{path},{kind}" for i, (path, kind) in enumerate(stack.values()))
    return found
