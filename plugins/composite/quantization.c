// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/quantization.c: PyTorch's quantized_decomposed ops, and products with weights
 * of eight bits, in the arithmetic of PyTorch's own definitions
 * (torch/ao/quantization/fx/_decomposed.py), so that no rounding differs. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

#define EPSILON_F32 1.1920928955078125e-07

static value at_most(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.minimum.default", a, b);
}
static value at_least(buddy_call *call, value a, value b) {
  return cp_binary(call, "aten.maximum.default", a, b);
}

/* Argument i, a number or a tensor of one element, as a 0-d tensor of `dtype`. */
static value number_of(buddy_call *call, size_t i, buddy_dtype dtype) {
  value a = be_arg_value(call, i);
  if (a) return cp_cast(call, cp_view(call, a, 0, NULL), dtype);
  return cp_scalar(call, dtype, be_float(call, i, 0));
}

/* The argument, f16 and bf16 as f32. */
static value widened(buddy_call *call, size_t i) {
  value a = be_arg_value(call, i);
  return a ? cp_cast(call, a, cp_compute_dtype(cp_type(call, a)->dtype)) : NULL;
}

/* The list's elements, as many as `n` tells, or one for all. Of two sizes that no one has said to be the same, the
 * running program finds out: what it selects has to be there. */
static value as_many(buddy_call *call, value list, int64_t n) {
  const buddy_tensor_type *type = cp_type(call, list);
  if (!type || type->rank != 1 || type->dims[0] == n || type->dims[0] == 1) return list;
  if (!BUDDY_IS_SYMBOLIC(type->dims[0]) && !BUDDY_IS_SYMBOLIC(n)) return list;
  return cp_rows(call, list, cp_iota(call, n, BUDDY_I64));
}

/* A list [n] as dims that broadcast along one axis of x. */
static value along(buddy_call *call, value list, const buddy_tensor_type *x, uint32_t axis) {
  int64_t dims[BE_MAX_RANK];
  if (!list || x->rank > BE_MAX_RANK) return NULL;
  list = as_many(call, list, x->rank ? x->dims[axis] : 1);
  if (!list) return NULL;
  for (uint32_t d = 0; d < x->rank; ++d) dims[d] = 1;
  if (x->rank) dims[axis] = be_n_elements(call, cp_type(call, list));
  return cp_view(call, list, x->rank, dims);
}

/* clamp(round(x / scale) + zero_point, low, high), without bounds as it is, where the division is a
 * product with 1 / scale; the zero point is rounded along if `adds_first`. */
static value quantized(buddy_call *call, value x, value inverse, value zero_point, value low,
                       value high, int adds_first) {
  value scaled = cp_mul(call, x, inverse);
  if (!scaled) return NULL;
  const buddy_dtype dtype = cp_type(call, scaled)->dtype;
  value shift = zero_point ? cp_cast(call, zero_point, dtype) : NULL;
  if (adds_first) scaled = cp_add(call, scaled, shift);
  value rounded = cp_unary(call, "aten.round.default", scaled);
  if (!adds_first) rounded = cp_add(call, rounded, shift);
  if (!low || !high) return rounded;
  return at_most(call, at_least(call, rounded, cp_cast(call, low, dtype)),
                 cp_cast(call, high, dtype));
}

/* (q - zero_point) scale */
static value restored(buddy_call *call, value q, value zero_point, value scale) {
  if (!q || !scale) return NULL;
  const buddy_dtype dtype = cp_type(call, scale)->dtype;
  value number = cp_cast(call, q, dtype);
  if (zero_point) number = cp_sub(call, number, cp_cast(call, zero_point, dtype));
  return cp_mul(call, number, scale);
}

/* quantize_per_tensor: input, scale, zero_point, quant_min, quant_max; numbers or tensors of one
 * element */
buddy_code cp_op_quantize(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = widened(call, 0);
  /* The scale is a number of Python's, f64: its inverse is rounded to the input's type. */
  value scale = number_of(call, 1, BUDDY_F64);
  value inverse = scale ? cp_unary(call, "aten.reciprocal.default", scale) : NULL;
  if (!x || !inverse) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  return cp_finish(call,
                   quantized(call, x, cp_cast(call, inverse, dtype), number_of(call, 2, dtype),
                             number_of(call, 3, dtype), number_of(call, 4, dtype), 0));
}

/* dequantize_per_tensor: input, scale, zero_point, …, out_dtype */
buddy_code cp_op_dequantize(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_dtype to = be_result_type(call, 0)->dtype;
  value scale = number_of(call, 1, cp_compute_dtype(to));
  return cp_finish(call, restored(call, be_arg_value(call, 0), number_of(call, 2, to), scale));
}

