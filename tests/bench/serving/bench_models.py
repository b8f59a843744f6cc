# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What throughput.py serves: an encoder and a ResNet-18, of random weights, one input `x` and one output."""

from __future__ import annotations

import torch
from torch import nn
from transformers import ResNetConfig, ResNetForImageClassification


class Encoder(nn.Module):
    """Four layers of a transformer over 64 tokens; the mean of what comes out."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.layers = nn.LayerNorm(256), nn.ModuleList()
        for _ in range(4):
            self.layers.append(nn.ModuleList([nn.Linear(256, 768), nn.Linear(256, 256), nn.Linear(256, 1024), nn.Linear(1024, 256), nn.LayerNorm(256)]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for qkv, out, up, down, norm in self.layers:
            q, k, v = (part.unflatten(-1, (4, 64)).transpose(1, 2) for part in qkv(norm(x)).split(256, -1))
            x = x + out(nn.functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
            x = x + down(nn.functional.gelu(up(norm(x))))
        return self.norm(x).mean(1)


class Images(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        config = ResNetConfig(embedding_size=64, hidden_sizes=[64, 128, 256, 512], depths=[2, 2, 2, 2], layer_type="basic", num_labels=1000)
        self.model = ResNetForImageClassification(config)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


SHAPES = {"encoder": (64, 256), "resnet": (3, 112, 112)}  # of one row
N_OUT = {"encoder": 256, "resnet": 1000}


def make(name: str) -> nn.Module:
    torch.manual_seed(0)
    return (Encoder if name == "encoder" else Images)().eval()
