# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of many terms along every kind of axes, judged against float64: no further from it than eager, or a few roundings."""

import torch
import torch.nn.functional as F

from case import FLOATS, Family, short

FAMILY = Family("long_sums")
LONG = 2**20 + 3


def numbers(*sizes: int, dtype: torch.dtype, offset: float) -> torch.Tensor:
    """Between 0 and 1, so that nothing cancels, far away from zero as well."""
    return (torch.rand(sizes, generator=FAMILY.random, dtype=torch.float64) + offset).to(dtype)


def reduce(axes: tuple[int, ...]):
    def run(x: torch.Tensor):
        return (x.sum(axes), x.mean(axes), x.var(axes), x.std(axes, correction=0), torch.linalg.vector_norm(x, 2, axes),
                torch.linalg.vector_norm(x, 1, axes), x.nansum(axes), x.logsumexp(axes))
    return run


LAYOUTS = {  # where the n terms of one result lie
    "all": ((0,), lambda n: (n,)),
    "rows": ((1,), lambda n: (3, n)),
    "columns": ((0,), lambda n: (n, 3)),
    "both axes": ((0, 1), lambda n: ((n + 15) // 16, 16)),
    "long in long": ((0, 1), lambda n: (max(n // 1000, 1), min(n, 1000))),
    "around": ((0, 2), lambda n: (max(n // 500, 1), 2, min(n, 500))),
    "wide columns": ((0,), lambda n: (max(n // 40, 1), 100)),
}
for dtype in FLOATS:
    for name, (axes, shape) in LAYOUTS.items():
        for n in (2, 7, 1000, LONG):
            if n == LONG and dtype in (torch.float16, torch.bfloat16):
                n = 2**16 + 1  # float16 knows no larger sum of these
            tensors = [(numbers(*shape(n), dtype=dtype, offset=offset),) for offset in (0, -0.25, 0.1)]
            FAMILY.add(f"{name} of {n} {short(dtype)}", reduce(axes), *tensors[0], more=tuple(tensors[1:]), is_near=True)
        small, large = (numbers(*shape(n), dtype=dtype, offset=0) for n in (4800, 2**15 + 7))
        FAMILY.add(f"{name}, dynamic {short(dtype)}", reduce(axes), small, others=(large,), is_near=True)
for dtype in (torch.float32, torch.float64):  # eager carries mean and deviations in float64
    for name, (axes, shape) in LAYOUTS.items():
        far = [(numbers(*shape(2**18 + 1), dtype=dtype, offset=offset),) for offset in (1e4, -1e4, 3e4)]
        FAMILY.add(f"{name} far from zero {short(dtype)}", lambda x, axes=axes: x.mean(axes), *far[0], more=tuple(far[1:]),
                   is_near=True)
        FAMILY.add(f"{name} deviations far from zero {short(dtype)}", lambda x, axes=axes: (x.var(axes), x.std(axes)),
                   *far[0], more=tuple(far[1:]), **({"is_near": True} if dtype == torch.float32 else {"tolerance": (2e-11, 0)}))
SHORT = ((2, 31, 31), (2, 200, 20), (2, 64, 63), (2, 500, 3), (2, 3, 500), (2, 12, 12), (3, 1, 2000), (2, 1000, 1))


def reduce_short(x: torch.Tensor):
    return (x.sum((1, 2)), x.mean((0, 2)), x.square().mean((1, 2)), x.exp().sum((1, 2)), x.sum(1), x.logsumexp((1, 2)),
            x.flatten(1).softmax(1), F.layer_norm(x, x.shape[1:]), F.adaptive_avg_pool2d(x, 1))


def reduce_views(x: torch.Tensor):
    """Neighbouring axes between which there is a gap, or none, or which lie in another order."""
    return (x[:, 1:].sum((1, 2)), x[:, :, 1:].sum((1, 2)), x[:, ::2].sum((1, 2)), x.mT.sum((1, 2)), x[:, None].expand(-1, 3, -1, -1).sum((1, 2, 3)),
            x.flip(1).sum((0, 1, 2)), (x * x[:, :1]).sum((1, 2)), (x - x[:, :, :1]).square().sum((1, 2)))


for sizes in SHORT:  # what rounding takes from equal terms, and from a few among zeros, goes all one way
    for dtype in FLOATS:
        ones = torch.eye(*sizes[1:], dtype=dtype).repeat(sizes[0], 1, 1)
        data = [(0.1 + ones,), (ones,),
                (torch.linspace(0.01, 0.7, sizes[1] * sizes[2], dtype=dtype).reshape(1, *sizes[1:]).repeat(sizes[0], 1, 1),)]
        name = f"{'x'.join(str(n) for n in sizes)} {short(dtype)}"
        FAMILY.add(f"equal terms, {name}", reduce_short, *data[0], more=tuple(data[1:]), is_near=True)
        FAMILY.add(f"views, {name}", reduce_views, *data[0], more=tuple(data[1:]), is_near=True)
    grown = torch.full([n if n == 1 else n + 3 for n in sizes], 0.1)
    FAMILY.add(f"equal terms, dynamic {sizes}", reduce_short, torch.full(sizes, 0.1), others=(grown,), is_near=True)
    FAMILY.add(f"views, dynamic {sizes}", reduce_views, torch.full(sizes, 0.1), others=(grown,), is_near=True)
NORMALISED = {
    "layer_norm": (lambda x: F.layer_norm(x, x.shape[1:]), (2, 512, 1000)),
    "group_norm": (lambda x: F.group_norm(x, 2), (2, 4, 256, 500)),
    "instance_norm": (F.instance_norm, (2, 2, 300, 700)),
    "rms_norm": (lambda x: F.rms_norm(x, x.shape[1:]), (2, 512, 1000)),
    "batch_norm": (lambda x: F.batch_norm(x, None, None, training=True), (16, 3, 100, 130)),
    "softmax": (lambda x: x.softmax(-1), (2, 300000)),
    "log_softmax": (lambda x: x.log_softmax(0), (300000, 2)),
    "adaptive_avg_pool2d": (lambda x: F.adaptive_avg_pool2d(x, 1), (2, 2, 500, 600)),
    "avg_pool2d": (lambda x: F.avg_pool2d(x, 250), (1, 2, 500, 500)),
}
for name, (function, shape) in NORMALISED.items():
    for dtype in FLOATS:
        tensors = [(numbers(*shape, dtype=dtype, offset=offset),) for offset in (0, -0.5, 0.3)]
        FAMILY.add(f"{name} {short(dtype)}", function, *tensors[0], more=tuple(tensors[1:]), is_near=True)
    if name.endswith("_norm") and name != "batch_norm":  # eager's own is wrong there: off by 1.6 of 1.7
        far = [(numbers(*(max(n // 8, 2) for n in shape), dtype=torch.float32, offset=offset),) for offset in (1e4, -1e4, 3e4)]
        FAMILY.add(f"{name} far from zero", function, *far[0], more=tuple(far[1:]), is_near=True)
PAIRS = {
    "dot": (torch.dot, (LONG,)),
    "products": (lambda a, b: a @ b.T, (3, 2**17)),
    "einsum": (lambda a, b: torch.einsum("abc,abc->b", a, b), (500, 3, 500)),
    "losses": (lambda a, b: (F.mse_loss(a, b), F.l1_loss(a, b), F.smooth_l1_loss(a, b), F.huber_loss(a, b)), (1000, 500)),
    "cosine_similarity": (lambda a, b: F.cosine_similarity(a, b, 0), (300000, 2)),
}
for name, (function, shape) in PAIRS.items():
    for dtype in (torch.float32, torch.float64):
        tensors = [tuple(numbers(*shape, dtype=dtype, offset=0) for _ in range(2)) for _ in range(3)]
        FAMILY.add(f"{name} {short(dtype)}", function, *tensors[0], more=tuple(tensors[1:]), is_near=True)
PRODUCTS = {  # sums over many equal terms, in each form that products and windows have; eager is up to 3e-5 off, oneDNN left to itself up to 1e-4
    "rows": (lambda a, b: a @ b, lambda k: ((8, k), (k, 33))),
    "batches": (lambda a, b: a @ b, lambda k: ((3, 5, k), (3, k, 7))),
    "linear": (F.linear, lambda k: ((32, k), (48, k))),
    "one row": (F.linear, lambda k: ((1, k), (48, k))),
    "of columns": (lambda a, b: a.t() @ b, lambda k: ((k, 16), (k, 16))),
    "pixels": (F.conv2d, lambda k: ((1, k, 7, 7), (16, k, 1, 1))),
    "windows": (lambda a, b: F.conv2d(a, b, padding=1), lambda k: ((1, k // 8, 14, 14), (16, k // 8, 3, 3))),
    "strided windows": (lambda a, b: F.conv2d(a, b, stride=2), lambda k: ((1, k // 8, 15, 15), (16, k // 8, 3, 3))),
    "lines": (F.conv1d, lambda k: ((1, k // 8, 30), (16, k // 8, 9))),
    "groups": (lambda a, b: F.conv2d(a, b, groups=2), lambda k: ((1, 2 * (k // 8), 9, 9), (16, k // 8, 3, 3))),
    "transposed windows": (lambda a, b: F.conv_transpose2d(a, b, stride=2), lambda k: ((1, k // 8, 7, 7), (k // 8, 16, 3, 3))),
}
for name, (function, shapes) in PRODUCTS.items():
    for k in (1089, 16384):
        data = [tuple(torch.full(sizes, value) for sizes in shapes(k)) for value in (0.37, 0.1, 0.77)]
        grown = tuple(torch.full(sizes, 0.3) for sizes in shapes(k + 8))
        near = {"is_near": True, "tolerance": (1e-5, 0)}
        FAMILY.add(f"products of equal terms, {name} of {k}", function, *data[0], more=tuple(data[1:]), **near)
        FAMILY.add(f"products of equal terms, {name} of {k}, dynamic", function, *data[0], others=grown, **near)
whole = [tuple(torch.complex(numbers(LONG, dtype=torch.float32, offset=0), numbers(LONG, dtype=torch.float32, offset=0))
               for _ in range(1)) for _ in range(3)]
FAMILY.add("complex", lambda x: (x.sum(), x.mean()), *whole[0], more=tuple(whole[1:]), is_near=True)
special = torch.rand(3, 5000, generator=FAMILY.random)
special[0, 17] = float("inf")
special[1, 4999], special[1, 0] = float("inf"), -float("inf")
special[2] = 3e38
FAMILY.add("infinities", lambda x: (x.sum(1), x.t().contiguous().sum(0), x.mean(1)), special, more=((-special,), (special * 0,)))
