// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/normalization.c: softmax and the normalisations, in the order of operations
 * that PyTorch's CPU kernels use; f16 and bf16 are computed in f32. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Softmax --------------------------------------------------------------------------------- */
/* exp(x - max) and its sum along the axes. */
static value shifted_exp(buddy_call *call, value x, uint64_t axis) {
  return cp_unary(call, "aten.exp.default", cp_sub(call, x, cp_amax(call, x, axis, 1)));
}

static value softmax(buddy_call *call, value x, uint32_t dim) {
  if (!x) return NULL;
  if (cp_type(call, x)->rank == 0) /* 1, or NaN */
    return cp_unary(call, "aten.exp.default", cp_sub(call, x, x));
  value e = shifted_exp(call, x, 1ull << dim);
  return cp_div(call, e, cp_sum(call, e, 1ull << dim, 1));
}

/* The input in the dtype that the op computes in: its `dtype` argument, and at least f32. */
static value softmax_input(buddy_call *call, size_t dtype_arg) {
  const buddy_arg *dtype = be_arg(call, dtype_arg);
  value x = be_arg_value(call, 0);
  if (dtype->kind == BUDDY_ARG_DTYPE) x = cp_cast(call, x, (buddy_dtype)dtype->as.i);
  return x ? cp_cast(call, x, cp_compute_dtype(cp_type(call, x)->dtype)) : NULL;
}

buddy_code cp_op_softmax(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = softmax_input(call, 2);
  const uint32_t dim = (uint32_t)be_axis(call, 1, cp_type(call, x)->rank, -1);
  return cp_finish(call, softmax(call, x, dim));
}

buddy_code cp_op_log_softmax(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = softmax_input(call, 2);
  const uint32_t rank = cp_type(call, x)->rank;
  const uint64_t axis = 1ull << be_axis(call, 1, rank, -1);
  if (rank == 0) return cp_finish(call, cp_sub(call, x, x)); /* NaN for what is not finite */
  value shifted = cp_sub(call, x, cp_amax(call, x, axis, 1));
  value sum = cp_sum(call, cp_unary(call, "aten.exp.default", shifted), axis, 1);
  return cp_finish(call, cp_sub(call, shifted, cp_unary(call, "aten.log.default", sum)));
}

/* Rows that are -inf throughout give 0, not NaN. */
value cp_safe_softmax(buddy_call *call, value x, uint32_t dim) {
  const uint64_t axis = 1ull << dim;
  value largest = cp_amax(call, x, axis, 1);
  value is_empty = cp_number(call, "aten.eq.Tensor", largest, -INFINITY);
  if (!is_empty) return NULL;
  value base = cp_where(call, is_empty, cp_full(call, cp_type(call, largest), 0), largest);
  value e = cp_unary(call, "aten.exp.default", cp_sub(call, x, base));
  value sum = cp_sum(call, e, axis, 1);
  value divisor = cp_where(call, is_empty, cp_full(call, cp_type(call, largest), 1), sum);
  return cp_div(call, e, divisor);
}

buddy_code cp_op_safe_softmax(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = softmax_input(call, 2);
  const uint32_t dim = (uint32_t)be_axis(call, 1, cp_type(call, x)->rank, -1);
  return cp_finish(call, cp_safe_softmax(call, x, dim));
}

/* log(sum(exp(x))), shifted by the largest unless that is infinite */
buddy_code cp_op_logsumexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  x = cp_cast(call, x, cp_compute_dtype(be_result_type(call, 0)->dtype));
  const uint64_t axes = be_axes(call, 1, cp_type(call, x)->rank);
  const int keepdim = be_bool(call, 2);
  if (axes == 0) return cp_finish(call, x);
  value largest = cp_amax(call, x, axes, 1);
  value is_infinite = cp_unary(call, "aten.isinf.default", largest);
  if (!is_infinite) return cp_finish(call, NULL);
  value base = cp_where(call, is_infinite, cp_full(call, cp_type(call, largest), 0), largest);
  value sum = cp_sum(call, cp_unary(call, "aten.exp.default", cp_sub(call, x, base)), axes, 1);
  value result = cp_add(call, cp_unary(call, "aten.log.default", sum), base);
  (void)keepdim; /* the result's type has it */
  return cp_finish_shaped(call, 0, result);
}

/* ---- Moments --------------------------------------------------------------------------------- */
typedef struct moments {
  value mean, variance, rstd, centred;
} moments;

/* What a moment is of: the axes, which are kept as 1; or, of an image [N, C, places], each of so many groups of channels,
 * which leaves [N, G, 1]. */
