// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/elementwise.c: ops on single elements. TOSA broadcasts dims of 1 between equal
 * ranks, so operands of lower rank are reshaped first. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/tosa/rows.h"

buddy_code ts_emit_unary(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return be_result(call, 0, BE_OP(call, self->user, be_result_type(call, 0), be_tensor(call, 0)));
}

/* user is the op, the other's inverse: upstream folds them together, which loses infinities */
buddy_code ts_emit_exp(void *state, const buddy_op *self, buddy_call *call) {
  const bool is_exp = strcmp(self->user, "tosa.exp") == 0;
  if (ts_is_made_by(be_tensor(call, 0), is_exp ? "tosa.log" : "tosa.exp"))
    return be_decline(call, "TOSA's folders take exp and log for exact inverses");
  return ts_emit_unary(state, self, call);
}

buddy_code ts_emit_truncate(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(call, 0, ts_truncate(call, be_result_type(call, 0), be_tensor(call, 0)));
}

/* Halves go to the even neighbour. Where nothing is cut off, the number stays, -0.0 included. */
buddy_code ts_emit_round(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const MlirValue x = be_tensor(call, 0), zero = ts_number(call, to->dtype, 1, 0);
  const MlirValue half = ts_number(call, to->dtype, to->rank, 0.5),
                  one = ts_number(call, to->dtype, to->rank, 1),
                  none = ts_number(call, to->dtype, to->rank, 0);
  const MlirValue size = BE_OP(call, "tosa.abs", to, x), low = BE_OP(call, "tosa.floor", to, size);
  const MlirValue cut = BE_OP(call, "tosa.sub", to, size, low);
  const MlirValue halved = ts_multiply(call, to, low, half);
  const MlirValue is_even =
      BE_OP(call, "tosa.equal", truth, halved, BE_OP(call, "tosa.floor", to, halved));
  const MlirValue is_up =
      BE_OP(call, "tosa.select", truth, is_even, BE_OP(call, "tosa.greater", truth, cut, half),
            BE_OP(call, "tosa.greater_equal", truth, cut, half));
  const MlirValue rounded =
      BE_OP(call, "tosa.select", to, is_up, BE_OP(call, "tosa.add", to, low, one), low);
  const MlirValue is_negative = BE_OP(call, "tosa.greater", truth, none, x);
  const MlirValue signed_ = BE_OP(call, "tosa.select", to, is_negative,
                                  BE_OP(call, "tosa.negate", to, rounded, zero, zero), rounded);
  return be_result(
      call, 0,
      BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.equal", truth, cut, none), x, signed_));
}

/* (x > 0) - (x < 0), which is 0 for NaN */
buddy_code ts_emit_sign(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const MlirValue x = be_tensor(call, 0), zero = ts_number(call, to->dtype, to->rank, 0),
                  one = ts_number(call, to->dtype, to->rank, 1),
                  minus_one = ts_number(call, to->dtype, to->rank, -1);
  const MlirValue below =
      BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.greater", truth, zero, x), minus_one, zero);
  const MlirValue above =
      BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.greater", truth, x, zero), one, below);
  return be_result(call, 0, above);
}

/* What is no number is not equal to itself. */
buddy_code ts_emit_isnan(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue x = be_tensor(call, 0);
  return be_result(call, 0,
                   BE_OP(call, "tosa.logical_not", to, BE_OP(call, "tosa.equal", to, x, x)));
}

buddy_code ts_emit_isinf(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_dtype dtype = be_arg_type(call, 0)->dtype;
  const MlirValue x = be_tensor(call, 0);
  const MlirValue above =
                      BE_OP(call, "tosa.equal", to, x, ts_number(call, dtype, to->rank, INFINITY)),
                  below =
                      BE_OP(call, "tosa.equal", to, x, ts_number(call, dtype, to->rank, -INFINITY));
  return be_result(call, 0, BE_OP(call, "tosa.logical_or", to, above, below));
}

/* log(u) x / (u - 1), u = 1 + x rounded: what u lost, both factors lost (Kahan). Where u is 1 it is
 * x, and log(u) where nothing was lost. */
buddy_code ts_emit_log1p(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const MlirValue x = be_tensor(call, 0), one = ts_number(call, to->dtype, to->rank, 1);
  const MlirValue u = BE_OP(call, "tosa.add", to, x, one),
                  rest = BE_OP(call, "tosa.sub", to, u, one);
  const MlirValue log = BE_OP(call, "tosa.log", to, u);
  const MlirValue scale = ts_multiply(call, to, x, BE_OP(call, "tosa.reciprocal", to, rest));
  const MlirValue small = BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.equal", truth, u, one),
                                x, ts_multiply(call, to, log, scale));
  const MlirValue is_whole =
      BE_OP(call, "tosa.logical_and", truth, BE_OP(call, "tosa.equal", truth, rest, x),
            BE_OP(call, "tosa.logical_not", truth, BE_OP(call, "tosa.equal", truth, u, one)));
  return be_result(call, 0, BE_OP(call, "tosa.select", to, is_whole, log, small));
}

