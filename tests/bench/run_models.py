# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models whose runs are counted by instructions.py: every mechanism of the generated code that a run enters often."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from torch.export import Dim


class Calls(nn.Module):
    def __init__(self, function: Callable, *modules: nn.Module) -> None:
        super().__init__()
        self.function, self.parts = function, nn.ModuleList(modules)

    def forward(self, *inputs: Tensor):
        return self.function(*self.parts, *inputs)


def network() -> nn.Module:
    """Strided, depthwise, 1x1 and plain convolutions with what follows them."""
    return nn.Sequential(nn.Conv2d(3, 32, 3, stride=2, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.Conv2d(32, 32, 3, padding=1, groups=32), nn.ReLU6(),
                         nn.Conv2d(32, 64, 1), nn.SiLU(), nn.Conv2d(64, 64, 3, padding=1), nn.MaxPool2d(2), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                         nn.Linear(64, 10))


def perceptron() -> nn.Module:
    return nn.Sequential(nn.Linear(100, 200), nn.GELU(), nn.LayerNorm(200), nn.Linear(200, 50), nn.Softmax(-1))


def models() -> dict[str, tuple[nn.Module, tuple[int, ...], dict | None]]:
    """By name: module, sizes of its input, those of them that are symbolic. As many elements of each as a run takes."""
    encoder = nn.TransformerEncoderLayer(64, 4, 128, batch_first=True)
    lstm = nn.LSTM(32, 64, batch_first=True)
    return {
        "cnn": (network(), (1, 3, 64, 64), None),
        "cnn, any batch": (network(), (3, 3, 64, 64), {0: Dim("batch")}),
        "encoder": (encoder, (2, 33, 64), None),
        "encoder, any length": (Calls(lambda m, x: m(x), encoder), (2, 33, 64), {1: Dim("length")}),
        "lstm": (Calls(lambda m, x: m(x)[0], lstm), (2, 17, 32), None),
        "mlp": (perceptron(), (9, 100), None),
        "mlp, any rows": (perceptron(), (9, 100), {0: Dim("rows")}),
        "sums": (Calls(lambda x: (x.sum(0), x.mean((1, 2)), x.var(-1), x.amax(1), x.cumsum(1))), (20, 30, 40), None),
        "elementwise": (Calls(lambda x: torch.where(x > 0, x.exp() * x.sin(), (x - 1).tanh()).clamp(-1, 1)), (200, 50), None),
        "gather": (Calls(lambda x: (x[x.argmax(0)], F.embedding((x[:, 0] > 0).long(), x).sum(1))), (50, 7), None),
        "views": (Calls(lambda x: torch.cat([x[:, ::2].transpose(1, 2), x.roll(3, 1)[:, 1::2].transpose(1, 2)], 1).flatten(1)), (4, 20, 30), None),
    }


def write(folder: Path) -> dict[str, Path]:
    """Their archives, with the same weights each time."""
    torch.manual_seed(0)
    archives = {}
    for name, (module, sizes, symbolic) in models().items():
        shapes = None if symbolic is None else ((symbolic,),) if isinstance(module, Calls) else (symbolic,)
        archives[name] = folder / f"{name.replace(', ', '_').replace(' ', '_')}.pt2"
        torch.export.save(torch.export.export(module.eval(), (torch.randn(sizes),), dynamic_shapes=shapes), archives[name])
    return archives
