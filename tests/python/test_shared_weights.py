# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights that layers share: what kernels make of them is there once, in whatever order, and not once a layer."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

import buddy

N = 4


def linear() -> nn.Module:
    return nn.Linear(64, 64)


def convolution() -> nn.Module:
    return nn.Sequential(nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU())


def volume() -> nn.Module:
    return nn.Conv3d(16, 16, 3, padding=1)


def encoder() -> nn.Module:
    return nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)


class Layers(nn.Module):
    """N layers, of which `own` have weights of their own."""

    def __init__(self, make, own: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(make() for _ in range(own))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for i in range(N):
            x = self.layers[i % len(self.layers)](x)
        return x


def kept(make, own: int, sizes: tuple[int, ...], dims: dict[int, torch.export.Dim], folder) -> int:
    torch.manual_seed(0)
    model, x = Layers(make, own).eval(), torch.randn(sizes)
    path = folder / f"{own}.pt2"
    torch.export.save(torch.export.export(model, (x,), dynamic_shapes=(dims,)), path)
    loaded = buddy.load(path, threads=2)
    for _ in range(3):
        x = torch.randn(sizes)
        np.testing.assert_allclose(np.asarray(loaded(x)), model(x).detach().numpy(), rtol=1e-4, atol=1e-5)
    return loaded._runner.program.kept_bytes()


@pytest.mark.parametrize("is_symbolic", [False, True])
@pytest.mark.parametrize(("make", "sizes"), [(linear, (32, 64)), (convolution, (2, 16, 12, 12)), (volume, (2, 16, 6, 6, 6)),
                                             (encoder, (2, 16, 64))])  # fmt: skip
def test_is_packed_once(make, sizes, is_symbolic, tmp_path):
    dims = {0: torch.export.Dim("n", min=1)} if is_symbolic else None
    of_one, of_two, of_each = (kept(make, own, sizes, dims, tmp_path) for own in (1, 2, N))
    assert of_one > 0
    if make in (linear, encoder):
        assert (of_two, of_each) == (2 * of_one, N * of_one)
    else:  # the first and the last one may read and write images in the order that the caller has
        assert of_one <= of_each // 2
        assert of_two <= of_each
