# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers and sizes that the data give, and of which the program says what they are: an exporter that was told
`torch._check(n == 4)` writes 4 wherever n stood. Data that give another one end the run, also where nothing uses them."""

from __future__ import annotations

import torch
from torch._higher_order_ops.while_loop import while_loop

from case import Family

FAMILY = Family("told")


def rows(n: int) -> torch.Tensor:
    """n numbers above 2 of 6, and each of them another."""
    x = torch.full((6,), -1.0)
    x[:n] = torch.arange(3.0, 3.0 + n)
    return x


def count(n: int) -> torch.Tensor:
    return torch.tensor(n)


def check(number, wanted) -> None:
    torch._check(number == wanted)


def item_unused(x, n):
    check(n.item(), 4)
    return x + 1


def item_as_size(x, n):
    k = n.item()
    check(k, 4)
    return x[:k], x.new_zeros(k)


def item_in_a_range(x, n):
    k = n.item()
    torch._check(k >= 2)
    torch._check(k <= 5)
    return x + 1


def item_doubled(x, n):
    k = n.item()
    check(k * 2, 8)
    return x + k


def two_items(x, n):
    k, m = n.item(), (n * 2 - 4).item()
    check(k, m)
    return x + 1


def truth(x, n):
    torch._check((n == 4).item())
    return x + 1


COUNTS = {
    "index": lambda x, n: x[x > 2],
    "masked_select": lambda x, n: torch.masked_select(x, x > 2),
    "nonzero": lambda x, n: (x > 2).nonzero(),
    "unique": lambda x, n: x[:5].clamp(min=2).unique(),
    "unique_consecutive": lambda x, n: x[:5].clamp(min=2).unique_consecutive(),
    "bincount": lambda x, n: torch.bincount(n.reshape(1) - 1),
    "repeat_interleave": lambda x, n: torch.repeat_interleave(n.reshape(1)),
    "two dims": lambda x, n: x.reshape(2, 3)[x.reshape(2, 3) > 2],
}


def counted(function, is_used: bool):
    def run(x, n):
        values = function(x, n)
        check(values.shape[0], 4)
        return values + 1 if is_used else x + 1
    return run


def counted_in_range(function):
    def run(x, n):
        values = function(x, n)
        torch._check(values.shape[0] >= 3)
        torch._check(values.shape[0] <= 4)
        return x + 1
    return run


FOUR, OTHERS = (rows(4), count(4)), [(rows(n), count(n)) for n in (5, 3, 0, 1)]
for function in (item_unused, item_as_size, item_in_a_range, item_doubled, two_items, truth):
    FAMILY.add(function.__name__, function, *FOUR, more=(*OTHERS, FOUR))
for name, function in COUNTS.items():
    for is_used in (False, True):
        FAMILY.add(f"{name} is 4, {'used' if is_used else 'unused'}", counted(function, is_used), *FOUR, more=(*OTHERS, FOUR))
    FAMILY.add(f"{name} is 3 or 4", counted_in_range(function), *FOUR, more=(*OTHERS, FOUR))


BESIDE = {  # ops of which torch.export does not ask before they run whether a size that data tell is 1, or as large as another
    "masked_scatter_": lambda x, v, m: x.clone().masked_scatter_(m, x * 2),
    "masked_select": lambda x, v, m: x.masked_select(m),
    "masked_select from it": lambda x, v, m: v.masked_select(x > 0),
    "masked_select of rows": lambda x, v, m: x[:, :1].masked_select(m[:, None]) + x.masked_select(x.abs() > -1)[0],
    "masked_select of two sizes": lambda x, v, m: torch.nonzero(x.T > 0)[:, 0].float().masked_select(m),
    "masked_select by two sizes": lambda x, v, m: v.masked_select(torch.nonzero(x.T > 0)[:, 1] > 0),
    "masked_select of a square": lambda x, v, m: torch.nonzero(x > 0).float()[:, None].masked_select(m[:, None, None]),
    "index_put of a row": lambda x, v, m: x.index_put((torch.tensor([0]),), v),
    "index_put of elements": lambda x, v, m: x.index_put((torch.tensor([0, 2]), torch.tensor([1, 1])), v, accumulate=True),
    "index_put of a block": lambda x, v, m: x.index_put((torch.tensor([[0], [2]]), torch.tensor([1, 3, 0, 2])), v),
    "index_put of columns": lambda x, v, m: x.clone().index_put_((torch.tensor([0, 1, 2]),), v[:, None]),
    "index_put of a mask": lambda x, v, m: x.index_put((x > 0.5,), v),
    "index_put of all": lambda x, v, m: x.index_put((x > -99,), v, accumulate=True)}


def beside(function):
    def run(x, n):
        v = torch.arange(n.item()).float() + 1
        return function(x, v, v > 1)
    return run


for name, function in BESIDE.items():
    x = FAMILY.tensor(3, 4)
    FAMILY.add(f"{name}, of a counted size", beside(function), x, count(4), more=tuple((x, count(n)) for n in (1, 0, 2, 3, 5, 12, 4)),
               is_whole=name == "masked_scatter_")  # decomposed, it asks


def as_many_as_rows(x, y):
    values = x[x > 2]
    check(values.shape[0], y.shape[0])
    return values + y


def as_many_unused(x, y):
    check(x[x > 2].shape[0], y.shape[0])
    return x + 1, y + 1


def as_many_as_others(x, y):
    values, others = x[x > 2], y[y > 0]
    check(values.shape[0], others.shape[0])
    return values + others


def branches_of_rows(x, y):
    """What a branch gives is as long as its data say."""
    values = torch.cond(x.sum() > -99, lambda a: a * 2, lambda a: a + 1, (x[x > 2],))
    check(values.shape[0], y.shape[0])
    return values + y, torch.stack([values, values], -1)


def rounds_of_rows(x, y):
    values = while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), (torch.zeros((), dtype=torch.int64), x[x > 2]))[1]
    check(values.shape[0], y.shape[0])
    return values + y, torch.stack([values, values], -1)


def item_is_size(x, y):
    k = x.sum().to(torch.int64).item()
    check(k, y.shape[0])
    return x.new_ones(k) + y


for function in (as_many_as_rows, as_many_unused, as_many_as_others, branches_of_rows, rounds_of_rows):
    good, short, long = (rows(4), torch.ones(4)), (rows(3), torch.ones(4)), (rows(5), torch.ones(4))
    FAMILY.add(function.__name__, function, *good, more=(short, long, good))
    FAMILY.add(f"{function.__name__}, dynamic", function, *good, others=(rows(5), torch.ones(5)), more=(short, long, good))
good, short = (torch.ones(6), torch.ones(6)), (torch.zeros(6), torch.ones(6))
FAMILY.add("item_is_size", item_is_size, *good, more=(short, good))
FAMILY.add("item_is_size, dynamic", item_is_size, *good, others=(torch.ones(7), torch.ones(7)), more=(short, good))


def float_as_size(x, y):
    """Sizes that a computed float decides: PyTorch rounds it up."""
    k = x.max().item()
    steps = torch.arange(0, k)
    return steps[:, None] < y, torch.arange(1, k, 0.5), steps.sum()


for name, further in {"": {}, ", dynamic": {"others": (torch.tensor([2.5, 4.25, 1.0]), torch.ones(2))}}.items():
    FAMILY.add(f"float_as_size{name}", float_as_size, torch.tensor([3.0, 5.0]), torch.tensor([1.0, 2.0, 3.0]), is_whole=True,
               more=((torch.tensor([3.25, 1.0]), torch.ones(3)), (torch.tensor([1.0, 0.5]), torch.ones(3)), (torch.tensor([-3.0, -2.0]), torch.ones(3)),
                     (torch.tensor([1.0, float("inf")]), torch.ones(3)), (torch.tensor([float("nan"), 1.0]), torch.ones(3)),
                     (torch.tensor([3.0, 5.0]), torch.ones(3))), **further)
