# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights of matrix products as small integers, with a scale for each channel of the output.

Each transform changes the graph and its parameters: a weight keeps its name and is of int8 from then on, and the parameter
``scaler_`` and that name, behind all other inputs, has its scales. So the graph runs as it is, on what ``graph.tensors`` gives.
Weights that anything else uses, an embedding for one, stay what they are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch

from buddy.compiler.graph.graph import Graph
from buddy.compiler.graph.operation import Op, PlaceholderOp
from buddy.compiler.graph.transform.match import Nodes

_PRODUCTS = ("aten.mm.default", "aten.addmm.default")
_SMALLEST = 1e-10


@dataclass
class _Weight:
    """A parameter that only products use. ``axis``: which of its dims is the channels of the output."""

    node: PlaceholderOp
    tensor: torch.Tensor
    axis: int
    products: list[Op]


def _products_of(nodes: Nodes, value: str) -> list[Op] | None:
    """The products whose second factor it is, if there are no other users."""
    users = nodes.users(value)
    fits = all(op.target in _PRODUCTS and op.kwargs["mat2"] == value
               and value not in (op.kwargs["self"], op.kwargs.get("mat1")) for op in users)  # fmt: skip
    return users if users and fits else None


def _axis_and_products(nodes: Nodes, name: str) -> tuple[int, list[Op]] | None:
    direct = _products_of(nodes, name)
    if direct is not None:
        return 1, direct
    products: list[Op] = []
    for op in nodes.users(name):
        if op.target == "aten.linear.default" and op.kwargs["weight"] == name and op.kwargs["input"] != name:
            products.append(op)
            continue
        is_transpose = op.target == "aten.permute.default" and [dim % 2 for dim in op.kwargs["dims"]] == [1, 0]
        found = _products_of(nodes, op.name) if is_transpose else None
        if found is None:
            return None
        products += found
    return (0, products) if products else None


def _weights(graph: Graph, nodes: Nodes) -> list[_Weight]:
    found = []
    for node, tensor in zip(graph.params, graph.tensors):
        if tensor.dim() != 2 or not tensor.is_floating_point() or not tensor.numel():
            continue
        of_products = _axis_and_products(nodes, node.name)
        if of_products:
            found.append(_Weight(node, tensor.detach(), *of_products))
    return found


