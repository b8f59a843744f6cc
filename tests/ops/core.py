# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op that PyTorch calls core (torch.Tag.core): one sample each, or the reason for which there is none."""

import torch

from case import Family, short

FAMILY = Family("core")
aten = torch.ops.aten

# Not ops on tensors that a program of torch.export contains.
WITHOUT = {
    "atan2.out": "an out variant: the exporter writes atan2.default",
    "resize_.default": "changes storage, which a program in functional form does not have",
    "sym_size.int": "size arithmetic, which the importer turns into symbolic dims",
    "sym_stride.int": "size arithmetic",
    "sym_numel.default": "size arithmetic",
    "sym_storage_offset.default": "storage, which values do not have",
    "sym_is_contiguous.default": "strides, which values do not have",
    "_local_scalar_dense.default": "a tensor as a number: tests/models, data-dependent sizes",
    "_native_batch_norm_legit.default": "writes to its arguments: the functional form stands in decomposed programs",
}
X, Y = (2, 3), (2, 3)
IMAGE = (2, 3, 6, 6)


def index(high, *sizes):
    return FAMILY.tensor(*sizes, low=0, high=high - 1, dtype=torch.int64)


def t(*sizes, **options):
    return FAMILY.tensor(*sizes, **options)


# Arguments where those that the schema suggests do not do: tensors first become inputs.
ARGUMENTS = {
    "_adaptive_avg_pool2d.default": (t(*IMAGE), [3, 2]), "_adaptive_avg_pool3d.default": (t(1, 2, 4, 4, 4), [2, 2, 2]),
    "_adaptive_avg_pool2d_backward.default": (t(2, 3, 2, 2), t(*IMAGE)), "adaptive_avg_pool1d.default": (t(2, 3, 6), [3]),
    "_cdist_forward.default": (t(3, 4), t(2, 4), 2.0, None), "_pdist_forward.default": (t(4, 3),),
    "_embedding_bag.default": (t(6, 3), index(6, 5), torch.tensor([0, 2])),
    "_fft_c2c.default": (t(2, 6, dtype=torch.complex64), [1], 0, True), "_fft_r2c.default": (t(2, 6), [1], 0, True),
    "_fft_c2r.default": (t(2, 4, dtype=torch.complex64), [1], 0, 6),
    "_log_softmax.default": (t(*X), 1, False), "_softmax.default": (t(*X), 1, False),
    "_native_batch_norm_legit.no_stats": (t(4, 3, 5), t(3), t(3), True, 0.1, 1e-5),
    "_native_batch_norm_legit_no_training.default": (t(4, 3, 5), t(3), t(3), t(3), t(3, low=0.5, high=2), 0.1, 1e-5),
    "_to_copy.default": (t(*X),), "acos.default": (t(*X, low=-0.9, high=0.9),), "asin.default": (t(*X, low=-0.9, high=0.9),),
    "acosh.default": (t(*X, low=1.5, high=3),), "atanh.default": (t(*X, low=-0.9, high=0.9),),
    "addmm.default": (t(2, 4), t(2, 3), t(3, 4)), "alias.default": (t(*X),), "amax.default": (t(*X), [1]), "amin.default": (t(*X), [1]),
    "any.dim": (t(*X), 1), "any.dims": (t(*X), [0]), "arange.start_step": (1, 9, 2), "as_strided.default": (t(4, 4), [2, 2], [4, 1]),
    "avg_pool1d.default": (t(2, 3, 6), [2]), "avg_pool2d.default": (t(*IMAGE), [2, 2]), "avg_pool3d.default": (t(1, 2, 4, 4, 4), [2, 2, 2]),
    "avg_pool2d_backward.default": (t(2, 3, 3, 3), t(*IMAGE), [2, 2], [2, 2], [0, 0], False, True, None),
    "bitwise_and.Scalar": (index(9, 4), 6), "bitwise_or.Scalar": (index(9, 4), 6), "bitwise_xor.Scalar": (index(9, 4), 6),
    "bitwise_and.Tensor": (index(9, 4), index(9, 4)), "bitwise_or.Tensor": (index(9, 4), index(9, 4)),
    "bitwise_xor.Tensor": (index(9, 4), index(9, 4)), "bitwise_not.default": (index(9, 4),),
    "bmm.default": (t(2, 3, 4), t(2, 4, 5)), "cat.default": ([t(2, 3), t(1, 3)],), "clamp.default": (t(*X), -1, 2),
    "clamp.Tensor": (t(*X), t(*X), t(*X)), "col2im.default": (t(2, 12, 20), [5, 6], [2, 2], [1, 1], [0, 0], [1, 1]),
    "constant_pad_nd.default": (t(*X), [1, 2]), "convolution.default": (t(*IMAGE), t(4, 3, 3, 3), t(4), [1, 1], [1, 1], [1, 1], False, [0, 0], 1),
    "convolution_backward.default": (t(2, 4, 6, 6), t(*IMAGE), t(4, 3, 3, 3), [4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True] * 3),
    "copy.default": (t(*X), t(*X)), "cumsum.default": (t(*X), 1), "diagonal.default": (t(3, 3),), "div.Scalar_mode": (t(*X), 2, ),
    "embedding.default": (t(6, 3), index(6, 2, 2)), "embedding_dense_backward.default": (t(4, 3), index(6, 4), 6, -1, False),
    "empty.memory_format": None, "empty_strided.default": None, "expand.default": (t(1, 3), [2, 3]), "fill.Scalar": (t(*X), 2.5),
    "flip.default": (t(*X), [1]), "full.default": ([2, 3], 1.5), "full_like.default": (t(*X), 1.5), "gather.default": (t(3, 4), 1, index(4, 3, 2)),
    "grid_sampler_2d.default": (t(*IMAGE), t(2, 3, 3, 2, low=-1, high=1), 0, 0, False), "hardtanh.default": (t(*X),),
    "index.Tensor": (t(4, 3), [index(4, 2)]), "index_put.default": (t(4, 3), [torch.tensor([0, 2])], t(2, 3)),
    "index_select.default": (t(4, 3), 0, index(4, 2)), "logical_and.default": (t(*X), t(*X)), "max.dim": (t(*X), 1),
    "max_pool2d_with_indices.default": (t(*IMAGE), [2, 2]), "max_pool3d_with_indices.default": (t(1, 2, 4, 4, 4), [2, 2, 2]),
    "max_pool2d_with_indices_backward.default": (t(2, 3, 3, 3), t(*IMAGE), [2, 2], [2, 2], [0, 0], [1, 1], False, index(36, 2, 3, 3, 3)),
    "mean.dim": (t(*X), [1]), "min.dim": (t(*X), 1), "mm.default": (t(2, 3), t(3, 4)), "native_layer_norm.default": (t(2, 4), [4], t(4), t(4), 1e-5),
    "native_dropout.default": (t(*X), 0.0, True), "native_group_norm.default": (t(2, 6, 4), t(6), t(6), 2, 6, 4, 3, 1e-5),
    "native_group_norm_backward.default": (t(2, 6, 4), t(2, 6, 4), t(2, 3), t(2, 3), t(6), 2, 6, 4, 3, [True] * 3),
    "native_layer_norm_backward.default": (t(2, 4), t(2, 4), [4], t(2, 1), t(2, 1), t(4), t(4), [True] * 3),
    "permute.default": (t(*X), [1, 0]), "pow.Scalar": (2.0, t(*X)), "pow.Tensor_Scalar": (t(*X), 2.0), "pow.Tensor_Tensor": (t(*X, low=1, high=2), t(*X)),
    "prod.dim_int": (t(*X), 1), "reflection_pad1d.default": (t(2, 5), [1, 2]), "reflection_pad2d.default": (t(*IMAGE), [1, 2, 2, 1]),
    "reflection_pad3d.default": (t(1, 2, 4, 4, 4), [1] * 6), "replication_pad2d.default": (t(*IMAGE), [1, 2, 2, 1]),
    "replication_pad3d.default": (t(1, 2, 4, 4, 4), [1] * 6), "repeat.default": (t(*X), [2, 2]), "roll.default": (t(*X), [1], [1]),
    "scalar_tensor.default": (2.5,), "scatter.src": (t(3, 4), 1, torch.tensor([[0, 2], [1, 3], [3, 0]]), t(3, 2)),
    "scatter.value": (t(3, 4), 1, index(4, 3, 2), 1.5), "scatter_add.default": (t(3, 4), 1, index(4, 3, 2), t(3, 2)),
    "scatter_reduce.two": (t(3, 4), 1, index(4, 3, 2), t(3, 2), "sum"), "select.int": (t(*X), 1, 2), "select_scatter.default": (t(*X), t(2), 1, 1),
    "slice.Tensor": (t(5, 3), 0, 1, 4, 2), "slice_scatter.default": (t(5, 3), t(2, 3), 0, 1, 5, 2), "sort.default": (t(*X),),
    "split_with_sizes.default": (t(5, 3), [2, 3]), "squeeze.dim": (t(2, 1, 3), 1), "squeeze.dims": (t(2, 1, 3), [1]),
    "sum.dim_IntList": (t(*X), [1]), "topk.default": (t(*X), 2), "unsqueeze.default": (t(*X), 1), "var.correction": (t(*X), [1]),
    "var.dim": (t(*X), [1]), "view.default": (t(*X), [3, 2]), "where.self": (t(*X, dtype=torch.bool), t(*X), t(*X)),
    "upsample_bilinear2d.vec": (t(*IMAGE), [4, 9], False, None), "upsample_nearest2d.vec": (t(*IMAGE), [4, 9], None),
    "max_pool2d.default": (t(*IMAGE), [2, 2]), "fmod.Scalar": (t(*X), 2.0), "remainder.Scalar": (t(*X), 2.0), "isinf.default": (t(*X),),
    "rand.default": None, "randn.default": None, "randperm.default": None, "cosh.default": (t(*X),), "log.default": (t(*X, low=0.5, high=4),),
    "log1p.default": (t(*X, low=0, high=4),), "log2.default": (t(*X, low=0.5, high=4),), "log10.default": (t(*X, low=0.5, high=4),),
    "sqrt.default": (t(*X, low=0, high=4),), "rsqrt.default": (t(*X, low=0.5, high=4),), "masked_scatter.default": (t(*X), t(*X, dtype=torch.bool), t(6)),
    "any.default": (t(*X),), "argmax.default": (t(*X),), "argmin.default": (t(*X),), "_upsample_bicubic2d_aa.default": (t(*IMAGE), [4, 9], False),
    "diagonal_scatter.default": (t(3, 3), t(3)), "elu.default": (t(*X),), "gelu.default": (t(*X),), "leaky_relu.default": (t(*X),),
    "squeeze.default": (t(2, 1),), "mean.default": (t(*X),), "prod.default": (t(*X),), "nonzero.default": (t(*X),), "masked_select.default": (t(*X), t(*X, dtype=torch.bool)),
}
KEYWORDS = {"div.Tensor_mode": {"rounding_mode": "floor"}, "div.Scalar_mode": {"rounding_mode": "trunc"}}
RANDOM = {"rand.default": ([3, 4],), "randn.default": ([3, 4],), "randperm.default": (5,)}


