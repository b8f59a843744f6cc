# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Other numbers for a call: a program that is run once only does not show what it keeps from run to run.

Each of a call's tensors is drawn anew so that it stays what it was: floats are scaled, which leaves signs, orders,
symmetries and ranges around 0 alone; whole numbers and truth values change places, so that indices stay in range.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import torch

RUNS = 3  # of each case, by one loaded model
SCALES = (0.75, 0.625)


def is_ascending(tensor: torch.Tensor) -> bool:
    return tensor.tolist() == sorted(tensor.tolist())


def redrawn(tensor: torch.Tensor, k: int) -> torch.Tensor:
    """The tensor in further run k, 0 or 1; sizes and strides are as they were."""
    other = tensor.clone(memory_format=torch.preserve_format)
    if tensor.layout != torch.strided or tensor.numel() == 0 or other.stride() != tensor.stride():
        return tensor
    if tensor.is_floating_point() or tensor.is_complex():
        wide = tensor.to(torch.float32) if tensor.is_floating_point() and tensor.itemsize < 4 else tensor
        return other.copy_((wide * SCALES[k]).to(tensor.dtype))
    if tensor.dim() == 0 or tensor.dim() == 1 and is_ascending(tensor):
        return tensor  # offsets and boundaries stay in order
    places = torch.arange(tensor.shape[-1])  # indexing, since few kernels know unsigned numbers
    return other.copy_(tensor[..., places.flip(0) if k == 0 else places.roll(1)])


def calls_like(inputs: Sequence[torch.Tensor], takes: Callable[[list[torch.Tensor]], bool],
               runs: int = RUNS) -> Iterator[list[torch.Tensor]]:
    """The call itself, and so many others that `takes` accepts: PyTorch does them, too."""
    yield list(inputs)
    for k in range(runs - 1):
        other = [redrawn(tensor, k) for tensor in inputs]
        if takes(other):
            yield other
            continue
        floats = [new if new.is_floating_point() or new.is_complex() else old for new, old in zip(other, inputs)]
        yield floats if takes(floats) else list(inputs)
