# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers, built from their `transformers` configurations with random weights.

Every standard model has a `_tiny` twin: the same code and ops in a size that compiles and runs in no time.
"""

from __future__ import annotations

from typing import Any

import torch
from catalog import Pick, Sample, draw_weights, model
from torch import nn
from torch.export import Dim
from transformers import (
    BertConfig,
    BertModel,
    DynamicCache,
    GPT2Config,
    GPT2LMHeadModel,
    LlamaConfig,
    LlamaForCausalLM,
    T5Config,
    T5EncoderModel,
    ViTConfig,
    ViTForImageClassification,
    WhisperConfig,
)
from transformers.models.whisper.modeling_whisper import WhisperEncoder


def _ids(vocabulary: int, *shape: int) -> torch.Tensor:
    return torch.randint(0, vocabulary, shape)


def _padded_mask(batch: int, length: int) -> torch.Tensor:
    """Ones, with the last quarter of the first row masked out as padding."""
    mask = torch.ones(batch, length, dtype=torch.int64)
    if length >= 4:
        mask[0, length - length // 4 :] = 0
    return mask


def _bert_tiny_config() -> BertConfig:
    return BertConfig(
        vocab_size=128,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=64,
    )


def _bert(config: BertConfig, length: int) -> Sample:
    """The model as it comes: keyword inputs, and a result that is a dataclass."""
    module = BertModel(config)
    draw_weights(module)
    return Sample(
        module,
        (),
        {
            "input_ids": _ids(config.vocab_size, 1, length),
            "attention_mask": _padded_mask(1, length),
            "token_type_ids": (torch.arange(length) >= length // 2).long()[None, :],
        },
    )


@model(group="language")
def bert_base() -> Sample:
    return _bert(BertConfig(), 128)


@model(group="language", quick=True)
def bert_tiny() -> Sample:
    return _bert(_bert_tiny_config(), 16)


@model(group="dynamic", quick=True)
def bert_tiny_dynamic() -> Sample:
    config = _bert_tiny_config()
    module = BertModel(config)
    draw_weights(module)

    def call(batch: int, length: int) -> tuple[tuple[()], dict[str, torch.Tensor]]:
        ids = _ids(config.vocab_size, batch, length)
        return (), {"input_ids": ids, "attention_mask": _padded_mask(batch, length)}

    shape = {0: Dim("batch", min=1, max=16), 1: Dim("sequence", min=2, max=64)}
    sizes = tuple(call(*size) for size in ((1, 64), (2, 7), (5, 16)))
    dynamic_shapes = {"input_ids": shape, "attention_mask": shape}
    return Sample(module, *call(2, 16), dynamic_shapes, sizes)


def _gpt2_tiny_config(**more: Any) -> GPT2Config:
    return GPT2Config(
        vocab_size=128, n_positions=64, n_embd=32, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=0, **more
    )


def _gpt2(config: GPT2Config, length: int) -> Sample:
    """The logits; the output layer shares its weight with the token embedding."""
    inner = GPT2LMHeadModel(config)
    draw_weights(inner)
    return Sample(Pick(inner, "logits", {"use_cache": False}), (_ids(config.vocab_size, 1, length),))


@model(group="language")
def gpt2_small() -> Sample:
    return _gpt2(GPT2Config(), 128)


@model(group="language", quick=True)
def gpt2_tiny() -> Sample:
    return _gpt2(_gpt2_tiny_config(), 16)


@model(group="dynamic", quick=True)
def gpt2_tiny_dynamic() -> Sample:
    # With scaled_dot_product_attention, PyTorch 2.13's run_decompositions() fails for a batch above one: its
    # decomposition returns other strides than the op, and the view in GPT-2's linear layer does not fit them.
    config = _gpt2_tiny_config(attn_implementation="eager")
    static = _gpt2(config, 16)
    sizes = tuple(((_ids(config.vocab_size, *size),), {}) for size in ((1, 16), (3, 5), (2, 64)))
    example = (_ids(config.vocab_size, 2, 16),)
    dynamic_shapes = {"args": ({0: Dim.DYNAMIC, 1: Dim.DYNAMIC},)}
    return Sample(static.module, example, {}, dynamic_shapes, sizes)


def _vit(config: ViTConfig) -> Sample:
    inner = ViTForImageClassification(config)
    draw_weights(inner)
    pixels = torch.randn(1, config.num_channels, config.image_size, config.image_size)
    return Sample(Pick(inner, "logits"), (pixels,))


@model(group="vision")
def vit_base() -> Sample:
    return _vit(ViTConfig(num_labels=1000))


@model(group="vision", quick=True)
def vit_tiny() -> Sample:
    return _vit(
        ViTConfig(
            hidden_size=32,
            num_hidden_layers=2,
            num_attention_heads=4,
            intermediate_size=64,
            image_size=32,
            patch_size=8,
            num_labels=10,
        )
    )


def _llama(config: LlamaConfig, length: int) -> Sample:
    """RMS norm, rotary positions, grouped-query attention, SwiGLU."""
    inner = LlamaForCausalLM(config)
    draw_weights(inner)
    return Sample(Pick(inner, "logits", {"use_cache": False}), (_ids(config.vocab_size, 1, length),))


def _llama_config() -> LlamaConfig:
    return LlamaConfig(
        vocab_size=32000,
        hidden_size=1536,
        intermediate_size=6144,
        num_hidden_layers=12,
        num_attention_heads=12,
        num_key_value_heads=4,
        max_position_embeddings=2048,
    )


def _llama_tiny_config() -> LlamaConfig:
    return LlamaConfig(
        vocab_size=128,
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=6,
        num_key_value_heads=2,
        max_position_embeddings=64,
    )


@model(group="language")
def llama() -> Sample:
    return _llama(_llama_config(), 64)


@model(group="language", quick=True)
def llama_tiny() -> Sample:
    return _llama(_llama_tiny_config(), 16)


class Decoding(nn.Module):
    """One step of generation: a token and the keys and values so far, of each layer in turn, give the next token's
    logits and the longer keys and values."""

    def __init__(self, inner: LlamaForCausalLM) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, token: torch.Tensor, *past: torch.Tensor) -> tuple[torch.Tensor, ...]:
        cache = DynamicCache(list(zip(past[::2], past[1::2], strict=True)))
        logits = self.inner(input_ids=token, past_key_values=cache, use_cache=True).logits
        return (logits[:, -1], *(part for layer in cache.layers for part in (layer.keys, layer.values)))


def _decoding(config: LlamaConfig, *lengths: int) -> Sample:
    """Exported for the first length; the length of the past is symbolic."""
    inner = LlamaForCausalLM(config)
    draw_weights(inner)
    n_parts = 2 * config.num_hidden_layers
    width = config.hidden_size // config.num_attention_heads

    def call(length: int) -> tuple[tuple[torch.Tensor, ...], dict[str, Any]]:
        past = [torch.randn(1, config.num_key_value_heads, length, width) for _ in range(n_parts)]
        return (_ids(config.vocab_size, 1, 1), *past), {}

    sizes = tuple(call(length) for length in lengths)
    dynamic_shapes = {"token": None, "past": tuple({2: Dim.DYNAMIC} for _ in range(n_parts))}
    return Sample(Decoding(inner), *sizes[0], dynamic_shapes, sizes)


@model(group="dynamic")
def llama_decode() -> Sample:
    return _decoding(_llama_config(), 64, 200)


@model(group="dynamic", quick=True)
def llama_tiny_decode() -> Sample:
    return _decoding(_llama_tiny_config(), 16, 3, 40)


@model(group="dynamic", quick=True)
def llama_tiny_generate() -> Sample:
    """One exported program for prompts and for each token after them."""
    config = _llama_tiny_config()
    sample = _decoding(config, 5)
    n_parts, past_of = 2 * config.num_hidden_layers, sample.args[1].shape

    def call(tokens: int, past: int) -> tuple[tuple[torch.Tensor, ...], dict[str, Any]]:
        parts = [torch.randn(*past_of[:2], past, past_of[3]) for _ in range(n_parts)]
        return (_ids(config.vocab_size, 1, tokens), *parts), {}

    sizes = tuple(call(*size) for size in ((3, 5), (40, 2), (1, 42), (19, 43), (1, 62), (70, 9)))
    past = tuple({2: Dim("past", max=512)} for _ in range(n_parts))
    return Sample(sample.module, *sizes[0], {"token": {1: Dim("tokens", max=512)}, "past": past}, sizes)


def _t5_encoder(config: T5Config, length: int) -> Sample:
    inner = T5EncoderModel(config)
    draw_weights(inner)
    kwargs = {"input_ids": _ids(config.vocab_size, 1, length), "attention_mask": _padded_mask(1, length)}
    return Sample(Pick(inner, "last_hidden_state"), (), kwargs)


@model(group="language")
def t5_small_encoder() -> Sample:
    return _t5_encoder(T5Config(d_model=512, d_kv=64, d_ff=2048, num_layers=6, num_heads=8, vocab_size=32128), 64)


@model(group="language", quick=True)
def t5_tiny_encoder() -> Sample:
    return _t5_encoder(T5Config(d_model=32, d_kv=8, d_ff=64, num_layers=2, num_heads=4, vocab_size=128), 16)


def _whisper_encoder(config: WhisperConfig) -> Sample:
    inner: nn.Module = WhisperEncoder(config)
    positions = inner.embed_positions.weight.detach().clone()
    draw_weights(inner)
    with torch.no_grad():
        inner.embed_positions.weight.copy_(positions)
    features = torch.randn(1, config.num_mel_bins, 2 * config.max_source_positions)
    return Sample(Pick(inner, "last_hidden_state"), (features,))


@model(group="language")
def whisper_tiny_encoder() -> Sample:
    return _whisper_encoder(
        WhisperConfig(d_model=384, encoder_layers=4, encoder_attention_heads=6, encoder_ffn_dim=1536)
    )


@model(group="language", quick=True)
def whisper_tiny_encoder_tiny() -> Sample:
    return _whisper_encoder(
        WhisperConfig(
            d_model=32, encoder_layers=2, encoder_attention_heads=4, encoder_ffn_dim=64, max_source_positions=20
        )
    )
