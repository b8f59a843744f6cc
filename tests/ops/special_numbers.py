# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers at the edges: NaN, infinities, zeros, subnormals and the ends of whole numbers, in ops that decide by them."""

import torch

from case import FLOATS, Family, short

FAMILY = Family("special_numbers")
NAN, INF = float("nan"), float("inf")


def both(function):
    return lambda a, b: (function(a, b), function(a, b, right=True))


keys = torch.tensor([NAN, 0.0, 1.0, 2.5, 9.0, -INF, INF])
for dtype in FLOATS:
    bounds = [torch.tensor(numbers, dtype=dtype) for numbers in ([1.0, 2.0, NAN], [1.0, 2.0, 3.0], [-INF, 2.0, INF])]
    FAMILY.add(f"bucketize {short(dtype)}", both(torch.bucketize), keys.to(dtype), bounds[0],
               more=tuple((keys.to(dtype), other) for other in bounds[1:]))
    FAMILY.add(f"bucketize, dynamic {short(dtype)}", both(torch.bucketize), keys.to(dtype), bounds[0],
               others=(keys.to(dtype)[:5], bounds[1]))
rows = torch.tensor([[1.0, 2.0, NAN], [1.0, 2.0, 2.0]])
wanted = torch.tensor([[NAN, 0.0, 1.0], [2.5, 9.0, 2.0]])
FAMILY.add("searchsorted", lambda a, b: (torch.searchsorted(a, b), torch.searchsorted(a, b, right=True)), rows, wanted,
           more=((rows, wanted.flip(0)), (rows, wanted * NAN)))
FAMILY.add("fake_quantize f64", lambda x, s: (
    torch.fake_quantize_per_tensor_affine(x, 0.05, 1, -128, 127), torch.fake_quantize_per_tensor_affine(x, s[1], torch.tensor(2), -8, 7),
    torch.fake_quantize_per_channel_affine(x, s, torch.zeros(3, dtype=torch.int32), 0, -8, 7)), FAMILY.tensor(3, 5).double(),
           torch.tensor([0.05, 0.3, 0.7]), tolerance=(1e-12, 0))
near = torch.tensor([-1e-30, -1e-8, -0.5, -1.0000001, 1e-8, -2.9999998, 0.0, -0.0, -1.0, NAN, INF, -INF])
FAMILY.add("digamma f32", torch.digamma, near, more=((near * 1.5,), (near.roll(1),)))
FAMILY.add("digamma f64", torch.digamma, near.double(), more=((near.double() * 1e-5,), (near.double() * 1e-250,)),
           tolerance=(1e-9, 0))
quantize = lambda x: torch.fake_quantize_per_tensor_affine(x, 0.1, 0, -128, 127)  # noqa: E731
FAMILY.add("fake_quantize", quantize, torch.tensor([NAN, INF, -INF, 1.0, -99.0]),
           more=((torch.tensor([1.0, NAN, NAN, 0.05, -0.05]),), (torch.zeros(5),)))
FAMILY.add("fake_quantize, mask", lambda x: torch.ops.aten.fake_quantize_per_tensor_affine_cachemask(x, 0.1, 0, -128, 127),
           torch.tensor([NAN, INF, -INF, 1.0, -99.0]), more=((torch.tensor([1.0, NAN, 99.0, 0.05, -0.05]),), (torch.zeros(5),)))
ends = torch.tensor([-2**63, -2**63, 2**62, 2**62, 0], dtype=torch.int64)
others = torch.tensor([0, -2**63, 3, 6, -2**63], dtype=torch.int64)
FAMILY.add("gcd, lcm", lambda a, b: (torch.gcd(a, b), torch.lcm(a, b)), ends, others,
           more=((others, ends), (ends.flip(0), ends), (ends, torch.ones_like(ends))))
deviations = lambda x: (x.var(1, correction=-5), x.std(1, correction=-5), x.var(1, correction=0), x.var(1))  # noqa: E731
FAMILY.add("var of nothing", deviations, torch.rand(2, 0))
FAMILY.add("var of what may be nothing", deviations, torch.rand(2, 3), others=(torch.rand(4, 0),))
normalise = lambda x, m, v: torch.ops.aten._native_batch_norm_legit_functional(  # noqa: E731
    x, None, None, m, v, True, 0.1, 1e-5)
FAMILY.add("batch_norm", normalise, *(torch.rand(n, generator=FAMILY.random) for n in ((2, 3, 4), (3,), (3,))),
           others=tuple(torch.rand(n, generator=FAMILY.random) for n in ((5, 3, 4), (3,), (3,))))
