# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph as it was imported, and the module that it is lowered to."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from buddy import _buddy
from buddy._program import TORCH_DTYPES, Program, describe_storage, import_program
from buddy._run import Executable, Mapped
from buddy.compiler.graph.explain import Decision, Explanation
from buddy.compiler.graph.body import Body
from buddy.compiler.graph.profile import Profile
from buddy.compiler.graph.operation import Op, OutputOp, PlaceholderOp
from buddy.compiler.graph.type import DeviceType
from buddy.errors import InvalidArgumentError, UnsupportedError, progress_or_log

if TYPE_CHECKING:
    from buddy.compiler.graph.verbose import Verbose
    from buddy.compiler.registry import Registries


@dataclass(frozen=True)
class CompileOptions:
    """How a graph is compiled, and run."""

    opt_level: int = -1  #: effort of code generation, 0 to 3; -1: the usual one
    threads: int = 0  #: on how many threads runs go; 0: BUDDY_THREADS, else OMP_NUM_THREADS, else all CPUs
    verbose: Verbose | None = None  #: told of every graph that is lowered


class MLIRModule:
    """A verified MLIR module. ``str()`` is its text."""

    def __init__(self, native: _buddy.Module) -> None:
        self._native = native

    def text(self, generic: bool = False, locations: bool = False) -> str:
        """The module as text; ``locations`` adds the user's Python lines."""
        return self._native.print("generic" if generic else "mlir", locations)

    def bytecode(self) -> bytes:
        """The module as MLIR bytecode, locations included."""
        return self._native.print("bytecode")

    def save(self, path: str) -> None:
        """Writes text, or bytecode if the path ends in ``.mlirbc``. The file appears when it is whole."""
        _buddy.write_file(path, self.bytecode() if str(path).endswith(".mlirbc") else self.text().encode())

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def __repr__(self) -> str:
        return f"<MLIR module of {len(self.text().splitlines())} lines>"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


