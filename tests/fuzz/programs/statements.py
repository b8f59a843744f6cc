# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that compute: each function writes one for a Builder, as an expression.

What PyTorch does not take for the sizes and dtypes at hand is dropped, so the functions need not be right always.
"""

from __future__ import annotations

from builder import dtype_name
from corners import CELLS, DEEP_WRITES, IMAGES, INDICES, LISTS, MATRICES, NUMBERS, REGIONS
from moves import COPIES, GATHERS, SCATTERS, VIEWS, WRITES

UNARY = ("abs neg sign relu sigmoid tanh exp sin cos square sqrt rsqrt reciprocal floor ceil round trunc frac erf log1p expm1 "
         "atan asinh isnan isinf isfinite signbit logical_not bitwise_not exp2 log2 log cosh sinh tan asin acos erfc lgamma "
         "digamma i0 sinc deg2rad nan_to_num positive logit sgn angle conj conj_physical").split()
BINARY = ("add sub mul div maximum minimum atan2 eq ne lt le gt ge logical_and logical_or logical_xor fmod remainder "
          "floor_divide pow copysign hypot bitwise_and bitwise_or bitwise_xor gcd lcm fmax fmin heaviside logaddexp xlogy "
          "isclose nextafter true_divide float_power bitwise_left_shift bitwise_right_shift").split()
ACTIVATIONS = ("relu gelu silu mish elu selu celu hardswish hardsigmoid hardtanh leaky_relu logsigmoid softplus softsign "
               "tanhshrink hardshrink softshrink relu6").split()

ELEMENTWISE = [
    lambda g: f"{g.a()}.{g.rng.choice(UNARY)}()",
    lambda g: f"{g.f()}.{g.rng.choice(UNARY)}()",
    lambda g: f"torch.{g.rng.choice(BINARY)}({g.a()}, {g.other()})",
    lambda g: f"torch.{g.rng.choice(BINARY)}({g.a()}, {g.other()})",
    lambda g: f"{g.a()} {g.one('+', '-', '*', '/', '//', '%', '>', '==', '<=', '&', '|')} {g.other()}",
    lambda g: f"{g.a()} {g.one('+', '-', '*')} {g.other()}",
    lambda g: f"{g.other_of(g.a())} {g.one('-', '/', '*', '+')} {g.name}",
    lambda g: f"F.{g.rng.choice(ACTIVATIONS)}({g.f()})",
    lambda g: f"{g.a()}.clamp({g.int(-2, 0)}, {g.one('None', str(g.int(0, 2)))})",
    lambda g: f"{g.a()}.clamp(min={g.alike()})",
    lambda g: f"torch.div({g.a()}, {g.other()}, rounding_mode={g.one('floor', 'trunc')!r})",
    lambda g: f"torch.lerp({g.f()}, {g.alike()}, {g.float(0, 1)})",
    lambda g: f"torch.{g.one('addcmul', 'addcdiv')}({g.f()}, {g.alike()}, {g.alike()}, value={g.float()})",
    lambda g: f"{g.a()} ** {g.int(0, 3)}",
    lambda g: f"F.threshold({g.a(kind='number')}, {g.int(-1, 1)}, {g.int(-1, 1)})",
    lambda g: f"torch.complex({g.f()}, {g.alike()})",
    lambda g: f"F.glu({g.f(1)}, {g.dim()})",
    lambda g: f"{g.f()}.softmax({g.dim()})",
    lambda g: f"{g.f()}.log_softmax({g.dim()})",
    lambda g: f"F.normalize({g.f(1)}, dim={g.dim()})",
    lambda g: f"torch.special.{g.one('entr', 'erfcx', 'ndtr', 'log_ndtr', 'i1', 'bessel_j0', 'gammaln', 'expit')}({g.f()})",
    lambda g: f"torch.polygamma({g.int(1, 2)}, {g.f()}.abs() + 0.5)",
]

REDUCTIONS = [
    lambda g: f"{g.a()}.{g.one('sum', 'mean', 'amax', 'amin', 'prod', 'any', 'all')}()",
    lambda g: f"{g.a(1)}.{g.one('sum', 'mean', 'amax', 'amin')}({g.dims()}, keepdim={g.flag()})",
    lambda g: f"{g.a(1)}.{g.one('sum', 'mean', 'amax', 'amin')}({g.dims()}, keepdim={g.flag()})",
    lambda g: f"{g.f(1)}.{g.one('sum', 'mean', 'nansum', 'logsumexp', 'var', 'std')}({g.dims()})",
    lambda g: f"{g.f(1)}.{g.one('var', 'std')}({g.dims()}, correction={g.int(0, 2)}, keepdim={g.flag()})",
    lambda g: f"{g.a(1)}.{g.one('prod', 'any', 'all', 'sum', 'argmax', 'argmin', 'count_nonzero')}({g.dim()})",
    lambda g: f"{g.a(1)}.{g.one('max', 'min')}({g.dim()})[{g.int(0, 1)}]",
    lambda g: f"{g.a(1)}.{g.one('cumsum', 'cumprod', 'logcumsumexp')}({g.dim()})",
    lambda g: f"{g.a(1, 5, 'number')}.{g.one('cummax', 'cummin')}({g.dim()})[0]",
    lambda g: f"{g.whole(1, 5, 'number')}.{g.one('median', 'mode', 'nanmedian')}({g.dim()})[0]",
    lambda g: f"{g.a(1, 5, 'number')}.kthvalue({g.int(1, 3)}, {g.dim()})[0]",
    lambda g: f"{g.a(0, 5, 'number')}.median()",
    lambda g: f"torch.linalg.vector_norm({g.f(1)}, {g.one('1', '2', '3', '0', 'math.inf', '-1')}, {g.dims()}, keepdim={g.flag()})",
    lambda g: f"torch.linalg.matrix_norm({g.f(2)}, {g.one('1', '-1', repr('fro'), 'math.inf')})",
    lambda g: f"torch.{g.one('var_mean', 'std_mean')}({g.f(1)}, {g.dims()})[{g.int(0, 1)}]",
    lambda g: f"{g.a(1)}.aminmax(dim={g.dim()})[{g.int(0, 1)}]",
    lambda g: f"{g.a(0, 4)}.sum(dtype={g.dtype()})",
    lambda g: f"{g.f(1)}.quantile({g.float(0, 1)}, {g.dim()})",
    lambda g: f"torch.diff({g.a(1)}, n={g.int(1, 2)}, dim={g.dim()})",
    lambda g: f"{g.f(1)}.renorm(2, {g.dim()}, 1.0)",
    lambda g: f"torch.trapezoid({g.f(1)}, dim={g.dim()})",
    lambda g: f"torch.cdist({g.f(2, 3)}, {g.alike()})",
]

PRODUCTS = [
    lambda g: matmul(g),
    lambda g: matmul(g),
    lambda g: matmul(g),
    lambda g: linear(g),
    lambda g: linear(g),
    lambda g: f"torch.bmm({g.f(3, 3)}, {g.alike()}.transpose(1, 2))",
    lambda g: f"{g.f(2, 2)} @ {g.alike()}.t()",
    lambda g: f"torch.addmm({g.weight([g.int(2, 5)])}, {g.f(2, 2)}, {g.weight([g.t.shape[1], len(g.last_weight())])}, beta={g.int(0, 2)})",
    lambda g: f"torch.outer({g.a(1, 1)}, {g.a(1, 1)})",
    lambda g: f"torch.dot({g.f(1, 1)}, {g.alike()})",
    lambda g: f"torch.mv({g.f(2, 2)}, {g.constant([g.t.shape[1]], dtype_name(g.t))})",
    lambda g: f"torch.einsum('{g.one('ij,kj->ik', 'ij,ij->j', 'ij,ik->jk', 'ij,ij->')}', {g.f(2, 2)}, {g.alike()})",
    lambda g: f"torch.einsum('{g.one('bij,bkj->bik', 'bij,bij->bj', 'bij,bik->ijk')}', {g.f(3, 3)}, {g.alike()})",
    lambda g: f"torch.tensordot({g.f(2)}, {g.alike()}, dims=([0], [0]))",
    lambda g: f"torch.kron({g.a(1, 2)}, {g.alike()})",
    lambda g: f"torch.linalg.cross({g.f(2)}, {g.alike()}, dim={g.dim()})",
    lambda g: f"torch.chain_matmul({g.f(2, 2)}, {g.alike()}.t(), {g.alike()})",
    lambda g: f"torch.trace({g.f(2, 2)})",
]

LAYERS = [
    lambda g: convolution(g),
    lambda g: convolution(g),
    lambda g: transposed(g),
    lambda g: f"F.layer_norm({g.f(1)}, [{g.t.shape[-1]}], {g.weight([g.t.shape[-1]])})",
    lambda g: f"F.layer_norm({g.f(2)}, {list(g.t.shape[-2:])})",
    lambda g: f"F.rms_norm({g.f(1)}, [{g.t.shape[-1]}])",
    lambda g: f"F.group_norm({g.f(2)}, {g.int(1, 3)})",
    lambda g: f"F.instance_norm({g.f(3)})",
    lambda g: batch_norm(g),
    lambda g: f"F.local_response_norm({g.f(3, 4)}, {g.int(1, 3)})",
    lambda g: attention(g),
    lambda g: attention(g),
    lambda g: pool(g),
    lambda g: pool(g),
    lambda g: f"F.adaptive_{g.one('avg', 'max')}_pool{g.f(3, 4) and g.t.dim() - 2}d({g.name}, {g.int(1, 4)})",
    lambda g: f"F.interpolate({g.f(4, 4)}, scale_factor={g.one('2', '1.5', '0.5')}, mode={g.one('nearest', 'bilinear', 'bicubic', 'area', 'nearest-exact')!r})",
    lambda g: f"F.interpolate({g.f(3, 3)}, size={g.int(1, 9)}, mode={g.one('nearest', 'linear')!r})",
    lambda g: f"F.unfold({g.f(4, 4)}, {g.int(1, 3)}, padding={g.int(0, 1)}, stride={g.int(1, 2)})",
    lambda g: f"F.grid_sample({g.f(4, 4)}, {g.weight([g.t.shape[0], 3, 2, 2])}, align_corners={g.flag()})",
    lambda g: f"F.{g.one('mse_loss', 'l1_loss', 'smooth_l1_loss', 'huber_loss', 'kl_div')}({g.f()}, {g.alike()}, reduction={g.one('mean', 'sum', 'none')!r})",
    lambda g: f"F.cross_entropy({g.f(2, 2)}, {g.index_tensor(g.t.shape[1], [g.t.shape[0]])})",
    lambda g: f"F.binary_cross_entropy_with_logits({g.f()}, {g.alike()}.sigmoid())",
    lambda g: f"F.cosine_similarity({g.f(1)}, {g.alike()}, dim={g.dim()})",
]

SORTS = [
    lambda g: f"{g.a(1, 4, 'number')}.sort({g.dim()}, descending={g.flag()})[0]",
    lambda g: f"{g.a(1, 4, 'number')}.sort(stable=True, dim={g.dim()})[{g.int(0, 1)}]",
    lambda g: f"{g.a(1, 4, 'number')}.argsort({g.dim()}, stable=True)",
    lambda g: f"{g.a(1, 4, 'number')}.topk({g.int(0, 3)}, {g.dim()}, largest={g.flag()})[0]",
    lambda g: f"torch.searchsorted({g.a(1, 1, 'number')}.nan_to_num().sort()[0], {g.alike()}, right={g.flag()})",
    lambda g: f"torch.bucketize({g.a(0, 4, 'number')}, torch.tensor([-1.5, 0.0, 0.5, 2.0]))",
    lambda g: f"torch.isin({g.a(0, 4, 'number')}, torch.tensor([0, 1, 2]))",
    lambda g: f"torch.histc({g.f()}, {g.int(1, 5)}, -2, 2)",
    lambda g: f"torch.bincount({g.a(1, 1, 'int')}.abs().clamp(max=50), minlength={g.int(0, 12)})",
    lambda g: f"{g.a(1, 2)}.nonzero()",
    lambda g: f"{g.a(1)}[{g.mask()}]",
    lambda g: f"torch.unique({g.a(1, 2, 'number')})",
]

CREATIONS = [
    lambda g: f"torch.arange({g.a(1) and g.size(g.t.shape[0])})",
    lambda g: f"torch.arange({g.int(0, 3)}, {g.int(4, 9)}, {g.int(1, 2)}, dtype={g.dtype()})",
    lambda g: f"torch.linspace(0, 1, {g.a(1) and g.size(g.t.shape[0])})",
    lambda g: f"torch.{g.one('zeros', 'ones')}({g.a(1) and g.sizes(g.t.shape)}, dtype={g.dtype()})",
    lambda g: f"torch.{g.one('zeros_like', 'ones_like')}({g.a()})",
    lambda g: f"torch.full_like({g.a()}, {g.int(0, 3)})",
    lambda g: f"{g.a()}.new_{g.one('zeros', 'ones')}({g.sizes(g.t.shape)})",
    lambda g: f"torch.eye({g.a(1) and g.size(g.t.shape[0])})",
    lambda g: f"F.one_hot({g.a(0, 2, 'int')} % 4, 4)",
    lambda g: f"{g.a()} * {g.size_expression()}",
    lambda g: f"{g.a()} + {g.size_expression()}",
    lambda g: f"torch.tensor({g.size_expression()})",
    lambda g: f"torch.tensor([{g.int(0, 3)}, {g.int(0, 3)}])",
    lambda g: f"torch.scalar_tensor({g.float()})",
    lambda g: f"torch.tril_indices({g.int(1, 4)}, {g.int(1, 4)})",
    lambda g: f"torch.vander({g.a(1, 1, 'number')}, {g.int(1, 4)})",
]

BRANCHES = ["a.sin()", "a * 2 + 1", "a.cos() - a", "a.clone()", "a.abs() + a.sum()", "a - a.mean()", "(a > 0).to(a.dtype)", "a.flip(0)", "a[..., :1] + a"]
LOOPS = "torch._higher_order_ops."

CONTROL = [
    lambda g: f"torch.cond({g.condition()}, lambda a: {g.rng.choice(BRANCHES)}, lambda a: {g.rng.choice(BRANCHES)}, ({g.f()},))",
    lambda g: f"torch.cond({g.condition()}, lambda a, b: a + b, lambda a, b: a * b - a, ({g.f()}, {g.alike()}))",
    lambda g: f"{LOOPS}while_loop(lambda i, a: i < {g.int(0, 4)}, lambda i, a: (i + 1, {g.one('a * 0.5 + 1', 'a.sin()', 'a - a.mean()', 'a + i')}), (torch.zeros((), dtype=torch.int64), {g.f()}))[1]",
    lambda g: f"{LOOPS}while_loop(lambda i, a: (a.abs().sum() > 1) & (i < 5), lambda i, a: (i + 1, a * 0.5), (torch.zeros((), dtype=torch.int64), {g.f()}))[{g.int(0, 1)}]",
    lambda g: f"{LOOPS}scan(lambda c, x: (c + x, {g.one('c * x', 'c.sin()', 'x - c')}), {g.f(2, 3)}[0] * 0, {g.name}, dim=0)[{g.int(0, 1)}]",
    lambda g: f"{LOOPS}map(lambda x: {g.one('x.cumsum(0)', 'x * 2 + x.sum()', 'x.sin()')}, {g.f(2, 3)})",
    lambda g: f"{LOOPS}map(lambda x, y: x + y, {g.f(2, 3)}, {g.name}[0])",
    lambda g: f"{LOOPS}associative_scan(lambda x, y: x {g.one('+', '*')} y, {g.f(1, 3)}, 0, combine_mode='generic')",
]

COMPLEX = [
    lambda g: f"torch.fft.{g.one('fft', 'rfft', 'ifft')}({g.f(1, 3)})",
    lambda g: f"torch.view_as_complex(torch.stack([{g.f(0, 4)}, {g.alike()}], -1))",
    lambda g: f"torch.fft.irfft({g.a(1, 3, 'complex')}, n={g.int(2, 9)})",
    lambda g: f"torch.polar({g.f()}.abs(), {g.alike()})",
]

FAMILIES = [(VIEWS, 22), (COPIES, 10), (GATHERS, 14), (SCATTERS, 7), (WRITES, 14), (ELEMENTWISE, 20), (REDUCTIONS, 14),
            (PRODUCTS, 9), (LAYERS, 9), (SORTS, 5), (CREATIONS, 6), (CONTROL, 3), (COMPLEX, 2), (CELLS, 2), (LISTS, 2), (MATRICES, 3),
            (IMAGES, 3), (INDICES, 4), (NUMBERS, 4), (REGIONS, 2), (DEEP_WRITES, 6)]
IN_PLACE = (WRITES, DEEP_WRITES)


def matmul(g) -> str:
    name = g.f(1, 4)
    k = g.t.shape[-1]
    sizes = g.one([k], [k, g.int(1, 9)], [g.int(1, 2), k, g.int(1, 5)], [k, g.int(10, 40)])
    return f"torch.matmul({name}, {g.constant(sizes, dtype_name(g.t))})"


def linear(g) -> str:
    name, n = g.f(1, 4), g.int(1, 9)
    dtype = dtype_name(g.t)
    bias = f", {g.weight([n], dtype)}" if g.chance(0.5) else ""
    return f"F.linear({name}, {g.weight([n, g.t.shape[-1]], dtype)}{bias})"


def convolution(g) -> str:
    name = g.f(3, 4)
    channels, spatial = g.t.shape[1], g.t.dim() - 2
    groups = channels if g.chance(0.2) else 1
    out = groups * g.int(1, 3)
    window = [g.int(1, 3) for _ in range(spatial)]
    dtype = dtype_name(g.t)
    bias = g.weight([out], dtype) if g.chance(0.5) else "None"
    weight = g.weight([out, channels // max(groups, 1), *window], dtype)
    return f"F.conv{spatial}d({name}, {weight}, {bias}, stride={g.int(1, 2)}, padding={g.int(0, 2)}, dilation={g.int(1, 2)}, groups={groups})"


def transposed(g) -> str:
    name = g.f(3, 4)
    spatial = g.t.dim() - 2
    weight = g.weight([g.t.shape[1], g.int(1, 3), *[g.int(1, 3) for _ in range(spatial)]], dtype_name(g.t))
    return f"F.conv_transpose{spatial}d({name}, {weight}, stride={g.int(1, 2)}, padding={g.int(0, 1)})"


def batch_norm(g) -> str:
    name = g.f(2)
    n = g.t.shape[1]
    mean, var = g.weight([n], value=f"torch.randn([{n}])"), g.weight([n], value=f"torch.rand([{n}]) + 0.5")
    if g.chance(0.25) and mean.startswith("self.b") and var.startswith("self.b"):
        return f"F.batch_norm({name}, {mean}, {var}, training=True)"
    return f"F.batch_norm({name}, {mean}, {var}, {g.weight([n])})"


def attention(g) -> str:
    name = g.f(3, 4)
    extra = g.one("", ", is_causal=True", ", scale=0.5", f", attn_mask={g.weight([g.t.shape[-2], g.t.shape[-2]], dtype_name(g.t))}")
    return f"F.scaled_dot_product_attention({name}, {g.alike()}, {g.alike()}{extra})"


def pool(g) -> str:
    name = g.f(3, 4)
    spatial = g.t.dim() - 2
    if g.chance(0.5):
        return (f"F.max_pool{spatial}d({name}, {g.int(1, 3)}, {g.int(1, 2)}, {g.int(0, 1)}, ceil_mode={g.flag()})")
    return f"F.avg_pool{spatial}d({name}, {g.int(1, 3)}, {g.int(1, 2)}, {g.int(0, 1)}, ceil_mode={g.flag()}, count_include_pad={g.flag()})"

