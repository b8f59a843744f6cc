# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses and distances, with every reduction."""

import torch
import torch.nn.functional as F
from torch.nn.modules import linear_cross_entropy

from case import ALL, FLOATS, Family, short

FAMILY = Family("loss")
t = FAMILY.tensor
LOOSE = {torch.float16: (3e-3, 3e-3), torch.bfloat16: (2e-2, 3e-2)}
REDUCTIONS = ("none", "mean", "sum")

PAIRS = {
    "mse": lambda x, y, r: F.mse_loss(x, y, reduction=r),
    "l1": lambda x, y, r: F.l1_loss(x, y, reduction=r),
    "smooth_l1": lambda x, y, r: (F.smooth_l1_loss(x, y, reduction=r), F.smooth_l1_loss(x, y, reduction=r, beta=0.3)),
    "huber": lambda x, y, r: (F.huber_loss(x, y, reduction=r), F.huber_loss(x, y, reduction=r, delta=2.0)),
    "kl_div": lambda x, y, r: (F.kl_div(x, y, reduction=r), F.kl_div(x, y, reduction=r, log_target=True)),
    "bce with logits": lambda x, y, r: F.binary_cross_entropy_with_logits(x, y.sigmoid(), reduction=r),
    "bce": lambda x, y, r: F.binary_cross_entropy(x.sigmoid(), y.sigmoid(), reduction=r),
    "poisson": lambda x, y, r: F.poisson_nll_loss(x, y.abs(), reduction=r),
    "soft margin": lambda x, y, r: F.soft_margin_loss(x, y.sign(), reduction=r),
    "hinge embedding": lambda x, y, r: F.hinge_embedding_loss(x, y.sign(), reduction=r),
}
for name, function in PAIRS.items():
    for dtype in FLOATS:
        FAMILY.add(f"{name} {short(dtype)}", lambda x, y, f=function: tuple(f(x, y, r) for r in REDUCTIONS),
                   t(3, 4, dtype=dtype), t(3, 4, dtype=dtype), tolerance=LOOSE.get(dtype))
    FAMILY.sizes(name, lambda x, y, f=function: tuple(f(x, y, r) for r in REDUCTIONS), (3, 4), (3, 4))
for dtype in FLOATS:
    loose = LOOSE.get(dtype)
    FAMILY.add(f"cross_entropy {short(dtype)}", lambda x, y: tuple(
        F.cross_entropy(x, y, reduction=r) for r in REDUCTIONS), t(5, 4, dtype=dtype), t(5, low=0, high=3, dtype=torch.int64),
        tolerance=loose)
    FAMILY.add(f"nll_loss {short(dtype)}", lambda x, y: tuple(F.nll_loss(x, y, reduction=r) for r in REDUCTIONS),
               t(5, 4, dtype=dtype), t(5, low=0, high=3, dtype=torch.int64), tolerance=loose)
    FAMILY.add(f"cosine_similarity {short(dtype)}", lambda x, y: (
        F.cosine_similarity(x, y), F.cosine_similarity(x, y[:1], -1), F.cosine_similarity(x, y, 0, 0.1)),
        t(3, 4, dtype=dtype), t(3, 4, dtype=dtype), tolerance=loose)
    FAMILY.add(f"pairwise_distance {short(dtype)}", lambda x, y: F.pairwise_distance(x, y), t(3, 4, dtype=dtype),
               t(3, 4, dtype=dtype), tolerance=loose)
labels = t(5, low=0, high=3, dtype=torch.int64)
FAMILY.add("cross_entropy options", lambda x, y, w: (
    F.cross_entropy(x, y, w), F.cross_entropy(x, y, ignore_index=2), F.cross_entropy(x, y, label_smoothing=0.1)),
    t(5, 4), labels, t(4, low=0.5, high=1))
FAMILY.add("cross_entropy, every option", lambda x, y, w: tuple(
    F.cross_entropy(x, y, v, ignore_index=2, label_smoothing=s, reduction=r) for r in REDUCTIONS for s in (0.0, 0.2)
    for v in (None, w)), t(5, 4), labels, t(4, low=0.5, high=1))
FAMILY.add("cross_entropy of probabilities, every option", lambda x, y, w: tuple(
    F.cross_entropy(x, y.softmax(1), v, label_smoothing=s, reduction=r) for r in REDUCTIONS for s in (0.0, 0.2)
    for v in (None, w)), t(5, 4), t(5, 4), t(4, low=0.5, high=1))
FAMILY.add("cross_entropy of one row", lambda x, y: F.cross_entropy(x, y), t(4), torch.tensor(2))
FAMILY.add("cross_entropy, dynamic", lambda x, y: F.cross_entropy(x, y), t(5, 4), labels, others=(t(7, 6), labels.repeat(2)[:7]))
FAMILY.add("nll_loss of nothing that counts", lambda x, y: F.nll_loss(x, y, ignore_index=1), t(3, 4),
           torch.ones(3, dtype=torch.int64))
