# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Types of devices and tensors, by the names that scripts of buddy-mlir use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch


class DeviceType(Enum):
    """Where a group of ops runs: a mark for those who split a graph; buddy itself compiles for the host."""

    CPU = "cpu"
    GPU = "gpu"
    UNKNOW = "unknow"


class TensorDType:
    """Names for PyTorch's dtypes: ``tensor_meta["dtype"]`` is one of them."""

    Bool = torch.bool
    Int8 = torch.int8
    Int16 = torch.int16
    Int32 = torch.int32
    Int64 = torch.int64
    Float16 = torch.float16
    BFloat16 = torch.bfloat16
    Float32 = torch.float32
    Float64 = torch.float64
    Complex64 = torch.complex64
    Complex128 = torch.complex128


@dataclass
class TensorMeta:
    """Shape and dtype of a tensor; symbolic sizes are strings."""

    shape: Sequence[Any]
    dtype: Any

    def is_dynamic(self) -> bool:
        """Whether a size is not known before the program runs."""
        return any(not isinstance(size, int) or size < 0 for size in self.shape)
