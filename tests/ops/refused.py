# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Data that PyTorch refuses: where eager raises, the run ends with an error of its own, and other inputs go on as before."""

import torch
import torch.nn.functional as F

from case import Family

FAMILY = Family("refused")
NAN, INF = float("nan"), float("inf")


def f(*numbers) -> torch.Tensor:
    return torch.tensor(numbers if len(numbers) != 1 or not isinstance(numbers[0], list) else numbers[0])


def whole(*numbers: int) -> torch.Tensor:
    return torch.tensor(numbers, dtype=torch.int64)


def add(name: str, function, good: tuple[torch.Tensor, ...], *bad: tuple[torch.Tensor, ...], dynamic: bool = True,
        is_whole: bool = False) -> None:
    """Good inputs before and after the bad ones, of the same sizes; the same with symbolic dims."""
    FAMILY.add(name, function, *good, more=(*bad, good), is_whole=is_whole)
    if dynamic:
        FAMILY.add(f"{name}, dynamic", function, *good, others=good, more=(*bad, good), is_whole=is_whole)


x, y = torch.rand(3, 4, generator=FAMILY.random), whole(0, 1, 2)
add("householder_product", torch.linalg.householder_product, (torch.ones(5, 4), f(1.0, 2.0, 3.0)), (torch.ones(3, 4), f(1.0, 2.0, 3.0)),
    (torch.ones(5, 2), f(1.0, 2.0, 3.0)))
add("one_hot", lambda i: F.one_hot(i, 4), (whole(0, 1, 3),), (whole(0, 1, 4),), (whole(0, -1, 2),), (whole(2**62, 0, 0),))
add("bincount", lambda i: torch.bincount(i, minlength=5), (whole(0, 1, 3),), (whole(0, -1, 3),), (whole(2**63 - 1, 0, 0),))
add("bincount of weights", lambda i, w: torch.bincount(i, w, minlength=5), (y, x[:, 0].contiguous()),
    (whole(0, -1, 3), x[:, 0].contiguous()))
add("repeat_interleave", lambda a, r: torch.repeat_interleave(a, r), (whole(1, 2, 3), whole(1, 2, 1)),
    (whole(1, 2, 3), whole(5, -3, 1)), (whole(1, 2, 3), whole(-1, -1, -1)))
add("repeat_interleave of output_size", lambda a, r: torch.repeat_interleave(a, r, output_size=4),
    (whole(1, 2, 3), whole(1, 2, 1)), (whole(1, 2, 3), whole(1, 2, 2)), (whole(1, 2, 3), whole(1, 1, 1)), dynamic=False)
for replaced in (False, True):  # times 0: the numbers drawn are PyTorch's own affair
    add(f"multinomial {replaced}", lambda w, r=replaced: torch.multinomial(w, 2, replacement=r) * 0, (f(1.0, 2.0, 3.0),),
        (f(0.0, 0.0, 0.0),), (f(1.0, -1.0, 3.0),), (f(1.0, INF, 3.0),), (f(1.0, NAN, 3.0),))
    add(f"multinomial of rows {replaced}", lambda w, r=replaced: torch.multinomial(w, 2, replacement=r) * 0, (x,),
        (torch.cat([x[:2], torch.zeros(1, 4)]),), dynamic=False)
bag = lambda w, i, o: F.embedding_bag(i, w, o)  # noqa: E731
table = torch.rand(5, 2, generator=FAMILY.random)
add("embedding_bag", bag, (table, whole(0, 1, 2, 3), whole(0, 2)), (table, whole(0, 1, 2, 3), whole(0, 5)),
    (table, whole(0, 1, 2, 3), whole(1, 2)), (table, whole(0, 1, 2, 3), whole(0, -1)), (table, whole(0, 1, 2, 5), whole(0, 2)),
    dynamic=False)
for name, loss in {"nll_loss": F.nll_loss, "cross_entropy": F.cross_entropy, "multi_margin_loss": F.multi_margin_loss,
                   "smoothed": lambda a, b: F.cross_entropy(a, b, label_smoothing=0.1)}.items():
    add(name, loss, (x, y), (x, whole(0, 1, 4)), (x, whole(0, -1, 2)), (x, whole(2**40, 1, 2)), dynamic=False)
add("nll_loss_backward", lambda g, a, b, n: torch.ops.aten.nll_loss_backward(g, a, b, None, 1, -100, n),
    (f(1.0).reshape(()), x, y, f(3.0).reshape(())), (f(1.0).reshape(()), x, whole(0, 1, 4), f(3.0).reshape(())), dynamic=False)
add("multilabel_margin_loss", F.multilabel_margin_loss, (x[:1], torch.tensor([[0, 1, -1, 2]])),
    (x[:1], torch.tensor([[0, 4, -1, 2]])), (x[:1], torch.tensor([[0, -2, -1, 2]])), dynamic=False, is_whole=True)
