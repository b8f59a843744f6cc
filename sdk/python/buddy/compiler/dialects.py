# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dialects by name: ``dialects.tosa.AddOp(type, a, b)`` builds the op ``tosa.add``.

Arguments without a name are first the type of the result (or a list of types), then operands; attributes go by name.
There is no list of ops here: a class name is the op's name in CamelCase, ``AddOp`` for ``add``, ``ReduceSumOp`` for
``reduce_sum``; ``op("matmul", …)`` takes the name as MLIR spells it. What such an op may look like, MLIR's verifier says.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from buddy.compiler.ir import Operation, Type

# Whose CamelCase is not told by its letters.
_SPELLED = {"MatMulOp": "matmul", "AvgPool2dOp": "avg_pool2d", "MaxPool2dOp": "max_pool2d"}


class Dialect:
    """The ops of one dialect."""

    def __init__(self, name: str) -> None:
        self.name = name

    def op(self, mnemonic: str, *arguments: Any, **attributes: Any) -> Operation:
        """Builds ``<dialect>.<mnemonic>``."""
        types: list[Type] = []
        operands: list[Any] = []
        for argument in arguments:
            listed = list(argument) if isinstance(argument, (list, tuple)) else [argument]
            into = types if not operands and listed and all(isinstance(item, Type) for item in listed) else operands
            into.extend(listed)
        given = {key.rstrip("_"): value for key, value in attributes.items() if value is not None}
        return Operation.create(f"{self.name}.{mnemonic}", types, operands, given)

    def __getattr__(self, name: str) -> Callable[..., Operation]:
        if not re.fullmatch(r"[A-Z]\w*Op", name):
            raise AttributeError(f"{self.name} has no {name}: ops are called like AddOp")
        mnemonic = _SPELLED.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name[:-2]).lower()
        return lambda *arguments, **attributes: self.op(mnemonic, *arguments, **attributes)

    def __repr__(self) -> str:
        return f"<dialect {self.name}>"


tosa, linalg, math, arith, tensor, func, scf = map(
    Dialect, ("tosa", "linalg", "math", "arith", "tensor", "func", "scf")
)
