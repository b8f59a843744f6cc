# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registries as mappings, from the name of an op to the rows that lower it; rows may be written in Python."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from buddy import _buddy
from buddy.compiler.graph.operation import Op
from buddy.compiler.lowering import PythonRow
from buddy.errors import InvalidArgumentError, LoweringWarning, NotFoundError

_FLAG_STATIC = 1


def dtypes_of(mask: int) -> tuple[str, ...]:
    """The dtypes of a set; none: any."""
    return tuple(text for text, number in _buddy.DTYPES.items() if mask >> number & 1)


@dataclass(frozen=True)
class Row:
    """One row of a registry: an op that it takes, and in which cases."""

    registry: str
    op: str  #: "aten.add.Tensor"
    arguments: tuple[str, ...]  #: those that it reads; any other must be at its default
    in_dtypes: tuple[str, ...]  #: of its tensors; empty: any
    out_dtypes: tuple[str, ...]
    benefit: int  #: rows of one op are asked in this order, high first
    is_static: bool  #: takes no symbolic shapes
    expands: bool  #: into simpler ops; else it emits MLIR


class Registries:
    """What is loaded, in an order: ``"tosa:*"`` puts tosa first and all others after it."""

    _cache: dict[tuple[Any, ...], Registries] = {}
    _lock = threading.Lock()

    def __init__(self, order: str | None = None, pins: Sequence[str] = (),
                 locals: Sequence[_buddy.LocalRegistry] = ()) -> None:  # fmt: skip
        self.native = _buddy.Registries(order, pins, (), locals)
        self.names = [name for name, *_ in self.native.loaded()]
        self.has_python = bool(locals)
        self.order, self.pins = order, tuple(pins)
        self.classes: Mapping[str, type[Op]] = {}  #: of one's own, by symbol

    def class_of(self, target: str) -> type[Op]:
        """The class for an op of a graph."""
        from buddy.compiler import ops_map

        return self.classes.get(target) or self.classes.get(target.removeprefix("aten.")) or ops_map.class_of(target)

    @classmethod
    def shared(cls, order: str | None = None, pins: Sequence[str] = ()) -> Registries:
        """The same object for the same order, without rows written in Python: loading costs some milliseconds."""
        key = (order, tuple(pins))
        with cls._lock:
            if key not in cls._cache:
                cls._cache[key] = cls(order, pins)
            return cls._cache[key]

    @classmethod
    def current(cls, order: str | None, pins: Sequence[str] = (), ops_map: Mapping[str, type[Op]] | None = None,
                primary: OpsRegistry | None = None, is_import: bool = True) -> Registries:  # fmt: skip
        """The order with the rows written in Python as they are now, each before its registry's rows in C.
        is_import: lowerings that belong to no op are told of."""
        with OpsRegistry._lock:
            written = [registry for registry in OpsRegistry._all.values() if registry.python]
        if primary is not None and primary.python and primary not in written:
            written.insert(0, primary)
        reused = OpsRegistry._reused(ops_map or {}, cls.shared(order if primary is None else None).names[0])
        made = [*(registry._native(ops_map or {}, is_import) for registry in written), reused]
        locals = [registry for registry in made if registry is not None]
        if not locals and not ops_map:
            return cls.shared(order, pins)
        registries = cls(order, pins, locals)
        registries.classes = dict(ops_map or {})
        return registries

    def row(self, data: tuple[Any, ...]) -> Row:
        """From what the extension gives."""
        registry, op, arguments, in_dtypes, out_dtypes, benefit, flags, how = data
        return Row(self.names[registry], op, tuple(arguments.replace(",", " ").split()), dtypes_of(in_dtypes),
                   dtypes_of(out_dtypes), benefit, bool(flags & _FLAG_STATIC), how == "expand")  # fmt: skip

    def rows(self, name: str) -> list[Row]:
        """All rows of one registry."""
        return [self.row(data) for data in self.native.rows(self.names.index(name))]

    def candidates(self, op: str) -> list[Row]:
        """The rows that may take an op, in the order in which they are asked."""
        return [self.row(data) for data in self.native.candidates(op)]