FAMILY.add("bce with weights", lambda x, y, w: (
    F.binary_cross_entropy_with_logits(x, y.sigmoid(), w), F.binary_cross_entropy(x.sigmoid(), y.sigmoid(), w),
    F.binary_cross_entropy_with_logits(x, y.sigmoid(), pos_weight=w), F.binary_cross_entropy_with_logits(
        x, y.sigmoid(), w, pos_weight=w)), t(3, 4), t(3, 4), t(4, low=0.5, high=2))
FAMILY.add("bce at the ends", lambda x, y: F.binary_cross_entropy(x, y, reduction="none"), torch.tensor([0.0, 1.0, 0.0, 1.0]),
           torch.tensor([0.0, 0.0, 1.0, 1.0]))
FAMILY.add("poisson options", lambda x, y: (
    F.poisson_nll_loss(x, y, full=True), F.poisson_nll_loss(x.abs(), y, log_input=False), F.poisson_nll_loss(
        x.abs(), y, log_input=False, full=True, eps=1e-3)), t(3, 4), t(3, 4, low=0, high=6))
FAMILY.add("triplet margin options", lambda x, y, z: (
    F.triplet_margin_loss(x, y, z, swap=True, reduction="none"), F.triplet_margin_loss(x, y, z, 0.5, 1, reduction="sum")),
    t(3, 4), t(3, 4), t(3, 4))
FAMILY.add("pairwise_distance options", lambda x, y: (
    F.pairwise_distance(x, y, 1, keepdim=True), F.pairwise_distance(x[0], y[0], 3.0)), t(3, 4), t(3, 4))
FAMILY.add("cross_entropy of probabilities", lambda x, y: F.cross_entropy(x, y.softmax(1)), t(5, 4), t(5, 4))
FAMILY.add("cross_entropy of pixels", lambda x, y: F.cross_entropy(x, y), t(2, 4, 3, 3), t(2, 3, 3, low=0, high=3, dtype=torch.int64))
FAMILY.add("nll_loss options", lambda x, y, w: (F.nll_loss(x, y, w), F.nll_loss(x, y, ignore_index=1)), t(5, 4), labels,
           t(4, low=0.5, high=1))
for dtype in (torch.int64, torch.int32, torch.uint8):
    FAMILY.add(f"losses of whole numbers {dtype}", lambda x, y, z: (
        F.l1_loss(x, y, reduction="none"), F.l1_loss(x, y, reduction="sum"), F.l1_loss(x, z)), t(3, 4, dtype=dtype), t(3, 4, dtype=dtype), t(3, 4))
FAMILY.add("losses of broadcast operands", lambda x, y: (F.l1_loss(x.expand_as(y), y), F.huber_loss(x.expand_as(y), y)), t(4), t(3, 4))
FAMILY.add("loss 0-d", lambda x, y: tuple(F.mse_loss(x, y, reduction=r) for r in REDUCTIONS), t(), t())
FAMILY.add("loss empty", lambda x, y: tuple(F.mse_loss(x, y, reduction=r) for r in REDUCTIONS), t(0, 3), t(0, 3))
FAMILY.add("loss numbers", lambda x, y: (F.smooth_l1_loss(x, y, reduction="none"), F.huber_loss(x, y, reduction="none")),
           torch.tensor([float("nan"), float("inf"), 1.0, 1.0]), torch.tensor([0.0, 0.0, 0.0, 2.0]))
several_labels = torch.tensor([[0, 2, 2, 1], [3, 1, 0, 3]])  # without -1, which PyTorch's own decomposition gets wrong
FAMILY.add("margins", lambda x, y, c, s: (
    F.cosine_embedding_loss(x, y, s, margin=0.2), F.multi_margin_loss(x, c, p=2, reduction="none"),
    F.multi_margin_loss(x[0], c[0], margin=0.5, weight=y[0]), F.multilabel_margin_loss(x, several_labels, reduction="none"),
    F.multilabel_margin_loss(x[0], several_labels[0])), t(2, 4), t(2, 4), torch.tensor([3, 1]), torch.tensor([1, -1]))
FAMILY.add("cosine_similarity, broadcast", lambda x, y: (F.cosine_similarity(x, y, -1), F.cosine_similarity(x, y, -2)),
           t(2, 3), t(2, 1, 3))
