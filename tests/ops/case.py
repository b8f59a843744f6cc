# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One op, or a few, on some tensors: what is exported, run and compared with eager PyTorch."""

from __future__ import annotations

import dis
import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

import torch

FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]
SIGNED = [torch.int8, torch.int16, torch.int32, torch.int64]
INTS = [torch.uint8, *SIGNED]
ALL = [torch.bool, *INTS, *FLOATS]


@dataclass
class Case:
    name: str
    function: Callable
    inputs: tuple[torch.Tensor, ...]
    others: tuple[torch.Tensor, ...] | None = None  # of other sizes: every dim is exported as dynamic
    tolerance: tuple[float, float] | None = None    # relative, absolute; null: torch.testing's of the dtype
    declined: str | None = None                     # part of the reason for which no registry may take it
    check: Callable | None = None                   # of random results, in place of the comparison with eager
    more: tuple[tuple[torch.Tensor, ...], ...] = () # inputs of the same sizes with other numbers
    is_near: bool = False                           # judged by float64: within tolerance, or twice eager's error, or a few roundings
    is_whole: bool = False                          # only as torch.export writes it: PyTorch's decomposition checks nothing
    refused: str | None = None                      # part of the reason for which sizes may be refused that PyTorch takes
    is_grown: bool = False                          # static as written, its dims exported as dynamic all the same

    def __post_init__(self) -> None:
        code = getattr(self.function, "__code__", None)
        names = {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"} if code else set()
        self.named = {name: self.function.__globals__[name] for name in names if name in self.function.__globals__}

    def renamed(self) -> list[str]:
        """What its function calls by a module's name that stands for another thing by now than when the case was written."""
        return [name for name, value in self.named.items() if self.function.__globals__.get(name) is not value]


@dataclass
class Family:
    """Collects cases under one name, with a generator of numbers of its own."""

    name: str
    cases: list[Case] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.random = torch.Generator().manual_seed(len(self.name))

    def tensor(self, *sizes: int, dtype: torch.dtype = torch.float32, low: float = -4, high: float = 4) -> torch.Tensor:
        if dtype == torch.bool:
            return torch.rand(sizes, generator=self.random) < 0.5
        if dtype.is_complex:
            return torch.randn(sizes, generator=self.random, dtype=dtype)
        if dtype.is_floating_point:
            return (torch.rand(sizes, generator=self.random, dtype=torch.float64) * (high - low) + low).to(dtype)
        low = max(int(low), 0) if dtype == torch.uint8 else int(low)
        return torch.randint(low, int(high) + 1, sizes, generator=self.random).to(dtype)

    def add(self, name: str, function: Callable, *inputs: torch.Tensor, others: tuple[torch.Tensor, ...] | None = None,
            tolerance: tuple[float, float] | None = None, declined: str | None = None, check: Callable | None = None,
            more: tuple[tuple[torch.Tensor, ...], ...] = (), is_near: bool = False,
            is_whole: bool = False, refused: str | None = None) -> None:
        self.cases.append(Case(f"{self.name}/{name}", function, inputs, others, tolerance, declined, check, more, is_near,
                               is_whole, refused))

    def sizes(self, name: str, function: Callable, *shapes: tuple[int, ...], dtype: torch.dtype = torch.float32,
              growth: tuple[int, ...] | None = None, **limits: float) -> None:
        """A static case, and a dynamic one in which dims of the same size grow together."""
        inputs = tuple(self.tensor(*shape, dtype=dtype, **limits) for shape in shapes)
        self.add(name, function, *inputs)
        distinct = sorted({size for size in itertools.chain(*shapes) if size > 1})
        growth = growth or tuple(size + 3 for size in distinct)
        bigger = dict(zip(distinct, growth))
        grown = tuple(self.tensor(*[bigger.get(size, size) for size in shape], dtype=dtype, **limits)
                      for shape in shapes)
        self.add(f"{name}, dynamic", function, *inputs, others=grown)


def short(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