def core_ops():
    for name in torch._C._dispatch_get_all_op_names():
        base, _, overload = name.removeprefix("aten::").partition(".")
        packet = getattr(aten, base, None) if name.startswith("aten::") else None
        op = getattr(packet, overload or "default", None)
        if op is not None and torch.Tag.core in op.tags:
            yield f"{base}.{overload or 'default'}", op


def suggested(op):
    """Required arguments by their types."""
    arguments = []
    for argument in op._schema.arguments:
        if argument.has_default_value() or argument.kwarg_only:
            break
        kind = str(argument.type)
        arguments.append({"Tensor": t(*X), "number": 2, "int": 1, "float": 1.5, "bool": False}.get(kind))
    return tuple(arguments)


def case_of(name, op):
    """The op as a function of its tensors, and these."""
    arguments = ARGUMENTS.get(name) or suggested(op)
    leaves, spec = torch.utils._pytree.tree_flatten(arguments)
    at = [i for i, leaf in enumerate(leaves) if isinstance(leaf, torch.Tensor)]

    def run(*tensors):
        filled = list(leaves)
        for i, tensor in zip(at, tensors):
            filled[i] = tensor
        result = op(*torch.utils._pytree.tree_unflatten(filled, spec), **KEYWORDS.get(name, {}))
        return result[0] if name == "_embedding_bag.default" else result

    return run, [leaves[i] for i in at]


