# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of graphs: each gives other nodes, and the same numbers."""

import pytest
import torch
from conftest import close
from torch._inductor.decomposition import decompositions as inductor_decomp

from buddy.compiler.frontend import DynamoCompiler
from buddy.compiler.graph import GraphDriver, transform
from buddy.compiler.ops import tosa

F = torch.nn.functional


def targets(graph):
    return [op.target.removeprefix("aten.") for op in graph.walk()]


def transformed(function, shapes, transforms, **options):
    """The graph after the transforms, whose numbers are those of the function for three inputs."""
    draw = lambda: [torch.randn(shape) for shape in shapes]  # noqa: E731
    compiler = DynamoCompiler(**options)
    graph = compiler.importer(function, *draw())[0]
    graph.fuse_ops(transforms)
    for _ in range(3):
        xs = draw()
        close(compiler.compiled()(*xs), function(*xs))
    return graph


def test_max_pools_without_indices():
    graph = transformed(lambda x: F.max_pool2d(x, 3, 2, 1) + 1, [(1, 2, 9, 8)], [transform.maxpool2d_simplify])
    assert targets(graph) == ["max_pool2d.default", "add.Tensor"]
    graph = transformed(lambda x: F.max_pool2d(x, 2, return_indices=True), [(1, 2, 8, 8)], [transform.maxpool2d_simplify])
    assert targets(graph) == ["max_pool2d_with_indices.default"]


def test_transposes():
    turn = [transform.eliminate_transpose]
    assert targets(transformed(lambda x: x.permute(1, 2, 0).permute(2, 0, 1) + 1, [(2, 3, 4)], turn)) == ["add.Tensor"]
    both = transformed(lambda x: x.permute(1, 2, 0).permute(1, 2, 0).exp(), [(2, 3, 4)], turn)
    assert targets(both) == ["permute.default", "exp.default"]
    kept = transformed(lambda x: (y := x.t(), y.t() * 2), [(2, 3)], turn)
    assert targets(kept) == ["permute.default", "mul.Tensor"]


def test_views():
    flat = [transform.eliminate_matmul_transpose_reshape]
    ones = transformed(lambda x: x.transpose(1, 2).reshape(2, 12) + 1, [(2, 1, 3, 4)], flat)
    assert targets(ones) == ["view.default", "add.Tensor"]
    assert targets(transformed(lambda x: x.view(3, 4).view(2, 6) + 1, [(2, 6)], flat)) == ["add.Tensor"]
    assert "permute.default" in targets(transformed(lambda x: x.transpose(1, 2) + 1, [(2, 3, 4)], flat))


def test_products_with_transposes():
    fuse = [transform.simply_fuse, transform.apply_classic_fusion]
    graph = transformed(lambda a, b: a @ b.t(), [(3, 4), (5, 4)], fuse, primary_registry="linalg")
    assert targets(graph) == ["linear.default"] and "linalg.transpose" not in str(graph)
    assert len(graph.op_groups["subgraph0"]) == 1 and GraphDriver(graph).subgraphs
    graph = transformed(lambda a, b, c: torch.addmm(c, a, b.t()), [(3, 4), (5, 4), (5,)], fuse)
    assert targets(graph) == ["linear.default"]
    for beta, bias in ((2, (5,)), (1, (3, 5))):
        kept = transformed(lambda a, b, c: torch.addmm(c, a, b.t(), beta=beta), [(3, 4), (5, 4), bias], fuse)  # noqa: B023
        assert "addmm.default" in targets(kept)


def grouped(q, k, v):
    wide = [x.unsqueeze(2).expand(2, 2, 3, 5, 8).reshape(2, 6, 5, 8) for x in (k, v)]
    return F.scaled_dot_product_attention(q, *wide)


@pytest.mark.parametrize("function, heads", [
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v), 6),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, scale=0.3) * 2, 6),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, attn_mask=torch.ones(5, 5).tril().log()), 6),
    (lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), 6),
    (grouped, 2),
])  # fmt: skip
def test_attention(function, heads):
    shapes = [(2, 6, 5, 8), (2, heads, 5, 8), (2, heads, 5, 8)]
    for fusion in (transform.flash_attention_prefill, transform.gqa_attention_fusion):
        graph = transformed(function, shapes, [transform.simply_fuse, fusion, transform.eliminate_transpose],
                            primary_registry=tosa, aot_autograd_decomposition=inductor_decomp)  # fmt: skip
        found = targets(graph)
        assert found.count("scaled_dot_product_attention.default") == 1 and "bmm.default" not in found
        assert ("expand.default" in found) is (heads == 2 and fusion is transform.flash_attention_prefill)
        assert graph.op_groups["subgraph0"] == list(graph.walk())


def test_what_only_looks_like_attention_stays():
    def twice(q, k):
        scores = (q @ k.transpose(-1, -2)).softmax(-1)
        return scores @ k, scores  # the weights are a result, too

    def over_columns(q, k):
        return (q @ k.transpose(-1, -2)).softmax(-2) @ k

    shapes = [(2, 3, 5, 8), (2, 3, 5, 8)]
    kept = targets(transformed(over_columns, shapes, [transform.flash_attention_prefill]))
    assert "scaled_dot_product_attention.default" not in kept
    graph = transformed(twice, shapes, [transform.flash_attention_prefill])
    assert len(graph.outputs) == 2


@pytest.mark.parametrize("replace", [transform.replace_matmul_with_onednn, transform.replace_matmul_with_buddy_runtime])
def test_calls_of_a_library(replace):
    options = {"primary_registry": {**tosa.ops_registry}, "enable_external_calls": True}
    graph = transformed(lambda a, b: torch.relu(a @ b), [(64, 32), (32, 48)], [replace, transform.simply_fuse], **options)
    assert [type(op).__name__ for op in graph.walk()] == ["CallExternalOp", "ReluOp"]
    assert graph.decisions[0].taken_by == "vendor" and "@buddy_vendor" in str(graph)
