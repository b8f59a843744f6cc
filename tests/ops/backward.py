# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients: the ops that autograd writes, and whole training steps."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("backward")
t = FAMILY.tensor
aten = torch.ops.aten

ELEMENTWISE = {
    "sigmoid": lambda g, x: aten.sigmoid_backward(g, x.sigmoid()),
    "tanh": lambda g, x: aten.tanh_backward(g, x.tanh()),
    "silu": lambda g, x: aten.silu_backward(g, x),
    "mish": lambda g, x: aten.mish_backward(g, x),
    "gelu": lambda g, x: (aten.gelu_backward(g, x), aten.gelu_backward(g, x, approximate="tanh")),
    "threshold": lambda g, x: (aten.threshold_backward(g, x, 0), aten.threshold_backward(g, x, 1.5)),
    "leaky_relu": lambda g, x: aten.leaky_relu_backward(g, x, 0.1, False),
    "rrelu": lambda g, x: (aten.rrelu_with_noise_backward(g, x, x, 0.1, 0.3, False, False),
                           aten.rrelu_with_noise_backward(g, x, x, 0.1, 0.3, True, False)),
    "elu": lambda g, x: (aten.elu_backward(g, 1.3, 1.1, 0.7, False, x), aten.elu_backward(g, 1.3, 1.1, 0.7, True, x)),
    "hardsigmoid": lambda g, x: aten.hardsigmoid_backward(g, x),
    "hardswish": lambda g, x: aten.hardswish_backward(g, x),
    "hardtanh": lambda g, x: aten.hardtanh_backward(g, x, -1.0, 2.0),
    "hardshrink": lambda g, x: aten.hardshrink_backward(g, x, 0.5),
    "softshrink": lambda g, x: aten.softshrink_backward(g, x, 0.5),
    "softplus": lambda g, x: (aten.softplus_backward(g, x, 1, 20), aten.softplus_backward(g, x, 2.0, 3)),
    "log_sigmoid": lambda g, x: aten.log_sigmoid_backward(g, x, aten.log_sigmoid_forward(x)[1]),
    "logit": lambda g, x: (aten.logit_backward(g, x), aten.logit_backward(g, x, 0.2)),
    "prelu": lambda g, x: aten._prelu_kernel_backward(g, x, x[:1]),
    "softmax": lambda g, x: (aten._softmax_backward_data(g, x.softmax(1), 1, x.dtype),
                             aten._log_softmax_backward_data(g, x.log_softmax(-1), -1, x.dtype)),
    "glu": lambda g, x: aten.glu_backward(g[..., :2], x, -1),
}
for name, function in ELEMENTWISE.items():
    edges = torch.tensor([[-3.0, 3.0, 0.0, 0.5], [-0.5, 1.0, -1.0, 2.0], [1.5, -4.0, 0.2, 0.8]])
    FAMILY.add(f"{name} at edges", function, t(3, 4), edges)
    if not name.endswith("shrink"):  # which torch.export cannot trace with symbolic sizes
        FAMILY.sizes(name, function, (3, 4), (3, 4), growth=(5, 4) if name == "glu" else None)
    for dtype in FLOATS:
        FAMILY.add(f"{name} {short(dtype)}", function, t(3, 4, dtype=dtype), t(3, 4, dtype=dtype),
                   tolerance=(2e-2, 2e-2) if dtype in FLOATS[:2] else None)
FAMILY.add("threshold of integers", lambda g, x: aten.threshold_backward(g, x, 1), t(3, 4, dtype=torch.int64),
           t(3, 4, dtype=torch.int64))