/* quantize_per_channel: input, scales, zero_points, axis, quant_min, quant_max */
buddy_code cp_op_quantize_per_channel(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = widened(call, 0), scales = be_arg_value(call, 1), zero_points = be_arg_value(call, 2);
  if (!x || !scales || !zero_points) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, x);
  const uint32_t axis = (uint32_t)be_axis(call, 3, type->rank, 0);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  value inverse = cp_unary(call, "aten.reciprocal.default", along(call, scales, type, axis));
  return cp_finish(call, quantized(call, x, inverse, along(call, zero_points, type, axis),
                                   number_of(call, 4, dtype), number_of(call, 5, dtype), 0));
}

/* dequantize_per_channel: input, scales, zero_points, axis, …, out_dtype */
buddy_code cp_op_dequantize_per_channel(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value q = be_arg_value(call, 0), scales = be_arg_value(call, 1);
  value zero_points = be_arg_value(call, 2);
  if (!q || !scales) return cp_finish(call, NULL);
  const buddy_tensor_type *type = cp_type(call, q);
  const uint32_t axis = (uint32_t)be_axis(call, 3, type->rank, 0);
  return cp_finish(call,
                   restored(call, q, zero_points ? along(call, zero_points, type, axis) : NULL,
                            along(call, scales, type, axis)));
}

/* quantize_per_token: input, scales, zero_points, quant_min, quant_max: they broadcast */
buddy_code cp_op_quantize_per_token(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = be_arg_value(call, 0), scales = be_arg_value(call, 1);
  if (!x || !scales) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  if (dtype != BUDDY_F32 && dtype != BUDDY_F64)
    return be_decline(call, "PyTorch rounds between the steps in this type");
  value inverse = cp_unary(call, "aten.reciprocal.default", scales);
  return cp_finish(call, quantized(call, x, inverse, be_arg_value(call, 2),
                                   number_of(call, 3, dtype), number_of(call, 4, dtype), 1));
}

/* dequantize_per_token: input, scales, zero_points, … */
buddy_code cp_op_dequantize_per_token(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return cp_finish(
      call, restored(call, be_arg_value(call, 0), be_arg_value(call, 2), be_arg_value(call, 1)));
}

/* ---- Quantized and back, in one op ---- */

/* fake_quant_per_channel: input, scales, zero_points, axis, quant_min, quant_max: ATen's of the same
 * meaning, in f32 */
buddy_code cp_op_fake_quant(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_cast(call, be_arg_value(call, 0), BUDDY_F32),
        scales = cp_cast(call, be_arg_value(call, 1), BUDDY_F32);
  if (!x || !scales) return cp_finish(call, NULL);
  return cp_finish(call, BE_NODE(call, "aten.fake_quantize_per_channel_affine.default",
                                 cp_type(call, x), be_t("self", x), be_t("scale", scales),
                                 be_pass(call, "zero_point", 2), be_pass(call, "axis", 3),
                                 be_pass(call, "quant_min", 4), be_pass(call, "quant_max", 5)));
}

/* fake_quantize_per_tensor_affine, …_per_channel_affine: self, scale, zero_point, [axis, or whether
 * anything is done: user], quant_min, quant_max; results: the tensor, and of …_cachemask where it
 * was within the range */
buddy_code cp_op_fake_quantize(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const cp_fake_quantize form = (cp_fake_quantize)(intptr_t)self->user;
  const size_t range = form == CP_FAKE_QUANTIZE_TENSOR ? 3 : 4;
  value x = widened(call, 0), scale, zero;
  if (!x) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  const buddy_tensor_type *type = cp_type(call, x);
  if (form == CP_FAKE_QUANTIZE_CHANNELS) {
    const uint32_t axis = (uint32_t)be_axis(call, 3, type->rank, 0);
    scale = cp_cast(call, along(call, be_arg_value(call, 1), type, axis), BUDDY_F32);
    zero = cp_cast(call, along(call, be_arg_value(call, 2), type, axis), dtype);
  } else {
    scale = number_of(call, 1, BUDDY_F32);
    zero = number_of(call, 2, dtype);
  }
  value low = number_of(call, range, dtype), high = number_of(call, range + 1, dtype);
  if (form == CP_FAKE_QUANTIZE_CHANNELS) {
    value is_within =
        cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ge.Tensor", zero, low),
                  cp_binary(call, "aten.le.Tensor", zero, high));
    zero = cp_checked(call, zero, is_within, "a zero point is not within the quantized range");
  }
  /* The scale and its inverse are f32, whatever x is; the product with one scale for all is, too. */
  value inverse = scale ? cp_unary(call, "aten.reciprocal.default", scale) : NULL;
  inverse = cp_cast(call, inverse, dtype);
  if (form == CP_FAKE_QUANTIZE_CHANNELS) scale = cp_cast(call, scale, dtype);
  value q = quantized(call, x, inverse, zero, NULL, NULL, 0);
  /* NaN is below all numbers, as it is where PyTorch casts it. */
  value is_number = cp_binary(call, "aten.eq.Tensor", q, q);
  value clipped = cp_where(call, is_number, at_most(call, at_least(call, q, low), high), low);
  value result = cp_cast(call, restored(call, clipped, zero, scale), dtype);
  value mask =
      cp_binary(call, "aten.logical_and.default", cp_binary(call, "aten.ge.Tensor", q, low),
                cp_binary(call, "aten.le.Tensor", q, high));
  if (form == CP_FAKE_QUANTIZE_IF) {
    value is_off = cp_number(call, "aten.eq.Tensor", number_of(call, 3, BUDDY_I64), 0);
    result = cp_where(call, is_off, x, result);
    mask = cp_binary(call, "aten.logical_or.default", mask, is_off);
  }
  const buddy_code code = cp_finish(call, result);
  return code == BUDDY_OK && be_host->n_results(call) > 1 ? be_replace(call, 1, mask) : code;
}

