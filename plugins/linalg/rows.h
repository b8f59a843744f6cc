// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/rows.h: what registry.c puts into the table, by family: functions that emit, and
 * their data. */
#ifndef BUDDY_PLUGINS_LINALG_ROWS_H
#define BUDDY_PLUGINS_LINALG_ROWS_H

#include <stdbool.h>

#include "plugins/linalg/pointwise.h"
#include "plugins/linalg/reduce.h"
#include "plugins/linalg/slices.h"

typedef buddy_code la_emission(void *state, const buddy_op *self, buddy_call *call);

/* elementwise.c */
extern const la_pointwise la_op_add, la_op_sub, la_op_rsub, la_op_mul, la_op_div, la_op_div_mode,
    la_op_floor_divide, la_op_remainder, la_op_fmod, la_op_neg, la_op_reciprocal, la_op_square,
    la_op_sign, la_op_addcmul, la_op_addcdiv, la_op_lerp, la_op_maximum, la_op_minimum, la_op_fmax,
    la_op_fmin, la_op_clamp, la_op_clamp_min, la_op_clamp_max, la_op_relu, la_op_relu6,
    la_op_leaky_relu, la_op_threshold, la_op_eq, la_op_ne, la_op_lt, la_op_le, la_op_gt, la_op_ge,
    la_op_logical_and, la_op_logical_or, la_op_logical_xor, la_op_logical_not, la_op_bitwise_and,
    la_op_bitwise_or, la_op_bitwise_xor, la_op_bitwise_not, la_op_shift_left, la_op_shift_right,
    la_op_where, la_op_masked_fill, la_op_copy, la_op_fill, la_op_as_is, la_op_heaviside;
la_emission la_emit_cast, la_emit_clamp_tensor;

/* power.c */
extern const la_pointwise la_op_pow;

/* reductions.c */
typedef struct la_variance {
  uint8_t axes_arg, unbiased_arg, correction_arg; /* of the row; 0: it has none */
  uint8_t root, mean; /* the standard deviation; the mean as a second result */
} la_variance;
typedef struct la_extreme {
  uint8_t is_min, has_value;
} la_extreme;
extern const la_reduce_row la_nansum_dim, la_nansum_all, la_sum_all, la_sum_dim, la_prod_all,
    la_prod_dim, la_mean_all, la_mean_dim, la_amax_all, la_amax_dim, la_amin_all, la_amin_dim,
    la_any_all, la_any_dim, la_every_all, la_every_dim;
extern const la_variance la_var_all, la_var_dim, la_var_correction, la_std_all, la_std_dim,
    la_std_correction, la_var_mean_all, la_var_mean_dim, la_var_mean_correction, la_std_mean_all,
    la_std_mean_dim, la_std_mean_correction;
extern const la_extreme la_max_at, la_min_at, la_argmax, la_argmin;
la_emission la_emit_reduce, la_emit_norm, la_emit_variance, la_emit_extreme;

/* hash.c */
la_emission la_emit_hash;

/* shape.c */
typedef struct la_parts {
  uint8_t axis_arg, drops_axis;
} la_parts;
extern const la_parts la_split, la_unbind;
la_emission la_match_bits, la_emit_reshape, la_emit_same, la_emit_bits, la_emit_permute,
    la_emit_swap, la_emit_reverse, la_emit_expand, la_emit_repeat, la_emit_repeat_interleave,
    la_emit_slice, la_emit_select, la_emit_narrow, la_emit_parts, la_emit_join,
    la_emit_slice_scatter, la_emit_select_scatter, la_emit_flip, la_emit_roll, la_emit_diagonal,
    la_emit_unfold, la_emit_as_strided, la_emit_diag_embed, la_emit_diag, la_emit_triangle;

/* contraction.c */
la_emission la_emit_mm, la_emit_int_mm, la_emit_matmul, la_emit_linear, la_emit_addmm;
/* grouped.c */
la_emission la_emit_grouped_mm, la_emit_grouped_mm_fallback;

