# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowerings and expansions written in Python, and what they see: the node, its arguments, a symbol table.

A lowering is a function ``lowering(node, symbol_table)`` that builds ops (``buddy.compiler.ir``,
``buddy.compiler.dialects``) and returns the op or value of each result. An expansion is a function
``expansion(node, graph)`` that adds simpler nodes and returns what stands for each result. Both may raise ``Declined``
with a reason, and the next row is asked, as with rows written in C.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from buddy import _buddy
from buddy._program import DTYPE_TEXTS, TORCH_DTYPES
from buddy.compiler import ir
from buddy.compiler.graph.explain import Decision
from buddy.compiler.graph.operation import Op
from buddy.errors import Declined, LoweringWarning



class NodeValue:
    """A tensor of the graph. ``str()`` is its name; ``shape`` may hold symbolic sizes, which are below zero."""

    def __init__(self, name: str, dtype: torch.dtype, shape: list[int], handle: _buddy.Handle) -> None:
        self.name, self.dtype, self.shape, self.handle = name, dtype, shape, handle

    @property
    def type(self) -> ir.RankedTensorType:
        """The MLIR type."""
        return ir.RankedTensorType.get(self.shape, ir.element_type(self.dtype))

    def __str__(self) -> str:
        return self.name

    __repr__ = __str__


def _read(value: Any, seen: dict[str, NodeValue]) -> Any:
    """An argument as the extension gives it."""
    if isinstance(value, list):
        return [_read(item, seen) for item in value]
    if not isinstance(value, tuple):
        return value
    if value[0] == "dtype":
        return TORCH_DTYPES[value[1]]
    _, name, (dtype, shape), handle = value
    return seen.setdefault(name, NodeValue(name, TORCH_DTYPES[dtype], shape, handle))


class _Arguments(Sequence[Any]):
    """The arguments that the row lists. Reading one tells the host that it is consumed; one that is not at its default
    and never read is an error, so that no argument is dropped."""

    def __init__(self, call: _buddy.Call) -> None:
        self.call = call
        self.seen: dict[str, NodeValue] = {}

    def __len__(self) -> int:
        return self.call.n_args()

    def __getitem__(self, index: int | slice) -> Any:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        n = len(self)
        if not -n <= index < n:
            raise IndexError(index)
        return _read(self.call.arg(index % n), self.seen)


