# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that few models have, each on inputs of many elements beside eager, which shows what grows faster than PyTorch's does.

    python tests/bench/large_ops.py --build build [--only GLOB] [--threads N] [--seconds S] [--least RATIO]

A line for each: the least time of a run in milliseconds, eager's and ours, and the second over the first; sorted by that at the end,
from RATIO (2) on. Needs PyTorch; measures, and judges nothing.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from common_ops import measure, parser_of

torch.manual_seed(0)
N = 100_000
L, special = torch.linalg, torch.special
LONG, OTHER, PLACES, WHOLE = torch.randn(N), torch.randn(N), torch.randint(0, N, (N,)), torch.randint(0, 1000, (N,))
ROWS, SQUARE, IMAGE, STEPS = torch.randn(1000, 200), torch.randn(300, 300), torch.randn(1, 8, 128, 128), torch.randn(64, 1000, 32)
SYMMETRIC = SQUARE @ SQUARE.T + 300 * torch.eye(300)
SMALL, COMPLEX, LABELS = torch.randn(1000, 8, 8), torch.randn(N, dtype=torch.complex64), torch.randint(0, 200, (1000,))
GRID = F.affine_grid(torch.tensor([[[0.9, 0.1, 0.0], [0.0, 1.0, 0.0]]]), [1, 8, 128, 128], align_corners=False)

ORDER = {
    "sort": (lambda x: x.sort(), LONG), "sort rows": (lambda x: x.sort(1), ROWS), "sort columns": (lambda x: x.sort(0), ROWS),
    "topk 10": (lambda x: x.topk(10), LONG), "topk 1000": (lambda x: x.topk(1000), LONG), "topk of rows": (lambda x: x.topk(10, 1), ROWS),
    "topk of short rows": (lambda x: x.topk(2), SMALL), "kthvalue": (lambda x: x.kthvalue(5000), LONG),
    "median": (lambda x: x.median(), LONG), "median of rows": (lambda x: x.median(1), ROWS), "nanmedian": (lambda x: x.nanmedian(), LONG),
    "mode": (lambda x: x.mode(), WHOLE), "quantile": (lambda x: x.quantile(0.3), LONG),
    "unique": (lambda x: x.unique(return_inverse=True, return_counts=True), WHOLE),
    "unique_consecutive": (torch.unique_consecutive, WHOLE), "unique rows": (lambda x: x.round().unique(dim=0), ROWS),
    "isin": (torch.isin, WHOLE, PLACES), "isin of five": (torch.isin, WHOLE, PLACES[:5]),
    "searchsorted": (torch.searchsorted, LONG.sort().values, OTHER), "bucketize": (torch.bucketize, LONG, OTHER[:100].sort().values),
    "cummax": (lambda x: x.cummax(0), LONG), "cumsum": (lambda x: x.cumsum(0), LONG), "logcumsumexp": (lambda x: x.logcumsumexp(0), LONG),
    "bincount": (lambda x: x.bincount(minlength=1000), WHOLE), "histc": (lambda x: x.histc(100, -3, 3), LONG),
}
PLACED = {
    "index_add": (lambda x, i, y: x.index_add(0, i, y), LONG, PLACES, OTHER),
    "scatter_add": (lambda x, i, y: x.scatter_add(0, i, y), LONG, PLACES, OTHER),
    "index_put": (lambda x, i, y: x.index_put((i,), y, accumulate=True), LONG, PLACES, OTHER),
    "gather": (lambda x, i: x.gather(0, i), LONG, PLACES),
    "scatter_reduce": (lambda x, i, y: x.scatter_reduce(0, i, y, "amax"), LONG, PLACES, OTHER),
    "nonzero": (lambda x: (x > 0).nonzero(), LONG), "masked_select": (lambda x: x[x > 0], LONG),
    "masked_scatter": (lambda x, y: x.masked_scatter(x > 0, y), LONG, OTHER),
    "repeat_interleave": (lambda x, n: x.repeat_interleave(n % 3), LONG, WHOLE), "roll": (lambda x: x.roll(37), LONG),
    "one_hot": (lambda x: F.one_hot(x % 100, 100), WHOLE),
    "embedding_bag": (lambda i, w: F.embedding_bag(i % 300, w, torch.arange(0, N, 10)), WHOLE, SQUARE),
    "diag_embed": (lambda x: x[:1000].diag_embed(), LONG),
}
def shuffled(x: torch.Tensor) -> torch.Tensor:
    return x.view(x.shape[0], 4, -1, *x.shape[2:]).transpose(1, 2).reshape(x.shape)


