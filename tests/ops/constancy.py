# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is computed of constants is kept from run to run; what only looks like it must not be: gathers by constant indices,
parts of weights that a loop or an input names, random numbers of constant parameters. run_ops.py runs each case with
other numbers."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import torch
from torch._higher_order_ops.map import map as map_over
from torch._higher_order_ops.while_loop import while_loop

from case import Family

FAMILY = Family("constancy")
F = torch.nn.functional
N = 32
ROWS = torch.tensor([0, 2, 5, 5, 1, 31, 7, 8])
WEIGHT, STACK, FILTERS = (FAMILY.tensor(*sizes) for sizes in ((N, N), (5, N, N), (6, 1, 3, 3)))
TABLE = FAMILY.tensor(N, N)

# x is N by N; what each takes of it by constant indices, or makes of it and constants.
PRODUCERS: dict[str, Callable] = {
    "columns": lambda x: x[:, [0, 2, 5, 9]],
    "rows": lambda x: x[ROWS],
    "points": lambda x: x[ROWS.view(8, 1), ROWS[2:6]],
    "index_select": lambda x: torch.index_select(x, 1, ROWS),
    "gather": lambda x: torch.gather(x, 0, ROWS.view(1, 8).expand(4, 8)),
    "take": lambda x: torch.take(x, torch.outer(ROWS, ROWS[2:6])),
    "take_along_dim": lambda x: torch.take_along_dim(x[:8], ROWS.view(1, 8).expand(8, 8), 1),
    "embedding": lambda x: F.embedding(ROWS.view(2, 4), x).flatten(1),
    "triangle": lambda x: x[tuple(torch.triu_indices(N, N))].view(-1, 4),
    "of a table": lambda x: F.embedding(ROWS, WEIGHT) * x[0],
    "flipped": lambda x: x.flip(1)[ROWS],
    "scatter": lambda x: torch.zeros(4, N).index_add(0, ROWS % 4, x[:8]),
    "put": lambda x: WEIGHT.index_put((ROWS,), x[:8]),
    "scaled": lambda x: WEIGHT * x.mean(),
    "masked": lambda x: torch.where(TABLE > 0, WEIGHT, x[0, 0]),
    "cumulated": lambda x: torch.cumsum(x[:, [3, 3, 1]], 0),
    "copied": lambda x: TABLE.clone().copy_(x),
}
CONSUMERS: dict[str, Callable] = {
    "transposed": lambda y: y.t(),
    "sum": lambda y: y.sum(0),
    "of rows": lambda y: y.view(-1, 2).sum(1),
    "product": lambda y: y.t() @ y,
    "linear": lambda y: F.linear(y.flatten()[:16].view(1, 16).expand(8, 16), WEIGHT[:, :16]),
    "weight": lambda y: F.linear(TABLE[:, :16], y.flatten()[:16].repeat(8, 1)),
    "convolution": lambda y: F.conv2d(y.flatten()[:16].view(1, 1, 4, 4), FILTERS),
    "filter": lambda y: F.conv2d(TABLE.view(1, 1, N, N), y.flatten()[:6].view(2, 1, 1, 3)),
    "softmax": lambda y: torch.softmax(y, 0).t(),
    "normalized": lambda y: F.layer_norm(y, y.shape[-1:]).t(),
}


def gathered(x: torch.Tensor) -> None:
    for (first, produce), (second, consume) in itertools.product(PRODUCERS.items(), CONSUMERS.items()):
        FAMILY.add(f"{first}, {second}", lambda x, produce=produce, consume=consume: consume(produce(x)), x,
                   tolerance=(1e-4, 1e-4))


def number_of(i: torch.Tensor, end: int) -> int:
    n = i.item()
    torch._check(n >= 0)
    torch._check(n < end)
    return n


def in_loop(x: torch.Tensor) -> torch.Tensor:
    def step(i, x):
        return i + 1, torch.tanh(x @ STACK.select(0, number_of(i, 5)))
    return while_loop(lambda i, x: i < 5, step, (torch.tensor(0), x))[1]


def parts(x: torch.Tensor) -> None:
    near = (1e-4, 1e-3)
    FAMILY.add("a weight for each round, map", lambda x: map_over(lambda w, x: x @ w, STACK, x), x, tolerance=near)
    FAMILY.add("a weight for each round, while_loop", in_loop, x / 64, tolerance=near)
    at = [torch.tensor(i) for i in (1, 4, 0, 2)]
    for name, function in {
        "product": lambda x, i: x @ STACK[number_of(i, 5)],
        "linear": lambda x, i: F.linear(x, STACK[number_of(i, 5)], STACK[0, 0]),
        "columns": lambda x, i: x[:, :16] @ WEIGHT.narrow(0, number_of(i, 16), 16),
        "sum": lambda x, i: STACK[number_of(i, 5)].sum(0) + x,
        "transposed": lambda x, i: STACK[number_of(i, 5)].t() + x,
        "filter": lambda x, i: F.conv2d(x.view(1, 1, N, N), STACK.view(5, 64, 1, 4, 4)[number_of(i, 5)]),
        "scale": lambda x, i: F.conv2d(x.view(1, 1, N, N), FILTERS) * i.item() + 1,
    }.items():
        FAMILY.add(f"the weight that an input names, {name}", function, x, at[0], tolerance=near,
                   more=tuple((x, i) for i in at[1:]))


def conditions(x: torch.Tensor) -> None:
    yes, no = torch.tensor(True), torch.tensor(False)
    for name, function in {
        "product": lambda x, c: x @ torch.cond(c, lambda: WEIGHT.clone(), lambda: TABLE.clone(), ()),
        "sum": lambda x, c: torch.cond(c, lambda: WEIGHT.sin(), lambda: TABLE.sin(), ()).sum(0) + x,
    }.items():
        FAMILY.add(f"the weight that a condition chooses, {name}", function, x, yes, tolerance=(1e-4, 1e-3),
                   more=((x, no), (x, yes)))


def is_random(*results: torch.Tensor) -> None:
    for result in results:
        assert torch.isfinite(result).all()


def random_numbers(x: torch.Tensor) -> None:
    half, rates = torch.full((N, N), 0.5), torch.full((N, N), 4.0)
    FAMILY.add("bernoulli of constants", lambda x: torch.bernoulli(half).sum(0).sqrt() + x[0], x, check=is_random)
    FAMILY.add("poisson of constants", lambda x: torch.poisson(rates).t() + 0 * x, x, check=is_random)
    FAMILY.add("normal of constants", lambda x: torch.normal(half, 1.0).t() + 0 * x, x, check=is_random)


X = FAMILY.tensor(N, N)
gathered(X)
parts(X)
conditions(X)
random_numbers(X)
