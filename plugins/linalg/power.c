// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/power.c: integer powers, by squaring. A loop over the bits of the exponent inside
 * of the elementwise loop, or none where the exponent is a number. A negative exponent gives the
 * whole part of the fraction, as PyTorch. */
#include "mlir-c/BuiltinTypes.h"

#include <stdbool.h>
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};

static MlirValue mul(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_mul, s->dtype, a, b);
}

static MlirValue is_odd(const be_body *body, buddy_dtype dtype, MlirValue value) {
  const MlirValue bit = BE_IN(body, "arith.andi", same, value, be_in_scalar_int(body, dtype, 1));
  return be_in_compare(body, "ne", bit, be_in_scalar_int(body, dtype, 0), dtype);
}

static MlirValue by_number(const la_scalars *s, MlirValue base, int64_t exponent) {
  MlirValue result = be_in_scalar_int(s->body, s->dtype, 1);
  bool is_one = true;
  for (int64_t bits = exponent; bits > 0; bits >>= 1) {
    if (bits & 1) result = is_one ? base : mul(s, result, base);
    if (bits & 1) is_one = false;
    if (bits > 1) base = mul(s, base, base);
  }
  return result;
}

/* carried: the result, the base, what is left of the exponent */
static void square(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const la_scalars *outer = user;
  const la_scalars s = {body, outer->dtype, NULL};
  (void)at;
  const MlirValue more = mul(&s, carried[0], carried[1]);
  carried[0] = be_in_select(body, is_odd(body, s.dtype, carried[2]), more, carried[0]);
  carried[1] = mul(&s, carried[1], carried[1]);
  carried[2] = BE_IN(body, "arith.shrui", same, carried[2], be_in_scalar_int(body, s.dtype, 1));
}

/* How many bits of the exponent there are to look at. */
static MlirValue count_bits(const la_scalars *s, MlirValue exponent) {
  const MlirValue zeros = BE_IN(s->body, "math.ctlz", same, exponent);
  const int64_t width =
      (int64_t)mlirIntegerTypeGetWidth(buddy_mlir_element_type(s->body->call, s->dtype));
  const MlirType index = mlirIndexTypeGet(buddy_mlir_context(s->body->call));
  const MlirValue n =
      BE_IN(s->body, "arith.subi", same, be_in_scalar_int(s->body, s->dtype, width), zeros);
  return BE_IN(s->body, "arith.index_castui", index, n);
}

static MlirValue by_squaring(const la_scalars *s, MlirValue base, MlirValue exponent) {
  MlirValue carried[3] = {be_in_scalar_int(s->body, s->dtype, 1), base, exponent};
  const MlirValue n = count_bits(s, exponent);
  la_scalars copy = *s;
  const la_nest nest = {1, &n, 3, square, &copy};
  la_run_nest(s->body, &nest, carried);
  return carried[0];
}

/* 1 / base^n without its fraction: something only for bases 1 and -1. */
static MlirValue of_negative(const la_scalars *s, MlirValue base, MlirValue exponent) {
  const MlirValue one = be_in_scalar_int(s->body, s->dtype, 1),
                  minus_one = be_in_scalar_int(s->body, s->dtype, -1);
  const MlirValue zero = be_in_scalar_int(s->body, s->dtype, 0);
  const MlirValue sign = be_in_select(s->body, is_odd(s->body, s->dtype, exponent), minus_one, one);
  const MlirValue is_minus_one = be_in_compare(s->body, "eq", base, minus_one, s->dtype);
  const MlirValue is_one = be_in_compare(s->body, "eq", base, one, s->dtype);
  return be_in_select(s->body, is_one, one, be_in_select(s->body, is_minus_one, sign, zero));
}

static MlirValue power(const la_scalars *s) {
  const buddy_arg *arg = be_arg(s->body->call, 1);
  if (arg->kind == BUDDY_ARG_INT && !BUDDY_IS_SYMBOLIC(arg->as.i) && arg->as.i >= 0) {
    return by_number(s, s->at[0], arg->as.i);
  }
  const MlirValue result = by_squaring(s, s->at[0], s->at[1]);
  if (be_is_unsigned(s->dtype)) return result;
  const MlirValue is_negative =
      be_in_compare(s->body, "lt", s->at[1], be_in_scalar_int(s->body, s->dtype, 0), s->dtype);
  return be_in_select(s->body, is_negative, of_negative(s, s->at[0], s->at[1]), result);
}
const la_pointwise la_op_pow = {.n_operands = 2, .formula = power};
