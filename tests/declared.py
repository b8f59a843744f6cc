# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shapes that torch.export has written down for a program's values, beside those that a call gives.

At sizes like 0 and 1 they may be others (x[:2] of one element): buddy keeps the archive's own, and refuses such a run (sdk/docs/limits.md).
"""

from __future__ import annotations

import sympy
import torch


class Shapes(torch.fx.Interpreter):
    """Whether a program's values have the shapes that torch.export has written down for them."""

    def __init__(self, exported: torch.fx.GraphModule):
        super().__init__(exported)
        self.symbols, self.hold = {}, True

    def run_node(self, node):
        value = super().run_node(node)
        for said, got in zip(torch.utils._pytree.tree_leaves(node.meta.get("val")), torch.utils._pytree.tree_leaves(value)):
            if isinstance(said, torch.Tensor) and isinstance(got, torch.Tensor):
                self.hold &= said.dim() == got.dim() and all(self.is_size(a, b) for a, b in zip(said.shape, got.shape))
        return value

    def get_attr(self, target, args, kwargs):
        value = super().get_attr(target, args, kwargs)
        return self.within(value) if isinstance(value, torch.fx.GraphModule) else value

    def within(self, graph: torch.fx.GraphModule):
        """A branch, or what a loop does, in which sizes are told as well."""
        def call(*args):
            inner = Shapes(graph)
            inner.symbols = self.symbols
            results = inner.run(*args)
            self.hold &= inner.hold
            return results
        return call

    def is_size(self, said, got: int) -> bool:
        if not isinstance(said, torch.SymInt):
            return said == got
        expression = said.node.expr  # in PyTorch symbols are positive, and have no value 0: min(0, s - 1) would be 0
        expression = expression.xreplace({one: sympy.Symbol(one.name, integer=True) for one in expression.free_symbols})
        expression = expression.subs({one: self.symbols[one.name] for one in expression.free_symbols if one.name in self.symbols})
        if len(expression.free_symbols) == 1:
            symbol = next(iter(expression.free_symbols))
            found = sympy.solve(expression - got, symbol)
            self.symbols.update({symbol.name: found[0]} if len(found) == 1 else {})
            return True
        return not expression.is_number or int(expression) == got


def are_shapes_kept(exported: torch.fx.GraphModule, inputs: list[torch.Tensor]) -> bool:
    """Whether a call with these inputs has the shapes that the program declares; true where it raises."""
    shapes = Shapes(exported)
    try:
        shapes.run(*[one.clone() for one in inputs])
    except Exception:
        return True
    return shapes.hold
