"""Ops of a graph as Python objects."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Any


class OpType(Enum):
    """What kind of op it is."""

    BroadcastType = 0
    ElementwiseType = 1
    ReshapeType = 2
    ReduceType = 3
    ConcatType = 4
    PlaceholderType = 5
    GetItemType = 6
    TransposeType = 7
    ContractionType = 8
    ConvolutionType = 9
    PoolingType = 10
    NormalizationType = 11
    IndexingType = 12
    CreationType = 13
    ControlType = 14
    RandomType = 15
    SideEffectType = 16
    Unfusable = 17


_KINDS = {
    "elementwise": OpType.ElementwiseType, "reduce": OpType.ReduceType, "reshape": OpType.ReshapeType,
    "transpose": OpType.TransposeType, "concat": OpType.ConcatType, "contraction": OpType.ContractionType,
    "convolution": OpType.ConvolutionType, "pooling": OpType.PoolingType, "normalization": OpType.NormalizationType,
    "indexing": OpType.IndexingType, "creation": OpType.CreationType, "control": OpType.ControlType,
    "random": OpType.RandomType, "side_effect": OpType.SideEffectType,
}  # fmt: skip


def op_type(kind: str) -> OpType:
    """The OpType for the kind that an op definition has."""
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


@dataclass
class Op:
    """One op. ``args``: names of values as strings, and numbers; ``kwargs``: all arguments by their schema name.

    A class of one's own derives from it, sets ``_op_type`` in ``__init__``, and stands in ``DynamoCompiler._ops_map``.
    """

    target: str = ""  #: "aten.add.Tensor"
    name: str = ""
    args: list[Any] = field(default_factory=list)
    kwargs: dict[str, Any] = field(default_factory=dict)
    tensor_meta: dict[str, Any] = field(default_factory=dict)  #: "shape" and "dtype" of the result, or lists of them
    location: Location | None = None
    _op_type: OpType = OpType.Unfusable
