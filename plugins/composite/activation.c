// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/activation.c: elementwise ops that are formulas over simpler ones. f16 and bf16
 * are computed in f32, as PyTorch's CPU kernels do, and rounded once at the end. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

static value sigmoid(buddy_call *call, value x) {
  return cp_unary(call, "aten.sigmoid.default", x);
}
static value exp_of(buddy_call *call, value x) { return cp_unary(call, "aten.exp.default", x); }
static value log_of(buddy_call *call, value x) { return cp_unary(call, "aten.log.default", x); }
static value tanh_of(buddy_call *call, value x) { return cp_unary(call, "aten.tanh.default", x); }
static value abs_of(buddy_call *call, value x) { return cp_unary(call, "aten.abs.default", x); }
static value neg(buddy_call *call, value x) { return cp_unary(call, "aten.neg.default", x); }
static value log1p_of(buddy_call *call, value x) { return cp_unary(call, "aten.log1p.default", x); }
static value expm1_of(buddy_call *call, value x) { return cp_unary(call, "aten.expm1.default", x); }
static value greater(buddy_call *call, value x, double number) {
  return cp_number(call, "aten.gt.Tensor", x, number);
}
static value clamp(buddy_call *call, value x, double low, double high) {
  return x ? BE_NODE(call, "aten.clamp.default", NULL, be_t("self", x), be_f("min", low),
                     be_f("max", high))
           : NULL;
}
static value zeros_like(buddy_call *call, value x) {
  return x ? cp_full(call, cp_type(call, x), 0) : NULL;
}
static value relu(buddy_call *call, value x) { return cp_unary(call, "aten.relu.default", x); }

/* ---- One argument, one formula --------------------------------------------------------------- */
/* x * sigmoid(x) */
static value silu(buddy_call *call, value x) { return cp_mul(call, x, sigmoid(call, x)); }

/* softplus for beta 1 and no threshold, in the form that never overflows: max(x, 0) +
 * log1p(exp(-|x|)) */
static value softplus_of(buddy_call *call, value x) {
  return cp_add(call, relu(call, x), log1p_of(call, exp_of(call, neg(call, abs_of(call, x)))));
}

static value mish(buddy_call *call, value x) {
  return cp_mul(call, x, tanh_of(call, softplus_of(call, x)));
}

/* min(x, 0) - log1p(exp(-|x|)) */
static value log_sigmoid(buddy_call *call, value x) {
  return neg(call, softplus_of(call, neg(call, x)));
}

/* clamp(x + 3, 0, 6) / 6 */
static value hardsigmoid(buddy_call *call, value x) {
  value shifted = clamp(call, cp_add_number(call, x, 3), 0, 6);
  return cp_number(call, "aten.div.Tensor", shifted, 6);
}

static value hardswish(buddy_call *call, value x) {
  value shifted = clamp(call, cp_add_number(call, x, 3), 0, 6);
  return cp_number(call, "aten.div.Tensor", cp_mul(call, x, shifted), 6);
}

static value relu6(buddy_call *call, value x) { return clamp(call, x, 0, 6); }
static value square(buddy_call *call, value x) { return cp_mul(call, x, x); }
static value frac(buddy_call *call, value x) {
  return cp_sub(call, x, cp_unary(call, "aten.trunc.default", x));
}
static value deg2rad(buddy_call *call, value x) {
  return cp_mul_number(call, x, 0.017453292519943295);
}
static value rad2deg(buddy_call *call, value x) {
  return cp_mul_number(call, x, 57.29577951308232);
}

/* sin(pi x) / (pi x), and 1 at 0 */
static value sinc(buddy_call *call, value x) {
  value scaled = cp_mul_number(call, x, 3.141592653589793);
  value quotient = cp_div(call, cp_unary(call, "aten.sin.default", scaled), scaled);
  return x ? cp_where(call, cp_number(call, "aten.eq.Tensor", x, 0),
                      cp_full(call, cp_type(call, x), 1), quotient)
           : NULL;
}

