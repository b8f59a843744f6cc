# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutional networks and the smallest programs, written by hand in their standard architectures."""

from __future__ import annotations

import itertools
import math

import torch
import torch.nn.functional as F
from catalog import Sample, draw_batch_norm_statistics, draw_weights, model
from torch import Tensor, nn
from torch.export import Dim


class MulAdd(nn.Module):
    def forward(self, x: Tensor, y: Tensor) -> Tensor:
        return x * y + x


@model(group="basic", quick=True)
def mul_add() -> Sample:
    return Sample(MulAdd(), (torch.randn(10), torch.randn(10)))


class Mlp(nn.Module):
    def __init__(self, widths: tuple[int, ...] = (32, 64, 64, 10)) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(a, b) for a, b in itertools.pairwise(widths))
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor) -> Tensor:
        for layer in self.layers[:-1]:
            x = self.dropout(F.gelu(layer(x)))
        return self.layers[-1](x)


@model(group="basic", quick=True)
def mlp() -> Sample:
    module = Mlp()
    draw_weights(module)
    return Sample(module, (torch.randn(4, 32),))


@model(group="dynamic", quick=True)
def mlp_dynamic() -> Sample:
    module = Mlp()
    draw_weights(module)
    batch = Dim("batch", min=1, max=64)
    sizes = tuple(((torch.randn(n, 32),), {}) for n in (1, 4, 17))
    return Sample(module, (torch.randn(4, 32),), {}, {"x": {0: batch}}, sizes)


