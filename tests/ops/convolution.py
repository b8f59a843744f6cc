# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions: 1 to 3 spatial dims, groups, strides, dilation, padding, transposed."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("convolution")


def t(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Small numbers: what differs is then the order of the sums, by less than the tolerances."""
    return FAMILY.tensor(*sizes, dtype=dtype, low=-1, high=1) if dtype.is_floating_point else FAMILY.tensor(*sizes, dtype=dtype)


LOOSE = {torch.bfloat16: (3e-2, 5e-1), torch.float16: (4e-3, 4e-2)}
CONV = {1: F.conv1d, 2: F.conv2d, 3: F.conv3d}
TRANSPOSED = {1: F.conv_transpose1d, 2: F.conv_transpose2d, 3: F.conv_transpose3d}
OPTIONS = [{}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": 2, "padding": 1, "dilation": 2},
           {"padding": "same"}, {"padding": "same", "dilation": 2}, {"padding": "valid"}]
BACK = [{}, {"stride": 2}, {"padding": 1}, {"dilation": 2}, {"stride": 2, "padding": 1, "output_padding": 1},
        {"stride": 3, "padding": 2, "dilation": 2}]
SIZES = {1: (9,), 2: (7, 8), 3: (5, 6, 7)}
KERNELS = {1: (3,), 2: (3, 2), 3: (2, 3, 2)}

for n in (1, 2, 3):
    for options in OPTIONS:
        for groups in (1, 2, 4):
            x, w, b = t(2, 4, *SIZES[n]), t(8, 4 // groups, *KERNELS[n]), t(8)
            FAMILY.add(f"conv{n}d {options} {groups}", lambda x, w, b, n=n, o=options, g=groups: (
                CONV[n](x, w, b, groups=g, **o), CONV[n](x, w, groups=g, **o)), x, w, b)
    x, w, b = t(2, 4, *SIZES[n]), t(4, 1, *KERNELS[n]), t(4)
    FAMILY.add(f"depthwise {n}d", lambda x, w, b, n=n: CONV[n](x, w, b, groups=4, stride=2, padding=1), x, w, b)
    FAMILY.add(f"conv{n}d without batch", lambda x, w, b, n=n: CONV[n](x, w, b), t(4, *SIZES[n]), t(3, 4, *KERNELS[n]),
               t(3))
    for options in BACK:
        x, w = t(2, 4, *SIZES[n]), t(4, 3, *KERNELS[n])
        FAMILY.add(f"conv_transpose{n}d of what is padded {options}", lambda x, w, n=n, o=options: (
            TRANSPOSED[n](F.pad(x, (3, 2)), w, **o), TRANSPOSED[n](F.pad(x, (-1, 2, 0, 1)), w if n > 1 else w[:1].expand(5, -1, -1), **o)), x, w)
        for groups in (1, 2):
            x, w, b = t(2, 4, *SIZES[n]), t(4, 3, *KERNELS[n]), t(3 * groups)
            FAMILY.add(f"conv_transpose{n}d {options} {groups}", lambda x, w, b, n=n, o=options, g=groups: (
                TRANSPOSED[n](x, w, b, groups=g, **o)), x, w, b)
# Constant filters in groups: slices of panels of whole vectors, several groups to one, or all; between images whose layout
# is free, with what follows done in registers. g: groups, c and f: channels and filters of one.
for g, c, f, dtype in ((8, 8, 8, torch.float32), (16, 4, 4, torch.float32), (8, 2, 2, torch.float32), (8, 4, 4, torch.float64),
                       (8, 2, 2, torch.float64), (4, 16, 24, torch.float32), (3, 5, 10, torch.float32), (6, 3, 3, torch.float32),
                       (12, 1, 2, torch.float32), (24, 2, 1, torch.float32), (13, 8, 8, torch.float32), (7, 4, 4, torch.float32),
                       (3, 4, 12, torch.float32), (11, 2, 2, torch.float32), (5, 2, 2, torch.float64)):
    for size, options in ((3, {"padding": 1}), (3, {"stride": 2, "dilation": 2}), (1, {})):
        first, last = t(g * c, 6, 1, 1, dtype=dtype), t(5, g * f, 1, 1, dtype=dtype)
        middle, bias, scale = t(g * f, c, size, size, dtype=dtype), t(g * f, dtype=dtype), t(1, g * f, 1, 1, dtype=dtype)
        FAMILY.add(f"conv2d in {g} groups of {c} to {f}, {size} {options} {short(dtype)}", lambda x, a=first, m=middle, b=bias, s=scale, z=last, o=options, g=g: (
            F.conv2d(torch.relu(F.conv2d(torch.relu(F.conv2d(x, a)), m, b, groups=g, **o) * s), z), F.conv2d(F.conv2d(x, a), m, groups=g, **o)),
            t(2, 6, 11, 9, dtype=dtype), tolerance=(1e-4, 1e-4))
# Several filters to a channel: each channel is read as often as that, whatever is done before and after.
for c, m, dtype in ((5, 2, torch.float32), (16, 2, torch.float32), (17, 3, torch.float32), (8, 8, torch.float64), (24, 4, torch.float32)):
    for size, options in ((3, {"padding": 1}), (7, {"stride": 2, "padding": 3}), (2, {"dilation": 2}), (1, {})):
        first, last = t(c, 6, 1, 1, dtype=dtype), t(5, c * m, 1, 1, dtype=dtype)
        middle, bias = t(c * m, 1, size, size, dtype=dtype), t(c * m, dtype=dtype)

        def several(x: torch.Tensor, a=first, m=middle, b=bias, z=last, o=options, g=c) -> tuple[torch.Tensor, ...]:
            y = torch.relu(F.conv2d(x, a))
            return F.conv2d(F.gelu(F.conv2d(y, m, b, groups=g, **o)), z), F.conv2d(y, m, groups=g, **o), y

        name = f"conv2d of {m} filters to each of {c} channels, {size} {options} {short(dtype)}"
        FAMILY.add(name, several, t(2, 6, 11, 9, dtype=dtype), tolerance=(1e-4, 1e-4))
        FAMILY.add(f"{name}, dynamic", several, t(2, 6, 11, 9, dtype=dtype), others=(t(3, 6, 12, 10, dtype=dtype),), tolerance=(1e-4, 1e-4))
# Places whose channels take a multiple of 2048 bytes would meet in the first cache: windows and groups read a copy.
for dtype, groups, channels, filters in ((torch.float32, 2, 1024, 64), (torch.float32, 1, 1024, 32), (torch.float64, 4, 512, 128), (torch.float32, 2, 512, 512)):
    for size, options in ((3, {"padding": 1}), (2, {"stride": 2}), (3, {"dilation": 2, "padding": 2}), (1, {"stride": 2})):
        first, w, b = t(channels, 3, 1, 1, dtype=dtype), t(filters, channels // groups, size, size, dtype=dtype), t(filters, dtype=dtype)
        FAMILY.add(f"conv2d of {channels} channels in {groups} to {filters}, {size} {options} {short(dtype)}", lambda x, z, a=first, w=w, b=b, o=options, g=groups: (
            torch.relu(F.conv2d(torch.relu(F.conv2d(x, a)), w, b, groups=g, **o)), F.conv2d(z, w, groups=g, **o)),
            t(2, 3, 9, 7, dtype=dtype), t(1, channels, 5, 6, dtype=dtype), tolerance=(1e-4, 1e-3))
# Images that are other tensors' numbers, whose axes are not the image's: samples or places become channels, and the reverse.
for size in ((1, 32, 1, 6), (2, 16, 1, 6), (4, 8, 1, 6), (2, 2, 8, 6), (2, 8, 6, 2), (4, 8, 6, 1), (12, 16), (32, 6), (8, 4, 6), (2, 96)):
    for n, image in ((2, (2, 16, 1, 6)), (2, (1, 16, 2, 6)), (2, (1, 32, 1, 6)), (2, (1, 32, 6, 1)), (1, (2, 16, 6)), (1, (1, 32, 6))):
        w = t(32, image[1] // 2, *(1,) * n)
        FAMILY.add(f"conv{n}d in groups over {size} as {image}", lambda x, w=w, n=n, s=image, z=size: CONV[n](
            (x.cumsum(-1)).reshape(s), w, groups=2).reshape(-1, *z[1:]).cumsum(0), t(*size), tolerance=(1e-4, 1e-4))
for dtype in (torch.float32, torch.float64):
    line = t(48, 4, 5, dtype=dtype)
    FAMILY.add(f"conv1d in groups {short(dtype)}", lambda x, w=line: F.conv1d(torch.relu(F.conv1d(x, w, groups=12, padding=2)), w, groups=12, stride=2),
               t(2, 48, 21, dtype=dtype), tolerance=(1e-4, 1e-4))
    for size, options in (((3, 3, 3), {"padding": 1}), ((1, 3, 3), {"stride": (1, 2, 2), "padding": (0, 1, 1)}), ((3, 1, 1), {"stride": 2}),
                          ((2, 3, 2), {"dilation": (2, 2, 1)}), ((2, 2, 3), {"dilation": 2}), ((1, 1, 1), {})):
        w, b = t(12, 10, *size, dtype=dtype), t(12, dtype=dtype)
        FAMILY.add(f"conv3d of constant filters {size} {options} {short(dtype)}", lambda x, w=w, b=b, o=options: (
            torch.relu(F.conv3d(x, w, b, **o)), F.conv3d(x, w, **o)), t(2, 10, 6, 7, 8, dtype=dtype), tolerance=(1e-4, 1e-4))
# Few numbers for each place, which whole vectors of filters take, or no window.
for dtype in (torch.float32, torch.float64):
    for channels, filters, size, options in ((3, 48, 1, {"stride": 2}), (3, 7, 1, {}), (4, 4, 1, {}), (1, 16, (1, 3), {"padding": (0, 1)}), (2, 33, (3, 1), {}), (1, 3, 1, {})):
        w, b = t(filters, channels, *((size, size) if isinstance(size, int) else size), dtype=dtype), t(filters, dtype=dtype)
        FAMILY.add(f"conv2d of few {channels} {filters} {size} {options} {short(dtype)}", lambda x, w=w, b=b, o=options: (
            torch.relu(F.conv2d(x, w, b, **o)), F.conv2d(torch.sin(x), w, **o)), t(2, channels, 9, 7, dtype=dtype), tolerance=(1e-4, 1e-5))
# Planes of the window that lie in the padding, some of them or all, and paddings that are no zeros or not all of them.
for dtype in (torch.float32, torch.float64):
    for planes in (1, 2, 5):
        for size, options in (((3, 3, 3), {"padding": 1}), ((2, 3, 2), {"padding": (3, 1, 0)}), ((4, 1, 3), {"stride": (3, 1, 2), "padding": (2, 0, 1)}),
                              ((3, 3, 1), {"dilation": (2, 1, 1), "stride": (2, 1, 1), "padding": (4, 0, 0)})):
            w, b = t(10, 10, *size, dtype=dtype), t(10, dtype=dtype)
            FAMILY.add(f"conv3d of {planes} padded planes {size} {options} {short(dtype)}", lambda x, w=w, b=b, o=options: (
                torch.relu(F.conv3d(F.conv3d(x, w, b, **o), w, **o)), F.conv3d(x, w, **o)), t(2, 10, planes, 9, 8, dtype=dtype), tolerance=(1e-4, 1e-4))
w = t(12, 10, 3, 3, 3)
for before, after, value in ((2, 1, 0.0), (0, 2, 0.0), (1, 1, 1.5), (4, 4, 0.0)):
    FAMILY.add(f"conv3d of planes padded by {before} {after} {value}", lambda x, w=w, p=(1, 1, 0, 2, before, after), v=value: F.conv3d(F.pad(x, p, value=v), w),
               t(2, 10, 4, 5, 6), tolerance=(1e-4, 1e-4))
FAMILY.add("conv3d of planes between zeros", lambda x, w=w: F.conv3d(torch.cat([torch.zeros(1, 10, 2, 6, 7), x, torch.zeros(1, 10, 1, 6, 7)], 2), w),
           t(1, 10, 3, 6, 7), tolerance=(1e-4, 1e-4))
FAMILY.add("conv3d of planes that lie apart", lambda x, w=w: F.conv3d(torch.zeros(1, 10, 9, 6, 7).slice_scatter(x, 2, 1, 3).slice_scatter(x * 2, 2, 5, 7), w),
           t(1, 10, 2, 6, 7), tolerance=(1e-4, 1e-4))
# How the stride and the filter's size lie to each other decides how many ordinary convolutions a transposed one is.
for size, options in ((4, {"stride": 2, "padding": 1}), (2, {"stride": 2}), (1, {"stride": 2}), (3, {"stride": 4, "output_padding": 3}),
                      (5, {"stride": 3, "padding": 4}), (3, {"stride": 4, "dilation": 2, "padding": 1}), (7, {"stride": 2, "padding": 3})):
    for groups in (1, 3, 6):
        FAMILY.add(f"conv_transpose2d of {size}, {options} {groups}", lambda x, w, b, o=options, g=groups: F.conv_transpose2d(x, w, b, groups=g, **o),
                   t(2, 6, 5, 4), t(6, 12 // groups, size, size), t(12))
FAMILY.add("conv_transpose2d of one place", lambda x, w, b: (F.conv_transpose2d(x, w, b), F.conv_transpose2d(x, w, stride=3, dilation=2, padding=1)),
           t(2, 5, 1, 1), t(5, 4, 4, 3), t(4))
FAMILY.add("conv_transpose1d in long steps", lambda x, w, b: F.conv_transpose1d(x, w, b, stride=8, padding=4), t(1, 24, 9), t(24, 16, 16), t(16),
           tolerance=(1e-5, 1e-5))
for dtype in (*FLOATS, torch.int64):
    x, w, b = t(2, 4, 7, 7, dtype=dtype), t(6, 4, 3, 3, dtype=dtype), t(6, dtype=dtype)
    FAMILY.add(f"conv2d {short(dtype)}", lambda x, w, b: F.conv2d(x, w, b, padding=1), x, w, b,
               tolerance=LOOSE.get(dtype))
    FAMILY.add(f"grouped conv2d {short(dtype)}", lambda x, w: F.conv2d(x, w, groups=2), x, t(6, 2, 3, 3, dtype=dtype),
               tolerance=LOOSE.get(dtype))
    if dtype != torch.int64:
        FAMILY.add(f"conv_transpose2d {short(dtype)}", lambda x, w: F.conv_transpose2d(x, w, stride=2), x,
                   t(4, 3, 3, 3, dtype=dtype), tolerance=LOOSE.get(dtype))
w, b = t(6, 4, 3, 3), t(6)
FAMILY.add("dynamic batch and image", lambda x, w=w, b=b: F.conv2d(x, w, b, padding=1, stride=2), t(2, 4, 8, 8),
           others=(t(3, 4, 11, 10),))
deep, deeper = t(4, 1, 3, 3), t(35, 1, 3, 3)
for window, size, options in ((9, 14, {"padding": 4}), (11, 23, {"stride": 2}), (9, 23, {"dilation": 2, "padding": 8}), ((2, 40), 80, {"stride": 2}),
                              ((70, 1), 90, {}), (31, 33, {"padding": 15})):  # more places than are written out: line by line
    sides = window if isinstance(window, tuple) else (window, window)
    FAMILY.add(f"depthwise of {sides[0]}x{sides[1]}, {options}", lambda x, w, b, options=options: F.conv2d(x, w, b, groups=3, **options),
               t(2, 3, size, size), t(3, 1, *sides), t(3), tolerance=(1e-5, 2e-4))


def modulated(x: torch.Tensor, w: torch.Tensor, style: torch.Tensor) -> torch.Tensor:
    """StyleGAN2's: filters of each sample's own, which a run computes."""
    filters = w * (1 + style)[:, None, :, None, None]
    filters = filters * torch.rsqrt(filters.square().sum((2, 3, 4), keepdim=True) + 1e-8)
    y = F.conv2d(x.flatten(0, 1)[None], filters.flatten(0, 1), padding=1, groups=x.shape[0])
    return y.view(x.shape[0], -1, *y.shape[2:])


for size in (3, 9, 20):
    FAMILY.add(f"filters of each sample at {size}", modulated, t(3, 8, size, size), t(16, 8, 3, 3), t(3, 8),
               more=((t(3, 8, size, size), t(16, 8, 3, 3), t(3, 8)),), tolerance=(1e-5, 1e-5))
    FAMILY.add(f"filters scaled in the run at {size}, dynamic", lambda x, w: (F.relu(F.conv2d(x, w / w.norm(), padding=1)),
               F.conv_transpose2d(x, 2 * w, stride=2)), t(2, 8, size, size), t(8, 8, 3, 3),
               others=((t(1, 8, size + 1, size), t(8, 8, 3, 3))), tolerance=(1e-5, 1e-5))
halves = t(8, 6, 1, 1), t(5, 6, 1, 1)
FAMILY.add("halves of channels and parts of lines", lambda x, a, b: (torch.cat([F.conv2d(x[:, :6], a), F.conv2d(x[:, 6:], b)], 1), F.conv2d(
    x[:, 3:9, 1:, 2:], a, stride=2)), t(2, 12, 9, 9), *halves)
FAMILY.add("halves of channels, constant weights, dynamic", lambda x: (torch.cat([F.conv2d(x[:, :6], halves[0]), F.conv2d(x[:, 6:], halves[1])], 1),
           F.conv2d(x[1:, 3:9], halves[0])), t(3, 12, 8, 8), others=(t(4, 12, 7, 10),))
FAMILY.add("dynamic depthwise of whole vectors and more", lambda x: F.conv2d(x, deeper, stride=(2, 1), padding=1, groups=35),
           t(2, 35, 8, 8), others=(t(3, 35, 11, 31),))
FAMILY.add("dynamic depthwise", lambda x: F.conv2d(x, deep, padding=1, groups=4), t(2, 4, 8, 8), others=(t(3, 4, 11, 10),))
split = t(6, 2, 3, 3)
FAMILY.add("dynamic grouped", lambda x: F.conv2d(x, split, padding=1, groups=2), t(2, 4, 8, 8), others=(t(3, 4, 11, 10),))
back = t(4, 3, 3, 3)
FAMILY.add("dynamic transposed", lambda x: F.conv_transpose2d(x, back, stride=2, padding=1), t(2, 4, 6, 6),
           others=(t(3, 4, 7, 8),))
wide_back, far_back = t(24, 16, 4, 4), t(24, 16, 3, 3)
FAMILY.add("dynamic transposed of constant filters", lambda x: (F.conv_transpose2d(x, wide_back, stride=2, padding=1), F.conv_transpose2d(
    x, far_back, stride=2, padding=1, output_padding=1)), t(2, 24, 6, 6), others=(t(3, 24, 7, 8),), tolerance=(1e-5, 1e-5))
FAMILY.add("same padding of a kernel of any size, dynamic", lambda x, w: (
    F.conv1d(x, w, padding="same"), F.conv1d(x, w, padding="same", dilation=2)), t(2, 3, 16), t(4, 3, 3), others=(t(5, 3, 17), t(2, 3, 5)))
wide = t(100, 160, 3, 3)  # constant, and larger than is read again for each line: threads share groups of lines
for size in (7, 15, 29):
    FAMILY.add(f"wide filters at {size}", lambda x: F.conv2d(x, wide, padding=1), t(1, 160, size, size),
               tolerance=(1e-4, 1e-4))
FAMILY.add("filters of any number and size", lambda x, w, b: (F.conv2d(x, w, b, padding=1), F.conv2d(x, w, stride=2, dilation=(1, 2))),
           t(2, 3, 9, 8), t(4, 3, 3, 2), t(4), others=(t(1, 2, 7, 9), t(5, 2, 2, 3), t(5)))
FAMILY.add("one filter for any number of channels", lambda x, k: (
    F.conv2d(x, k.expand(x.shape[1], 1, 3, 3), groups=x.shape[1], padding=1), F.conv1d(x[..., 0], k[0].expand(x.shape[1], 1, 3, 3)[..., 0], groups=x.shape[1])),
    t(2, 3, 6, 5), t(1, 1, 3, 3), others=(t(3, 4, 5, 7), t(1, 1, 3, 3)), more=((t(2, 2, 4, 4), t(1, 1, 3, 3)),))
for n in (1, 2, 3):
    FAMILY.add(f"conv{n}d of three filters to any number of channels", lambda x, k, b, n=n: [CONV[n](
        x, k.repeat(x.shape[1], *[1] * (n + 1)), b.repeat(x.shape[1]), groups=x.shape[1], **o) for o in ({}, {"padding": 1, "stride": 2}, {"dilation": 2})],
        t(2, 4, *SIZES[n]), t(3, 1, *[2] * n), t(3), others=(t(3, 5, *SIZES[n]), t(3, 1, *[2] * n), t(3)), more=((t(1, 2, *SIZES[n]), t(3, 1, *[2] * n), t(3)),))
    FAMILY.add(f"conv{n}d of any number of groups of any number of channels", lambda x, k, n=n: CONV[n](
        x.flatten(1, 2), k.repeat(x.shape[1], x.shape[2], *[1] * n), groups=x.shape[1], padding=1),
        t(2, 4, 2, *SIZES[n]), t(3, 1, *[2] * n), others=(t(3, 5, 3, *SIZES[n]), t(3, 1, *[2] * n)), more=((t(1, 2, 1, *SIZES[n]), t(3, 1, *[2] * n)),))
    FAMILY.add(f"conv_transpose{n}d of each of any number of channels", lambda x, k=t(1, 3, *KERNELS[n]), n=n: [TRANSPOSED[n](
        x, k[:, :f].repeat(x.shape[1], *[1] * (n + 1)), groups=x.shape[1], **o) for f in (1, 3) for o in ({}, {"stride": 2, "padding": 1}, {"dilation": 2})],
        t(2, 4, *SIZES[n]), others=(t(3, 5, *SIZES[n]),), more=((t(1, 2, *SIZES[n]),),))
FAMILY.add("no channels in, none out", lambda x: (F.conv1d(x, torch.ones(4, 0, 3), padding=1), F.conv2d(
    x[..., None], torch.ones(4, 0, 3, 1), torch.ones(4), stride=2)), t(2, 0, 7), others=(t(3, 0, 9),))
# Windows that begin and end before the image: biases alone.
for n in (1, 2, 3):
    FAMILY.add(f"conv{n}d in the padding alone", lambda x, w, b, n=n: (CONV[n](x, w, b, stride=9, padding=5), CONV[n](x, w, stride=9, padding=2)),
               *(FAMILY.tensor(*size) for size in ((2, 3) + (2,) * n, (4, 3) + (2,) * n, (4,))))
# Places so far apart that they take one another's place in the first cache: they are copied aside, and the result is turned back.
FAMILY.add("crowded places in groups", lambda x, w=t(64, 512, 3, 3): CONV[2](x, w, padding=1, groups=2), t(1, 1024, 8, 8),
           tolerance=(1e-5, 1e-2))  # 4,608 products each

# Padding that follows from a size that only a run knows.
x, w = t(2, 3, 9, 10), t(4, 3, 5, 3)
x_other, w_other = t(3, 3, 11, 8), t(4, 3, 3, 7)
for what, function in {
    "half the kernel": lambda x, w: F.conv2d(x, w, padding=(w.shape[2] // 2, w.shape[3] // 2)),
    "one size for both, strides": lambda x, w: F.conv2d(x, w, w[:, 0, 0, 0], stride=2, padding=w.shape[3]),
    "grouped": lambda x, w: F.conv2d(x, w[:3, :1], padding=w.shape[3] // 2, dilation=(1, 2), groups=3),
    "transposed": lambda x, w: F.conv_transpose2d(x, w[:3], stride=2, padding=w.shape[3] // 2, output_padding=1),
    "of 16 bits": lambda x, w: F.conv2d(x.bfloat16(), w.bfloat16(), padding=w.shape[3] // 2),
    "complex": lambda x, w: F.conv2d(torch.complex(x, -x), torch.complex(w, w), padding=w.shape[3] // 2)}.items():
    FAMILY.add(f"padding of a run, {what}", function, x, w, others=(x_other, w_other), tolerance=(2e-2, 2e-2) if "16" in what else (1e-4, 1e-4))
FAMILY.add("padding of a run, one dim, none", lambda x, n: F.conv1d(x, torch.ones(4, 3, 3), padding=n.shape[0]), t(2, 3, 16), t(4), others=(t(2, 3, 16), t(0)))
FAMILY.add("padding of a run, three dims", lambda x, w: F.conv3d(x, w, padding=(w.shape[2] // 2, 1, w.shape[4]), stride=2), t(2, 3, 7, 6, 5), t(4, 3, 3, 2, 2),
           others=(t(1, 3, 8, 6, 5), t(4, 3, 5, 2, 3)), tolerance=(1e-4, 1e-4))
