# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product or convolution with constant weights, and what follows it: some registries make one call of all that."""

import itertools

import torch
import torch.nn.functional as F

from case import Family

FAMILY = Family("fused")
t = FAMILY.tensor

ACTIVATIONS = {
    "relu": F.relu, "leaky relu": lambda x: F.leaky_relu(x, 0.2), "relu6": F.relu6, "elu": lambda x: F.elu(x, 1.5),
    "hardtanh": lambda x: F.hardtanh(x, -0.5, 1.5), "clamp": lambda x: torch.clamp(x, -1.0, 2.0),
    "clamp below": lambda x: torch.clamp(x, min=-1.0),
    "sigmoid": torch.sigmoid, "silu": F.silu, "hardswish": F.hardswish, "tanh": torch.tanh, "gelu": F.gelu,
    "gelu by tanh": lambda x: F.gelu(x, approximate="tanh"),
}


def norm(n: int) -> tuple[torch.Tensor, ...]:
    """mean, variance, weight and bias of n channels"""
    return t(n), t(n, low=0.5, high=2), t(n), t(n)


filters, offsets, row, matrix = t(8, 4, 3, 3, low=-1, high=1), t(8), t(24), t(24, 16, low=-1, high=1)
of_8, of_24, of_48 = norm(8), norm(24), norm(48)
deep, narrow, wide = t(24, 1, 3, 3), t(24, 8, 1, 1, low=-1, high=1), t(48, 24, 3, 3, low=-0.3, high=0.3)
back = t(8, 48, 1, 1, low=-0.3, high=0.3)


def normalized(x: torch.Tensor, of: tuple[torch.Tensor, ...], *, affine: bool = True) -> torch.Tensor:
    return F.batch_norm(x, of[0], of[1], of[2] if affine else None, of[3] if affine else None)


def block(x: torch.Tensor) -> torch.Tensor:
    """An inverted residual: images between its convolutions are nobody else's."""
    y = F.relu6(normalized(F.conv2d(x, narrow), of_24))
    y = F.relu6(normalized(F.conv2d(y, deep, padding=1, groups=24), of_24))
    y = F.relu(normalized(F.conv2d(y, wide, padding=1), of_48))
    return x + normalized(F.conv2d(y, back), of_8)


for name, f in ACTIVATIONS.items():
    FAMILY.add(f"convolution, {name}", lambda x, f=f: f(F.conv2d(x, filters, offsets, padding=1)), t(2, 4, 9, 9),
               tolerance=(1e-4, 1e-4))
    FAMILY.add(f"product, {name}", lambda x, f=f: f(F.linear(x, matrix, row)), t(5, 16), others=(t(9, 16),),
               tolerance=(1e-4, 1e-4))
    FAMILY.add(f"vector, {name}", lambda x, f=f: f(F.linear(x, matrix)), t(1, 16), tolerance=(1e-4, 1e-4))
CLOSE = (1e-4, 1e-3)
for affine in (False, True):
    FAMILY.add(f"batch norm, affine {affine}", lambda x, a=affine: (
        normalized(F.conv2d(x, filters), of_8, affine=a), normalized(F.conv2d(x, filters, offsets), of_8, affine=a)),
               t(2, 4, 9, 9), tolerance=CLOSE)
lines = t(8, 4, 3, low=-1, high=1)
FAMILY.add("batch norm of a 1-d convolution", lambda x: normalized(F.conv1d(x, lines), of_8), t(2, 4, 9), tolerance=CLOSE)
FAMILY.add("addends on either side", lambda x, y: (
    F.relu(F.conv2d(x, filters) + y), F.relu(y + F.conv2d(x, filters, offsets)), torch.add(y, F.conv2d(x, filters), alpha=2)),
           t(2, 4, 9, 9), t(2, 8, 7, 7), tolerance=CLOSE)
FAMILY.add("addends that are broadcast", lambda x, y: F.relu(F.conv2d(x, filters) + y), t(2, 4, 9, 9),
           t(8, 1, 1), tolerance=CLOSE)
FAMILY.add("two ends", lambda x: F.relu(F.conv2d(x, filters) + F.conv2d(x, filters, offsets)), t(2, 4, 9, 9), tolerance=CLOSE)
FAMILY.add("a product that is used twice", lambda x: (lambda y: (y, F.relu(y)))(F.conv2d(x, filters)), t(2, 4, 9, 9),
           tolerance=CLOSE)
FAMILY.add("the same twice", lambda x: (lambda y: F.relu(y + y))(F.conv2d(x, filters)), t(2, 4, 9, 9), tolerance=CLOSE)
FAMILY.add("products and a residual", lambda x, y: F.gelu(F.linear(x, matrix, row) + y), t(2, 3, 16),
           t(2, 3, 24), tolerance=CLOSE)
FAMILY.add("a weight that the program computes", lambda x: F.relu(F.conv2d(x, filters * 2)), t(2, 4, 9, 9), tolerance=CLOSE)
FAMILY.add("a weight that is an input", lambda x, w: F.relu(F.conv2d(x, w)), t(2, 4, 9, 9), t(8, 4, 3, 3),
           more=((t(2, 4, 9, 9), t(8, 4, 3, 3)),), tolerance=CLOSE)
FAMILY.add("blocks", lambda x: block(F.max_pool2d(block(x), 2)), t(1, 8, 14, 14), tolerance=CLOSE,
           more=((t(1, 8, 14, 14),),))
FAMILY.add("a block, dynamic", block, t(2, 8, 6, 6), others=(t(3, 8, 9, 7),), tolerance=CLOSE)
FAMILY.add("bf16", lambda x: F.relu(F.conv2d(x, filters.bfloat16(), offsets.bfloat16())), t(2, 4, 9, 9, dtype=torch.bfloat16),
           tolerance=(2e-2, 2e-1))

# A reduction of one number is a loop of no dims that begins with what its result held: fused into loops that ask for it
# again and again, it must not add up.
OF_ONE = {"sum": lambda x: x.sum(), "float sum": lambda x: (x > 0).sum(dtype=torch.float32), "prod": lambda x: (x * 2).prod(),
          "mean": lambda x: x.mean(), "norm": lambda x: x.norm(), "logsumexp": lambda x: x.logsumexp(()),
          "any": lambda x: (x > 0).any().float(), "count": lambda x: x.count_nonzero().float(), "index": lambda x: x.argmax().float(),
          "var": lambda x: x.var(correction=0), "sum of sums": lambda x: x.sum().sum() + x.sum()}
bounds = torch.tensor([-1.5, 0.0, 0.5, 2.0])
ASKED_AGAIN = {"bucketize": lambda y, x: torch.bucketize(y, bounds), "added": lambda y, x: x + y, "summed": lambda y, x: (x * y).sum(1),
               "expanded": lambda y, x: y.expand(4, 3).cumsum(0), "at last": lambda y, x: (y.reshape(1, 1) * 3 - x).amax()}
for (first, reduce_), (second, ask) in itertools.product(OF_ONE.items(), ASKED_AGAIN.items()):
    FAMILY.add(f"{first} of one number, {second}", lambda x, z, f=reduce_, g=ask: g(f(x), z), t(), t(4, 3))
