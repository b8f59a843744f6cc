# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpytorch's kernels and means, as dense matrices."""

from __future__ import annotations

import functools

import torch
from foreign import Case
from guessed import constructed


class Dense(torch.nn.Module):
    def __init__(self, one: torch.nn.Module):
        super().__init__()
        self.one = one

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        import gpytorch
        if isinstance(self.one, gpytorch.likelihoods.Likelihood):
            got = self.one(gpytorch.distributions.MultivariateNormal(x[:, 0], torch.eye(x.shape[0])))
            return got.mean, got.variance
        got = self.one(x, y) if isinstance(self.one, gpytorch.kernels.Kernel) else self.one(x)
        return got if isinstance(got, torch.Tensor) else got.to_dense()


class Kernels:
    @functools.cache
    def found(self) -> dict[str, type]:
        import gpytorch
        homes = (gpytorch.kernels, gpytorch.means, gpytorch.likelihoods)
        return {name: getattr(home, name) for home in homes for name in home.__all__ if isinstance(getattr(home, name), type)}

    def names(self) -> list[str]:
        return list(self.found())

    def make(self, name: str) -> Case:
        import gpytorch
        cls = self.found()[name]
        problem: Exception = TypeError("nothing fits")
        makers = [lambda: next(constructed(cls)), lambda: cls(gpytorch.kernels.RBFKernel()), lambda: cls(gpytorch.kernels.RBFKernel(), num_dims=3),
                  lambda: cls(2), lambda: cls(input_size=3), lambda: cls(num_dims=3), lambda: cls(num_tasks=2, rank=1), lambda: cls(ard_num_dims=3)]
        g = torch.Generator().manual_seed(0)
        x, y = torch.rand(6, 3, generator=g), torch.rand(4, 3, generator=g)
        for make in makers:
            try:
                call = Dense(make().eval())
                call(x, y)
                return Case(call, (x, y))
            except Exception as error:
                problem = error
        raise problem