add("binary_cross_entropy", F.binary_cross_entropy, (f(0.1, 0.5), f(0.0, 1.0)), (f(1.1, 0.5), f(0.0, 1.0)),
    (f(-0.1, 0.5), f(0.0, 1.0)), (f(NAN, 0.5), f(0.0, 1.0)), is_whole=True)
add("bernoulli", lambda p: torch.bernoulli(p) * 0, (f(0.1, 0.5),), (f(1.5, 0.5),), (f(-0.1, 0.5),), (f(NAN, 0.5),),
    is_whole=True)
add("normal", lambda s: torch.normal(torch.zeros(2), s) * 0, (f(0.1, 0.5),), (f(-1.0, 0.5),), dynamic=False)
add("poisson", lambda r: torch.poisson(r) * 0, (f(0.1, 0.5),), (f(-1.0, 0.5),), (f(NAN, 0.5),))
add("histc", lambda a: torch.histc(a, 4), (f(0.0, 1.0, 2.0, 3.5),), (f(NAN, 1.0, 2.0, 3.0),), (f(INF, 1.0, 2.0, 3.0),))
add("segment_reduce", lambda a, n: torch.segment_reduce(a, "sum", lengths=n), (f(1.0, 2.0, 3.0, 4.0, 5.0), whole(2, 3)),
    (f(1.0, 2.0, 3.0, 4.0, 5.0), whole(2, 4)), (f(1.0, 2.0, 3.0, 4.0, 5.0), whole(-1, 6)), dynamic=False)
mask = torch.tensor([True, False, False, True])
add("masked_scatter", lambda a, m, s: a.masked_scatter(m, s), (x[0], mask, f(1.0, 2.0)), (x[0], mask | True, f(1.0, 2.0)),
    (x[0], torch.tensor([True, True, False, True]), f(1.0, 2.0)), dynamic=False)
for accumulate in (False, True):
    put = lambda a, m, v, s=accumulate: a.index_put((m,), v, accumulate=s)  # noqa: E731
    add(f"index_put of a mask, {accumulate}", put, (x[0], mask, f(1.0, 2.0)), (x[0], mask | True, f(1.0, 2.0)),
        (x[0], mask & False, f(1.0, 2.0)), (x[0], torch.arange(4) < 1, f(1.0, 2.0)))
    add(f"index_put of a mask of rows, {accumulate}", put, (x, y < 2, x[1:]), (x, y < 3, x[1:]), (x, y < 1, x[1:]))
add("index_put of an index and a mask", lambda a, i, m, v: a.index_put((i, m), v), (x, whole(0, 1), mask, f(1.0, 2.0)),
    (x, whole(0, 1), mask | True, f(1.0, 2.0)), (x, whole(0, 1), mask & False, f(1.0, 2.0)))
add("index_put of one index and a mask", lambda a, i, m, v: a.index_put((i, m), v), (x, whole(1), mask, f(1.0, 2.0)),
    (x, whole(1), mask | True, f(1.0, 2.0)), (x, whole(1), torch.arange(4) < 1, f(1.0, 2.0)))
points = torch.tensor([0, 1], dtype=torch.int32)
add("fake_quantize_per_channel_affine", lambda a, s, z: torch.fake_quantize_per_channel_affine(a, s, z, 0, 0, 255),
    (x[:2], f(0.1, 0.2), points), (x[:2], f(0.1, 0.2), points + 255), (x[:2], f(0.1, 0.2), points - 1), dynamic=False)
INDEXED = {
    "scatter": lambda a, i, s: a.scatter(0, i, s), "scatter_add": lambda a, i, s: a.scatter_add(0, i, s),
    "scatter_reduce": lambda a, i, s: a.scatter_reduce(0, i, s, "amax"), "index_add": lambda a, i, s: a.index_add(0, i, s),
    "index_copy": lambda a, i, s: a.index_copy(0, i, s), "index_reduce": lambda a, i, s: a.index_reduce(0, i, s, "prod"),
    "index_put": lambda a, i, s: a.index_put((i,), s), "put": lambda a, i, s: a.put(i, s),
}
for name, function in INDEXED.items():
    add(name, function, (x[0], whole(0, 1), f(1.0, 2.0)), (x[0], whole(0, 4), f(1.0, 2.0)), (x[0], whole(-5, 1), f(1.0, 2.0)),
        dynamic=False)
for name, function in {"gather": lambda a, i: a.gather(0, i), "index_select": lambda a, i: a.index_select(0, i),
                       "take": torch.take, "index_fill": lambda a, i: a.index_fill(0, i, 2.0), "index": lambda a, i: a[i]}.items():
    add(name, function, (x[0], whole(0, 1)), (x[0], whole(0, 4)), (x[0], whole(-5, 1)), dynamic=False)
