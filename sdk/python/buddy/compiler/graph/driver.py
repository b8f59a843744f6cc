# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph as several functions: one for each of its groups of ops, and a main function that calls them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import Any

from buddy import _buddy
from buddy.compiler.graph.body import names_in
from buddy.compiler.graph.graph import Graph, MLIRModule
from buddy.compiler.graph.operation import Op, OutputOp, PlaceholderOp
from buddy.errors import InvalidArgumentError, UnsupportedError

_TENSOR = re.compile(r"tensor<((?:[^<>]|<[^<>]*>)*)>")


class GraphDriver:
    """Splits a graph by its ``op_groups``; a graph without groups is one, "subgraph0".

    ``subgraphs`` are graphs: each is lowered and compiled like any other. ``construct_main_graph`` is the function over
    all, for those who compile the parts on their own: it passes memrefs on, as bufferization makes them of tensors.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph = graph
        ops = list(graph.walk())
        self._groups = {name: list(group) for name, group in graph.op_groups.items()} or {"subgraph0": ops}
        self._check(ops)
        self._subgraphs = {name: self._part(name, group, ops) for name, group in self._in_order(self._groups).items()}

    @property
    def subgraphs(self) -> list[Graph]:
        """The parts, in the order in which they are called."""
        return list(self._subgraphs.values())

    def _check(self, ops: Sequence[Op]) -> None:
        grouped = [op for group in self._groups.values() for op in group if not isinstance(op, (PlaceholderOp, OutputOp))]
        missing = [op.name for op in ops if not any(op is other for other in grouped)]
        strange = [op.name for op in grouped if not any(op is other for other in ops)]
        if missing or strange or len(grouped) != len(ops):
            what = f"no group has {missing}" if missing else f"the graph has no more {strange}" if strange else "ops are there twice"
            raise InvalidArgumentError(f"op_groups: {what}; every op belongs to one group", "INVALID_ARGUMENT")

    # ---- The parts ----

    def _in_order(self, groups: dict[str, list[Op]]) -> dict[str, list[Op]]:
        """Each after those whose results it takes."""
        makers = {result: name for name, group in groups.items() for op in group for result in _results(op)}
        needs = {name: {makers[used] for op in group for used in _used(op) if used in makers} - {name}
                 for name, group in groups.items()}  # fmt: skip
        ordered: dict[str, list[Op]] = {}
        while len(ordered) < len(groups):
            ready = [name for name in groups if name not in ordered and needs[name] <= set(ordered)]
            if not ready:
                rest = sorted(set(groups) - set(ordered))
                raise InvalidArgumentError(f"op_groups: {rest} need each other's results", "INVALID_ARGUMENT")
            ordered.update({name: groups[name] for name in ready})
        return ordered

    def _part(self, name: str, group: list[Op], ops: list[Op]) -> Graph:
        native, graph = self._graph._native, self._graph
        if len(group) < len(ops):
            made = {result for op in group for result in _results(op)}
            others = [op for op in graph.body if not any(op is own for own in group)]
            outside = {used for op in others for used in _used(op)}
            outputs = [result for op in group for result in _results(op) if result in made & outside]
            try:
                native = native.extract({op.name for op in group}, outputs)
            except UnsupportedError as error:
                raise UnsupportedError(f"{name}: control flow cannot be split from its graph ({error})", "UNSUPPORTED") from error
        part = Graph(native, graph._registries, graph._program, name, graph._options)
        part._others = dict(graph._others)
        return part

    # ---- The whole ----

    def construct_main_graph(self, do_param_pack: bool = False) -> MLIRModule:
        """A module with the function that calls the parts. do_param_pack: parameters of one dtype are one argument, one
        after the other, as ``numpy.concatenate`` of the flat parameters makes it."""
        main = _Main(self._graph, do_param_pack)
        for name, part in self._subgraphs.items():
            main.call(name, part)
        return MLIRModule(_buddy.parse_module(main.text()))


class _Main:
    """The text of the main function."""

    def __init__(self, graph: Graph, packs: bool) -> None:
        self.graph = graph
        self.declarations: list[str] = []
        self.lines: list[str] = []
        self.values: dict[str, tuple[str, str]] = {}  # by the name in the graph: SSA name, "10xf32"
        self.arguments: list[str] = []
        self.n = 0
        types = _signature(graph.lower_to_top_level_ir(params="args"), graph._func_name)[0]
        inputs = list(zip(graph.inputs, types))
        if packs:
            self._pack([one for one in inputs if one[0][1] != "user"])
            inputs = [one for one in inputs if one[0][1] == "user"]
        for (name, *_), type_ in inputs:
            self.values[name] = self._argument(type_), type_

    def _argument(self, type_: str) -> str:
        self.arguments.append(f"%arg{len(self.arguments)}: memref<{type_}>")
        return self.arguments[-1].partition(":")[0]

    def _new(self, text: str) -> str:
        self.n += 1
        self.lines.append(f"%v{self.n} = {text}")
        return f"%v{self.n}"

    def _pack(self, params: list[Any]) -> None:
        sizes: dict[str, int] = {}
        packs = list(dict.fromkeys(type_.rpartition("x")[2] for _, type_ in params))
        for (*_, (_, shape)), type_ in params:
            sizes[type_.rpartition("x")[2]] = sizes.get(type_.rpartition("x")[2], 0) + prod(shape)
        arguments = {element: self._argument(f"{sizes[element]}x{element}") for element in packs}
        offsets = dict.fromkeys(packs, 0)
        for (name, _, _, (_, shape)), type_ in params:
            element = type_.rpartition("x")[2]
            at, strides = offsets[element], _strides(shape)
            cut = self._new(f"memref.reinterpret_cast {arguments[element]} to offset: [{at}], sizes: {list(shape)}, "
                            f"strides: {strides} : memref<{sizes[element]}x{element}> to "
                            f"memref<{type_}, strided<{strides}, offset: {at}>>")  # fmt: skip
            self.values[name] = cut, f"{type_}, strided<{strides}, offset: {at}>"
            offsets[element] += prod(shape)

    def call(self, name: str, part: Graph) -> None:
        takes, gives = _signature(part.lower_to_top_level_ir(params="args"), name)
        wanted = [_strided(type_) for type_ in takes]
        given = []
        for (value, *_), type_ in zip(part._native.inputs(), wanted):
            ssa, own = self.values[value]
            given.append(self._new(f"memref.cast {ssa} : memref<{own}> to {type_}"))
        results = [f"memref<{type_}>" for type_ in gives]
        arrow = results[0] if len(results) == 1 else f"({', '.join(results)})"
        self.declarations.append(f"func.func private @{name}({', '.join(wanted)}) -> {arrow}")
        call = self._new(f"func.call @{name}({', '.join(given)}) : ({', '.join(wanted)}) -> {arrow}")
        if len(results) != 1:
            self.lines[-1] = self.lines[-1].replace(call, f"{call}:{len(results)}", 1)
        for i, ((_, _, value), type_) in enumerate(zip(part._native.outputs(), gives)):
            ssa = call if len(results) == 1 else f"{call}#{i}"
            self.values.setdefault(_name(value), (ssa, type_))

    def text(self) -> str:
        found = [self.values[_name(value)] for _, _, value in self.graph.outputs]
        plain = [(ssa, type_.partition(", strided")[0]) for ssa, type_ in found]
        given = [self._new(f"memref.cast {ssa} : memref<{own}> to memref<{type_}>") if own != type_ else ssa
                 for (ssa, own), (_, type_) in zip(found, plain)]  # fmt: skip
        types = ", ".join(f"memref<{type_}>" for _, type_ in plain)
        head = f"func.func @{self.graph._func_name}({', '.join(self.arguments)}) -> ({types})"
        return "\n".join([*self.declarations, f"{head} {{", *self.lines, f"return {', '.join(given)} : {types}" if given
                          else "return", "}"])  # fmt: skip


def _name(value: object) -> str:
    if isinstance(value, tuple):
        return str(value[1])
    raise UnsupportedError(f"a main function gives tensors only; the graph gives {value!r}", "UNSUPPORTED")


def _results(op: Op) -> list[str]:
    dtypes = op.tensor_meta.get("dtype")
    return [f"{op.name}.{i}" for i in range(len(dtypes))] if isinstance(dtypes, list) else [op.name]


def _used(op: Op) -> list[str]:
    return list(names_in(op.args if isinstance(op, OutputOp) else list(op.kwargs.values())))


def _signature(module: MLIRModule, name: str) -> tuple[list[str], list[str]]:
    """Types of arguments and results: "10xf32"."""
    line = next(line for line in str(module).splitlines() if f"func.func @{name}(" in line)
    takes, _, gives = line.partition(") -> ")
    return _TENSOR.findall(takes), _TENSOR.findall(gives)


def _strides(shape: Sequence[int]) -> list[int]:
    return [prod(shape[i + 1 :]) for i in range(len(shape))]


def _strided(type_: str) -> str:
    """The memref that bufferization makes of a function's argument: at any offset, dense."""
    sizes = re.match(r"(?:(?:\d+|\?)x)*", type_)
    dims = [size for size in (sizes[0] if sizes else "").split("x") if size]
    strides = ["1" if i + 1 == len(dims) else "?" if "?" in dims[i + 1 :] else str(prod(map(int, dims[i + 1 :])))
               for i in range(len(dims))]  # fmt: skip
    return f"memref<{type_}, strided<[{', '.join(strides)}], offset: ?>>"


