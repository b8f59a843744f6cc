# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the symbol of an op, as TorchDynamo's tables show it, to the class that stands for it in a graph."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, MutableMapping
from types import MappingProxyType
from typing import Any

from buddy.compiler.graph import operation
from buddy.compiler.graph.operation import Op, OutputOp, PlaceholderOp, op_type
from buddy.compiler.registry import Registries, full_name

# A class is called like its op, in CamelCase: AddOp for "add.Tensor". Those that buddy-mlir calls otherwise:
_CALLED_OTHERWISE = {
    "View": "_unsafe_view.default", "ViewDtype": "view.dtype", "Ones": "new_ones.default", "Full": "new_full.default",
    "Zeros": "new_zeros.default", "Matmul": "mm.default", "BatchMatmul": "bmm.default", "AddMM": "addmm.default",
    "DivTensorMode": "div.Tensor_mode", "DivScalar": "div.Scalar", "DivScalarMode": "div.Scalar_mode",
    "AddScalar": "add.Scalar", "SubScalar": "sub.Scalar", "SumDim": "sum.dim_IntList", "SumDefault": "sum.default",
    "Conv2d": "convolution.default", "MaxPool1d": "max_pool1d_with_indices.default",
    "MaxPool3d": "max_pool3d_with_indices.default adaptive_max_pool3d.default", "EqTensor": "eq.Tensor",
    "NeTensor": "ne.Tensor", "GtTensor": "gt.Tensor", "GeTensor": "ge.Tensor", "LtTensor": "lt.Tensor",
    "LeTensor": "le.Tensor", "Equal": "eq.Scalar", "NeScalar": "ne.Scalar", "LeScalar": "le.Scalar",
    "LtScalar": "lt.Scalar", "Amin": "min.default min.unary_out", "MinDim": "min.dim min.dim_min", "MaxDim": "max.dim",
    "Minimum": "min.other min.out", "RandIntLow": "randint.low", "ArgMax": "argmax.default", "ArgMin": "argmin.default",
    "KthValue": "kthvalue.default kthvalue.values", "BitwiseAndTensor":
    "bitwise_and.Tensor bitwise_and.Scalar_Tensor bitwise_and.Scalar_Tensor_out bitwise_and_.Tensor",
    "BitwiseAndScalar": "bitwise_and.Scalar bitwise_and_.Scalar", "BitwiseOrScalar": "bitwise_or.Scalar bitwise_or_.Scalar",
    "BitwiseXorScalar": "bitwise_xor.Scalar bitwise_xor_.Scalar", "CumProd": "cumprod.default",
    "SearchSorted": "searchsorted.Tensor searchsorted.Tensor_out searchsorted.Scalar searchsorted.Scalar_out",
    "AsStrided": "as_strided_copy.default as_strided_copy.out", "ScatterSrc": "scatter.src", "ScatterValue": "scatter.value",
    "ScatterReduce": "scatter.reduce scatter.value_reduce scatter.reduce_out scatter.value_reduce_out scatter_.reduce "
    "scatter_.value_reduce scatter_reduce.two index_reduce.default index_reduce.out index_reduce_.default",
    "NativeBatchNormLegit": "native_batch_norm.default", "NativeBatchNormLegitNoStats": "_native_batch_norm_legit.no_stats",
    "UpsampleBilinear2dVec": "upsample_bilinear2d.vec", "UpsampleNearest2dVec": "upsample_nearest2d.vec",
    "IsInf": "isinf.default", "IsNan": "isnan.default", "PowTensorTensor": "pow.Tensor_Tensor", "PowScalar": "pow.Scalar",
    "ClampTensor": "clamp.Tensor", "ClampMinTensor": "clamp_min.Tensor", "ClampMaxTensor": "clamp_max.Tensor",
    "ArangeStartStep": "arange.start_step", "SqueezeDim": "squeeze.dim", "SqueezeDims": "squeeze.dims",
    "LogCumsumExp": "logcumsumexp.default logcumsumexp.out",
    "NanMedian": "nanmedian.default nanmedian.dim nanmedian.dim_values nanmedian.out",
    "I0": "special_modified_bessel_i0.default special_modified_bessel_i0.out",
    "SpecialI1": "special_modified_bessel_i1.default special_modified_bessel_i1.out", "MeanDefault": "mean.default",
    "VarCorrection": "var.correction", "VarDim": "var.dim", "VarDefault": "var.default", "StdCorrection": "std.correction",
    "StdDim": "std.dim", "StdDefault": "std.default", "AnyDims": "any.dims", "AllDims": "all.dims",
    "FillScalar": "fill.Scalar", "Normal": "normal_functional.default",
    "RreluWithNoise": "rrelu_with_noise_functional.default", "NormScalar": "norm.Scalar",
    "NormScalarOptDim": "norm.ScalarOpt_dim", "EmbeddingBag": "_embedding_bag_forward_only.default",
    "Conj": "_conj_physical.default",
}  # fmt: skip
_NAMES = {symbol: f"{name}Op" for name, symbols in _CALLED_OTHERWISE.items() for symbol in symbols.split()}
_WRITTEN = {"placeholder": PlaceholderOp, "output": OutputOp}


