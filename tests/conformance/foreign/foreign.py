# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module of another project as a program that tests/fuzz/programs/judge.py judges: its inputs, its sizes, its runs."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
from program import widen
from redraw import RUNS, SCALES, is_ascending, redrawn
from torch.export import Dim
from torch.utils import _pytree as pytree

OTHER, LARGE = 1, 5  # what is added to the size of the export; half of the runs' sizes are odd
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.complex64)


@dataclass
class Case:
    """What a project gives: something to call, and what it is called with."""

    call: Callable
    args: tuple = ()
    kwargs: dict[str, Any] = field(default_factory=dict)


class Flat(torch.nn.Module):
    """The call on its tensors alone, in their order; all else is constant."""

    def __init__(self, case: Case):
        super().__init__()
        self.call = case.call
        leaves, self.tree = pytree.tree_flatten((case.args, case.kwargs))
        self.leaves = [None if isinstance(leaf, torch.Tensor) else leaf for leaf in leaves]
        self.places = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def forward(self, *tensors: torch.Tensor):
        leaves = list(self.leaves)
        for place, tensor in zip(self.places, tensors):
            leaves[place] = tensor
        args, kwargs = pytree.tree_unflatten(leaves, self.tree)
        return [leaf for leaf in pytree.tree_leaves(self.call(*args, **kwargs)) if leaf is not None]


def is_seen(tensor: Any) -> bool:
    return isinstance(tensor, torch.Tensor)


