# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls of PyTorch's OpInfo database at other sizes than those that they are exported at, as they are, with results that nobody
uses, and with numbers (steps, ends, paddings, counts; factors, bounds, probabilities) that are computed from a size of another input,
or, where they are no whole ones, from its elements.

torch.export takes such a size for 2 and more, and says shapes that follow from it; a run at another size gives what its own numbers
give, or is refused. `--source sized --mode dynamic`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import torch
from foreign import Case
from torch.utils import _pytree as pytree

ROWS = 9     # of the input whose size is read
SAMPLES = 5  # of an op: those that differ in what they have for arguments
LARGEST = 40  # samples that are looked at
# Memory as it is; vectors and bases that any sign does for; numbers at random; equal elements, of which PyTorch takes any; writing to
# one place twice; shapes and dtypes that eager takes from a branch of its own (addmv of nothing, a number, weights and classes of which
# there are none); and what ends its process (segment_reduce, embedding_bag of nothing).
LEFT_OUT = ("empty", "svd_lowrank", "pca_lowrank", "linalg_eig", "fractional_max_pool", "dropout", "multinomial", "sort",
            "as_strided_scatter", "addmv", "item", "bincount", "linear_cross_entropy", "segment_reduce", "embedding_bag")

# Whether eager takes them depends on data, at which nobody looks whose result is not used.
DATA_DECIDE = ("linalg", "cholesky", "inverse", "index", "gather", "scatter", "take", "put", "embedding", "nll_loss", "cross_entropy")


def computed(leaf: float, rows: torch.Tensor, is_read: bool) -> float:
    """The number itself at the export's size (and for rows of 0)."""
    if is_read:
        return rows.sum().item() + leaf
    # torch.export's sizes are none of Python's numbers until they are computed with
    return rows.shape[0] + (leaf - ROWS) if type(leaf) is int else rows.shape[0] * (leaf / ROWS)


def samples_of(op) -> list[list]:
    """The leaves of (input, args, kwargs) and their tree."""
    dtype = next(dtype for dtype in (torch.float32, torch.int64, torch.bool) if dtype in op.dtypes)
    found: dict[str, list] = {}
    for _, sample in zip(range(LARGEST), op.sample_inputs("cpu", dtype, requires_grad=False)):
        leaves, tree = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
        key = f"{tree} {[leaf.dim() for leaf in leaves if isinstance(leaf, torch.Tensor)]}"
        found.setdefault(key, [leaves, tree])
    return list(found.values())[:SAMPLES]


def call_of(op: Callable, numbers: list[int], leaves: list, tree, is_used: bool = True, is_read: bool = False) -> Case:
    def call(given: list, rows: torch.Tensor):
        now = [computed(leaves[i], rows, is_read) if i in numbers else leaf for i, leaf in enumerate(given)]
        first, args, kwargs = pytree.tree_unflatten(now, tree)
        results = op(first, *args, **kwargs)
        if is_used:
            return results
        for one in pytree.tree_leaves(results):  # what is written to, torch.export keeps
            if isinstance(one, torch.Tensor) and not one.is_complex():
                one.clone().logical_not_()
        return rows + 1

    return Case(call, (leaves, torch.zeros(ROWS)))


class Sized:
    @functools.cache
    def samples(self) -> dict[str, tuple]:
        from torch.testing._internal.common_methods_invocations import op_db
        torch.manual_seed(0)
        found = {}
        for op in op_db:
            if any(name in op.name for name in LEFT_OUT):
                continue
            try:
                samples = samples_of(op)
            except Exception:  # not of these dtypes, or of CUDA alone
                continue
            for i, (leaves, tree) in enumerate(samples):
                places = [k for k, leaf in enumerate(leaves) if type(leaf) is int]
                floats = [k for k, leaf in enumerate(leaves) if type(leaf) is float]
                chosen = {"sizes": []} | {str(k): [k] for k in places[:4] + floats[:4]} | ({"all": places} if len(places) > 1 else {})
                found |= {f"{op.formatted_name}-{i}-{which}": (op.op, numbers, leaves, tree) for which, numbers in chosen.items()}
                found |= {f"{op.formatted_name}-{i}-{k}-read": (op.op, [k], leaves, tree, True, True) for k in floats[:4]}
                if not any(name in op.name for name in DATA_DECIDE):
                    found[f"{op.formatted_name}-{i}-unused"] = (op.op, [], leaves, tree, False)
        return found

    def names(self) -> list[str]:
        return list(self.samples())

    def make(self, name: str) -> Case:
        return call_of(*self.samples()[name])
