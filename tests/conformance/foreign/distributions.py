# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What torch.distributions computes: of every distribution that is made of tensors its densities, moments and divergences."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable

import torch
import torch.distributions as D
from foreign import Case

BATCH, EVENT = 5, 3
KNOWN = {"temperature": torch.tensor(0.7), "total_count": torch.tensor([4.0] * BATCH)}
METHODS: dict[str, Callable] = {
    "log_prob": lambda one, x: one.log_prob(x), "cdf": lambda one, x: one.cdf(x), "entropy": lambda one, x: one.entropy(),
    "moments": lambda one, x: (one.mean, one.variance), "stddev": lambda one, x: one.stddev, "mode": lambda one, x: one.mode,
    "perplexity": lambda one, x: one.perplexity(), "expand": lambda one, x: one.expand((2, *one.batch_shape)).log_prob(x),
    "icdf": lambda one, x: one.icdf(one.cdf(x)), "independent": lambda one, x: D.Independent(one, 1).log_prob(x),
    "kl": lambda one, x: D.kl_divergence(one, one.expand(one.batch_shape)),
    "enumerate": lambda one, x: one.enumerate_support(),
}


def parameter(constraint, generator: torch.Generator) -> torch.Tensor:
    """A batch of what the constraint admits; vectors and matrices where it is about events."""
    shape = (BATCH, *[EVENT] * constraint.event_dim)
    value = torch.rand(shape, generator=generator) * 0.8 + 0.1
    if constraint is D.constraints.positive_definite:
        return value @ value.mT + torch.eye(EVENT)
    return D.transform_to(constraint)(value)


def parameters(cls: type, generator: torch.Generator) -> dict[str, torch.Tensor]:
    found = {name: value for name, value in KNOWN.items() if name in inspect.signature(cls.__init__).parameters}
    for name, constraint in cls.arg_constraints.items():
        if name == "logits" and "probs" in found or name in ("precision_matrix", "scale_tril") and len(found) > 1:
            continue  # another form of what is there
        if name in found or isinstance(constraint, D.constraints._Dependent) or constraint is D.constraints.nonnegative_integer:
            continue
        found[name] = parameter(constraint, generator)
    return found


class Distributions:
    @functools.cache
    def classes(self) -> dict[str, type]:
        return {name: one for name in D.__all__ if isinstance(one := getattr(D, name), type) and issubclass(one, D.Distribution)
                and isinstance(one.__dict__.get("arg_constraints"), dict)}

    def names(self) -> list[str]:
        return [f"{name}.{method}" for name in self.classes() for method in METHODS]

    def make(self, name: str) -> Case:
        cls, method = self.classes()[name.split(".")[0]], METHODS[name.split(".")[1]]
        generator = torch.Generator().manual_seed(0)
        given = parameters(cls, generator)
        torch.manual_seed(0)
        x = cls(**given, validate_args=False).sample()

        def call(given: dict[str, torch.Tensor], x: torch.Tensor):
            return method(cls(**given, validate_args=False), x)

        call(given, x)  # says what is wrong
        return Case(call, (given, x))
