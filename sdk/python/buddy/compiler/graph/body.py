# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The nodes of a graph as Python objects, and how what is changed in them reaches the graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import torch

from buddy import _buddy
from buddy._program import DTYPE_TEXTS, TORCH_DTYPES
from buddy.compiler.graph.operation import Location, Op, OutputOp, PlaceholderOp, op_type
from buddy.errors import BuddyError, InvalidArgumentError

_MISSING = object()


def plain(value: Any) -> Any:
    """An argument as the extension gives it: values and graphs by their name, dtypes as torch's."""
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, tuple):
        kind, name = value
        return TORCH_DTYPES[name] if kind == "dtype" else name
    return value


def _frozen(value: Any) -> Any:
    """What can be compared later; True is not 1."""
    if isinstance(value, (list, tuple)):
        return tuple(map(_frozen, value))
    return type(value).__name__, str(value) if isinstance(value, Op) else value


def names_in(value: Any) -> Iterable[str]:
    """The strings of an argument: names of values are among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from names_in(item)


class Body:
    """The nodes of one graph: inputs, ops in order, the output. ``nodes`` is a list that anybody may change; ``sync`` brings
    the graph to what the list says, or raises."""

    def __init__(self, native: _buddy.Graph, class_of: Callable[[str], type[Op]],
                 schema: Callable[[str], tuple[Any, ...] | None]):  # fmt: skip
        self.native, self.class_of, self.schema = native, class_of, schema
        self.inputs = [_placeholder(*data) for data in native.inputs()]
        self.output = OutputOp()
        self.output.name = "output"
        self.ops = [self._op(*data) for data in native.nodes()]
        self.nodes: list[Op] = [*self.inputs, *self.ops, self.output]
        self._notice()

    # ---- From the graph ----

    def _op(self, target: str, name: str, arguments: dict[Any, Any], results: list[Any], place: tuple[Any, ...], n_given: int) -> Op:
        op = self.class_of(target)()
        op.target, op.name, op.location = target, name, Location(*place)
        definition = self.schema(target)
        if type(op).__module__ == Op.__module__ and definition:
            op._op_type = op_type(definition[2], definition[1])
        op.kwargs = {key: plain(value) for key, value in arguments.items()}
        op.args = list(op.kwargs.values())[:n_given]
        op.tensor_meta = _meta([kind for _, kind in results])
        return op

    def _notice(self) -> None:
        """Takes down how the graph is now: what is found otherwise later was changed."""
        self.native_names = {id(op): name for op, (_, name, *_) in zip(self.ops, self.native.nodes())}
        self.targets = {id(op): (op.target, op.name) for op in self.ops}
        self.renamed = {op.name: self.native_names[id(op)] for op in self.ops if op.name != self.native_names[id(op)]}
        self.seen = {id(op): {name: _frozen(value) for name, value in op.kwargs.items()} for op in self.ops}
        self.n_seen = {id(op): len(op.args) for op in self.ops}
        self.output.args = [plain(value) for _, _, value in self.native.outputs()]
        back = {native: name for name, native in self.renamed.items()}
        self.output.args = [back.get(value, value) if isinstance(value, str) else value for value in self.output.args]
        self.seen_outputs = _frozen(self.output.args)
        self._link()

    def _link(self) -> None:
        owners = {}
        for op in self.nodes:
            owners[op.name] = op
            op._parents, op._children = [], []
            n = len(op.tensor_meta.get("shape", ())) if isinstance(op.tensor_meta.get("dtype"), list) else 0
            owners.update({f"{op.name}.{i}": op for i in range(n)})
        for op in self.nodes:
            arguments = op.args if op is self.output else [*op.kwargs.values()]
            for name in names_in(arguments):
                owner = owners.get(name)
                if owner is None:
                    continue
                if op is not self.output:
                    op._parents.append(owner.name)
                if op.name not in owner._children:
                    owner._children.append(op.name)

    def retype(self) -> None:
        """Takes in inputs that the extension's graph has got, or has otherwise, since."""
        known = {op.name: op for op in self.inputs}
        for data in self.native.inputs():
            fresh = _placeholder(*data)
            op = known.get(fresh.name)
            if op is None:
                self.nodes.insert(len(self.inputs), fresh)
                self.inputs.append(fresh)
            else:
                op.tensor_meta = fresh.tensor_meta

    # ---- To the graph ----

    def sync(self) -> bool:
        """Brings the graph to what the nodes say; true if it was changed. What cannot be is an error."""
        wanted = self._checked()
        changed = [op for op in wanted if id(op) in self.native_names and self._changes(op)]
        is_same = len(wanted) == len(self.ops) and all(a is b for a, b in zip(wanted, self.ops))
        if is_same and not changed and _frozen(self.output.args) == self.seen_outputs:
            if all(self.targets[id(op)] == (op.target, op.name) for op in wanted):
                return False
        try:
            self._write(wanted)
            self.native.verify()
        except (ValueError, TypeError) as error:
            if isinstance(error, BuddyError):
                error.args = (f"the graph as it was changed: {error.args[0]}", *error.args[1:])
                raise
            raise InvalidArgumentError(f"the graph as it was changed: {error}", "INVALID_ARGUMENT") from error
        self._read_back(wanted)
        return True

    def _checked(self) -> list[Op]:
        found = [op for op in self.nodes if isinstance(op, PlaceholderOp)]
        if len(found) != len(self.inputs) or any(a is not b for a, b in zip(found, self.inputs)):
            raise InvalidArgumentError("the inputs of a graph stay as they are, in their order", "INVALID_ARGUMENT")
        if [op for op in self.nodes if isinstance(op, OutputOp)] != [self.output]:
            raise InvalidArgumentError("a graph has the one OutputOp that it came with", "INVALID_ARGUMENT")
        wanted = [op for op in self.nodes if not isinstance(op, (PlaceholderOp, OutputOp))]
        names = [op.name for op in self.nodes]
        twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
        if twice or "" in names:
            raise InvalidArgumentError(f"each node has a name of its own; {sorted(twice) or 'one'} has not", "INVALID_ARGUMENT")
        return wanted

    def _changes(self, op: Op) -> dict[str, Any]:
        """The arguments of a node of the graph that are not what they were."""
        before, names = self.seen[id(op)], list(op.kwargs)
        if len(op.args) > len(names):
            raise InvalidArgumentError(f"{op.name}: {op.target} has {len(names)} arguments", "INVALID_ARGUMENT")
        found = {}
        for i, name in enumerate([*before, *(name for name in names if name not in before)]):
            by_place = op.args[i] if i < len(op.args) else _MISSING
            by_name = op.kwargs.get(name, _MISSING)
            for value in (by_place, by_name):
                if value is not _MISSING and _frozen(value) != before.get(name):
                    found[name] = value
                    break
        return found

    def _write(self, wanted: list[Op]) -> None:
        native = [name for _, name, *_ in self.native.nodes()]
        kept = {id(op): self.native_names[id(op)] for op in wanted
                if self.targets.get(id(op)) == (op.target, op.name) and self.native_names[id(op)] in native}  # fmt: skip
        leaving = [name for name in native if name not in set(kept.values())]
        names = dict(kept)
        for op in wanted:
            if id(op) not in kept:
                names[id(op)] = _free_name(op.name, {*native, *names.values()})
        renamed = {op.name: names[id(op)] for op in wanted if names[id(op)] != op.name}
        for op in wanted:
            if id(op) not in kept:
                self._add(op, names[id(op)], renamed)
        for op in wanted:
            if id(op) in kept:
                changes = self._changes(op) | self._moved(op, renamed)
                for name, value in changes.items():
                    self.native.set_argument(kept[id(op)], name, _native(value, renamed))
        self._write_outputs(renamed)
        for name in reversed(leaving):
            self.native.erase_node(name)
        order = [names[id(op)] for op in wanted]
        if [name for _, name, *_ in self.native.nodes()] != order:
            for name in order:
                self.native.move_node(name, None)
        self.native_names = names

    def _moved(self, op: Op, renamed: Mapping[str, str]) -> dict[str, Any]:
        """Arguments that name a node which the graph now calls otherwise."""
        names = {name for name in {*renamed, *self.renamed} if renamed.get(name) != self.renamed.get(name)}
        return {key: value for key, value in op.kwargs.items()
                if any(found.partition(".")[0] in names or found in names for found in names_in(value))}  # fmt: skip

    def _add(self, op: Op, name: str, renamed: Mapping[str, str]) -> None:
        from buddy.compiler.registry import schema_of

        if not op.target or self.schema(op.target) is None:
            raise ValueError(f"{op.name}: {op.target or type(op).__name__} is no op that buddy has a definition of")
        places = schema_of(op.target)[1]
        if len(op.args) > len(places):
            raise ValueError(f"{op.name}: {op.target} has {len(places)} arguments, not {len(op.args)}")
        given = {**op.kwargs, **dict(zip(places, op.args))}
        arguments = [(key, _native(value, renamed)) for key, value in given.items()]
        self.native.add_node(None, op.target, name, arguments, _types(op.tensor_meta))

    def _write_outputs(self, renamed: Mapping[str, str]) -> None:
        now = self.native.outputs()
        if len(now) != len(self.output.args):
            raise ValueError(f"the graph has {len(now)} outputs, not {len(self.output.args)}")
        for i, (value, (_, _, old)) in enumerate(zip(self.output.args, now)):
            if _frozen(_native(value, renamed)) != _frozen(plain(old)):
                self.native.set_output(i, _native(value, renamed))

    def _read_back(self, wanted: list[Op]) -> None:
        back = {native: op.name for op in wanted if (native := self.native_names[id(op)]) != op.name}
        for op, (_, _, arguments, results, _, n_given) in zip(wanted, self.native.nodes()):
            op.kwargs = {key: _back(plain(value), back) for key, value in arguments.items()}
            op.args = list(op.kwargs.values())[:n_given]
            op.tensor_meta = _meta([kind for _, kind in results])
        self.ops = wanted
        self._notice()


