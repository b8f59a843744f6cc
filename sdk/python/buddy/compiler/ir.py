# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types, attributes, values and ops of MLIR, as lowerings written in Python use them.

A small part of what MLIR's own bindings offer, by the same names, so that a lowering reads the same with either. Types
and attributes are their text; the host parses them when an op is built. Ops go where the host wants them: into a block
of the call that is in progress, which it verifies and splices in, or undoes.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import torch

from buddy import _buddy

_current = threading.local()


def current_call() -> _buddy.Call:
    """The call of the host that this thread's lowering serves."""
    calls: list[_buddy.Call] | None = getattr(_current, "calls", None)
    if not calls:
        raise RuntimeError("ops are built inside a lowering, while a graph is lowered")
    return calls[-1]


class _Calling:
    """Makes a call the current one of its thread."""

    def __init__(self, call: _buddy.Call) -> None:
        self.call = call

    def __enter__(self) -> None:
        if not hasattr(_current, "calls"):
            _current.calls = []
        _current.calls.append(self.call)

    def __exit__(self, *_: Any) -> None:
        _current.calls.pop()


class _Text:
    def __init__(self, text: str) -> None:
        self.text = text

    @classmethod
    def parse(cls, text: str) -> Self:
        """From MLIR's own notation."""
        return cls(text)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.text})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Text) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class Type(_Text):
    """A type, by its text: ``Type.parse("tensor<2x3xf32>")``."""


class F16Type(Type):
    """f16"""

    @classmethod
    def get(cls) -> F16Type:
        return cls("f16")


class BF16Type(Type):
    """bf16"""

    @classmethod
    def get(cls) -> BF16Type:
        return cls("bf16")


class F32Type(Type):
    """f32"""

    @classmethod
    def get(cls) -> F32Type:
        return cls("f32")


class F64Type(Type):
    """f64"""

    @classmethod
    def get(cls) -> F64Type:
        return cls("f64")


class IndexType(Type):
    """index"""

    @classmethod
    def get(cls) -> IndexType:
        return cls("index")


class ComplexType(Type):
    """complex<f32> and its kin"""

    @classmethod
    def get(cls, element: Type) -> ComplexType:
        return cls(f"complex<{element}>")


class IntegerType(Type):
    """i1 … i64"""

    @classmethod
    def get_signless(cls, width: int) -> IntegerType:
        return cls(f"i{width}")


def _size(size: int) -> str:
    return str(size) if size >= 0 else "?"  # symbolic sizes are below zero


class RankedTensorType(Type):
    """tensor<…>"""

    def __init__(self, text: str, shape: Sequence[int] = (), element_type: Type | None = None) -> None:
        super().__init__(text)
        self.shape, self.element_type = list(shape), element_type

    @classmethod
    def get(cls, shape: Iterable[int], element_type: Type) -> RankedTensorType:
        """Negative sizes, which symbolic ones are, become ``?``."""
        sizes = list(shape)
        return cls("tensor<" + "".join(_size(size) + "x" for size in sizes) + f"{element_type}>", sizes, element_type)


class Attribute(_Text):
    """An attribute, by its text: ``Attribute.parse("array<i64: 1, 2>")``."""


class IntegerAttr(Attribute):
    """1 : i32"""

    @classmethod
    def get(cls, kind: Type, value: int) -> IntegerAttr:
        return cls(f"{int(value)} : {kind}")


class FloatAttr(Attribute):
    """1.0 : f32, exact"""

    @classmethod
    def get(cls, kind: Type, value: float) -> FloatAttr:
        return cls(f"{_float(value, kind)} : {kind}")


class BoolAttr(Attribute):
    """true, false"""

    @classmethod
    def get(cls, value: bool) -> BoolAttr:
        return cls("true" if value else "false")


class StringAttr(Attribute):
    """ "text" """

    @classmethod
    def get(cls, value: str) -> StringAttr:
        escaped = "".join(c if c.isascii() and c.isprintable() and c not in '"\\' else
                          "".join(f"\\{byte:02X}" for byte in c.encode()) for c in value)  # fmt: skip
        return cls(f'"{escaped}"')


class TypeAttr(Attribute):
    """A type as an attribute."""

    @classmethod
    def get(cls, kind: Type) -> TypeAttr:
        return cls(str(kind))


class DenseI64ArrayAttr(Attribute):
    """array<i64: …>"""

    @classmethod
    def get(cls, values: Iterable[int]) -> DenseI64ArrayAttr:
        items = ", ".join(str(int(value)) for value in values)
        return cls(f"array<i64: {items}>" if items else "array<i64>")


