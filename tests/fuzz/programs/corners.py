# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Statements that are written seldom: cells, lists, linear algebra, images, quantized numbers, sizes that data tell. See statements.py."""

from __future__ import annotations

from builder import NothingFits, dtype_name

LOOPS = "torch._higher_order_ops."
FFT_NORMS = ("None", "'ortho'", "'forward'")

CELLS = [
    lambda g: recurrent(g, "lstm", 4),
    lambda g: recurrent(g, "gru", 3),
    lambda g: recurrent(g, g.one("rnn_tanh", "rnn_relu"), 1),
    lambda g: cell(g, "lstm_cell", 4),
    lambda g: cell(g, "gru_cell", 3),
    lambda g: attention(g),
    lambda g: attention(g),
    lambda g: attention(g),
]

LISTS = [
    lambda g: f"torch._foreach_{g.one('add', 'mul', 'sub', 'maximum', 'clamp_min')}([{g.a(0, 4, 'number')}, {g.alike()}], {g.int(1, 3)})[{g.int(0, 1)}]",
    lambda g: f"torch._foreach_{g.one('add', 'mul', 'sub', 'div')}([{g.f()}, {g.alike()}], [{g.alike()}, {g.alike()}])[{g.int(0, 1)}]",
    lambda g: f"torch._foreach_{g.one('exp', 'neg', 'abs', 'sqrt', 'sigmoid', 'floor', 'norm')}([{g.f()}, {g.alike()}])[{g.int(0, 1)}]",
    lambda g: f"torch._foreach_{g.one('lerp', 'addcmul')}([{g.f()}], [{g.alike()}], {g.one('0.25', '0.5')})[0]" if g.chance(0.5)
    else f"torch._foreach_addcmul([{g.f()}], [{g.alike()}], [{g.alike()}], 0.5)[0]",
    lambda g: f"torch.unravel_index({g.index_tensor(g.a(2, 2) and g.t.numel(), [3])}, ({g.sizes(g.t.shape)[1:-1]}))[{g.int(0, 1)}]",
    lambda g: f"torch.broadcast_tensors({g.a()}, {g.other_value()})[{g.int(0, 1)}]",
    lambda g: f"torch.{g.one('hstack', 'vstack', 'dstack', 'column_stack')}([{g.a(0, 3)}, {g.alike()}])",
    lambda g: f"torch.{g.one('hsplit', 'vsplit')}({g.a(2, 4)}, {g.int(1, 2)})[{g.int(-1, 0)}]",
    lambda g: f"{g.a(2)}.clone().{g.one('transpose_(0, 1)', 'squeeze_()', 'unsqueeze_(-1)', 'swapdims_(0, -1)')}",
    lambda g: f"torch.atleast_{g.int(1, 3)}d({g.a(0, 3)})",
]

# What a matrix is decomposed of is well-conditioned: else any number is right.
MATRICES = [
    lambda g: f"torch.linalg.inv({definite(g)})",
    lambda g: f"torch.linalg.{g.one('det', 'cholesky', 'svdvals', 'eigvalsh', 'matrix_rank')}({definite(g)})",
    lambda g: f"torch.linalg.slogdet({definite(g)})[{g.int(0, 1)}]",
    lambda g: f"torch.linalg.solve({definite(g)}, {g.name})",
    lambda g: f"torch.linalg.solve_triangular({definite(g)}.tril(), {g.name}, upper=False)",
    lambda g: f"torch.linalg.qr({definite(g)})[1].abs()",
    lambda g: f"torch.linalg.lu_factor({definite(g)})[0]",
    lambda g: f"torch.cholesky_solve({(a := definite(g)) and g.name}, torch.linalg.cholesky({a}))",
    lambda g: f"torch.linalg.matrix_power({g.f(2, 4)} * 0.1, {g.int(0, 4)})",
    lambda g: f"torch.linalg.matrix_exp({g.f(2, 4)} * 0.1)",
    lambda g: f"torch.linalg.multi_dot([{g.f(2, 2)}, {g.alike()}.t(), {g.alike()}])",
    lambda g: f"torch.linalg.norm({g.f(1, 4)}, dim={g.dim()})",
    lambda g: f"torch.corrcoef({g.f(2, 2)})" if g.chance(0.5) else f"torch.cov({g.f(1, 2)})",
    lambda g: f"torch.baddbmm({g.f(3, 3)}, {g.alike()}, {g.weight([g.t.shape[0], g.t.shape[2], g.t.shape[2]], dtype_name(g.t))}, beta={g.one('0', '0.5', '1')}, alpha=2)",
    lambda g: f"torch.addbmm({g.weight([g.int(1, 4)])}, {g.f(3, 3)}, {g.weight([g.t.shape[0], g.t.shape[2], len(g.last_weight())])})",
    lambda g: f"torch.addr({g.weight([g.int(2, 4), g.int(2, 4)])}, {g.weight([len(g.last_weight())])}, {g.f(1, 1)})",
    lambda g: f"torch.ger({g.f(1, 1)}, {g.f(1, 1)})",
    lambda g: f"F.bilinear({g.f(2, 2)}, {g.alike()}, {g.weight([g.int(1, 3), g.t.shape[1], g.t.shape[1]])})",
    lambda g: f"torch.cdist({g.f(2, 3)}, {g.alike()}, p={g.one('1.0', '2.0', '0.0', '3.0', 'math.inf')})",
    lambda g: f"F.pdist({g.f(2, 2)}, {g.one('1.0', '2.0', '3.0')})",
    lambda g: f"F.pairwise_distance({g.f(1, 3)}, {g.alike()}, p={g.int(1, 3)}, keepdim={g.flag()})",
]