/* convolution_rows.c: where the arguments after input, weight and bias are */
typedef struct la_convolution {
  uint8_t stride, padding, dilation, groups, output_padding;
  int8_t transposed; /* 0, 1, or -1: an argument of the row says it */
} la_convolution;
extern const la_convolution la_conv, la_conv_plain, la_conv_transposed;
la_emission la_emit_convolution;

/* pooling.c */
typedef struct la_pooling {
  uint8_t n_spatial, has_divisor;
} la_pooling;
extern const la_pooling la_pool_1d, la_pool_2d, la_pool_3d, la_avg_pool_1d, la_avg_pool_2d,
    la_avg_pool_3d;
la_emission la_emit_im2col, la_emit_max_pool, la_emit_avg_pool, la_emit_adaptive_avg_pool,
    la_emit_adaptive_max_pool;

/* indexing.c */
la_emission la_emit_index_select, la_emit_embedding, la_emit_gather, la_emit_take,
    la_emit_take_along, la_emit_index;

/* bags.c */
la_emission la_emit_bags;

/* masks.c */
la_emission la_emit_nonzero, la_emit_nonzero_columns, la_emit_masked_select;

/* scatter.c */
typedef enum la_combine {
  LA_REPLACE,
  LA_SUM,
  LA_PRODUCT,
  LA_MAXIMUM,
  LA_MINIMUM,
  LA_MEAN,
  LA_NAMED
} la_combine;
typedef struct la_scatter {
  uint8_t reduce_arg, include_self_arg, alpha_arg; /* 0: it has none */
  bool by_slices; /* the index names whole slices along the axis, else the place of each element */
  bool wraps;     /* negative indices count from the end */
  la_combine combine; /* LA_NAMED: the argument says it */
} la_scatter;
extern const la_scatter la_scatter_plain, la_scatter_sum, la_scatter_named, la_scatter_reduce;
extern const la_scatter la_index_adds, la_index_copies, la_index_fills, la_index_reduces;
la_emission la_emit_scatter, la_emit_index_put, la_emit_masked_scatter, la_emit_diagonal_scatter;

/* scan.c */
typedef struct la_scan {
  la_combine combine;
  uint8_t has_index, is_log;
} la_scan;
extern const la_scan la_cumsum, la_cumprod, la_cummax, la_cummin, la_logcumsumexp;
la_emission la_emit_scan;

/* sort.c */
typedef struct la_sort {
  uint8_t dim_arg, descending_arg, only_indices;
} la_sort;
extern const la_sort la_sort_plain, la_sort_stable, la_argsort_plain, la_argsort_stable;
la_emission la_emit_sort, la_emit_topk, la_emit_kth, la_emit_median;
/* The positions along the axis in the order in which the rows (all elements of one position, in
 * their own order) ascend: i64 [n]; as they are if is_presorted. */
MlirValue la_sorted_rows(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                         uint32_t axis, bool is_presorted);

/* unique.c: which arguments mean what, counted from 1; 0: there is none */
typedef struct la_unique {
  uint8_t dim_arg, inverse_arg, counts_arg;
  uint8_t is_presorted; /* only neighbours are compared */
} la_unique;
extern const la_unique la_unique_old, la_unique_flat, la_unique_dim, la_unique_consecutive,
    la_unique_dim_consecutive;
la_emission la_emit_unique;

/* counting.c */
la_emission la_emit_bincount, la_emit_repeat_interleave_tensor, la_emit_nonzero_static;

/* search.c */
la_emission la_emit_bucketize, la_emit_searchsorted, la_emit_isin;

/* complex.c */
typedef struct la_complex_row {
  const char *op;
  be_body_fn body;
} la_complex_row;
extern const la_complex_row la_real, la_imag, la_complex_abs, la_angle, la_conj, la_complex,
    la_polar;
la_emission la_emit_complex, la_emit_complex_view;
buddy_dtype la_part_dtype(buddy_dtype dtype); /* of the parts of complex numbers; else the dtype */
/* The real or the imaginary parts of a complex tensor, and the tensor of such parts. */
MlirValue la_part(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                  bool is_imaginary);
MlirValue la_of_parts(buddy_call *call, MlirValue re, MlirValue im, const buddy_tensor_type *type);