class _Keywords(Mapping[str, Any]):
    """The same by their schema names."""

    def __init__(self, names: Sequence[str], arguments: _Arguments) -> None:
        self.names, self.arguments = list(names), arguments

    def __getitem__(self, name: str) -> Any:
        if name not in self.names:
            raise KeyError(name)
        return self.arguments[self.names.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


class SymbolTable(Mapping[tuple[str, int], ir.Value]):
    """From the name of an argument, and 0, to its IR value."""

    def __init__(self, arguments: _Arguments) -> None:
        self.arguments = arguments
        self.known: dict[str, ir.Value] = {}

    def __getitem__(self, key: tuple[str, int]) -> ir.Value:
        name, index = key
        found = self.arguments.seen.get(name) if index == 0 else self.arguments.seen.get(f"{name}.{index}")
        if found is None:
            raise KeyError(key)
        if found.name not in self.known:
            self.known[found.name] = ir.Value(self.arguments.call.ir_value(found.handle), found.type)
        return self.known[found.name]

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter((name, 0) for name in self.arguments.seen)

    def __len__(self) -> int:
        return len(self.arguments.seen)


class GraphBuilder:
    """Adds nodes in front of the one that is being expanded."""

    def __init__(self, call: _buddy.Call, seen: dict[str, NodeValue]) -> None:
        self.call, self.seen = call, seen

    def node(self, op: str, /, *, types: Sequence[tuple[torch.dtype, Sequence[int]]] | None = None, **arguments: Any) -> Any:
        """One node: ``graph.node("aten.mul.Tensor", self=x, other=y)``. types: (dtype, shape) of each result; may be
        left out where shapes follow from the arguments (elementwise ops, reductions). Gives the value, or a list."""
        given = [(name.rstrip("_"), *_kind(value)) for name, value in arguments.items() if value is not None]
        texts = None if types is None else [(DTYPE_TEXTS[dtype], list(shape)) for dtype, shape in types]
        results = [_read(value, self.seen) for value in self.call.node(op, given, texts)]
        return results[0] if len(results) == 1 else results


def _kind(value: Any) -> tuple[str, Any]:
    if isinstance(value, NodeValue):
        return "value", value.handle
    if isinstance(value, torch.dtype):
        return "dtype", DTYPE_TEXTS[value]
    for kind, name in ((bool, "bool"), (int, "int"), (float, "float"), (str, "string")):
        if isinstance(value, kind):
            return name, value
    if isinstance(value, (list, tuple)):
        if all(isinstance(item, NodeValue) for item in value) and value:
            return "values", [item.handle for item in value]
        if all(isinstance(item, int) for item in value):
            return "ints", list(value)
    raise TypeError(f"{value!r} is no argument of a node")


_declined_by_hand: set[str] = set()  # what lowerings have said themselves


def warn_of_declined(decisions: Sequence[Decision]) -> None:
    """A lowering that another row stood in for, without having said so itself, is told of."""
    for decision in decisions:
        for one in decision.tries:
            is_python = one.registry.endswith("_python") or one.registry == "primary"
            if is_python and one.code != "OK" and one.reason not in _declined_by_hand:
                by = f"{decision.taken_by} took it" if decision.is_taken else "nobody took it"
                warnings.warn(f"{decision.name} ({decision.op}): the lowering written in Python is not used, {by}: {one.reason}",
                              LoweringWarning, stacklevel=4)  # fmt: skip


@dataclass(frozen=True)
class PythonRow:
    """A row written in Python."""

    function: Callable[..., Any]
    arguments: tuple[str, ...] | None = None  #: those that it reads; None: all of the op's schema
    benefit: int = 0
    is_static: bool = False
    expands: bool = False

    def adapt(self, op_class: type[Op], names: Sequence[str]) -> Callable[[_buddy.Call], None]:
        """What the host calls."""

        def answer(call: _buddy.Call) -> None:
            try:
                build(call)
            except Declined as reason:
                _declined_by_hand.add(str(reason) or "no reason given")
                raise

        def build(call: _buddy.Call) -> None:
            arguments = _Arguments(call)
            results = call.results()
            node = op_class()
            node.target = node.name = call.op_name()
            node.args = arguments  # type: ignore[assignment]
            node.kwargs = _Keywords(names, arguments)  # type: ignore[assignment]
            shapes, dtypes = [shape for _, shape in results], [TORCH_DTYPES[dtype] for dtype, _ in results]
            one = len(results) == 1
            node.tensor_meta = {"shape": shapes[0] if one else shapes, "dtype": dtypes[0] if one else dtypes}
            if self.expands:
                _replace(call, len(results), self.function(node, GraphBuilder(call, arguments.seen)))
            else:
                with ir._Calling(call):
                    _set_results(call, len(results), self.function(node, SymbolTable(arguments)))

        return answer


def _as_list(returned: Any, n: int, what: str) -> list[Any]:
    values = list(returned) if isinstance(returned, (list, tuple)) else [returned]
    if len(values) != n or any(value is None for value in values):
        raise ValueError(f"the op has {n} results, but the {what} returned {returned!r}")
    return values


def _set_results(call: _buddy.Call, n: int, returned: Any) -> None:
    if isinstance(returned, ir.Operation):
        returned = returned.results
    for i, value in enumerate(_as_list(returned, n, "lowering")):
        call.set_result(i, ir._operand(value).handle)


def _replace(call: _buddy.Call, n: int, returned: Any) -> None:
    for i, value in enumerate(_as_list(returned, n, "expansion")):
        if not isinstance(value, NodeValue):
            raise TypeError(f"an expansion returns values of the graph, not {value!r}")
        call.replace(i, value.handle)