typedef struct extent {
  uint64_t axes;
  int64_t groups; /* 0: none */
} extent;

static int64_t of_group(buddy_call *call, const buddy_tensor_type *type, int64_t groups) {
  return be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[1], groups);
}

/* Over at least `least` elements. Sums of channels first, whatever the order in which the image lies in memory. */
static value mean_over(buddy_call *call, value x, extent over, int64_t least) {
  if (!x) return NULL;
  const buddy_tensor_type *type = cp_type(call, x);
  value sum = cp_sum(call, x, over.groups ? 1u << 2 : over.axes, 1);
  int64_t n;
  if (over.groups == 0) {
    n = cp_count(call, x, over.axes);
  } else {
    const int64_t dims[3] = {type->dims[0], over.groups, of_group(call, type, over.groups)};
    sum = cp_sum(call, cp_view(call, sum, 3, dims), 1u << 2, 1);
    n = be_dim(call, BUDDY_DIM_MUL, dims[2], type->dims[2]);
  }
  return cp_dim(call, "aten.div.Tensor", sum, least ? be_dim(call, BUDDY_DIM_MAX, n, least) : n);
}

/* The moment as it broadcasts with x: one number of each group for each of its channels, [N, C, 1, …]. */
static value beside(buddy_call *call, value a, value x, extent over) {
  if (!a || !x || over.groups == 0) return a;
  const buddy_tensor_type *type = cp_type(call, x);
  int64_t dims[BE_MAX_RANK] = {type->dims[0], over.groups, of_group(call, type, over.groups)};
  a = cp_expand(call, a, 3, dims);
  dims[1] = type->dims[1];
  for (uint32_t d = 2; d < type->rank; ++d) dims[d] = 1;
  return cp_view(call, a, type->rank, dims);
}

/* mean, variance, 1 / sqrt(variance + eps) and x - mean. The mean of f32 is rounded once: far from zero, what a sum in f32
 * loses is as large as x - mean; what is left of that is added where there are no wider numbers. Of nothing the mean is 0,
 * and the variance NaN. */
static moments moments_of(buddy_call *call, const buddy_op *self, value x, extent over,
                          double eps) {
  const buddy_dtype dtype = x ? cp_type(call, x)->dtype : BUDDY_F32;
  const bool is_wide = dtype == BUDDY_F32 && !cp_is_narrow(self);
  moments m = {.mean = mean_over(call, is_wide ? cp_cast(call, x, BUDDY_F64) : x, over, 1)};
  m.mean = cp_cast(call, m.mean, dtype);
  m.centred = cp_sub(call, x, beside(call, m.mean, x, over));
  if (cp_is_narrow(self)) {
    m.mean = cp_add(call, m.mean, mean_over(call, m.centred, over, 1));
    m.centred = cp_sub(call, x, beside(call, m.mean, x, over));
  }
  m.variance = mean_over(call, cp_mul(call, m.centred, m.centred), over, 0);
  m.rstd = cp_unary(call, "aten.rsqrt.default", cp_add_number(call, m.variance, eps));
  return m;
}

static value affine(buddy_call *call, value x, value weight, value bias) {
  if (weight) x = cp_mul(call, x, weight);
  return bias ? cp_add(call, x, bias) : x;
}

/* layer_norm and native_layer_norm (which gives mean and rstd, too): input, shape, weight, bias,
 * eps */
buddy_code cp_op_layer_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call); /* cudnn_enable is about speed on other devices */
  value x = cp_computed(call, 0);
  const uint64_t axes = cp_last_axes(cp_type(call, x)->rank, be_arg(call, 1)->n);
  const moments m = moments_of(call, self, x, (extent){axes, 0}, be_float(call, 4, 1e-5));
  value y =
      affine(call, cp_mul(call, m.centred, m.rstd), cp_computed(call, 2), cp_computed(call, 3));
  buddy_code code = cp_finish(call, y);
  if (be_host->n_results(call) < 3 || code != BUDDY_OK) return code;
  code = cp_finish_shaped(call, 1, m.mean);
  return code == BUDDY_OK ? cp_finish_shaped(call, 2, m.rstd) : code;
}

/* x / sqrt(mean(x^2) + eps) * weight; eps defaults to the machine epsilon of the dtype that this is
 * computed in */
