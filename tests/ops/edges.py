# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops in the forms that are met rarely: nothing to pool, sizes that floats compute, memory out of order, one sample."""

import torch
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed
import torch.nn.functional as F

from case import Family

FAMILY = Family("edges")
t = FAMILY.tensor
aten, qd = torch.ops.aten, torch.ops.quantized_decomposed
i64 = torch.int64


def two_readers(y: torch.Tensor, v: torch.Tensor):
    """Something is put into a copy of y, and then y is read once more."""
    return (y.index_copy(0, torch.tensor([2, 0]), v), torch.bmm(y, v.new_ones(3, 4, 5)), y.select_scatter(v[0], 0, 1),
            torch.bmm(y, v.new_ones(3, 4, 2)))


def several(name: str, function, *inputs: torch.Tensor, others=None, **options) -> None:
    """On three sets of numbers."""
    more = tuple(tuple(x.flip(0) if x.dim() else x for x in inputs[:1]) + inputs[1:] if k else
                 tuple(x * 2 if x.is_floating_point() else x for x in inputs) for k in range(2))
    FAMILY.add(name, function, *inputs, others=others, more=more, **options)


several("index_put_impl", lambda x, i, v: (aten._index_put_impl(x, [i], v), aten._index_put_impl_(x.clone(), [i], v, True)),
        t(5, 3), t(2, dtype=i64, low=0, high=4), t(2, 3))
several("narrow from a tensor", lambda x: torch.narrow(x, 0, torch.tensor(1), 2), t(5, 3))
several("norms of complex numbers", lambda x: (
    aten.norm.Scalar(x, 2), aten.norm.Scalar(x, 1), aten.norm.ScalarOpt_dim(x, None, [1]), aten.norm.ScalarOpt_dim(x, 3, [0], True),
    x.norm(), torch.norm(x, float("inf"), 1)), t(3, 4, dtype=torch.complex64))
several("a norm in another dtype", lambda x: aten.norm.ScalarOpt_dtype(x, 2, dtype=torch.float64), t(3, 4))
for name, shape, wrap in (("square", (4, 4), False), ("wide", (3, 5), False), ("tall", (9, 3), False), ("tall, wrapped", (9, 3), True),
                          ("three dims", (3, 3, 3), False)):
    several(f"fill_diagonal_, {name}", lambda x, w=wrap: x.clone().fill_diagonal_(3.0, wrap=w), t(*shape))
several("fill_diagonal_, dynamic", lambda x: x.clone().fill_diagonal_(3.0), t(4, 5), others=(t(3, 5),))
several("nll_loss_backward of one sample", lambda x, w: (
    aten.nll_loss_backward(x[0], x, torch.tensor(2), None, 1, -100, w), aten.nll_loss_backward(x[0], x, torch.tensor(2), x, 0, -100, w)),
    t(4), torch.tensor(1.0))
BAG = (t(10, 3), t(7, dtype=i64, low=0, high=9), torch.tensor([0, 2, 2, 5]))
for number, mode in enumerate(("sum", "mean", "max")):
    several(f"_embedding_bag, {mode}", lambda w, i, o, n=number: (
        aten._embedding_bag(w, i, o, False, n)[0], aten._embedding_bag_forward_only(w, i, o, False, n)[0],
        aten._embedding_bag(w, i, o, False, n, False, None, False, 2)[0],
        aten._embedding_bag(w, i, torch.tensor([0, 2, 2, 7]), False, n, False, None, True)[0]), *BAG)
    several(f"embedding_bag, {mode}", lambda w, i, o, m=mode: (
        F.embedding_bag(i, w, o, mode=m), F.embedding_bag(i[:6].reshape(2, 3), w, mode=m), F.embedding_bag(i, w, o, mode=m, padding_idx=2)),
        *BAG)
    several(f"embedding_bag, {mode}, dynamic", lambda w, i, o, m=mode: (  # "max" of no bags is a SIGSEGV of eager's
        F.embedding_bag(i, w, F.pad(o, (1, 0)) if m == "max" else o, mode=m)), *BAG,
        others=(t(11, 4), t(9, dtype=i64, low=0, high=10), torch.tensor([0, 2, 2, 3, 8])))
