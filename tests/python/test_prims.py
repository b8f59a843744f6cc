# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents' own call: what Inductor's decompositions make of a program are ops of prims."""

import pytest
import torch
from torch._inductor.decomposition import decompositions as inductor_decomp

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.ops import tosa

F = torch.nn.functional
IMAGE = ((2, 3, 9, 8),)
CASES = {
    "max_pool1d": (lambda x: F.max_pool1d(x[0], 3, 2, 1), IMAGE),
    "max_pool2d": (lambda x: F.max_pool2d(x, 3, 2, 1), IMAGE),
    "max_pool3d": (lambda x: F.max_pool3d(x, 2), IMAGE),
    "max_pool2d with indices": (lambda x: F.max_pool2d(x, 3, 2, 1, return_indices=True)[1], IMAGE),
    "adaptive_max_pool2d": (lambda x: F.adaptive_max_pool2d(x, 3), IMAGE),
    "flip": (lambda x: x.flip(1, 2), IMAGE),
    "rot90": (lambda x: x.rot90(), IMAGE),
    "lcm": (lambda x, y: torch.lcm((x * 9).int(), (y * 9).int()), ((3, 4), (3, 4))),
}


@pytest.mark.parametrize("name", CASES)
def test_inductors_decompositions(name):
    function, shapes = CASES[name]
    torch._dynamo.reset()
    inputs = [[torch.randn(shape) for shape in shapes] for _ in range(3)]
    compiler = DynamoCompiler(primary_registry=tosa.ops_registry, aot_autograd_decomposition=inductor_decomp)
    compiler.importer(function, *inputs[0])
    run = compiler.dynamo_run()
    for xs in inputs:
        got = run(*xs)
        torch.testing.assert_close(got[0] if isinstance(got, (list, tuple)) else got, function(*xs))
