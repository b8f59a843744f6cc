# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Quantization as PyTorch's quantizers write it, and a model that went through PT2E's convert."""

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed

from case import FLOATS, SIGNED, Family, short

FAMILY = Family("quantized")
t = FAMILY.tensor
q = torch.ops.quantized_decomposed

for dtype, low, high in ((torch.int8, -128, 127), (torch.uint8, 0, 255), (torch.int8, -8, 7), (torch.int32, -(2**15), 2**15)):
    x = t(4, 6, low=-9, high=9)
    name = f"{short(dtype)} {low}"
    FAMILY.add(f"per tensor {name}", lambda x, l=low, h=high, d=dtype: (
        q.quantize_per_tensor(x, 0.07, 3, l, h, d),
        q.dequantize_per_tensor(q.quantize_per_tensor(x, 0.07, 3, l, h, d), 0.07, 3, l, h, d)), x)
    FAMILY.add(f"per tensor by tensors {name}", lambda x, s, z, l=low, h=high, d=dtype: (
        q.quantize_per_tensor.tensor(x, s, z, l, h, d),
        q.dequantize_per_tensor.tensor(q.quantize_per_tensor.tensor(x, s, z, l, h, d), s, z, l, h, d)), x,
        torch.tensor(0.05), torch.tensor(2))
    FAMILY.add(f"per channel {name}", lambda x, s, z, l=low, h=high, d=dtype: (
        q.quantize_per_channel(x, s, z, 0, l, h, d),
        q.dequantize_per_channel(q.quantize_per_channel(x, s, z, 0, l, h, d), s, z, 0, l, h, d),
        q.dequantize_per_channel(q.quantize_per_channel(x, s, z, 0, l, h, d), s, None, 0, l, h, d)), x,
        t(4, low=0.01, high=0.2), torch.tensor([0, 1, 2, 3]))
aten = torch.ops.aten
FAMILY.add("and back in one op", lambda x, s, z: (
    torch.fake_quantize_per_tensor_affine(x, 0.07, 3, 0, 255), torch.fake_quantize_per_tensor_affine(x, s, z, -8, 7),
    *aten.fake_quantize_per_tensor_affine_cachemask(x, 0.3, -1, -8, 7),
    *aten._fake_quantize_per_tensor_affine_cachemask_tensor_qparams(x, s, z, torch.zeros(1, dtype=torch.int64), -8, 7)), t(4, 6, low=-9, high=9), torch.tensor(0.05), torch.tensor(2, dtype=torch.int32))
FAMILY.add("and back in one op, by channel", lambda x, s, z: (
    torch.fake_quantize_per_channel_affine(x, s, z, 1, -128, 127), *aten.fake_quantize_per_channel_affine_cachemask(x, s, z, 1, -8, 7)),
    t(4, 6, low=-9, high=9), t(6, low=0.01, high=0.4), torch.tensor([0, 1, 2, 3, -2, 0], dtype=torch.int32))
x = t(4, 6)
FAMILY.add("per token", lambda x, s, z: (
    q.quantize_per_token(x, s, z, -128, 127, torch.int8),
    q.dequantize_per_token(q.quantize_per_token(x, s, z, -128, 127, torch.int8), s, z, -128, 127, torch.int8, torch.float32)),
    x, t(4, 1, low=0.01, high=0.2), torch.zeros(4, 1))
FAMILY.add("groups", lambda x, s, z: (
    q.quantize_per_channel_group(x, s, z, -8, 7, torch.int8, 3),
    q.dequantize_per_channel_group(q.quantize_per_channel_group(x, s, z, -8, 7, torch.int8, 3), s, z, -8, 7, torch.int8, 3,
                                   torch.float32)), x, t(4, 2, low=0.1, high=1), torch.zeros(4, 2, dtype=torch.int32))
FAMILY.add("choose", lambda x: (
    *q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), *q.choose_qparams.tensor(x, 0, 255, 1e-5, torch.uint8),
    *q.choose_qparams_symmetric.tensor(x, -127, 127, 1e-5, torch.int8)), x)
# The exported program has other dtypes than eager PyTorch gives.
for dtype in (*SIGNED, *FLOATS):
    FAMILY.add(f"choose per token {short(dtype)}", lambda x: tuple(v.float() for v in (
        *q.choose_qparams_per_token(x, torch.int8), *q.choose_qparams_per_token_asymmetric(x, torch.int8))),
        t(4, 6, low=-90, high=90, dtype=dtype), more=((t(4, 6, low=1, high=9, dtype=dtype),), (t(4, 6, dtype=dtype) * 0,)))
