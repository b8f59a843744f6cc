# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that torch.export rewrites before it writes them, or that only decompositions write: called by their own names."""

import torch

from case import Family

FAMILY = Family("direct")
t = FAMILY.tensor
aten = torch.ops.aten

x, y = t(2, 3, 4), t(2, 3, 4)
mask, other = t(2, 3, 4, dtype=torch.bool), t(2, 3, 4, dtype=torch.bool)
channels = (t(2, low=0.5, high=1), t(2), t(2), t(2, low=0.5, high=2))  # weight, bias, mean, variance

FAMILY.add("views that copy", lambda x: (
    aten.view_copy(x, [6, 4]), aten.expand_copy(x, [5, 2, 3, 4]), aten.unsqueeze_copy(x, 1), aten.transpose_copy(x, 0, 2),
    aten.squeeze_copy(x[:1], [0]), aten.select_copy(x, 1, 2), aten.narrow_copy(x, 2, 1, 2), aten.t_copy(x[0]),
    aten._reshape_copy(x, [2, 12]), *aten.split_with_sizes_copy(x, [1, 3], 2), aten.permute_copy(x, [2, 0, 1])), x)
FAMILY.add("pieces", lambda x: (
    *aten.unsafe_split(x, 2, 1), *aten.unsafe_chunk(x, 2, 2), *aten.split.sizes(x, [1, 2], 1), *aten.hsplit.array(x, [1, 2]),
    *aten.vsplit.array(x, [1]), *aten.dsplit.array(x, [1, 3]), *aten.meshgrid(list(x[0, :2]))), x)
FAMILY.add("products", lambda x, y: (aten.vdot(x[0, 0], y[0, 0]), aten.native_channel_shuffle(x.reshape(1, 6, 4), 3)), x, y)
FAMILY.add("prelu kernel", lambda x, w: aten._prelu_kernel(x, w), x, t(1, 3, 1))
FAMILY.add("rms norm", lambda x, w: aten._fused_rms_norm(x, [4], w, 1e-5)[0], x, t(4))
FAMILY.add("native batch norm", lambda x, w, b, m, v: (
    *aten.native_batch_norm(x, w, b, m, v, False, 0.1, 1e-5)[:1], *aten.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-5)),
    t(3, 2, 4), *channels)
FAMILY.add("nll loss", lambda x, i, w: (
    aten.nll_loss(x, i, w), *aten.nll_loss_forward(x, i, w, 1, -100), *aten.nll_loss_forward(x, i, None, 0, 2),
    *aten.nll_loss_forward(x, i, w, 2, 1)), t(5, 4), t(5, low=0, high=3, dtype=torch.int64), t(4, low=0.5, high=1))
FAMILY.add("nll loss of pixels", lambda x, i: (aten.nll_loss2d(x, i), *aten.nll_loss2d_forward(x, i, None, 1, 3)), t(2, 4, 3, 3),
           t(2, 3, 3, low=0, high=3, dtype=torch.int64))
FAMILY.add("any and all of no dims", lambda m: (torch.any(m, dim=()), torch.all(m, dim=())), mask)
FAMILY.add("any and all", lambda m: (m.any(), m.all(), m.any(1), m.all(1, keepdim=True), torch.any(m, dim=(0, 2))), mask)
FAMILY.add("bits", lambda a, b: (a & b, a | b, a ^ b, ~a), t(5, dtype=torch.int32), t(5, dtype=torch.int32))
FAMILY.add("bits of i64", lambda a, b: (a & b, a | b, a ^ b, ~a, a & 6), t(5, dtype=torch.int64), t(5, dtype=torch.int64))
FAMILY.add("logic", lambda a, b: (a & b, a | b, a ^ b, ~a, a.logical_xor(b)), mask, other)
FAMILY.add("elementary", lambda x: (x.ceil(), x.floor(), x.cos(), x.sin(), x.erf(), x.reciprocal(), x.neg(), x.abs()), x)
FAMILY.add("sums", lambda x: (x.sum(), x.sum(1), x.sum((0, 2), keepdim=True), x.prod(1), x.max(), x.min(), x.amax((0, 1))), x)
FAMILY.add("extremes of integers", lambda x: (x.max(), x.min(), x.amax(1), x.amin((0, 2), keepdim=True)),
           t(2, 3, 4, dtype=torch.int64))
FAMILY.add("exp of log", lambda x: (x.log().exp(), x.exp().log()), torch.tensor([-1.0, 0.0, 2.0, 1000.0, float("inf")]))
FAMILY.add("zero times", lambda x: (x * 0, 0 * x, x * torch.zeros(4), x + 0, (x + torch.zeros(())).reciprocal()),
           torch.tensor([float("nan"), float("inf"), -0.0, 1.0]))
FAMILY.add("rows of infinities", lambda x: (x.amax(1), x.amin(1), x.max(), torch.nn.functional.max_pool1d(x[None], 2)),
           torch.tensor([[-float("inf")] * 4, [float("inf")] * 4, [-float("inf"), 1.0, float("nan"), 2.0]]))
FAMILY.add("variances", lambda x: (
    x.var(), x.std(), x.var(1), x.std(1, keepdim=True), x.var((0, 2), correction=0), *torch.var_mean(x, 1),
    *torch.std_mean(x, (0, 1), correction=2), *torch.var_mean(x), x.var(1, unbiased=False), x.std(unbiased=False)), x)
FAMILY.sizes("variances of rows", lambda x: (x.var(), x.std(1), *torch.var_mean(x, 0), x.var(1, correction=0)), (3, 4))
FAMILY.add("one_hot", lambda i: torch.nn.functional.one_hot(i, 5), t(4, low=0, high=4, dtype=torch.int64))
FAMILY.add("einsum", lambda x, y: (
    torch.einsum("abc,abd->acd", x, y), torch.einsum("abc->ca", x), torch.einsum("ab,bc", x[0], y[0].T), torch.einsum(
        "...c,...c->...", x, y)), x, y)
FAMILY.add("einsum of a diagonal", lambda x: torch.einsum("ii->i", x), t(3, 3))