/* (u - 1) x / log(u), u = exp(x) rounded, in the same way; u - 1 where it is u or -1. */
buddy_code ts_emit_expm1(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const MlirValue x = be_tensor(call, 0), one = ts_number(call, to->dtype, to->rank, 1),
                  minus_one = ts_number(call, to->dtype, to->rank, -1);
  const MlirValue u = BE_OP(call, "tosa.exp", to, x), rest = BE_OP(call, "tosa.sub", to, u, one);
  const MlirValue is_one = BE_OP(call, "tosa.equal", truth, u, one);
  const MlirValue is_far =
      BE_OP(call, "tosa.logical_or", truth, BE_OP(call, "tosa.equal", truth, rest, u),
            BE_OP(call, "tosa.equal", truth, rest, minus_one));
  /* not log(exp(x)), which TOSA's folders take for x */
  const MlirValue safe =
      BE_OP(call, "tosa.select", to, is_far, ts_number(call, to->dtype, to->rank, 2), u);
  const MlirValue inverse = BE_OP(call, "tosa.reciprocal", to, BE_OP(call, "tosa.log", to, safe));
  const MlirValue near = ts_multiply(call, to, rest, ts_multiply(call, to, x, inverse));
  const MlirValue far = BE_OP(call, "tosa.select", to, is_far, rest, near);
  return be_result(call, 0, BE_OP(call, "tosa.select", to, is_one, x, far));
}

/* 0 - x */
buddy_code ts_emit_int_negate(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue zero = ts_number(call, to->dtype, to->rank, 0);
  return be_result(call, 0, BE_OP(call, "tosa.sub", to, zero, be_tensor(call, 0)));
}

/* pow has other answers for -0.0, negative numbers and their infinity. */
buddy_code ts_emit_sqrt(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const MlirValue x = be_tensor(call, 0), zero = ts_number(call, to->dtype, to->rank, 0);
  const MlirValue root = BE_OP(call, "tosa.pow", to, x, ts_number(call, to->dtype, to->rank, 0.5));
  const MlirValue none = ts_number(call, to->dtype, to->rank, (double)NAN);
  const MlirValue real =
      BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.greater", truth, zero, x), none, root);
  return be_result(
      call, 0, BE_OP(call, "tosa.select", to, BE_OP(call, "tosa.equal", truth, x, zero), x, real));
}

buddy_code ts_emit_negate(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue zero = ts_number(call, to->dtype, 1, 0);
  return be_result(call, 0, BE_OP(call, "tosa.negate", to, be_tensor(call, 0), zero, zero));
}

/* ---- Two operands ---------------------------------------------------------------------------- */
static MlirValue operand(buddy_call *call, size_t i) {
  return ts_operand(call, i, be_result_type(call, 0)->rank, ts_operand_dtype(call));
}

buddy_code ts_emit_binary(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const MlirValue a = operand(call, 0), b = operand(call, 1);
  return be_result(call, 0, BE_OP(call, self->user, be_result_type(call, 0), a, b));
}

/* user: the op of integers, and that of truth values */
buddy_code ts_emit_bitwise(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const char *const *ops = self->user;
  const char *op = ops[to->dtype == BUDDY_BOOL];
  if (be_host->n_args(call) == 1) return be_result(call, 0, BE_OP(call, op, to, operand(call, 0)));
  return be_result(call, 0, BE_OP(call, op, to, operand(call, 0), operand(call, 1)));
}

static bool is_narrow(buddy_dtype dtype) { return dtype == BUDDY_F16 || dtype == BUDDY_BF16; }