some_nan = torch.where(BAG[0] > 0.3, torch.nan, BAG[0])
for pads in (None, 2):
    FAMILY.add(f"embedding_bag, largest of NaN, padding {pads}", lambda w, i, o, p=pads: (
        F.embedding_bag(i, w, o, mode="max", padding_idx=p), F.embedding_bag(i[:6].reshape(3, 2), w, mode="max", padding_idx=p)), *BAG,
               more=((some_nan, *BAG[1:]), (some_nan.flip(0), *BAG[1:]), (torch.full_like(some_nan, torch.nan), *BAG[1:])))
FAMILY.add("_embedding_bag, places of NaN", lambda w, i, o: aten._embedding_bag(w, i, o, False, 2), *BAG, more=((some_nan, *BAG[1:]),))
several("_embedding_bag, largest", lambda w, i, o: aten._embedding_bag(w, i, o, False, 2), *BAG)
several("_embedding_bag, weighted", lambda w, i, o, p: aten._embedding_bag(w, i, o, False, 0, False, p)[0], *BAG, t(7))
several("trilinear", lambda a, b, c: aten._trilinear(a, c, b, [1, 3], [0], [1, 2], [2, 3]), t(2, 3), t(2, 4), t(5, 3, 4))
several("per channel, dynamic", lambda q, s, z: qd.dequantize_per_channel(q, s, z, 0, -128, 127, torch.int8),
        t(4, 5, dtype=torch.int8), t(4, low=0.1, high=1), t(4, dtype=i64),
        others=(t(6, 7, dtype=torch.int8), t(6, low=0.1, high=1), t(6, dtype=i64)))
several("quantized per channel, dynamic", lambda x, s, z: qd.quantize_per_channel(x, s, z, 1, -128, 127, torch.int8),
        t(4, 5), t(5, low=0.1, high=1), t(5, dtype=i64), others=(t(6, 7), t(7, low=0.1, high=1), t(7, dtype=i64)))
for dtype in (torch.float16, torch.bfloat16):
    text = str(dtype)[6:]
    several(f"conv2d, {text}, dynamic", lambda x, w: F.conv2d(x, w, padding=1), t(2, 3, 8, 8, dtype=dtype), t(4, 3, 3, 3, dtype=dtype),
            others=(t(3, 3, 11, 9, dtype=dtype), t(4, 3, 3, 3, dtype=dtype)), tolerance=(5e-2, 1.0))
    several(f"conv1d, {text}, dynamic", lambda x, w: F.conv1d(x, w, stride=2), t(2, 3, 8, dtype=dtype), t(4, 3, 3, dtype=dtype),
            others=(t(3, 3, 11, dtype=dtype), t(4, 3, 3, dtype=dtype)), tolerance=(5e-2, 1.0))
several("as_strided of a transposed tensor", lambda x: (
    x.t().clone().as_strided((2, 3), (5, 1)), (x.permute(1, 0) * 2).as_strided((3, 2), (1, 4), 3), x.t().as_strided((2, 3), (1, 2), 1)), t(5, 4))
several("as_strided behind a view that lies as a tensor would", lambda x: (
    x[:2].as_strided((3, 4), (5, 1)), x[0].as_strided((4,), (6,), 1), x.reshape(-1)[:1].as_strided((2, 2), (1, 2)), x.diagonal(-4).as_strided((2,), (1,), 17),
    torch.view_as_real(torch.complex(x, x * 2))[:1].as_strided((3, 2), (4, 1))), t(5, 4))
several("as_strided of channels last", lambda x: x.contiguous(memory_format=torch.channels_last).as_strided((2, 3), (1, 4), 2), t(1, 4, 3, 5))
several("pools to nothing", lambda x: (
    F.adaptive_avg_pool2d(x, (0, 2)), F.adaptive_avg_pool1d(x[0], 0), *F.adaptive_max_pool2d(x, (0, 2), True),
    F.adaptive_max_pool1d(x[0], 0), F.adaptive_max_pool3d(x, (2, 0, 1)), F.adaptive_avg_pool3d(x, (0, 1, 1))), t(2, 3, 4, 4))
