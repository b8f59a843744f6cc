# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decompositions that TorchDynamo's graphs need: of kernels that PyTorch chooses for one processor while it traces."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

import torch

_aten = torch.ops.aten


#: PyTorch's decomposition of them fails unless a device is given.
_WHOLE = {_aten.linspace.Tensor_Tensor, _aten.linspace.Tensor_Scalar, _aten.linspace.Scalar_Tensor}


def default_decompositions() -> Mapping[Any, Any]:
    """To core ATen, as ExportedProgram.run_decompositions does."""
    return torch._decomp.core_aten_decompositions()


def with_needed(decompositions: Mapping[Any, Any]) -> dict[Any, Callable[..., Any]]:
    """The given decompositions, and those of fused kernels."""
    if any(getattr(function, "__module__", "").startswith("torch._inductor") for function in decompositions.values()):
        importlib.import_module("torch._inductor.lowering")  # those of max pools look into it and do not import it
    fused = torch._decomp.get_decompositions([_aten._scaled_dot_product_flash_attention_for_cpu.default])
    return {op: function for op, function in {**fused, **decompositions}.items() if op not in _WHOLE}
