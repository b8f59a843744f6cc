"""Quantization as PyTorch's quantizers write it, and a model that went through PT2E's convert."""

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed

from case import Family, short

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
FAMILY.add("choose per token", lambda x: tuple(v.float() for v in (
    *q.choose_qparams_per_token(x, torch.int8), *q.choose_qparams_per_token_asymmetric(x, torch.int8))), x)
FAMILY.add("of bf16", lambda x: (q.quantize_per_tensor(x, 0.07, 3, -128, 127, torch.int8),
                                 q.dequantize_per_tensor(x.to(torch.int8), 0.5, 3, -128, 127, torch.int8,
                                                         out_dtype=torch.bfloat16)), x.to(torch.bfloat16))
FAMILY.sizes("rows", lambda x: q.dequantize_per_tensor(q.quantize_per_tensor(x, 0.1, 0, -128, 127, torch.int8), 0.1, 0, -128,
                                                       127, torch.int8), (4, 6))
FAMILY.add("dynamic linear", lambda x, w: torch.nn.functional.linear(
    q.dequantize_per_tensor.tensor(q.quantize_per_tensor.tensor(
        x, *q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), -128, 127, torch.int8),
        *q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8), -128, 127, torch.int8),
    q.dequantize_per_channel(w, torch.ones(3) * 0.1, torch.zeros(3, dtype=torch.int64), 0, -127, 127, torch.int8)), x,
    t(3, 6, dtype=torch.int8))
for dtype in (torch.float32, torch.bfloat16):
    FAMILY.add(f"int8 weight {short(dtype)}", torch._weight_int8pack_mm, t(4, 64, dtype=dtype), t(32, 64, dtype=torch.int8),
               t(32, dtype=dtype, low=0.01, high=0.1), tolerance=(3e-2, 3e-2) if dtype == torch.bfloat16 else None)