for reduction in (0, 1, 2):
    FAMILY.sizes(f"losses {reduction}", lambda g, x, y, r=reduction: (
        aten.mse_loss_backward(g, x, y, r), aten.smooth_l1_loss_backward(g, x, y, r, 0.7),
        aten.smooth_l1_loss_backward(g, x, y, r, 0.0), aten.huber_loss_backward(g, x, y, r, 1.2),
        aten.soft_margin_loss_backward(g, x, y, r)), (3, 4) if reduction == 0 else (), (3, 4), (3, 4))
    FAMILY.add(f"binary_cross_entropy {reduction}", lambda g, x, y, w, r=reduction: (
        aten.binary_cross_entropy_backward(g, x, y, None, r), aten.binary_cross_entropy_backward(g, x, y, w, r)),
        t(*((3, 4) if reduction == 0 else ())), t(3, 4, low=0.1, high=0.9), t(3, 4, low=0, high=1), t(4, low=0.5, high=1))
    FAMILY.add(f"nll_loss {reduction}", lambda g, x, i, w, n, r=reduction: (
        aten.nll_loss_backward(g, x, i, None, r, -100, n), aten.nll_loss_backward(g, x, i, w, r, 1, n)),
        t(*((5,) if reduction == 0 else ())), t(5, 4), t(5, low=0, high=3, dtype=torch.int64), t(4, low=0.5, high=1),
        torch.tensor(3.5))
    FAMILY.add(f"nll_loss of pixels {reduction}", lambda g, x, i, n, r=reduction: aten.nll_loss2d_backward(
        g, x, i, None, r, -100, n), t(*((2, 3, 3) if reduction == 0 else ())), t(2, 4, 3, 3),
        t(2, 3, 3, low=0, high=3, dtype=torch.int64), torch.tensor(18.0))
FAMILY.add("dropout", lambda g, m: aten.native_dropout_backward(g, m, 2.0), t(3, 4), t(3, 4, dtype=torch.bool))

# ---- Gathered and cut elements ----
FAMILY.add("embedding", lambda g, i: (
    aten.embedding_dense_backward(g, i, 7, -1, False), aten.embedding_dense_backward(g, i, 7, 2, False),
    aten.embedding_dense_backward(g, i, 7, -1, True)), t(3, 5, 4), t(3, 5, low=0, high=6, dtype=torch.int64))
FAMILY.add("embedding, dynamic", lambda g, i: aten.embedding_dense_backward(g, i, 7, 2, True), t(3, 5, 4),
           t(3, 5, low=0, high=6, dtype=torch.int32), others=(t(6, 2, 4), t(6, 2, low=0, high=6, dtype=torch.int32)))
FAMILY.add("slices", lambda x: (
    aten.slice_backward(x, [6, 4], 0, 1, 6, 2), aten.select_backward(x, [3, 5, 4], 1, -2),
    aten.diagonal_backward(x[:, 0], [4, 3], -1, 0, 1)), t(3, 4))
FAMILY.add("index_select", lambda g, i: aten.index_select_backward(g, [5, 4], 0, i), t(3, 4),
           torch.tensor([4, 0, 4]))

def bags(mode, padding=-1, weighs=False, is_dense=False, scales=False):
    def run(w, i, o, g, p):
        p = p if weighs else None
        _, bag, size, most = aten._embedding_bag(w, i, o, scales, mode, False, p, False, padding)
        if is_dense:
            return aten._embedding_bag_dense_backward(g, i, bag, size, most, w.shape[0], scales, mode, p, padding)
        return aten._embedding_bag_backward(g, i, o, bag, size, most, w.shape[0], scales, mode, False, p, padding)
    return run


BAGS = (t(7, 3), torch.tensor([0, 2, 2, 6, 2, 5, 2]), torch.tensor([0, 3, 3, 4]), t(4, 3), t(7))
MODES = {"sum": (0,), "mean": (1,), "padded mean": (1, 2), "max": (2,), "padded": (0, 2), "padded max": (2, 2),
         "weighted": (0, -1, True), "weighted, padded": (0, 2, True), "dense mean": (1, -1, False, True),
         "dense max": (2, 2, False, True)}