def class_name(symbol: str) -> str:
    """ "AddOp" for "add.Tensor" and "aten.add.Tensor"."""
    plain = _plain(symbol)
    base = plain.split(".")[-2 if "." in plain else 0]
    return _NAMES.get(plain) or "".join(part.capitalize() for part in base.split("_")) + "Op"


def _plain(symbol: str) -> str:
    namespace, dot, rest = symbol.partition(".")
    return rest if dot and namespace in ("aten", "prims") and "." in rest else symbol


def known_name(symbol: str) -> str | None:
    """The full name of an op that buddy has a definition of."""
    native = Registries.shared().native
    names = [symbol] if symbol.count(".") > 1 else [f"aten.{symbol}", f"prims.{symbol}", symbol]
    return next((name for name in names if native.schema(name) is not None), None)


@functools.cache
def _symbols() -> dict[str, list[str]]:
    """From the name of a class to the ops that it stands for, the plainest first."""
    registries = Registries.shared()
    known = dict.fromkeys(_plain(row.op) for name in registries.names for row in registries.rows(name))
    known.update(dict.fromkeys(_NAMES))
    found: dict[str, list[str]] = {}
    for symbol in known:
        found.setdefault(class_name(symbol), []).append(symbol)
    return {name: sorted(symbols, key=_plainness) for name, symbols in found.items()}


def _plainness(symbol: str) -> tuple[bool, int, int]:
    base, _, overload = symbol.rpartition(".")
    order = ("Tensor", "default", "self", "int")
    return base.endswith("_") or overload.endswith("out"), order.index(overload) if overload in order else 9, len(symbol)


def class_names() -> set[str]:
    """The names of all classes."""
    return {name for name in _symbols() if name.isidentifier()}


def symbols_of(name: str) -> list[str]:
    """The ops that the class of that name stands for: those that a registry has rows for, else one that has a definition."""
    found = _symbols().get(name)
    if found is not None:
        return found
    base = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.removesuffix("Op")).lower()
    symbols = (f"{prefix}{base}.{overload}" for prefix in ("", "_") for overload in ("default", "Tensor"))
    return [symbol for symbol in symbols if known_name(symbol) and class_name(symbol) == name][:1]


@functools.cache
def class_of_name(name: str) -> type[Op] | None:
    """The class of that name; none if no op is called so."""
    written = getattr(operation, name) if name in operation._WRITTEN else None
    if written is not None or not symbols_of(name):
        return written
    target = next((full for full in map(known_name, symbols_of(name)) if full), full_name(symbols_of(name)[0]))
    return _make(name, target)


def _make(name: str, target: str) -> type[Op]:
    _, schema, kind = Registries.shared().native.schema(target) or ("", "", "")

    def __init__(self: Op) -> None:
        Op.__init__(self)
        self._op_type = op_type(kind, schema)

    return type(name, (Op,), {"__init__": __init__, "__doc__": schema, "__module__": operation.__name__,
                              "__reduce__": _reduce, "target": target})  # fmt: skip


def _reduce(self: Op) -> tuple[Any, ...]:
    """Classes are made anew where an object is unpickled."""
    return _restore, (type(self).__name__, self.__dict__)


def _restore(name: str, state: dict[Any, Any]) -> Op:
    made = class_of_name(name)
    op = (made or Op)()
    op.__dict__.update(state)
    return op


def class_of(target: str) -> type[Op]:
    """The class for an op of a graph."""
    return class_of_name(class_name(target)) or _made_for(target)


@functools.cache
def _made_for(target: str) -> type[Op]:
    return _make(class_name(target), target)


class OpsMap(MutableMapping[str, type[Op]]):
    """``DynamoCompiler._ops_map``: every op that buddy knows has a class, made from its definition when it is asked for
    (``AddOp`` for "add.Tensor"); a class of one's own takes its place, and a class that is there already, given to an op
    that nobody takes, lowers that op like its own."""

    def __init__(self, classes: Mapping[str, type[Op]] = MappingProxyType({})) -> None:
        self.own: dict[str, type[Op]] = {}  #: those that were set
        for symbol, op_class in classes.items():
            if known_name(symbol) is None or self[symbol] is not op_class:
                self[symbol] = op_class

    def __getitem__(self, symbol: str) -> type[Op]:
        if symbol in self.own:
            return self.own[symbol]
        if symbol in _WRITTEN:
            return _WRITTEN[symbol]
        if known_name(symbol) is None:
            raise KeyError(symbol)
        return class_of(symbol)

    def __setitem__(self, symbol: str, op_class: type[Op]) -> None:
        if not (isinstance(op_class, type) and issubclass(op_class, Op)):
            raise TypeError(f"{symbol}: a class derived from Op is needed, not {op_class!r}")
        self.own[symbol] = op_class

    def __delitem__(self, symbol: str) -> None:
        del self.own[symbol]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        known = [*_WRITTEN, *(symbol for symbols in _symbols().values() for symbol in symbols)]
        yield from (symbol for symbol in known if symbol not in self.own)

    def __len__(self) -> int:
        return sum(1 for _ in self)
