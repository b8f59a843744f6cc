/* plugins/math/formulas.c: functions that are several ops. */
#include <math.h>

#include "plugins/math/rows.h"

static const MlirType same = {NULL};

static MlirValue number(const ma_scalars *s, double value) {
  return be_in_scalar(s->body, s->dtype, value);
}
static MlirValue op1(const ma_scalars *s, const char *name, MlirValue a) {
  return BE_IN(s->body, name, same, a);
}
static MlirValue op2(const ma_scalars *s, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(s->body, name, same, a, b);
}
static MlirValue mul(const ma_scalars *s, MlirValue a, MlirValue b) {
  return op2(s, "arith.mulf", a, b);
}
static MlirValue inverse(const ma_scalars *s, MlirValue a) {
  return op2(s, "arith.divf", number(s, 1), a);
}
static MlirValue equals(const ma_scalars *s, MlirValue a, double value) {
  return be_in_compare(s->body, "eq", a, number(s, value), s->dtype);
}

/* 1 / (1 + exp(-x)) */
static MlirValue sigmoid(const ma_scalars *s) {
  const MlirValue decay = op1(s, "math.exp", op1(s, "arith.negf", s->at[0]));
  return inverse(s, op2(s, "arith.addf", number(s, 1), decay));
}
const ma_function ma_sigmoid = {.formula = sigmoid, .n_operands = 1};

/* The exponents for which PyTorch's kernels have a shorter form, which gives other last bits than
 * pow does. */
static MlirValue power(const ma_scalars *s) {
  const buddy_arg *arg = be_arg(s->body->call, 1);
  const MlirValue x = s->at[0];
  const double exponent = arg->kind == BUDDY_ARG_TENSOR ? NAN : be_float(s->body->call, 1, 0);
  if (exponent == 0.5) return op1(s, "math.sqrt", x);
  if (exponent == 2) return mul(s, x, x);
  if (exponent == 3) return mul(s, mul(s, x, x), x);
  if (exponent == -0.5) return inverse(s, op1(s, "math.sqrt", x));
  if (exponent == -1) return inverse(s, x);
  if (exponent == -2) return inverse(s, mul(s, x, x));
  return op2(s, "math.powf", x, s->at[1]);
}
const ma_function ma_pow = {.formula = power, .n_operands = 2};

/* hi * sqrt(1 + (lo / hi)^2), where hi is the larger in size: nothing overflows on the way. */
static MlirValue hypot_of(const ma_scalars *s) {
  const MlirValue a = op1(s, "math.absf", s->at[0]), b = op1(s, "math.absf", s->at[1]);
  const MlirValue hi = op2(s, "arith.maximumf", a, b), lo = op2(s, "arith.minimumf", a, b);
  const MlirValue ratio = op2(s, "arith.divf", lo, hi);
  const MlirValue length =
      mul(s, hi, op1(s, "math.sqrt", op2(s, "arith.addf", number(s, 1), mul(s, ratio, ratio))));
  const MlirValue finite = be_in_select(s->body, equals(s, hi, 0), hi, length);
  const MlirValue is_infinite = op2(s, "arith.ori", equals(s, a, INFINITY), equals(s, b, INFINITY));
  return be_in_select(s->body, is_infinite, number(s, INFINITY), finite);
}
const ma_function ma_hypot = {.formula = hypot_of, .n_operands = 2};

static MlirValue frac(const ma_scalars *s) {
  return op2(s, "arith.subf", s->at[0], op1(s, "math.trunc", s->at[0]));
}
const ma_function ma_frac = {.formula = frac, .n_operands = 1};

static double power_of_ten(int64_t exponent) {
  double power = 1;
  for (int64_t i = 0; i < exponent && i < 310; i++) power *= 10;
  return power;
}

/* Half to even, in units of 10^-decimals. */
static MlirValue round_decimals(const ma_scalars *s) {
  const int64_t decimals = be_int(s->body->call, 1, 0);
  if (decimals == 0) return op1(s, "math.roundeven", s->at[0]);
  const MlirValue scale = number(s, power_of_ten(decimals < 0 ? -decimals : decimals));
  const char *there = decimals > 0 ? "arith.mulf" : "arith.divf",
             *back = decimals > 0 ? "arith.divf" : "arith.mulf";
  return op2(s, back, op1(s, "math.roundeven", op2(s, there, s->at[0], scale)), scale);
}
const ma_function ma_round_decimals = {
    .formula = round_decimals, .n_operands = 1, .on_integers = MA_ITSELF};

static MlirValue isinf_of(const ma_scalars *s) {
  return equals(s, op1(s, "math.absf", s->at[0]), INFINITY);
}
static MlirValue isposinf(const ma_scalars *s) { return equals(s, s->at[0], INFINITY); }
static MlirValue isneginf(const ma_scalars *s) { return equals(s, s->at[0], -INFINITY); }
const ma_function ma_isinf = {
    .formula = isinf_of, .n_operands = 1, .gives_bool = 1, .on_integers = MA_FALSE};
const ma_function ma_isposinf = {
    .formula = isposinf, .n_operands = 1, .gives_bool = 1, .on_integers = MA_FALSE};
const ma_function ma_isneginf = {
    .formula = isneginf, .n_operands = 1, .gives_bool = 1, .on_integers = MA_FALSE};

/* Of -0 and NaN too. */
static MlirValue signbit_of(const ma_scalars *s) {
  const MlirValue signed_one = op2(s, "math.copysign", number(s, 1), s->at[0]);
  return be_in_compare(s->body, "lt", signed_one, number(s, 0), s->dtype);
}
const ma_function ma_signbit = {.formula = signbit_of, .n_operands = 1, .gives_bool = 1};

static MlirValue deg2rad(const ma_scalars *s) {
  return mul(s, s->at[0], number(s, 0.017453292519943295769));
}
static MlirValue rad2deg(const ma_scalars *s) {
  return mul(s, s->at[0], number(s, 57.29577951308232087679));
}
const ma_function ma_deg2rad = {.formula = deg2rad, .n_operands = 1};
const ma_function ma_rad2deg = {.formula = rad2deg, .n_operands = 1};
