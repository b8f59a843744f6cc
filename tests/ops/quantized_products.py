# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products and convolutions of dequantized tensors: in integers, within the rounding of f32 of what PyTorch computes in floats."""

import itertools

import quantized  # noqa: F401: registers the ops
import torch
import torch.nn.functional as F

from case import Family, short

FAMILY = Family("quantized_products")
t = FAMILY.tensor
q = torch.ops.quantized_decomposed
ao = torch.ops.torchao
RANGES = {torch.int8: (-128, 127), torch.uint8: (0, 255)}
CLOSE = (1e-5, 1e-3)  # the reference adds up floats; the largest results are some hundreds


def bytes_of(*sizes, dtype=torch.int8):
    return t(*sizes, dtype=dtype, low=RANGES[dtype][0], high=RANGES[dtype][1])


def by_tensor(x, scale=0.03, zero=0):
    return q.dequantize_per_tensor(x, scale, zero, *RANGES[x.dtype], x.dtype)


def by_channel(w, scales, zeros=None, axis=0):
    return q.dequantize_per_channel(w, scales, zeros, axis, *RANGES[w.dtype], w.dtype)


weight, scales, bias = bytes_of(24, 40), t(24, low=0.01, high=0.1), t(24)
zeros = torch.zeros(24, dtype=torch.int64)
for dtype in RANGES:
    for zero in sorted({0, 5, *RANGES[dtype]}):
        FAMILY.add(f"linear {short(dtype)}, zero point {zero}", lambda x, w, s, b, z=zero: F.linear(by_tensor(x, 0.03, z), by_channel(
            w, s), b), bytes_of(6, 40, dtype=dtype), weight, scales, bias, tolerance=CLOSE)
FAMILY.add("linear, zero points of channels", lambda x, w, s, z: F.linear(by_tensor(x, 0.03, 100), by_channel(w, s, z)),
           bytes_of(2, 3, 40, dtype=torch.uint8), weight, scales, t(24, dtype=torch.int64, low=-100, high=100), tolerance=CLOSE)
FAMILY.add("linear, zero points that are zero", lambda x, w, s, z: F.linear(by_tensor(x, 0.03, 100), by_channel(w, s, z)),
           bytes_of(2, 3, 40, dtype=torch.uint8), weight, scales, zeros, tolerance=CLOSE)
FAMILY.add("linear, both by tensor", lambda x, w: F.linear(by_tensor(x, 0.03, 7), by_tensor(w, 0.5, -3)), bytes_of(5, 40), weight,
           tolerance=CLOSE)
FAMILY.add("linear, unsigned weight", lambda x, w: F.linear(by_tensor(x, 0.03, 7), by_tensor(w, 0.5, 130)), bytes_of(5, 40),
           bytes_of(24, 40, dtype=torch.uint8), tolerance=CLOSE)
FAMILY.add("linear, scales of columns", lambda x, w, s: F.linear(by_tensor(x), by_channel(w, s, None, 1)), bytes_of(5, 40), weight,
           t(40, low=0.01, high=0.1), tolerance=CLOSE)
FAMILY.add("linear, sizes", lambda x: F.linear(by_tensor(x, 0.03, 7), by_channel(weight, scales), bias), bytes_of(3, 5, 40),
           others=(bytes_of(7, 9, 40),), tolerance=CLOSE)
FAMILY.add("linear, activation, quantize", lambda x, w, s, b: q.quantize_per_tensor(F.relu(F.linear(
    by_tensor(x, 0.03, 7), by_channel(w, s), b)), 0.4, -128, -128, 127, torch.int8), bytes_of(6, 40), weight, scales, bias)


def steps(q, wanted):
    """No result is off by more than one step, and next to none by that: where floats round one way and the true number the other."""
    apart = (q.to(torch.int32) - wanted.to(torch.int32)).abs()
    return apart.max() <= 1, (apart != 0).to(torch.float32).mean() < 1e-3