MOVED = {
    "reflect 1d": (lambda x: F.pad(x, (4, 4), mode="reflect"), STEPS), "reflect 2d": (lambda x: F.pad(x, (1, 1, 1, 1), mode="reflect"), IMAGE),
    "reflect 3d": (lambda x: F.pad(x, (1,) * 6, mode="reflect"), IMAGE.view(1, 1, 8, 128, 128)),
    "replicate 2d": (lambda x: F.pad(x, (1, 1, 1, 1), mode="replicate"), IMAGE),
    "circular 2d": (lambda x: F.pad(x, (1, 1, 1, 1), mode="circular"), IMAGE), "constant 2d": (lambda x: F.pad(x, (1, 1, 1, 1)), IMAGE),
    "roll of both": (lambda x: x.roll((3, 5), (2, 3)), IMAGE), "roll of rows": (lambda x: x.roll(7, 1), ROWS),
    "flip of both": (lambda x: x.flip(2, 3), IMAGE), "rot90": (lambda x: x.rot90(1, (2, 3)), IMAGE), "transpose": (lambda x: x.mT.contiguous(), IMAGE),
    "cat of rows": (lambda x: torch.cat([x, x + 1], 1), ROWS), "cat of channels": (lambda x: torch.cat([x, x + 1], 1), IMAGE),
    "index_select": (lambda x, i: x.index_select(1, i), STEPS, WHOLE[:1000]),
    "gather of rows": (lambda x, i: x.gather(1, i), ROWS, WHOLE.view(1000, 100) % 200), "channel shuffle": (shuffled, IMAGE),
    "outer": (torch.outer, LONG[:1000], OTHER[:1000]), "outer by views": (lambda x, y: x[:, None] * y[None], LONG[:1000], OTHER[:1000]),
    "copy": (torch.clone, IMAGE),
}
MATRICES = {
    "cdist": (lambda x: torch.cdist(x, x), ROWS), "differences": (lambda x: ((x[:, None] - x[None]) ** 2).sum(-1), ROWS),
    "pdist": (F.pdist, ROWS), "cholesky": (L.cholesky, SYMMETRIC), "inv": (L.inv, SYMMETRIC),
    "solve": (lambda a: L.solve(a, a[:, :4]), SYMMETRIC), "slogdet": (L.slogdet, SYMMETRIC), "qr": (L.qr, SQUARE), "lu": (L.lu, SQUARE),
    "triangular": (lambda a: L.solve_triangular(a.tril(), a, upper=False), SYMMETRIC), "eigh": (L.eigvalsh, SYMMETRIC),
    "svd": (L.svdvals, SQUARE), "pinv": (L.pinv, SQUARE), "matrix_exp": (lambda a: L.matrix_exp(a / 1000), SYMMETRIC),
    "nuclear norm": (lambda a: L.matrix_norm(a, "nuc"), SQUARE), "inv of many": (L.inv, SMALL),
    "eigh of many": (lambda a: L.eigvalsh(a @ a.mT), SMALL), "svd of many": (L.svdvals, SMALL), "det of many": (L.det, SMALL),
    "complex product": (lambda x: x @ x, COMPLEX[:90_000].view(300, 300)),
    "whole product": (lambda x: x @ x, WHOLE[:90_000].view(300, 300)), "double product": (lambda x: x @ x, SQUARE.double()),
    "einsum": (lambda a: torch.einsum("ij,jk,ik->i", a, a, a), SQUARE), "kron": (lambda a: torch.kron(a[:20, :20], a[:20, :20]), SQUARE),
}
SIGNALS = {
    "fft": (torch.fft.fft, LONG), "rfft": (torch.fft.rfft, LONG), "irfft": (lambda x: torch.fft.irfft(torch.fft.rfft(x)), LONG),
    "fft of rows": (torch.fft.fft, COMPLEX[:65536].view(64, 1024)), "rfft of rows": (torch.fft.rfft, LONG[:65536].view(64, 1024)),
    "irfft of rows": (torch.fft.irfft, COMPLEX[:64 * 513].view(64, 513)),
    "convolution by fft": (lambda x, w: torch.fft.irfft(torch.fft.rfft(x, n=4096) * torch.fft.rfft(w, n=4096)),
                           LONG[:32768].view(16, 2048), OTHER[:32768].view(16, 2048)),
    "fft2": (torch.fft.fft2, IMAGE), "fft of a prime": (lambda x: torch.fft.fft(x[:99_991]), LONG),
    "stft": (lambda x: torch.stft(x, 512, 128, window=torch.hann_window(512), return_complex=True), LONG),
    "conv1d by input": (lambda x: F.conv1d(x.view(1, 1, -1), x[:512].view(1, 1, -1)), LONG),
    "conv3d by input": (F.conv3d, IMAGE.view(1, 8, 8, 64, 32), torch.randn(8, 8, 3, 3, 3)),
    "transposed by input": (lambda x, w: F.conv_transpose2d(x, w, stride=2, padding=1), IMAGE, torch.randn(8, 8, 4, 4)),
    "grid_sample": (lambda x, g: F.grid_sample(x, g, align_corners=False), IMAGE, GRID),
    "grid_sample mirrored": (lambda x, g: F.grid_sample(x, g, padding_mode="reflection", align_corners=False), IMAGE, GRID),
    "grid_sample nearest": (lambda x, g: F.grid_sample(x, g, mode="nearest", align_corners=False), IMAGE, GRID),
    "bicubic": (lambda x: F.interpolate(x, scale_factor=2, mode="bicubic"), IMAGE),
    "bilinear": (lambda x: F.interpolate(x, size=(200, 177), mode="bilinear"), IMAGE),
    "antialias": (lambda x: F.interpolate(x, size=(50, 47), mode="bilinear", antialias=True), IMAGE),
    "unfold": (lambda x: F.unfold(x, 3), IMAGE), "fold": (lambda x: F.fold(F.unfold(x, 3), (128, 128), 3), IMAGE),
    "max_unpool": (lambda x: F.max_unpool2d(*F.max_pool2d(x, 2, return_indices=True), 2), IMAGE),
    "maxima and places": (lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True), IMAGE),
    "adaptive maxima": (lambda x: F.adaptive_max_pool2d(x, 7), IMAGE),
    "equal adaptive maxima": (lambda x: F.adaptive_max_pool2d(x, 16), IMAGE),
    "local_response_norm": (lambda x: F.local_response_norm(x, 5), IMAGE),
}
NUMBERS = {
    "erfinv": (lambda x: x.tanh().erfinv(), LONG), "lgamma": (torch.lgamma, LONG), "digamma": (torch.digamma, LONG),
    "polygamma": (lambda x: torch.polygamma(2, x.abs() + 1), LONG),
    "igamma": (lambda x, y: torch.igamma(x.abs() + 0.1, y.abs()), LONG, OTHER),
    "zeta": (lambda x, y: special.zeta(x.abs() + 1.5, y.abs() + 1), LONG, OTHER), "bessel_j0": (special.bessel_j0, LONG),
    "i0e": (special.i0e, LONG), "ndtri": (lambda x: special.ndtri(x.sigmoid()), LONG), "log_ndtr": (special.log_ndtr, LONG),
    "erfcx": (special.erfcx, LONG), "pow": (lambda x, y: x.abs() ** y, LONG, OTHER), "atan2": (torch.atan2, LONG, OTHER),
    "fmod": (torch.fmod, LONG, OTHER), "remainder": (torch.remainder, LONG, OTHER), "gcd": (torch.gcd, WHOLE, PLACES),
    "sin of much": (lambda x: (x * 1e6).sin(), LONG), "tan": (torch.tan, LONG),
    "whole quotients": (lambda x, y: x // (y + 1), PLACES, WHOLE), "complex pow": (lambda x: x**x, COMPLEX),
    "complex exp": (torch.exp, COMPLEX), "complex sqrt": (torch.sqrt, COMPLEX), "logaddexp": (torch.logaddexp, LONG, OTHER),
    "nextafter": (torch.nextafter, LONG, OTHER), "frexp": (torch.frexp, LONG),
}
LOSSES = {
    "ctc_loss": (lambda x: F.ctc_loss(x.log_softmax(-1), torch.ones(16, 20, dtype=torch.int64), torch.full((16,), 100), torch.full((16,), 20)),
                 STEPS[:5, :320].reshape(100, 16, 32)),
    "cross_entropy": (F.cross_entropy, ROWS, LABELS), "multi_margin_loss": (F.multi_margin_loss, ROWS, LABELS),
    "triplet": (lambda x: F.triplet_margin_loss(x, x.flip(0), x.roll(1, 0)), ROWS),
    "cosine_similarity": (lambda x: F.cosine_similarity(x, x.flip(0)), ROWS), "softmax": (lambda x: x.softmax(0), LONG),
    "renorm": (lambda x: x.renorm(2, 0, 1), ROWS), "var": (lambda x: x.var(), LONG),
    "layer_norm": (lambda x: F.layer_norm(x, (32,)), STEPS), "attention": (lambda x: F.scaled_dot_product_attention(x, x, x), STEPS[:8]),
}
OPS: dict[str, tuple] = ORDER | PLACED | MOVED | MATRICES | SIGNALS | NUMBERS | LOSSES


def main() -> None:
    args = parser_of(__doc__, 2).parse_args()
    measure((((name, function, tuple(inputs)), None) for name, (function, *inputs) in OPS.items()), args, False)


if __name__ == "__main__":
    main()