/* selu's constants, as in PyTorch */
static value selu(buddy_call *call, value x) {
  const double alpha = 1.6732632423543772848170429916717, scale = 1.0507009873554804934193349852946;
  value negative = cp_mul_number(call, expm1_of(call, x), alpha * scale);
  return cp_where(call, greater(call, x, 0), cp_mul_number(call, x, scale), negative);
}

typedef struct formula {
  const char *name;
  value (*of)(buddy_call *call, value x);
} formula;
static const formula formulas[] = {
    {"aten.silu.default", silu},
    {"aten.mish.default", mish},
    {"aten.log_sigmoid.default", log_sigmoid},
    {"aten.hardsigmoid.default", hardsigmoid},
    {"aten.hardswish.default", hardswish},
    {"aten.relu6.default", relu6},
    {"aten.square.default", square},
    {"aten.frac.default", frac},
    {"aten.deg2rad.default", deg2rad},
    {"aten.rad2deg.default", rad2deg},
    {"aten.sinc.default", sinc},
    {"aten.selu.default", selu},
};

buddy_code cp_op_formula(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  for (size_t i = 0; i < sizeof(formulas) / sizeof(formulas[0]); ++i) {
    if (strcmp(formulas[i].name, self->name) == 0)
      return cp_finish(call, formulas[i].of(call, cp_computed(call, 0)));
  }
  return be_decline(call, "no formula of this name");
}

/* ---- With numbers ---------------------------------------------------------------------------- */
buddy_code cp_op_gelu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const buddy_arg *approximate = be_arg(call, 1);
  const bool is_tanh =
      approximate->kind == BUDDY_ARG_STRING && strcmp(approximate->as.string, "tanh") == 0;
  value half = cp_mul_number(call, x, 0.5), inner;
  if (is_tanh) { /* 0.5 x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) */
    value cubic = cp_mul_number(call, cp_mul(call, cp_mul(call, x, x), x), 0.044715);
    inner = tanh_of(call, cp_mul_number(call, cp_add(call, x, cubic), 0.7978845608028654));
  } else { /* 0.5 x (1 + erf(x / sqrt(2))) */
    inner = cp_unary(call, "aten.erf.default", cp_mul_number(call, x, 0.7071067811865476));
  }
  return cp_finish(call, cp_mul(call, half, cp_add_number(call, inner, 1)));
}

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

/* elu(x) = scale x above 0, scale alpha (exp(input_scale x) - 1) below */
buddy_code cp_op_elu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const double alpha = be_float(call, 1, 1), scale = be_float(call, 2, 1),
               input_scale = be_float(call, 3, 1);
  value negative =
      cp_mul_number(call, expm1_of(call, cp_mul_number(call, x, input_scale)), alpha * scale);
  return cp_finish(call,
                   cp_where(call, greater(call, x, 0), cp_mul_number(call, x, scale), negative));
}

/* celu(x) = x above 0, alpha (exp(x / alpha) - 1) below */
buddy_code cp_op_celu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const double alpha = be_float(call, 1, 1);
  value negative =
      cp_mul_number(call, expm1_of(call, cp_number(call, "aten.div.Tensor", x, alpha)), alpha);
  return cp_finish(call, cp_where(call, greater(call, x, 0), x, negative));
}

buddy_code cp_op_leaky_relu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  return cp_finish(call, cp_where(call, greater(call, x, 0), x,
                                  cp_mul_number(call, x, be_float(call, 1, 0.01))));
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
  return cp_finish(call, cp_where(call, greater(call, x, 0), x, cp_mul(call, x, weight)));
}

/* log1p(exp(beta x)) / beta, and x itself where beta x is above the threshold */
buddy_code cp_op_softplus(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const double beta = be_float(call, 1, 1), threshold = be_float(call, 2, 20);
  value scaled = cp_mul_number(call, x, beta);
  value soft = cp_number(call, "aten.div.Tensor", log1p_of(call, exp_of(call, scaled)), beta);
  return cp_finish(call, cp_where(call, greater(call, scaled, threshold), x, soft));
}

