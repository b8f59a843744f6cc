# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of a graph as Python objects. Every op that buddy knows has a class here, made from its definition when it is asked
for: ``from buddy.compiler.graph.operation import AddOp, MatmulOp``, or ``*`` for all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any


class OpType(Enum):
    """What kind of op it is. The last ones are told apart from ReduceType and ElementwiseType only by buddy."""

    BroadcastType = 0
    ElementwiseType = 1
    ReshapeType = 2
    SliceLikeType = 3
    ReduceType = 4
    ConcatType = 5
    PlaceholderType = 6
    GetItemType = 7
    Unfusable = 8
    ShapeType = 9
    TransposeType = 10
    ContractionType = 11
    ConvolutionType = 12
    PoolingType = 13
    NormalizationType = 14
    IndexingType = 15
    CreationType = 16
    ControlType = 17
    RandomType = 18
    SideEffectType = 19


_KINDS = {
    "elementwise": OpType.ElementwiseType, "reduce": OpType.ReduceType, "reshape": OpType.ReshapeType,
    "transpose": OpType.TransposeType, "concat": OpType.ConcatType, "contraction": OpType.ContractionType,
    "convolution": OpType.ConvolutionType, "pooling": OpType.PoolingType, "normalization": OpType.NormalizationType,
    "indexing": OpType.IndexingType, "creation": OpType.CreationType, "control": OpType.ControlType,
    "random": OpType.RandomType, "side_effect": OpType.SideEffectType,
}  # fmt: skip


def op_type(kind: str, schema: str = "") -> OpType:
    """The OpType for the kind that an op definition has: elementwise ops of two tensors broadcast."""
    if kind == "elementwise" and schema.partition("->")[0].count("Tensor ") > 1:
        return OpType.BroadcastType
    return _KINDS.get(kind, OpType.Unfusable)


@dataclass(frozen=True)
class Location:
    """Where an op comes from: the user's Python line and the path of the module."""

    file: str | None
    line: int
    function: str | None
    code: str | None
    module_path: str | None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.file else ""
        return ", ".join(part for part in (place, self.module_path) if part)


class Op:
    """One node. ``args``: names of values as strings, and numbers, in the schema's order, without those at the end that are
    at their default; ``kwargs``: all arguments by their schema name. What is changed in either changes the graph.

    A class of one's own derives from it, sets ``_op_type`` in ``__init__``, and stands in ``DynamoCompiler._ops_map``.
    """

    target: str = ""  #: "aten.add.Tensor"
    location: Location | None = None

    def __init__(self) -> None:
        self._name = ""
        self._arguments: list[Any] = []
        self._keyword_arguments: dict[str, Any] = {}
        self._tensor_meta: dict[str, Any] = {}  # "shape" and "dtype" of the result, or lists of them
        self._op_type = OpType.Unfusable
        self._parents: list[str] = []
        self._children: list[str] = []

    @property
    def name(self) -> str:
        """Its name, unique in the graph; also the name of its result, if there is one (else name.0, name.1, …)."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = name

    @property
    def args(self) -> list[Any]:
        """The arguments in order."""
        return self._arguments

    @args.setter
    def args(self, arguments: list[Any]) -> None:
        self._arguments = arguments

    @property
    def kwargs(self) -> dict[str, Any]:
        """The arguments by name."""
        return self._keyword_arguments

    @kwargs.setter
    def kwargs(self, arguments: dict[str, Any]) -> None:
        self._keyword_arguments = arguments

    @property
    def tensor_meta(self) -> dict[str, Any]:
        """ "shape" and "dtype" of the result, or lists of them."""
        return self._tensor_meta

    @tensor_meta.setter
    def tensor_meta(self, meta: dict[str, Any]) -> None:
        self._tensor_meta = meta

    def add_argument(self, argument: Any, arg_index: int = 0) -> None:
        """Adds one at the end. arg_index: which result of that node, if it has several."""
        self._arguments.append(f"{argument}.{arg_index}" if arg_index else argument)

    def add_parent(self, parent: str) -> None:
        """Notes the name of a node whose results it uses. The graph goes by the arguments, and writes these anew."""
        self._parents.append(parent)

    def add_children(self, child: str) -> None:
        """Notes the name of a node that uses its results."""
        self._children.append(child)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name} = {self.target}({', '.join(map(str, self.args))})>"


class PlaceholderOp(Op):
    """An input: the user's, a parameter, a buffer or a constant (``kind``), which ``parameter`` names in the module."""

    target = "placeholder"
    kind = "user"
    parameter: str | None = None

    def __init__(self) -> None:
        super().__init__()
        self._op_type = OpType.PlaceholderType


class OutputOp(Op):
    """What the graph gives."""

    target = "output"

    def __init__(self) -> None:
        super().__init__()
        self._op_type = OpType.GetItemType


class CallExternalOp(Op):
    """An op that a registry lowers to a call of a library, as ``vendor`` does; ``call_func_name`` is a note of the transform
    that chose it: which function is called, the registry says."""

    def __init__(self, call_func_name: str = "", args: Sequence[str] = (), args_index: Sequence[int] = (),
                 tensor_meta: dict[Any, Any] | None = None, name: str = "") -> None:  # fmt: skip
        super().__init__()
        self.call_func_name = call_func_name
        self._name, self._arguments, self._tensor_meta = name, list(args), dict(tensor_meta or {})


_WRITTEN = {"OpType", "Op", "Location", "PlaceholderOp", "OutputOp", "CallExternalOp"}


def __getattr__(name: str) -> Any:
    """The classes that are made from the definitions of ops, and the list of all."""
    from buddy.compiler import ops_map

    if name == "__all__":
        return sorted(_WRITTEN | ops_map.class_names())
    if name.endswith("Op") and name[0].isupper():
        made = ops_map.class_of_name(name)
        if made is not None:
            return made
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
