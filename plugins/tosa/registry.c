// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/registry.c: lowerings to TOSA 1.0, the Tensor Operator Set Architecture. Rows take
 * what TOSA expresses exactly and decline the rest with the reason: symbolic shapes, empty tensors,
 * ranks above 6, f64, unsigned integers. What it expresses less exactly (division), or in more ops
 * than others, is asked last: so a program becomes TOSA alone where the order has nothing else. */
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
  ROW(name_ ".default", "self", dtypes, ts_match, ts_emit_unary, .user = (op))
#define BINARY(name_, dtypes, op) \
  ROW(name_, "self, other", dtypes, ts_match, ts_emit_binary, .user = (op))
/* What others do better, or faster: for orders without them. */
#define LAST_OF(name_, args_, from, to, match_, ...) \
  {.name = "aten." name_,                            \
   .args = args_,                                    \
   .in_dtypes = (from),                              \
   .out_dtypes = (to),                               \
   .flags = BUDDY_ROW_STATIC | BUDDY_ROW_LAST,       \
   .match = match_,                                  \
   .emit = __VA_ARGS__}
#define LAST(name_, args_, dtypes, match_, ...) \
  LAST_OF(name_, args_, dtypes, dtypes, match_, __VA_ARGS__)
#define SCAN(name_, op)                                                                    \
  LAST_OF(name_ ".default", "self, dim, dtype", MOVED, F32 | INTS, ts_match, ts_emit_scan, \
          .user = (op))
#define EXTREME(name_, which)                                                             \
  LAST_OF(name_, "self, dim, keepdim", F32 | INTS, F32 | INTS, ts_match, ts_emit_extreme, \
          .user = (which))
#define COMPARE(name_, function, op) \
  {.name = "aten." name_ ".Tensor",  \
   .args = "self, other",            \
   .in_dtypes = FLOATS | INTS,       \
   .out_dtypes = BUDDY_BOOLS,        \
   .flags = BUDDY_ROW_STATIC,        \
   .match = ts_match,                \
   .emit = (function),               \
   .user = (op)}
#define TEST(name_, function)        \
  {.name = "aten." name_ ".default", \
   .args = "self",                   \
   .in_dtypes = FLOATS,              \
   .out_dtypes = BUDDY_BOOLS,        \
   .flags = BUDDY_ROW_STATIC,        \
   .match = ts_match,                \
   .emit = (function)}
#define VIEW(name_, args_) ROW(name_, args_, MOVED, ts_match, ts_emit_reshape)
#define REDUCE(name_, args_, dtypes, op) \
  ROW(name_, args_, dtypes, ts_match, ts_emit_reduce, .user = (op))
#define TO_NEAREST(name_, args_, row) \
  LAST(name_, args_, MOVED, ts_match, ts_emit_nearest, .user = &(row))
