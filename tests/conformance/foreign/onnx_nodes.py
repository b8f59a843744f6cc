# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The node tests of ONNX, made PyTorch modules by onnx2torch."""

from __future__ import annotations

import functools
from typing import Any

import numpy
import torch
from foreign import Case


class Nodes:
    @functools.cache
    def tests(self) -> dict[str, Any]:
        from onnx.backend.test.case.node import collect_testcases
        from onnx2torch.node_converters.registry import _CONVERTER_REGISTRY
        known = {key.operation_type for key in _CONVERTER_REGISTRY}
        return {test.name: test for test in collect_testcases(None)
                if test.data_sets and all(node.op_type in known for node in test.model.graph.node)}

    def names(self) -> list[str]:
        return list(self.tests())

    def make(self, name: str) -> Case:
        from onnx2torch import convert
        test = self.tests()[name]
        inputs = [torch.from_numpy(numpy.array(value)) for value in test.data_sets[0][0]]
        return Case(convert(test.model).eval(), tuple(inputs))