FAMILY.add("cosine_similarity of zeros", lambda x, y: F.cosine_similarity(x, y), torch.zeros(2, 3), t(2, 3))
FAMILY.add("triplet margin", lambda x, y, z: F.triplet_margin_loss(x, y, z), t(3, 4), t(3, 4), t(3, 4))
FAMILY.add("margin ranking", lambda x, y, z: F.margin_ranking_loss(x, y, z.sign(), 0.1), t(4), t(4), t(4))
FAMILY.add("cdist", lambda x, y: torch.cdist(x, y), t(3, 4), t(5, 4))
for dtype in ALL:
    FAMILY.add(f"count_nonzero, aminmax {short(dtype)}", lambda x: (
        x.count_nonzero(), x.count_nonzero(1), x.count_nonzero((0, 2)), *x.aminmax(), *x.aminmax(dim=1),
        *x.aminmax(dim=-1, keepdim=True)), t(3, 4, 5, dtype=dtype))
FAMILY.add("count_nonzero, aminmax 0-d", lambda x: (x.count_nonzero(), *x.aminmax(), *x.aminmax(dim=0)), t())
FAMILY.sizes("count_nonzero, aminmax", lambda x: (x.count_nonzero(), *x.aminmax(), x.count_nonzero(1)), (3, 4))
FAMILY.add("losses of whole numbers", lambda x, y, z: (
    F.margin_ranking_loss(x[0], y[0], z[0], 0.5), F.poisson_nll_loss(x, y), F.poisson_nll_loss(y, x, log_input=False),
    F.pairwise_distance(x, y), F.triplet_margin_loss(x, y, z, 0.5)), *(t(3, 5, dtype=torch.int64, low=1) for _ in range(3)))
FAMILY.add("cosine embedding of whole numbers", lambda x, y, z: F.cosine_embedding_loss(x, y, z, 0.25, reduction="none"),
           torch.tensor([[1, 2], [0, 0], [3, -1]]), torch.tensor([[2, 1], [5, 5], [0, 0]]), torch.tensor([1, -1, 1]))


# ---- A linear layer and cross entropy, a few rows at a time; the op's gradients are results of it ---------------------
BY_ROWS = torch.nn.LinearCrossEntropyOptions(batch_chunk_size=2, chunking_method=None)
by_rows = linear_cross_entropy._linear_cross_entropy_batch_chunked


def gradients(x, w, y, b, c, reduction="mean", asked=(True, True, True)):
    accurate = torch.float32 if x.dtype in (torch.float16, torch.bfloat16) else x.dtype
    return by_rows(x, w, y, b, c, reduction, 2, 0.0, 2, "accurate", accurate, True, *asked)


labels = t(5, low=0, high=3, dtype=torch.int64)
for dtype in FLOATS:
    FAMILY.add(f"linear_cross_entropy by rows {short(dtype)}", lambda x, w, y, b: tuple(
        F.linear_cross_entropy(x, w, y, linear_bias=b, reduction=r, options=BY_ROWS) for r in REDUCTIONS), t(5, 6, dtype=dtype),
        t(4, 6, dtype=dtype), labels, t(4, dtype=dtype), tolerance=LOOSE.get(dtype))
    FAMILY.add(f"linear_cross_entropy by rows, gradients {short(dtype)}", lambda x, w, y, b: gradients(x, w, y, b, None),
               t(5, 6, dtype=dtype), t(4, 6, dtype=dtype), labels, t(4, dtype=dtype), tolerance=LOOSE.get(dtype))
FAMILY.add("linear_cross_entropy by rows, every option", lambda x, w, y, c: (
    *(F.linear_cross_entropy(x, w, y, weight=c, ignore_index=i, reduction=r, options=BY_ROWS) for r in REDUCTIONS for i in (1, -7)),
    *gradients(x, w, y, None, c, "sum", (True, False, False)), *gradients(x, w, y, c, None, "mean", (False, True, True))),
    t(5, 6), t(4, 6), labels, t(4, low=0.5, high=1))
FAMILY.add("linear_cross_entropy by rows, nothing that counts", lambda x, w, y: gradients(x, w, y, w[:, 0], None), t(3, 6), t(4, 6),
           torch.full((3,), 2))
FAMILY.add("linear_cross_entropy by rows, dynamic", lambda x, w, y: gradients(x, w, y, w[:, 0], None), t(5, 6),
           t(4, 6), labels, others=(t(7, 8), t(9, 8), labels.repeat(2)[:7]))
FAMILY.add("smoothed targets of any number of classes", lambda x, y, p: (
    F.cross_entropy(x, y, label_smoothing=0.2), F.cross_entropy(x, p, label_smoothing=0.2), F.cross_entropy(x, p, label_smoothing=0.1, reduction="none")),
    t(4, 5), t(4, low=0, high=2, dtype=torch.int64), t(4, 5, low=0, high=1),
    others=(t(6, 3), t(6, low=0, high=2, dtype=torch.int64), t(6, 3, low=0, high=1)))