add("embedding", lambda w, i: F.embedding(i, w), (table, whole(0, 1)), (table, whole(0, 5)), (table, whole(-1, 0)))
add("max_unpool1d", lambda a, i: F.max_unpool1d(a, i, 2), (x[:1, :2].reshape(1, 1, 2), whole(0, 2).reshape(1, 1, 2)),
    (x[:1, :2].reshape(1, 1, 2), whole(0, 4).reshape(1, 1, 2)), dynamic=False)
for name, function in {"floor_divide": lambda a, b: a // b, "remainder": lambda a, b: a % b, "fmod": torch.fmod,
                       "truncated": lambda a, b: a.div(b, rounding_mode="trunc")}.items():
    add(name, function, (whole(7, -7), whole(2, 3)), (whole(7, -7), whole(0, 3)), (whole(7, -7), whole(3, 0)))
add("cholesky", torch.linalg.cholesky, (torch.eye(3),), (-torch.eye(3),), dynamic=False)
add("inv", torch.linalg.inv, (torch.eye(3),), (torch.zeros(3, 3),), dynamic=False)
factors, pivots = torch.linalg.lu_factor(torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]))
for name, function in {"lu_solve": torch.linalg.lu_solve, "lu_unpack": lambda a, p, b: (*torch.lu_unpack(a, p), b),
                       "ldl_solve": torch.linalg.ldl_solve}.items():
    add(f"pivots of {name}", function, (factors, pivots, x[0, :3, None]), (factors, pivots + 3, x[0, :3, None]),
        (factors, pivots * 0, x[0, :3, None]), (factors, pivots - 9, x[0, :3, None]), dynamic=False)
for name, pick, wide, narrow in (("topk", lambda a: (*a.topk(3, 0),), 4, 2), ("topk of the least", lambda a: (*a.topk(3, 0, largest=False),), 3, 0),
                                 ("kthvalue", lambda a: (*a.kthvalue(3, 0),), 4, 2), ("kthvalue of nothing", lambda a: (*a.kthvalue(1, 0),), 4, 0),
                                 ("median", lambda a: (*a.median(0),), 4, 0), ("nanmedian", lambda a: (*a.nanmedian(0),), 4, 0),
                                 ("mode", lambda a: (*a.mode(0),), 4, 0)):
    for dtype in (torch.float32, torch.int32):
        picked = [torch.arange(n * 3).reshape(n, 3).flip(0).to(dtype) for n in (wide, 7, narrow)]
        FAMILY.add(f"{name} of too few {str(dtype)[6:]}", pick, picked[0], others=(picked[1],), more=((picked[2],), (picked[1][:, :0],), (picked[0],)))
for name, function in {"gather": lambda a, b, i: a.gather(1, i), "scatter": lambda a, b, i: a.scatter(1, i, b), "scatter_add": lambda a, b, i: a.scatter_add(1, i, b),
                       "scatter of a number": lambda a, b, i: a.scatter(1, i, 2.0)}.items():
    index = torch.tensor([[0, 1, 2], [2, 1, 0]])
    rows = [(torch.rand(n, 4, generator=FAMILY.random), torch.rand(m, 3, generator=FAMILY.random)) for n, m in ((3, 4), (5, 2), (0, 0), (3, 1), (1, 3))]
    FAMILY.add(f"{name} by more rows than there are", lambda a, b, f=function, i=index: f(a, b, i), *rows[0], others=rows[1],
               more=(*rows[2:], rows[0]))