/* self op alpha * other */
buddy_code ts_emit_add(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const double alpha = be_float(call, 2, 1);
  int exponent;
  if (is_narrow(to->dtype) && fabs(frexp(alpha, &exponent)) != 0.5)
    return be_decline(call, "TOSA rounds the product with alpha, which PyTorch does not");
  const MlirValue a = operand(call, 0);
  MlirValue b = operand(call, 1);
  if (alpha != 1) {
    int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
    const buddy_tensor_type *type = be_arg_type(call, 1);
    if (type) memcpy(dims + (to->rank - type->rank), type->dims, type->rank * sizeof(*dims));
    b = ts_multiply(call, be_type(call, to->dtype, to->rank, dims), b,
                    ts_number_arg(call, 2, to->dtype, to->rank));
  }
  if (ts_is_zero(a) || ts_is_zero(b))
    return be_decline(call, "an operand is 0: TOSA's folders would keep -0.0");
  return be_result(call, 0, BE_OP(call, self->user, to, a, b));
}

/* Whether a factor is a number that the 16-bit floats beside it cannot hold; PyTorch multiplies in
 * f32 then. */
static bool is_finer(const buddy_arg *arg, buddy_dtype dtype) {
  int exponent;
  if (arg->kind != BUDDY_ARG_FLOAT || !is_narrow(dtype)) return false;
  const double digits = ldexp(frexp(arg->as.f, &exponent), dtype == BUDDY_F16 ? 11 : 8);
  return isfinite(arg->as.f) && (digits != nearbyint(digits) || (exponent < -13 && arg->as.f != 0));
}

buddy_code ts_emit_mul(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_dtype dtype = be_result_type(call, 0)->dtype;
  if (is_finer(be_arg(call, 0), dtype) || is_finer(be_arg(call, 1), dtype))
    return be_decline(call, "a factor is no number of the dtype, and is not rounded");
  const MlirValue a = operand(call, 0), b = operand(call, 1);
  if (ts_is_zero(a) || ts_is_zero(b))
    return be_decline(call, "a factor is 0: TOSA's folders would lose NaN and infinities");
  return be_result(call, 0, ts_multiply(call, be_result_type(call, 0), a, b));
}

/* TOSA has no division of floats, and x * (1 / y) rounds twice; by a power of two it does not. */
buddy_code ts_match_div(void *state, const buddy_op *self, buddy_call *call) {
  if (be_arg_type(call, 1))
    return be_decline(call, "TOSA has no division of floats that rounds once");
  int exponent = 0;
  const double divisor = be_float(call, 1, 0);
  if (fabs(frexp(divisor, &exponent)) != 0.5 || exponent < -100 || exponent > 100) {
    return be_decline(call, "TOSA has no division of floats, and 1 / %g is not exact", divisor);
  }
  return ts_match(state, self, call);
}

buddy_code ts_emit_div(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue inverse = ts_number(call, to->dtype, to->rank, 1 / be_float(call, 1, 1));
  return be_result(call, 0, ts_multiply(call, to, be_tensor(call, 0), inverse));
}

/* self, min, max: tensors or None */
buddy_code ts_emit_clamp_tensors(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  static const char *const ops[] = {"tosa.maximum", "tosa.minimum"};
  MlirValue x = operand(call, 0);
  for (size_t i = 1; i < be_host->n_args(call); ++i) {
    const size_t op = self->user ? (size_t)(uintptr_t)self->user - 1 : i - 1;
    if (!be_is_none(call, i)) x = BE_OP(call, ops[op], to, x, operand(call, i));
  }
  return be_result(call, 0, x);
}

/* ---- Comparisons: user is the op; one that starts with '<' has its operands the other way
 * round */
buddy_code ts_emit_compare(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const char *name = self->user;
  const bool is_swapped = *name == '<';
  const MlirValue a = operand(call, 0), b = operand(call, 1);
  return be_result(call, 0,
                   BE_OP(call, name + is_swapped, be_result_type(call, 0), is_swapped ? b : a,
                         is_swapped ? a : b));
}

buddy_code ts_emit_not_equal(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue a = operand(call, 0), b = operand(call, 1);
  return be_result(call, 0,
                   BE_OP(call, "tosa.logical_not", to, BE_OP(call, "tosa.equal", to, a, b)));
}

