# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Caches of keys and values in 16 bits: attention reads them as they lie, and is at least as near to float64 as eager is."""

import pytest
import torch
from torch.export import Dim

from buddy.compiler.frontend import DynamoCompiler

LENGTH, LARGE = 200, 190


def written(way, cache, new, at):
    if way == "index_copy":
        return cache.index_copy_(2, at, new)
    if way == "index_put":
        cache[:, :, at] = new
        return cache
    if way == "slice_scatter":
        return torch.slice_scatter(cache, new, 2, LARGE, LARGE + new.shape[2])
    return torch.cat([cache, new], 2)


class Decode(torch.nn.Module):
    def __init__(self, way):
        super().__init__()
        self.way = way

    def forward(self, queries, keys, values, new_keys, new_values, at):
        keys, values = written(self.way, keys, new_keys, at), written(self.way, values, new_values, at)
        mask = torch.arange(keys.shape[2]) <= at[:, None]
        is_shared = queries.shape[1] != keys.shape[1]
        return torch.nn.functional.scaled_dot_product_attention(queries, keys, values, mask, enable_gqa=is_shared)


def drawn(dtype, heads, shared, size, new, behind, way):
    random = torch.Generator().manual_seed(size + new)

    def numbers(*sizes):
        return torch.randn(sizes, generator=random).to(dtype)

    length = behind if way == "cat" else LENGTH
    caches = [numbers(1, heads, length, size) for _ in range(2)]
    return [numbers(1, heads * shared, new, size), *caches, *(numbers(1, heads, new, size) for _ in range(2)), torch.arange(new) + behind]


def copied(inputs, dtype=None):
    return [x.to(dtype) if dtype and x.is_floating_point() else x.clone() for x in inputs]


def error(found, exact):
    return float((found.double() - exact).norm() / exact.norm())


def check(graph, way, inputs):
    with torch.no_grad():
        exact, eager = Decode(way)(*copied(inputs, torch.float64)), Decode(way)(*copied(inputs))
    ours = graph(*copied(inputs))[0]
    assert ours.dtype == eager.dtype
    assert error(ours, exact) <= 1.02 * error(eager, exact)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["f16", "bf16"])
@pytest.mark.parametrize("way", ["index_copy", "index_put", "slice_scatter", "cat"])
@pytest.mark.parametrize("heads, shared, size, new", [(4, 1, 64, 1), (2, 4, 128, 1), (2, 2, 80, 1), (2, 8, 32, 1), (2, 2, 64, 5), (2, 1, 64, 40)])
def test_caches_are_read_as_they_lie(dtype, way, heads, shared, size, new):
    behind = LARGE if new < 10 else LARGE - 40
    if way == "slice_scatter" and new > 10:
        new = 10
    inputs = drawn(dtype, heads, shared, size, new, behind, way)
    graph = DynamoCompiler().importer_by_export(Decode(way).eval(), *copied(inputs))[0]
    check(graph, way, inputs)
    profile = graph.profile(*copied(inputs), repeat=1)
    assert sum("attention" in step.kernel for step in profile.steps) == 1, str(profile)
    wide = 4 * heads * LARGE * size  # bytes of a cache in f32, which no other step has among its arguments
    for step in profile.steps:
        has_conversion = any(node.startswith("_to_copy") for node in step.nodes)
        assert "attention" in step.kernel or not has_conversion or step.n_bytes < wide, step


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16], ids=["f16", "bf16"])
@pytest.mark.parametrize("shared", [1, 3])
def test_of_symbolic_length(dtype, shared):
    new, past = Dim("new", max=64), Dim("past", min=16, max=512)
    shapes = ({2: new}, {2: past}, {2: past}, {2: new}, {2: new}, {0: new})
    inputs = drawn(dtype, 2, shared, 64, 3, 70, "cat")
    graph = DynamoCompiler().importer_by_export(Decode("cat").eval(), *copied(inputs), dynamic_shapes=shapes)[0]
    for n, behind in ((3, 70), (1, 70), (1, 300), (40, 33), (64, 512)):
        check(graph, "cat", drawn(dtype, 2, shared, 64, n, behind, "cat"))
    profile = graph.profile(*copied(inputs), repeat=1)
    conversions = [step for step in profile.steps if "loops" in step.kernel and any(node.startswith("_to_copy") for node in step.nodes)]
    assert len(conversions) <= 2, conversions  # of the queries and of the result