def quantized_layer(x, w, s, b):
    return q.quantize_per_tensor(F.relu(F.linear(by_tensor(x, 0.03, 110), by_channel(w, s), b)), 0.2, 0, 0, 255, torch.uint8)


def quantized_convolution(x, w, s, b):
    return q.quantize_per_tensor(F.relu(F.conv2d(by_tensor(x, 0.03, 110), by_channel(w, s), b, padding=1)), 0.2, 0, 0, 255, torch.uint8)


for name, layer, x, w in (("layer", quantized_layer, bytes_of(192, 320, dtype=torch.uint8), bytes_of(256, 320)),
                          ("convolution", quantized_convolution, bytes_of(2, 32, 28, 28, dtype=torch.uint8), bytes_of(48, 32, 3, 3))):
    s, b = t(w.shape[0], low=0.001, high=0.004), t(w.shape[0])
    FAMILY.add(f"steps of a {name}", lambda x, wanted, f=layer, c=(w, s, b): steps(f(x, *c), wanted), x, layer(x, w, s, b))
# The largest sums there can be: exact in 32 bits, while those of one product more are left in floats.
for k in (65793, 65794):
    FAMILY.add(f"linear, {k} products", lambda x, w: F.linear(by_tensor(x, 1.0, 0), by_tensor(w, 1.0, 0)),
               torch.full((1, k), 255, dtype=torch.uint8), torch.full((2, k), -128, dtype=torch.int8), tolerance=(1e-6, 0))
FAMILY.add("mm", lambda x, w, s: torch.mm(by_tensor(x, 0.03, 7), by_channel(w, s, None, 1)), bytes_of(6, 40), bytes_of(40, 24), scales,
           tolerance=CLOSE)
FAMILY.add("mm of transposed", lambda x, w, s: torch.mm(by_tensor(x, 0.03, 7), by_channel(w, s).t()), bytes_of(6, 40), weight, scales,
           tolerance=CLOSE)
FAMILY.add("addmm of views", lambda x, w, s, b: torch.addmm(b, by_tensor(x, 0.03, 7).view(6, 40), by_channel(w, s).permute(1, 0)),
           bytes_of(2, 3, 40), weight, scales, bias, tolerance=CLOSE)
FAMILY.add("addmm, alpha", lambda x, w, s, b: torch.addmm(b, by_tensor(x), by_channel(w, s).t(), alpha=2), bytes_of(6, 40), weight,
           scales, bias, tolerance=CLOSE)
FAMILY.add("matmul", lambda x, w: torch.matmul(by_tensor(x, 0.03, 7), by_tensor(w, 0.1, 2).transpose(0, 1)), bytes_of(2, 3, 40), weight,
           tolerance=CLOSE)
FAMILY.add("matmul of batches", lambda x, y: torch.matmul(by_tensor(x, 0.03, 7), by_tensor(y, 0.1, 2)), bytes_of(2, 3, 40),
           bytes_of(2, 40, 5), tolerance=CLOSE)
FAMILY.add("both unknown", lambda x, y: torch.mm(by_tensor(x, 0.03, 7), by_tensor(y, 0.1, 2)), bytes_of(3, 40), bytes_of(40, 5),
           tolerance=CLOSE)


def dynamic(x, w, s, b):
    """The scale and the zero point of the input are found in the run."""
    scale, zero = q.choose_qparams.tensor(x, -128, 127, 1e-5, torch.int8)
    x = q.quantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8)
    return F.linear(q.dequantize_per_tensor.tensor(x, scale, zero, -128, 127, torch.int8), by_channel(w, s), b)


FAMILY.add("dynamic", dynamic, t(6, 40), weight, scales, bias, tolerance=CLOSE)
FAMILY.add("by row", lambda x, w, s, b: F.linear(ao.dequantize_affine(x, [1, 1, 40], s, None, torch.int8), ao.dequantize_affine(
    w, [1, 40], b, None, torch.int8)), bytes_of(2, 3, 40), weight, t(2, 3, low=0.01, high=0.1), scales, tolerance=CLOSE)
