# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The calls of a dynamic case at sizes that break code: none, one, an odd number, and such as fill no tile.

All symbols of the archive's inputs take the size at once, and then each of them one or two sizes alone, so that what belongs together
does not fit; the numbers are the case's own, repeated or cut off, so that indices stay what they were. What is to be expected is asked
of PyTorch when the archive is made:

  runs     eager and the exported program give the same: so must we
  raises   both raise: so must we, where a result has elements
  either   they differ (a guard, a check that only one of them has), or shapes are not as the archive declares them: a refusal is no fault
"""

from __future__ import annotations

from collections.abc import Iterator

import torch

from case import Case
from declared import are_shapes_kept

SIZES = (0, 1, 7, 33, 65)
ALONE = (0, 7)
LARGEST = 2**16  # numbers of one input


def resized(tensor: torch.Tensor, sizes: list[int]) -> torch.Tensor | None:
    before = tensor.numel()
    for d, size in enumerate(sizes):
        if size == tensor.shape[d]:
            continue
        if tensor.shape[d] == 0:
            return None
        is_sorted = tensor.dim() == 1 and not tensor.is_floating_point() and not tensor.is_complex() and bool((tensor[1:] >= tensor[:-1]).all())
        tensor = tensor.index_select(d, torch.arange(size) % tensor.shape[d])
        if is_sorted:  # offsets and boundaries stay in order
            tensor = tensor.sort()[0]
    if tensor.dtype in (torch.float32, torch.float64) and tensor.numel() > before:  # no two alike: how ties are sorted is open
        tensor = tensor * (1 - 1e-5 * torch.arange(tensor.numel(), dtype=torch.float64).reshape(tensor.shape)).to(tensor.dtype)
    adds = tensor.is_floating_point() and tensor.dtype != torch.float8_e8m0fnu
    if adds and tensor.dim() > 1 and tensor.shape[-1] == tensor.shape[-2] and tensor.numel() > before:
        tensor = tensor + torch.eye(tensor.shape[-1], dtype=tensor.dtype)  # repeated rows are no matrix to invert
    return tensor.contiguous()


def size_of(dim, sizes: dict) -> int:
    """A dim of an input where each symbol has its size; -1 where that is no whole number."""
    if isinstance(dim, int):
        return dim
    value = dim.node.expr.subs(sizes)
    return int(value) if value.is_Integer else -1


def sizes_of(dims: list, before: list[int]) -> Iterator[dict]:
    """By symbol. before: what the dims are in the case's own inputs."""
    symbols = {symbol for dim in dims if not isinstance(dim, int) for symbol in dim.node.expr.free_symbols}
    own = {dim.node.expr: size for dim, size in zip(dims, before) if not isinstance(dim, int) and dim.node.expr in symbols}
    for size in SIZES:
        yield dict.fromkeys(symbols, size)
    for symbol in own if len(own) == len(symbols) > 1 else ():
        for size in ALONE:
            yield own | {symbol: size}


def inputs_at(shapes: list, case: Case, sizes: dict) -> list[torch.Tensor] | None:
    inputs = []
    for shape, tensor in zip(shapes, case.inputs, strict=True):
        now = [size_of(dim, sizes) for dim in shape]
        if min(now, default=0) < 0 or torch.Size(now).numel() > LARGEST:
            return None
        inputs.append(resized(tensor, now))
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
    nodes = {node.name: node for node in program.graph.nodes if node.op == "placeholder"}
    shapes = [nodes[name].meta["val"].shape for name in program.graph_signature.user_inputs]
    dims, before = ([dim for shape in each for dim in shape] for each in (shapes, [x.shape for x in case.inputs]))
    for sizes in sizes_of(dims, before):
        inputs = inputs_at(shapes, case, sizes)
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