/* Rows of group_size elements, and one number for each of them. */
static value grouped(buddy_call *call, value a, int64_t size) {
  if (!a) return NULL;
  const int64_t n = be_n_elements(call, cp_type(call, a));
  const int64_t dims[2] = {be_dim(call, BUDDY_DIM_FLOORDIV, n, size), size};
  return cp_view(call, a, 2, dims);
}

/* quantize_per_channel_group: input, scales, zero_points, quant_min, quant_max, group_size */
buddy_code cp_op_quantize_groups(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const int64_t size = be_int(call, 5, 1);
  if (size < 1) return be_decline(call, "groups of %lld", (long long)size);
  value x = grouped(call, widened(call, 0), size), scales = grouped(call, be_arg_value(call, 1), 1);
  if (!x || !scales) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  value q = quantized(call, x, cp_unary(call, "aten.reciprocal.default", scales),
                      grouped(call, be_arg_value(call, 2), 1), number_of(call, 3, dtype),
                      number_of(call, 4, dtype), 0);
  return cp_finish_shaped(call, 0, q);
}

/* dequantize_per_channel_group: input, scales, zero_points, group_size, … */
buddy_code cp_op_dequantize_groups(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const int64_t size = be_int(call, 3, 1);
  if (size < 1) return be_decline(call, "groups of %lld", (long long)size);
  value zero_points = be_arg_value(call, 2);
  value x = restored(call, grouped(call, be_arg_value(call, 0), size),
                     zero_points ? grouped(call, zero_points, 1) : NULL,
                     grouped(call, be_arg_value(call, 1), 1));
  return cp_finish_shaped(call, 0, x);
}

/* ---- Choosing scales ------------------------------------------------------------------------- */

typedef struct range {
  value low, high; /* low not above zero, high not below */
} range;

/* Of all elements, or of each row along the last dim, which is kept. */
static range range_of(buddy_call *call, value x, int by_row) {
  const uint32_t rank = cp_type(call, x)->rank;
  const uint64_t axes = by_row ? UINT64_C(1) << (rank - 1) : (UINT64_C(1) << rank) - 1;
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  value high = cp_amax(call, x, axes, by_row);
  value low = cp_unary(call, "aten.neg.default",
                       cp_amax(call, cp_unary(call, "aten.neg.default", x), axes, by_row));
  return (range){at_most(call, low, cp_scalar(call, dtype, 0)),
                 at_least(call, high, cp_scalar(call, dtype, 0))};
}

