// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/activation.c: elementwise ops that are more than one formula (activation.inc has those that
 * are). f16 and bf16 are computed in f32, as PyTorch's CPU kernels do, and rounded once at the end. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- With numbers ---------------------------------------------------------------------------- */
buddy_code cp_op_hardtanh(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return cp_finish(call, BE_NODE(call, "aten.clamp.default", be_result_type(call, 0),
                                 be_t("self", be_arg_value(call, 0)), be_pass(call, "min", 1),
                                 be_pass(call, "max", 2)));
}

buddy_code cp_op_clamp_bound(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return cp_finish(call, BE_NODE(call, "aten.clamp.default", be_result_type(call, 0),
                                 be_t("self", be_arg_value(call, 0)),
                                 be_pass(call, (const char *)self->user, 1)));
}

/* prelu(x, w): the weight runs along dim 1, or is one number */
buddy_code cp_op_prelu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), weight = cp_computed(call, 1);
  const buddy_tensor_type *type = cp_type(call, x), *weight_type = cp_type(call, weight);
  if (weight_type->rank == 1 && type->rank >= 2) {
    int64_t dims[BE_MAX_RANK];
    if (type->rank > BE_MAX_RANK)
      return be_decline(call, "rank %u is above %d", type->rank, BE_MAX_RANK);
    for (uint32_t d = 0; d < type->rank; ++d) dims[d] = d == 1 ? weight_type->dims[0] : 1;
    weight = cp_view(call, weight, type->rank, dims);
  } else if (type->rank == 0) {
    weight = cp_view(call, weight, 0, NULL); /* it may have rank 1 */
  }
  return cp_finish(
      call, cp_where(call, cp_number(call, "aten.gt.Tensor", x, 0), x, cp_mul(call, x, weight)));
}

/* a * sigmoid(b) of the two halves of a dim */
buddy_code cp_op_glu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const buddy_tensor_type *type = cp_type(call, x);
  const uint32_t dim = (uint32_t)be_axis(call, 1, type->rank, -1);
  const int64_t half = be_result_type(call, 0)->dims[dim];
  return cp_finish(
      call, cp_mul(call, cp_slice(call, x, dim, 0, half, 1),
                   cp_unary(call, "aten.sigmoid.default", cp_slice(call, x, dim, half, half, 1))));
}

/* ---- Several tensors ------------------------------------------------------------------------- */
/* The number of argument i times x; x itself for 1. */
static value times_number(buddy_call *call, value x, size_t i) {
  const buddy_arg *arg = be_arg(call, i);
  if (arg->kind == BUDDY_ARG_INT && arg->as.i == 1) return x;
  if (arg->kind == BUDDY_ARG_FLOAT && arg->as.f == 1) return x;
  return x ? BE_NODE(call, "aten.mul.Tensor", NULL, be_t("self", x), be_pass(call, "other", i))
           : NULL;
}

/* self + value * tensor1 * tensor2, or divided by it: user is the op */
buddy_code cp_op_addc(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value product = cp_binary(call, (const char *)self->user,
                            times_number(call, cp_computed(call, 1), 3), cp_computed(call, 2));
  return cp_finish(call, cp_add(call, cp_computed(call, 0), product));
}

/* other - alpha * self */
buddy_code cp_op_rsub(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value scaled = times_number(call, be_arg_value(call, 0), 2);
  if (be_arg_value(call, 1)) return cp_finish(call, cp_sub(call, be_arg_value(call, 1), scaled));
  return cp_finish(call, scaled ? BE_NODE(call, "aten.add.Tensor", NULL,
                                          be_t("self", cp_unary(call, "aten.neg.default", scaled)),
                                          be_pass(call, "other", 1))
                                : NULL);
}

/* PyTorch's two forms, so that both ends are exact: self + w d for |w| < 0.5, end - (1 - w) d
 * otherwise */
buddy_code cp_op_lerp_number(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value from = cp_computed(call, 0), to = cp_computed(call, 1);
  const double weight = be_float(call, 2, 0);
  value way = cp_sub(call, to, from);
  if (fabs(weight) < 0.5)
    return cp_finish(call, cp_add(call, from, cp_mul_number(call, way, weight)));
  return cp_finish(call, cp_sub(call, to, cp_mul_number(call, way, 1 - weight)));
}

/* masked_fill(self, mask, number or 0-d tensor) */
buddy_code cp_op_masked_fill(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), filler = be_arg_value(call, 2);
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  if (filler) {
    filler = cp_cast(call, filler, dtype);
  } else {
    filler = BE_NODE(call, "aten.full.default", be_type(call, dtype, 0, NULL),
                     be_is("size", NULL, 0), be_pass(call, "fill_value", 2), be_d("dtype", dtype));
  }
  return cp_finish(call, cp_where(call, be_arg_value(call, 1), filler, x));
}

/* NaN and infinities to numbers; by default 0 and the largest finite numbers of the dtype */
buddy_code cp_op_nan_to_num(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  const buddy_dtype dtype = cp_type(call, x)->dtype;
  const double nan = be_float(call, 1, 0);
  const double largest = dtype == BUDDY_F64    ? 1.7976931348623157e308
                         : dtype == BUDDY_F16  ? 65504.0
                         : dtype == BUDDY_BF16 ? 3.3895313892515355e38
                                               : 3.4028234663852886e38;
  const double high = be_float(call, 2, largest), low = be_float(call, 3, -largest);
  if (!be_is_float(dtype)) return cp_finish(call, x);
  const buddy_tensor_type *scalar = be_type(call, dtype, 0, NULL);
  value y = cp_where(call, cp_unary(call, "aten.isnan.default", x), cp_full(call, scalar, nan), x);
  y = cp_where(call, cp_number(call, "aten.eq.Tensor", x, INFINITY), cp_full(call, scalar, high),
               y);
  return cp_finish(call, cp_where(call, cp_number(call, "aten.eq.Tensor", x, -INFINITY),
                                  cp_full(call, scalar, low), y));
}
