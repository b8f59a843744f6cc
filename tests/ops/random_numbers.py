# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random ops: by what their numbers look like in bulk, and that a seed gives them again. The numbers are not PyTorch's."""

import math

import torch
import torch.nn.functional as F

from case import ALL, FLOATS, Family, short

FAMILY = Family("random_numbers")
t = FAMILY.tensor
aten = torch.ops.aten
N = 40000


def near(value, wanted, tolerance, what):
    if not abs(float(value) - wanted) <= tolerance:
        raise AssertionError(f"{what} is {float(value):.5f}, not {wanted:.5f} within {tolerance:.5f}")


def follows(cdf, x, what="the distribution"):
    """Kolmogorov and Smirnov's distance to a continuous distribution; 1.95 / sqrt(n) has a chance of 0.1 %."""
    x, _ = x.double().flatten().sort()
    n = x.numel()
    steps = torch.arange(n + 1, dtype=torch.float64) / n
    p = cdf(x)
    distance = max((steps[1:] - p).max(), (p - steps[:-1]).max())
    near(distance, 0, 2.5 / math.sqrt(n), f"the distance from {what}")


def moments(mean, deviation, slack=5.0):
    def check(x, *_):
        x = x.double()
        near(x.mean(), mean, slack * deviation / math.sqrt(x.numel()), "the mean")
        near(x.std(), deviation, 0.05 * deviation + 1e-9, "the deviation")
    return check


def uniform(low, high):
    def check(x, *_):
        if not (x.min() >= low and x.max() <= high):
            raise AssertionError(f"from {x.min()} to {x.max()}")
        follows(lambda v: ((v - low) / (high - low)).clamp(0, 1), x) if x.dtype.itemsize > 2 else None
        moments((low + high) / 2, (high - low) / math.sqrt(12))(x)
    return check


def normal(mean, deviation):
    def check(x, *_):
        follows(lambda v: 0.5 * (1 + torch.erf((v - mean) / deviation / math.sqrt(2))), x) if x.dtype.itemsize > 2 else None
        moments(mean, deviation)(x)
    return check


def integers(low, high):
    def check(x, *_):
        counts = torch.bincount(x.flatten().long() - low, minlength=high - low)
        if counts.numel() != high - low:
            raise AssertionError(f"from {x.min()} to {x.max()}")
        expected = x.numel() / (high - low)
        near(((counts - expected) ** 2 / expected).sum() / (high - low - 1), 1, 5 * math.sqrt(2 / (high - low - 1)), "chi squared")
    return check


