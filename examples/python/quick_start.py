# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function becomes MLIR, and runs.

python examples/python/quick_start.py
"""

import torch

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa


def foo(x, y):
    return x * y + x


x, y = torch.randn(10), torch.randn(10)

compiler = DynamoCompiler(primary_registry=tosa.ops_registry)
graph, params = compiler.importer(foo, x, y)
print(graph)  # the MLIR module
print(graph.explain())  # which registry took which op

run = compiler.compiled()  # compiled for this processor
difference = (run(x, y) - foo(x, y)).abs().max().item()
print(f"largest difference to PyTorch: {difference:g}")
