# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders that generation.py measures: one exported program for the prompt and each token, by kind of weights."""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import nn
from torch.export import Dim
from transformers import DynamicCache, LlamaConfig, LlamaForCausalLM

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "models"))

from quantized import Grouped, Packed  # noqa: E402

Tensors = tuple[torch.Tensor, ...]
BITS = {"f32": 32, "bf16": 16, "int8": 8, "int4": 4}


class Decoding(nn.Module):
    """Tokens, and the keys and values so far of each layer, give the last token's logits and the longer cache."""

    def __init__(self, inner: LlamaForCausalLM) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, tokens: torch.Tensor, *past: torch.Tensor) -> Tensors:
        cache = DynamicCache(list(zip(past[::2], past[1::2], strict=True)))
        logits = self.inner(input_ids=tokens, past_key_values=cache, use_cache=True).logits
        return (logits[:, -1], *(part for layer in cache.layers for part in (layer.keys, layer.values)))


def by_groups(module: nn.Module, bits: int, group: int) -> None:
    """Its linear layers get weights of so many bits, by groups; two of four bits lie in a byte."""
    for name, child in module.named_children():
        if isinstance(child, nn.Linear):
            setattr(module, name, (Packed if bits == 4 else Grouped)(child, bits, group))
        else:
            by_groups(child, bits, group)


class Decoder:
    """Random weights of one kind: float32, bfloat16, or in groups of 8 or 4 bits that float32 is made of."""

    def __init__(self, kind: str, width: int, layers: int, group: int) -> None:
        self.kind = kind
        self.name = f"decoder_{kind}_{width}_{layers}" + (f"_{group}" if BITS[kind] < 16 else "")
        self.dtype = torch.bfloat16 if kind == "bf16" else torch.float32
        self.config = LlamaConfig(
            vocab_size=16000,
            hidden_size=width,
            intermediate_size=4 * width,
            num_hidden_layers=layers,
            num_attention_heads=width // 64,
            num_key_value_heads=width // 128,
            max_position_embeddings=4096,
        )
        torch.manual_seed(0)
        self.module = Decoding(LlamaForCausalLM(self.config)).eval().to(self.dtype)
        if BITS[kind] < 16:
            by_groups(self.module, BITS[kind], group)

    def cache(self, length: int = 0) -> Tensors:
        config = self.config
        shape = (1, config.num_key_value_heads, length, config.hidden_size // config.num_attention_heads)
        return tuple(torch.zeros(shape, dtype=self.dtype) for _ in range(2 * config.num_hidden_layers))

    def export(self) -> torch.export.ExportedProgram:
        tokens, past = Dim("tokens", max=2048), Dim("past", max=2048)
        example = (torch.zeros(1, 3, dtype=torch.int64), *self.cache(5))
        shapes = {"tokens": {1: tokens}, "past": tuple({2: past} for _ in example[1:])}
        return torch.export.export(self.module, example, dynamic_shapes=shapes)

    def archive(self, folder: Path) -> Path:
        path = folder / f"{self.name}.pt2"
        if not path.exists():
            torch.export.save(self.export(), path)
        return path

    def bytes_of_token(self) -> int:
        """What a token has to read: all weights, but of the embedding one row."""
        embedding = self.module.inner.get_input_embeddings().weight
        tensors = (*self.module.parameters(), *self.module.buffers())
        return sum(t.numel() * t.element_size() for t in tensors if t is not embedding)