FAMILY.add("of bf16", lambda x: (q.quantize_per_tensor(x, 0.07, 3, -128, 127, torch.int8),
                                 q.dequantize_per_tensor(x.to(torch.int8), 0.5, 3, -128, 127, torch.int8,
                                                         out_dtype=torch.bfloat16)), x.to(torch.bfloat16))
FAMILY.sizes("rows", lambda x: q.dequantize_per_tensor(q.quantize_per_tensor(x, 0.1, 0, -128, 127, torch.int8), 0.1, 0, -128,
                                                       127, torch.int8), (4, 6))
FAMILY.sizes("one scale for all channels", lambda x: q.dequantize_per_channel(
    q.quantize_per_channel(x, torch.tensor([0.1]), torch.tensor([3]), 1, -128, 127, torch.int8), torch.tensor([0.1]),
    torch.tensor([3]), 1, -128, 127, torch.int8), (4, 6))
FAMILY.add("dynamic linear", lambda x, w: torch.nn.functional.linear(
    q.dequantize_per_tensor.tensor(q.quantize_per_tensor.tensor(
        x, *q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), -128, 127, torch.int8),
        *q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), -128, 127, torch.int8),
    q.dequantize_per_channel(w, torch.ones(3) * 0.1, torch.zeros(3, dtype=torch.int64), 0, -127, 127, torch.int8)), x,
    t(3, 6, dtype=torch.int8))
for dtype in (torch.float32, torch.bfloat16):
    FAMILY.add(f"int8 weight {short(dtype)}", torch._weight_int8pack_mm, t(4, 64, dtype=dtype), t(32, 64, dtype=torch.int8),
               t(32, dtype=dtype, low=0.01, high=0.1), tolerance=(3e-2, 3e-2) if dtype == torch.bfloat16 else None)
FAMILY.add("int4 weight", lambda x, w, s: torch.ops.aten._weight_int4pack_mm_for_cpu(x, w, 32, s), t(4, 64),
           torch.ops.aten._convert_weight_to_int4pack_for_cpu(t(32, 64, low=0, high=15, dtype=torch.int32), 1), t(2, 32, 2),
           declined="depends on the processor that packed them")

# ---- torchao's ops, as it registers them; the reference is written out here, so that torchao need not be installed ----
LIBRARY = torch.library.Library("torchao", "FRAGMENT")