def accepts(run, tensors):
    try:
        run(*[tensor.clone() for tensor in tensors])
    except (RuntimeError, IndexError, TypeError, NotImplementedError):
        return False
    return True


def as_dtype(tensor, dtype):
    """float32 numbers as numbers of another type; none is zero, by which integers are not divided."""
    if tensor.dtype != torch.float32:
        return tensor
    rounded = tensor.round()
    return tensor > 0 if dtype == torch.bool else torch.where(rounded == 0, 3, rounded).to(dtype)


def grown(tensors):
    """The tensors with sizes of their own: dims of one size grow together."""
    larger = {size: size + 3 for tensor in tensors for size in tensor.shape if size > 1}
    indices = [tensor.dtype == torch.int64 for tensor in tensors]
    return [tensor if fixed else t(*[larger.get(size, size) for size in tensor.shape], dtype=tensor.dtype, low=0.5, high=0.9)
            for tensor, fixed in zip(tensors, indices)]


def add_cases(name, op):
    run, tensors = case_of(name, op)
    FAMILY.add(name, run, *tensors, tolerance=(1e-4, 1e-4))
    for dtype in (torch.int64, torch.bool) if "backward" not in name else ():  # gradients are of floats
        others = [as_dtype(tensor, dtype) for tensor in tensors]
        if any(tensor.dtype == torch.float32 for tensor in tensors) and accepts(run, others):
            FAMILY.add(f"{name} {short(dtype)}", run, *others, tolerance=(1e-4, 1e-4))
    larger = grown(tensors)
    if tensors and accepts(run, larger):
        FAMILY.add(f"{name}, dynamic", run, *tensors, others=larger, tolerance=(1e-4, 1e-4))


OPS = dict(core_ops())
if set(WITHOUT) - set(OPS):
    raise SystemExit(f"not core: {set(WITHOUT) - set(OPS)}")
for name, op in sorted(OPS.items()):
    if name in WITHOUT:
        continue
    if name in RANDOM or name.startswith("empty"):
        arguments = RANDOM.get(name) or (([2, 3],) if "strided" not in name else ([2, 3], [3, 1]))
        FAMILY.add(name, lambda op=op, a=arguments: op(*a).shape[0] + torch.zeros(2))  # their numbers are nobody's promise
        continue
    add_cases(name, op)