class Foreign:
    """The interface of tests/fuzz/programs/program.py's Program."""

    is_strided = False
    symbols: dict[str, str] = {}  # the sizes that are tried are within the archive's ranges

    def __init__(self, case: Case, is_dynamic: bool):
        self.flat, self.is_dynamic = Flat(case), is_dynamic
        self.tensors = [leaf.detach() for leaf in pytree.tree_leaves((case.args, case.kwargs)) if is_seen(leaf)]
        self.state = [Buffer() for _ in self.flat.buffers()]  # what makes a run depend on those before
        self.sizes = [[list(tensor.shape) for tensor in self.tensors]]
        self.runs = [{}] * RUNS

    # ---- What the judge asks ----
    def has_float64(self) -> bool:
        return any(one.dtype == torch.float64 for one in [*self.tensors, *self.flat.state_dict().values()])

    def has_short_floats(self) -> bool:
        return any(one.is_floating_point() and one.itemsize < 4 for one in [*self.tensors, *self.flat.state_dict().values()])

    def module(self, wide: bool = False) -> torch.nn.Module:
        module = copy.deepcopy(self.flat)
        for part in module.double().modules() if wide else ():
            widen(part)  # complex numbers, which double() leaves
        return module

    def export(self, module: torch.nn.Module) -> torch.export.ExportedProgram:
        problem = None
        refuse_random(module, lambda: self.make_inputs(0))
        for dims in self.choices():
            try:
                program = torch.export.export(module, tuple(self.make_inputs(0)), dynamic_shapes=dims, strict=False)
                self.draw_sizes(program)
                return program
            except Exception as error:
                problem = problem or error
        raise problem

    def make_inputs(self, run: int) -> list[torch.Tensor]:
        if not self.is_dynamic or run == 0 or self.sizes[run] == self.sizes[0]:
            return [redrawn(one, (run - 1) % len(SCALES)) if run else one.clone() for one in self.tensors]
        generator = torch.Generator().manual_seed(run)
        return [resized(one, sizes, generator) for one, sizes in zip(self.tensors, self.sizes[run])]

    def lay_out(self, run: int, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        return [one.clone() for one in inputs]

    # ---- Sizes ----
    def choices(self) -> list:
        """All dims, else the first of each tensor, else the last."""
        if not self.is_dynamic or not self.tensors:
            return [None]
        every = tuple({d: Dim.AUTO for d in range(one.dim())} for one in self.tensors)
        first = tuple({0: Dim.AUTO} if one.dim() else None for one in self.tensors)
        last = tuple({one.dim() - 1: Dim.AUTO} if one.dim() else None for one in self.tensors)
        return [(dims,) for dims in (every, first, last)]

    def draw_sizes(self, program: torch.export.ExportedProgram) -> None:
        """The size of the export, then others that the archive's ranges admit: one more, 1, an odd one, 0, the export's."""
        if not self.is_dynamic:
            self.sizes = self.sizes * RUNS
            return
        names = program.graph_signature.user_inputs
        nodes = {node.name: node.meta["val"] for node in program.graph.nodes if node.op == "placeholder"}
        shapes = [nodes[name].shape for name in names if isinstance(name, str) and is_seen(nodes[name])]
        symbols = sorted({s for shape in shapes for size in shape if isinstance(size, torch.SymInt) for s in size.node.expr.free_symbols}, key=str)
        if not symbols:
            raise NotDynamic("no size is left dynamic")
        env = next(size.node.shape_env for shape in shapes for size in shape if isinstance(size, torch.SymInt))
        hints = {s: int(env.backed_var_to_val[s] if hasattr(env, "backed_var_to_val") else env.var_to_val[s]) for s in symbols}
        sizes = []
        for values in drawn(hints):
            values = {s: clamp(v, program.range_constraints.get(s)) for s, v in values.items()}
            one = [[size_of(size, values) for size in shape] for shape in shapes]
            if all(n >= 0 for shape in one for n in shape) and sum(map(numel, one)) < 4_000_000:
                sizes.append(one)
        self.sizes = sizes
        self.runs = [{"sizes": str(one)} for one in sizes]


class NotDynamic(Exception):
    """torch.export specialised all sizes."""


class Random(Exception):
    """The program draws numbers: eager itself gives others each time."""


def refuse_random(call: torch.nn.Module, inputs: Callable[[], list[torch.Tensor]]) -> None:
    results = []
    for seed in (0, 1):
        torch.manual_seed(seed)
        with torch.no_grad():
            results.append(copy.deepcopy(call)(*inputs()))
    for a, b in zip(*results):
        a, b = torch.as_tensor(a), torch.as_tensor(b)
        if not torch.equal(torch.nan_to_num(a), torch.nan_to_num(b)):
            raise Random("eager gives other numbers each time")


class Buffer:
    is_parameter = False


def drawn(hints: dict) -> list[dict]:
    yield hints
    yield {s: v + OTHER for s, v in hints.items()}
    yield {s: 1 for s in hints}
    yield {s: (v + LARGE) | 1 for s, v in hints.items()}
    yield {s: 0 for s in hints}
    if len(hints) > 1:
        yield {s: v + (i % 2) for i, (s, v) in enumerate(hints.items())}
        yield {s: v if i else 1 for i, (s, v) in enumerate(hints.items())}
        yield {s: v if i else 0 for i, (s, v) in enumerate(hints.items())}
    yield hints


def clamp(value: int, bounds) -> int:
    """Within the archive's range; its lower bound of 2 for an AUTO dim is no promise, and 0 and 1 are tried."""
    if bounds is None:
        return value
    low = 0 if bounds.lower <= 2 else int(bounds.lower)
    return max(low, value if bounds.upper > value else int(bounds.upper))


def size_of(size, values: dict) -> int:
    return int(size.node.expr.xreplace(values)) if isinstance(size, torch.SymInt) else int(size)


def numel(shape: list[int]) -> int:
    product = 1
    for n in shape:
        product *= n
    return product


def resized(tensor: torch.Tensor, sizes: list[int], generator: torch.Generator) -> torch.Tensor:
    """Of other sizes, with elements of the tensor: what they mean and their range stay."""
    if list(tensor.shape) == sizes or not tensor.numel() or not numel(sizes):
        return redrawn(tensor, 0) if list(tensor.shape) == sizes else tensor.new_zeros(sizes)
    at = torch.randint(0, tensor.numel(), sizes, generator=generator)
    other = tensor.flatten()[at]
    if tensor.dim() == 1 and not tensor.is_complex() and is_ascending(tensor):
        return torch.tensor(sorted(other.tolist()), dtype=tensor.dtype)
    if tensor.is_floating_point():
        return other * (0.5 + 0.5 * torch.rand(sizes, generator=generator)).to(tensor.dtype)
    return other