def _placeholder(name: str, kind: str, target: str, type_: tuple[Any, ...]) -> PlaceholderOp:
    op = PlaceholderOp()
    op.name, op.kind, op.parameter, op.tensor_meta = name, kind, target or None, _meta([type_])
    return op


def _meta(types: list[Any]) -> dict[str, Any]:
    shapes, dtypes = [list(sizes) for _, sizes in types], [TORCH_DTYPES[dtype] for dtype, _ in types]
    one = len(types) == 1
    return {"shape": shapes[0] if one else shapes, "dtype": dtypes[0] if one else dtypes}


def _types(meta: Any) -> list[Any] | None:
    """From tensor_meta; none: inferred."""
    shape = meta.get("shape") if isinstance(meta, Mapping) else meta.shape
    dtype = meta.get("dtype") if isinstance(meta, Mapping) else meta.dtype
    if shape is None or dtype is None:
        return None
    if isinstance(dtype, torch.dtype):
        shape, dtype = [shape], [dtype]
    return [(DTYPE_TEXTS[one], list(sizes)) for one, sizes in zip(dtype, shape)]


def _native(value: Any, renamed: Mapping[str, str]) -> Any:
    """An argument as the extension takes it."""
    if isinstance(value, Op):
        value = value.name
    if isinstance(value, torch.dtype):
        return "dtype", DTYPE_TEXTS[value]
    if isinstance(value, (list, tuple)):
        return [_native(item, renamed) for item in value]
    return _back(value, renamed)


def _back(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, list):
        return [_back(item, names) for item in value]
    if not isinstance(value, str) or not names:
        return value
    node, dot, number = value.partition(".")
    return names.get(value) or (f"{names[node]}{dot}{number}" if node in names else value)


def _free_name(name: str, taken: set[str]) -> str:
    i, free = 0, name
    while free in taken:
        i, free = i + 1, f"{name}_{i + 1}"
    return free
