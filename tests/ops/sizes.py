# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calls of a dynamic case at sizes that break code: none, one, an odd number, and such as fill no tile.

A symbol of the archive's inputs takes the size, all of them at once; the numbers are the case's own, repeated or cut off, so that
indices stay what they were. What is to be expected is asked of PyTorch when the archive is made:

  runs     eager and the exported program give the same: so must we
  raises   both raise: so must we
  either   they differ (a guard, a check that only one of them has), or shapes are not as the archive declares them: a refusal is no fault
"""

from __future__ import annotations

import torch

from case import Case
from declared import are_shapes_kept

SIZES = (0, 1, 7, 33, 65)
LARGEST = 2**16  # numbers of one input


def resized(tensor: torch.Tensor, sizes: list[int]) -> torch.Tensor | None:
    before = tensor.numel()
    for d, size in enumerate(sizes):
        if size == tensor.shape[d]:
            continue
        if tensor.shape[d] == 0:
            return None
        is_sorted = tensor.dim() == 1 and not tensor.is_floating_point() and bool((tensor[1:] >= tensor[:-1]).all())
        tensor = tensor.index_select(d, torch.arange(size) % tensor.shape[d])
        if is_sorted:  # offsets and boundaries stay in order
            tensor = tensor.sort()[0]
    if tensor.dtype in (torch.float32, torch.float64) and tensor.numel() > before:  # no two alike: how ties are sorted is open
        tensor = tensor * (1 - 1e-5 * torch.arange(tensor.numel(), dtype=torch.float64).reshape(tensor.shape)).to(tensor.dtype)
    adds = tensor.is_floating_point() and tensor.dtype != torch.float8_e8m0fnu
    if adds and tensor.dim() > 1 and tensor.shape[-1] == tensor.shape[-2] and tensor.numel() > before:
        tensor = tensor + torch.eye(tensor.shape[-1], dtype=tensor.dtype)  # repeated rows are no matrix to invert
    return tensor.contiguous()


def size_of(dim, size: int) -> int:
    """A dim of an input where every symbol is `size`; -1 where that is no whole number."""
    if isinstance(dim, int):
        return dim
    expression = dim.node.expr
    value = expression.subs({symbol: size for symbol in expression.free_symbols})
    return int(value) if value.is_Integer else -1


def inputs_at(program: torch.export.ExportedProgram, case: Case, size: int) -> list[torch.Tensor] | None:
    names = program.graph_signature.user_inputs
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    inputs = []
    for name, tensor in zip(names, case.inputs, strict=True):
        shape = [size_of(dim, size) for dim in nodes[name].meta["val"].shape]
        if min(shape, default=0) < 0 or torch.Size(shape).numel() > LARGEST:
            return None
        inputs.append(resized(tensor, shape))
    return None if any(x is None for x in inputs) else inputs


def outcome(function, inputs: list[torch.Tensor]) -> list[torch.Tensor] | None:
    try:
        return [torch.as_tensor(x) for x in torch.utils._pytree.tree_leaves(function(*[x.clone() for x in inputs]))]
    except Exception:
        return None


def same(a: list[torch.Tensor], b: list[torch.Tensor]) -> bool:
    try:
        torch.testing.assert_close(a, b, equal_nan=True)
    except AssertionError:
        return False
    return True


def calls_of(program: torch.export.ExportedProgram, case: Case) -> list[tuple[list[torch.Tensor], str]]:
    """Inputs, and what is expected of them."""
    if case.others is None or case.check is not None:
        return []
    module, calls = program.module(), []
    for size in SIZES:
        inputs = inputs_at(program, case, size)
        if inputs is None:
            continue
        eager, exported = outcome(case.function, inputs), outcome(module, inputs)
        if eager is None and exported is None:
            expected = "raises"
        elif eager is None or exported is None or not same(eager, exported) or not are_shapes_kept(module, inputs):
            expected = "either"
        else:
            expected = "runs"
        calls.append((inputs, expected))
    return calls