for name, options in MODES.items():
    FAMILY.add(f"embedding_bag {name}", bags(*options), *BAGS,
               more=((t(7, 3), torch.tensor([1, 1, 1, 3, 2, 0, 1]), torch.tensor([0, 0, 6, 6]), t(4, 3), t(7)),))

# ---- Elements in several places ----
for n, sizes, padding in ((1, (5,), (2, 3)), (2, (4, 5), (1, 2, 3, 0)), (3, (3, 4, 5), (1, 2, 3, 0, 2, 1))):
    padded = [size + padding[2 * (n - 1 - d)] + padding[2 * (n - 1 - d) + 1] for d, size in enumerate(sizes)]
    for kind in ("reflection", "replication"):
        def pads(g, x, op=getattr(aten, f"{kind}_pad{n}d_backward"), p=padding):
            return op(g, x, list(p)), op(g[0], x[0], list(p))

        FAMILY.add(f"{kind}_pad{n}d", pads, t(2, 3, *padded), t(2, 3, *sizes))
        for dtype in FLOATS:
            FAMILY.add(f"{kind}_pad{n}d {short(dtype)}", pads, t(2, 3, *padded, dtype=dtype), t(2, 3, *sizes, dtype=dtype),
                       is_near=dtype in FLOATS[:2])
FAMILY.add("replication_pad2d of fewer", lambda g, x: aten.replication_pad2d_backward(g, x, [-1, 2, 0, -2]), t(2, 3, 2, 6), t(2, 3, 4, 5))
FAMILY.sizes("pads of batches", lambda x: (aten.replication_pad2d_backward(F.pad(x, (1, 2, 2, 0), mode="replicate"), x, [1, 2, 2, 0]),
                                           aten.reflection_pad2d_backward(F.pad(x, (1, 2, 2, 0), mode="reflect"), x, [1, 2, 2, 0])),
             (2, 3, 4, 5))
FAMILY.add("unfold", lambda g: (aten.unfold_backward(g, [2, 8, 3], 1, 3, 2), aten.unfold_backward(g[:, 0, :, :1], [2, 5], 1, 1, 2),
                                aten.unfold_backward(g[:, 0, 0], [4], 0, 3, 1), aten.unfold_backward(g, [2, 17, 3], -2, 3, 7)),
           t(2, 3, 3, 3))
FAMILY.sizes("unfold of batches", lambda x: aten.unfold_backward(x.unfold(1, 3, 2), list(x.shape), 1, 3, 2), (2, 9, 3))
for dim in (0, 2):
    def weight_norm(g, v, s, d=dim):
        return aten._weight_norm_interface_backward(g, v, s, aten._weight_norm_interface(v, s, d)[1], d)

    FAMILY.add(f"weight_norm {dim}", weight_norm, t(4, 3, 5), t(4, 3, 5), t(4, 1, 1) if dim == 0 else t(1, 1, 5))
for reduction in (0, 1, 2):
    FAMILY.add(f"multi_margin_loss {reduction}", lambda g, x, y, w, r=reduction: (
        aten.multi_margin_loss_backward(g, x, y, 1, 1.0, None, r), aten.multi_margin_loss_backward(g, x, y, 2, 0.5, w, r)),
        t(*((5,) if reduction == 0 else ())), t(5, 4), t(5, low=0, high=3, dtype=torch.int64), t(4, low=0.5, high=1))
FAMILY.add("multi_margin_loss of one", lambda g, x, y: (
    aten.multi_margin_loss_backward(g, x, y, 1, 1.0, None, 1), aten.multi_margin_loss_backward(g, x, y[0], 2, 1.0, None, 0)), t(),
    t(4), torch.tensor([2]))



