# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decompositions that TorchDynamo's graphs need: of kernels that PyTorch chooses for one processor while it traces."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable, Mapping
from typing import Any

import torch

_aten = torch.ops.aten


def _attention(query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, heads: int,
               masked: torch.Tensor | None) -> torch.Tensor:  # fmt: skip
    """[batch, length, width] each; masked: true where nothing is seen, of a shape that broadcasts over the scores."""
    batch, _, width = query.shape
    q, k, v = (x.reshape(batch, x.shape[1], heads, width // heads).transpose(1, 2) for x in (query, key, value))
    scores = (q / math.sqrt(width // heads)) @ k.transpose(2, 3)
    if masked is not None:
        scores = scores.masked_fill(masked, -math.inf)
    return (scores.softmax(-1) @ v).transpose(1, 2).reshape(query.shape)


def _mask(mask: torch.Tensor | None, kind: int | None) -> torch.Tensor | None:
    """PyTorch's kinds: 0 [length, length], 1 [batch, length], 2 [batch, heads, length, length]."""
    if mask is None:
        return None
    mask = mask.to(torch.bool)
    return mask[:, None, None, :] if kind == 1 else mask


def _transformer_encoder_layer(
    src: torch.Tensor, embed_dim: int, num_heads: int, qkv_weight: torch.Tensor, qkv_bias: torch.Tensor,
    proj_weight: torch.Tensor, proj_bias: torch.Tensor, use_gelu: bool, norm_first: bool, eps: float,
    norm_weight_1: torch.Tensor, norm_bias_1: torch.Tensor, norm_weight_2: torch.Tensor, norm_bias_2: torch.Tensor,
    ffn_weight_1: torch.Tensor, ffn_bias_1: torch.Tensor, ffn_weight_2: torch.Tensor, ffn_bias_2: torch.Tensor,
    mask: torch.Tensor | None = None, mask_type: int | None = None,
) -> torch.Tensor:  # fmt: skip
    """The fast path of nn.TransformerEncoderLayer, written out."""
    linear, gelu = torch.nn.functional.linear, torch.nn.functional.gelu

    def norm(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.layer_norm(x, (embed_dim,), weight, bias, eps)

    def attend(x: torch.Tensor) -> torch.Tensor:
        q, k, v = linear(x, qkv_weight, qkv_bias).chunk(3, dim=-1)
        return linear(_attention(q, k, v, num_heads, _mask(mask, mask_type)), proj_weight, proj_bias)

    def feed(x: torch.Tensor) -> torch.Tensor:
        inner = linear(x, ffn_weight_1, ffn_bias_1)
        return linear(gelu(inner) if use_gelu else inner.relu(), ffn_weight_2, ffn_bias_2)

    if norm_first:
        src = src + attend(norm(src, norm_weight_1, norm_bias_1))
        return src + feed(norm(src, norm_weight_2, norm_bias_2))
    src = norm(src + attend(src), norm_weight_1, norm_bias_1)
    return norm(src + feed(src), norm_weight_2, norm_bias_2)


def _multi_head_attention(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, embed_dim: int, num_head: int,
    qkv_weight: torch.Tensor, qkv_bias: torch.Tensor, proj_weight: torch.Tensor, proj_bias: torch.Tensor,
    mask: torch.Tensor | None = None, need_weights: bool = True, average_attn_weights: bool = True,
    mask_type: int | None = None,
) -> Any:  # fmt: skip
    """The fast path of nn.MultiheadAttention, where the weights are not wanted."""
    if need_weights:
        return NotImplemented
    linear = torch.nn.functional.linear
    q, k, v = (linear(x, weight, bias) for x, weight, bias in
               zip((query, key, value), qkv_weight.chunk(3), qkv_bias.chunk(3)))  # fmt: skip
    attended = _attention(q, k, v, num_head, _mask(mask, mask_type))
    return linear(attended, proj_weight, proj_bias), query.new_empty(0)


#: PyTorch's decomposition of them fails unless a device is given.
_WHOLE = {_aten.linspace.Tensor_Tensor, _aten.linspace.Tensor_Scalar, _aten.linspace.Scalar_Tensor}


def default_decompositions() -> Mapping[Any, Any]:
    """To core ATen, as ExportedProgram.run_decompositions does."""
    return torch._decomp.core_aten_decompositions()


def with_needed(decompositions: Mapping[Any, Any]) -> dict[Any, Callable[..., Any]]:
    """The given decompositions, and those of fused kernels."""
    if any(getattr(function, "__module__", "").startswith("torch._inductor") for function in decompositions.values()):
        importlib.import_module("torch._inductor.lowering")  # those of max pools look into it and do not import it
    fused = torch._decomp.get_decompositions([_aten._scaled_dot_product_flash_attention_for_cpu.default])
    own: dict[Any, Callable[..., Any]] = {_aten._transformer_encoder_layer_fwd.default: _transformer_encoder_layer,
                                _aten._native_multi_head_attention.default: _multi_head_attention}  # fmt: skip
    return {op: function for op, function in {**fused, **own, **decompositions}.items() if op not in _WHOLE}