image = torch.rand(1, 1, 4, 4, generator=FAMILY.random)
places = torch.tensor([[[[NAN, 0.0], [0.0, NAN], [0.3, 0.2], [INF, 0.0], [-INF, 0.1], [NAN, NAN]]]])
for mode in ("bilinear", "nearest", "bicubic"):
    for padding in ("zeros", "border", "reflection"):
        FAMILY.add(f"grid_sample {mode} {padding}",
                   lambda x, g, m=mode, p=padding: torch.nn.functional.grid_sample(x, g, m, p, align_corners=False), image,
                   places, more=((image, places.flip(2)), (image, torch.zeros_like(places))))
for dtype in (torch.int8, torch.int16, torch.int32):
    low, high = torch.iinfo(dtype).min, torch.iinfo(dtype).max
    a = torch.tensor([low, low, low, high, low + 1, 6, 0, low, high], dtype=dtype)
    b = torch.tensor([high, 6, low, low, 6, low, low, 0, high - 1], dtype=dtype)
    FAMILY.add(f"gcd at the ends {short(dtype)}", torch.gcd, a, b, more=((b, a), (a.roll(2), b)))
    c, d = (torch.where(x == low, low + 2, x) for x in (a, b))  # eager dies where a lowest number meets a divisor of -1
    FAMILY.add(f"lcm beyond the ends {short(dtype)}", torch.lcm, c, d, more=((d, c), (c.roll(2), d)))
tiny = torch.tensor([1e-40, -1e-40, 1e-41, 3e-45, 9.1835e-41, -4.6e-41, 1.4e-41, 1.17549435e-38, 0.0, -0.0, NAN, INF, 3.4e38])
FAMILY.add("subnormal numbers to bfloat16", lambda x: (x.to(torch.bfloat16), (x.double() * 3).to(torch.bfloat16), x.to(torch.bfloat16) * 3), tiny,
           more=((tiny * 1.7,), (-tiny,)), tolerance=(0, 0))
