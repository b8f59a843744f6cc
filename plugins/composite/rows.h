// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/rows.h: the expansions, by file; registry.c puts them into the table. */
#ifndef BUDDY_PLUGINS_COMPOSITE_ROWS_H
#define BUDDY_PLUGINS_COMPOSITE_ROWS_H

#include "plugins/composite/expand.h"

typedef buddy_code cp_expansion(void *state, const buddy_op *self, buddy_call *call);

/* shape.c */
cp_expansion cp_op_view, cp_op_views, cp_op_resize, cp_op_expand, cp_op_broadcast_tensors,
    cp_op_same, cp_op_cast, cp_op_permute, cp_op_transpose, cp_op_reverse, cp_op_movedim,
    cp_op_pieces, cp_op_select, cp_op_narrow, cp_op_stack, cp_op_repeat, cp_op_repeat_interleave,
    cp_op_diff, cp_op_one_hot, cp_op_filled, cp_op_full, cp_op_arange, cp_op_iota;
/* arrange.c */
cp_expansion cp_op_stack_along, cp_op_split_along, cp_op_meshgrid, cp_op_pixel_shuffle,
    cp_op_channel_shuffle, cp_op_flip, cp_op_rot90;
/* activation.c */
cp_expansion cp_op_hardtanh, cp_op_clamp_bound, cp_op_prelu, cp_op_glu, cp_op_addc, cp_op_rsub,
    cp_op_lerp_number, cp_op_masked_fill, cp_op_nan_to_num;
/* normalization.c */
cp_expansion cp_op_softmax, cp_op_log_softmax, cp_op_safe_softmax, cp_op_logsumexp,
    cp_op_layer_norm, cp_op_rms_norm, cp_op_batch_norm, cp_op_group_norm, cp_op_native_group_norm,
    cp_op_instance_norm;
value cp_safe_softmax(buddy_call *call, value x, uint32_t dim);
/* product.c: of attention: row >= column, counted from the upper left corner; and scores times the scale that argument
 * `scale` is, or 1 / sqrt(head size). */
value cp_causal_mask(buddy_call *call, int64_t length, int64_t keys);
value cp_scaled_scores(buddy_call *call, value scores, int64_t width, size_t scale);
/* formula.c: the row's user data is the expansion, as text */
cp_expansion cp_op_text;
/* backward*.c: gradients */
cp_expansion cp_op_attention_backward, cp_op_grid_sampler_backward, cp_op_pad_backward,
    cp_op_unfold_backward;
cp_expansion cp_op_glu_backward, cp_op_embedding_dense_backward, cp_op_nll_loss_backward,
    cp_op_embedding_bag_backward, cp_op_part_backward, cp_op_index_select_backward,
    cp_op_cdist_backward, cp_op_pdist_backward;
/* The gradient of a part: the ops that take it and put it, and what their numbers are called. */
typedef struct cp_part {
  const char *take, *put, *numbers[5];
} cp_part;
extern const cp_part cp_part_slice, cp_part_select, cp_part_diagonal;
cp_expansion cp_op_layer_norm_backward, cp_op_rms_norm_backward, cp_op_group_norm_backward,
    cp_op_batch_norm_backward;
cp_expansion cp_op_convolution_backward, cp_op_max_pool_backward, cp_op_avg_pool_backward,
    cp_op_adaptive_avg_pool_backward;
/* Dim `dim` of `a`, of size m, replaced by its product with a matrix [m, n]. */
value cp_apply_along(buddy_call *call, value a, uint32_t dim, value matrix);
/* antialias.c: dtype[in, out], of a dtype to compute in; factor: of the sizes, 0 where the op has
 * none */
typedef enum cp_filter { CP_UNFILTERED, CP_TRIANGLE, CP_CUBIC } cp_filter;
value cp_antialias_matrix(buddy_call *call, int64_t in, int64_t out, double factor, int aligns,
                          cp_filter filter, buddy_dtype dtype);
