# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The text of a program is the one that PyTorch's own serializer writes, whichever way an argument went."""

import gc
import json

import pytest
import torch
from torch._export.serde.serialize import EnumEncoder, GraphModuleSerializer, _dataclass_to_dict

from buddy._serializer import write


class Numbers(torch.nn.Module):
    """Numbers that JSON has no word for, empty lists, dtypes, devices, layouts, lists of tensors and of sizes."""

    def forward(self, x, y):
        a = torch.where(x > 0, x, -float("inf")).to(torch.float64).masked_fill(x < -1, float("nan"))
        b = torch.full([2, 3], 1.5, dtype=torch.float16, device="cpu") + torch.arange(3, dtype=torch.int32)
        parts = torch.split(torch.cat([x, y], 1), [1, 2, 3], 1)
        c = y.contiguous(memory_format=torch.contiguous_format).clone(memory_format=torch.preserve_format)
        d = torch.nn.functional.pad(x, (1, 1), "constant", 2.0).sum() + torch.zeros([])
        return a, b, parts[0], parts[2], c, d, x[:, torch.tensor([0, 1])], torch.max(x, 1), torch.einsum("ij,ij->", x, y)


class Sizes(torch.nn.Module):
    """Sizes that are not known, alone and among others, as results, too."""

    def forward(self, x):
        n = x.shape[0]
        return x.reshape(n * 3, 1), torch.zeros(n, 2) + torch.sym_float(n) * n, x.new_ones([n + 1]), n * 2, x.narrow(0, 1, n - 1)


class Branches(torch.nn.Module):
    """Graphs within the graph."""

    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(3, 3)
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x):
        self.seen += 1
        return torch.cond(x.sum() > 0, lambda x: torch.stack([x, self.linear(x)]), lambda x: torch.stack([x, x * 2]), (x,))


class Others(torch.nn.Module):
    """What no short way is for."""

    def forward(self, x, flag: bool, word: str):
        z = torch.ops.aten.mul.Scalar(x.to(torch.complex64), 1j)
        y = torch.ops.aten.index.Tensor(x, [None, torch.tensor([0, 1])])
        return (z, y, torch.nn.functional.interpolate(x[None], scale_factor=2.0), word) if flag else x


X = torch.randn(2, 3)
PROGRAMS = {
    "numbers": (Numbers(), (X, X), None),
    "sizes": (Sizes(), (torch.randn(5, 3),), {"x": {0: torch.export.Dim("n", min=3, max=64)}}),
    "branches": (Branches(), (X,), None),
    "others": (Others(), (X, True, "word"), None),
    "mixed": (torch.nn.TransformerEncoderLayer(8, 2, 16, batch_first=True), (torch.randn(2, 5, 8),), None),
}


def without_metadata(value):
    """The parts of it that both write alike: the one keeps less of what is said about nodes."""
    if isinstance(value, list):
        return [without_metadata(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {key: without_metadata(item) for key, item in value.items() if key not in ("metadata", "is_hop_single_tensor_return")}


def theirs(exported):
    serializer = GraphModuleSerializer(exported.graph_signature, [])
    graph = _dataclass_to_dict(serializer.serialize_graph(exported.graph_module))
    signature = _dataclass_to_dict(serializer.serialize_signature(exported.graph_signature))
    return json.loads(json.dumps([graph, signature], cls=EnumEncoder))


def ours(exported):
    program = json.loads(write(exported.graph_module, exported.graph_signature, exported.range_constraints))
    return [program["graph_module"]["graph"], program["graph_module"]["signature"]]


@pytest.mark.parametrize("decomposed", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_same_text(name, decomposed):
    module, inputs, shapes = PROGRAMS[name]
    exported = torch.export.export(module, inputs, dynamic_shapes=shapes)
    if decomposed:
        exported = exported.run_decompositions()
    (our_graph, our_signature), (graph, signature) = ours(exported), theirs(exported)
    assert set(our_graph) == set(graph)
    for part in graph:
        assert without_metadata(our_graph[part]) == without_metadata(graph[part]), part
    assert our_signature == signature


def test_collections_go_on_afterwards():
    exported = torch.export.export(torch.nn.ReLU(), (X,))
    for enabled in (True, False):
        (gc.enable if enabled else gc.disable)()
        try:
            write(exported.graph_module, exported.graph_signature, {})
            assert gc.isenabled() is enabled
        finally:
            gc.enable()