IMAGES = [
    lambda g: f"F.interpolate({g.f(4, 4)}, size=({g.int(1, 9)}, {g.int(2, 9)}), mode={g.one('bilinear', 'bicubic')!r}, antialias={g.flag()}, align_corners={g.flag()})",
    lambda g: f"F.interpolate({g.f(3, 5)}, scale_factor={g.one('2', '0.5', '1.3')}, mode={g.one('nearest', 'nearest-exact', 'area')!r})",
    lambda g: f"F.interpolate({g.f(4, 4)}, scale_factor=({g.one('1.1', '2.1', '0.6')}, {g.one('1.3', '2', '0.5')}), mode={g.one('bilinear', 'bicubic')!r}, antialias={g.flag()})",
    lambda g: f"{g.f(4, 4)}.to(memory_format=torch.channels_last)" + g.one('', '.flatten(1)', '.permute(0, 2, 3, 1)', '.to(memory_format=torch.contiguous_format)'),
    lambda g: f"F.interpolate({g.f(5, 5)}, size={g.int(1, 5)}, mode='trilinear', align_corners={g.flag()})",
    lambda g: f"F.grid_sample({g.f(4, 4)}, {g.weight([g.t.shape[0], g.int(1, 3), 3, 2], dtype_name(g.t))}, mode={g.one('bilinear', 'nearest', 'bicubic')!r}, "
              f"padding_mode={g.one('zeros', 'border', 'reflection')!r}, align_corners={g.flag()})",
    lambda g: f"F.affine_grid({g.weight([g.int(1, 2), 2, 3])}, [{g.last_weight().__len__()}, 2, {g.int(1, 5)}, {g.int(1, 5)}], align_corners={g.flag()})",
    lambda g: f"F.fold(F.unfold({g.f(4, 4)}, {(k := g.int(1, 3))}, padding=1), ({g.t.shape[2]}, {g.t.shape[3]}), {k}, padding=1)",
    lambda g: f"F.max_pool2d({g.f(4, 4)}, 2, {g.int(1, 2)}, return_indices=True)[{g.int(0, 1)}]",
    lambda g: f"F.max_unpool2d(*F.max_pool2d({g.f(4, 4)}, 2, 2, return_indices=True), 2, 2)",
    lambda g: f"F.lp_pool{g.f(3, 4) and g.t.dim() - 2}d({g.name}.abs(), {g.int(1, 3)}, {g.int(1, 3)}, ceil_mode={g.flag()})",
    lambda g: f"F.conv3d({g.f(5, 5)}, {g.weight([g.int(1, 3), g.t.shape[1], g.int(1, 2), g.int(1, 3), g.int(1, 2)], dtype_name(g.t))}, padding={g.int(0, 1)})",
    lambda g: f"F.{g.one('max', 'avg')}_pool3d({g.f(4, 5)}, {g.int(1, 2)}, {g.int(1, 2)}, ceil_mode={g.flag()})",
    lambda g: f"F.conv2d({g.f(4, 4)}, {g.weight([g.int(1, 4), g.t.shape[1], 3, 3], dtype_name(g.t))}, padding={g.one('same', 'valid')!r})",
    lambda g: f"{g.a(4, 4)}.contiguous(memory_format=torch.channels_last)",
    lambda g: f"{g.f(4, 4)}.to(memory_format=torch.channels_last).{g.one('flatten(1)', 'sum(1)', 'permute(0, 2, 3, 1)', 'contiguous()')}",
    lambda g: f"F.{g.one('instance_norm', 'alpha_dropout', 'feature_dropout')}({g.f(3, 4)})" if g.chance(0.3) else f"F.dropout({g.f()}, {g.one('0.0', '0.5')}, training=False)",
    lambda g: f"F.pad({g.f(5, 5)}, [{', '.join(str(g.int(0, 2)) for _ in range(6))}], mode={g.one('reflect', 'replicate', 'circular')!r})",
    lambda g: f"F.prelu({g.f(2)}, {g.weight([g.one(1, g.t.shape[1])], dtype_name(g.t))})",
    lambda g: f"F.rrelu({g.f()}, training=False)",
]

