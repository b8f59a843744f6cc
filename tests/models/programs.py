# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes test models of plain functions: what sem_*.py are written with.

    @program(normal(4, 5))
    def inplace_select(x: Tensor) -> Tensor: ...

registers the model sem_inplace_select, which is called with a 4 x 5 tensor. All such models are quick.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from catalog import DIALECTS, Sample, model
from torch import Tensor, nn

Build = Callable[[], Sample]


class Lambda(nn.Module):
    """A module around a function: what torch.export takes."""

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__()
        # Of a node's stack trace, torch.export keeps only the frames of functions that are called forward.
        function.__code__ = function.__code__.replace(co_name="forward")
        self.function = function

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs)


def program(
    *inputs: Any, tolerance: float | None = None, dialects: tuple[str, ...] = DIALECTS, **kwargs: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the decorated function as the program `sem_<its name>`; a callable input is called for its value."""

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def build() -> Sample:
            args = tuple(value() if callable(value) else value for value in inputs)
            named = {key: value() if callable(value) else value for key, value in kwargs.items()}
            return Sample(Lambda(function), args, named)

        name = f"sem_{function.__name__}"
        model(group="semantics", quick=True, tolerance=tolerance, dialects=dialects, name=name)(build)
        return function

    return register


def module(*, tolerance: float | None = None, may_refuse: bool = False) -> Callable[[Build], Build]:
    """Registers a function that builds a Sample under `sem_<its name>`."""

    def register(function: Build) -> Build:
        name = f"sem_{function.__name__}"
        return model(group="semantics", quick=True, tolerance=tolerance, may_refuse=may_refuse, name=name)(function)

    return register


def normal(*shape: int, dtype: torch.dtype = torch.float32) -> Callable[[], Tensor]:
    return lambda: torch.randn(*shape).to(dtype)


def integers(low: int, high: int, *shape: int, dtype: torch.dtype = torch.int64) -> Callable[[], Tensor]:
    return lambda: torch.randint(low, high, shape).to(dtype)


def booleans(*shape: int) -> Callable[[], Tensor]:
    return lambda: torch.rand(shape) > 0.5
