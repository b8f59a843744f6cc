# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains over images with constant weights: convolutions, what follows them, and the layouts between them."""

import torch
import torch.nn.functional as F

from case import Family

FAMILY = Family("images")
TOLERANCE = (2e-5, 2e-5)


def t(*sizes: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    return FAMILY.tensor(*sizes, dtype=dtype, low=-1, high=1)


def normalise(channels: int, dtype: torch.dtype = torch.float32):
    """A batch norm of random statistics."""
    mean, variance, weight, bias = (t(channels, dtype=dtype) for _ in range(4))
    return lambda x: F.batch_norm(x, mean, variance.abs() + 0.5, weight, bias)


def chain(channels: int, middle: int, out: int, window: tuple[int, int], dtype: torch.dtype = torch.float32, **options):
    """Point, windows and depthwise one after the other, each with a norm and an activation; a sum at the end."""
    groups = options.pop("groups", 1)
    first, second = t(middle, channels, 1, 1, dtype=dtype), t(middle, middle // groups, *window, dtype=dtype)
    deep, last = t(middle, 1, *window, dtype=dtype), t(out, middle, 1, 1, dtype=dtype)
    bias, norms = t(middle, dtype=dtype), [normalise(n, dtype) for n in (middle, middle, middle, out)]
    side = t(out, middle, 1, 1, dtype=dtype)

    def run(x):
        a = F.relu6(norms[0](F.conv2d(x, first)))
        b = F.relu(norms[1](F.conv2d(a, second, bias, groups=groups, **options)))
        c = F.hardtanh(norms[2](F.conv2d(b, deep, bias, groups=middle, **options)), -0.5, 2)
        return F.relu(norms[3](F.conv2d(c, last)) + F.conv2d(c, side)), b

    return run


SIZES = [(3, 8, 4, 13, 14), (16, 32, 16, 7, 7), (5, 17, 20, 9, 30), (4, 24, 5, 28, 6), (8, 48, 33, 7, 16)]
OPTIONS = [{"padding": 1}, {"padding": 1, "stride": 2}, {"padding": 2, "dilation": 2}, {},
           {"padding": (0, 1), "stride": (1, 2)}, {"padding": 1, "stride": 3}]
for number, options in enumerate(OPTIONS):
    channels, middle, out, height, width = SIZES[number % len(SIZES)]
    FAMILY.add(f"chain {channels} {middle} {out} {options}", chain(channels, middle, out, (3, 3), **options),
               t(1 + number % 2, channels, height, width), tolerance=TOLERANCE)
FAMILY.add("chain, windows of their own", chain(6, 20, 8, (5, 2), padding=(2, 1)), t(2, 6, 11, 17), tolerance=TOLERANCE)
FAMILY.add("chain, groups", chain(6, 20, 8, (3, 3), padding=1, groups=4), t(2, 6, 11, 17), tolerance=TOLERANCE)
FAMILY.add("chain, f64", chain(6, 20, 8, (3, 3), torch.float64, padding=1), t(2, 6, 9, 10, dtype=torch.float64))
FAMILY.add("chain, dynamic", chain(6, 20, 8, (3, 3), padding=1), t(2, 6, 9, 10), others=(t(3, 6, 12, 11),),
           tolerance=TOLERANCE)



def by_hand(channels: int, out: int, dtype: torch.dtype = torch.float32, **options):
    """What a batch norm does, in other orders, and what only looks like it."""
    filters = t(out, channels, 3, 3, dtype=dtype)
    row, one, last = t(out, 1, 1, dtype=dtype), t(1, dtype=dtype), t(1, 1, 1, 7, dtype=dtype)
    deep, by = t(out, 1, 3, 3, dtype=dtype), t(out, 1, 1, dtype=dtype).abs() + 0.5

    def run(x, given):
        a = F.conv2d(x, filters, **options)
        b = F.relu(3 - F.conv2d(a / by - row, deep, row.flatten(), groups=out, padding=1) * 0.5)
        c = -F.conv2d(b, deep, groups=out, padding=1) / by + one
        d = F.conv2d(c, filters[:, :1].expand(-1, out, -1, -1), padding=1) * given + row  # not constant
        e = F.conv2d(c, deep, groups=out, padding=1)
        return d, (e * by).sigmoid() * e, F.conv2d(d, deep, groups=out, padding=1) * last

    return run


for dtype in (torch.float32, torch.float64):
    for out in (16, 21):
        FAMILY.add(f"affine by hand {out} {dtype}".replace("torch.", ""), by_hand(5, out, dtype, padding=1),
                   t(2, 5, 9, 7, dtype=dtype), t(out, 1, 1, dtype=dtype), tolerance=(1e-4, 1e-4))

w, deep, point = t(16, 16, 3, 3), t(16, 1, 3, 3), t(16, 16, 1, 1)
norm = normalise(16)


def block(x):
    """The input of the window is wanted again, so its frame is written and read twice."""
    a = F.relu(norm(F.conv2d(x, point)))
    return F.relu(norm(F.conv2d(a, w, padding=1)) + a)


FAMILY.add("residual", lambda x: block(block(x)), t(2, 16, 8, 8), tolerance=TOLERANCE)
FAMILY.add("read after the sum", lambda x: (F.conv2d(block(x), point), block(x) * 2), t(1, 16, 5, 7), tolerance=TOLERANCE)
FAMILY.add("without padding at both ends", lambda x: F.conv2d(F.relu(F.conv2d(x, w)), w), t(1, 16, 9, 9), tolerance=TOLERANCE)
FAMILY.add("depthwise at both ends", lambda x: F.conv2d(F.relu(F.conv2d(F.conv2d(x, deep, groups=16), point)), deep, groups=16),
           t(1, 16, 9, 9), tolerance=TOLERANCE)
FAMILY.add("pooled", lambda x: F.conv2d(F.max_pool2d(F.relu(norm(F.conv2d(x, w, padding=1))), 3, 2, 1), w, padding=1),
           t(2, 16, 12, 13), tolerance=TOLERANCE)
FAMILY.add("averaged", lambda x: F.adaptive_avg_pool2d(F.avg_pool2d(F.relu(F.conv2d(x, w)), 2), 1).flatten(1),
           t(2, 16, 12, 13), tolerance=TOLERANCE)
FAMILY.add("side by side", lambda x: F.conv2d(
    torch.cat([F.relu(F.conv2d(x, point)), F.relu(F.conv2d(x, w, padding=1)), x], 1), torch.cat([w, w, w], 1), padding=1),
           t(2, 16, 6, 7), tolerance=TOLERANCE)
FAMILY.add("gated", lambda x: F.conv2d(
    F.conv2d(x, w) * torch.sigmoid(F.conv2d(F.adaptive_avg_pool2d(F.conv2d(x, point), 1), point)), point),
           t(3, 16, 6, 7), tolerance=TOLERANCE)
FAMILY.add("grown", lambda x: F.conv2d(F.interpolate(F.relu(F.conv2d(x, point)), scale_factor=2), w, padding=1),
           t(1, 16, 6, 7), tolerance=TOLERANCE)
FAMILY.add("normalised by the image", lambda x: F.conv2d(F.group_norm(F.conv2d(x, w), 4), w), t(2, 16, 8, 9), tolerance=TOLERANCE)
FAMILY.add("one line", lambda x: F.conv1d(F.relu(F.conv1d(x, w[..., 0], padding=1)), w[..., 0]), t(2, 16, 20), tolerance=TOLERANCE)
FAMILY.add("taken from numbers", lambda x: F.conv2d(F.relu(2 - F.conv2d(-F.conv2d(x, w) / 4 + 1, point) * 0.5), point),
           t(1, 16, 6, 7), tolerance=TOLERANCE)
several = t(2, 1, 1, 7)
FAMILY.add("sum with another of fewer axes", lambda x, y: F.conv2d(F.relu(F.conv2d(x, point) + y + several), point),
           t(2, 16, 5, 7), t(16, 1, 1), tolerance=TOLERANCE)
FAMILY.add("turned", lambda x: F.conv2d(F.conv2d(x, w).transpose(2, 3), w), t(1, 16, 9, 11), tolerance=TOLERANCE)
wide, narrow = t(2000, 8, 1, 1), t(8, 2000, 1, 1)
FAMILY.add("deep", lambda x: F.relu(F.conv2d(F.conv2d(x, wide), narrow) + x), t(1, 8, 6, 7), tolerance=(1e-4, 1e-3))


# ---- Images of lines, planes and volumes: what reads them at places that it computes, and what adds them up -------------------------
def cube(channels: int, out: int, *sizes: int) -> torch.Tensor:
    return t(out, channels, *sizes)


volume, deepened, small = cube(16, 16, 3, 3, 3) / 16, cube(16, 16, 1, 1, 1) / 4, w / 8


def convolve(x: torch.Tensor, filters: torch.Tensor, padding: int = 0) -> torch.Tensor:
    return (F.conv3d if x.dim() == 5 else F.conv2d)(x, filters, padding=padding)


def between(middle, first: torch.Tensor, last: torch.Tensor):
    """What `middle` does with the image that one convolution makes and another reads."""
    return lambda x: convolve(middle(F.relu(convolve(x, first))), last, 1)


def rolled(x: torch.Tensor) -> torch.Tensor:
    return torch.roll(x, 3, 1)


MIDDLES = {"nearest": lambda x: F.interpolate(x, scale_factor=2.0),
           "linear": lambda x: F.interpolate(x, scale_factor=1.7, mode="trilinear" if x.dim() == 5 else "bilinear"),
           "linear, aligned": lambda x: F.interpolate(x, size=(7,) * (x.dim() - 2), mode="trilinear" if x.dim() == 5 else "bilinear",
                                                      align_corners=True),
           "a line of its own": lambda x: F.interpolate(x, size=(1,) * (x.dim() - 2)),
           "linear, and the image": lambda x: F.interpolate(x, scale_factor=2.0, mode="trilinear" if x.dim() == 5 else "bilinear") + 1,
           "mirrored": lambda x: F.pad(x, (2, 1) * (x.dim() - 2), mode="reflect"),
           "rolled": lambda x: torch.roll(x, (1, 2), (-1, -2)), "channels rolled": rolled, "channels turned": lambda x: x.flip(1),
           "channels picked": lambda x: x[:, torch.tensor([3, 1, 2] * 5 + [0])], "turned": lambda x: x.flip(-1),
           "shuffled": lambda x: F.channel_shuffle(x, 4) if x.dim() == 4 else x,
           "maxima": lambda x: (F.max_pool3d if x.dim() == 5 else F.max_pool2d)(x, 3, 1, 1),
           "means": lambda x: (F.avg_pool3d if x.dim() == 5 else F.avg_pool2d)(x, 3, 1, 1),
           "instances": F.instance_norm, "groups": lambda x: F.group_norm(x, 4),
           "means of channels": lambda x: x * torch.sigmoid(x.mean(tuple(range(2, x.dim())), keepdim=True)),
           "softmax of channels": lambda x: F.softmax(x, 1), "spread": lambda x: x - x.mean(1, keepdim=True),
           "side by side": lambda x: torch.cat([x, F.interpolate(x, scale_factor=1.0)], 1)[:, 4:20],
           "samples": lambda x: torch.cat([s.tanh() for s in x.split(1)])}
for name, middle in MIDDLES.items():
    FAMILY.add(f"volume, {name}", between(middle, deepened, volume), t(2, 16, 5, 6, 7), tolerance=TOLERANCE)
    FAMILY.add(f"image, {name}", between(middle, point / 4, small), t(2, 16, 6, 7), tolerance=TOLERANCE)
    if name != "samples":  # as many as were exported
        FAMILY.add(f"volume, {name}, dynamic", between(middle, deepened, volume), t(2, 16, 5, 6, 7),
                   others=(t(3, 16, 6, 8, 5),), more=((t(1, 16, 5, 6, 7),),), tolerance=TOLERANCE)
        FAMILY.add(f"image, {name}, dynamic", between(middle, point / 4, small), t(2, 16, 6, 7),
                   others=(t(3, 16, 8, 5),), more=((t(1, 16, 6, 7),),), tolerance=TOLERANCE)
FAMILY.add("image, cubic", between(lambda x: F.interpolate(x, scale_factor=2.0, mode="bicubic"), point / 4, small), t(2, 16, 6, 7),
           tolerance=TOLERANCE)
FAMILY.add("image, looked up", lambda x, at: F.conv2d(F.grid_sample(F.conv2d(x, point), at, align_corners=False), small),
           t(2, 16, 6, 7), t(2, 8, 9, 2), tolerance=TOLERANCE)
for filters in (1, 2, 3, 4, 5, 8, 9, 16, 17):
    FAMILY.add(f"image of {filters}", lambda x, f=t(filters, 16, 3, 3) / 8: F.conv2d(F.relu(F.conv2d(x, small, padding=1)), f, padding=1).tanh(),
               t(2, 16, 9, 10), tolerance=TOLERANCE)
    FAMILY.add(f"volume of {filters}", lambda x, f=cube(16, filters, 3, 3, 3) / 16: F.conv3d(F.relu(F.conv3d(x, volume)), f, padding=1).tanh(),
               t(2, 16, 5, 6, 7), others=(t(3, 16, 5, 6, 7),), more=((t(1, 16, 5, 6, 7),),), tolerance=TOLERANCE)
    FAMILY.add(f"volume, transposed, of {filters}", lambda x, f=cube(filters, 16, 3, 3, 3) / 16: F.conv_transpose3d(
        F.relu(F.conv3d(x, volume)), f, stride=2, padding=1, output_padding=1), t(1, 16, 4, 5, 5), tolerance=TOLERANCE)
FAMILY.add("volume, f64", between(MIDDLES["linear"], deepened.double(), volume.double()), t(1, 16, 4, 5, 6, dtype=torch.float64))
FAMILY.add("volume, read and given", lambda x: (F.interpolate(F.conv3d(x, deepened), scale_factor=2), F.conv3d(x, volume)),
           t(1, 16, 4, 5, 6), tolerance=TOLERANCE)
FAMILY.add("volume of one place", between(MIDDLES["nearest"], deepened, volume), t(1, 16, 1, 1, 1), tolerance=TOLERANCE)


# ---- Volumes by Winograd: the planes of a window are more to add up at each point -----------------------------------------------------
def volumes(channels: int, filters: int, window: tuple[int, int, int], is_normalised: bool = False, **options):
    first, last = cube(channels, channels, 1, 1, 1) / channels**0.5, cube(filters, 8, 1, 1, 1) / filters**0.5
    middle = cube(channels, filters, *window) / (channels * window[0] * 9)**0.5
    norm = normalise(filters) if is_normalised else t(filters).reshape(-1, 1, 1, 1).add
    return lambda x: F.conv3d(F.relu(norm(F.conv3d(F.conv3d(x, first), middle, **options))), last)


for name, channels, filters, window, sizes, options in (
        ("", 32, 32, (3, 3, 3), (8, 14, 14), {"padding": 1}), ("odd", 48, 40, (3, 3, 3), (5, 13, 15), {"padding": 1}),
        ("without padding", 32, 64, (3, 3, 3), (5, 16, 16), {}), ("one plane of the window", 32, 64, (1, 3, 3), (6, 14, 14), {"padding": (0, 1, 1)}),
        ("two planes, steps", 32, 48, (2, 3, 3), (6, 14, 14), {"padding": 1, "stride": (2, 1, 1)}),
        ("five planes", 32, 32, (5, 3, 3), (7, 14, 14), {"padding": (2, 1, 1)}),
        ("gaps", 32, 32, (3, 3, 3), (7, 14, 14), {"padding": (2, 1, 1), "dilation": (2, 1, 1)}),
        ("of one plane", 32, 32, (3, 3, 3), (1, 28, 28), {"padding": 1}), ("of few", 128, 256, (3, 3, 3), (2, 7, 7), {"padding": 1})):
    for is_normalised in (False, True):
        FAMILY.add(f"Winograd, volumes {name} {is_normalised}", volumes(channels, filters, window, is_normalised, **options),
                   t(2, channels, *sizes), tolerance=TOLERANCE)
    FAMILY.add(f"Winograd, volumes {name}, dynamic", volumes(channels, filters, window, **options), t(2, channels, *sizes),
               others=(t(3, channels, sizes[0], sizes[1] + 5, sizes[2] + 2),), more=((t(1, channels, *sizes),),), tolerance=TOLERANCE)
FAMILY.add("Winograd, any volumes", volumes(32, 48, (3, 3, 3), padding=1), t(2, 32, 4, 14, 14), others=(t(1, 32, 6, 9, 11),),
           more=((t(3, 32, 3, 24, 17),),), tolerance=TOLERANCE)


# ---- Volumes plane by plane: groups, and gaps between places -------------------------------------------------------------------------
PLANES = {"channels": (1, 16, {"padding": 1}), "channels, steps": (1, 16, {"padding": 1, "stride": (1, 2, 2)}),
          "channels, planes left out": (1, 16, {"padding": 1, "stride": (2, 1, 1), "dilation": (2, 1, 1)}),
          "groups": (4, 4, {"padding": 1}), "groups, gaps": (8, 2, {"padding": 2, "dilation": 2}), "gaps": (16, 1, {"padding": (1, 2, 3), "dilation": (1, 2, 3)}),
          "gaps, without padding": (16, 1, {"dilation": (2, 1, 2)})}
for name, (channels, groups, options) in PLANES.items():
    for out in (16, 32):
        f, bias = cube(channels, out, 3, 3, 3) / (channels * 27)**0.5, t(out)
        last = cube(out, 8, 1, 1, 1) / out**0.5

        def planes(x, f=f, bias=bias, last=last, groups=groups, options=options):
            return F.conv3d(F.relu(F.conv3d(F.relu(F.conv3d(x, deepened)), f, bias, groups=groups, **options)), last, bias[:8])

        FAMILY.add(f"plane by plane, {name}, {out}", planes, t(2, 16, 6, 7, 8), tolerance=TOLERANCE)
        FAMILY.add(f"plane by plane, {name}, {out}, dynamic", planes, t(2, 16, 6, 7, 8), others=(t(3, 16, 8, 9, 8),),
                   more=((t(1, 16, 7, 7, 9),),), tolerance=TOLERANCE)
deepest = cube(4, 16, 40, 1, 1)
FAMILY.add("plane by plane, of more planes than are written out", lambda x: F.conv3d(x, deepest, groups=4, dilation=(1, 1, 2)), t(1, 16, 43, 3, 4),
           tolerance=(1e-4, 1e-4))