def cut(x, sizes):
    """The tensor with each dim that is cut into blocks as two; the axes within a block."""
    dims, inner = [], []
    for size, block in zip(x.shape, sizes):
        dims += [size] if block in (1, size) else [size // block, block]
        if block > 1:
            inner.append(len(dims) - 1)
    return x.reshape(dims), inner


def beside(numbers, x, inner):
    return numbers.reshape([1 if d in inner else size for d, size in enumerate(x.shape)])


def choose(x, mapping, sizes, dtype, low, high, eps=None, scale_dtype=None, zero_dtype=None, keepdim=False):
    blocks, inner = cut(x, sizes)
    least, most = blocks.amin(inner).clamp(max=0), blocks.amax(inner).clamp(min=0)
    eps = torch.finfo(x.dtype).smallest_normal if eps is None else eps
    if mapping == "ASYMMETRIC":
        scale = ((most - least) / float(high - low)).clamp(min=eps)
        zero = (low - (least / scale).round()).clamp(low, high)
    else:
        scale = torch.maximum(-least, most) / ((high - low) / 2)
        if mapping != "SYMMETRIC":
            scale = torch.where(least / low > most / high, least / low, most / high)
        scale = scale.clamp(min=eps)
        zero = torch.full_like(scale, (high + low + 1) // 2)
    if keepdim:
        scale, zero = ([a.reshape([n // b for n, b in zip(x.shape, sizes)]) for a in (scale, zero)])
    return scale.to(scale_dtype or x.dtype), zero.to(zero_dtype or torch.int32)


def quantize(x, sizes, scale, zero, dtype, low, high):
    blocks, inner = cut(x, sizes)
    q = (blocks * (1.0 / beside(scale, blocks, inner))).round() + beside(zero, blocks, inner)
    return q.clamp(low, high).reshape(x.shape).to(dtype)


def dequantize(q, sizes, scale, zero, dtype, low=None, high=None, to=torch.float32):
    blocks, inner = cut(q, sizes)
    x = blocks.to(to) if zero is None else blocks.to(to) - beside(zero, blocks, inner).to(to)
    return (x * beside(scale, blocks, inner)).reshape(q.shape).to(to)


RANGE = "Scalar? quant_min=None, Scalar? quant_max=None"
for text, function in (
        ("choose_qparams_affine(Tensor? input, str mapping_type, SymInt[] block_size, ScalarType target_dtype, " + RANGE +
         ", float? eps=None, ScalarType? scale_dtype=None, ScalarType? zero_point_dtype=None, bool keepdim=False)"
         " -> (Tensor, Tensor)", choose),
        ("quantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType output_dtype, " + RANGE +
         ") -> Tensor", quantize),
        ("dequantize_affine(Tensor input, SymInt[] block_size, Tensor scale, Tensor? zero_point, ScalarType input_dtype, " + RANGE +
         ", ScalarType output_dtype=6) -> Tensor", dequantize)):
    name = text.partition("(")[0]
    if not hasattr(torch.ops.torchao, name):
        LIBRARY.define(text)
        LIBRARY.impl(name, function, "CPU")
        torch.library.register_fake(f"torchao::{name}", function, lib=LIBRARY)
ao = torch.ops.torchao


def round_trip(x, mapping, sizes, keepdim):
    scale, zero = ao.choose_qparams_affine(x, mapping, sizes, torch.int8, -128, 127, 1e-6, None, torch.int8, keepdim)
    q = ao.quantize_affine(x, sizes, scale, zero, torch.int8, -128, 127)
    return scale, zero, q, ao.dequantize_affine(q, sizes, scale, zero, torch.int8, output_dtype=x.dtype)


for mapping in ("SYMMETRIC", "SYMMETRIC_NO_CLIPPING_ERR", "ASYMMETRIC"):
    for sizes in ([1, 8], [4, 8], [2, 4]):
        FAMILY.add(f"torchao {mapping} {sizes}", lambda x, m=mapping, s=sizes: (*round_trip(x, m, s, True), *round_trip(x, m, s, False)),
                   t(4, 8, low=-3, high=5))
FAMILY.add("torchao bfloat16", lambda x: round_trip(x, "SYMMETRIC", [1, 8], True), t(4, 8, dtype=torch.bfloat16))
FAMILY.add("torchao, four bits", lambda x, s, z: ao.dequantize_affine(x, [1, 4], s, z, torch.int8, -8, 7), t(
    6, 8, low=-8, high=7, dtype=torch.int8), t(6, 2, low=0.1, high=1), t(6, 2, low=-3, high=3, dtype=torch.int8))
FAMILY.add("torchao, no zero point", lambda x, s: ao.dequantize_affine(x, [1, 8], s, None, torch.int8), t(6, 8, dtype=torch.int8),
           t(6, low=0.1, high=1))
FAMILY.add("torchao, nothing", lambda x, s, z: ao.dequantize_affine(ao.quantize_affine(x, [1, 8], s, z, torch.int8, -128, 127), [1, 8], s, z, torch.int8),
           t(0, 8), t(0), t(0, dtype=torch.int8))
FAMILY.add("torchao, dynamic", lambda x: round_trip(x, "ASYMMETRIC", [1, x.shape[1]], True), t(4, 8), others=(t(7, 5),))

# As many scales as there are channels, or one.
for scheme in ("quantize", "dequantize"):
    FAMILY.add(f"{scheme} channels, dynamic", lambda x, s, z, f=getattr(q, f"{scheme}_per_channel"): f(x, s, z, 0, -128, 127, torch.int8),
               t(8, 3, dtype=torch.float32 if scheme == "quantize" else torch.int8), t(8, low=0.1, high=1), t(8, dtype=torch.int64),
               others=(t(5, 4, dtype=torch.float32 if scheme == "quantize" else torch.int8), t(5, low=0.1, high=1), t(5, dtype=torch.int64)))
    FAMILY.add(f"{scheme} channels with more scales than channels", lambda x, s, z, f=getattr(q, f"{scheme}_per_channel"): f(
        x, s[:x.shape[0]], z[:x.shape[0]], 0, -128, 127, torch.int8), t(8, 3, dtype=torch.float32 if scheme == "quantize" else torch.int8),
        t(16, low=0.1, high=1), t(16, dtype=torch.int64))