several("movedim without dims", lambda x: (x.movedim(0, 0) + 1, x.movedim(-1, 0) * 2, x.transpose(0, -1) * 3), t())
several("unique_consecutive along the last dim", lambda x: torch.unique_consecutive(x, dim=-1), t(2, 6, dtype=i64, low=0, high=1))
several("unique_consecutive along the last dim, all", lambda x: torch.unique_consecutive(
    x, dim=-1, return_inverse=True, return_counts=True), t(2, 6, dtype=i64, low=0, high=1))
several("a size alone", lambda x: (x > 0).nonzero().shape[0], t(7))
several("a size alone, of a selection", lambda x: (x[x > 0].shape[0], x.sum()), t(7, 3))
several("how many are distinct", lambda x: x.unique().numel(), t(9, dtype=i64))
for mode in ("nearest", "bilinear", "bicubic", "nearest-exact", "area"):
    for factor in (1.7, 0.5):
        several(f"interpolate, {mode}, {factor}", lambda x, m=mode, f=factor: F.interpolate(x, scale_factor=f, mode=m), t(1, 2, 8, 8),
                others=(t(1, 2, 11, 13),))
several("interpolate, 0.29", lambda x: F.interpolate(x, scale_factor=0.29), t(1, 1, 20, 40), others=(t(1, 1, 100, 50),))
several("interpolate, trilinear", lambda x: F.interpolate(x, scale_factor=1.7, mode="trilinear"), t(1, 2, 4, 5, 6), others=(t(1, 2, 5, 6, 7),))
several("interpolate, of a square", lambda x: F.interpolate(x + x.mT, scale_factor=1.7, mode="nearest-exact"), t(1, 2, 8, 8), others=(t(1, 2, 11, 11),))
several("interpolate, computed again", lambda x: F.interpolate(x, scale_factor=1.7, mode="bilinear", recompute_scale_factor=True),
        t(1, 2, 8, 8), others=(t(1, 2, 11, 13),))
several("private spellings", lambda x: (
    aten._stack([x, x * 2]), aten._is_all_true(x > -9), aten._is_any_true(x > 3), aten._logcumsumexp(x, 1), aten._add_relu(x, x[:1], alpha=-2)),
    t(3, 4))
several("fake_quant_per_channel", lambda x, s, z: (
    qd.fake_quant_per_channel(x, s, z, 0, -128, 127), qd.convert_element_type.no_fuse(x, torch.float16)),
    t(4, 5), t(4, low=0.1, high=1), torch.zeros(4, dtype=torch.int32))
several("resize", lambda x: (aten.resize(x, [2, 3]), aten.resize(x, [6, 2]), aten.resize(x, [5, 4])[:3], aten.resize_as(x, x[:2])), t(3, 4))


def below(high: int):
    def check(*results: torch.Tensor) -> None:
        for x in results:
            assert 0 <= x.min() and x.max() < high, (x.min(), x.max())
    return check


FAMILY.add("randint_like", lambda x, h: (aten.randint_like.Tensor(x, h), aten.randint_like(x, 50), aten.randint_like(x, 2, 50)),
           t(20, 20), torch.tensor(50), check=below(50))
# Products and losses promote their operands as sums do.
whole, real = t(3, dtype=i64, low=-2, high=2), t(3)
for name, function in {"outer": torch.outer, "ger": torch.ger, "kron": torch.kron, "addr": lambda x, y: torch.addr(x[:, None] * x, x, y),
                       "block_diag": lambda x, y: torch.block_diag(x, y), "dist": torch.dist, "mse_loss": F.mse_loss,
                       "smooth_l1_loss": F.smooth_l1_loss, "cosine_similarity": lambda x, y: F.cosine_similarity(x[None], y[None]),
                       "diff": lambda x, y: torch.diff(x, prepend=y), "pairwise_distance": F.pairwise_distance}.items():
    several(f"{name} of mixed dtypes", lambda x, y, f=function: (f(x, y), f(y, x)), whole, real)
several("losses of whole targets", lambda x, y: (F.soft_margin_loss(y, x), F.hinge_embedding_loss(y, x.sign() + (x == 0)),
                                                F.poisson_nll_loss(y, x)), whole, real)