/* backward_resample.c: a row's user data */
typedef struct cp_resampling {
  const char *op;   /* the forward op over the least dims that it takes; NULL: antialiased */
  uint32_t n;       /* spatial dims of the row */
  uint8_t is_image; /* the forward op takes two dims, not one */
  uint8_t aligns;   /* it has align_corners */
  uint8_t is_whole; /* the scale does not count where a size stays or doubles; of an image, where
                       both stay */
  cp_filter filter; /* of one that is antialiased */
} cp_resampling;
cp_expansion cp_op_upsample_backward;
extern const cp_resampling cp_nearest_1d, cp_nearest_2d, cp_nearest_3d, cp_exact_1d, cp_exact_2d,
    cp_exact_3d, cp_linear_1d, cp_linear_2d, cp_linear_3d, cp_cubic_2d, cp_linear_aa_2d,
    cp_cubic_aa_2d;
/* random.c */
cp_expansion cp_op_dropout, cp_op_native_dropout, cp_op_other_dropout, cp_op_rrelu, cp_op_randperm,
    cp_op_multinomial, cp_op_dirichlet;
/* Each element 0 with probability p, else divided by 1 - p. */
value cp_dropout(buddy_call *call, value x, double p);
/* antialias.c */
cp_expansion cp_op_upsample_aa;
/* cell.c */
cp_expansion cp_op_lstm_cell, cp_op_gru_cell, cp_op_rnn_cell;
/* transformer.c */
cp_expansion cp_op_multi_head_attention, cp_op_transformer_encoder_layer;
/* window.c */
cp_expansion cp_op_cdist, cp_op_pdist, cp_op_max_unpool, cp_op_col2im, cp_op_adaptive_max_pool,
    cp_op_fractional_max_pool, cp_op_max_pool, cp_op_sort, cp_op_lstm, cp_op_lstm_kernel,
    cp_op_affine_grid;
/* fft.c */
cp_expansion cp_op_fft, cp_op_fftn, cp_op_fft_plain, cp_op_fftshift, cp_op_fftfreq, cp_op_stft,
    cp_op_istft;
/* einsum.c */
cp_expansion cp_op_einsum;
/* product.c */
cp_expansion cp_op_linear, cp_op_addmm, cp_op_matmul, cp_op_dot, cp_op_mv, cp_op_outer, cp_op_conv,
    cp_op_conv_padding, cp_op_conv_transpose, cp_op_attention, cp_op_adaptive_avg_pool,
    cp_op_convolution_named, cp_op_half_convolution, cp_op_convolution_of_any_padding,
    cp_op_conv_tbc, cp_op_attention_kernel, cp_op_view_bits, cp_op_range, cp_op_hann_window,
    cp_op_window, cp_op_pad_sequence, cp_op_flatten_dense;
/* x weight^T + bias; bias may be null. */
value cp_linear(buddy_call *call, value x, value weight, value bias);
/* beta self + alpha product, of which self does not count if beta is 0; self, …, beta, alpha are arguments 0, 3 and 4. */
value cp_added(buddy_call *call, value product);
/* `a` times a number argument; whether that argument is known to be `number`. */
value cp_scaled(buddy_call *call, value a, size_t i);
int cp_is_number(buddy_call *call, size_t i, double number);
/* reduce.c */
cp_expansion cp_op_mean, cp_op_variance, cp_op_variance_and_mean, cp_op_vector_norm,
    cp_op_plain_norm, cp_op_count_nonzero, cp_op_aminmax;
/* Whether a row is for orders without f64. */
int cp_is_narrow(const buddy_op *self);
/* position.c */
cp_expansion cp_op_masked_index, cp_op_masked_index_put, cp_op_as_strided_scatter, cp_op_chunk_cat;
/* prims.c */
cp_expansion cp_op_max_pool_offsets, cp_op_max_pool_indices, cp_op_softmax_parts, cp_op_exponents;
/* complex.c */
cp_expansion cp_op_complex_test, cp_op_complex_sinc, cp_op_complex_lerp, cp_op_complex_logsumexp,
    cp_op_complex_logaddexp, cp_op_complex_uniform, cp_op_complex_normal, cp_op_complex_variance,
    cp_op_complex_convolution;
/* The parts of complex numbers. */
value cp_real(buddy_call *call, value a);
value cp_imag(buddy_call *call, value a);
/* loss.c */
cp_expansion cp_op_binary_cross_entropy, cp_op_nll_loss, cp_op_cross_entropy,
    cp_op_cosine_similarity, cp_op_pairwise_distance, cp_op_triplet_margin_loss;