def schema_of(op: str) -> tuple[str, list[str]]:
    """(schema, names of its arguments) of an op that PyTorch knows, custom ones included."""
    try:
        namespace, name, overload = op.split(".")
        schema = getattr(getattr(getattr(torch.ops, namespace), name), overload)._schema
    except (ValueError, AttributeError):
        raise NotFoundError(f"PyTorch has no op {op!r}; names are like 'aten.add.Tensor'", "NOT_FOUND") from None
    return str(schema), [argument.name for argument in schema.arguments]


class OpsRegistry(MutableMapping[str, Any]):
    """The rows of one registry: a mapping from the name of an op to its rows, the first to be asked first.

    Rows may be written in Python. They stand in front of the registry's own, and take their place in every order that
    has the registry::

        tosa.ops_registry["MyNewOp"] = my_new_op        # by the class that DynamoCompiler._ops_map gives to ops
        tosa.ops_registry["AddOp"] = my_add             # one that is there already: instead of its rows in C
        tosa.ops_registry["aten.sinc.default"] = sinc   # or by the op

        @tosa.ops_registry.lowering("aten.sinc.default", arguments=["self"])
        def sinc(node, symbol_table): ...

        @tosa.ops_registry.expansion("mylib.swish.default")
        def swish(node, graph): ...

    ``del tosa.ops_registry["MyNewOp"]`` takes one away again.
    """

    _all: dict[str, OpsRegistry] = {}
    _lock = threading.Lock()

    def __init__(self, name: str, *, is_native: bool = True) -> None:
        self.name = name
        self.is_native = is_native
        self.python: dict[str, PythonRow] = {}
        self._rows: dict[str, tuple[Row, ...]] | None = None if is_native else {}
        if is_native:
            with OpsRegistry._lock:
                OpsRegistry._all[name] = self

    @classmethod
    def of(cls, rows: Mapping[str, Any]) -> OpsRegistry:
        """A registry of one's own, from a mapping of names to lowerings; entries that are rows in C are left out."""
        registry = cls("primary", is_native=False)
        for name, row in rows.items():
            if callable(row) or isinstance(row, PythonRow):
                registry[name] = row
        return registry

    # ---- Rows in C ----

    def _read(self) -> dict[str, tuple[Row, ...]]:
        if self._rows is None:
            found: dict[str, list[Row]] = {}
            for row in Registries.shared(self.name).rows(self.name):
                found.setdefault(row.op, []).append(row)
            self._rows = {op: tuple(sorted(rows, key=lambda row: -row.benefit)) for op, rows in found.items()}
        return self._rows

    # ---- The mapping ----

    def __getitem__(self, op: str) -> Callable[..., Any] | tuple[Row, ...]:
        """The function of a row written in Python, or the rows in C."""
        if op in self.python:
            return self.python[op].function
        if "." in op:
            return self._read()[op]
        rows = self._read()
        found = tuple(row for symbol in _standard(op) for row in rows.get(full_name(symbol), ()))
        if not found:
            raise KeyError(op)
        return found

    def __setitem__(self, op: str, function: Callable[..., Any] | PythonRow) -> None:
        row = function if isinstance(function, PythonRow) else PythonRow(function)
        if not callable(row.function):
            raise InvalidArgumentError(f"{op}: a lowering is a function of (node, symbol_table)", "INVALID_ARGUMENT")
        self.python[op] = row

    def __delitem__(self, op: str) -> None:
        if op not in self.python and op in self._read():
            raise KeyError(f"{op} is a row in C, which stays; choose another order or pin instead")
        del self.python[op]

    def __iter__(self) -> Iterator[str]:
        yield from self.python
        yield from (op for op in self._read() if op not in self.python)

    def __len__(self) -> int:
        return len(set(self.python) | set(self._read()))

    def __repr__(self) -> str:
        return f"<registry {self.name}: {len(self._read())} ops in C, {len(self.python)} in Python>"

    # ---- Rows in Python ----

    def lowering(self, op: str, *, arguments: Sequence[str] | None = None, benefit: int = 0,
                 is_static: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
        """Decorates a function (node, symbol_table) that builds MLIR ops. arguments: those that it reads."""
        return self._decorator(op, arguments, benefit, is_static, False)

    def expansion(self, op: str, *, arguments: Sequence[str] | None = None, benefit: int = 0,
                  is_static: bool = False) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
        """Decorates a function (node, graph) that adds simpler nodes, each resolved by the whole order again."""
        return self._decorator(op, arguments, benefit, is_static, True)

    def _decorator(self, op: str, arguments: Sequence[str] | None, benefit: int, is_static: bool,
                   expands: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # fmt: skip
        def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
            names = None if arguments is None else tuple(arguments)
            self[op] = PythonRow(function, names, benefit, is_static, expands)
            return function

        return decorate

    def _native(self, ops_map: Mapping[str, type[Op]], is_import: bool) -> _buddy.LocalRegistry | None:
        """The rows for the host; null if none of them belongs to an op."""
        rows: list[tuple[Any, ...]] = []
        schemas: list[str] = []
        for key, row in self.python.items():
            targets = _targets(key, ops_map)
            if not targets and is_import:
                warnings.warn(f"{self.name}: the lowering of {key} is not used: no op is of that class; "
                              f'DynamoCompiler._ops_map["the_op.overload"] = {key} gives one', LoweringWarning,
                              stacklevel=5)  # fmt: skip
            for target, op_class in targets:
                self._add_row(target, op_class, row, rows, schemas)
        if not rows and self.is_native:
            return None
        name, before = (f"{self.name}_python", self.name) if self.is_native else (self.name, "")
        return _buddy.LocalRegistry(name, before, rows, schemas)

    @staticmethod
    def _add_row(target: str, op_class: type[Op], row: PythonRow, rows: list[tuple[Any, ...]], schemas: list[str]) -> None:
        schema, names = schema_of(target)
        if target.split(".")[0] not in ("aten", "prims"):
            schemas.append(schema)
        read = list(row.arguments) if row.arguments is not None else names
        rows.append((target, ", ".join(read), row.adapt(op_class, read), row.benefit,
                     _FLAG_STATIC if row.is_static else 0, row.expands))  # fmt: skip

    @classmethod
    def _reused(cls, ops_map: Mapping[str, type[Op]], before: str) -> _buddy.LocalRegistry | None:
        """Rows for ops that were given a class which is there already: they expand to the op of that class."""
        rows: list[tuple[Any, ...]] = []
        schemas: list[str] = []
        for symbol, op_class in ops_map.items():
            target = full_name(symbol)
            if op_class.target and op_class.__module__ == Op.__module__ and target != op_class.target:
                row = PythonRow(_expansion_to(op_class.target), expands=True)
                cls._add_row(target, op_class, row, rows, schemas)
        return _buddy.LocalRegistry("ops_map", before, rows, schemas) if rows else None


def _expansion_to(target: str) -> Callable[..., Any]:
    """A function that expands a node to one of another op, whose arguments are in the same places."""

    def expand(node: Op, graph: Any) -> Any:
        shapes, dtypes = node.tensor_meta["shape"], node.tensor_meta["dtype"]
        types = list(zip(dtypes, shapes)) if isinstance(dtypes, list) else [(dtypes, shapes)]
        given = {name: value for name, value in zip(schema_of(target)[1], node.args) if value is not None}
        return graph.node(target, types=types, **given)

    return expand


def _standard(name: str) -> list[str]:
    """The ops that a class stands for which is there already."""
    from buddy.compiler import ops_map

    return ops_map.symbols_of(name)


def full_name(symbol: str) -> str:
    """ "aten.add.Tensor" for "add.Tensor": TorchDynamo's tables leave the namespace out."""
    return f"aten.{symbol}" if symbol.count(".") == 1 else symbol


def _targets(key: str, ops_map: Mapping[str, type[Op]]) -> list[tuple[str, type[Op]]]:
    """The ops that a key of a registry means: itself, or those that the map gives the class of that name."""
    if "." in key:
        target = full_name(key)
        return [(target, ops_map.get(target) or ops_map.get(target.removeprefix("aten.")) or Op)]
    found = {full_name(symbol): op_class for symbol, op_class in ops_map.items() if op_class.__name__ == key}
    for symbol in _standard(key):
        known = _known(symbol)
        if known is not None and ops_map.get(symbol) is None:
            found.setdefault(known, _class_of(known))
    return list(found.items())


def _known(symbol: str) -> str | None:
    """The full name of an op that both buddy and PyTorch define."""
    from buddy.compiler import ops_map

    target = ops_map.known_name(symbol)
    try:
        if target is not None:
            schema_of(target)
    except NotFoundError:
        return None
    return target


def _class_of(target: str) -> type[Op]:
    from buddy.compiler import ops_map

    return ops_map.class_of(target)