buddy_code cp_op_threshold(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0);
  value is_low = cp_number(call, "aten.le.Tensor", x, be_float(call, 1, 0));
  value number =
      cp_full(call, be_type(call, cp_type(call, x)->dtype, 0, NULL), be_float(call, 2, 0));
  return cp_finish(call,
                   cp_where(call, is_low, number, x)); /* NaN stays, as it is not below anything */
}

buddy_code cp_op_hardshrink(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const double lambda = be_float(call, 1, 0.5);
  value is_low = cp_number(call, "aten.ge.Tensor", x, -lambda),
        is_high = cp_number(call, "aten.le.Tensor", x, lambda);
  value is_inside = cp_binary(call, "aten.logical_and.default", is_low, is_high);
  return cp_finish(call, cp_where(call, is_inside, zeros_like(call, x), x));
}

buddy_code cp_op_softshrink(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const double lambda = be_float(call, 1, 0.5);
  value below =
      cp_where(call, cp_number(call, "aten.lt.Tensor", x, -lambda), cp_add_number(call, x, lambda),
               cp_where(call, cp_binary(call, "aten.ne.Tensor", x, x), x, zeros_like(call, x)));
  return cp_finish(
      call, cp_where(call, greater(call, x, lambda), cp_add_number(call, x, -lambda), below));
}

/* a * sigmoid(b) of the two halves of a dim */
buddy_code cp_op_glu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0);
  const buddy_tensor_type *type = cp_type(call, x);
  const uint32_t dim = (uint32_t)be_axis(call, 1, type->rank, -1);
  const int64_t half = be_result_type(call, 0)->dims[dim];
  return cp_finish(call, cp_mul(call, cp_slice(call, x, dim, 0, half, 1),
                                sigmoid(call, cp_slice(call, x, dim, half, half, 1))));
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
  return cp_finish(call, scaled
                             ? BE_NODE(call, "aten.add.Tensor", NULL,
                                       be_t("self", neg(call, scaled)), be_pass(call, "other", 1))
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

buddy_code cp_op_lerp_tensor(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value from = cp_computed(call, 0), to = cp_computed(call, 1), weight = cp_computed(call, 2);
  value way = cp_sub(call, to, from);
  value near_start = cp_add(call, from, cp_mul(call, weight, way));
  value rest = cp_add_number(call, neg(call, weight), 1);
  value near_end = cp_sub(call, to, cp_mul(call, way, rest));
  value is_near_start = cp_number(call, "aten.lt.Tensor", abs_of(call, weight), 0.5);
  return cp_finish(call, cp_where(call, is_near_start, near_start, near_end));
}

/* max(a, b) + log1p(exp(-|a - b|)), and a itself where both are the same infinity */
buddy_code cp_op_logaddexp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = cp_computed(call, 0), b = cp_computed(call, 1);
  value largest = cp_binary(call, "aten.maximum.default", a, b);
  value tail = log1p_of(call, exp_of(call, neg(call, abs_of(call, cp_sub(call, a, b)))));
  value is_same_infinity =
      cp_binary(call, "aten.logical_and.default", cp_unary(call, "aten.isinf.default", a),
                cp_binary(call, "aten.eq.Tensor", a, b));
  return cp_finish(call, cp_where(call, is_same_infinity, a, cp_add(call, largest, tail)));
}

/* x log(y), 0 where x is 0 unless y is NaN */
buddy_code cp_op_xlogy(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = cp_computed(call, 0), y = cp_computed(call, 1);
  value product = cp_mul(call, x, log_of(call, y));
  value zero = cp_where(call, cp_unary(call, "aten.isnan.default", y), y, zeros_like(call, y));
  return cp_finish(call, cp_where(call, cp_number(call, "aten.eq.Tensor", x, 0), zero, product));
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
