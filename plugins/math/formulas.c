// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/formulas.c: functions that are several ops. */
#include <math.h>
#include <stdbool.h>

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

/* The size of a with the sign of b, a NaN's included. By the bits: where b is a bf16 number made wider,
 * what LLVM (22) makes of a scalar copysign is always positive. */
static MlirValue with_sign(const ma_scalars *s, MlirValue a, MlirValue b) {
  const buddy_dtype bits = s->dtype == BUDDY_F64   ? BUDDY_I64
                           : s->dtype == BUDDY_F32 ? BUDDY_I32
                                                   : BUDDY_I16;
  const MlirValue pattern =
      BE_IN(s->body, "arith.bitcast", buddy_mlir_element_type(s->body->call, bits), b);
  const MlirValue is_negative =
      be_in_compare(s->body, "lt", pattern, be_in_scalar_int(s->body, bits, 0), bits);
  const MlirValue size = op1(s, "math.absf", a);
  return be_in_select(s->body, is_negative, op1(s, "arith.negf", size), size);
}

static MlirValue copysign_of(const ma_scalars *s) { return with_sign(s, s->at[0], s->at[1]); }
const ma_function ma_copysign = {.formula = copysign_of, .n_operands = 2};

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

static MlirValue atan2_of(const ma_scalars *s) {
  return be_in_atan2(s->body, s->at[0], s->at[1], s->dtype);
}
const ma_function ma_atan2 = {.formula = atan2_of, .n_operands = 2};

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
  for (int64_t i = 0; i < exponent && i < 310; ++i) power *= 10;
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
    .formula = isinf_of, .n_operands = 1, .gives_bool = true, .on_integers = MA_FALSE};
const ma_function ma_isposinf = {
    .formula = isposinf, .n_operands = 1, .gives_bool = true, .on_integers = MA_FALSE};
const ma_function ma_isneginf = {
    .formula = isneginf, .n_operands = 1, .gives_bool = true, .on_integers = MA_FALSE};

/* Of -0 and NaN too. */
static MlirValue signbit_of(const ma_scalars *s) {
  const MlirValue signed_one = with_sign(s, number(s, 1), s->at[0]);
  return be_in_compare(s->body, "lt", signed_one, number(s, 0), s->dtype);
}
const ma_function ma_signbit = {.formula = signbit_of, .n_operands = 1, .gives_bool = true};

static MlirValue deg2rad(const ma_scalars *s) {
  return mul(s, s->at[0], number(s, 0.017453292519943295769));
}
static MlirValue rad2deg(const ma_scalars *s) {
  return mul(s, s->at[0], number(s, 57.29577951308232087679));
}
const ma_function ma_deg2rad = {.formula = deg2rad, .n_operands = 1};
const ma_function ma_rad2deg = {.formula = rad2deg, .n_operands = 1};

/* ---- Entropies, logits and kin ---- */

static MlirValue less(const ma_scalars *s, MlirValue a, double value) {
  return be_in_compare(s->body, "lt", a, number(s, value), s->dtype);
}
static MlirValue is_nan(const ma_scalars *s, MlirValue a) {
  return be_in_compare(s->body, "ne", a, a, s->dtype);
}
static MlirValue choose(const ma_scalars *s, MlirValue condition, MlirValue yes, MlirValue no) {
  return be_in_select(s->body, condition, yes, no);
}

/* -x log(x); 0 at 0, -infinity below */
static MlirValue entr(const ma_scalars *s) {
  const MlirValue x = s->at[0];
  const MlirValue inside = op1(s, "arith.negf", mul(s, x, op1(s, "math.log", x)));
  const MlirValue from_zero = choose(s, equals(s, x, 0), number(s, 0), inside);
  return choose(s, less(s, x, 0), number(s, -INFINITY), from_zero);
}
const ma_function ma_entr = {.formula = entr, .n_operands = 1};

