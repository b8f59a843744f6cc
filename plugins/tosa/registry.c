/* plugins/tosa/registry.c: lowerings to TOSA 1.0, the Tensor Operator Set Architecture. Rows take
 * what TOSA expresses exactly and decline the rest with the reason: symbolic shapes, empty tensors,
 * ranks above 6, f64, unsigned integers, division. */
#include "plugins/tosa/rows.h"

#define F32 BUDDY_DTYPE_BIT(BUDDY_F32)
#define FLOATS (F32 | BUDDY_DTYPE_BIT(BUDDY_F16) | BUDDY_DTYPE_BIT(BUDDY_BF16))
#define INTS (BUDDY_DTYPE_BIT(BUDDY_I32) | BUDDY_DTYPE_BIT(BUDDY_I64))
#define MOVED (FLOATS | BUDDY_SIGNED | BUDDY_BOOLS) /* what ops that only move elements take */

#define ROW(name_, args_, dtypes, match_, ...) \
  {.name = "aten." name_,                      \
   .args = args_,                              \
   .in_dtypes = (dtypes),                      \
   .out_dtypes = (dtypes),                     \
   .flags = BUDDY_ROW_STATIC,                  \
   .match = match_,                            \
   .emit = __VA_ARGS__}
#define UNARY(name_, dtypes, op) \
  ROW(name_ ".default", "self", dtypes, ts_match, ts_emit_unary, .user = op)
#define BINARY(name_, dtypes, op) \
  ROW(name_, "self, other", dtypes, ts_match, ts_emit_binary, .user = op)
#define COMPARE(name_, function, op) \
  {.name = "aten." name_ ".Tensor",  \
   .args = "self, other",            \
   .in_dtypes = FLOATS | INTS,       \
   .out_dtypes = BUDDY_BOOLS,        \
   .flags = BUDDY_ROW_STATIC,        \
   .match = ts_match,                \
   .emit = function,                 \
   .user = op}
#define VIEW(name_, args_) ROW(name_, args_, MOVED, ts_match, ts_emit_reshape)
#define REDUCE(name_, args_, dtypes, op) \
  ROW(name_, args_, dtypes, ts_match, ts_emit_reduce, .user = op)
#define NUMBER(n) .user = (const void *)(uintptr_t)(n)
#define OPTIONS "dtype, layout, device, pin_memory"