buddy_code cp_op_rms_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const buddy_dtype dtype = be_arg_type(call, 0)->dtype;
  const double epsilon = dtype == BUDDY_F64 ? 2.220446049250313e-16 : 1.1920928955078125e-07;
  const uint64_t axes = cp_last_axes(cp_type(call, x)->rank, be_arg(call, 1)->n);
  value mean_square = cp_mean(call, cp_mul(call, x, x), axes, 1);
  value rstd = cp_unary(call, "aten.rsqrt.default",
                        cp_add_number(call, mean_square, be_float(call, 3, epsilon)));
  buddy_code code =
      cp_finish(call, affine(call, cp_mul(call, x, rstd), cp_computed(call, 2), NULL));
  if (code == BUDDY_OK && be_host->n_results(call) > 1) code = cp_finish_shaped(call, 1, rstd);
  return code;
}

/* A vector over dim 1, as [C, 1, …, 1] so that it broadcasts over [N, C, …]. */
static value along_channels(buddy_call *call, value a, uint32_t rank) {
  if (!a || rank < 2) return a;
  int64_t dims[BE_MAX_RANK];
  dims[0] = cp_type(call, a)->dims[0];
  for (uint32_t d = 1; d + 1 < rank; ++d) dims[d] = 1;
  return cp_view(call, a, rank - 1, dims);
}

/* ---- Batch norm: input, weight, bias, running_mean, running_var, eps, momentum, training ----- */
/* Evaluation: y = x a + b per channel, with a = weight / sqrt(var + eps) and b = bias - mean a. */
static buddy_code batch_norm_eval(buddy_call *call, double eps) {
  value x = cp_computed(call, 0), weight = cp_computed(call, 1), bias = cp_computed(call, 2);
  value mean = cp_computed(call, 3), variance = cp_computed(call, 4);
  const uint32_t rank = cp_type(call, x)->rank;
  value scale = cp_unary(call, "aten.rsqrt.default", cp_add_number(call, variance, eps));
  if (weight) scale = cp_mul(call, scale, weight);
  value shift = cp_unary(call, "aten.neg.default", cp_mul(call, mean, scale));
  if (bias) shift = cp_add(call, shift, bias);
  value y = cp_mul(call, x, along_channels(call, scale, rank));
  buddy_code code = cp_finish(call, cp_add(call, y, along_channels(call, shift, rank)));
  for (size_t i = 1; i < be_host->n_results(call) && code == BUDDY_OK; ++i) {
    code = be_replace(call, i, /* the saved moments are empty, the running ones stay */
                      i < 3 ? cp_full(call, be_result_type(call, i), 0) : be_arg_value(call, i));
  }
  return code;
}

/* (1 - momentum) running + momentum now, of n elements; without elements, what was running */
static buddy_code replace_running(buddy_call *call, size_t i, size_t result, value now,
                                  double momentum, int64_t n) {
  const buddy_tensor_type *type = be_arg_type(call, i);
  value before = cp_computed(call, i);
  if (n == 0) return cp_finish_shaped(call, result, before);
  now = cp_mul_number(call, cp_view(call, now, type->rank, type->dims), momentum);
  value after = cp_add(call, cp_mul_number(call, before, 1 - momentum), now);
  if (BUDDY_IS_SYMBOLIC(n)) {
    value count = cp_dim(call, "aten.mul.Tensor", cp_scalar(call, BUDDY_I64, 1), n);
    after = cp_where(call, cp_number(call, "aten.ne.Tensor", count, 0), after, before);
  }
  return cp_finish_shaped(call, result, after);
}

/* Training: normalised by the batch's own moments. Of five results or more the last two are the
 * running moments, updated, with the unbiased variance; of six, one is room that no CPU needs. */
static buddy_code batch_norm_train(buddy_call *call, const buddy_op *self, double eps,
                                   double momentum) {
  value x = cp_computed(call, 0);
  const uint32_t rank = cp_type(call, x)->rank;
  const uint64_t axes = cp_all_axes(rank) & ~2ull;
  const moments m = moments_of(call, self, x, (extent){axes, 0}, eps);
  value y = affine(call, cp_mul(call, m.centred, m.rstd),
                   along_channels(call, cp_computed(call, 1), rank),
                   along_channels(call, cp_computed(call, 2), rank));
  buddy_code code = cp_finish(call, y);
  if (code != BUDDY_OK || be_host->n_results(call) < 3) return code;
  if ((code = cp_finish_shaped(call, 1, m.mean)) != BUDDY_OK) return code;
  if ((code = cp_finish_shaped(call, 2, m.rstd)) != BUDDY_OK) return code;
  const size_t n_results = be_host->n_results(call);
  if (n_results < 5 || !m.variance) return code;
  if (n_results > 5) code = be_replace(call, 3, cp_full(call, be_result_type(call, 3), 0));
  if (code != BUDDY_OK) return code;
  const int64_t n = cp_count(call, x, axes), fewer = be_dim(call, BUDDY_DIM_SUB, n, 1);
  code = replace_running(call, 3, n_results - 2, m.mean, momentum, n);
  if (code != BUDDY_OK) return code;
  value sum = cp_dim(call, "aten.mul.Tensor", m.variance, n);
  if (!sum) return cp_finish(call, NULL);
  return replace_running(call, 4, n_results - 1, cp_dim(call, "aten.div.Tensor", sum, fewer),
                         momentum, n);
}

