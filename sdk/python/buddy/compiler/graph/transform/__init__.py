# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transforms of graphs, for ``graph.perform`` and ``graph.fuse_ops``. Each changes nodes to others that mean the same, or
makes groups for ``GraphDriver``; loops are merged when a graph is compiled, with or without them."""

from buddy.compiler.graph.transform.attention import flash_attention_prefill, gqa_attention_fusion
from buddy.compiler.graph.transform.external import (
    pack_decode_matmul_weights,
    replace_matmul_with_buddy_runtime,
    replace_matmul_with_onednn,
)
from buddy.compiler.graph.transform.groups import simply_fuse
from buddy.compiler.graph.transform.shapes import (
    apply_classic_fusion,
    eliminate_matmul_transpose_reshape,
    eliminate_transpose,
    maxpool2d_simplify,
)

__all__ = [
    "apply_classic_fusion",
    "eliminate_matmul_transpose_reshape",
    "eliminate_transpose",
    "flash_attention_prefill",
    "gqa_attention_fusion",
    "maxpool2d_simplify",
    "pack_decode_matmul_weights",
    "replace_matmul_with_buddy_runtime",
    "replace_matmul_with_onednn",
    "simply_fuse",
]