# Sizes of 0 that PyTorch refuses, though every shape fits: an empty batch goes on.
image, row = torch.rand(2, 3, 4, 5, generator=FAMILY.random), torch.rand(2, 3, 6, generator=FAMILY.random)
NONEMPTY = {
    "argmax": (lambda a: a.argmax(1), row), "argmin of all": (torch.argmin, row), "amax": (lambda a: a.amax((0, 2)), row), "amin": (torch.amin, row),
    "max": (lambda a: (*a.max(-1),), row), "min of all": (torch.min, row), "aminmax": (lambda a: (*a.aminmax(dim=1),), row),
    "mode": (lambda a: (*a.mode(1),), row), "quantile": (lambda a: a.quantile(0.25, 1), row),
    "norm": (lambda a: torch.linalg.vector_norm(a, INF, 1), row), "softmax by hand": (lambda a: (a - a.amax(-1, True)).exp(), row),
    "max_pool2d": (lambda a: F.max_pool2d(a, 2), image), "avg_pool1d": (lambda a: F.avg_pool1d(a, 2), row), "avg_pool3d": (lambda a: F.avg_pool3d(a, 2), image),
    "adaptive_avg_pool2d": (lambda a: F.adaptive_avg_pool2d(a, 2), image), "adaptive_max_pool1d": (lambda a: F.adaptive_max_pool1d(a, 2), row),
    "global average": (lambda a: F.adaptive_avg_pool2d(a, 1), image), "conv2d": (lambda a: F.conv2d(a, torch.ones(2, 3, 2, 3)), image), "reflect": (lambda a: F.pad(a, (1, 0), mode="reflect"), row),
    "replicate": (lambda a: F.pad(a, (1, 0, 0, 1), mode="replicate"), image), "circular": (lambda a: F.pad(a, (1, 0), mode="circular"), row),
    "nearest": (lambda a: F.interpolate(a, scale_factor=2), row), "bilinear": (lambda a: F.interpolate(a, (3, 3), mode="bilinear"), image),
    "unfold": (lambda a: F.unfold(a, 2), image), "grid_sample": (lambda a: F.grid_sample(a, torch.zeros(a.shape[0], 2, 2, 2), align_corners=False), image),
}
for name, function, weight in (("1d", F.conv_transpose1d, torch.ones(3, 2, 2)), ("2d", F.conv_transpose2d, torch.ones(4, 2, 2, 2)), ("3d", F.conv_transpose3d, torch.ones(3, 2, 1, 2, 2))):
    whole_image = torch.rand(2, *[weight.shape[0], 3, 4, 5][:weight.dim() - 1], generator=FAMILY.random)
    FAMILY.add(f"conv_transpose{name} to no channels", function, whole_image, weight, others=(whole_image, weight.repeat_interleave(2, 1)),
               more=((whole_image, weight[:, :0].clone()), (whole_image, weight)), is_whole=True)
chosen = torch.zeros(1, 3, dtype=torch.int64)
NONEMPTY |= {  # rows, which may be none, and have elements
    f"{function.__name__} along {d}": (lambda a, f=function, d=d: f(a, dim=d), row) for function in (torch.unique, torch.unique_consecutive) for d in range(3)}
NONEMPTY |= {  # of numbers that nobody reads
    "take": (lambda a: torch.ones_like(a.take(chosen)), row), "gather": (lambda a: torch.ones_like(a[:, 0].gather(1, chosen)), row),
    "index_select": (lambda a: torch.ones_like(a.index_select(2, chosen[0])), row)}
for name, (function, good) in NONEMPTY.items():
    larger = torch.rand([n + 1 if n != 3 else n for n in good.shape], generator=FAMILY.random)
    empty = [good.narrow(d, 0, 0).clone() for d in range(good.dim()) if good.shape[d] != 3]
    FAMILY.add(f"{name} of nothing", function, good, others=(larger,), more=(*((one,) for one in empty), (good[:1, :, :1].clone(),), (good,)), is_whole=True)
for name, convolve, weight in (("conv2d", F.conv2d, torch.ones(6, 1, 2, 2)), ("conv1d", F.conv1d, torch.ones(6, 1, 2)),
                               ("conv_transpose2d", F.conv_transpose2d, torch.ones(6, 1, 2, 2)), ("conv3d", F.conv3d, torch.ones(6, 1, 1, 1, 1))):
    images = [torch.rand(2, n, *[4 + n] * (weight.dim() - 2), generator=FAMILY.random) for n in (6, 3, 2, 4, 1, 7, 6)]
    FAMILY.add(f"as many groups as channels, {name}", lambda a, f=convolve, w=weight: f(a, w, groups=a.shape[1]), images[0], others=(images[1],),
               more=tuple((one,) for one in images[2:]), is_whole=True)
wave, longer = torch.rand(3, 6, generator=FAMILY.random), torch.rand(3, 8, generator=FAMILY.random)
POINTS = {name: (getattr(torch.fft, name), name[0] == "h" or name[:2] == "ir")
          for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "rfft2", "irfftn")}
POINTS |= {"rfft of twice as many": (lambda a: torch.fft.rfft(a, n=2 * a.shape[1]), False),
           "fft of one less": (lambda a: torch.fft.fft(a, n=a.shape[1] - 1), False),
           "rfftn along the first": (lambda a: torch.fft.rfftn(a.t(), dim=(0,)), False),
           "rfft2 of given sizes": (lambda a: torch.fft.rfft2(a, s=(4, a.shape[1])), False)}
for name, (function, is_complex) in POINTS.items():
    inputs = [one + 0.5j * one if is_complex else one for one in (wave, longer)]
    FAMILY.add(f"{name} of no points", function, inputs[0], others=(inputs[1],), is_whole=True,
               more=((inputs[0][:, :0].clone(),), (inputs[0][:, :1].clone(),), (inputs[0],)))
FAMILY.add("whole powers below zero, dynamic", lambda a, b: a ** (b.shape[0] - 4), whole(1, -1, 2), torch.rand(6),
           others=(whole(1, -1, 2), torch.rand(5)), more=((whole(1, -1, 2), torch.rand(3)), (whole(1, -1, 2), torch.rand(4))))