class DenseElementsAttr(Attribute):
    """dense<…>: the elements of a tensor"""

    @classmethod
    def get_splat(cls, kind: RankedTensorType, value: float | bool) -> DenseElementsAttr:
        """Every element the same."""
        element = str(kind.element_type)
        if element == "i1":
            text = "true" if value else "false"
        elif element.startswith("i"):
            text = str(int(value))
        else:
            text = _float(float(value), kind.element_type)
        return cls(f"dense<{text}> : {kind}")

    @classmethod
    def get(cls, values: Any, type: RankedTensorType | None = None) -> DenseElementsAttr:
        """From a tensor or array, or nested lists with their type."""
        tensor = torch.as_tensor(values)
        kind = type or RankedTensorType.get(tensor.shape, element_type(tensor.dtype))
        return cls(f"dense<{_nested(tensor.tolist(), kind.element_type)}> : {kind}")


_ELEMENTS = {
    torch.bool: "i1", torch.uint8: "i8", torch.int8: "i8", torch.int16: "i16", torch.int32: "i32", torch.int64: "i64",
    torch.uint16: "i16", torch.uint32: "i32", torch.uint64: "i64", torch.float16: "f16", torch.bfloat16: "bf16",
    torch.float32: "f32", torch.float64: "f64", torch.complex64: "complex<f32>", torch.complex128: "complex<f64>",
    torch.complex32: "complex<f16>", torch.float8_e4m3fn: "f8E4M3FN", torch.float8_e5m2: "f8E5M2",
    torch.float8_e4m3fnuz: "f8E4M3FNUZ", torch.float8_e5m2fnuz: "f8E5M2FNUZ",
    torch.float8_e8m0fnu: "f8E8M0FNU",
}  # fmt: skip


def element_type(dtype: torch.dtype) -> Type:
    """The element type of a dtype; integers are signless, as everywhere in buddy's modules."""
    return Type(_ELEMENTS[dtype])


_BITS = {"f16": (16, "e"), "f32": (32, "f"), "f64": (64, "d")}


def _float(value: float, kind: Any) -> str:
    """A float as its bits, so that nothing is rounded twice."""
    import struct

    if str(kind) in _BITS:
        width, code = _BITS[str(kind)]
        try:
            return f"0x{int.from_bytes(struct.pack('>' + code, value), 'big'):0{width // 4}X}"
        except OverflowError:
            raise ValueError(f"{value} does not fit {kind}") from None
    return repr(float(value)) if "e" not in repr(float(value)) else f"{value:.17e}"


def _nested(value: Any, kind: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_nested(item, kind) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return _float(value, kind) if isinstance(value, float) else str(value)


class Value:
    """A value of the IR under construction. Lives as long as the call it was made in."""

    def __init__(self, handle: _buddy.Handle, type: Type | None = None) -> None:
        self.handle, self.type = handle, type


def _attribute(value: Any) -> Attribute:
    if isinstance(value, Attribute):
        return value
    if isinstance(value, Type):
        return TypeAttr.get(value)
    if isinstance(value, bool):
        return BoolAttr.get(value)
    if isinstance(value, int):
        return IntegerAttr.get(IntegerType.get_signless(64), value)
    if isinstance(value, str):
        return StringAttr.get(value)
    if isinstance(value, float):
        return FloatAttr.get(F64Type.get(), value)
    if isinstance(value, (list, tuple)) and all(isinstance(item, int) for item in value):
        return DenseI64ArrayAttr.get(value)
    raise TypeError(f"{value!r} is no attribute: make one with Attribute.parse or the classes of this module")


def _operand(value: Any) -> Value:
    if isinstance(value, Operation):
        return value.result
    if isinstance(value, Value):
        return value
    raise TypeError(f"an operand is a Value or an op with one result, not {value!r}")


class Operation:
    """An op that was built: ``results``, ``result`` if there is one."""

    def __init__(self, name: str, results: list[Value]) -> None:
        self.name, self.results = name, results

    @classmethod
    def create(cls, name: str, results: Sequence[Type] = (), operands: Sequence[Any] = (),
               attributes: Mapping[str, Any] | None = None) -> Operation:  # fmt: skip
        """Appends an op: ``Operation.create("tosa.add", [type], [a, b])``."""
        call = current_call()
        types = [call.ir_type(str(kind)) for kind in results]
        values = [_operand(value).handle for value in operands]
        named = [(key, call.ir_attr(str(_attribute(value)))) for key, value in (attributes or {}).items()]
        handles = call.ir_op(name, values, types, named)
        return cls(name, [Value(handle, kind) for handle, kind in zip(handles, results)])

    @property
    def result(self) -> Value:
        if len(self.results) != 1:
            raise ValueError(f"{self.name} has {len(self.results)} results")
        return self.results[0]
