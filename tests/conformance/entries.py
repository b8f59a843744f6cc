# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The entries of PyTorch's OpInfo database: for an op variant and a dtype, the samples to try and how close is right."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy
import torch
from torch.testing._comparison import default_tolerances
from torch.testing._internal.common_device_type import precisionOverride, toleranceOverride, tol
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import DecorateInfo, OpInfo
from torch.utils._pytree import tree_flatten, tree_leaves, tree_unflatten

SEED = 4
# In the order of preference: an entry's natural dtype is the first that it has.
DTYPES = {str(dtype).removeprefix("torch."): dtype for dtype in
          (torch.float32, torch.int64, torch.bool, torch.float64, torch.float16, torch.bfloat16, torch.int8, torch.uint8,
           torch.int16, torch.int32, torch.complex64)}


@functools.cache
def operators() -> dict[str, OpInfo]:
    return {op.formatted_name: op for op in op_db}


def dtypes_of(op: OpInfo) -> list[str]:
    """Those of DTYPES that the op has a forward for on the CPU."""
    supported = op.supported_dtypes("cpu")
    return [name for name, dtype in DTYPES.items() if dtype in supported]


def seed_all() -> None:
    """Before samples are made and before eager runs: both draw numbers."""
    torch.manual_seed(SEED)
    random.seed(SEED)
    numpy.random.seed(SEED)


@dataclass
class Sample:
    """A call of an op: its tensors, which become inputs, and all else, which is baked in."""

    function: Callable
    tensors: list[torch.Tensor]
    rest: list[Any]     # the leaves of (input, args, kwargs); None where a tensor stands
    is_tensor: list[bool]
    spec: Any
    process: Callable   # OpInfo's: of the results, what is one and the same for every right answer

    def arguments(self, tensors: list[torch.Tensor]) -> tuple[Any, tuple, dict]:
        """The input, and the arguments after it."""
        given = iter(tensors)
        leaves = [next(given) if here else value for value, here in zip(self.rest, self.is_tensor)]
        return tree_unflatten(leaves, self.spec)

    def call(self, tensors: list[torch.Tensor]) -> list[Any]:
        """The flat results; None among them is left out, as an archive leaves it out."""
        first, args, kwargs = self.arguments(tensors)
        return [value for value in tree_leaves(self.function(first, *args, **kwargs)) if value is not None]

    def eager(self) -> list[torch.Tensor]:
        seed_all()
        results = self.call([tensor.clone() if tensor.is_contiguous() else tensor for tensor in self.tensors])
        return [settled(as_tensor(value)) for value in results]

    def text(self) -> str:
        """What tells it from other samples of its entry; the archive that is kept holds as long as this does."""
        given = iter(self.tensors)
        leaves = []
        for value, here in zip(self.rest, self.is_tensor):
            if here:
                tensor = next(given)
                leaves.append(f"{str(tensor.dtype)[6:]}{list(tensor.shape)}/{list(tensor.stride())}"
                              if tensor.layout == torch.strided else f"{tensor.layout}{list(tensor.shape)}")
            else:
                leaves.append(repr(value))
        return f"{', '.join(leaves)} in {self.spec}"


def as_tensor(value: Any) -> torch.Tensor:
    """A number in the dtype that Python computes it in."""
    if isinstance(value, torch.Tensor):
        return value
    return torch.tensor(value, dtype=torch.float64 if isinstance(value, float) else None)


def settled(tensor: torch.Tensor) -> torch.Tensor:
    """Without a pending conjugation or negation, which no archive and no buffer can carry."""
    return tensor.detach().resolve_conj().resolve_neg() if tensor.layout == torch.strided else tensor.detach()


def samples_of(op: OpInfo, dtype: str, limit: int) -> tuple[list[Sample], int]:
    """The entry's samples, or `limit` of them spread evenly (0: all), and how many there are."""
    seed_all()
    found = list(op.sample_inputs("cpu", DTYPES[dtype], requires_grad=False))
    total = len(found)
    if limit and total > limit:
        found = [found[i * total // limit] for i in range(limit)]
    samples = []
    for sample in found:
        leaves, spec = tree_flatten((sample.input, sample.args, sample.kwargs))
        is_tensor = [isinstance(value, torch.Tensor) for value in leaves]
        tensors = [settled(value) for value, here in zip(leaves, is_tensor) if here]
        rest = [None if here else value for value, here in zip(leaves, is_tensor)]
        samples.append(Sample(op.op, tensors, rest, is_tensor, spec, sample.output_process_fn_grad))
    return samples, total


def tolerance(op: OpInfo, dtype: torch.dtype) -> tuple[float, float]:
    """Relative and absolute: the test framework's of the dtype, widened by what the entry itself says for the CPU."""
    rtol, atol = default_tolerances(dtype)
    for decorator in op.decorators:
        inner = [decorator]
        if isinstance(decorator, DecorateInfo):
            if decorator.device_type not in (None, "cpu") or (decorator.dtypes and dtype not in decorator.dtypes):
                continue
            inner = decorator.decorators
        for override in inner:
            if isinstance(override, toleranceOverride):
                wider = override.d.get(dtype, tol(atol=0.0, rtol=0.0))
                rtol, atol = max(rtol, wider.rtol), max(atol, wider.atol)
            elif isinstance(override, precisionOverride):
                rtol, atol = max(rtol, override.d.get(dtype, 0.0)), max(atol, override.d.get(dtype, 0.0))
    return rtol, atol