/* x log(y) and x log(1 + y): 0 where x is, unless y is NaN */
static MlirValue x_times_log(const ma_scalars *s, const char *log_op) {
  const MlirValue x = s->at[0], y = s->at[1];
  const MlirValue product = mul(s, x, op1(s, log_op, y));
  const MlirValue value = choose(s, equals(s, x, 0), number(s, 0), product);
  return choose(s, is_nan(s, y), y, value);
}
static MlirValue xlogy(const ma_scalars *s) { return x_times_log(s, "math.log"); }
static MlirValue xlog1py(const ma_scalars *s) { return x_times_log(s, "math.log1p"); }
const ma_function ma_xlogy = {.formula = xlogy, .n_operands = 2};
const ma_function ma_xlog1py = {.formula = xlog1py, .n_operands = 2};

/* Rounded to the result's dtype, as PyTorch's kernel does after each step. */
static MlirValue rounded(const ma_scalars *s, MlirValue a) {
  const buddy_dtype to = be_result_type(s->body->call, 0)->dtype;
  return be_in_cast(s->body, be_in_cast(s->body, a, s->dtype, to), to, s->dtype);
}

/* log(x / (1 - x)), x first brought between eps and 1 - eps if there is one */
static MlirValue logit(const ma_scalars *s) {
  MlirValue x = s->at[0];
  if (!be_is_none(s->body->call, 1)) {
    const double eps = be_float(s->body->call, 1, 0);
    const MlirValue low = rounded(s, number(s, eps)), high = rounded(s, number(s, 1 - eps));
    const MlirValue is_low = be_in_compare(s->body, "lt", x, low, s->dtype),
                    is_high = be_in_compare(s->body, "gt", x, high, s->dtype);
    x = choose(s, is_low, low, choose(s, is_high, high, x));
  }
  const MlirValue rest = rounded(s, op2(s, "arith.subf", number(s, 1), x));
  return op1(s, "math.log", rounded(s, op2(s, "arith.divf", x, rest)));
}
const ma_function ma_logit = {.formula = logit, .n_operands = 1};

static MlirValue sinc(const ma_scalars *s) {
  const MlirValue angle = mul(s, s->at[0], number(s, 3.14159265358979323846));
  const MlirValue ratio = op2(s, "arith.divf", op1(s, "math.sin", angle), angle);
  return choose(s, equals(s, s->at[0], 0), number(s, 1), ratio);
}
const ma_function ma_sinc = {.formula = sinc, .n_operands = 1};

/* log(e^a + e^b) and log2(2^a + 2^b), from the larger one on; two equal infinities are that one. */
static MlirValue log_of_sum(const ma_scalars *s, const char *power, double per_log) {
  const MlirValue a = s->at[0], b = s->at[1];
  const MlirValue hi = op2(s, "arith.maximumf", a, b), lo = op2(s, "arith.minimumf", a, b);
  const MlirValue share = op1(s, power, op2(s, "arith.subf", lo, hi));
  const MlirValue more = mul(s, op1(s, "math.log1p", share), number(s, per_log));
  const MlirValue is_infinite = op2(s, "arith.andi", equals(s, op1(s, "math.absf", a), INFINITY),
                                    be_in_compare(s->body, "eq", a, b, s->dtype));
  return choose(s, is_infinite, a, op2(s, "arith.addf", hi, more));
}
static MlirValue logaddexp(const ma_scalars *s) { return log_of_sum(s, "math.exp", 1); }
static MlirValue logaddexp2(const ma_scalars *s) {
  return log_of_sum(s, "math.exp2", 1.44269504088896340736);
}
const ma_function ma_logaddexp = {.formula = logaddexp, .n_operands = 2};
const ma_function ma_logaddexp2 = {.formula = logaddexp2, .n_operands = 2};

/* ---- Neighbours ---- */

/* The next number from a towards b, by the order that the bits of positive floats share with
 * integers: one step up in size if b lies further from zero, else one down. */
