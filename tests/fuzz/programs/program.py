# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A random program: its text, its inputs, and what PyTorch makes of it.

A program is a list of statements in Python, so that it can be shown, cut down and run by hand.
"""

from __future__ import annotations

import contextlib
import linecache
import math
import re
from dataclasses import dataclass, field

import torch
import torch.ao.quantization.fx._decomposed  # torch.ops.quantized_decomposed
import torch.nn.functional as F
from torch.export import Dim

WIDER = {"float32": "float64", "float16": "float64", "bfloat16": "float64", "complex64": "complex128"}
WIDE = re.compile(rf"\btorch\.({'|'.join(WIDER)})\b")


@dataclass
class Input:
    name: str
    dtype: str
    sizes: list[str]    # numbers, and expressions of symbols
    kind: str = "any"   # index: a number below `bound`; order: a permutation of those; else any number
    bound: str = "1"


@dataclass
class State:
    name: str
    expression: str
    is_parameter: bool


@dataclass
class Program:
    inputs: list[Input] = field(default_factory=list)
    state: list[State] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    symbols: dict[str, str] = field(default_factory=dict)  # AUTO, or arguments of Dim
    runs: list[dict[str, int]] = field(default_factory=list)  # the sizes of each run; the first is what is exported
    is_strided: bool = False  # the last run's inputs are not dense
    seed: int = 0

    def text(self, wide: bool = False) -> str:
        body = self.body
        if wide:  # parameters and buffers are made as they are, and widened: else they were other numbers
            body = [WIDE.sub(lambda found: f"torch.{WIDER[found[1]]}", statement) for statement in body]
        lines = ["class Program(torch.nn.Module):", "    def __init__(self):", "        super().__init__()",
                 "        torch.manual_seed(0)"]
        for one in self.state:
            if one.is_parameter:
                lines.append(f"        self.{one.name} = torch.nn.Parameter({one.expression})")
            else:
                lines.append(f"        self.register_buffer({one.name!r}, {one.expression})")
        lines += ["", f"    def forward(self, {', '.join(one.name for one in self.inputs)}):"]
        lines += [f"        {statement}" for statement in body]
        lines += [f"        return ({''.join(name + ', ' for name in self.outputs)})"]
        return "\n".join(lines) + "\n"

    def page(self) -> str:
        """What shows and repeats it."""
        lines = [self.text().rstrip()]
        for one in self.inputs:
            kind = "" if one.kind == "any" else f", {one.kind} below {one.bound}"
            lines.append(f"# {one.name}: {one.dtype}[{', '.join(one.sizes)}]{kind}")
        lines += [f"# {name}: Dim.AUTO" if how == "AUTO" else f"# {name}: Dim({name!r}, {how})"
                  for name, how in self.symbols.items()]
        if self.symbols:
            lines.append(f"# runs: {self.runs}")
        return "\n".join(lines)

    def has_float64(self) -> bool:
        return any(name in self.page() for name in ("float64", "complex128"))

    def has_short_floats(self) -> bool:
        return any(name in self.page() for name in ("float16", "float8"))

    def module(self, wide: bool = False) -> torch.nn.Module:
        text = self.text(wide)
        name = f"<program {self.seed}{' wide' if wide else ''}>"
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        scope = {"torch": torch, "F": F, "math": math}
        exec(compile(text, name, "exec"), scope)
        module = scope["Program"]()
        return widen(module) if wide else module

    def sizes(self, one: Input, run: int) -> list[int]:
        return [eval(size, {}, self.runs[run]) for size in one.sizes]

    def make_inputs(self, run: int) -> list[torch.Tensor]:
        generator = torch.Generator().manual_seed(self.seed * 64 + run)
        return [self.make_input(one, run, generator) for one in self.inputs]

    def make_input(self, one: Input, run: int, generator: torch.Generator) -> torch.Tensor:
        sizes, dtype = self.sizes(one, run), getattr(torch, one.dtype)
        bound = eval(one.bound, {}, self.runs[run])
        if one.kind == "order":
            return torch.randperm(bound, generator=generator).to(dtype)
        if one.kind == "index":
            return torch.randint(0, max(bound, 1), sizes, generator=generator).to(dtype)
        if dtype == torch.bool:
            return torch.randint(0, 2, sizes, generator=generator).bool()
        if not dtype.is_floating_point and not dtype.is_complex:
            return torch.randint(-9 if dtype.is_signed else 0, 10, sizes, generator=generator).to(dtype)
        value = torch.randn(sizes, generator=generator, dtype=torch.complex64 if dtype.is_complex else torch.float32)
        return value.to(dtype)

    def lay_out(self, run: int, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        """Copies; in the last run of a strided program, of every second column of something wider."""
        if not self.is_strided or run + 1 < len(self.runs):
            return [one.clone() for one in inputs]
        copies = []
        for one in inputs:
            wider = torch.zeros([*one.shape, 2], dtype=one.dtype) if one.dim() else one.clone()
            copies.append(wider[..., 0].copy_(one) if one.dim() else wider)
        return copies

    def dynamic_shapes(self) -> tuple | None:
        if not self.symbols:
            return None
        dims = {name: _parse_dim(name, how) for name, how in self.symbols.items() if how != "AUTO"}
        shapes = []
        for one in self.inputs:
            shape = {}
            for d, size in enumerate(one.sizes):
                used = [name for name in self.symbols if name in size]
                if used:
                    shape[d] = Dim.AUTO if self.symbols[used[0]] == "AUTO" else eval(size, {}, dims)
            shapes.append(shape or None)
        return tuple(shapes)

    def export(self, module: torch.nn.Module) -> torch.export.ExportedProgram:
        return torch.export.export(module, tuple(self.make_inputs(0)), dynamic_shapes=self.dynamic_shapes(), strict=False)


def _parse_dim(name: str, how: str):
    return eval(f"Dim({name!r}, {how})", {"Dim": Dim})


def widen(value):
    """Floats and complex numbers at twice their width."""
    if isinstance(value, torch.nn.Module):
        for name, parameter in list(value._parameters.items()):
            value._parameters[name] = torch.nn.Parameter(widen(parameter.data), requires_grad=parameter.requires_grad)
        for name, buffer in list(value._buffers.items()):
            value._buffers[name] = widen(buffer)
        return value
    if not isinstance(value, torch.Tensor):
        return value
    if value.is_complex():
        return value.to(torch.complex128)
    return value.double() if value.is_floating_point() else value


@contextlib.contextmanager
def eagerly():
    """No gradients; and cond, loops and scans are called as they are: Dynamo would compile each of them in every call."""
    with torch.no_grad(), torch.compiler.set_stance("force_eager"):
        yield


def flatten(result) -> list[torch.Tensor]:
    """Python's numbers are as wide as they are there."""
    wide = {float: torch.float64, complex: torch.complex128}
    return [torch.as_tensor(value, dtype=wide.get(type(value))).detach() for value in torch.utils._pytree.tree_leaves(result)]
