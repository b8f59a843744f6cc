# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that NNSmith makes (ASPLOS 2023): graphs of ops whose shapes a solver finds, and weights. One for each number."""

from __future__ import annotations

import functools
import random
import warnings
from typing import Any

import numpy
import torch
from foreign import Case

MOST_MODELS = 10_000
NODES = (3, 12)  # of ops, at least and at most
SOLVER_MS = 10_000
MOST_ELEMENTS = 1 << 14  # of a tensor


class Plain(torch.nn.Module):
    """The model without what NNSmith asks of its numbers while it runs."""

    def __init__(self, model: torch.nn.Module):
        super().__init__()
        self.layers, self.steps = model.mlist, model.instructions
        self.given, self.wanted = list(model.input_map), list(model.output_map)

    def forward(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        values = dict(zip(self.given, inputs))
        for function, operands, results, _ in self.steps:
            found = function(*(values[name] for name in operands))
            values |= zip(results, found if isinstance(found, (list, tuple)) else [found])
        return [values[name] for name in self.wanted]


class Models:
    @functools.cache
    def kind(self) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of pygraphviz
            from nnsmith.materialize import Model
        return Model.init("torch", backend_target="cpu")

    def names(self) -> list[str]:
        self.kind()
        return [str(seed) for seed in range(MOST_MODELS)]

    def make(self, name: str) -> Case:
        from nnsmith.graph_gen import model_gen
        seed = int(name)
        random.seed(seed), numpy.random.seed(seed), torch.manual_seed(seed)
        kind = self.kind()
        made = model_gen(opset=list(kind.operators()), method="symbolic-cinit", seed=seed, max_nodes=random.randint(*NODES), timeout_ms=SOLVER_MS,
                         max_elem_per_tensor=MOST_ELEMENTS)
        model = kind.from_gir(made.make_concrete()).native_model.eval()
        given = model.get_random_inps()
        return Case(Plain(model), tuple(given[name] for name in model.input_map))