static MlirValue nextafter_of(const ma_scalars *s) {
  const buddy_dtype to = be_result_type(s->body->call, 0)->dtype;
  const buddy_dtype bits = to == BUDDY_F64 ? BUDDY_I64 : to == BUDDY_F32 ? BUDDY_I32 : BUDDY_I16;
  const MlirType bits_type = buddy_mlir_element_type(s->body->call, bits),
                 float_type = buddy_mlir_element_type(s->body->call, to);
  const MlirValue a = s->at[0], b = s->at[1];
  const MlirValue narrow = be_in_cast(s->body, a, s->dtype, to);
  const MlirValue pattern = BE_IN(s->body, "arith.bitcast", bits_type, narrow);
  const MlirValue one = be_in_scalar_int(s->body, bits, 1);
  const MlirValue is_up = be_in_compare(s->body, "gt", b, a, s->dtype);
  const MlirValue is_positive = be_in_compare(s->body, "gt", a, number(s, 0), s->dtype);
  const MlirValue same_way = op2(s, "arith.xori", op2(s, "arith.xori", is_up, is_positive),
                                 be_in_scalar_int(s->body, BUDDY_BOOL, 1));
  const MlirValue moved =
      choose(s, same_way, op2(s, "arith.addi", pattern, one), op2(s, "arith.subi", pattern, one));
  const MlirValue stepped =
      be_in_cast(s->body, BE_IN(s->body, "arith.bitcast", float_type, moved), to, s->dtype);
  /* From zero: the least number with the sign of b. */
  const MlirValue least =
      be_in_cast(s->body, BE_IN(s->body, "arith.bitcast", float_type, one), to, s->dtype);
  const MlirValue from_zero = with_sign(s, least, b);
  const MlirValue value = choose(s, equals(s, a, 0), from_zero, stepped);
  const MlirValue is_there = be_in_compare(s->body, "eq", a, b, s->dtype);
  const MlirValue kept = choose(s, is_there, b, value);
  return choose(s, is_nan(s, a), a, choose(s, is_nan(s, b), b, kept));
}
const ma_function ma_nextafter = {.formula = nextafter_of, .n_operands = 2};

/* polygamma(n, x). Trigamma at its poles below 0 is not infinite in PyTorch: the sine in its
 * reflection, of pi x as the tensor's own precision has it, is not 0 there. */
static MlirValue polygamma_of(const ma_scalars *s) {
  const MlirType f64 = buddy_mlir_element_type(s->body->call, BUDDY_F64);
  const MlirValue x = s->at[1];
  const MlirValue wide[2] = {be_in_cast(s->body, s->at[0], s->dtype, BUDDY_F64),
                             be_in_cast(s->body, x, s->dtype, BUDDY_F64)};
  const MlirValue value =
      be_in_cast(s->body, ma_call(s->body, "polygamma", wide, 2, f64), BUDDY_F64, s->dtype);
  if (be_float(s->body->call, 0, 0) != 1) return value;
  const MlirValue pi = number(s, 3.14159265358979323846);
  const MlirValue sine = op1(s, "math.sin", mul(s, pi, x));
  const MlirValue reflected = op2(s, "arith.divf", mul(s, pi, pi), mul(s, sine, sine));
  const MlirValue is_whole = be_in_compare(s->body, "eq", x, op1(s, "math.floor", x), s->dtype);
  const MlirValue is_below = be_in_compare(s->body, "lt", x, number(s, 0), s->dtype);
  return choose(s, op2(s, "arith.andi", is_whole, is_below), reflected, value);
}
const ma_function ma_polygamma_rows = {.formula = polygamma_of, .n_operands = 2};

/* ---- Inverses of the normal distribution ----
 *
 * Wichura's PPND16 (Applied Statistics 37, 1988, algorithm AS 241), good to 1e-16: P(t) / Q(t), both of degree 7,
 * the constant term first, in the middle, near to the ends and at them. One quotient, whose coefficients are chosen
 * by element: so loops of it become vectors. */