INDICES = [
    lambda g: f"torch.bucketize({g.a(0, 4, 'number')}, {g.weight([g.int(0, 5)])}.sort()[0], right={g.flag()}, out_int32={g.flag()})",
    lambda g: f"torch.searchsorted({g.f(1, 3)}.nan_to_num().sort()[0], {g.alike()}, side={g.one('left', 'right')!r})",
    lambda g: f"torch.histogram({g.f()}, {g.int(1, 5)}, range=(-2.0, 2.0))[{g.int(0, 1)}]" if g.chance(0.3) else f"torch.histc({g.f()}, {g.int(1, 6)}, {g.int(-3, 0)}, {g.int(1, 3)})",
    lambda g: f"{g.a(1)}.index_put(({g.mask()},), {g.one('torch.tensor(1)', g.constant([], dtype_name(g.t)))}{g.one('', ', accumulate=True')})",
    lambda g: f"{g.a(2)}.index_put(({g.index_tensor(g.t.shape[0], [2, 1], True)}, {g.index_tensor(g.t.shape[1], [3], True)}), "
              f"{g.constant([2, 3, *g.t.shape[2:]], dtype_name(g.t))}, accumulate={g.flag()})",
    lambda g: f"{g.a(3)}[{g.index_tensor(g.t.shape[0], [2], True)}, :, {g.index_tensor(g.t.shape[2], [2], True)}]",
    lambda g: f"{g.a(2)}[{g.index_tensor(g.t.shape[0], [2], True)}, {g.slice(g.t.shape[1])}]",
    lambda g: f"{g.a(2)}[{g.slice(g.t.shape[0])}, None, {g.index_tensor(g.t.shape[1], [2, 2], True)}]",
    lambda g: f"{g.a(1)}.put({g.index_tensor(g.t.numel(), [3], True)}, {g.constant([3], dtype_name(g.t))}, accumulate=True)",
    lambda g: f"F.embedding_bag({g.index_tensor(g.f(2, 2) and g.t.shape[0], [g.int(1, 3), g.int(1, 3)])}, {g.name}, mode={g.one('sum', 'mean', 'max')!r})",
    lambda g: f"{g.a(1, 3)}.repeat_interleave({g.index_tensor(4, [g.t.shape[0]])}, 0)",
    lambda g: f"{g.a(1, 2)}[{g.index_tensor(g.t.shape[0], [4])}.unique()]",
    lambda g: f"torch.unique({g.a(1, 2, 'number')}, return_{g.one('inverse', 'counts')}=True)[{g.int(0, 1)}]",
    lambda g: f"torch.unique_consecutive({g.a(1, 2, 'number')}, return_counts=True)[{g.int(0, 1)}]",
    lambda g: f"torch.arange({g.index_tensor(6, [])}.item())",
    lambda g: f"torch.zeros({g.index_tensor(5, [])}.item(), {g.int(1, 3)}) + {g.int(0, 3)}",
    lambda g: f"{g.a(1)} * {g.index_tensor(5, [])}.item()",
    lambda g: f"F.one_hot({g.index_tensor(4, [g.int(1, 3)])}, {g.int(4, 6)})",
    lambda g: f"{g.a(1, 3, 'real')}.take_along_dim({g.name}.argsort(dim=-1, stable=True), -1)",
    lambda g: f"torch.segment_reduce({g.f(1, 2)}, {g.one('sum', 'mean', 'max', 'min')!r}, lengths=torch.tensor([1, {g.t.shape[0] - 1}]), axis=0)",
    lambda g: f"torch.combinations({g.a(1, 1)}, {g.int(1, 3)})" if g.chance(0.5) else f"torch.nonzero_static({g.a(1, 2)}, size={g.int(0, 5)})",
]