/* A vector without elements is all that has no channels; so are its moments. */
static buddy_code batch_norm_nothing(buddy_call *call) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < be_host->n_results(call) && code == BUDDY_OK; ++i)
    code = be_replace(call, i, cp_full(call, be_result_type(call, i), 0));
  return code;
}

/* user: 1 for the form without running statistics, which has eps at 3; 2 for the one that always
 * trains. */
buddy_code cp_op_batch_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const intptr_t form = (intptr_t)self->user;
  const size_t eps = form == 1 ? 3 : 5;
  const bool is_training = form == 2 || (be_host->n_args(call) > eps + 2 && be_bool(call, eps + 2));
  const bool has_running = form != 1 && !be_is_none(call, 3) && !be_is_none(call, 4);
  const uint32_t rank = be_arg_type(call, 0)->rank;
  if (rank == 1 && be_arg_type(call, 0)->dims[0] == 0) return batch_norm_nothing(call);
  if (rank < 2 || rank > BE_MAX_RANK)
    return be_decline(call, "rank %u is not 2 to %d", rank, BE_MAX_RANK);
  if (!is_training && !has_running) return be_decline(call, "there are no running statistics");
  if (!is_training) return batch_norm_eval(call, be_float(call, eps, 1e-5));
  if (has_running != (be_host->n_results(call) >= 5))
    return be_decline(call, "training is True: running statistics would have to be updated");
  return batch_norm_train(call, self, be_float(call, eps, 1e-5), be_float(call, eps + 1, 0.1));
}

/* ---- Groups ---------------------------------------------------------------------------------- */
/* What is done with the moments has the input's own dims, so that it is one with the affine part and with
 * what follows. */
static buddy_code group_norm(buddy_call *call, const buddy_op *self, value x, int64_t groups,
                             value weight, value bias, double eps) {
  const buddy_tensor_type *type = cp_type(call, x);
  const uint32_t rank = type->rank;
  if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
  const int64_t flat[3] = {type->dims[0], type->dims[1],
                           cp_count(call, x, cp_last_axes(rank, rank - 2))};
  const extent over = {0, groups};
  x = cp_cast(call, x, cp_compute_dtype(type->dtype));
  const moments m = moments_of(call, self, cp_view(call, x, 3, flat), over, eps);
  value scale = beside(call, m.rstd, x, over);
  if (weight) scale = cp_mul(call, scale, along_channels(call, weight, rank));
  value y = cp_mul(call, cp_sub(call, x, beside(call, m.mean, x, over)), scale);
  buddy_code code = cp_finish(call, affine(call, y, NULL, along_channels(call, bias, rank)));
  if (be_host->n_results(call) < 3 || code != BUDDY_OK) return code;
  code = cp_finish_shaped(call, 1, m.mean);
  return code == BUDDY_OK ? cp_finish_shaped(call, 2, m.rstd) : code;
}

/* input, num_groups, weight, bias, eps, cudnn_enabled */
buddy_code cp_op_group_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  return group_norm(call, self, be_arg_value(call, 0), be_int(call, 1, 1), cp_computed(call, 2),
                    cp_computed(call, 3), be_float(call, 4, 1e-5));
}

/* input, weight, bias, N, C, HxW, group, eps */
buddy_code cp_op_native_group_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  return group_norm(call, self, be_arg_value(call, 0), be_int(call, 6, 1), cp_computed(call, 1),
                    cp_computed(call, 2), be_float(call, 7, 1e-5));
}

/* input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, cudnn_enabled:
 * each channel a group */
buddy_code cp_op_instance_norm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  if (!be_bool(call, 5)) {
    if (be_is_none(call, 3) || be_is_none(call, 4))
      return be_decline(call, "there are no running statistics");
    return batch_norm_eval(call, be_float(call, 7, 1e-5));
  }
  if (!be_is_none(call, 3)) return be_decline(call, "running statistics would have to be updated");
  value x = be_arg_value(call, 0);
  return group_norm(call, self, x, cp_type(call, x)->dims[1], cp_computed(call, 1),
                    cp_computed(call, 2), be_float(call, 7, 1e-5));
}