enum { MIDDLE, NEAR, FAR };
static const double wichura_p[3][8] = {
    {3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
     1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
     3.3430575583588128105e4, 2.5090809287301226727e3},
    {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
     3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
     2.27238449892691845833e-2, 7.74545014278341407640e-4},
    {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
     2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
     2.71155556874348757815e-5, 2.01033439929228813265e-7}};
static const double wichura_q[3][8] = {
    {1, 4.2313330701600911252e1, 6.8718700749205790830e2, 5.3941960214247511077e3,
     2.1213794301586595867e4, 3.9307895800092710610e4, 2.8729085735721942674e4,
     5.2264952788528545610e3},
    {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
     1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
     1.05075007164441684324e-9},
    {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
     7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
     2.04426310338993978564e-15}};

typedef struct part {
  MlirValue is_middle, is_near;
} part;

static MlirValue by_part(const ma_scalars *s, const part *p, MlirValue middle, MlirValue near,
                         MlirValue far) {
  return be_in_select(s->body, p->is_middle, middle, be_in_select(s->body, p->is_near, near, far));
}

static MlirValue polynomial(const ma_scalars *s, const part *p, const double c[3][8], MlirValue t) {
  MlirValue sum = {NULL};
  for (int i = 7; i >= 0; --i) {
    const MlirValue next =
        by_part(s, p, number(s, c[MIDDLE][i]), number(s, c[NEAR][i]), number(s, c[FAR][i]));
    sum = i == 7 ? next : BE_IN(s->body, "math.fma", same, sum, t, next);
  }
  return sum;
}

/* How far from the middle the quantile lies of 1/2 + q; rest: what is left to the nearer end, 1/2 - |q|. */
static MlirValue quantile(const ma_scalars *s, MlirValue q, MlirValue rest) {
  const MlirValue size = op1(s, "math.absf", q);
  const MlirValue r = op1(s, "math.sqrt", op1(s, "arith.negf", op1(s, "math.log", rest)));
  const part p = {be_in_compare(s->body, "le", size, number(s, 0.425), s->dtype),
                  be_in_compare(s->body, "le", r, number(s, 5), s->dtype)};
  const MlirValue t =
      by_part(s, &p, op2(s, "arith.subf", number(s, 0.180625), mul(s, q, q)),
              op2(s, "arith.subf", r, number(s, 1.6)), op2(s, "arith.subf", r, number(s, 5)));
  const MlirValue slope =
      op2(s, "arith.divf", polynomial(s, &p, wichura_p, t), polynomial(s, &p, wichura_q, t));
  const MlirValue distance = be_in_select(s->body, p.is_middle, mul(s, size, slope), slope);
  return be_in_select(s->body, equals(s, rest, 0), number(s, INFINITY), distance);
}

/* sqrt(1/2) times the quantile of (1 + y) / 2 */
static MlirValue erfinv_of(const ma_scalars *s) {
  const MlirValue y = s->at[0], half = number(s, 0.5);
  const MlirValue rest = mul(s, op2(s, "arith.subf", number(s, 1), op1(s, "math.absf", y)), half);
  const MlirValue distance =
      mul(s, quantile(s, mul(s, y, half), rest), number(s, 0.70710678118654752440));
  return with_sign(s, distance, y);
}
const ma_function ma_erfinv = {.formula = erfinv_of, .n_operands = 1, .is_wide = true};

static MlirValue ndtri_of(const ma_scalars *s) {
  const MlirValue p = s->at[0], q = op2(s, "arith.subf", p, number(s, 0.5));
  const MlirValue rest = op2(s, "arith.minimumf", p, op2(s, "arith.subf", number(s, 1), p));
  return with_sign(s, quantile(s, q, rest), q);
}
const ma_function ma_ndtri = {.formula = ndtri_of, .n_operands = 1, .is_wide = true};
