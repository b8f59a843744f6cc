# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case as PyTorch exports it, and what eager PyTorch gives."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch

from case import Case


class Wrapped(torch.nn.Module):
    """A function as the module that torch.export wants."""

    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs: torch.Tensor):
        return self.function(*inputs)


def export(case: Case) -> torch.export.ExportedProgram:
    shapes = None
    if case.others is not None:
        shapes = (tuple({d: torch.export.Dim.AUTO for d in range(t.dim())} for t in case.inputs),)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return torch.export.export(Wrapped(case.function), case.inputs, dynamic_shapes=shapes, strict=False)


def flatten(result) -> list[torch.Tensor]:
    return [torch.as_tensor(value) for value in torch.utils._pytree.tree_leaves(result)]
