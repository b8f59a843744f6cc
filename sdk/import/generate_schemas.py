#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the tables of ATen's op definitions from an installed PyTorch.

Run it with the PyTorch whose archives are to be read; the result is committed:

    python sdk/import/generate_schemas.py

    aten_schemas.inc     op, schema, kind: every dispatcher op that an exported program can carry
    aten_aliases.inc     op, op that it stands for: same argument names, same meaning
    aten_functional.inc  op that writes, op that computes the same value without writing
"""

import os
import re
import subprocess

import torch
import torch._inductor.inductor_prims  # noqa: F401: registers what its decompositions add to prims
import torch.distributed._functional_collectives  # noqa: F401: registers _c10d_functional
import torch.ao.quantization.fx._decomposed  # noqa: F401: registers quantized_decomposed
import torch.nn.modules.linear_cross_entropy  # noqa: F401: registers torch_nn

HERE = os.path.dirname(os.path.abspath(__file__))
NAMESPACES = ("aten", "prims", "quantized_decomposed", "torch_nn", "_c10d_functional", "_c10d_functional_autograd")

# Higher-order ops that stay nodes; the others are inlined by the importer. They have no schema in PyTorch: the names
# of the arguments are those of their Python signatures.
HIGHER_ORDER = [
    "higher_order::associative_scan(Graph combine_fn, Tensor[] xs, any[] additional_inputs=None) -> Tensor[]",
    "higher_order::cond(Tensor pred, Graph true_fn, Graph false_fn, Tensor[] operands) -> Tensor[]",
    "higher_order::map_impl(Graph f, Tensor[] xs, any[] pos_args) -> Tensor[]",
    "higher_order::scan(Graph combine_fn, Tensor[] init, Tensor[] xs, any[] additional_inputs) -> Tensor[]",
    "higher_order::while_loop(Graph cond_fn, Graph body_fn, Tensor[] carried_inputs,"
    " Tensor[] additional_inputs) -> Tensor[]",
]

# Schema types that no exported program can carry as a value.
FOREIGN = re.compile(r"Dict\(|Future|Storage|Stream|__torch__|\bAny\b|(?<![:.\w])t1?\b|Await|RRef")
# Ops that have no tensor in their schema and come all the same.
TENSORLESS = re.compile(r"aten::(sym_constrain_range|_assert_scalar|sym_size|sym_numel|sym_stride|sym_storage_offset|_print|promote_types|can_cast)")

KINDS = {
    "RANDOM": "rand.* bernoulli.* normal.* multinomial poisson binomial exponential.* geometric.* cauchy.* log_normal.*"
    " uniform.* random.* dropout native_dropout feature_dropout alpha_dropout feature_alpha_dropout rrelu.* .*_dropout_.*"
    " fractional_max_pool.* _fused_dropout",
    "SIDE_EFFECT": "_assert.* sym_constrain_range.* _print all_reduce.* all_gather_into_tensor.* reduce_scatter_tensor.*"
    " all_to_all_single broadcast isend irecv batch_p2p_ops",
    "REDUCE": "sum mean amax amin prod any all var std var_mean std_mean argmax argmin max min logsumexp norm"
    " linalg_vector_norm nansum nanmean median nanmedian mode count_nonzero aminmax kthvalue _is_all_true _is_any_true",
    "RESHAPE": "view reshape _unsafe_view _reshape_alias flatten unflatten squeeze unsqueeze expand expand_as"
    " broadcast_to view_as reshape_as ravel atleast_.* sum_to_size squeeze_copy unsqueeze_copy view_copy expand_copy"
    " _reshape_copy broadcast_in_dim collapse collapse_view split_dim",
    "TRANSPOSE": "permute transpose t mT mH numpy_T swapaxes swapdims movedim moveaxis adjoint matrix_H permute_copy"
    " transpose_copy t_copy",
    "CONCAT": "cat concat concatenate stack hstack vstack dstack column_stack row_stack block_diag _cat _stack",
    "CONTRACTION": "mm bmm matmul linear addmm baddbmm addbmm addmv addr mv dot vdot inner outer ger einsum tensordot"
    " chain_matmul linalg_matmul linalg_multi_dot bilinear _trilinear kron _int_mm _addmm_activation"
    " .*scaled_dot_product.* _scaled_mm _grouped_mm _weight_int8pack_mm _weight_int4pack_mm.*",
    "CONVOLUTION": "conv[123]d conv_transpose[123]d convolution _convolution convolution_overrideable"
    " mkldnn_convolution slow_conv.* thnn_conv.* _slow_conv.* conv_depthwise.* conv_tbc cudnn_convolution.*",
    "POOLING": ".*_pool[123]d.* ",
    "NORMALIZATION": "batch_norm .*batch_norm.* layer_norm native_layer_norm group_norm native_group_norm instance_norm"
    " rms_norm _fused_rms_norm softmax log_softmax _softmax _log_softmax _safe_softmax softmin renorm cosine_similarity"
    " local_response_norm _weight_norm.* normalize",
    "INDEXING": "index.* gather scatter.* select.* slice.* narrow.* take take_along_dim embedding.* masked_select"
    " masked_scatter split.* unsafe_split.* unsafe_chunk chunk tensor_split hsplit vsplit dsplit unbind.* nonzero.*"
    " roll flip fliplr flipud rot90 diag.* tril triu unfold.* as_strided.* pad constant_pad_nd reflection_pad.*"
    " replication_pad.* circular_pad _pad.* repeat repeat_interleave tile topk sort argsort msort one_hot bucketize"
    " searchsorted put _unsafe_index.* im2col col2im unique.* _unique.* pixel_.*shuffle channel_shuffle"
    " _unsafe_masked_index.* trace meshgrid cartesian_prod combinations",
    "CREATION": "full full_like zeros zeros_like ones ones_like empty empty_like empty_strided empty_permuted new_.*"
    " arange linspace logspace eye scalar_tensor tril_indices triu_indices _efficientzerotensor bartlett_window"
    " blackman_window hamming_window hann_window kaiser_window iota",
}
KIND_OF = [(kind, re.compile("(" + "|".join(words.split()) + r")_?$")) for kind, words in KINDS.items()]
# Tagged pointwise, or not, against what inference by broadcasting needs.
ELEMENTWISE = re.compile(
    r"(_to_copy|clone|copy|to|_conj|conj|conj_physical|resolve_conj|resolve_neg|alias|detach|contiguous|positive"
    r"|lift_fresh_copy|lift_fresh|where|masked_fill|fill|type_as|floor_divide|hardswish|log_sigmoid|prelu|_prelu_kernel"
    r"|special_ndtr|rsub|isreal|isclose|__and__|__or__|_cast_.*|real|imag|threshold_backward|.*(sigmoid|tanh)_backward)$")
# Of prims, what takes its tensors as they are, element by element.
PRIMS_ELEMENTWISE = re.compile(
    r"prims::(acosh?|add|asinh?|atan[2h]?|bessel_.*|bitwise_.*|cbrt|ceil|cosh?|div|eq|erf.*|exp|expm1|floor|fmod|gcd|ge|gt"
    r"|imag|isfinite|le|lgamma|log|log10|log1p|lt|mul|ndtri|ne|neg|pow|real|remainder|round|shift_.*|sinh?|spherical_.*"
    r"|sqrt|sub|tanh?|zeta)$")
NOT_ELEMENTWISE = re.compile(r"(glu|isin|equal|(?!threshold|sigmoid|tanh).*_backward.*|linalg_.*|.*_jvp|quantize.*|dequantize.*|complex|fake_quant.*"
                             r"|view_as_real|view_as_complex|_foreach_.*|_fused_.*|_amp_.*|frexp)$")

# alias -> op: the scalar in place of a tensor, the Python operator, the other spelling. Written out where the argument
# names are equal; checked below.
SCALAR_TWINS = {
    "add.Scalar": "add.Tensor", "sub.Scalar": "sub.Tensor", "mul.Scalar": "mul.Tensor", "div.Scalar": "div.Tensor",
    "div.Scalar_mode": "div.Tensor_mode", "rsub.Scalar": "rsub.Tensor", "remainder.Scalar": "remainder.Tensor",
    "remainder.Scalar_Tensor": "remainder.Tensor", "fmod.Scalar": "fmod.Tensor", "floor_divide.Scalar": "floor_divide",
    "eq.Scalar": "eq.Tensor", "ne.Scalar": "ne.Tensor", "lt.Scalar": "lt.Tensor", "le.Scalar": "le.Tensor",
    "gt.Scalar": "gt.Tensor", "ge.Scalar": "ge.Tensor",
    "bitwise_and.Scalar": "bitwise_and.Tensor", "bitwise_or.Scalar": "bitwise_or.Tensor",
    "bitwise_xor.Scalar": "bitwise_xor.Tensor", "bitwise_and.Scalar_Tensor": "bitwise_and.Tensor",
    "bitwise_or.Scalar_Tensor": "bitwise_or.Tensor", "bitwise_xor.Scalar_Tensor": "bitwise_xor.Tensor",
    "bitwise_left_shift.Tensor_Scalar": "bitwise_left_shift.Tensor",
    "bitwise_left_shift.Scalar_Tensor": "bitwise_left_shift.Tensor",
    "bitwise_right_shift.Tensor_Scalar": "bitwise_right_shift.Tensor",
    "bitwise_right_shift.Scalar_Tensor": "bitwise_right_shift.Tensor",
    "__lshift__.Scalar": "__lshift__.Tensor", "__rshift__.Scalar": "__rshift__.Tensor",
    "where.ScalarOther": "where.self", "where.ScalarSelf": "where.self", "where.Scalar": "where.self",
    "masked_fill.Scalar": "masked_fill.Tensor", "copysign.Scalar": "copysign.Tensor",
    "xlogy.Scalar_Other": "xlogy.Tensor", "xlogy.Scalar_Self": "xlogy.Tensor",
    "special_xlog1py.other_scalar": "special_xlog1py", "special_xlog1py.self_scalar": "special_xlog1py",
    "special_zeta.other_scalar": "special_zeta", "special_zeta.self_scalar": "special_zeta",
    "special_xlogy.other_scalar": "xlogy.Tensor", "special_xlogy.self_scalar": "xlogy.Tensor",
}
SYNONYMS = {
    "__and__.Tensor": "bitwise_and.Tensor", "__or__.Tensor": "bitwise_or.Tensor", "__xor__.Tensor": "bitwise_xor.Tensor",
    "__and__.Scalar": "bitwise_and.Tensor", "__or__.Scalar": "bitwise_or.Tensor", "__xor__.Scalar": "bitwise_xor.Tensor",
    "greater.Tensor": "gt.Tensor", "greater_equal.Tensor": "ge.Tensor", "less.Tensor": "lt.Tensor",
    "less_equal.Tensor": "le.Tensor", "not_equal.Tensor": "ne.Tensor",
    "greater.Scalar": "gt.Tensor", "greater_equal.Scalar": "ge.Tensor", "less.Scalar": "lt.Tensor",
    "less_equal.Scalar": "le.Tensor", "not_equal.Scalar": "ne.Tensor",
    "multiply.Tensor": "mul.Tensor", "multiply.Scalar": "mul.Tensor", "subtract.Tensor": "sub.Tensor",
    "subtract.Scalar": "sub.Tensor", "divide.Tensor": "div.Tensor", "divide.Scalar": "div.Tensor",
    "divide.Tensor_mode": "div.Tensor_mode", "divide.Scalar_mode": "div.Tensor_mode",
    "true_divide.Tensor": "div.Tensor", "true_divide.Scalar": "div.Tensor",
    "negative": "neg", "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh",
    "arctan": "atan", "arctanh": "atanh", "arctan2": "atan2", "fix": "trunc", "clip": "clamp",
    "clip.Tensor": "clamp.Tensor", "max.other": "maximum", "min.other": "minimum", "concat": "cat",
    "concatenate": "cat", "row_stack": "vstack", "moveaxis.int": "movedim.int", "moveaxis.intlist": "movedim.intlist",
    "swapdims": "transpose.int", "_unsafe_view": "view", "linalg_matmul": "matmul", "ger": "outer",
    "special_expit": "sigmoid", "special_expm1": "expm1", "special_exp2": "exp2", "special_log1p": "log1p",
    "special_erf": "erf", "special_erfc": "erfc", "special_erfinv": "erfinv", "special_digamma": "digamma",
    "special_psi": "digamma", "special_gammaln": "lgamma", "special_round": "round.decimals", "special_sinc": "sinc",
    "special_logit": "logit", "special_i0": "i0", "special_xlogy": "xlogy.Tensor", "special_polygamma": "polygamma",
    "special_multigammaln": "mvlgamma", "special_logsumexp": "logsumexp", "special_softmax": "softmax.int",
    "special_log_softmax": "log_softmax.int", "trapz.x": "trapezoid.x", "trapz.dx": "trapezoid.dx",
    "_stack": "stack", "_is_all_true": "all", "_is_any_true": "any", "_logcumsumexp": "logcumsumexp",
    "matrix_power": "linalg_matrix_power", "matrix_exp": "linalg_matrix_exp", "special_gammainc": "igamma", "special_gammaincc": "igammac",
}


def buddy_name(schema):
    return f"{schema.name.replace('::', '.')}.{schema.overload_name or 'default'}"


def overload(schema):
    namespace, name = schema.name.split("::")
    return getattr(getattr(getattr(torch.ops, namespace), name), schema.overload_name or "default")


def is_wanted(schema, text):
    if not schema.name.startswith(tuple(n + "::" for n in NAMESPACES)):
        return False
    try:
        torch._C._dispatch_find_schema_or_throw(schema.name, schema.overload_name)
    except RuntimeError:
        return False  # TorchScript's own
    if FOREIGN.search(text) or schema.name.startswith(("aten::_test_", "aten::_foobar")):
        return False
    return "Tensor" in text or TENSORLESS.match(text)


def kind_of(schema, tags):
    base = schema.name.split("::")[1]
    if base.endswith("_") and not base.endswith("__"):
        base = base[:-1]
    if torch.Tag.nondeterministic_seeded in tags:
        return "RANDOM"
    if NOT_ELEMENTWISE.match(base):
        return "OTHER"
    for kind, pattern in KIND_OF:
        # max of two tensors is maximum, no reduction.
        if pattern.match(base) and not (kind == "REDUCE" and any(a.name == "other" for a in schema.arguments)):
            return kind
    if torch.Tag.pointwise in tags or ELEMENTWISE.match(base) or PRIMS_ELEMENTWISE.match(schema.name):
        return "ELEMENTWISE"
    return "REDUCE" if getattr(torch.Tag, "reduction", None) in tags else "OTHER"


def is_written(argument):
    return argument.alias_info is not None and argument.alias_info.is_write


def is_twin(schema, candidate):
    """Whether `candidate` takes what `schema` takes, less the tensors to write to that go by keyword."""
    given = [a for a in schema.arguments if not (is_written(a) and a.kwarg_only)]
    by_name = {a.name: a for a in candidate.arguments}
    if all(a.name in by_name and str(by_name.pop(a.name).type) == str(a.type) for a in given):
        return all(a.has_default_value() for a in by_name.values())
    # dropout_(self, …) and dropout(input, …): the names differ, the importer goes by position.
    return [str(a.type) for a in given] == [str(a.type) for a in candidate.arguments]


def functional_twins(schemas):
    """op that writes -> op of the same base name that takes the same."""
    by_base = {}
    for schema in schemas.values():
        if not any(is_written(a) for a in schema.arguments):
            by_base.setdefault(schema.name, []).append(schema)
    twins = {}
    for name, schema in schemas.items():
        written = [a for a in schema.arguments if is_written(a)]
        if not written:
            continue
        base = schema.name
        if not any(a.kwarg_only for a in written) and base.endswith("_"):
            base = re.sub(r"::__i(\w+__)$", r"::__\1", base) if base.endswith("__") else base[:-1]
        candidates = by_base.get(base, []) + by_base.get(base + "_functional", [])
        # The fewest further arguments first: add.out is add.Tensor.
        for candidate in sorted(candidates, key=lambda c: len(c.arguments)):
            if is_twin(schema, candidate):
                twins[name] = buddy_name(candidate)
                break
    return twins


def with_default(name):
    return f"aten.{name}" if "." in name else f"aten.{name}.default"


def aliases(schemas):
    table, problems = {}, []
    for alias, name in {**SCALAR_TWINS, **SYNONYMS}.items():
        alias, name = with_default(alias), with_default(name)
        if alias not in schemas or name not in schemas:
            problems.append(f"{alias} or {name} is no op")
            continue
        a, b = ([x.name for x in schemas[n].arguments] for n in (alias, name))
        if a != b:
            problems.append(f"{alias}{a} and {name}{b} differ in their arguments")
        table[alias] = name
    if problems:
        raise SystemExit("\n".join(problems))
    return table


def c_string(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def write(name, what, lines):
    with open(os.path.join(HERE, name), "w") as out:
        out.write("// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n")
        out.write(f"/* {what} Written by generate_schemas.py from PyTorch {torch.__version__.split('+')[0]}. */\n")
        out.write("/* clang-format off */\n")
        out.writelines(line + "\n" for line in lines)
        out.write("/* clang-format on */\n")


def main():
    schemas, texts, kinds = {}, {}, {}
    for schema in torch._C._jit_get_all_schemas():
        # In a program a group of ranks is always its name; in memory it may be an object.
        text = str(schema).replace("Any group_name", "str group_name")
        if not is_wanted(schema, text):
            continue
        name = buddy_name(schema)
        schemas[name], texts[name] = schema, text
        kinds[name] = kind_of(schema, overload(schema).tags)
    twins, other_names = functional_twins(schemas), aliases(schemas)
    for alias, name in other_names.items():
        kinds[alias] = kinds[name]
    for text in HIGHER_ORDER:
        name = "higher_order." + text[len("higher_order::"):text.index("(")] + ".default"
        texts[name], kinds[name] = text, "CONTROL"
    # An alias is no definition: the opset looks it up before.
    rows = [f"{{{c_string(n)}, {c_string(texts[n])}, BUDDY_KIND_{kinds[n]}}},"
            for n in sorted(texts, key=lambda n: n.encode())]
    write("aten_schemas.inc", "Op definitions, sorted by name: buddy_schema_row.", rows)
    pairs = lambda table: [f"{{{c_string(a)}, {c_string(b)}}}," for a, b in sorted(table.items(), key=lambda p: p[0].encode())]
    write("aten_aliases.inc", "Alias, and the op that it stands for.", pairs(other_names))
    write("aten_functional.inc", "Op that writes, and the op that gives the same value; sorted.", pairs(twins))
    return schemas, texts, kinds, twins


if __name__ == "__main__":
    main()
