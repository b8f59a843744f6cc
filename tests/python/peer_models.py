# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models with random weights in place of those that a hub would give, for scripts that cannot be changed.

``install()`` has ``from_pretrained`` of transformers' classes, and torchvision's models, give them."""

from __future__ import annotations

import contextlib
import sys
import types
from pathlib import Path
from typing import Any

import torch
from torch import nn

SMALL = {
    "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 16, "vocab_size": 512, "d_model": 64, "encoder_layers": 1, "decoder_layers": 1,
    "encoder_attention_heads": 4, "decoder_attention_heads": 4, "encoder_ffn_dim": 128, "decoder_ffn_dim": 128,
    "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1, "max_window_layers": 2,
    "num_labels": 6, "layer_types": None,
}  # fmt: skip
LETTERS = {"Qwen3": "Qwen3", "Qwen": "Qwen2", "gemma": "Gemma2", "hi-3": "Phi3", "istral": "Mistral"}


def install() -> None:
    """Puts them in place."""
    with contextlib.suppress(ImportError):
        _install_language_models()
    vision: Any = types.ModuleType("torchvision")  # after transformers, which asks whether it is the real one
    vision.models = _vision_models()
    sys.modules.update({"torchvision": vision, "torchvision.models": vision.models})


def _install_language_models() -> None:
    import transformers

    transformers.PreTrainedModel.from_pretrained = classmethod(lambda cls, *_, **options: _small(cls, options))
    transformers.AutoModelForCausalLM.from_pretrained = staticmethod(_causal)
    transformers.AutoConfig.from_pretrained = staticmethod(lambda *_, **options: _gemma4_config())
    transformers.PreTrainedTokenizerBase.from_pretrained = classmethod(lambda cls, *_, **options: _Tokenizer())
    for name in ("AutoTokenizer", "BertTokenizer", "LlamaTokenizer"):
        getattr(transformers, name).from_pretrained = staticmethod(lambda *_, **options: _Tokenizer())


def _gemma4_config() -> Any:
    """Of text alone, in the config of the whole: the one script that asks for a config takes that part of it."""
    from transformers.models.gemma4 import Gemma4Config, Gemma4TextConfig

    own = {"vocab_size_per_layer_input": 512, "hidden_size_per_layer_input": 16, "global_head_dim": 32,
           "layer_types": ["sliding_attention", "full_attention"]}  # fmt: skip
    known = set(vars(Gemma4TextConfig()))
    text = {name: value for name, value in (SMALL | own).items() if name in known}
    return Gemma4Config(text_config=text, vision_config=None, audio_config=None)


def _causal(name: str, **options: Any) -> nn.Module:
    import transformers

    if "gemma-4" in str(name):
        from transformers.models.gemma4 import Gemma4ForConditionalGeneration

        torch.manual_seed(0)
        return Gemma4ForConditionalGeneration(_gemma4_config()).eval()
    letters = next((letters for part, letters in LETTERS.items() if part in str(name)), "Llama")
    return _small(getattr(transformers, f"{letters}ForCausalLM"), options)


def _small(cls: Any, options: dict[str, Any]) -> nn.Module:
    torch.manual_seed(0)
    kind = cls.config_class
    known = set(vars(kind())) | set(kind.attribute_map)
    config = kind(**{name: value for name, value in SMALL.items() if name in known})
    return cls(config).to(options.get("dtype") or torch.float32).eval()


class _Tokenizer:
    """Numbers for texts."""

    def __call__(self, text: str, **_: Any) -> dict[str, torch.Tensor]:
        ids = torch.tensor([[3 + ord(letter) % 100 for letter in text]])
        return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}

    def get_vocab(self) -> dict[str, int]:
        return {"a": 0}


# ---- torchvision ----


class _Weights:
    DEFAULT = IMAGENET1K_V1 = None


def _vision_models() -> types.ModuleType:
    models: Any = types.ModuleType("torchvision.models")
    models.ResNet18_Weights = models.MobileNet_V3_Small_Weights = _Weights
    models.resnet18 = lambda *_, **options: _resnet18()
    models.mobilenet_v3_small = lambda *_, **options: MobileNetV3()
    return models


def _resnet18() -> nn.Module:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "models"))
    from vision import ResNet18

    torch.manual_seed(0)
    return ResNet18(width=16, classes=10)


class _Squeeze(nn.Module):
    """Weighs channels by what they are on the average."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.down, self.up = nn.Conv2d(channels, channels // 4, 1), nn.Conv2d(channels // 4, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weights = self.up(torch.relu(self.down(nn.functional.adaptive_avg_pool2d(x, 1))))
        return x * nn.functional.hardsigmoid(weights)


class _Bottleneck(nn.Module):
    def __init__(self, inputs: int, wide: int, outputs: int, stride: int, squeezes: bool) -> None:
        super().__init__()
        self.is_residual = stride == 1 and inputs == outputs
        layers = [nn.Conv2d(inputs, wide, 1, bias=False), nn.BatchNorm2d(wide), nn.Hardswish(),
                  nn.Conv2d(wide, wide, 5, stride, 2, groups=wide, bias=False), nn.BatchNorm2d(wide), nn.Hardswish(),
                  *([_Squeeze(wide)] if squeezes else []), nn.Conv2d(wide, outputs, 1, bias=False), nn.BatchNorm2d(outputs)]
        self.block = nn.Sequential(*layers)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.block(x) if self.is_residual else self.block(x)


class MobileNetV3(nn.Module):
    """What MobileNetV3 is made of, a few layers of it."""

    def __init__(self) -> None:
        super().__init__()
        torch.manual_seed(0)
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.Hardswish(),
                                      _Bottleneck(16, 32, 24, 2, True), _Bottleneck(24, 48, 24, 1, False),
                                      _Bottleneck(24, 64, 40, 2, True), _Bottleneck(40, 64, 40, 1, True))  # fmt: skip
        self.classifier = nn.Sequential(nn.Linear(40, 64), nn.Hardswish(), nn.Dropout(0.2), nn.Linear(64, 10))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(nn.functional.adaptive_avg_pool2d(self.features(x), 1), 1))
