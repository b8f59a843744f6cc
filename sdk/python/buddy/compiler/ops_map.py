"""From the symbol of an op, as TorchDynamo's tables show it, to the class that stands for it in a graph."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping

from buddy.compiler.graph.operation import Op, op_type
from buddy.compiler.registry import Registries, full_name


class OpsMap(MutableMapping[str, type[Op]]):
    """``DynamoCompiler._ops_map``: every op that buddy knows has a class, made from its definition when it is asked for
    (``AddOp`` for "add.Tensor"); a class of one's own takes its place."""

    def __init__(self) -> None:
        self.own: dict[str, type[Op]] = {}  #: those that were set
        self._made: dict[str, type[Op]] = {}

    def __getitem__(self, symbol: str) -> type[Op]:
        if symbol in self.own:
            return self.own[symbol]
        if symbol not in self._made:
            self._made[symbol] = _make(symbol)
        return self._made[symbol]

    def __setitem__(self, symbol: str, op_class: type[Op]) -> None:
        if not (isinstance(op_class, type) and issubclass(op_class, Op)):
            raise TypeError(f"{symbol}: a class derived from Op is needed, not {op_class!r}")
        self.own[symbol] = op_class

    def __delitem__(self, symbol: str) -> None:
        del self.own[symbol]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        registries = Registries.shared()
        known = dict.fromkeys(row.op.removeprefix("aten.") for name in registries.names for row in registries.rows(name))
        yield from (symbol for symbol in known if symbol not in self.own)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _make(symbol: str) -> type[Op]:
    definition = Registries.shared().native.schema(full_name(symbol))
    if definition is None:
        raise KeyError(symbol)
    _, schema, kind = definition
    base = symbol.removeprefix("aten.").split(".")[-2 if "." in symbol else 0]
    name = "".join(part.capitalize() for part in base.split("_")) + "Op"

    def __init__(self: Op) -> None:
        Op.__init__(self)
        self._op_type = op_type(kind)

    return type(name, (Op,), {"__init__": __init__, "__doc__": schema, "__module__": __name__})