static buddy_code replace_both(buddy_call *call, value scale, value zero_point) {
  const buddy_tensor_type *to[] = {be_result_type(call, 0), be_result_type(call, 1)};
  value both[] = {scale, zero_point};
  for (size_t i = 0; i < 2; ++i) {
    value a = both[i] ? cp_cast(call, both[i], to[i]->dtype) : NULL;
    const buddy_code code = be_replace(call, i, cp_view(call, a, to[i]->rank, to[i]->dims));
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}

/* choose_qparams: input, quant_min, quant_max, eps, dtype; user: symmetric */
buddy_code cp_op_choose_scale(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value x = be_arg_value(call, 0);
  if (!x || !be_is_float(cp_type(call, x)->dtype)) return be_decline(call, "an input of integers");
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  if (dtype != BUDDY_F32) return be_decline(call, "an input of another type than f32");
  const double low = be_float(call, 1, 0), high = be_float(call, 2, 255),
               eps = be_float(call, 3, 0);
  const range r = range_of(call, x, 0);
  value least = cp_scalar(call, dtype, eps);
  if (self->user) {
    value size = at_least(call, cp_unary(call, "aten.neg.default", r.low), r.high);
    value scale =
        at_least(call, cp_div(call, size, cp_scalar(call, dtype, (high - low) / 2)), least);
    const int64_t to = be_int(call, 4, 0);
    return replace_both(call, scale, cp_scalar(call, BUDDY_I64, to == BUDDY_U8 ? 128 : 0));
  }
  value scale = at_least(
      call, cp_div(call, cp_sub(call, r.high, r.low), cp_scalar(call, dtype, high - low)), least);
  value steps = cp_unary(call, "aten.round.default", cp_div(call, r.low, scale));
  value zero_point =
      steps ? cp_sub(call, cp_scalar(call, BUDDY_I64, low), cp_cast(call, steps, BUDDY_I64)) : NULL;
  return replace_both(call, scale,
                      at_most(call, at_least(call, zero_point, cp_scalar(call, BUDDY_I64, low)),
                              cp_scalar(call, BUDDY_I64, high)));
}

/* Integers as f32, where a fraction takes part. */
static value fractional(buddy_call *call, value a) {
  return a && !be_is_float(cp_type(call, a)->dtype) ? cp_cast(call, a, BUDDY_F32) : a;
}

/* choose_qparams_per_token: input, dtype: the largest size of a row over 127, no zero point */
buddy_code cp_op_choose_scale_per_token(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = be_arg_value(call, 0);
  if (!x || be_int(call, 1, 0) != BUDDY_I8) return be_decline(call, "another type than i8");
  const uint64_t last = UINT64_C(1) << (cp_type(call, x)->rank - 1);
  value size = fractional(call, cp_amax(call, cp_unary(call, "aten.abs.default", x), last, 1));
  if (cp_type(call, x)->dtype == BUDDY_F16) size = cp_cast(call, size, BUDDY_F32);
  if (!size) return cp_finish(call, NULL);
  size = at_least(call, size, cp_scalar(call, cp_type(call, size)->dtype, 1e-5));
  value scale = cp_number(call, "aten.div.Tensor", size, 127);
  return replace_both(call, scale, scale ? cp_full(call, cp_type(call, scale), 0) : NULL);
}

/* choose_qparams_per_token_asymmetric: input, dtype: from -128 to 127; the zero point is reckoned
 * from the end at which it errs less */
buddy_code cp_op_choose_range_per_token(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value x = be_arg_value(call, 0);
  if (!x) return cp_finish(call, NULL);
  const range r = range_of(call, x, 1);
  value width = fractional(call, cp_sub(call, r.high, r.low));
  if (!width) return cp_finish(call, NULL);
  const buddy_dtype dtype = cp_type(call, width)->dtype;
  value scale = at_least(call, cp_number(call, "aten.div.Tensor", width, 255),
                         cp_scalar(call, dtype, EPSILON_F32));
  value low = cp_div(call, fractional(call, r.low), scale),
        high = cp_div(call, fractional(call, r.high), scale);
  value error = cp_add(call, cp_add_number(call, low, -128), cp_add_number(call, high, 127));
  value from_low = cp_sub(call, cp_scalar(call, dtype, -128), low),
        from_high = cp_sub(call, cp_scalar(call, dtype, 127), high);
  value zero_point = cp_where(call, error ? cp_number(call, "aten.gt.Tensor", error, 0) : NULL,
                              from_low, from_high);
  zero_point = at_most(call, at_least(call, zero_point, cp_scalar(call, dtype, -128)),
                       cp_scalar(call, dtype, 127));
  return replace_both(call, scale,
                      zero_point ? cp_unary(call, "aten.round.default", zero_point) : NULL);
}

/* ---- Products with narrow weights ------------------------------------------------------------ */

/* _weight_int8pack_mm: self [m, k], mat2 [n, k] of i8, scales [n] */
buddy_code cp_op_int8_weight_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = widened(call, 0), weight = be_arg_value(call, 1), scales = widened(call, 2);
  if (!x || !weight || !scales) return cp_finish(call, NULL);
  value wide = cp_swap(call, cp_cast(call, weight, cp_type(call, x)->dtype), 0, 1);
  return cp_finish(call, cp_mul(call, cp_matmul(call, x, wide), scales));
}

/* _weight_int4pack_mm_for_cpu: PyTorch packs in three ways, by the vectors of the processor, and an
 * archive does not say by which. */
buddy_code cp_op_int4_weight_mm(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_decline(call,
                    "how the weight's numbers of four bits lie depends on the processor that "
                    "packed them; export the model with weights that are not packed");
}
