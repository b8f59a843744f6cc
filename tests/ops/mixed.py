# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of PyTorch's OpInfo database in which one tensor has another dtype than it has there, where eager takes them:
which dtype comes out is promoted by some ops, the first tensor's with others, and now and then decided by neither."""

from __future__ import annotations

import itertools
import logging
import random
import warnings
from collections.abc import Iterator

import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

from case import Family

FAMILY = Family("mixed")
DTYPES = (torch.int32, torch.int64, torch.bfloat16, torch.float16, torch.float64, torch.bool, torch.complex64)
MOST_TENSORS = 5
TOLERANCES = {torch.bfloat16: (2e-2, 2e-2), torch.float16: (2e-3, 2e-3), torch.float32: (1.3e-6, 1e-5)}  # the narrowest operand's: rounding depends on the order of work
LEFT = {"new_empty", "new_empty_strided", "normal"}  # what lay in memory, random numbers
SKIPPED = {"nn_functional_conv3d, tensor 2 complex64"}  # eager drops the imaginary part of a bias, and warns
WHOLE = {"select_scatter"}  # PyTorch's decomposition gives another dtype than eager


class Call:
    """The op with all that is no tensor of a sample."""

    def __init__(self, op, leaves: list, tree) -> None:
        self.op, self.leaves, self.tree = op, leaves, tree

    def __call__(self, *given: torch.Tensor):
        left = iter(given)
        leaves = [next(left) if isinstance(leaf, torch.Tensor) else leaf for leaf in self.leaves]
        first, args, kwargs = pytree.tree_unflatten(leaves, self.tree)
        result = self.op(first, *args, **kwargs)
        return tuple(result) if isinstance(result, tuple) else result


def is_taken(call: Call, given: list[torch.Tensor]) -> bool:
    """Whether eager does it, gives tensors, the same ones again, and such as torch.export expects."""
    try:
        one, other = (pytree.tree_leaves(call(*[x.clone() for x in given])) for _ in range(2))
        torch.testing.assert_close(one, other, rtol=0, atol=0, equal_nan=True)
        with FakeTensorMode() as mode:
            expected = pytree.tree_leaves(call(*[mode.from_tensor(x) for x in given]))
    except Exception:  # as many kinds as there are ops
        return False
    return all(isinstance(x, torch.Tensor) and (x.dtype, x.shape) == (y.dtype, y.shape) for x, y in zip(one, expected, strict=True))


def first_samples(op) -> list:
    dtype = torch.float32 if torch.float32 in op.dtypes else torch.int64
    try:
        random.seed(0)  # some draw a number of theirs, which is part of the archive that is kept
        return list(itertools.islice(op.sample_inputs_func(op, "cpu", dtype, False), 1))  # sample_inputs looks at the whole stack first
    except Exception:
        return []


def mixed(given: list[torch.Tensor]) -> Iterator[tuple[str, list[torch.Tensor]]]:
    for k, tensor in enumerate(given):
        for dtype in DTYPES:
            if dtype != tensor.dtype:
                yield f"tensor {k} {str(dtype)[6:]}", [x.to(dtype) if i == k else x for i, x in enumerate(given)]


def add_all() -> None:
    torch.manual_seed(0)
    for op in op_db:
        for sample in first_samples(op) if op.name not in LEFT else ():
            leaves, tree = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
            given = [x.detach() for x in leaves if isinstance(x, torch.Tensor)]
            call = Call(op.op, leaves, tree)
            if not 2 <= len(given) <= MOST_TENSORS or not is_taken(call, given):
                continue
            for name, others in mixed(given):
                if f"{op.formatted_name}, {name}" not in SKIPPED and is_taken(call, others):
                    narrowest = next((dtype for dtype in TOLERANCES if any(x.dtype == dtype for x in others)), None)
                    FAMILY.add(f"{op.formatted_name}, {name}", call, *others, tolerance=TOLERANCES.get(narrowest),
                               is_whole=op.name in WHOLE)


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    logging.disable(logging.ERROR)  # fake tensors tell of each call that they do not take
    add_all()
    logging.disable(logging.NOTSET)
