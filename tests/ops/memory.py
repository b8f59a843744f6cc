# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that name places of a storage, behind everything that lets a tensor lie in it in another way."""

from collections.abc import Callable

import torch
from torch import Tensor

from case import Family

FAMILY = Family("memory")


def renamed(x: Tensor, is_view_moved: bool) -> Tensor:
    """One of two names of a storage, the other of which gets another shape."""
    y = x.clone()
    z = y.view(-1, 5)
    (z if is_view_moved else y).transpose_(0, 1)
    return y if is_view_moved else z


TENSORS = {
    "swapdims_": lambda x: x.clone().swapdims_(0, -1),
    "swapaxes_": lambda x: x.clone().swapaxes_(0, -1),
    "transpose_": lambda x: x.clone().transpose_(0, -1),
    "transpose_ twice": lambda x: x.clone().transpose_(0, -1).transpose_(0, 1),
    "t_": lambda x: x.clone().flatten(0, 1).t_(),
    "squeeze_": lambda x: x.clone().unsqueeze_(0).transpose_(1, -1).squeeze_(0),
    "detach_": lambda x: x.clone().detach_().transpose_(0, 1),
    "as_strided_": lambda x: x.clone().as_strided_((3, 4), (4, 1), 2),
    "resize_": lambda x: x.clone().transpose_(0, 1).resize_(6, 10).t_(),
    "set_": lambda x: x.clone().set_((x + 1).transpose(0, 1)),
    "transpose_ behind add_": lambda x: x.clone().add_(1).transpose_(0, 1).mul_(2),
    "permute": lambda x: x.clone().permute(2, 0, 1),
    "clone of transpose": lambda x: x.transpose(0, -1).clone(),
    "neg of transpose": lambda x: -x.transpose(0, -1),
    "slice of transpose_": lambda x: x.clone().transpose_(0, -1)[1:],
    "transpose_ of slice": lambda x: x.clone()[1:].transpose_(0, -1),
    "t_ of select": lambda x: x.clone()[:, 1].t_(),
    "transpose_ of chunk": lambda x: x.clone().chunk(2)[1].transpose_(0, 1),
    "unbind": lambda x: x.clone().unbind(1)[1],
    "split": lambda x: x.clone().split(2)[0],
    "out": lambda x: torch.add(x, 1, out=torch.empty(5, 3, 4).permute(2, 1, 0)),
    "channels last": lambda x: x.unsqueeze(0).contiguous(memory_format=torch.channels_last),
    "conj": lambda x: torch.complex(x, x + 1).conj(),
    "conj of transpose": lambda x: torch.complex(x, x + 1).conj().transpose(0, 1),
    "pairs": lambda x: torch.view_as_real(torch.complex(x, x + 1)).transpose_(0, 1),
    "bits": lambda x: x.clone().transpose_(0, 1).view(torch.int32),
    "half": lambda x: x.half().transpose_(0, 1),
    "bool": lambda x: (x > 0).transpose_(0, 1),
    "input": lambda x: x,
    "transposed input": lambda x: x.transpose(0, 2),
    "two names": lambda x: renamed(x, False),
    "two names, the view moved": lambda x: renamed(x, True),
}
READS = [
    lambda v: v.as_strided((2, 2), (2, 1), 0) * 1,
    lambda v: v.as_strided((2, 2), (3, 2), 1) * 1,
    lambda v: v.as_strided((2, 2), (3, 2)) * 1,
    lambda v: v.as_strided((6,), (1,), 0) * 1,
    lambda v: torch.ops.aten.as_strided_copy(v, (2, 2), (2, 1), 1),
    lambda v: torch.ops.aten.as_strided_copy.out(v, (2, 2), (2, 1), 1, out=v.new_zeros(2, 2)),
    lambda v: v.as_strided_scatter(torch.ones(2, 2, dtype=v.dtype), (2, 2), (2, 1), 1),
]
WRITES = {
    "fill_": lambda v: v.as_strided((2, 2), (2, 1), 0).fill_(1),
    "mul_": lambda v: v.as_strided((2, 2), (3, 2), 1).mul_(2),
    "fill_ of a view": lambda v: v[0].as_strided((2,), (2,), 0).fill_(1),
    "two": lambda v: (v.as_strided((2, 2), (2, 1), 0).zero_(), v.as_strided((3,), (3,), 0).fill_(7)),
}
MOVES = {
    "as_strided_": lambda v: v.as_strided_((2, 2), (2, 1), 1),
    "resize_": lambda v: v.resize_(2, 3),
    "resize_ and fill_": lambda v: v.resize_(2, 3).fill_(1),
    "resize_ of all": lambda v: v.resize_(v.numel()),
    "resize_as_": lambda v: v.resize_as_(torch.empty(3, 2, dtype=v.dtype)),
    "resize_ to channels last": lambda v: v.resize_(1, 2, 1, 3, memory_format=torch.channels_last),
    "resize_ to channels last in space": lambda v: v.resize_(1, 2, 1, 3, 1, memory_format=torch.channels_last_3d),
    "resize_ in order": lambda v: v.resize_(v.shape, memory_format=torch.contiguous_format),
}


def after(tensor: Callable, *changes: Callable) -> Callable:
    """The tensor as each change leaves it, and what it was made of."""
    def function(x: Tensor) -> tuple[Tensor, ...]:
        results = []
        for change in changes:
            y = tensor(x)
            change(y)
            results.append(y)
        return *results, x + 0
    return function


STATIC = ("resize_", "split", "out")  # other sizes have other parts, or torch.export refuses them


def add(name: str, function: Callable, is_static: bool = False) -> None:
    FAMILY.add(name, function, FAMILY.tensor(4, 3, 5), is_whole=True)
    if not is_static:
        FAMILY.add(f"{name}, dynamic", function, FAMILY.tensor(4, 3, 5), others=(FAMILY.tensor(7, 3, 5),), is_whole=True)


for kind, tensor in TENSORS.items():
    add(f"read {kind}", lambda x, tensor=tensor: tuple(read(tensor(x)) for read in READS), kind in STATIC)
    if kind == "input":
        for what, write in WRITES.items():
            add(f"{what} through {kind}", after(tensor, write))
    else:
        if kind != "bool":  # which is not multiplied by 2
            add(f"write through {kind}", after(tensor, *WRITES.values()), kind in STATIC)
        if kind not in ("transposed input", "bits"):
            add(f"move {kind}", after(tensor, *MOVES.values()), True)