/* As the losses number them. */
enum { CP_REDUCTION_NONE, CP_REDUCTION_MEAN, CP_REDUCTION_SUM };
value cp_reduced(buddy_call *call, value loss, int64_t reduction);
/* linear_loss.c */
cp_expansion cp_op_linear_cross_entropy, cp_op_linear_cross_entropy_rows;
/* segments.c */
cp_expansion cp_op_segment_reduce;
/* statistics.c */
cp_expansion cp_op_quantile, cp_op_nanmedian, cp_op_mode, cp_op_nanmean, cp_op_cov, cp_op_corrcoef,
    cp_op_trapezoid, cp_op_gradient, cp_op_renorm, cp_op_dist;
/* histogram.c */
typedef struct cp_histogram {
  uint8_t is_flat; /* each element is a point; else the last dim lists a point's coordinates */
  uint8_t gives_counts, gives_edges; /* its results, in this order */
} cp_histogram;
extern const cp_histogram cp_histogram_flat, cp_histogram_points, cp_histogram_counts,
    cp_histogram_edges;
cp_expansion cp_op_histc, cp_op_histogram;
/* margin.c */
cp_expansion cp_op_cosine_embedding_loss, cp_op_multi_margin_loss, cp_op_multilabel_margin_loss,
    cp_op_multilabel_margin_loss_backward, cp_op_multi_margin_loss_backward;
/* index.c */
cp_expansion cp_op_embedding_renorm;
cp_expansion cp_op_put, cp_op_repeat_interleave_by, cp_op_triangle_indices, cp_op_diagflat,
    cp_op_block_diag, cp_op_cartesian_prod, cp_op_combinations, cp_op_vander, cp_op_sum_to_size,
    cp_op_isclose, cp_op_isreal, cp_op_isin_number, cp_op_float_power, cp_op_ldexp, cp_op_mvlgamma,
    cp_op_real_angle, cp_op_complex_sgn, cp_op_msort, cp_op_logspace, cp_op_searchsorted;
/* matrix.c */
cp_expansion cp_op_matrix_norm, cp_op_any_norm, cp_op_named_norm, cp_op_norm_except_dim,
    cp_op_weight_norm, cp_op_weight_norm_backward, cp_op_cross, cp_op_vecdot, cp_op_tensordot,
    cp_op_inner, cp_op_kron, cp_op_addbmm, cp_op_addr, cp_op_int_mm, cp_op_trace,
    cp_op_linalg_diagonal, cp_op_adjoint, cp_op_multi_dot, cp_op_matrix_power, cp_op_bilinear,
    cp_op_trilinear;
/* float8.c */
cp_expansion cp_op_in_f32, cp_op_abs_of_float8, cp_op_scaled_mm, cp_op_scaled_by_blocks;
/* decomposition.c */
cp_expansion cp_op_svd, cp_op_matrix_rank, cp_op_pinv, cp_op_cond, cp_op_logdet, cp_op_tensorinv,
    cp_op_tensorsolve, cp_op_check_errors;
/* quantization.c */
typedef enum cp_fake_quantize {
  CP_FAKE_QUANTIZE_TENSOR,
  CP_FAKE_QUANTIZE_CHANNELS,
  CP_FAKE_QUANTIZE_IF
} cp_fake_quantize;
cp_expansion cp_op_fake_quantize, cp_op_fake_quant, cp_op_quantize, cp_op_dequantize,
    cp_op_quantize_per_channel, cp_op_dequantize_per_channel, cp_op_quantize_per_token,
    cp_op_dequantize_per_token, cp_op_quantize_groups, cp_op_dequantize_groups, cp_op_choose_scale,
    cp_op_choose_scale_per_token, cp_op_choose_range_per_token, cp_op_int8_weight_mm,
    cp_op_int4_weight_mm;
/* blocks.c */
cp_expansion cp_op_quantize_blocks, cp_op_dequantize_blocks, cp_op_choose_blocks;

/* unrolled.c: which argument is what, and whether the first result is the sorted values */
typedef struct cp_sorting {
  size_t dim, descending;
  int values;
} cp_sorting;
extern const cp_sorting cp_sort_plain, cp_sort_stable, cp_argsort_plain, cp_argsort_stable, cp_topk;

#endif