for dtype in FLOATS:
    FAMILY.add(f"rand {short(dtype)}", lambda d=dtype: torch.rand(N, dtype=d), check=uniform(0, 1))
    FAMILY.add(f"randn {short(dtype)}", lambda d=dtype: torch.randn(100, N // 100, dtype=d), check=normal(0, 1))
    FAMILY.add(f"dropout {short(dtype)}", lambda x: F.dropout(x, 0.3), torch.ones(N, dtype=dtype), check=lambda y: (
        near((y != 0).double().mean(), 0.7, 0.012, "what is kept"), near(y.max(), 1 / 0.7, 0.006, "the scale")))
FAMILY.add("like", lambda x: (torch.rand_like(x), torch.rand_like(x)), t(N), check=lambda a, b: (
    uniform(0, 1)(a), uniform(0, 1)(b), near(torch.corrcoef(torch.stack([a, b]))[0, 1], 0, 0.025, "the correlation of two draws")))
FAMILY.add("neighbours", lambda: torch.rand(N), check=lambda a: near(
    torch.corrcoef(torch.stack([a[1:], a[:-1]]))[0, 1], 0, 0.025, "the correlation of neighbours"))
FAMILY.add("randn_like", lambda x: torch.randn_like(x), t(N), check=normal(0, 1))
FAMILY.add("uniform_", lambda x: x.clone().uniform_(-2, 3), t(N), check=uniform(-2, 3))
FAMILY.add("normal_", lambda x: x.clone().normal_(1.5, 0.5), t(N), check=normal(1.5, 0.5))
FAMILY.add("normal", lambda m, s: (torch.normal(m, 2.0), torch.normal(1.0, s), torch.normal(m, s), torch.normal(1.0, 3.0, [N])),
           torch.full([N], 4.0), torch.full([N], 0.5), check=lambda a, b, c, d: (
               normal(4, 2)(a), normal(1, 0.5)(b), normal(4, 0.5)(c), normal(1, 3)(d)))
FAMILY.add("exponential_", lambda x: x.clone().exponential_(2.0), t(N), check=lambda x: follows(lambda v: 1 - torch.exp(-2 * v), x))
FAMILY.add("cauchy_", lambda x: x.clone().cauchy_(1.0, 2.0), t(N), check=lambda x: follows(
    lambda v: torch.atan((v - 1) / 2) / math.pi + 0.5, x))
FAMILY.add("log_normal_", lambda x: x.clone().log_normal_(0.5, 0.7), t(N), check=lambda x: normal(0.5, 0.7)(x.log()))
FAMILY.add("geometric_", lambda x: x.clone().geometric_(0.25), t(N), check=lambda x: (
    moments(4, math.sqrt(12))(x), near((x == 1).double().mean(), 0.25, 0.012, "ones")))
FAMILY.add("bernoulli", lambda p: (torch.bernoulli(p), torch.bernoulli(p, 0.3), p.clone().bernoulli_(0.8), p.clone().bernoulli_(p)),
           torch.full([N], 0.6), check=lambda a, b, c, d: (
               near(a.mean(), 0.6, 0.013, "p"), near(b.mean(), 0.3, 0.013, "p"), near(c.mean(), 0.8, 0.013, "p"),
               near(d.mean(), 0.6, 0.013, "p")))
FAMILY.add("randint", lambda: (torch.randint(10, [N]), torch.randint(-5, 7, [20, N // 20])), check=lambda a, b: (
    integers(0, 10)(a), integers(-5, 7)(b)))
for dtype in ALL[1:]:
    FAMILY.add(f"randint {short(dtype)}", lambda d=dtype: torch.randint(3, 50, [N], dtype=d), check=integers(3, 50))
FAMILY.add("randint_like", lambda x: (torch.randint_like(x, 6), torch.randint_like(x, 2, 9)), t(N), check=lambda a, b: (
    integers(0, 6)(a), integers(2, 9)(b)))
FAMILY.add("random_", lambda x, i: (x.clone().random_(8), i.clone().random_(11), i.to(torch.int8).random_()), t(N),
           t(N, dtype=torch.int64), check=lambda a, b, c: (integers(0, 8)(a), integers(0, 11)(b), integers(0, 128)(c)))
FAMILY.add("large ranges", lambda: torch.randint(0, 2 ** 62, [N]), check=lambda a: uniform(0, 1)(a.double() / 2 ** 62))


def is_permutation(p, *_):
    torch.testing.assert_close(p.long().sort()[0], torch.arange(p.numel()))
    near(torch.corrcoef(torch.stack([p.double(), torch.arange(p.numel()).double()]))[0, 1], 0, 0.1, "the order kept")


FAMILY.add("randperm", lambda: torch.randperm(3000), check=is_permutation)
FAMILY.add("randperm i32", lambda: torch.randperm(3000, dtype=torch.int32), check=is_permutation)
WEIGHTS = torch.tensor([[1.0, 0.0, 2.0, 5.0], [3.0, 3.0, 1.0, 1.0]])


def shares(draws, *_):
    for row, weights in zip(draws, WEIGHTS):
        got = torch.bincount(row, minlength=4).double() / row.numel()
        near((got - weights.double() / weights.sum()).abs().max(), 0, 0.02, "the error of the shares")


def first_shares(draws, *_):
    shares(draws[:, :, 0])
    if (draws.sort(-1)[0].diff(dim=-1) == 0).any():
        raise AssertionError("a number was drawn twice")


FAMILY.add("multinomial with replacement", lambda w: torch.multinomial(w, 8000, True), WEIGHTS, check=shares)
FAMILY.add("multinomial without", lambda w: torch.stack([torch.multinomial(w[0].expand(8000, 4), 3),
                                                          torch.multinomial(w[1].expand(8000, 4), 3)]), WEIGHTS, check=first_shares)
FAMILY.add("multinomial of a vector", lambda w: torch.multinomial(w, 4000, True)[None], WEIGHTS[0], check=lambda d: shares(d))
FAMILY.add("feature_dropout", lambda x: F.dropout2d(x, 0.4), torch.ones(100, 80, 3, 3), check=lambda y: (
    near((y == y[:, :, :1, :1]).all(), 1, 0, "whole channels"), near((y != 0).double().mean(), 0.6, 0.03, "what is kept")))
FAMILY.add("alpha_dropout", lambda x: (F.alpha_dropout(x, 0.3, True), F.feature_alpha_dropout(x.reshape(100, 20, -1), 0.3, True)),
           torch.randn(N, generator=FAMILY.random), check=lambda y, z: (moments(0, 1, 10)(y), near(z.mean(), 0, 0.2, "the mean")))
FAMILY.add("native_dropout", lambda x: aten.native_dropout(x, 0.25, True), torch.ones(N), check=lambda y, m: (
    torch.testing.assert_close(y, m / 0.75), near(m.double().mean(), 0.75, 0.012, "what is kept")))
FAMILY.add("rrelu", lambda x: F.rrelu(x, 0.1, 0.5, training=True), -torch.ones(N), check=lambda y: uniform(0.1, 0.5)(-y))
FAMILY.add("attention with dropout", lambda q: F.scaled_dot_product_attention(q, q, torch.ones(1, 64, 200), dropout_p=0.5),
           torch.zeros(1, 64, 8), check=lambda y: near(y.mean(), 1, 0.3, "the mean"))
FAMILY.add("poisson", lambda r: (torch.poisson(r), torch.poisson(r * 20)), torch.full([N], 2.5), check=lambda a, b: (
    moments(2.5, math.sqrt(2.5))(a), moments(50, math.sqrt(50))(b), near((a == 0).double().mean(), math.exp(-2.5), 0.006, "zeros")))
FAMILY.add("gamma", lambda s: (torch._standard_gamma(s), torch._standard_gamma(s * 0.1)), torch.full([N], 3.0), check=lambda a, b: (
    follows(lambda v: torch.special.gammainc(torch.tensor(3.0).double(), v), a),
    follows(lambda v: torch.special.gammainc(torch.tensor(0.3).double(), v), b)))
FAMILY.add("dirichlet", lambda s: torch._sample_dirichlet(s), torch.tensor([1.0, 2.0, 5.0]).expand(8000, 3).clone(), check=lambda x: (
    near(x.sum(-1).sub(1).abs().max(), 0, 1e-5, "the error of the sums"), near(x[:, 2].mean(), 5 / 8, 0.01, "the mean")))
FAMILY.add("binomial", lambda n, p: (torch.binomial(n, p), torch.binomial(n * 100, p)), torch.full([N], 10.0), torch.full([N], 0.3),
           check=lambda a, b: (moments(3, math.sqrt(2.1))(a), moments(300, math.sqrt(210))(b)))
FAMILY.add("in a loop", lambda x: torch._higher_order_ops.while_loop(
    lambda i, x: i < 3, lambda i, x: (i + 1, torch.cat([x[N // 4:], torch.rand(N // 4)])), (torch.tensor(0), x))[1],
    t(N, low=0, high=1), check=lambda x: near(torch.corrcoef(x.reshape(4, -1)).fill_diagonal_(0).abs().max(), 0, 0.06,
                                              "the correlation of steps"))
FAMILY.add("dynamic", lambda x: torch.rand(x.shape[0] * 2), t(N // 2), check=uniform(0, 1))
