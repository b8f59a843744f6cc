# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The order of the elements of short rows and long ones, of every dtype: equal numbers, zeros of both signs, NaN, infinities and the
ends of whole numbers among them."""

import torch

from case import Family, short

FAMILY = Family("order")
NAN, INF = float("nan"), float("inf")


def numbers(*shape: int, dtype: torch.dtype) -> torch.Tensor:
    def draw(low: float, high: float) -> torch.Tensor:
        return torch.rand(shape, generator=FAMILY.random, dtype=torch.float64) * (high - low) + low

    if dtype == torch.bool:
        return draw(0, 2) > 1
    if not dtype.is_floating_point:
        ends, few = torch.iinfo(dtype), draw(-2 if dtype.is_signed else 0, 5).long()
        wide = draw(max(ends.min, -(2.0**62)), min(ends.max, 2.0**62)).long()
        kind = draw(0, 10).long()
        x = torch.where(kind < 4, wide, few).to(dtype)
        return torch.where(kind == 4, ends.min, torch.where(kind == 5, ends.max, x))
    x = (draw(-4, 4) * 10 ** draw(-3, 4).round()).to(dtype)
    for place, special in enumerate((NAN, INF, -INF, 0.0, -0.0, 1.0)):
        x = torch.where(draw(0, 16).long() == place, special, x)
    return x


def ordered(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return (*x.sort(stable=True, dim=1), *x.sort(stable=True, dim=0, descending=True), x.argsort(stable=True, dim=0))


def chosen(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    """Values alone: which of equal elements is taken is not PyTorch's to say."""
    return (x.topk(5, 1).values, x.topk(x.shape[1] - 5, 1).values, x.topk(3, 0, largest=False).values, x.topk(0, 1).values,
            x.kthvalue(4, 1).values, x.kthvalue(2, 0).values,
            x.median(), x.median(1).values, x.median(0).values, x.gather(1, x.kthvalue(4, 1, keepdim=True).indices))


def distinct(x: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.unique(x, return_counts=True)


for dtype in (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8, torch.bool):
    for name, function in {"all": ordered, "some": chosen, "distinct": distinct}.items():
        if dtype == torch.bool and name == "some":
            continue
        for n in (64, 128, 129, 301):
            inputs = [(numbers(7, n, dtype=dtype),) for _ in range(3)]
            FAMILY.add(f"{name} of {n} {short(dtype)}", function, *inputs[0], more=tuple(inputs[1:]))
        FAMILY.add(f"{name} {short(dtype)}, dynamic", function, numbers(6, 70, dtype=dtype), others=(numbers(300, 9, dtype=dtype),))


def found(x: torch.Tensor, y: torch.Tensor) -> tuple[torch.Tensor, ...]:
    return torch.isin(x, y), torch.isin(x, y, invert=True), torch.isin(y, y[:1])


for dtype in (torch.float32, torch.float64, torch.float16, torch.int64, torch.int8):
    def some(*shape: int, dtype: torch.dtype = dtype) -> torch.Tensor:
        """No NaN: PyTorch's decomposition finds them, its kernel does not."""
        return numbers(*shape, dtype=dtype).nan_to_num(0.5, INF, -INF)

    for shape in ((1, 3), (8, 8), (5, 13), (9, 50)):
        inputs = [(some(6, 9), some(*shape)) for _ in range(3)]
        FAMILY.add(f"isin {shape} {short(dtype)}", found, *inputs[0], more=tuple(inputs[1:]))
    FAMILY.add(f"isin {short(dtype)}, dynamic", found, some(6, 9), some(3, 40), others=(some(2, 200), some(1, 80)))
