"""Registries as mappings: from the name of an op to the rows that lower it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from buddy import _buddy

_FLAG_STATIC = 1


def dtypes_of(mask: int) -> list[str]:
    """The dtypes of a set; none: any."""
    return [text for text, number in _buddy.DTYPES.items() if mask >> number & 1]


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
    """What is loaded, in an order: ``"tosa:*"`` puts tosa first and all others behind it."""

    _cache: dict[tuple, Registries] = {}
    _lock = threading.Lock()

    def __init__(self, order: str | None = None, pins: tuple[str, ...] = ()) -> None:
        self.native = _buddy.Registries(order, pins)
        self.names = [name for name, *_ in self.native.loaded()]

    @classmethod
    def shared(cls, order: str | None = None, pins: tuple[str, ...] = ()) -> Registries:
        """The same object for the same order: loading costs some milliseconds."""
        with cls._lock:
            key = (order, pins)
            if key not in cls._cache:
                cls._cache[key] = cls(order, pins)
            return cls._cache[key]

    def row(self, data: tuple) -> Row:
        registry, op, arguments, in_dtypes, out_dtypes, benefit, flags, how = data
        return Row(self.names[registry], op, tuple(arguments.replace(",", " ").split()), tuple(dtypes_of(in_dtypes)),
                   tuple(dtypes_of(out_dtypes)), benefit, bool(flags & _FLAG_STATIC), how == "expand")  # fmt: skip

    def rows(self, name: str) -> list[Row]:
        """All rows of one registry."""
        return [self.row(data) for data in self.native.rows(self.names.index(name))]

    def candidates(self, op: str) -> list[Row]:
        """The rows that may take an op, in the order in which they are asked."""
        return [self.row(data) for data in self.native.candidates(op)]


class OpsRegistry(Mapping[str, tuple[Row, ...]]):
    """The rows of one registry: a mapping from the name of an op to its rows, the first to be asked first."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._rows: dict[str, tuple[Row, ...]] | None = None

    def _read(self) -> dict[str, tuple[Row, ...]]:
        if self._rows is None:
            found: dict[str, list[Row]] = {}
            for row in Registries.shared(self.name).rows(self.name):
                found.setdefault(row.op, []).append(row)
            self._rows = {op: tuple(sorted(rows, key=lambda row: -row.benefit)) for op, rows in found.items()}
        return self._rows

    def __getitem__(self, op: str) -> tuple[Row, ...]:
        return self._read()[op]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._read())

    def __repr__(self) -> str:
        return f"<registry {self.name}: {len(self)} ops>"
