# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models in eight bits, as PT2E's convert leaves them: quantize and dequantize before each product and convolution."""

from __future__ import annotations

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed
from torch import Tensor, nn
from torch.export import Dim
from torch.nn import functional

from catalog import Sample, model
from vision import BasicBlock

Q = torch.ops.quantized_decomposed
# A step of a quantized tensor is what two roundings may differ by, and goes through the layers that follow.
STEPS = 2e-2


class Quantized(nn.Module):
    """A layer whose weight is in signed bytes by channel, symmetric, and whose input in unsigned ones with a zero point."""

    def __init__(self, layer: nn.Linear | nn.Conv2d) -> None:
        super().__init__()
        self.layer, self.scale, self.zero, self.is_found = layer, 1.0, 0, False
        scales = layer.weight.detach().flatten(1).abs().amax(1) / 127
        zeros = torch.zeros(len(scales), dtype=torch.int64)
        self.register_buffer("bytes", Q.quantize_per_channel(layer.weight.detach(), scales, zeros, 0, -128, 127, torch.int8))
        self.register_buffer("scales", scales)
        self.register_buffer("zeros", zeros)

    def forward(self, x: Tensor) -> Tensor:
        if not self.is_found:
            low, high = min(x.min().item(), 0.0), max(x.max().item(), 0.0)
            self.scale = (high - low) / 255
            self.zero, self.is_found = round(-low / self.scale), True
        x = Q.quantize_per_tensor(x, self.scale, self.zero, 0, 255, torch.uint8)
        x = Q.dequantize_per_tensor(x, self.scale, self.zero, 0, 255, torch.uint8)
        weight = Q.dequantize_per_channel(self.bytes, self.scales, self.zeros, 0, -128, 127, torch.int8)
        if isinstance(self.layer, nn.Linear):
            return functional.linear(x, weight, self.layer.bias)
        return functional.conv2d(x, weight, self.layer.bias, self.layer.stride, self.layer.padding, self.layer.dilation,
                                 self.layer.groups)


def quantize(module: nn.Module, *inputs: Tensor) -> Sample:
    """Replaces the layers, and finds the ranges of what goes into them in one run."""
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if isinstance(child, nn.Linear | nn.Conv2d):
                setattr(parent, name, Quantized(child))
    with torch.no_grad():
        module.eval()(*inputs)
    return Sample(module, inputs)


class Encoder(nn.Module):
    """A block of a transformer, its norms in front, with attention over 24 places."""

    def __init__(self, width: int = 48, heads: int = 4) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.up, self.down = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x: Tensor) -> Tensor:
        q, k, v = (a.unflatten(-1, (self.heads, -1)).transpose(1, 2) for a in self.qkv(self.norm1(x)).chunk(3, -1))
        x = x + self.out(functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).flatten(2))
        return x + self.down(functional.gelu(self.up(self.norm2(x))))


@model(group="quantized", quick=True, tolerance=STEPS)
def int8_residual_tiny() -> Sample:
    stem = nn.Conv2d(3, 16, 5, 2, 2)
    blocks = nn.Sequential(stem, nn.ReLU(), nn.MaxPool2d(2), BasicBlock(16, 16, 1), BasicBlock(16, 32, 2),
                           nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(32, 10))
    return quantize(blocks, torch.randn(2, 3, 40, 40))


@model(group="quantized", quick=True, tolerance=STEPS)
def int8_depthwise_tiny() -> Sample:
    return quantize(nn.Sequential(nn.Conv2d(4, 24, 1), nn.ReLU6(), nn.Conv2d(24, 24, 3, padding=1, groups=24), nn.ReLU6(),
                                  nn.Conv2d(24, 8, 1), nn.Conv2d(8, 8, 3, groups=2)), torch.randn(1, 4, 17, 15))


@model(group="quantized", quick=True, tolerance=STEPS)
def int8_encoder_tiny() -> Sample:
    return quantize(Encoder(), torch.randn(2, 24, 48))


class Grouped(nn.Module):
    """A linear layer whose weight is in whole numbers below 2 ** bits, with a scale and a zero point for each group of a row."""

    def __init__(self, layer: nn.Linear, bits: int, group: int) -> None:
        super().__init__()
        rows = layer.weight.detach().unflatten(1, (-1, group))
        low, high = rows.amin(2, keepdim=True), rows.amax(2, keepdim=True)
        scales = (high - low) / (2**bits - 1)
        numbers = ((rows - low) / scales).round().to(torch.uint8)
        self.register_buffer("numbers", self.stored(numbers.flatten(1)))
        self.register_buffer("scales", scales)
        self.register_buffer("zeros", (-low / scales).round().clamp(0, 255).to(torch.uint8))
        self.bias, self.group = layer.bias, group

    def stored(self, numbers: Tensor) -> Tensor:
        return numbers

    def unpacked(self) -> Tensor:
        return self.numbers

    def forward(self, x: Tensor) -> Tensor:
        rows = self.unpacked().unflatten(1, (-1, self.group))
        weight = (rows.to(x.dtype) - self.zeros.to(x.dtype)) * self.scales.to(x.dtype)
        return functional.linear(x, weight.flatten(1), self.bias)


class Packed(Grouped):
    """The same with two numbers in a byte, the first in its lower half."""

    def stored(self, numbers: Tensor) -> Tensor:
        return numbers[:, ::2] | numbers[:, 1::2] << 4

    def unpacked(self) -> Tensor:
        return torch.stack((self.numbers & 15, self.numbers >> 4), -1).flatten(1)


def grouped(kind: type[Grouped], bits: int, group: int) -> nn.Module:
    """Layers whose columns are whole eights, and are not, between which there is one of plain floats."""
    layers = nn.Linear(96, 53), nn.Linear(53, 128), nn.Linear(128, 72)
    return nn.Sequential(kind(layers[0], bits, min(group, 96)), nn.ReLU(), layers[1], nn.SiLU(), kind(layers[2], bits, group))


@model(group="quantized", quick=True)
def int8_groups_tiny() -> Sample:
    return Sample(grouped(Grouped, 8, 32), (torch.randn(1, 96),))


@model(group="quantized", quick=True)
def int8_groups_rows_tiny() -> Sample:
    """One exported program for one row, few and many."""
    sizes = tuple(((torch.randn(rows, 96),), {}) for rows in (5, 1, 40))
    return Sample(grouped(Grouped, 8, 32), *sizes[0], ({0: Dim("rows", max=512)},), sizes)


@model(group="quantized", quick=True)
def int4_groups_tiny() -> Sample:
    return Sample(grouped(Packed, 4, 32), (torch.randn(1, 96),))


@model(group="quantized", quick=True)
def int4_groups_many_tiny() -> Sample:
    return Sample(grouped(Packed, 4, 16), (torch.randn(24, 96),))


@model(group="quantized", quick=True)
def int4_groups_rows_tiny() -> Sample:
    """Groups that are gone through in a loop, and columns that are no whole eights; one row, few and many."""
    sizes = tuple(((torch.randn(rows, 768),), {}) for rows in (5, 1, 40))
    layers = nn.Sequential(Packed(nn.Linear(768, 45), 4, 256), nn.SiLU())
    return Sample(layers, *sizes[0], ({0: Dim("rows", max=512)},), sizes)