class LeNet5(nn.Module):
    """LeCun's network in its usual modern form: ReLU and max pooling."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(16 * 5 * 5, 120)
        self.fc2 = nn.Linear(120, 84)
        self.fc3 = nn.Linear(84, 10)

    def forward(self, x: Tensor) -> Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        x = F.relu(self.fc2(x))
        return self.fc3(x)


@model(group="vision", quick=True)
def lenet5() -> Sample:
    module = LeNet5()
    draw_weights(module)
    return Sample(module, (torch.randn(1, 1, 28, 28),))


class BasicBlock(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.downsample: nn.Module | None = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: Tensor) -> Tensor:
        shortcut = x if self.downsample is None else self.downsample(x)
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.bn2(self.conv2(out))
        out += shortcut
        return self.relu(out)


class ResNet18(nn.Module):
    """ResNet-18 of He et al. as torchvision builds it; `width` is 64 there."""

    def __init__(self, width: int = 64, classes: int = 1000) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, width, 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        self.layer1 = self._layer(width, width, 1)
        self.layer2 = self._layer(width, 2 * width, 2)
        self.layer3 = self._layer(2 * width, 4 * width, 2)
        self.layer4 = self._layer(4 * width, 8 * width, 2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(8 * width, classes)

    @staticmethod
    def _layer(inputs: int, outputs: int, stride: int) -> nn.Sequential:
        return nn.Sequential(BasicBlock(inputs, outputs, stride), BasicBlock(outputs, outputs, 1))

    def forward(self, x: Tensor) -> Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def _convolutional(module: nn.Module, pixels: int) -> Sample:
    for layer in module.modules():
        if isinstance(layer, nn.Conv2d):
            nn.init.kaiming_normal_(layer.weight, mode="fan_out")
    draw_batch_norm_statistics(module, torch.randn(4, 3, pixels, pixels))
    return Sample(module, (torch.randn(1, 3, pixels, pixels),))


@model(group="vision")
def resnet18() -> Sample:
    return _convolutional(ResNet18(), 224)


@model(group="vision", quick=True)
def resnet18_tiny() -> Sample:
    return _convolutional(ResNet18(width=8, classes=10), 64)


def _conv_bn_relu6(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    padding = (kernel - 1) // 2
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU6(inplace=True),
    )


class InvertedResidual(nn.Module):
    def __init__(self, inputs: int, outputs: int, stride: int, expansion: int) -> None:
        super().__init__()
        hidden = inputs * expansion
        layers: list[nn.Module] = []
        if expansion != 1:
            layers.append(_conv_bn_relu6(inputs, hidden, 1))
        layers.append(_conv_bn_relu6(hidden, hidden, 3, stride, groups=hidden))
        layers += [nn.Conv2d(hidden, outputs, 1, bias=False), nn.BatchNorm2d(outputs)]
        self.conv = nn.Sequential(*layers)
        self.residual = stride == 1 and inputs == outputs

    def forward(self, x: Tensor) -> Tensor:
        return x + self.conv(x) if self.residual else self.conv(x)


class MobileNetV2(nn.Module):
    """MobileNetV2 of Sandler et al., width multiplier 1 in its standard form."""

    # expansion, channels, repeats, stride of the first
    STAGES = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    )

    def __init__(self, divide: int = 1, classes: int = 1000) -> None:
        super().__init__()
        channels = 32 // divide
        features: list[nn.Module] = [_conv_bn_relu6(3, channels, 3, 2)]
        for expansion, outputs, repeats, stride in self.STAGES:
            for index in range(repeats):
                first = stride if index == 0 else 1
                features.append(InvertedResidual(channels, outputs // divide, first, expansion))
                channels = outputs // divide
        last = 1280 // divide
        features.append(_conv_bn_relu6(channels, last, 1))
        self.features = nn.Sequential(*features)
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(last, classes))

    def forward(self, x: Tensor) -> Tensor:
        x = F.adaptive_avg_pool2d(self.features(x), (1, 1))
        return self.classifier(torch.flatten(x, 1))


@model(group="vision")
def mobilenetv2() -> Sample:
    return _convolutional(MobileNetV2(), 224)


@model(group="vision", quick=True)
def mobilenetv2_tiny() -> Sample:
    return _convolutional(MobileNetV2(divide=4, classes=10), 64)


class SqueezeExcitation(nn.Module):
    """Channels are weighted by what a small network makes of their means."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.squeeze = nn.Conv2d(channels, channels // 4, 1)
        self.excite = nn.Conv2d(channels // 4, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        weight = self.excite(F.relu(self.squeeze(F.adaptive_avg_pool2d(x, 1))))
        return x * F.hardsigmoid(weight)


class MobileNetV3(nn.Module):
    """The first layers of MobileNetV3-Small of Howard et al.: hard-swish, squeeze and excitation."""

    # kernel, hidden channels, channels, whether they are weighted, whether the activation is hard-swish, stride
    STAGES = (
        (3, 16, 16, True, False, 2),
        (3, 72, 24, False, False, 2),
        (3, 88, 24, False, False, 1),
        (5, 96, 40, True, True, 2),
        (5, 240, 40, True, True, 1),
    )

    def __init__(self, classes: int = 10) -> None:
        super().__init__()
        channels = 16
        self.stem = nn.Sequential(nn.Conv2d(3, channels, 3, 2, 1, bias=False), nn.BatchNorm2d(channels), nn.Hardswish())
        self.blocks = nn.ModuleList()
        for kernel, hidden, outputs, is_weighted, is_swish, stride in self.STAGES:
            activation = nn.Hardswish if is_swish else nn.ReLU
            layers = [nn.Conv2d(channels, hidden, 1, bias=False), nn.BatchNorm2d(hidden), activation(),
                      nn.Conv2d(hidden, hidden, kernel, stride, kernel // 2, groups=hidden, bias=False),
                      nn.BatchNorm2d(hidden), activation()]  # fmt: skip
            layers += [SqueezeExcitation(hidden)] if is_weighted else []
            self.blocks.append(nn.Sequential(*layers, nn.Conv2d(hidden, outputs, 1, bias=False), nn.BatchNorm2d(outputs)))
            channels = outputs
        self.classifier = nn.Sequential(nn.Linear(channels, 64), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(64, classes))

    def forward(self, x: Tensor) -> Tensor:
        x = self.stem(x)
        for block in self.blocks:
            y = block(x)
            x = x + y if x.shape == y.shape else y
        return self.classifier(x.mean((2, 3)))


@model(group="vision", quick=True)
def mobilenetv3_tiny() -> Sample:
    return _convolutional(MobileNetV3(), 64)


class TimeEmbedding(nn.Module):
    """The sinusoidal embedding of a diffusion step, followed by its two-layer network."""

    def __init__(self, width: int, outputs: int) -> None:
        super().__init__()
        self.width = width
        self.linear1 = nn.Linear(width, outputs)
        self.linear2 = nn.Linear(outputs, outputs)

    def forward(self, step: Tensor) -> Tensor:
        half = self.width // 2
        exponent = -math.log(10000.0) * torch.arange(half, dtype=torch.float32) / half
        angle = step[:, None].float() * torch.exp(exponent)[None, :]
        embedding = torch.cat([torch.cos(angle), torch.sin(angle)], dim=-1)
        return self.linear2(F.silu(self.linear1(embedding)))


class TimedResidual(nn.Module):
    def __init__(self, inputs: int, outputs: int, time_width: int, groups: int) -> None:
        super().__init__()
        self.norm1 = nn.GroupNorm(groups, inputs)
        self.conv1 = nn.Conv2d(inputs, outputs, 3, padding=1)
        self.time = nn.Linear(time_width, outputs)
        self.norm2 = nn.GroupNorm(groups, outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1)
        self.shortcut = nn.Conv2d(inputs, outputs, 1) if inputs != outputs else nn.Identity()

    def forward(self, x: Tensor, time: Tensor) -> Tensor:
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.time(F.silu(time))[:, :, None, None]
        h = self.conv2(F.silu(self.norm2(h)))
        return h + self.shortcut(x)


class SpatialAttention(nn.Module):
    def __init__(self, channels: int, heads: int, groups: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm = nn.GroupNorm(groups, channels)
        self.qkv = nn.Linear(channels, 3 * channels)
        self.out = nn.Linear(channels, channels)

    def forward(self, x: Tensor) -> Tensor:
        n, c, h, w = x.shape
        tokens = self.norm(x).flatten(2).transpose(1, 2)
        q, k, v = (
            t.view(n, h * w, self.heads, c // self.heads).transpose(1, 2) for t in self.qkv(tokens).chunk(3, dim=-1)
        )
        attended = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(n, h * w, c)
        return x + self.out(attended).transpose(1, 2).view(n, c, h, w)


class UNetBlock(nn.Module):
    """One level of a diffusion UNet: down, attention in the middle, up with a skip connection."""

    def __init__(self, channels: int, groups: int = 8) -> None:
        super().__init__()
        time_width = 4 * channels
        self.time = TimeEmbedding(channels, time_width)
        self.stem = nn.Conv2d(4, channels, 3, padding=1)
        self.enter = TimedResidual(channels, channels, time_width, groups)
        self.down = nn.Conv2d(channels, 2 * channels, 3, stride=2, padding=1)
        self.middle1 = TimedResidual(2 * channels, 2 * channels, time_width, groups)
        self.attention = SpatialAttention(2 * channels, 4, groups)
        self.middle2 = TimedResidual(2 * channels, 2 * channels, time_width, groups)
        self.up = nn.Conv2d(2 * channels, channels, 3, padding=1)
        self.leave = TimedResidual(2 * channels, channels, time_width, groups)
        self.norm = nn.GroupNorm(groups, channels)
        self.out = nn.Conv2d(channels, 4, 3, padding=1)

    def forward(self, latent: Tensor, step: Tensor) -> Tensor:
        time = self.time(step)
        skip = self.enter(self.stem(latent), time)
        h = self.middle1(self.down(skip), time)
        h = self.middle2(self.attention(h), time)
        h = self.up(F.interpolate(h, scale_factor=2.0, mode="nearest"))
        h = self.leave(torch.cat([h, skip], dim=1), time)
        return self.out(F.silu(self.norm(h)))


def _unet(channels: int, pixels: int) -> Sample:
    module = UNetBlock(channels)
    draw_weights(module)
    return Sample(module, (torch.randn(1, 4, pixels, pixels), torch.tensor([217])))


@model(group="vision")
def unet_block() -> Sample:
    return _unet(64, 32)


@model(group="vision", quick=True)
def unet_block_tiny() -> Sample:
    return _unet(16, 8)