static const buddy_op ops[] = {
    /* elementwise */
    UNARY("abs", F32 | INTS, "tosa.abs"),
    UNARY("ceil", F32, "tosa.ceil"),
    UNARY("floor", F32, "tosa.floor"),
    ROW("exp.default", "self", F32, ts_match, ts_emit_exp, .user = "tosa.exp"),
    ROW("log.default", "self", F32, ts_match, ts_emit_exp, .user = "tosa.log"),
    UNARY("rsqrt", F32, "tosa.rsqrt"),
    UNARY("reciprocal", F32, "tosa.reciprocal"),
    UNARY("tanh", F32, "tosa.tanh"),
    UNARY("sigmoid", F32, "tosa.sigmoid"),
    UNARY("erf", F32, "tosa.erf"),
    UNARY("sin", F32, "tosa.sin"),
    UNARY("cos", F32, "tosa.cos"),
    UNARY("bitwise_not", BUDDY_SIGNED, "tosa.bitwise_not"),
    UNARY("logical_not", BUDDY_BOOLS, "tosa.logical_not"),
    ROW("neg.default", "self", F32, ts_match, ts_emit_negate),
    ROW("add.Tensor", "self, other, alpha", FLOATS | INTS, ts_match, ts_emit_add,
        .user = "tosa.add"),
    ROW("sub.Tensor", "self, other, alpha", FLOATS | INTS, ts_match, ts_emit_add,
        .user = "tosa.sub"),
    ROW("mul.Tensor", "self, other", FLOATS | INTS, ts_match, ts_emit_mul),
    ROW("div.Tensor", "self, other", F32, ts_match_div, ts_emit_div),
    BINARY("maximum.default", F32 | INTS, "tosa.maximum"),
    BINARY("minimum.default", F32 | INTS, "tosa.minimum"),
    BINARY("bitwise_and.Tensor", BUDDY_SIGNED, "tosa.bitwise_and"),
    BINARY("bitwise_or.Tensor", BUDDY_SIGNED, "tosa.bitwise_or"),
    BINARY("bitwise_xor.Tensor", BUDDY_SIGNED, "tosa.bitwise_xor"),
    BINARY("logical_and.default", BUDDY_BOOLS, "tosa.logical_and"),
    BINARY("logical_or.default", BUDDY_BOOLS, "tosa.logical_or"),
    BINARY("logical_xor.default", BUDDY_BOOLS, "tosa.logical_xor"),
    COMPARE("eq", ts_emit_compare, "tosa.equal"),
    COMPARE("ne", ts_emit_not_equal, NULL),
    COMPARE("gt", ts_emit_compare, "tosa.greater"),
    COMPARE("ge", ts_emit_compare, "tosa.greater_equal"),
    COMPARE("lt", ts_emit_compare, "<tosa.greater"),
    COMPARE("le", ts_emit_compare, "<tosa.greater_equal"),
    ROW("where.self", "condition, self, other", MOVED, ts_match, ts_emit_select),
    ROW("_to_copy.default", "self, " OPTIONS ", non_blocking, memory_format", MOVED, ts_match_cast,
        ts_emit_cast),
    ROW("relu.default", "self", F32, ts_match, ts_emit_relu),
    ROW("clamp.default", "self, min, max", F32 | BUDDY_DTYPE_BIT(BUDDY_I32), ts_match_clamp,
        ts_emit_clamp),
    ROW("hardtanh.default", "self, min_val, max_val", F32, ts_match_clamp, ts_emit_clamp),
    ROW("pow.Tensor_Scalar", "self, exponent", F32, ts_match_pow, ts_emit_pow),
    /* shapes */
    VIEW("view.default", "self, size"),
    VIEW("reshape.default", "self, shape"),
    VIEW("unsqueeze.default", "self, dim"),
    VIEW("squeeze.default", "self"),
    VIEW("squeeze.dim", "self, dim"),
    VIEW("squeeze.dims", "self, dim"),
    VIEW("flatten.using_ints", "self, start_dim, end_dim"),
    ROW("permute.default", "self, dims", MOVED, ts_match, ts_emit_permute),
    ROW("expand.default", "self, size", MOVED, ts_match, ts_emit_expand),
    ROW("cat.default", "tensors, dim", MOVED, ts_match_cat, ts_emit_cat),
    ROW("slice.Tensor", "self, dim, start, end, step", MOVED, ts_match_slice, ts_emit_slice),
    ROW("constant_pad_nd.default", "self, pad, value", F32 | INTS, ts_match_pad, ts_emit_pad),
    ROW("flip.default", "self, dims", MOVED, ts_match, ts_emit_flip),
    ROW("full.default", "size, fill_value, " OPTIONS,
        FLOATS | BUDDY_DTYPE_BIT(BUDDY_I32) | BUDDY_BOOLS, ts_match, ts_emit_full, NUMBER(1)),
    ROW("scalar_tensor.default", "s, " OPTIONS, FLOATS | BUDDY_DTYPE_BIT(BUDDY_I32) | BUDDY_BOOLS,
        ts_match, ts_emit_full, NUMBER(0)),
    {.name = "aten.embedding.default",
     .args = "weight, indices, padding_idx, scale_grad_by_freq, sparse",
     .in_dtypes = FLOATS | INTS,
     .out_dtypes = FLOATS,
     .flags = BUDDY_ROW_STATIC,
     .match = ts_match,
     .emit = ts_emit_embedding},
    /* reductions */
    REDUCE("sum.dim_IntList", "self, dim, keepdim", F32, "tosa.reduce_sum"),
    REDUCE("sum.default", "self", F32, "tosa.reduce_sum"),
    REDUCE("prod.dim_int", "self, dim, keepdim", F32, "tosa.reduce_product"),
    REDUCE("amax.default", "self, dim, keepdim", F32 | INTS, "tosa.reduce_max"),
    REDUCE("amin.default", "self, dim, keepdim", F32 | INTS, "tosa.reduce_min"),
    REDUCE("max.default", "self", F32 | INTS, "tosa.reduce_max"),
    REDUCE("min.default", "self", F32 | INTS, "tosa.reduce_min"),
    REDUCE("any.dim", "self, dim, keepdim", BUDDY_BOOLS, "tosa.reduce_any"),
    REDUCE("any.dims", "self, dim, keepdim", BUDDY_BOOLS, "tosa.reduce_any"),
    REDUCE("any.default", "self", BUDDY_BOOLS, "tosa.reduce_any"),
    REDUCE("all.dim", "self, dim, keepdim", BUDDY_BOOLS, "tosa.reduce_all"),
    REDUCE("all.default", "self", BUDDY_BOOLS, "tosa.reduce_all"),
    /* products and windows */
    ROW("mm.default", "self, mat2", FLOATS, ts_match, ts_emit_matmul),
    ROW("bmm.default", "self, mat2", FLOATS, ts_match, ts_emit_matmul),
    ROW("convolution.default",
        "input, weight, bias, stride, padding, dilation, transposed, output_padding, groups", F32,
        ts_match_convolution, ts_emit_convolution),
    ROW("max_pool1d.default", "self, kernel_size, stride, padding, dilation, ceil_mode", F32,
        ts_match_max_pool, ts_emit_max_pool, NUMBER(1)),
    ROW("max_pool2d.default", "self, kernel_size, stride, padding, dilation, ceil_mode", F32,
        ts_match_max_pool, ts_emit_max_pool, NUMBER(2)),
    ROW("avg_pool1d.default", "self, kernel_size, stride, padding, ceil_mode, count_include_pad",
        F32, ts_match_avg_pool, ts_emit_avg_pool, NUMBER(1)),
    ROW("avg_pool2d.default",
        "self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override", F32,
        ts_match_avg_pool, ts_emit_avg_pool, NUMBER(2)),
};

static const char *const dialects[] = {"tosa", "arith", "tensor", NULL};

BUDDY_REGISTRY(tosa, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open);