FAMILY.add("by row, with zero points", lambda x, z, w, s: F.linear(ao.dequantize_affine(
    x, [1, 1, 40], s, z, torch.int8).view(6, 40), ao.dequantize_affine(w, [1, 40], torch.ones(24), None, torch.int8)),
    bytes_of(2, 3, 40), t(2, 3, dtype=torch.int32, low=-128, high=127), weight, t(2, 3, low=0.01, high=0.1), tolerance=CLOSE)
FAMILY.add("by groups", lambda x, w, s: F.linear(by_tensor(x), ao.dequantize_affine(w, [1, 8], s, None, torch.int8)), bytes_of(6, 40),
           weight, t(24, 5, low=0.01, high=0.1), tolerance=CLOSE)

CONVOLUTIONS = {"plain": ({}, 8), "padded": ({"padding": 1}, 8), "strided": ({"stride": 2, "padding": 1}, 8),
                "dilated": ({"dilation": 2, "padding": 2}, 8), "groups": ({"groups": 2, "padding": 1}, 4),
                "depthwise": ({"groups": 8, "padding": 1}, 1), "same": ({"padding": "same"}, 8), "valid": ({"padding": "valid"}, 8)}
for n, convolve in ((1, F.conv1d), (2, F.conv2d), (3, F.conv3d)):
    size = (11, 9, 5)[:n]
    for name, (how, channels) in CONVOLUTIONS.items():
        for dtype, zero in ((torch.uint8, 100), (torch.int8, 0)) if n == 2 else ((torch.uint8, 3),):
            FAMILY.add(f"conv{n}d {name} {short(dtype)}", lambda x, w, s, b, f=convolve, h=how, z=zero: f(
                by_tensor(x, 0.03, z), by_channel(w, s), b, **h), bytes_of(2, 8, *size, dtype=dtype),
                bytes_of(16, channels, *(3,) * n), t(16, low=0.01, high=0.1), t(16), tolerance=CLOSE)
images = bytes_of(2, 8, 11, 9, dtype=torch.uint8)
filters = bytes_of(16, 8, 3, 3)
FAMILY.add("conv2d, sizes", lambda x: F.conv2d(by_tensor(x, 0.03, 100), by_tensor(filters, 0.1, 0), padding=1), images,
           others=(bytes_of(3, 8, 14, 12, dtype=torch.uint8),), tolerance=CLOSE)
FAMILY.add("conv2d, zero point of the weight", lambda x, w: F.conv2d(by_tensor(x, 0.03, 100), by_tensor(w, 0.1, 3), padding=1), images,
           filters, tolerance=CLOSE)
FAMILY.add("conv2d, no batch", lambda x, w: F.conv2d(by_tensor(x, 0.03, 100), by_tensor(w, 0.1, 0)), images[0], filters,
           tolerance=CLOSE)
FAMILY.add("conv2d transposed", lambda x, w: F.conv_transpose2d(by_tensor(x, 0.03, 100), by_tensor(w, 0.1, 0)),
           bytes_of(2, 16, 5, 4), filters, tolerance=CLOSE)

# MX formats: blocks of 32 with exponents alone as scales, of any code but NaN.
for dtype, (element, rows) in itertools.product((torch.float32, torch.bfloat16), itertools.product((torch.float8_e4m3fn, torch.float8_e5m2), (1, 3, 40))):
    FAMILY.add(f"blocks of {short(element)}, {rows} rows of {short(dtype)}", lambda x, w=t(48, 96).to(element), s=torch.arange(
        120, 134, dtype=torch.uint8).repeat(11)[:144].reshape(48, 3).view(torch.float8_e8m0fnu): F.linear(x, (
            w.to(x.dtype).reshape(48, 3, 32) * s.to(x.dtype)[..., None]).reshape(48, 96)), t(rows, 96, dtype=dtype), tolerance=CLOSE if dtype == torch.float32 else None)