# ---- Points of a grid ----
for n, sizes, points in ((2, (5, 6), (3, 4)), (3, (3, 4, 5), (2, 3, 2))):
    for mode in (0, 1, 2) if n == 2 else (0, 1):
        for padding in (0, 1, 2):
            def grid(g, x, at, op=getattr(aten, f"grid_sampler_{n}d_backward"), m=mode, p=padding):
                return (*op(g, x, at, m, p, False, [True, True]), *op(g, x, at, m, p, True, [True, True]), op(g, x, at, m, p, True, [False, True])[1])

            FAMILY.add(f"grid_sampler_{n}d {mode} {padding}", grid, t(2, 3, *points), t(2, 3, *sizes), t(2, *points, n, low=-2.5, high=2.5),
                       tolerance=(1e-5, 1e-4) if mode == 2 else None)  # a slope of up to 70 takes up how coordinates are rounded
FAMILY.add("grid_sampler_2d, dynamic", lambda g, x, at: aten.grid_sampler_2d_backward(g, x, at, 0, 2, False, [True, True]), t(2, 3, 4, 5),
           t(2, 3, 6, 7), t(2, 4, 5, 2), others=(t(4, 3, 2, 3), t(4, 3, 3, 8), t(4, 2, 3, 2)))

# ---- Attention ----
def attention(causal=False, scale=None):
    def run(g, q, k, v, m=None):
        out, kept = aten._scaled_dot_product_flash_attention_for_cpu(q, k, v, 0.0, causal, attn_mask=m, scale=scale)
        return aten._scaled_dot_product_flash_attention_for_cpu_backward(g, q, k, v, out, kept, 0.0, causal, attn_mask=m, scale=scale)
    return run


# PyTorch's decomposition of the kernel gives the weights where the kernel gives the logarithms; of no queries the kernel dies.
heads = tuple(t(2, 3, n, 8) for n in (5, 5, 7, 7))
FAMILY.add("attention", attention(), *heads, is_whole=True)
FAMILY.add("attention, scaled", attention(scale=0.3), *heads, is_whole=True)
FAMILY.add("attention, causal", attention(True), *(t(2, 3, 6, 8) for _ in range(4)), is_whole=True)
FAMILY.add("attention, masked", attention(), *heads, t(5, 7), is_whole=True)
FAMILY.add("attention, hidden", attention(), *heads, torch.tensor([0.0, -torch.inf]).repeat(18)[:35].reshape(5, 7), is_whole=True)
for dtype in FLOATS[:2]:
    FAMILY.add(f"attention {short(dtype)}", attention(), *(t(2, 3, 5, 8, low=-1, high=1, dtype=dtype) for _ in range(4)), is_whole=True,
               tolerance=(3e-2, 3e-2))

# ---- Normalisations ----
for mask in ([True, True, True], [True, False, False], [False, True, True]):
    def layer(g, x, w, b, m=mask):
        _, mean, rstd = aten.native_layer_norm(x, [3, 4], w, b, 1e-5)
        return tuple(r for r in aten.native_layer_norm_backward(g, x, [3, 4], mean, rstd, w, b, m) if r is not None)

    def group(g, x, w, b, m=mask):
        _, mean, rstd = aten.native_group_norm(x, w, b, 2, 6, 20, 3, 1e-5)
        return tuple(r for r in aten.native_group_norm_backward(g, x, mean, rstd, w, 2, 6, 20, 3, m) if r is not None)

    def batch(g, x, w, rm, rv, m=mask):
        out = ()
        for train in (True, False):
            mean, rstd = x.mean((0, 2)), (x.var((0, 2), unbiased=False) + 1e-5).rsqrt()
            out += aten.native_batch_norm_backward(g, x, w, rm, rv, mean, rstd, train, 1e-5, m)
        return tuple(r for r in out if r is not None)

    FAMILY.add(f"layer_norm {mask}", layer, t(5, 2, 3, 4), t(5, 2, 3, 4), t(3, 4), t(3, 4))
    FAMILY.add(f"group_norm {mask}", group, t(2, 6, 4, 5), t(2, 6, 4, 5), t(6), t(6))
    if mask[0]:
        FAMILY.add(f"batch_norm {mask}", batch, t(4, 3, 5), t(4, 3, 5), t(3), t(3), t(3, low=0.5, high=2))