def _quantized(weight: _Weight, largest: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The integers, and the scale of each channel."""
    numbers = weight.tensor.float()
    scale = (numbers.abs().amax(dim=1 - weight.axis, keepdim=True) / largest).clamp(min=_SMALLEST)
    return torch.clamp(torch.round(numbers / scale), -largest - 1, largest).to(torch.int8), scale


def _place(graph: Graph, weight: _Weight, numbers: torch.Tensor, scale: torch.Tensor) -> str:
    """Puts both in the place of the weight; gives the name of the scales."""
    scaler = f"scaler_{weight.node.name}"
    graph.set_tensor(weight.node.name, numbers)
    graph.set_tensor(scaler, scale.to(weight.tensor.dtype))
    return scaler


class _Writer:
    """Nodes before one, each on what was written before."""

    def __init__(self, nodes: Nodes, before: Op) -> None:
        self.nodes, self.before = nodes, before

    def __call__(self, target: str, shape: Any, dtype: torch.dtype, /, **arguments: Any) -> str:
        return self.nodes.insert(self.before, f"aten.{target}", arguments, list(shape), dtype).name


def _first_op(graph: Graph) -> Op:
    return next(op for op in graph.body if not isinstance(op, PlaceholderOp))


def _unpack(write: _Writer, packed: str, shape: torch.Size) -> str:
    """The numbers of 4 bits of a row of bytes, the lower ones first."""
    half = [shape.numel() // 2]
    shifted = write("__lshift__.Tensor", half, torch.int8, self=packed, other=4)
    low = write("__rshift__.Tensor", half, torch.int8, self=shifted, other=4)  # with its sign
    high = write("__rshift__.Tensor", half, torch.int8, self=packed, other=4)
    columns = [write("unsqueeze.default", [*half, 1], torch.int8, self=each, dim=1) for each in (low, high)]
    pairs = write("cat.default", [*half, 2], torch.int8, tensors=columns, dim=1)
    return write("view.default", shape, torch.int8, self=pairs, size=list(shape))


def _packed(numbers: torch.Tensor) -> torch.Tensor:
    flat = numbers.reshape(-1)
    return (flat[0::2] & 15) | (flat[1::2] << 4)


def _weight_only(graph: Graph, largest: int, is_packed: bool) -> None:
    nodes = Nodes(graph)
    for weight in _weights(graph, nodes):
        shape, dtype, name = weight.tensor.shape, weight.tensor.dtype, weight.node.name
        if is_packed and shape.numel() % 2:
            continue
        users = nodes.users(name)
        numbers, scale = _quantized(weight, largest)
        scaler = _place(graph, weight, _packed(numbers) if is_packed else numbers, scale)
        write = _Writer(nodes, _first_op(graph))
        whole = _unpack(write, name, shape) if is_packed else name
        wide = write("_to_copy.default", shape, dtype, self=whole, dtype=dtype)
        scaled = write("mul.Tensor", shape, dtype, self=wide, other=scaler)
        for user in users:
            _replace_in(user, name, scaled)


def _replace_in(op: Op, name: str, new_name: str) -> None:
    op.kwargs.update({key: new_name for key, value in op.kwargs.items() if value == name})
    op.args = []


def weight_only_channel_wise(graph: Graph) -> None:
    """Weights are int8, and become numbers of their own dtype again before the products."""
    _weight_only(graph, 127, is_packed=False)


def weight_only_int4_f16_channel_wise(graph: Graph) -> None:
    """The same with 4 bits, two numbers in each byte; weights of an odd number of elements stay what they are."""
    _weight_only(graph, 7, is_packed=True)


def w8a8_channel_wise(graph: Graph) -> None:
    """Both factors are int8: weights by channel, ahead; the other factor by row, when it is there. The product is exact."""
    nodes = Nodes(graph)
    for weight in _weights(graph, nodes):
        products = [op for op in weight.products if op.kwargs.get("beta", 1) == op.kwargs.get("alpha", 1) == 1]
        if len(products) != len(weight.products) or any(op.target == "aten.linear.default" for op in products):
            continue
        scaler = _place(graph, weight, *_quantized(weight, 127))
        for product in products:
            _multiply_small(nodes, product, weight, scaler)
        for op in list(graph.walk()):
            if op.target == "aten.permute.default" and op.kwargs["self"] == weight.node.name:
                nodes.sweep([op])


def _multiply_small(nodes: Nodes, product: Op, weight: _Weight, scaler: str) -> None:
    write, name = _Writer(nodes, product), weight.node.name
    value = product.kwargs["mat1" if product.target == "aten.addmm.default" else "self"]
    (rows, columns), dtype = product.tensor_meta["shape"], product.tensor_meta["dtype"]
    inner, wide = weight.tensor.shape[1 - weight.axis], torch.float32
    x = write("_to_copy.default", [rows, inner], wide, self=value, dtype=wide)
    size = write("abs.default", [rows, inner], wide, self=x)
    most = write("amax.default", [rows, 1], wide, self=size, dim=[1], keepdim=True)
    scale = write("div.Tensor", [rows, 1], wide, self=most, other=127.0)
    scale = write("clamp.default", [rows, 1], wide, self=scale, min=_SMALLEST)
    x = write("div.Tensor", [rows, inner], wide, self=x, other=scale)
    x = write("round.default", [rows, inner], wide, self=x)
    x = write("clamp.default", [rows, inner], wide, self=x, min=-128, max=127)
    x = write("_to_copy.default", [rows, inner], torch.int8, self=x, dtype=torch.int8)
    if weight.axis == 0:
        name = write("permute.default", [inner, columns], torch.int8, self=name, dims=[1, 0])
    y = write("_int_mm.default", [rows, columns], torch.int32, self=x, mat2=name)
    y = write("_to_copy.default", [rows, columns], wide, self=y, dtype=wide)
    channels = write("_to_copy.default", _scales_of(weight), wide, self=scaler, dtype=wide)
    channels = write("view.default", [1, columns], wide, self=channels, size=[1, columns])
    y = write("mul.Tensor", [rows, columns], wide, self=y, other=scale)
    y = write("mul.Tensor", [rows, columns], wide, self=y, other=channels)
    y = write("_to_copy.default", [rows, columns], dtype, self=y, dtype=dtype)
    if product.target == "aten.addmm.default":
        y = write("add.Tensor", [rows, columns], dtype, self=y, other=product.kwargs["self"])
    nodes.replace(product.name, y)
    nodes.sweep([product])


def _scales_of(weight: _Weight) -> list[int]:
    shape = [1, 1]
    shape[weight.axis] = weight.tensor.shape[weight.axis]
    return shape
