# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What models are made of, class by class: small programs that show what a mechanism is worth, or that there is none.

    lstm, gru, …          of the table below
    transformers:TYPE     a model of the transformers package with that type's default configuration, random weights
    timm:NAME             one of timm's, where that is installed in the environment of BUDDY_PYTHON
    library:NAME          of other packages: the table of libraries.py
    …,batch=N,tokens=N,size=N,symbolic
                          of transformers' and timm's: how much of what; symbolic: the batch of images, the number of tokens
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from libraries import of_library
from torch import nn
from zoo import MODELS, Sample


class Recurrent(nn.Module):
    """The results of a recurrent layer as a flat tuple."""

    def __init__(self, layer: nn.RNNBase) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, ...]:
        y, state = self.layer(x)
        return (y, *state) if isinstance(state, tuple) else (y, state)


def generator() -> nn.Module:
    """DCGAN's: 100 numbers to an image of 64 by 64."""
    layers: list[nn.Module] = []
    widths = (100, 512, 256, 128, 64)
    for k, (before, after) in enumerate(zip(widths, widths[1:], strict=False)):
        stride, padding = (1, 0) if k == 0 else (2, 1)
        layers += [nn.ConvTranspose2d(before, after, 4, stride, padding, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
    return nn.Sequential(*layers, nn.ConvTranspose2d(64, 3, 4, 2, 1, bias=False), nn.Tanh())


class Bottleneck(nn.Module):
    """ResNeXt's: 1x1, 3x3 in groups, 1x1, and around them."""

    def __init__(self, before: int, width: int, after: int, stride: int, groups: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(before, width, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, width, 3, stride, 1, groups=groups, bias=False), nn.BatchNorm2d(width), nn.ReLU(),
            nn.Conv2d(width, after, 1, bias=False), nn.BatchNorm2d(after))
        self.around = nn.Sequential(nn.Conv2d(before, after, 1, stride, bias=False), nn.BatchNorm2d(after))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu(self.body(x) + self.around(x))


def volumes() -> nn.Module:
    return nn.Sequential(nn.Conv3d(3, 32, (3, 7, 7), (1, 2, 2), (1, 3, 3)), nn.BatchNorm3d(32), nn.ReLU(),
                         nn.Conv3d(32, 64, 3, 2, 1), nn.BatchNorm3d(64), nn.ReLU(), nn.Conv3d(64, 64, 3, 1, 1), nn.ReLU(),
                         nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(64, 10))


def perceptron() -> nn.Module:
    return nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 10))


# By name: the module, and the sizes of its input.
CLASSES: dict[str, tuple[Callable[[], nn.Module], tuple[int, ...]]] = {
    "lstm": (lambda: Recurrent(nn.LSTM(512, 512, 2)), (64, 1, 512)),
    "lstm_batch": (lambda: Recurrent(nn.LSTM(512, 512, 2)), (64, 8, 512)),
    "gru": (lambda: Recurrent(nn.GRU(256, 256, 2)), (64, 1, 256)),
    "transposed": (generator, (1, 100, 1, 1)),
    "groups": (lambda: nn.Sequential(Bottleneck(64, 128, 256, 1, 32), Bottleneck(256, 256, 512, 2, 32)), (1, 64, 56, 56)),
    "volumes": (volumes, (1, 3, 8, 56, 56)),
    "lines": (lambda: nn.Sequential(nn.Conv1d(80, 256, 3, 1, 1), nn.GELU(), nn.Conv1d(256, 256, 3, 2, 1)), (1, 80, 600)),
    "softmax": (lambda: nn.Softmax(-1), (64, 32000)),
    "layer_norm": (lambda: nn.LayerNorm(1024), (4096, 1024)),
    "perceptron": (perceptron, (256, 64)),
}

# Whole models that nothing here was tuned by, of each class; measure.py takes them by default.
WHOLE = (
    *(f"transformers:{kind}" for kind in ("resnet", "regnet", "convnext", "mobilenet_v1", "mobilenet_v2", "mobilevit", "poolformer",
                                          "swin", "levit", "segformer", "cvt", "deit", "dinov2", "wav2vec2")),
    *(f"transformers:{kind},tokens=64" for kind in ("distilbert", "albert", "convbert", "squeezebert", "mobilebert", "mamba")),
    *(f"transformers:{kind},tokens=512" for kind in ("bert", "gpt2")), "transformers:resnet,batch=8",
    *(f"transformers:{kind},batch=2{known}" for kind in ("resnet", "convnext", "mobilenet_v2", "mobilevit", "deit")
      for known in ("", ",symbolic")),
    "transformers:distilbert,tokens=64,symbolic", "transformers:gpt2,tokens=512,symbolic",
)


def options_of(text: str) -> dict[str, int]:
    """batch=8,tokens=64,symbolic"""
    options = {}
    for word in filter(None, text.split(",")):
        key, _, number = word.partition("=")
        options[key] = int(number or 1)
        if key not in ("batch", "tokens", "size", "symbolic"):
            raise SystemExit(f"{key}: a model's options are batch=N, tokens=N, size=N and symbolic")
    return options


def of_images(model: nn.Module, channels: int, side: int, options: dict[str, int]) -> Sample:
    side, batch = options.get("size", side), options.get("batch", 1)
    dynamic = ({0: torch.export.Dim("batch", min=1)},) if "symbolic" in options else None
    return Sample(model, (torch.randn(max(batch, 2) if dynamic else batch, channels, side, side),), dynamic_shapes=dynamic)


def of_transformers(kind: str, options: dict[str, int]) -> Sample:
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.for_model(kind)
    model = AutoModel.from_config(config).eval()
    batch, channels, side = options.get("batch", 1), getattr(config, "num_channels", 3), getattr(config, "image_size", 224)
    match model.main_input_name:
        case "input_values" if hasattr(config, "num_mel_bins"):  # a spectrum
            return Sample(model, (torch.randn(batch, config.max_length, config.num_mel_bins),))
        case "input_values":  # a second of sound
            return Sample(model, (torch.randn(batch, 16000),))
        case "past_values":
            return Sample(model, (torch.randn(batch, config.context_length, config.num_input_channels),))
        case "pixel_values" if hasattr(config, "num_frames"):
            return Sample(model, (torch.randn(batch, config.num_frames, channels, side, side),))
        case "pixel_values":
            return of_images(model, channels, side if isinstance(side, int) else side[0], options)
    dynamic = ({1: torch.export.Dim("tokens", min=2, max=512)},) if "symbolic" in options else None
    ids = torch.randint(0, config.vocab_size, (options.get("batch", 1), options.get("tokens", 128)))
    return Sample(model, (ids,), {"decoder_input_ids": ids[:, :16]} if kind == "t5" else {}, dynamic_shapes=dynamic)


def of_timm(name: str, options: dict[str, int]) -> Sample:
    import timm

    model = timm.create_model(name, pretrained=False).eval()
    channels, side, _ = model.default_cfg["input_size"]
    return of_images(model, channels, side, options)


def sample_of(name: str) -> Sample:
    """A model of tests/models, or of this file."""
    if name in MODELS:
        return MODELS[name].build()
    torch.manual_seed(0)
    kind, _, rest = name.partition(":")
    rest, _, options = rest.partition(",")
    if kind == "transformers":
        return of_transformers(rest, options_of(options))
    if kind == "timm":
        return of_timm(rest, options_of(options))
    if kind == "library":
        return of_library(rest)
    module, sizes = CLASSES[name]
    return Sample(module().eval(), (torch.randn(*sizes),))