class Graph:
    """One imported graph. Printing it prints its MLIR module; ``body`` are its nodes, which may be changed.

    Lowering, compiling and running happen once each, when they are asked for first, and anew after a change.
    """

    def __init__(self, native: _buddy.Graph, registries: Registries, program: Program | None, name: str,
                 options: CompileOptions | None = None, origin: str | None = None) -> None:  # fmt: skip
        self._imported = native
        self._registries = registries
        self._program = program
        self._origin = origin  # the archive that it is from
        self._func_name = name
        self._module: MLIRModule | None = None
        self._module_form: str | None = None
        self._executable: Executable | None = None
        self._nodes: Body | None = None
        self._others: dict[str, tuple[str, torch.Tensor]] = {}  # by the name of a node, in the place of the program's own
        self._lock = threading.RLock()
        self._options = options or CompileOptions()
        self.op_groups: dict[str, list[Op]] = {}  #: by name, what GraphDriver makes functions of
        self.group_map_device: dict[str, DeviceType] = {}
        self.device = DeviceType.CPU

    @classmethod
    def of_program(cls, program: Program, registries: Registries, name: str, where: str,
                   options: CompileOptions | None = None) -> Graph:  # fmt: skip
        """Imports a serialized program."""
        return cls(import_program(registries.native, program, where), registries, program, name, options)

    @property
    def _native(self) -> _buddy.Graph:
        """The graph of the extension, with every change of the nodes in it."""
        with self._lock:
            if self._nodes is not None and self._nodes.sync():
                self._module = self._executable = None
            return self._imported

    # ---- What it is ----

    @property
    def params(self) -> list[PlaceholderOp]:
        """The nodes of ``body`` that are parameters, buffers and constants, in the order in which the function takes them."""
        return [op for op in self._read().inputs if op.kind != "user"]

    @property
    def tensors(self) -> list[torch.Tensor]:
        """What ``params`` are: the model's own tensors, unless a transform has put others in their place. Those of an
        archive, which stay in its mapped file, are copied for this."""
        tensors = self._tensors()
        found = [tensors[target] for _, kind, target, _ in self._imported.inputs() if kind != "user"]
        return [tensor.tensor() if isinstance(tensor, Mapped) else tensor for tensor in found]

    def set_tensor(self, name: str, tensor: torch.Tensor) -> None:
        """Another tensor for the parameter that the node of that name is, of any type: what uses it is to be changed, too. A
        name that no node has is a new parameter, behind all other inputs."""
        with self._lock:
            body = self._read()
            target = next((op.parameter for op in body.inputs if op.name == name), name) or name
            tensor = tensor.detach().contiguous()
            self._imported.set_input(name, describe_storage(target, tensor), tensor)
            body.retype()
            self._others[name] = (target, tensor)
            self._module = self._executable = None

    def _tensors(self) -> dict[str, torch.Tensor | Mapped]:
        return {**self._own_tensors(), **dict(self._others.values())}

    def _own_tensors(self) -> dict[str, torch.Tensor] | dict[str, Mapped]:
        if self._program is not None:
            return self._program.tensors
        mapped = {}
        for (_, kind, target, (dtype, sizes)), data in zip(self._imported.inputs(), self._imported.data()):
            if kind != "user" and data is not None:
                address, _, offset, strides = data
                address += offset * TORCH_DTYPES[dtype].itemsize
                mapped[target] = Mapped(address, dtype, sizes, strides, self._imported)
        return mapped

    @property
    def inputs(self) -> list[tuple[str, str, str, tuple[str, list[int | str]]]]:
        """(name, kind, name in the module, (dtype, sizes)) of each input; sizes may be symbolic."""
        return self._imported.inputs()

    @property
    def outputs(self) -> list[tuple[str, str | None, Any]]:
        """(kind, what it changes, value) of each output."""
        return self._native.outputs()

    def text(self) -> str:
        """The graph's own text form, as ``buddy import --emit graph`` writes it."""
        return self._native.text()

    @property
    def decisions(self) -> list[Decision]:
        """Which row takes each op; ops that nobody takes are among them."""
        try:
            self._imported_module  # noqa: B018  rows may also decline while they emit
        except UnsupportedError:
            pass  # the decisions say it
        return [Decision.read(data) for data in self._native.decisions()]

    def explain(self) -> Explanation:
        """Who takes which op, and why the others do not: ``print`` it, or let a notebook show it."""
        return Explanation(self.decisions)

    # ---- Its nodes ----

    def _read(self) -> Body:
        with self._lock:
            if self._nodes is None:
                self._nodes = Body(self._imported, self._registries.class_of, self._registries.native.schema)
            return self._nodes

    @property
    def body(self) -> list[Op]:
        """The nodes: a PlaceholderOp for each input, the ops in order, an OutputOp. The list, and what its nodes take, may be
        changed; the graph follows when it is used next, or an error says why it cannot."""
        return self._read().nodes

    @body.setter
    def body(self, nodes: list[Op]) -> None:
        self._read().nodes = list(nodes)

    _body = body

    @property
    def node_table(self) -> dict[str, Op]:
        """The nodes by name."""
        return {op.name: op for op in self.body}

    def walk(self) -> Iterator[Op]:
        """The ops, in order, without inputs and output."""
        return (op for op in self.body if not isinstance(op, (PlaceholderOp, OutputOp)))

    def add_node(self, node: Op, node_type: Any = None) -> None:
        """Adds an op after the others; its ``args`` name values of the graph. Results are of the types that
        ``tensor_meta`` says; without it, they are inferred where the kind of op allows it."""
        self.body.insert(self.body.index(self._read().output), node)

    def check_delete_node(self, node: Op) -> bool:
        """Whether nothing uses the node."""
        self._read()._link()
        return not self.node_table[node.name]._children

    def delete_node(self, node: Op, parents: Sequence[Op] = ()) -> None:
        """Removes an op that nothing uses. parents: not needed; the arguments say it."""
        self.body.remove(node)
        for parent in parents:
            if node.name in parent._children:
                parent._children.remove(node.name)

    def displace_node(self, node: Op, newnode: Op) -> None:
        """Puts another op in the place of one: with its arguments, types and uses."""
        newnode.args, newnode.kwargs = list(node.args), dict(node.kwargs)
        newnode.tensor_meta, newnode._op_type = node.tensor_meta, node._op_type
        if newnode.target == node.target or not newnode.target:
            newnode.target = node.target
        else:
            newnode.args, newnode.kwargs = list(node.kwargs.values())[: max(len(node.args), 1)], {}
        self.displace_node_with_chain(node, [newnode], keep=True)

    def displace_node_with_chain(self, node: Op, chain: Sequence[Op], *, keep: bool = False) -> None:
        """Puts several ops in the place of one: the first takes its arguments, the last its types and uses."""
        if not keep:
            chain[0].args, chain[0].kwargs = list(node.args), dict(node.kwargs)
            chain[-1].tensor_meta = node.tensor_meta
        place = self.body.index(node)
        self.body[place : place + 1] = chain
        self.replace_uses(node.name, chain[-1].name)

    def replace_uses(self, name: str, new_name: str) -> None:
        """Every argument and output that is the one value is the other from now on."""
        for op in self.body:
            if op.name != new_name:
                op.args[:] = [_replaced(value, name, new_name) for value in op.args]
                op.kwargs.update({key: _replaced(value, name, new_name) for key, value in op.kwargs.items()})

    def replace_as_parent(self, parent_op: Op, child_ops: Any, new_op: Op) -> None:
        """Some users of one node use another."""
        for child in child_ops if isinstance(child_ops, list) else [child_ops]:
            op = child if isinstance(child, Op) else self.node_table[child]
            op.args[:] = [_replaced(value, parent_op.name, new_op.name) for value in op.args]
            op.kwargs.update({key: _replaced(value, parent_op.name, new_op.name) for key, value in op.kwargs.items()})

    def replace_as_child(self, parent_ops: Any, child_op: Op, new_op: Op) -> None:
        """Notes in nodes that another one uses them. The graph goes by the arguments of the users."""
        for parent in parent_ops if isinstance(parent_ops, list) else [parent_ops]:
            op = parent if isinstance(parent, Op) else self.node_table[parent]
            op._children[:] = [new_op.name if name == child_op.name else name for name in op._children]

    def init_op_group(self) -> None:
        """Every op a group of its own."""
        for i, op in enumerate(self.body):
            if not isinstance(op, (PlaceholderOp, OutputOp)):
                self.op_groups[f"subgraph{i}"] = [op]
                self.group_map_device[f"subgraph{i}"] = DeviceType.CPU

    def perform(self, func_list: Sequence[Callable[[Graph], Any]]) -> None:
        """Calls each transform with this graph; what they make of it is checked."""
        for transform in func_list:
            before = set(map(id, self.body))
            transform(self)
            self._native  # noqa: B018
            self._regroup(before)

    def _regroup(self, before: set[int]) -> None:
        """Groups that were made before a transform: ops that are gone leave them, new ones go where their users are."""
        ops = list(self.walk())
        there = set(map(id, ops))
        owner = {id(op): name for name, group in self.op_groups.items() for op in group}
        names = {op.name: op for op in ops}
        for op in reversed(ops):
            if self.op_groups and id(op) not in owner and id(op) not in before:
                users = [owner[id(names[user])] for user in op._children if user in names and id(names[user]) in owner]
                owner[id(op)] = users[0] if users else next(reversed(self.op_groups))
        if any(id(op) not in there for group in self.op_groups.values() for op in group) or len(owner) > sum(
            map(len, self.op_groups.values())
        ):
            self.op_groups = {name: [op for op in ops if owner.get(id(op)) == name] for name in self.op_groups}

    def fuse_ops(self, pattern_list: Sequence[Callable[[Graph], Any]]) -> None:
        """The same: patterns change nodes, or make groups (``op_groups``). Loops are merged when the graph is compiled,
        whatever the patterns say."""
        self.perform(pattern_list)

    # ---- Copies ----

    def _copy_of(self, program: Program | None, registries: Registries) -> Graph:
        if program is not None:
            copy = Graph.of_program(program, registries, self._func_name, "copy", self._options)
        elif self._origin is not None:
            native = _buddy.open_archive(registries.native, self._origin)
            copy = Graph(native, registries, None, self._func_name, self._options, self._origin)
        else:
            raise TypeError("a part of a graph cannot be copied: copy the graph")
        return copy

    def _kept_program(self) -> Program | None:
        """What a copy needs: how the results nest in the model's is not the graph's."""
        return None if self._program is None else replace(self._program, out_spec=None)

    def __deepcopy__(self, memo: dict[Any, Any]) -> Graph:
        copy = self._copy_of(deepcopy(self._kept_program(), memo), self._registries)
        copy._take(self._state())
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        if self._program is None and self._origin is None:
            raise TypeError("a part of a graph cannot be pickled: pickle the graph")
        return _restored, (self._kept_program(), self._origin, self._registries.order, self._registries.pins, self._func_name,
                           self._options, self._state())  # fmt: skip

    def _state(self) -> dict[str, Any]:
        self._native  # noqa: B018  what cannot be is an error here
        nodes = None if self._nodes is None else [(type(op), op.target, op.name, op.args, op.kwargs, op.tensor_meta)
                                                  for op in self.body]  # fmt: skip
        groups = {name: [op.name for op in group] for name, group in self.op_groups.items()}
        return {"tensors": self._others, "nodes": nodes, "groups": groups, "devices": dict(self.group_map_device)}

    def _take(self, state: Mapping[str, Any]) -> None:
        for name, (_, tensor) in state["tensors"].items():
            self.set_tensor(name, tensor)
        if state["nodes"] is not None:
            known = {op.name: op for op in self.body}
            nodes = []
            for op_class, target, name, args, kwargs, meta in state["nodes"]:
                op = known.get(name)
                if op is None or op.target != target:
                    op = op_class()
                    op.target, op.name, op.tensor_meta = target, name, deepcopy(meta)
                op.args, op.kwargs = deepcopy(args), deepcopy(kwargs)
                nodes.append(op)
            self.body = nodes
            self._native  # noqa: B018
        if state["groups"]:
            table = self.node_table
            self.op_groups = {name: [table[op] for op in group] for name, group in state["groups"].items()}
        self.group_map_device = dict(state["devices"])

    # ---- MLIR ----

    def lower_to_top_level_ir(self, do_params_pack: bool = False, params: str | None = None) -> MLIRModule:
        """Emits the MLIR module, which is ``_imported_module`` from then on.

        do_params_pack: all parameters of one dtype become one argument. params: "args" (the default), "pack" or
        "resource" (parameters are part of the module, without being copied).
        """
        form = params or ("pack" if do_params_pack else "args")
        with self._lock:
            native = self._native
            if self._module is None or self._module_form != form:
                self._module = MLIRModule(native.lower(self._func_name, form))
                self._module_form = form
                self._tell_of_declined(native)
                if self._options.verbose is not None:
                    self._options.verbose(self)
            return self._module

    def _tell_of_declined(self, native: _buddy.Graph) -> None:
        if self._registries.has_python:
            from buddy.compiler.lowering import warn_of_declined

            warn_of_declined([Decision.read(data) for data in native.decisions()])

    @property
    def _imported_module(self) -> MLIRModule:
        return self.lower_to_top_level_ir(params=self._module_form)

    @property
    def module(self) -> MLIRModule:
        """The MLIR module."""
        return self._imported_module

    def __str__(self) -> str:
        return str(self._imported_module)

    def __repr__(self) -> str:
        users = sum(kind == "user" for _, kind, *_ in self.inputs)
        return (f"<graph {self._func_name}: {len(self._imported.nodes())} ops, {users} inputs, "
                f"{len(self.inputs) - users} parameters, {len(self._imported.outputs())} outputs>")  # fmt: skip

    def _repr_html_(self) -> str:
        return f"<p>{html.escape(repr(self))}</p>{self.explain()._repr_html_()}"

    # ---- Running ----

    def compile(self, progress: Callable[[str, float], Any] | None = None) -> Executable:
        """Machine code for this processor, with the parameters bound. progress: called with a stage and a fraction; without
        it, they go to the log, at INFO."""
        with self._lock:
            native = self._native
            if self._executable is None:
                self._executable = self._compiled(native, progress, False)
            return self._executable

    def _compiled(self, native: _buddy.Graph, progress: Callable[[str, float], Any] | None, profile: bool) -> Executable:
        module = native.lower(self._func_name, "args")
        self._tell_of_declined(native)
        program = module.compile(self._options.opt_level, None, progress_or_log(progress), profile)
        executable = Executable(program, self._tensors(), self._program is not None and self._program.draws)
        executable.set_threads(self._options.threads)
        return executable

    def profile(self, *inputs: Any, repeat: int = 10) -> Profile:
        """Where the time goes: compiled so that it measures itself, and run on the user's inputs ``repeat`` times, of which
        the least time of each step counts. ``print`` it, or let a notebook show it. Buffers that the graph changes are changed
        as often."""
        if repeat < 1:
            raise InvalidArgumentError(f"repeat={repeat!r}: a run at least is needed", "INVALID_ARGUMENT")
        with self._lock:
            executable = self._compiled(self._native, None, True)
        for _ in range(repeat):
            executable(inputs)
        return Profile(self._func_name, executable.program.steps(), self.decisions, repeat)

    def __call__(self, *inputs: Any) -> list[Any]:
        """Runs it, compiled: the user's inputs in order; a list of the results."""
        return self.compile()(inputs)


def _replaced(value: Any, name: str, new_name: str) -> Any:
    if isinstance(value, list):
        return [_replaced(item, name, new_name) for item in value]
    return new_name if isinstance(value, str) and value == name else value


def _restored(program: Program | None, origin: str | None, order: str | None, pins: Sequence[str], name: str,
              options: CompileOptions, state: Mapping[str, Any]) -> Graph:  # fmt: skip
    """What unpickling calls. Rows written in Python are those of the process that calls it."""
    from buddy.compiler.registry import Registries

    registries = Registries.current(order, pins)
    if program is not None:
        graph = Graph.of_program(program, registries, name, "unpickled graph", options)
    else:
        assert origin is not None
        graph = Graph(_buddy.open_archive(registries.native, origin), registries, None, name, options, origin)
    graph._take(state)
    return graph