/* creation.c */
la_emission la_emit_full, la_emit_arange, la_emit_linspace, la_emit_eye;
/* Ends a row: the number, or 0-d tensor, that is argument `arg`, in every element. */
buddy_code la_fill_with(buddy_call *call, size_t arg, const buddy_tensor_type *to);
typedef struct la_filled {
  uint8_t value_arg; /* counted from 1; 0: none, `value` is it */
  int64_t value;
} la_filled;
extern const la_filled la_full_at_1, la_full_at_2, la_all_zeros, la_all_ones;
typedef struct la_range {
  uint8_t start_arg, step_arg; /* counted from 1; 0: none */
} la_range;
extern const la_range la_range_end, la_range_start, la_range_step;

/* random.c: which arguments are the parameters, counted from 1; 0: a and b, the row's own */
typedef enum la_distribution {
  LA_UNIFORM,   /* from a to b */
  LA_NORMAL,    /* mean a, deviation b */
  LA_BERNOULLI, /* 1 with probability a */
  LA_EXPONENTIAL,
  LA_GEOMETRIC,
  LA_CAUCHY,
  LA_LOG_NORMAL,
  LA_INTEGER,     /* a to b - 1 */
  LA_INTEGER_ANY, /* likewise, b possibly None: as far as the dtype goes */
  LA_CALLED,      /* by a function of the runtime */
} la_distribution;
typedef struct la_random {
  la_distribution kind;
  uint8_t a_arg, b_arg;
  double a, b;
  const char *function; /* of LA_CALLED */
} la_random;
extern const la_random la_uniform_01, la_uniform, la_normal_01, la_normal_of_self,
    la_normal_of_numbers, la_log_normal, la_cauchy, la_exponential, la_geometric, la_bernoulli_p,
    la_bernoulli_self, la_randint_to, la_randint, la_randint_like_to, la_randint_like,
    la_random_any, la_random_to, la_random_from, la_poisson, la_gamma, la_binomial;
la_emission la_emit_random;

/* recurrence.c */
typedef enum la_cell_kind { LA_LSTM, LA_GRU, LA_RNN_TANH, LA_RNN_RELU } la_cell_kind;
typedef struct la_cell {
  uint8_t n_gates;
  la_cell_kind kind;
} la_cell;
extern const la_cell la_lstm, la_gru, la_rnn_tanh, la_rnn_relu;
la_emission la_emit_recurrence, la_decline_packed;

/* grid.c */
la_emission la_emit_grid_sampler;

/* pad.c */
typedef enum la_edge { LA_CONSTANT, LA_REFLECT, LA_REPLICATE, LA_CIRCULAR, LA_EDGE_NAMED } la_edge;
typedef struct la_padding {
  la_edge edge;
  uint8_t mode_arg, value_arg;
} la_padding;
extern const la_padding la_pad_constant, la_pad_reflect, la_pad_replicate, la_pad_circular,
    la_pad_named;
la_emission la_emit_pad;

/* resample.c */
typedef struct la_resample {
  uint8_t n_spatial, is_exact, is_cubic, align_arg,
      scale_arg; /* scale_arg: the first of one a dim; or the list */
  uint8_t has_scale_list;
} la_resample;
extern const la_resample la_nearest_1d_vec, la_nearest_2d_vec, la_nearest_3d_vec, la_nearest_1d,
    la_nearest_2d, la_nearest_3d, la_nearest_exact_1d_vec, la_nearest_exact_2d_vec,
    la_nearest_exact_3d_vec, la_nearest_exact_1d, la_nearest_exact_2d, la_nearest_exact_3d,
    la_linear_1d_vec, la_linear_2d_vec, la_linear_3d_vec, la_linear_1d, la_linear_2d, la_linear_3d,
    la_cubic_2d_vec, la_cubic_2d;
la_emission la_emit_resample;
/* Cubic convolution with a = -0.75: the weights of four neighbours, `t` after the second. */
void la_cubic_weights(const be_body *body, buddy_dtype dtype, MlirValue t, MlirValue *out);

#endif