NUMBERS = [
    lambda g: f"{g.a()}.to(torch.{g.one('uint16', 'uint32', 'uint64')})",
    lambda g: f"{g.a(kind='int')}.to(torch.{g.one('uint16', 'uint32', 'uint64')}).{g.one('sum()', 'to(torch.int64)', 'to(torch.float32)', 'reshape(-1)')}",
    lambda g: f"{g.f()}.to(torch.{g.one('float8_e4m3fn', 'float8_e5m2', 'float8_e4m3fnuz', 'float8_e5m2fnuz')}).to(torch.float32)",
    lambda g: f"torch.frexp({g.f()})[{g.int(0, 1)}]",
    lambda g: f"torch.ldexp({g.f()}, {g.int(-3, 3)} * torch.ones((), dtype=torch.int32))",
    lambda g: f"torch.fake_quantize_per_tensor_affine({g.f()}, {g.one('0.1', '0.05')}, {g.int(-3, 3)}, -128, 127)",
    lambda g: f"torch.fake_quantize_per_channel_affine({g.f(1, 4)}, torch.full(({g.t.shape[0]},), 0.1), torch.zeros({g.t.shape[0]}, dtype=torch.int32), 0, -128, 127)",
    lambda g: f"{QUANTIZED}quantize_per_tensor({g.f()}, 0.1, {g.int(-3, 3)}, -128, 127, torch.int8)",
    lambda g: f"{QUANTIZED}dequantize_per_tensor({QUANTIZED}quantize_per_tensor({g.f()}, 0.05, 3, 0, 255, torch.uint8), 0.05, 3, 0, 255, torch.uint8)",
    lambda g: f"{QUANTIZED}dequantize_per_channel(torch.randint(-9, 9, {g.f(1, 3) and list(g.t.shape)}).to(torch.int8) * 0 + {g.int(-9, 9)}, "
              f"torch.full(({g.t.shape[0]},), 0.1), torch.ones({g.t.shape[0]}, dtype=torch.int64), 0, -128, 127, torch.int8) + {g.name}",
    lambda g: f"torch.{g.one('exp', 'sqrt', 'sin', 'tanh', 'log', 'sinh', 'cos', 'reciprocal', 'square', 'sgn')}({g.a(0, 5, 'complex')})",
    lambda g: f"{g.a(0, 5, 'complex')}.{g.one('abs', 'angle', 'conj', 'mean', 'sum', 'resolve_conj', 'isnan', 'prod')}()",
    lambda g: f"{g.a(2, 3, 'complex')} @ {g.alike()}.mH",
    lambda g: f"{g.a(0, 5, 'complex')} {g.one('*', '/', '+', '-', '==')} {g.other()}",
    lambda g: f"torch.fft.{g.one('fft2', 'rfft2', 'ifft2', 'fftn', 'rfftn')}({g.f(2, 3)}, norm={g.one(*FFT_NORMS)})",
    lambda g: f"torch.fft.{g.one('fft', 'ifft', 'rfft', 'hfft', 'ihfft', 'irfft')}({g.f(1, 3)}, n={g.one('None', str(g.int(1, 9)))}, dim={g.dim()}, norm={g.one(*FFT_NORMS)})",
    lambda g: f"torch.fft.{g.one('fftshift', 'ifftshift')}({g.a(1, 3)}, dim={g.dim()})",
    lambda g: f"torch.stft({g.f(1, 2)}, {(n := g.int(2, 4))}, hop_length={g.int(1, 2)}, window=torch.hann_window({n}), return_complex=True, center={g.flag()})",
    lambda g: f"torch.special.{g.one('i0e', 'i1e', 'zeta', 'xlog1py', 'ndtri', 'bessel_j1', 'erfinv', 'multigammaln')}({g.f()})" if g.chance(0.6)
    else f"torch.special.zeta({g.f()}.abs() + 1.5, 1.0)",
    lambda g: f"torch.{g.one('nanmean', 'nansum', 'nanmedian')}({g.f()})",
    lambda g: f"torch.{g.one('nanquantile', 'quantile')}({g.f(1, 3)}, torch.tensor([0.25, 0.5]), dim={g.dim()}, interpolation={g.one('linear', 'lower', 'nearest', 'midpoint')!r})",
    lambda g: f"torch.logcumsumexp({g.f(1)}, {g.dim()})",
    lambda g: f"torch.{g.one('cummax', 'cummin')}({g.a(1, 4, 'number')}, {g.dim()})[1]",
    lambda g: f"torch.gradient({g.f(1, 2)}, dim={g.dim()})[0]",
    lambda g: f"F.{g.one('poisson_nll_loss', 'kl_div')}({g.f(1, 3)}, {g.alike()})",
    lambda g: f"F.{g.one('nll_loss', 'multi_margin_loss')}({g.f(2, 2)}, {g.index_tensor(g.t.shape[1], [g.t.shape[0]])}, reduction={g.one('mean', 'sum', 'none')!r})",
    lambda g: f"F.cross_entropy({g.f(2, 4)}, {g.index_tensor(g.t.shape[1], [g.t.shape[0], *g.t.shape[2:]])}, label_smoothing={g.one('0.0', '0.1')}, ignore_index=1)",
    lambda g: f"F.{g.one('margin_ranking_loss', 'triplet_margin_loss', 'cosine_embedding_loss')}({g.f(1, 2)}, {g.alike()}, {g.alike()})",
    lambda g: f"F.{g.one('soft_margin_loss', 'hinge_embedding_loss', 'multilabel_soft_margin_loss')}({g.f(2, 3)}, {g.alike()}.sign())",
]
QUANTIZED = "torch.ops.quantized_decomposed."