def dequantized(q, s, to):
    """As torchao does it: blocks in rows of their own, and scales by a power."""
    codes = s.view(torch.uint8)
    scales = torch.pow(torch.full_like(codes, 2.0, dtype=torch.float32), codes.to(torch.int16) - 127)
    scales = torch.where(codes != 255, scales, float("nan"))
    return (q.to(to).reshape(-1, 32) * scales.reshape(-1, 1).to(to)).reshape(q.shape)


for dtype, rows in itertools.product((torch.float32, torch.bfloat16), (1, 3, 40)):
    FAMILY.add(f"rows of blocks, {rows} rows of {short(dtype)}", lambda x, w=t(48, 96).to(torch.float8_e4m3fn), s=torch.arange(
        120, 134, dtype=torch.uint8).repeat(11)[:144].reshape(48, 3).view(torch.float8_e8m0fnu): F.linear(x, dequantized(w, s, x.dtype)),
        t(rows, 96, dtype=dtype), tolerance=CLOSE if dtype == torch.float32 else None)
EXPONENTS = torch.cat([torch.arange(-160, 140), torch.tensor([-32768, -253, -252, 253, 254, 255, 32767])]).to(torch.int16)
FAMILY.add("powers of two", lambda x: torch.pow(torch.full_like(x, 2.0, dtype=torch.float32), x).view(torch.int32), EXPONENTS)
FAMILY.add("powers of two, of constants", lambda x, i=EXPONENTS: (x * torch.pow(torch.full_like(i, 2.0, dtype=torch.float32), i)), torch.ones(1))

# Constants are packed once, in another kernel than matrices that change; what it adds up is exact.
for m, n, k in ((1, 33, 64), (5, 17, 20), (37, 70, 132), (64, 96, 5200), (3, 64, 7), (16, 16, 4)):
    for turned in (True, False):
        FAMILY.add(f"constant {m} {n} {k} {'turned' if turned else 'as it is'}", lambda x, w=bytes_of(*((n, k) if turned else (k, n))), t=turned:
                   torch._int_mm(x, w.t() if t else w), bytes_of(m, k))
FAMILY.add("extremes", lambda x, w=torch.full((40, 64), -128, dtype=torch.int8): torch._int_mm(x, w.t()),
           torch.tensor([[-128], [127], [0], [1]], dtype=torch.int8).repeat(5, 64))
for name, channels, outputs, size, how in (("stem", 3, 20, 15, {"stride": 2, "padding": 3}), ("one place", 16, 24, 7, {}), ("pixels", 8, 40, 9, {
        "padding": 1}), ("dilated", 12, 5, 11, {"dilation": 2, "padding": 2}), ("groups", 8, 16, 9, {"groups": 2}), ("one channel", 1, 8, 9, {})):
    window = {"stem": 7, "one place": 1}.get(name, 3)
    w = bytes_of(outputs, channels // how.get("groups", 1), window, window)
    FAMILY.add(f"constant convolution {name}", lambda x, w=w, s=t(outputs, low=0.01, high=0.1), h=how: F.conv2d(
        by_tensor(x, 0.03, 100), by_channel(w, s), **h), bytes_of(2, channels, size, size, dtype=torch.uint8), tolerance=CLOSE)
FAMILY.add("chain of convolutions", lambda x, w=bytes_of(16, 8, 3, 3), v=bytes_of(12, 16, 3, 3): F.conv2d(by_tensor(q.quantize_per_tensor(
    F.max_pool2d(F.relu(F.conv2d(by_tensor(x, 0.03, 100), by_tensor(w, 0.01), padding=1)), 2), 0.1, 0, 0, 255, torch.uint8), 0.1), by_tensor(
        v, 0.02)), bytes_of(1, 8, 12, 12, dtype=torch.uint8), tolerance=CLOSE)
