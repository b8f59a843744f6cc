// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/rows.h: the emitters of the tosa registry, by file, and the words they share. */
#ifndef BUDDY_PLUGINS_TOSA_ROWS_H
#define BUDDY_PLUGINS_TOSA_ROWS_H

#include <stdbool.h>

#include "buddy/emit.h"

enum { TS_MAX_RANK = 6 }; /* TOSA 1.0: MAX_RANK of every level */

typedef buddy_code ts_callback(void *state, const buddy_op *self, buddy_call *call);

/* ---- words.c --------------------------------------------------------------------------------- */
/* What no row of TOSA takes: ranks above 6, empty tensors, symbolic numbers. Every row's match
 * starts with it. */
ts_callback ts_match;
/* A constant of one number, of any rank: dims of 1 unless a type is given. */
MlirValue ts_number(buddy_call *call, buddy_dtype dtype, uint32_t rank, double number);
/* The number that argument i is: exact for integers of 64 bits. */
MlirValue ts_number_arg(buddy_call *call, size_t i, buddy_dtype dtype, uint32_t rank);
MlirValue ts_constant(buddy_call *call, const buddy_tensor_type *type, MlirAttribute values);
/* !tosa.shape<n> constant. */
MlirValue ts_shape(buddy_call *call, const int64_t *numbers, size_t n);
MlirValue ts_reshape(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                     const buddy_tensor_type *to);
MlirValue ts_transpose(buddy_call *call, MlirValue value, const buddy_tensor_type *from,
                       const int32_t *perm, const buddy_tensor_type **out_type);
MlirValue ts_cast(buddy_call *call, MlirValue value, const buddy_tensor_type *from, buddy_dtype to);
/* a * b, broadcast. */
MlirValue ts_multiply(buddy_call *call, const buddy_tensor_type *to, MlirValue a, MlirValue b);
/* Towards zero: f32. */
MlirValue ts_truncate(buddy_call *call, const buddy_tensor_type *type, MlirValue x);
/* PyTorch's conversion, by way of what TOSA 1.0 converts. */
MlirValue ts_convert(buddy_call *call, MlirValue x, const buddy_tensor_type *type, buddy_dtype to);
/* start, start + step, … in the order of elements: a constant of i32, i64 or f32. */
MlirValue ts_count(buddy_call *call, const buddy_tensor_type *type, int64_t start, int64_t step);
/* One element, whose dims are 1s, in every place. */
MlirValue ts_filled(buddy_call *call, const buddy_tensor_type *type, MlirValue one);
/* The first `sizes` of every dim. */
MlirValue ts_slice(buddy_call *call, MlirValue value, const int64_t *start,
                   const buddy_tensor_type *to);
/* Tensor or number argument i, with 1s in front up to `rank`: TOSA broadcasts between equal ranks
 * only. */
MlirValue ts_operand(buddy_call *call, size_t i, uint32_t rank, buddy_dtype dtype);
/* Whether a value is the floats' 0 in every element, or the result of that op. */
int ts_is_zero(MlirValue value);
int ts_is_made_by(MlirValue value, const char *name);
/* The dtype of the first tensor among the arguments. */
buddy_dtype ts_operand_dtype(buddy_call *call);

/* ---- the families ---------------------------------------------------------------------------- */
/* elementwise.c */
ts_callback ts_emit_unary, ts_emit_exp, ts_emit_negate, ts_emit_binary, ts_emit_add, ts_emit_mul,
    ts_emit_compare, ts_emit_not_equal, ts_emit_select, ts_emit_relu, ts_emit_clamp, ts_emit_pow,
    ts_emit_div, ts_emit_truncate, ts_emit_round, ts_emit_sign, ts_emit_int_negate, ts_emit_sqrt,
    ts_emit_clamp_tensors, ts_emit_power, ts_emit_bitwise, ts_emit_isnan, ts_emit_isinf,
    ts_emit_log1p, ts_emit_expm1;
ts_callback ts_match_cast, ts_match_clamp, ts_match_pow, ts_match_div;
/* shape.c */
ts_callback ts_emit_reshape, ts_emit_permute, ts_emit_expand, ts_emit_tile, ts_emit_cat,
    ts_emit_slice, ts_emit_select_int, ts_emit_pad, ts_emit_flip, ts_emit_full, ts_emit_embedding;
ts_callback ts_match_slice, ts_match_pad, ts_match_cat;
/* reduce.c */
ts_callback ts_emit_reduce, ts_emit_mean;
ts_callback ts_match_mean;
/* window.c */
ts_callback ts_emit_max_pool, ts_emit_avg_pool;
ts_callback ts_match_max_pool, ts_match_avg_pool;
/* pooling.c */
ts_callback ts_emit_any_pool, ts_match_any_pool;
typedef struct ts_pool {
  uint32_t n; /* dims that are pooled */
  bool is_max, is_adaptive;
} ts_pool;
extern const ts_pool ts_largest_1, ts_largest_2, ts_largest_3, ts_average_1, ts_average_2,
    ts_average_3, ts_adaptive_1, ts_adaptive_2, ts_adaptive_3;
/* convolution.c */
ts_callback ts_emit_convolution;
ts_callback ts_match_convolution, ts_match_any_convolution;
typedef struct ts_convolution {
  size_t groups, transposed, output_padding; /* the arguments' numbers; 0: the op has none */
} ts_convolution;
extern const ts_convolution ts_conv, ts_conv_plain;
/* product.c */
ts_callback ts_emit_matmul, ts_emit_addmm, ts_emit_linear;
ts_callback ts_match_addmm, ts_match_linear;
/* casts.c */
ts_callback ts_emit_convert;
/* division.c */
ts_callback ts_emit_quotient, ts_emit_int_quotient, ts_emit_int_rest;
ts_callback ts_match_int_quotient;
/* gather.c */
ts_callback ts_emit_index_select, ts_emit_gather, ts_emit_index;
ts_callback ts_match_index;
/* The source's places along a dim, which are all there; *type becomes that of the result. */
MlirValue ts_take(buddy_call *call, MlirValue value, const buddy_tensor_type **type, uint32_t dim,
                  const int64_t *places, int64_t n);
/* take.c */
ts_callback ts_emit_pad_with_own, ts_emit_roll, ts_emit_slice_with_gaps, ts_emit_nearest;
typedef struct ts_nearest {
  uint32_t n; /* dims that are resampled */
  bool has_list, is_exact;
} ts_nearest;
extern const ts_nearest ts_nearest_1, ts_nearest_2, ts_nearest_3, ts_nearest_list_1,
    ts_nearest_list_2, ts_nearest_list_3, ts_exact_1, ts_exact_2, ts_exact_3, ts_exact_list_1,
    ts_exact_list_2, ts_exact_list_3;
/* counting.c */
ts_callback ts_emit_arange, ts_emit_triangle;
ts_callback ts_match_arange;
/* scan.c */
ts_callback ts_emit_scan, ts_emit_extreme;

#endif
