# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An op of one's own: defined for PyTorch, lowered in Python twice: to TOSA ops, and by expansion into simpler ops.

python examples/python/custom_op.py
"""

import torch

import buddy
from buddy.compiler import dialects, ir
from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph.operation import Op, OpType
from buddy.compiler.ops import linalg, tosa
from buddy.compiler.ops.utils import mlir_element_type_get

# PyTorch: softsign(x) = x / (1 + |x|)
library = torch.library.Library("example", "DEF")
library.define("softsign(Tensor x) -> Tensor")
library.impl("softsign", lambda x: x / (1 + x.abs()), "CompositeExplicitAutograd")
torch.library.register_fake("example::softsign", torch.empty_like, lib=library)


# Step 1: the op's class.
class SoftsignOp(Op):
    def __init__(self) -> None:
        super().__init__()
        self._op_type = OpType.ElementwiseType


# Step 2: a lowering, in tosa's registry.
def softsign_op(node: SoftsignOp, symbol_table):
    if node.tensor_meta["dtype"] != torch.float32:
        raise buddy.Declined("only float32")
    x = symbol_table.get((str(node.args[0]), 0), node.args[0])
    shape = list(node.tensor_meta["shape"])
    element = mlir_element_type_get(node.tensor_meta["dtype"])
    of_shape, of_ones = ir.RankedTensorType.get(shape, element), ir.RankedTensorType.get([1] * len(shape), element)
    one = dialects.tosa.op("const", of_ones, values=ir.DenseElementsAttr.get_splat(of_ones, 1.0))
    below = dialects.tosa.AddOp(of_shape, dialects.tosa.AbsOp(of_shape, x), one)
    shift = dialects.tosa.op("const", ir.Type("tensor<1xi8>"), values=ir.Attribute("dense<0> : tensor<1xi8>"))
    return dialects.tosa.MulOp(of_shape, x, dialects.tosa.ReciprocalOp(of_shape, below), shift)


tosa.ops_registry["SoftsignOp"] = softsign_op


# For everything else: simpler ops, each of which the registries know.
@linalg.ops_registry.expansion("example.softsign.default")
def softsign(node, graph):
    x = node.args[0]
    below = graph.node("aten.add.Scalar", self=graph.node("aten.abs.default", self=x), other=1)
    return graph.node("aten.div.Tensor", self=x, other=below)


def double(x):
    return torch.ops.example.softsign(x) * 2


for dtype in (torch.float32, torch.float64):
    x = torch.randn(8, dtype=dtype)
    compiler = DynamoCompiler(primary_registry=tosa.ops_registry)
    compiler._ops_map["example.softsign.default"] = SoftsignOp  # Step 3: the op has this class
    graph = compiler.importer(double, x)[0]
    print(graph.explain())
    difference = (compiler.compiled()(x) - double(x)).abs().max().item()
    print(f"{dtype}: largest difference to PyTorch {difference:.2g}\n")
    assert difference < 1e-6