REGIONS = [
    lambda g: f"torch.cond({g.condition()}, lambda a: torch.cond(a.sum() > 0, lambda b: b.{g.one('transpose(0, -1).contiguous().transpose(0, -1)', 'clone()', 'flip(0)')} + 1, "
              f"lambda b: b * 2, (a,)), lambda a: a.{g.one('neg()', 'sin()', 'abs()')}, ({g.f(1)},))",
    lambda g: f"torch.cond({g.condition()}, lambda a: (a.sum(0), a + 1), lambda a: (a[0] * 1, a * 2), ({g.f(1)},))[{g.int(0, 1)}]",
    lambda g: f"torch.cond({g.condition()}, lambda a, b: a @ b.mT, lambda a, b: (a @ b.mT).relu(), ({g.f(2, 3)}, {g.alike()}))",
    lambda g: f"torch.cond({g.condition()}, lambda a, b: a + b, lambda a, b: a - b, ({g.f()}, {g.one(g.name, 'torch.ones(())')}))",
    lambda g: f"{LOOPS}while_loop(lambda i, a, b: i < {g.int(0, 4)}, lambda i, a, b: (i + 1, {g.one('b.clone(), a + 1', 'a * 0.5, b + a', 'a.sin(), b.flip(0)', 'a + b[:1], b * 0.5')}), "
              f"(torch.zeros((), dtype=torch.int64), {g.f(1)}, {g.alike()}))[{g.int(1, 2)}]",
    lambda g: f"{LOOPS}while_loop(lambda i, a: i < {g.size_expression()}, lambda i, a: (i + 1, a * 0.5 + 1), (torch.zeros((), dtype=torch.int64), {g.f()}))[{g.int(0, 1)}]",
    lambda g: f"{LOOPS}scan(lambda c, x: ({g.one('(c * 0.5 + x)', 'torch.tanh(c + x)', 'torch.maximum(c, x)')}, c.clone()), {g.f(1, 4)}.select({g.dim()}, 0) * 0, {g.name}, dim={g.d}, reverse={g.flag()})[{g.int(0, 1)}]",
    lambda g: f"{LOOPS}associative_scan(lambda x, y: {g.one('x + y', 'x * y', 'torch.maximum(x, y)')}, {g.f(1, 4)}, {g.dim()}, reverse={g.flag()}, combine_mode='generic')",
    lambda g: f"torch.vmap(lambda a: {g.one('a.cumsum(0)', 'a.softmax(-1)', 'a * a.sum()', 'a.flip(0)', 'a.sort()[0]')}, in_dims={g.int(0, 1)})({g.f(2, 3)})",
    lambda g: f"torch.vmap(lambda a, b: {g.one('a * b', 'torch.dot(a.flatten(), b.flatten())', 'a @ b.mT')})({g.f(2, 4)}, {g.alike()})",
    lambda g: f"{LOOPS}map(lambda x: {g.one('x.sort()[0]', 'x[..., :1] + x', 'x.view(-1)', 'x.softmax(-1)')}, {g.f(2, 4)})",
]