/* where(condition, self, other) */
buddy_code ts_emit_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue condition = ts_operand(call, 0, to->rank, BUDDY_BOOL);
  const MlirValue a = ts_operand(call, 1, to->rank, to->dtype),
                  b = ts_operand(call, 2, to->rank, to->dtype);
  return be_result(call, 0, BE_OP(call, "tosa.select", to, condition, a, b));
}

/* ---- Conversions ----------------------------------------------------------------------------- */
buddy_code ts_match_cast(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_dtype from = be_arg_type(call, 0)->dtype, to = be_result_type(call, 0)->dtype;
  if (be_is_float(from) && !be_is_float(to)) {
    return be_decline(call, "TOSA rounds floats to the nearest integer, PyTorch towards zero");
  }
  if (from == BUDDY_I64 && be_is_float(to))
    return be_decline(call, "TOSA converts no 64-bit integers to floats in one step");
  if (from != to && (from == BUDDY_F16 || from == BUDDY_BF16) &&
      (to == BUDDY_F16 || to == BUDDY_BF16))
    return be_decline(call, "TOSA's cast between f16 and bf16 has no lowering");
  return ts_match(state, self, call);
}

/* ---- Clamps ---------------------------------------------------------------------------------- */
static MlirValue clamp(buddy_call *call, double low, double high) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  MlirAttribute bounds[2];
  if (be_is_float(to->dtype)) {
    bounds[0] = be_attr_float(call, to->dtype, low);
    bounds[1] = be_attr_float(call, to->dtype, high);
  } else {
    bounds[0] = be_attr_i32(call, low < INT32_MIN ? INT32_MIN : (int32_t)low);
    bounds[1] = be_attr_i32(call, high > INT32_MAX ? INT32_MAX : (int32_t)high);
  }
  const be_attribute attributes[] = {
      {"min_val", bounds[0]}, {"max_val", bounds[1]}, {NULL, {NULL}}};
  return BE_OP_ATTRS(call, "tosa.clamp", to, attributes, be_tensor(call, 0));
}

buddy_code ts_emit_relu(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_result(call, 0, clamp(call, 0, INFINITY));
}

/* clamp_max(self, max) has its one bound where others have the least */
static double bound(buddy_call *call, const buddy_op *self, size_t i, double if_none) {
  if (!self->user) return be_float(call, i, if_none);
  return i == (size_t)(uintptr_t)self->user ? be_float(call, 1, if_none) : if_none;
}

/* self, min, max: numbers or None; user: 1 or 2 where the op has one of them alone */
buddy_code ts_match_clamp(void *state, const buddy_op *self, buddy_call *call) {
  const double low = bound(call, self, 1, -INFINITY), high = bound(call, self, 2, INFINITY);
  if (isnan(low) || isnan(high)) return be_decline(call, "a bound is NaN");
  if (low > high) return be_decline(call, "min %g is above max %g", low, high);
  if (!be_is_float(be_result_type(call, 0)->dtype) && (low > INT32_MAX || high < INT32_MIN)) {
    return be_decline(call, "a bound is outside i32");
  }
  return ts_match(state, self, call);
}

buddy_code ts_emit_clamp(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  return be_result(call, 0,
                   clamp(call, bound(call, self, 1, -INFINITY), bound(call, self, 2, INFINITY)));
}

/* ---- Powers: PyTorch multiplies for 2 and 3 -------------------------------------------------- */
buddy_code ts_match_pow(void *state, const buddy_op *self, buddy_call *call) {
  const double exponent = be_float(call, 1, 0);
  if (exponent != 2 && exponent != 3)
    return be_decline(call, "exponent %g is neither 2 nor 3", exponent);
  return ts_match(state, self, call);
}

buddy_code ts_emit_pow(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue x = be_tensor(call, 0);
  MlirValue power = ts_multiply(call, to, x, x);
  if (be_float(call, 1, 2) == 3) power = ts_multiply(call, to, power, x);
  return be_result(call, 0, power);
}

/* Any exponent, number or tensor. */
buddy_code ts_emit_power(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const MlirValue base = operand(call, 0), exponent = operand(call, 1);
  return be_result(call, 0, BE_OP(call, "tosa.pow", be_result_type(call, 0), base, exponent));
}
