# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention that decompositions took apart becomes one op again, ``scaled_dot_product_attention``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.operation import Op
from buddy.compiler.graph.transform.match import Nodes

_VIEWS = ("aten.view.default", "aten.expand.default", "aten.clone.default")
_ATTENTION = "aten.scaled_dot_product_attention.default"


@dataclass
class _Found:
    """softmax(query · keyᵀ · scale + mask) · value."""

    query: str = ""
    key: str = ""
    value: str = ""
    mask: Any = None
    scale: float = 1.0
    is_grouped: bool = False
    ops: list[Op] = field(default_factory=list)  #: what it was made of


class _Matcher:
    def __init__(self, nodes: Nodes) -> None:
        self.nodes, self.found = nodes, _Found()

    def take(self, value: Any, *targets: str) -> Op | None:
        op = self.nodes.maker(value, *targets)
        if op is not None:
            self.found.ops.append(op)
        return op

    def flat(self, value: Any) -> Any:
        """What is behind a view that joins batch and heads."""
        op = self.nodes.maker(value, *_VIEWS)
        shape = self.nodes.shape(value)
        if op is None or len(shape) != 3 or len(self.nodes.shape(op.kwargs["self"])) != 4:
            return None
        self.found.ops.append(op)
        before = self.nodes.shape(op.kwargs["self"])
        return op.kwargs["self"] if before[2:] == shape[1:] else None

    def scaled(self, value: Any) -> Any:
        op = self.nodes.maker(value, "aten.mul.Tensor")
        if op is None or not isinstance(op.kwargs["other"], (int, float)):
            return value
        self.found.ops.append(op)
        self.found.scale *= op.kwargs["other"]
        return op.kwargs["self"]

    def softmax(self, value: Any) -> Any:
        """The scores, of a softmax over the last dim; where all of a row is masked it may give zeros."""
        safe = self.take(value, "aten.where.self")
        if safe is not None:
            zeros = self.take(safe.kwargs["self"], "aten.full.default")
            if zeros is None or zeros.kwargs["fill_value"] != 0:
                return None
            self._mask_test(safe.kwargs["condition"])
            value = safe.kwargs["other"]
        last = len(self.nodes.shape(value)) - 1
        whole = self.take(value, "aten._softmax.default", "aten.softmax.int")
        if whole is not None:
            return whole.kwargs["self"] if whole.kwargs["dim"] in (-1, last) else None
        return self._softmax_of_parts(value, last)

    def _mask_test(self, condition: Any) -> None:
        op: Op | None = None
        for targets in ("aten.logical_not.default",), ("aten.any.dim",), ("aten.logical_not.default",), ("aten.eq.Tensor",):
            op = self.take(condition, *targets)
            if op is None:
                return
            condition = op.kwargs["self"]

    def _softmax_of_parts(self, value: Any, last: int) -> Any:
        quotient = self.take(value, "aten.div.Tensor")
        power = quotient and self.take(quotient.kwargs["self"], "aten.exp.default")
        total = quotient and self.take(quotient.kwargs["other"], "aten.sum.dim_IntList")
        difference = power and self.take(power.kwargs["self"], "aten.sub.Tensor")
        largest = difference and self.take(difference.kwargs["other"], "aten.amax.default")
        if not (power and total and difference and largest) or total.kwargs["self"] != power.name:
            return None
        if any(op.kwargs["dim"] not in ([last], [-1]) or not op.kwargs["keepdim"] for op in (total, largest)):
            return None
        scores = difference.kwargs["self"]
        return scores if largest.kwargs["self"] == scores else None

    def match(self, product: Op) -> _Found | None:
        """From the product with the values back to query, key, mask."""
        found = self.found
        weights, values = self.flat(product.kwargs["self"]), self.flat(product.kwargs["mat2"])
        scores = weights and self.softmax(weights)
        if not scores or not values:
            return None
        masked = self.nodes.maker(scores, "aten.add.Tensor")
        if masked is not None and masked.kwargs["alpha"] == 1:
            found.ops.append(masked)
            scores, found.mask = masked.kwargs["self"], masked.kwargs["other"]
        apart = self.take(self.scaled(scores), "aten.view.default")
        inner = apart and self.take(apart.kwargs["self"], "aten.bmm.default")
        query = inner and self.flat(inner.kwargs["self"])
        key = inner and self.flat(inner.kwargs["mat2"])
        if not query or not key:
            return None
        found.query, key, found.value = self.scaled(query), self.scaled(key), values
        transpose = self.take(key, "aten.permute.default")
        if transpose is None or [dim % 4 for dim in transpose.kwargs["dims"]] != [0, 1, 3, 2]:
            return None
        found.key = self.scaled(transpose.kwargs["self"])
        return found if isinstance(found.mask, (str, type(None))) else None

    def ungroup(self, value: str) -> str | None:
        """Heads that were repeated for groups of queries, as they were before."""
        joined = self.take(value, "aten.view.default")
        wide = joined and self.take(joined.kwargs["self"], "aten.expand.default")
        apart = wide and self.take(wide.kwargs["self"], "aten.unsqueeze.default")
        if not (wide and apart) or apart.kwargs["dim"] not in (2, -3):
            return None
        before, after = self.nodes.shape(apart.kwargs["self"]), self.nodes.shape(value)
        repeated = self.nodes.shape(wide.name)
        if len(before) != 4 or repeated[:2] != before[:2] or repeated[3:] != before[2:] or after[2:] != before[2:]:
            return None
        return str(apart.kwargs["self"])


def _fuse(graph: Graph, wants_groups: bool) -> None:
    nodes = Nodes(graph)
    for product in list(graph.walk()):
        if product.target != "aten.bmm.default" or nodes.table.get(product.name) is not product:
            continue
        matcher = _Matcher(nodes)
        found = matcher.match(product)
        if found is None:
            continue
        if wants_groups:
            key, value = matcher.ungroup(found.key), matcher.ungroup(found.value)
            if key and value:
                found.key, found.value, found.is_grouped = key, value, True
        _write(nodes, product, found)


def _write(nodes: Nodes, product: Op, found: _Found) -> None:
    query, value = nodes.shape(found.query), nodes.shape(found.value)
    arguments = {"query": found.query, "key": found.key, "value": found.value, "attn_mask": found.mask, "dropout_p": 0.0,
                 "is_causal": False, "scale": found.scale, "enable_gqa": found.is_grouped}  # fmt: skip
    dtype = product.tensor_meta["dtype"]
    whole = nodes.insert(product, _ATTENTION, arguments, [*query[:3], value[3]], dtype)
    flat = nodes.insert(product, "aten.view.default", {"self": whole.name, "size": list(product.tensor_meta["shape"])},
                        product.tensor_meta["shape"], dtype)  # fmt: skip
    nodes.replace(product.name, flat.name)
    nodes.sweep([product, *found.ops])


def flash_attention_prefill(graph: Graph) -> None:
    """softmax(q · kᵀ · scale + mask) · v is scaled_dot_product_attention."""
    _fuse(graph, wants_groups=False)


def gqa_attention_fusion(graph: Graph) -> None:
    """The same, and heads that were repeated for groups of queries are read where they are."""
    _fuse(graph, wants_groups=True)