#define NEAREST(n, scales)                                                                     \
  TO_NEAREST("upsample_nearest" #n "d.default", "self, output_size, " scales, ts_nearest_##n), \
      TO_NEAREST("upsample_nearest" #n "d.vec", "input, output_size, scale_factors",           \
                 ts_nearest_list_##n),                                                         \
      TO_NEAREST("_upsample_nearest_exact" #n "d.default", "self, output_size, " scales,       \
                 ts_exact_##n),                                                                \
      TO_NEAREST("_upsample_nearest_exact" #n "d.vec", "input, output_size, scale_factors",    \
                 ts_exact_list_##n)
#define PAD(name_, kind) \
  LAST(name_ ".default", "self, padding", MOVED, ts_match, ts_emit_pad_with_own, .user = (kind))
#define CONV "input, weight, bias, stride, padding, dilation, "
#define CONVOLUTION(name_) \
  ROW(name_, CONV "groups", F32, ts_match_convolution, ts_emit_convolution, .user = &ts_conv_plain)
#define WINDOW "kernel_size, stride, padding"
#define POOL(name_, args_, row) \
  LAST(name_, args_, F32, ts_match_any_pool, ts_emit_any_pool, .user = &(row))
#define NUMBER(n) .user = (const void *)(uintptr_t)(n)
#define OPTIONS "dtype, layout, device, pin_memory"

/* of integers, and of truth values */
static const char *const bitwise_and[] = {"tosa.bitwise_and", "tosa.logical_and"},
                         *const bitwise_or[] = {"tosa.bitwise_or", "tosa.logical_or"},
                         *const bitwise_xor[] = {"tosa.bitwise_xor", "tosa.logical_xor"},
                         *const bitwise_not[] = {"tosa.bitwise_not", "tosa.logical_not"};

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
    ROW("bitwise_not.default", "self", BUDDY_SIGNED | BUDDY_BOOLS, ts_match, ts_emit_bitwise,
        .user = bitwise_not),
    UNARY("logical_not", BUDDY_BOOLS, "tosa.logical_not"),
    ROW("sign.default", "self", F32 | INTS, ts_match, ts_emit_sign),
    TEST("isnan", ts_emit_isnan),
    TEST("isinf", ts_emit_isinf),
    ROW("neg.default", "self", F32, ts_match, ts_emit_negate, .benefit = 1),
    LAST("neg.default", "self", INTS, ts_match, ts_emit_int_negate),
    ROW("add.Tensor", "self, other, alpha", FLOATS | INTS, ts_match, ts_emit_add,
        .user = "tosa.add"),
    ROW("sub.Tensor", "self, other, alpha", FLOATS | INTS, ts_match, ts_emit_add,
        .user = "tosa.sub"),
    ROW("mul.Tensor", "self, other", FLOATS | INTS, ts_match, ts_emit_mul, .benefit = 1),
    ROW("div.Tensor", "self, other", F32, ts_match_div, ts_emit_div, .benefit = 1),
    BINARY("maximum.default", F32 | INTS, "tosa.maximum"),
    BINARY("minimum.default", F32 | INTS, "tosa.minimum"),
    ROW("clamp.Tensor", "self, min, max", F32 | INTS, ts_match, ts_emit_clamp_tensors),
    ROW("clamp_min.Tensor", "self, min", F32 | INTS, ts_match, ts_emit_clamp_tensors, NUMBER(1)),
    ROW("clamp_max.Tensor", "self, max", F32 | INTS, ts_match, ts_emit_clamp_tensors, NUMBER(2)),
    ROW("bitwise_and.Tensor", "self, other", BUDDY_SIGNED | BUDDY_BOOLS, ts_match, ts_emit_bitwise,
        .user = bitwise_and),
    ROW("bitwise_or.Tensor", "self, other", BUDDY_SIGNED | BUDDY_BOOLS, ts_match, ts_emit_bitwise,
        .user = bitwise_or),
    ROW("bitwise_xor.Tensor", "self, other", BUDDY_SIGNED | BUDDY_BOOLS, ts_match, ts_emit_bitwise,
        .user = bitwise_xor),
    BINARY("mul.Tensor", BUDDY_BOOLS, "tosa.logical_and"),
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
        ts_emit_convert, .benefit = 1),
    ROW("relu.default", "self", F32, ts_match, ts_emit_relu),
    ROW("clamp.default", "self, min, max", F32 | BUDDY_DTYPE_BIT(BUDDY_I32), ts_match_clamp,
        ts_emit_clamp, .benefit = 1),
    ROW("clamp_min.default", "self, min", F32 | BUDDY_DTYPE_BIT(BUDDY_I32), ts_match_clamp,
        ts_emit_clamp, NUMBER(1), .benefit = 1),
    ROW("clamp_max.default", "self, max", F32 | BUDDY_DTYPE_BIT(BUDDY_I32), ts_match_clamp,
        ts_emit_clamp, NUMBER(2), .benefit = 1),
    LAST("clamp.default", "self, min, max", INTS, ts_match, ts_emit_clamp_tensors),
    LAST("clamp_min.default", "self, min", INTS, ts_match, ts_emit_clamp_tensors, NUMBER(1)),
    LAST("clamp_max.default", "self, max", INTS, ts_match, ts_emit_clamp_tensors, NUMBER(2)),
    ROW("hardtanh.default", "self, min_val, max_val", F32, ts_match_clamp, ts_emit_clamp),
    ROW("pow.Tensor_Scalar", "self, exponent", F32, ts_match_pow, ts_emit_pow, .benefit = 1),
    LAST("pow.Tensor_Scalar", "self, exponent", F32, ts_match, ts_emit_power),
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
    ROW("repeat.default", "self, repeats", MOVED, ts_match, ts_emit_tile),
    ROW("tile.default", "self, dims", MOVED, ts_match, ts_emit_tile),
    ROW("select.int", "self, dim, index", MOVED, ts_match, ts_emit_select_int),
    ROW("cat.default", "tensors, dim", MOVED, ts_match_cat, ts_emit_cat),
    ROW("slice.Tensor", "self, dim, start, end, step", MOVED, ts_match_slice, ts_emit_slice,
        .benefit = 1),
    ROW("constant_pad_nd.default", "self, pad, value", F32 | INTS, ts_match_pad, ts_emit_pad),
    LAST("flip.default", "self, dims", MOVED, ts_match, ts_emit_flip),
    ROW("full.default", "size, fill_value, " OPTIONS,
        FLOATS | BUDDY_DTYPE_BIT(BUDDY_I32) | BUDDY_BOOLS, ts_match, ts_emit_full, NUMBER(1),
        .benefit = 1),
    LAST("full.default", "size, fill_value, " OPTIONS, BUDDY_SIGNED, ts_match, ts_emit_full,
         NUMBER(1)),
    ROW("scalar_tensor.default", "s, " OPTIONS, FLOATS | BUDDY_DTYPE_BIT(BUDDY_I32) | BUDDY_BOOLS,
        ts_match, ts_emit_full, NUMBER(0), .benefit = 1),
    LAST("scalar_tensor.default", "s, " OPTIONS, BUDDY_SIGNED, ts_match, ts_emit_full, NUMBER(0)),
    PAD("reflection_pad1d", "reflect"),
    PAD("reflection_pad2d", "reflect"),
    PAD("reflection_pad3d", "reflect"),
    PAD("replication_pad1d", "replicate"),
    PAD("replication_pad2d", "replicate"),
    PAD("replication_pad3d", "replicate"),
    LAST("_pad_circular.default", "self, pad", MOVED, ts_match, ts_emit_pad_with_own,
         .user = "circular"),
    LAST("roll.default", "self, shifts, dims", MOVED, ts_match, ts_emit_roll),
    LAST("slice.Tensor", "self, dim, start, end, step", MOVED, ts_match, ts_emit_slice_with_gaps),
    NEAREST(1, "scales"),
    NEAREST(2, "scales_h, scales_w"),
    NEAREST(3, "scales_d, scales_h, scales_w"),
    LAST("arange.start_step", "start, end, step, " OPTIONS, F32 | INTS, ts_match_arange,
         ts_emit_arange),
    LAST("tril.default", "self, diagonal", MOVED, ts_match, ts_emit_triangle, .user = "lower"),
    LAST("triu.default", "self, diagonal", MOVED, ts_match, ts_emit_triangle, .user = "upper"),
    SCAN("cumsum", "tosa.add"),
    SCAN("cumprod", "tosa.mul"),
    LAST("index.Tensor", "self, indices", MOVED, ts_match_index, ts_emit_index),
    LAST("_unsafe_index.Tensor", "self, indices", MOVED, ts_match_index, ts_emit_index),
    LAST("index_select.default", "self, dim, index", MOVED, ts_match, ts_emit_index_select),
    LAST("gather.default", "self, dim, index, sparse_grad", MOVED, ts_match, ts_emit_gather),
    {.name = "aten.embedding.default",
     .args = "weight, indices, padding_idx, scale_grad_by_freq, sparse",
     .in_dtypes = FLOATS | INTS,
     .out_dtypes = FLOATS,
     .flags = BUDDY_ROW_STATIC,
     .match = ts_match,
     .emit = ts_emit_embedding},
    /* quotients, and what else rounds or is cut */
    LAST_OF("div.Tensor", "self, other", F32 | INTS, F32, ts_match, ts_emit_quotient),
    LAST("div.Tensor_mode", "self, other, rounding_mode", INTS, ts_match_int_quotient,
         ts_emit_int_quotient),
    LAST("floor_divide.default", "self, other", INTS, ts_match, ts_emit_int_quotient,
         .user = "floor"),
    LAST("remainder.Tensor", "self, other", INTS, ts_match, ts_emit_int_rest, .user = "floor"),
    LAST("fmod.Tensor", "self, other", INTS, ts_match, ts_emit_int_rest, .user = "trunc"),
    LAST("trunc.default", "self", F32, ts_match, ts_emit_truncate),
    LAST("round.default", "self", F32, ts_match, ts_emit_round),
    LAST("sqrt.default", "self", F32, ts_match, ts_emit_sqrt),
    LAST("log1p.default", "self", F32, ts_match, ts_emit_log1p),
    LAST("expm1.default", "self", F32, ts_match, ts_emit_expm1),
    LAST("pow.Tensor_Tensor", "self, exponent", F32, ts_match, ts_emit_power),
    LAST("pow.Scalar", "self, exponent", F32, ts_match, ts_emit_power),
    LAST("_to_copy.default", "self, " OPTIONS ", non_blocking, memory_format", MOVED, ts_match,
         ts_emit_convert),
    /* reductions */
    ROW("sum.dim_IntList", "self, dim, keepdim", F32, ts_match, ts_emit_reduce,
        .user = "tosa.reduce_sum", .benefit = 1),
    ROW("sum.default", "self", F32, ts_match, ts_emit_reduce, .user = "tosa.reduce_sum",
        .benefit = 1),
    LAST_OF("sum.dim_IntList", "self, dim, keepdim, dtype", MOVED, F32 | INTS, ts_match,
            ts_emit_reduce, .user = "tosa.reduce_sum"),
    LAST_OF("sum.default", "self", MOVED, F32 | INTS, ts_match, ts_emit_reduce,
            .user = "tosa.reduce_sum"),
    ROW("mean.dim", "self, dim, keepdim, dtype", F32, ts_match_mean, ts_emit_mean, NUMBER(1)),
    ROW("mean.default", "self, dtype", F32, ts_match_mean, ts_emit_mean, NUMBER(0)),
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
    EXTREME("max.dim", "max"),
    EXTREME("min.dim", "min"),
    EXTREME("argmax.default", "max"),
    EXTREME("argmin.default", "min"),
    /* products and windows */
    ROW("mm.default", "self, mat2", FLOATS, ts_match, ts_emit_matmul),
    ROW("bmm.default", "self, mat2", FLOATS, ts_match, ts_emit_matmul),
    ROW("addmm.default", "self, mat1, mat2, beta, alpha", F32, ts_match_addmm, ts_emit_addmm),
    ROW("baddbmm.default", "self, batch1, batch2, beta, alpha", F32, ts_match_addmm, ts_emit_addmm),
    ROW("linear.default", "input, weight, bias", F32, ts_match_linear, ts_emit_linear),
    ROW("convolution.default", CONV "transposed, output_padding, groups", F32, ts_match_convolution,
        ts_emit_convolution, .user = &ts_conv, .benefit = 1),
    LAST("convolution.default", CONV "transposed, output_padding, groups", F32,
         ts_match_any_convolution, ts_emit_convolution, .user = &ts_conv),
    CONVOLUTION("conv1d.default"),
    CONVOLUTION("conv1d.padding"),
    CONVOLUTION("conv2d.default"),
    CONVOLUTION("conv2d.padding"),
    ROW("max_pool1d.default", "self, kernel_size, stride, padding, dilation, ceil_mode", F32,
        ts_match_max_pool, ts_emit_max_pool, NUMBER(1), .benefit = 1),
    ROW("max_pool2d.default", "self, kernel_size, stride, padding, dilation, ceil_mode", F32,
        ts_match_max_pool, ts_emit_max_pool, NUMBER(2), .benefit = 1),
    ROW("avg_pool1d.default", "self, kernel_size, stride, padding, ceil_mode, count_include_pad",
        F32, ts_match_avg_pool, ts_emit_avg_pool, NUMBER(1), .benefit = 1),
    ROW("avg_pool2d.default",
        "self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override", F32,
        ts_match_avg_pool, ts_emit_avg_pool, NUMBER(2), .benefit = 1),
    POOL("max_pool1d.default", "self, " WINDOW ", dilation, ceil_mode", ts_largest_1),
    POOL("max_pool2d.default", "self, " WINDOW ", dilation, ceil_mode", ts_largest_2),
    POOL("max_pool3d.default", "self, " WINDOW ", dilation, ceil_mode", ts_largest_3),
    POOL("avg_pool1d.default", "self, " WINDOW ", ceil_mode, count_include_pad", ts_average_1),
    POOL("avg_pool2d.default", "self, " WINDOW ", ceil_mode, count_include_pad, divisor_override",
         ts_average_2),
    POOL("avg_pool3d.default", "self, " WINDOW ", ceil_mode, count_include_pad, divisor_override",
         ts_average_3),
    POOL("adaptive_avg_pool1d.default", "self, output_size", ts_adaptive_1),
    POOL("adaptive_avg_pool2d.default", "self, output_size", ts_adaptive_2),
    POOL("_adaptive_avg_pool2d.default", "self, output_size", ts_adaptive_2),
    POOL("adaptive_avg_pool3d.default", "self, output_size", ts_adaptive_3),
    POOL("_adaptive_avg_pool3d.default", "self, output_size", ts_adaptive_3),
};

static const char *const dialects[] = {"tosa", "arith", "tensor", NULL};

BUDDY_REGISTRY(tosa, "0.1.0", "buddy", "Apache-2.0", BUDDY_LLVM, ops, .dialects = dialects,
               .open = be_open);