holes = torch.tensor([[1, NAN, NAN, -2.0], [NAN, NAN, NAN, NAN], [3, 1, 2, 0], [3, 1, 2, NAN]])
FAMILY.add("median with NaN", lambda x: (*x.median(1), *x.median(0), x.median()), holes, more=((holes.flip(1),), (holes.nan_to_num(7),)))
def holed_like(*shape: int, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """Several NaN and several equal numbers in whatever window one looks through."""
    x = torch.randn(shape, generator=FAMILY.random).to(dtype)
    return torch.where(x > 0.4, NAN, torch.where(x < -1, -INF, x.round()))


for dtype in (torch.float32, torch.float64, torch.bfloat16):
    for n, sizes in ((1, (13,)), (2, (7, 8)), (3, (5, 6, 7))):
        pool, adaptive = (getattr(torch.nn.functional, f"{kind}max_pool{n}d") for kind in ("", "adaptive_"))
        FAMILY.add(f"places of several NaN, pools {n}d {short(dtype)}", lambda x, p=pool, a=adaptive: (
            *p(x, 3, 2, 1, return_indices=True), *p(x, 2, 1, 0, 2, return_indices=True), *p(x, 3, 2, 1, ceil_mode=True, return_indices=True),
            *a(x, 3, return_indices=True), *a(x, 1, return_indices=True)), holed_like(2, 3, *sizes, dtype=dtype),
            more=tuple((holed_like(2, 3, *sizes, dtype=dtype),) for _ in range(3)))
        FAMILY.add(f"places of several NaN, pools {n}d {short(dtype)}, dynamic", lambda x, p=pool: (*p(x, 3, 2, 1, return_indices=True),),
                   holed_like(2, 3, *sizes, dtype=dtype), others=(holed_like(3, 3, *(s + 4 for s in sizes), dtype=dtype),))
        if n > 1 and dtype != torch.bfloat16:
            fractional = getattr(torch.nn.functional, f"fractional_max_pool{n}d")
            FAMILY.add(f"places of several NaN, fractional {n}d {short(dtype)}", lambda x, s, f=fractional: (
                *f(x, 2, 3, return_indices=True, _random_samples=s), *f(x, 3, 2, return_indices=True, _random_samples=s)),
                holed_like(2, 3, *sizes, dtype=dtype), torch.rand(2, 3, n, dtype=dtype, generator=FAMILY.random),
                more=tuple((holed_like(2, 3, *sizes, dtype=dtype), torch.rand(2, 3, n, dtype=dtype, generator=FAMILY.random)) for _ in range(3)))
    FAMILY.add(f"places of several NaN {short(dtype)}", lambda x: (
        x.argmax(), x.argmin(), x.argmax(1), x.argmin(0), *x.max(0), *x.min(1), *x.cummax(0), *x.cummax(1), *x.cummin(1), *x.sort(stable=True, dim=1),
        *x.sort(stable=True, dim=0, descending=True), x.argsort(stable=True, dim=1), x.topk(3).values, x.kthvalue(2, 0).values, x.median(1).values,
        x.nanmedian(1).values, torch.searchsorted(x.sort(1).values, x), torch.bucketize(x, x.new_tensor([-1, 0, NAN])),
        x.isnan().nonzero(), x.aminmax(dim=1).max), holed_like(6, 9, dtype=dtype),
        more=tuple((holed_like(6, 9, dtype=dtype),) for _ in range(3)))
whole = torch.randn(3, 3, generator=FAMILY.random)
whole = whole + whole.T + 4 * torch.eye(3)
holed = whole.clone()
holed[0, 1] = holed[1, 0] = NAN
FAMILY.add("determinants of NaN", lambda x: (torch.linalg.det(x), *torch.linalg.slogdet(x), torch.linalg.solve(x, x[0]).isnan().any()), whole,
           more=((holed,), (holed.flip(0),)))
for name, function in {"svdvals": torch.linalg.svdvals, "eigvalsh": torch.linalg.eigvalsh, "matrix_rank": torch.linalg.matrix_rank}.items():
    FAMILY.add(f"{name} of NaN is refused", function, whole, more=((holed,), (holed.flip(0) + holed.flip(0).T,)))
empty = torch.full((3, 3), NAN)
FAMILY.add("rows exchanged for NaN", lambda x: (torch.linalg.lu(x)[0].sum(1), torch.linalg.inv_ex(x)[0].isnan().any()), whole,
           more=((empty,),))
for n in (1, 2, 3, 5, 16, 17, 33):  # where LAPACKs leave out what they know to be multiplied by 0; beyond 16 NaN is the largest
    given = []
    for k in range(8):
        matrix = torch.randn(n, n, generator=FAMILY.random)
        matrix[torch.randint(0, n, (1,), generator=FAMILY.random), torch.randint(0, n, (1,), generator=FAMILY.random)] = (NAN, INF, -INF)[k % 3]
        given.append((matrix, torch.randn(n, 2, generator=FAMILY.random)))
    FAMILY.add(f"factors of NaN and infinities {n}", lambda a, b: (
        *torch.linalg.lu_factor(a), torch.linalg.inv_ex(a)[0], torch.linalg.solve_ex(a, b)[0], torch.linalg.det(a), *torch.linalg.slogdet(a)),
        *given[0], more=tuple(given[1:]), tolerance=(1e-3, 1e-3) if n > 5 else None)
    FAMILY.add(f"solutions of NaN and infinities {n}", lambda a, b: (
        torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b), torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b, adjoint=True),
        torch.linalg.lu_solve(*torch.linalg.lu_factor(a), b.mT, left=False)),
        torch.eye(n) * 2, torch.ones(n, 2), more=((torch.eye(n) + 1, torch.full((n, 2), NAN)), given[1], given[2]),
        tolerance=(1e-3, 1e-3) if n > 5 else None)