# ---- Windows ----
def convolution(options, mask=(True, True, True)):
    stride, padding, dilation, transposed, output_padding, groups = options

    def run(g, x, w):
        n = w.dim() - 2
        got = aten.convolution_backward(g, x, w, [g.shape[1]], [stride] * n, [padding] * n, [dilation] * n, transposed,
                                        [output_padding] * n, groups, list(mask))
        return tuple(r for r in got if r is not None)
    return run


for options in [(1, 0, 1, False, 0, 1), (2, 1, 1, False, 0, 1), (1, 2, 2, False, 0, 1), (3, 1, 2, False, 0, 1),
                (2, 1, 1, False, 0, 2), (1, 1, 1, False, 0, 4), (2, 1, 1, True, 1, 1), (3, 0, 2, True, 2, 1), (2, 1, 1, True, 0, 2)]:
    stride, padding, dilation, transposed, output_padding, groups = options
    for n, sizes in ((1, (11,)), (2, (9, 10)), (3, (5, 6, 7))):
        x = t(2, 4, *sizes)
        w = t(4, 6 // groups if groups < 4 else 1, *[3] * n) if transposed else t(8, 4 // groups, *[3] * n)
        if n == 3 and (dilation > 1 or stride == 3):
            continue
        y = aten.convolution(x, w, None, [stride] * n, [padding] * n, [dilation] * n, transposed, [output_padding] * n, groups)
        FAMILY.add(f"convolution {n}d {options}", convolution(options), t(*y.shape), x, w, is_near=True)
FAMILY.add("convolution, masked", lambda g, x, w: (
    *convolution((1, 1, 1, False, 0, 1), (True, True, False))(g, x, w),), t(2, 5, 6, 6), t(2, 4, 6, 6), t(5, 4, 3, 3),
    tolerance=(1e-4, 1e-4))
for stride in (1, 2):
    shapes = [(aten.convolution(x, t(5, 4, 3, 3), None, [stride] * 2, [1, 1], [1, 1], False, [0, 0], 1), x)
              for x in (t(2, 4, 8, 8), t(3, 4, 11, 10))]
    (g, x), (more, other) = shapes
    FAMILY.add(f"convolution, dynamic {stride}", lambda g, x, w=t(5, 4, 3, 3), s=stride: convolution((s, 1, 1, False, 0, 1))(
        g, x, w), t(*g.shape), x, others=(t(*more.shape), other), tolerance=(1e-4, 1e-4))

SHARED = [((2, 2), (2, 2), (0, 0), False), ((3, 3), (2, 2), (1, 1), False), ((3, 2), (2, 3), (1, 0), True),
          ((3, 3), (1, 1), (0, 0), False), ((2, 2), (2, 2), (1, 1), True)]
for kernel, stride, padding, ceil in SHARED:
    def maxima(x, k=kernel, s=stride, p=padding, c=ceil):
        y, i = aten.max_pool2d_with_indices(x, k, s, p, 1, c)
        return aten.max_pool2d_with_indices_backward(y * 3, x, k, s, p, [1, 1], c, i)

    def means(x, k=kernel, s=stride, p=padding, c=ceil):
        y = aten.avg_pool2d(x, k, s, p, c)
        return tuple(aten.avg_pool2d_backward(y, x, k, s, p, c, count, divisor)
                     for count in (True, False) for divisor in (None, 3))

    FAMILY.add(f"max_pool2d {kernel} {stride} {padding} {ceil}", maxima, t(2, 3, 7, 8))
    FAMILY.add(f"avg_pool2d {kernel} {stride} {padding} {ceil}", means, t(2, 3, 7, 8))
FAMILY.add("pools, dynamic", lambda x: (
    aten.max_pool2d_with_indices_backward(F.max_pool2d(x, 2), x, [2, 2], [2, 2], [0, 0], [1, 1], False,
                                          F.max_pool2d(x, 2, return_indices=True)[1]),
    aten.avg_pool2d_backward(F.avg_pool2d(x, 2), x, [2, 2], [2, 2], [0, 0], False, True, None),
    aten._adaptive_avg_pool2d_backward(F.adaptive_avg_pool2d(x, 3), x)), t(2, 3, 6, 8), others=(t(3, 3, 9, 7),))
FAMILY.add("pools without batch", lambda x: (
    aten.avg_pool2d_backward(F.avg_pool2d(x, 2), x, [2, 2], [2, 2], [0, 0], False, True, None),
    aten._adaptive_avg_pool2d_backward(F.adaptive_avg_pool2d(x, (3, 5)), x)), t(3, 7, 8))
FAMILY.add("pools 3d", lambda x: (
    aten.max_pool3d_with_indices_backward(F.max_pool3d(x, 2), x, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False,
                                          F.max_pool3d(x, 2, return_indices=True)[1]),
    aten.avg_pool3d_backward(F.avg_pool3d(x, 2), x, [2, 2, 2], [2, 2, 2], [0, 0, 0], False, True, None),
    aten._adaptive_avg_pool3d_backward(F.adaptive_avg_pool3d(x, 2), x)), t(2, 3, 5, 6, 4))

# Windows of 400 elements: the weight's gradient is one convolution.
for options in ((1, 9, 1, False, 0, 1), (2, 9, 1, False, 0, 2), (1, 3, 2, False, 0, 1), (2, 3, 1, True, 1, 2)):
    stride, padding, dilation, transposed, output_padding, groups = options
    x, w = t(2, 4, 44, 41), t(4, 3, 20, 20) if transposed else t(6, 4 // groups, 20, 20)
    y = aten.convolution(x, w, None, [stride] * 2, [padding] * 2, [dilation] * 2, transposed, [output_padding] * 2, groups)
    FAMILY.add(f"convolution of a large window {options}", convolution(options), t(*y.shape), x, w, tolerance=(1e-3, 1e-3))

# ---- Interpolation ----
RESAMPLED = {"nearest": "upsample_nearest{}d", "nearest-exact": "_upsample_nearest_exact{}d", "linear": "upsample_{}linear{}d",
             "bicubic": "upsample_bicubic{}d", "bilinear, antialiased": "_upsample_bilinear{}d_aa",
             "bicubic, antialiased": "_upsample_bicubic{}d_aa"}


def resampled(name, sizes, target, aligns, factor):
    """The gradient of an interpolation to a size, or by a factor."""
    op = getattr(aten, name.format(*[["", "bi", "tri"][len(sizes) - 1]] * ("{}l" in name), len(sizes)) + "_backward").default
    aligned = [aligns] if aligns is not None else []
    return lambda g: op(g, list(target), [2, 3, *sizes], *aligned, *[factor] * len(sizes))


for n, sizes, target in ((1, (5,), (8,)), (2, (4, 5), (7, 3)), (3, (3, 4, 5), (4, 7, 3))):
    for name, op in RESAMPLED.items():
        if name.startswith("bi") and n != 2:
            continue
        for aligns in (None,) if name.startswith("nearest") else (False, True):
            for factor in (None, 1.7, 0.6, 1.1, 2.1):  # 1.1 leaves sizes what they are, 2.1 doubles them
                to = target if factor is None else [int(size * factor) for size in sizes]
                FAMILY.add(f"resample {name} {n}d, aligned {aligns}, factor {factor}", resampled(op, sizes, to, aligns, factor),
                           t(2, 3, *to), tolerance=(1e-4, 1e-4))
for dtype in FLOATS:
    FAMILY.add(f"resample {short(dtype)}", resampled(RESAMPLED["linear"], (4, 5), (7, 3), False, None),
               t(2, 3, 7, 3, dtype=dtype), tolerance=(2e-2, 2e-2) if dtype in FLOATS[:2] else None)


def slopes(p: float, x: torch.Tensor, y: torch.Tensor, g: torch.Tensor) -> tuple[torch.Tensor, ...]:
    far, pairs = aten._cdist_forward(x, y, p, None), aten._pdist_forward(x, p)
    return (aten._cdist_backward(g.expand_as(far).contiguous(), x, y, p, far), aten._pdist_backward(g[0, :1].expand_as(pairs).contiguous(), x, p, pairs))


for p in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, float("inf")):
    x, y = t(5, 3), t(4, 3)
    y[1], x[4], y[2, 0] = x[0], x[2], x[2, 0]  # equal rows, and an equal element
    FAMILY.add(f"distances {p}", lambda x, y, g, p=p: slopes(p, x, y, g), x, y, t(5, 1), others=(t(3, 3), t(6, 3), t(3, 1)))
    for a, b in ((t(0, 3), y), (x, t(0, 3)), (t(5, 0), t(4, 0))):  # PyTorch's own _pdist_backward of no rows ends the process
        FAMILY.add(f"distances of nothing {p} {list(a.shape)}", lambda a, b, g, p=p: aten._cdist_backward(g, a, b, p, aten._cdist_forward(a, b, p, None)),
                   a, b, t(len(a), len(b)))
FAMILY.add("distances of batches", lambda x, y, g: aten._cdist_backward(g, x, y, 2.0, aten._cdist_forward(x, y, 2.0, None)),
           t(2, 1, 5, 3), t(4, 4, 3), t(2, 4, 5, 4))

# ---- Parts, bags by frequency, several labels ----
for shape in ((), (4,), (1, 4), (3, 1), (1, 1)):
    FAMILY.add(f"parts of one number {shape}", lambda x: (
        aten.slice_backward(x, [6, 4], 0, 1, 6, 2), aten.select_backward(x, [3, 5, 4], 1, -2), aten.diagonal_backward(x, [4, 3, 4], 0, 0, 2)),
        t(*shape), is_whole=True)  # PyTorch's decomposition gives slice_scatter what it refuses
    FAMILY.add(f"parts of one number {shape}, dynamic", lambda x, y: aten.select_backward(x, [*y.shape, 4], 0, 1),
               t(*shape), t(7, 3), others=(t(*shape), t(6, 3)), is_whole=True)
for name, options in MODES.items():
    FAMILY.add(f"embedding_bag {name}, scaled", bags(*options, scales=True), *BAGS,
               more=((t(7, 3), torch.tensor([1, 1, 1, 3, 2, 0, 1]), torch.tensor([0, 0, 6, 6]), t(4, 3), t(7)),
                     (t(7, 3), torch.tensor([4, 4, 4, 6, 5, 4, 6]), torch.tensor([0, 0, 6, 6]), t(4, 3), t(7))))
labels = torch.tensor([[1, 3, -1, 0], [-1, 1, 2, 3], [0, 1, 2, 3], [2, 2, 0, -1]])
for reduction in (0, 1, 2):
    def multilabel(g, x, y, r=reduction):
        loss, is_target = aten.multilabel_margin_loss_forward(x, y, r)
        return loss, is_target, aten.multilabel_margin_loss_backward(g, x, y, r, is_target)

    # As it is: PyTorch's decomposition counts what stands behind the last target. Of one row without a reduction its shapes contradict each other.
    g = t(*((4,) if reduction == 0 else ()))
    FAMILY.add(f"multilabel_margin_loss {reduction}", multilabel, g, t(4, 4), labels, more=((g, t(4, 4) * 0.1, labels.flip(0)),), is_whole=True)
    if reduction > 0:
        FAMILY.add(f"multilabel_margin_loss of one {reduction}", multilabel, t(), t(4), labels[0], more=((t(), t(4), labels[3]),), is_whole=True)
