# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C library on torch tensors: loads a .pt2 archive with a registry order, and runs it."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_size_t, c_void_p
from dataclasses import dataclass
from pathlib import Path

import capi
import torch
from capi import INVALID_ARGUMENT, NAMES, UNSUPPORTED, BuddyError, CDecision, Library, RegistriesOptions, Tensor, sized

__all__ = ["INVALID_ARGUMENT", "UNSUPPORTED", "BuddyError", "Decision", "Library", "Model", "Strided", "plan", "to_torch"]

DTYPES = {number: getattr(torch, name) for number, name in NAMES.items()}


class Strided(capi.Memory):
    """A torch tensor as the library sees it; keeps what it points to."""

    def __init__(self, tensor: torch.Tensor):
        name = str(tensor.dtype).removeprefix("torch.")
        super().__init__(tensor.detach(), tensor.data_ptr(), name, tensor.shape, tensor.stride())


def to_torch(tensor: Tensor) -> torch.Tensor:
    """A copy of a dense tensor."""
    sizes = [tensor.sizes[d] for d in range(tensor.rank)]
    out = torch.empty(sizes, dtype=DTYPES[tensor.dtype])
    if out.numel():
        ctypes.memmove(out.data_ptr(), tensor.bytes, out.numel() * out.element_size())
    return out


class Model(capi.Model):
    def __init__(self, library: Library, path: Path, order: str, opt_level: int = 0):
        super().__init__(library, path, order, opt_level)

    def run(self, inputs: list[torch.Tensor]) -> list[torch.Tensor]:
        results = super().run([Strided(tensor) for tensor in inputs])
        outputs = [to_torch(tensor) for tensor in results.tensors]
        results.release()
        return outputs


@dataclass
class Decision:
    """What the plan says of one node of the archive."""

    op: str
    module: str  # path of the torch module that called it
    is_taken: bool
    reasons: list[str]  # of the rows that did not take it


def plan(library: Library, path: Path, order: str) -> list[Decision]:
    """The decisions for an archive's nodes; nothing is lowered."""
    c = library.c
    made: list[tuple[c_void_p, str]] = []  # with the function that frees it, in the order of creation

    def create(function: str, destroy: str, *arguments) -> c_void_p:
        handle = c_void_p()
        code = getattr(c, function)(*arguments, byref(handle))
        if handle:
            made.append((handle, destroy))
        if code and not (code == UNSUPPORTED and handle):
            raise BuddyError(code, library.diagnostics(diags) if diags else function)
        return handle

    diags = None
    try:
        diags = create("buddy_diags_create", "buddy_diags_destroy")
        opset = create("buddy_aten_opset_create", "buddy_opset_destroy")
        options = sized(RegistriesOptions, order=order.encode())
        search = create("buddy_search_create", "buddy_search_destroy", None, diags)
        registries = create("buddy_registries_create", "buddy_registries_destroy", search, opset, byref(options), diags)
        archive = create("buddy_archive_open", "buddy_archive_close", str(path).encode(), diags)
        graph = create("buddy_archive_import", "buddy_graph_destroy", archive, opset, diags)
        handle = create("buddy_plan_create", "buddy_plan_destroy", registries, graph, diags)
        decisions = []
        for i in range(c.buddy_plan_n_decisions(handle)):
            one = ctypes.cast(c.buddy_plan_decision(handle, c_size_t(i)), POINTER(CDecision)).contents
            reasons = [one.tries[k].reason.decode() for k in range(one.n_tries) if one.tries[k].code]
            decisions.append(Decision(one.op.decode(), (one.location.module or b"").decode(), bool(one.is_taken),
                                      reasons))
        return decisions
    except BuddyError as error:
        if error.code != UNSUPPORTED:
            raise
        return []  # it is the import that declined
    finally:
        for handle, destroy in reversed(made):
            getattr(c, destroy)(handle)