for n in (1, 3, 5, 17, 33):
    given, clean = [], torch.randn(n, n, generator=FAMILY.random) / n + 2 * torch.eye(n)
    for k in range(n > 1, min(n, 4)):
        matrix = clean.clone()
        matrix[n - 1, k] = matrix[k, n - 1] = NAN
        given.append((matrix,))
    qr, cholesky = torch.linalg.qr, torch.linalg.cholesky
    FAMILY.add(f"QR of NaN {n}", lambda x, n=n: (*qr(x), qr(x, "r")[1], *qr(x[:, :n // 2 + 1], "complete"), qr(x[:n // 2 + 1])[1]), clean, more=tuple(given),
               tolerance=(1e-3, 1e-3))
    FAMILY.add(f"Cholesky of NaN is refused {n}", lambda x: cholesky(x @ x.mT), clean, more=tuple(given), tolerance=(1e-3, 1e-3))
    other = torch.full((n, n), NAN).triu(1)
    FAMILY.add(f"the other triangle has NaN {n}", lambda x, y: (torch.linalg.eigvalsh(x @ x.mT + y), cholesky(x @ x.mT + y), torch.linalg.eigvalsh(
        x @ x.mT + y.mT, UPLO="U")), clean, other, more=((clean, other * 0),), tolerance=(1e-3, 1e-3))
    factors = []
    for k in range(6):
        matrix = clean.clone()
        for _ in range(k % 3 + 1):
            matrix[torch.randint(0, n, (1,), generator=FAMILY.random), torch.randint(0, n, (1,), generator=FAMILY.random)] = NAN
        factors.append((matrix, torch.randn(n, 2, generator=FAMILY.random)))
    FAMILY.add(f"by a Cholesky factor with NaN {n}", lambda a, b: (
        torch.cholesky_inverse(a), torch.cholesky_inverse(a, upper=True), torch.cholesky_inverse(a.cdouble()),
        torch.cholesky_solve(b, a), torch.cholesky_solve(b, a, upper=True)), clean, torch.ones(n, 2), more=tuple(factors), tolerance=(1e-3, 1e-3))
for n in (3, 9, 33):  # above some size by LAPACK, where all is finite
    clean, sides = torch.randn(n, n, generator=FAMILY.random) / n + 2 * torch.eye(n), torch.randn(n, 6, generator=FAMILY.random)
    given = []
    for row, column, number in ((1, 1, 0.0), (2, 2, 1e-39), (n - 1, 0, NAN), (0, n - 1, NAN), (n - 1, n - 1, INF), (0, 0, -0.0)):
        matrix = clean.clone()
        matrix[row, column] = number
        given.append((matrix, sides))
    for row, number in ((0, NAN), (n - 1, INF), (n // 2, -INF), (1, 3e38)):
        changed = sides.clone()
        changed[row, row % 6] = number
        given.append((clean, changed))
    FAMILY.add(f"triangles of zeros, NaN and infinities {n}", lambda a, b: (
        torch.linalg.solve_triangular(a, b, upper=True), torch.linalg.solve_triangular(a, b, upper=False),
        torch.linalg.solve_triangular(a, b.mT, upper=True, left=False),
        torch.linalg.solve_triangular(a, b, upper=False, unitriangular=True)), clean, sides, more=tuple(given), tolerance=(1e-3, 1e-3))
    FAMILY.add(f"the exponential of NaN and infinities {n}", lambda x: torch.linalg.matrix_exp(x).isfinite().all(), clean, more=tuple(
        (clean * number,) for number in (NAN, INF, 1e30, 0.0)))
ends = torch.tensor([INF, -INF, NAN, 0.0, 800.0, -800.0, 2.5])
for name in ("i0", "i0e", "i1", "i1e", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1",
             "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "spherical_bessel_j0"):
    FAMILY.add(f"{name} at its ends", lambda x, f=getattr(torch.special, name): (f(x), f(x.double())), ends, more=((-ends,), (ends.flip(0),)))
FAMILY.add("airy_ai at its ends", lambda x: (torch.special.airy_ai(x), torch.special.airy_ai(x.double())), ends[:4], more=((-ends[:4],), (ends[1:5] / 400,)))
scores = torch.tensor([[INF, 0.0, 1.0], [-INF, 2.0, INF], [NAN, 1.0, 2.0], [1.0, NAN, -0.5], [INF, INF, INF], [-INF, -INF, -INF], [0.3, -0.2, 0.1]])
classes, labels = torch.tensor([0, 1, 0, 2, 1, 2, 0]), torch.tensor([[0, -1, 0], [2, 1, -1], [1, -1, 0], [2, 0, -1], [0, 1, -1], [1, -1, -1], [2, 1, 0]])
signs = torch.tensor([1.0, -1, 1, -1, 1, -1, 1])
loss = torch.nn.functional
for name, function in {
        "multi_margin": lambda x, y: (loss.multi_margin_loss(x, classes, reduction="none"), loss.multi_margin_loss(x, classes, p=2, margin=0.5)),
        "multilabel_margin": lambda x, y: loss.multilabel_margin_loss(x, labels, reduction="none"),
        "hinge_embedding": lambda x, y: loss.hinge_embedding_loss(x[:, 0], signs, reduction="none"),
        "margin_ranking": lambda x, y: loss.margin_ranking_loss(x[:, 0], y[:, 1], signs, margin=0.1, reduction="none"),
        "soft_margin": lambda x, y: loss.soft_margin_loss(x[:, 0], signs, reduction="none"),
        "huber": lambda x, y: (loss.huber_loss(x, y, reduction="none"), loss.smooth_l1_loss(x, y, reduction="none")),
        "mse": lambda x, y: (loss.mse_loss(x, y, reduction="none"), loss.l1_loss(x, y, reduction="none")),
        "poisson": lambda x, y: (loss.poisson_nll_loss(x, y, reduction="none"), loss.poisson_nll_loss(x, y, full=True, reduction="none")),
        "kl_div": lambda x, y: (loss.kl_div(x, y, reduction="none"), loss.kl_div(x, y, reduction="none", log_target=True)),
        "logits": lambda x, y: loss.binary_cross_entropy_with_logits(x, y, reduction="none"),
        "cross_entropy": lambda x, y: (loss.cross_entropy(x, classes, reduction="none"), loss.cross_entropy(x, classes, label_smoothing=0.1)),
        "triplet": lambda x, y: loss.triplet_margin_loss(x, y, y.flip(0), reduction="none"),
        "multilabel_soft_margin": lambda x, y: loss.multilabel_soft_margin_loss(x, y, reduction="none")}.items():
    FAMILY.add(f"{name} loss of NaN and infinities", function, scores, scores.flip(1), more=((scores.flip(0), scores), (scores, scores.roll(1, 0))),
               is_whole=name.startswith("multi"))  # PyTorch's decomposition clamps, where its kernels compare
for n in (1, 2, 4):  # a root of unity that is 0, or has a part that is 0, lets nothing through
    rows = [torch.arange(1.0, n + 1).index_fill(0, torch.tensor([k]), x) for x in (NAN, INF, -INF) for k in range(n)]
    rows = torch.stack([*rows, torch.full([n], INF), torch.tensor([INF, -INF, 1.0, NAN][:n]), torch.tensor([1.0, INF, 2.0, INF][:n])])
    FAMILY.add(f"fft of length {n}", lambda x, y, n=n: (
        torch.fft.fft(x), torch.fft.ifft(x), torch.fft.rfft(x), torch.fft.ihfft(x), torch.fft.fft(torch.complex(x, y)),
        torch.fft.ifft(torch.complex(y, x), norm="ortho"), torch.fft.irfft(torch.complex(x, y)[:, :n // 2 + 1], n),
        torch.fft.hfft(torch.complex(y, x)[:, :n // 2 + 1], n)),
               rows, torch.full_like(rows, 0.5), more=((rows.flip(0), rows.flip(1)), (rows.flip(1), torch.ones_like(rows))))
one = torch.tensor(2.5)
FAMILY.add("softmax and its kin of one number", lambda x: (
    x.softmax(0), x.log_softmax(0), torch.nn.functional.softmin(x, -1), x.logsumexp(0), torch.ops.aten._safe_softmax(x, 0), x.logcumsumexp(0),
    x.view(1).softmax(0), x.view(1, 1).log_softmax(1), x.cumprod(0), x.norm(), x.amax(0), x.mean(0)), one,
           more=((one * NAN,), (one * INF,), (one * -INF,), (one * 0,)))


class Folded(torch.nn.Module):
    """What no integer holds, of inputs and of numbers that the compiler folds."""

    def __init__(self, numbers: torch.Tensor, to: torch.dtype) -> None:
        super().__init__()
        self.register_buffer("numbers", numbers.clone())
        self.to_dtype = to

    def forward(self, x: torch.Tensor):
        nothing = x.new_zeros([])
        return x.to(self.to_dtype), self.numbers.to(self.to_dtype), nothing.log2().to(self.to_dtype), (nothing / 0).to(self.to_dtype)


beyond = torch.tensor([NAN, INF, -INF, 1.5, -1.5, 300.0, -300.0,
                       2.0**31, -2.0**31, -2.0**31 - 256, 3e9, -3e9, 2.0**63, -2.0**63, 1e19, -1e30]).double()
for dtype in FLOATS:
    for to in (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8):
        if (dtype, to) == (torch.float64, torch.uint8):
            continue  # eager's vectors and what is beside them differ
        FAMILY.add(f"beyond integers {short(dtype)} to {short(to)}", Folded(beyond.to(dtype), to), beyond.to(dtype),
                   more=((beyond.flip(0).to(dtype),), (torch.zeros(16, dtype=dtype),)))
