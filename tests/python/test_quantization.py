# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms that make integers of weights: what the graph then is, and what it gives."""

import copy
import pickle

import pytest
import torch
from torch._inductor.decomposition import decompositions as inductor_decomp

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph import GraphDriver
from buddy.compiler.graph.transform import simply_fuse
from buddy.compiler.graph.transform.quantization import (
    w8a8_channel_wise,
    weight_only_channel_wise,
    weight_only_int4_f16_channel_wise,
)
from buddy.compiler.graph.type import TensorDType

TRANSFORMS = {weight_only_channel_wise: 127, weight_only_int4_f16_channel_wise: 7, w8a8_channel_wise: 127}


class Small(torch.nn.Module):
    """Products with and without a bias, a table that is a weight, too, and one that is multiplied from the right."""

    def __init__(self, dtype):
        super().__init__()
        torch.manual_seed(0)
        self.table = torch.nn.Embedding(12, 8)
        self.up, self.down = torch.nn.Linear(8, 6), torch.nn.Linear(6, 8, bias=False)
        self.plain = torch.nn.Parameter(torch.randn(8, 4))
        self.to(dtype)

    def forward(self, ids):
        x = self.table(ids)
        return (x + self.down(torch.relu(self.up(x)))) @ self.plain, x @ self.table.weight.T


def imported(dtype, rows=5):
    model, ids = Small(dtype).eval(), torch.arange(2 * rows).reshape(2, rows) % 12
    compiler = DynamoCompiler(aot_autograd_decomposition=inductor_decomp)
    graph, params = compiler.importer(model, ids)
    return compiler, graph, params, model, ids


def rounded(tensor, largest, axis):
    """What is left of a weight."""
    scale = (tensor.float().abs().amax(1 - axis, keepdim=True) / largest).clamp(min=1e-10)
    return (torch.clamp(torch.round(tensor.float() / scale), -largest - 1, largest) * scale.to(tensor.dtype)).to(tensor.dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16])
@pytest.mark.parametrize("transform", TRANSFORMS)
@pytest.mark.parametrize("rows", [1, 5])
def test_weights_are_integers(transform, dtype, rows):
    compiler, graph, params, model, ids = imported(dtype, rows)
    names = [op.name for op in graph.params]
    before = [tensor.clone() for tensor in params]
    graph.perform([transform])
    small = [op for op in graph.params if op.tensor_meta["dtype"] == TensorDType.Int8]
    assert [op.parameter for op in small] == ["up.weight", "down.weight", "plain"] or len(small) == 3
    assert [op.name for op in graph.params][: len(names)] == names
    assert [op.name for op in graph.params][len(names) :] == [f"scaler_{op.name}" for op in small]
    assert all(graph.node_table[f"scaler_{op.name}"].tensor_meta["dtype"] == dtype for op in small)
    assert all(torch.equal(a, b) for a, b in zip(params, before)), "the model keeps its own"
    largest = TRANSFORMS[transform]
    with torch.no_grad():
        for weight, axis in ((model.up.weight, 0), (model.down.weight, 0), (model.plain, 1)):
            weight.copy_(rounded(weight, largest, axis))
        wanted = model(ids)
    tolerance = 0.05 if transform is w8a8_channel_wise else 1e-5 if dtype == torch.float32 else 1e-2
    for copied in (graph, copy.deepcopy(graph), pickle.loads(pickle.dumps(graph))):
        for ours, theirs in zip(copied(ids), wanted):
            assert ours.dtype == theirs.dtype
            assert (ours - theirs).abs().max() <= tolerance * max(1, theirs.abs().max())


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_parts_and_packs_have_them(transform):
    _, graph, _, _, ids = imported(torch.float32)
    wanted = None
    graph.perform([transform])
    wanted = graph(ids)
    graph.fuse_ops([simply_fuse])
    driver = GraphDriver(graph)
    assert all(torch.equal(a, b) for a, b in zip(driver.subgraphs[0](ids), wanted))
    floats = sum(tensor.numel() for tensor in graph.tensors if tensor.is_floating_point())
    bytes_ = sum(tensor.numel() for tensor in graph.tensors if tensor.dtype == torch.int8)
    text = str(driver.construct_main_graph(True))
    assert f"memref<{floats}xf32>" in text and f"memref<{bytes_}xi8>" in text


def test_what_others_use_stays():
    _, graph, params, _, ids = imported(torch.float32)
    table = next(op for op in graph.params if op.tensor_meta["shape"] == [12, 8])
    graph.perform([weight_only_channel_wise])
    assert graph.node_table[table.name].tensor_meta["dtype"] == TensorDType.Float32
    graph.perform([weight_only_channel_wise])  # nothing is left to do
    assert sum(op.name.startswith("scaler_") for op in graph.params) == 3 and graph(ids)