# In place, beside WRITES.
DEEP_WRITES = [
    lambda g: f"torch._foreach_{g.one('add_', 'mul_')}([{g.a(kind='number')}], {g.int(1, 3)})",
    lambda g: f"{g.a(1)}.view(-1)[::2].{g.one('zero_()', 'add_(1)', 'neg_()')}",
    lambda g: f"{g.a(2)}.transpose(0, 1)[{g.slice(g.t.shape[1])}].{g.one('zero_()', 'mul_(2)', 'add_(1)')}",
    lambda g: f"{g.a(2)}[{g.slice(g.t.shape[0])}][..., {g.slice(g.t.shape[-1])}].{g.one('fill_(2)', 'mul_(2)', 'neg_()')}",
    lambda g: f"{g.a(2)}.diagonal()[{g.slice(min(g.t.shape[:2]))}].{g.one('zero_()', 'add_(1)')}",
    lambda g: f"{g.a(2)}.unbind({g.dim()})[0].{g.one('zero_()', 'add_(1)', 'copy_(torch.ones(()))')}",
    lambda g: f"{g.a(1)}.chunk(2, {g.dim()})[{g.int(-1, 0)}].{g.one('zero_()', 'mul_(2)')}",
    lambda g: f"{g.a(1)}.index_put_(({g.index_tensor(g.t.shape[0], [2], True)},), {g.constant([2, *g.t.shape[1:]], dtype_name(g.t))}, accumulate=True)",
    lambda g: f"{g.a(1)}[{g.index_tensor(g.t.shape[0], [1], True)}] = {g.constant([1, *g.t.shape[1:]], dtype_name(g.t))}",
    lambda g: f"{g.a(2)}[:, {g.index_tensor(g.t.shape[1], [1], True)}] {g.one('+=', '*=', '-=')} {g.int(1, 3)}",
    lambda g: f"{g.a(1)}.masked_scatter_({g.mask()}, {g.apart()})",
    lambda g: f"{g.a(1)}[{g.mask()}] = {g.constant([], dtype_name(g.t))}",
    lambda g: f"{g.f(1)}.{g.one('cumsum_', 'cumprod_')}({g.dim()})",
    lambda g: f"{g.a(2)}.{g.one('tril_', 'triu_')}({g.int(-1, 1)})",
    lambda g: f"{g.f(1)}.{g.one('addcmul_', 'addcdiv_')}({g.apart()}, {g.apart()}, value=0.5)",
    lambda g: f"{g.a(1)}.copy_({g.name}.flip(0))",
    lambda g: f"{g.a(1)}.copy_({g.name}.roll(1, 0) * 2)",
    lambda g: f"{g.f(2, 2)}.addmm_({g.weight([g.t.shape[0], 3], dtype_name(g.t))}, {g.weight([3, g.t.shape[1]], dtype_name(g.t))})",
    lambda g: f"{g.a(1, 3)}.scatter_reduce_(0, {g.index_tensor(g.t.shape[0], [2, *g.t.shape[1:]])}, {g.constant([2, *g.t.shape[1:]], dtype_name(g.t))}, {g.one('sum', 'amax', 'amin')!r})",
    lambda g: f"{g.a(1, 3)}.scatter_(0, {g.index_tensor(g.t.shape[0], [1, *g.t.shape[1:]])}, {g.int(0, 3)})",
    lambda g: f"torch.{g.one('add', 'mul', 'sub')}({g.f()}, {g.int(1, 3)}, out={g.name})",
    lambda g: f"{g.a(0, 5, 'complex')}.{g.one('real', 'imag')}.{g.one('zero_()', 'mul_(2)', 'add_(1)')}",
    lambda g: f"{g.a(1)}.squeeze(0).view(-1).{g.one('sub_', 'add_')}({g.int(1, 3)})",
    lambda g: f"{g.a(1)}.reshape(-1)[{g.int(0, 2)}:].{g.one('zero_()', 'add_(1)')}",
    lambda g: f"{g.a(1)}.detach().add_(1)",
    lambda g: f"{g.a(1)}.as_strided(({g.int(1, 2)}, 2), (2, 1), {g.int(0, 1)}).add_(1)",
    lambda g: f"{g.a(1)}.put_({g.index_tensor(g.t.numel(), [1], True)}, {g.constant([1], dtype_name(g.t))})",
    lambda g: f"{g.f(1)}.clamp_(min={g.apart()})",
    lambda g: f"{g.f(1)}.div_({g.int(2, 3)}, rounding_mode={g.one('floor', 'trunc')!r})",
    lambda g: f"{g.a(1)}.swapaxes(0, -1).copy_({g.one('torch.ones(())', 'torch.zeros(())')})",
]