FAMILY.add("area of one and none", lambda x: (torch.trapezoid(x, dx=0.5), torch.trapezoid(x, dim=0), torch.trapezoid(x[:, :2], dx=3)),
           torch.tensor([[float("nan"), 1.0, 2.0]]), more=((torch.tensor([[float("inf"), 1.0, 2.0]]),), (torch.tensor([[1.0, float("inf"), 2.0]]),)))
FAMILY.sizes("area of rows", lambda x: (torch.trapezoid(x, dx=0.5), torch.trapezoid(x, dim=0)), (4, 5))
FAMILY.add("products that are written into and read", lambda x, w, v: two_readers(F.linear(x, w), v), t(3, 6, 7), t(4, 7), t(2, 6, 4))
FAMILY.add("nothing of what is constant", lambda x: (torch.full((x.shape[0], 3), 2.0).any(0), torch.zeros(x.shape[0], 2, dtype=torch.int64).prod(0)),
           t(4), others=(t(0),), more=((t(1),),))
FAMILY.add("sizes that are one", lambda x: (x[x.shape[0] - 2 : 5 : 3].squeeze(), x[x.shape[0] - 2 : 5 : 3].squeeze(0), x.squeeze()), t(4, 3), others=(t(3, 5),))
FAMILY.add("counts of counts", lambda x: (lambda m: (m, m[m < 2]))(x.nonzero()), torch.tensor([[0.0, 1], [2, 0]]))
FAMILY.add("products of counts", lambda x: (lambda m: m[m > 1])(x.nonzero()[:, 0, None] * (x > 1).nonzero()[None, :, 1]), torch.tensor([[0.0, 1], [2, 3]]))
FAMILY.add("frames around nothing", lambda x: (F.pad(x, (3, 3, -1, -1, -1, 2), value=2).any(1), F.pad(x[:, :0], (0, 1, 2, 3), value=3), F.pad(
    x[..., :0], (1, 0, -1, -1, 2, 0)), F.pad(x[:0], (0, 0, 0, 0, 1, 1), value=-1), F.pad(x[:0], (1, 2)).sum((0, 1))), t(4, 2, 3))
FAMILY.add("more differences than elements", lambda x: (torch.diff(x, n=7), torch.diff(x, n=3, dim=0), torch.diff(x[:, :0], n=2), torch.diff(x, 2, 0, x[:1])),
           t(2, 4))
FAMILY.sizes("differences of differences", lambda x: (torch.diff(x, n=2), torch.diff(x, n=3, dim=0, append=x)), (4, 5))
FAMILY.add("median of nothing", lambda x: (x.median(), x.flatten().median() + 1), t(3, 4), others=(t(0, 5),), more=((t(2, 0),), (t(5, 3),)))
for dtype in (torch.float32, torch.float16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8,
              torch.uint16, torch.uint32, torch.uint64, torch.bool):
    FAMILY.add(f"median of no {dtype}", lambda x: (x.median(), x.nanmedian()), t(0, 3).to(dtype))
FAMILY.add("windows of a frame around another form", lambda x: F.unfold(F.pad(x.mT.reshape(2, 16, 1, 16), (2, 0)), (1, 4), stride=(1, 2)),
           t(1, 2, 16, 16), more=((t(1, 2, 16, 16),), (t(1, 2, 16, 16),)))
several("put into a place of a symbolic size", lambda x, y: (
    x.select_scatter(torch.ones(4, 3), 2, -1), x.slice_scatter(torch.ones(4, 3, 2), 2, 1, 3), torch.stack([x[:, :, 0], torch.ones(4, 3)], 1)),
    t(4, 3, 5), t(6), others=(t(4, 3, 7), t(8)))
several("0-d, moved", lambda x: (x.flip(0), x.flip(-1) + 1, x.flip([]), x.sum(0), x.amax(-1), x.softmax(0)), t())
FAMILY.add("questions on dtypes", lambda x, y: (x + y).to(torch.promote_types(x.dtype, y.dtype)) * (2 if torch.can_cast(x.dtype, y.dtype) else 3),
           t(3, 4), t(4, dtype=torch.float64), others=(t(5, 2), t(2, dtype=torch.float64)))