def gates(g, n: int, n_in: int, size: int) -> list[str]:
    """The weights and biases of n gates for inputs of n_in numbers."""
    dtype = dtype_name(g.t)
    return [g.weight(sizes, dtype) for sizes in ([n * size, n_in], [n * size, size], [n * size], [n * size])]


def recurrent(g, kind: str, n: int) -> str:
    name, size, is_first, both = g.f(3, 3), g.int(1, 5), g.chance(0.5), g.chance(0.3)
    t, directions = g.t, 2 if both else 1
    weights = [one for _ in range(directions) for one in gates(g, n, t.shape[2], size)]
    hidden = f"{name}.new_zeros({directions}, {name}.shape[{0 if is_first else 1}], {size})"
    state = f"({hidden}, {hidden})" if kind == "lstm" else hidden
    which = g.one("0", "0", "1")
    return f"torch.{kind}({name}, {state}, [{', '.join(weights)}], True, 1, 0.0, False, {both}, {is_first})[{which}]"


def cell(g, kind: str, n: int) -> str:
    name, size = g.f(2, 2), g.int(1, 5)
    weights = gates(g, n, g.t.shape[1], size)
    hidden = f"{name}.new_ones({name}.shape[0], {size})"
    text = f"torch.{kind}({name}, {f'({hidden}, {hidden})' if kind == 'lstm_cell' else hidden}, {', '.join(weights)})"
    return f"{text}[{g.int(0, 1)}]" if kind == "lstm_cell" else text


def attention(g) -> str:
    """Queries beside keys of another number, heads in groups, masks of every sort."""
    name = g.f(3, 4)
    t, dtype, n = g.t, dtype_name(g.t), g.int(1, 9)
    heads = list(t.shape[:-2])
    grouped = len(heads) == 2 and heads[1] % 2 == 0 and heads[1] > 0 and g.chance(0.4)
    if grouped:
        heads[1] //= 2
    key, value = g.weight([*heads, n, t.shape[-1]], dtype), g.weight([*heads, n, g.one(t.shape[-1], g.int(1, 5))], dtype)
    mask = g.one("", f", attn_mask={g.weight([t.shape[-2], n], dtype)}", f", attn_mask={g.weight([t.shape[-2], n], 'bool')}", ", is_causal=True",
                 f", attn_mask={g.weight([1, n], 'bool')}")
    return (f"F.scaled_dot_product_attention({name}, {key}, {value}{mask}{g.one('', ', dropout_p=0.0', ', scale=0.3')}"
            f"{', enable_gqa=True' if grouped else ''})")


def definite(g) -> str:
    """A symmetric matrix whose eigenvalues are well above 0; its name is the matrix that it is made of."""
    name = g.f(2, 4)
    if not g.t.is_floating_point() or g.t.itemsize < 4:
        raise NothingFits
    return f"({name} @ {name}.mT / {max(g.t.shape[-1], 1)} + 2.3 * torch.eye({g.size(g.t.shape[-2])}, dtype={g.t.dtype}))"
