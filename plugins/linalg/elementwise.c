// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/elementwise.c: arithmetic, comparison, logic and selection on scalars, one
 * `la_pointwise` an op. */
#include "plugins/linalg/rows.h"

#include <stdbool.h>

static const MlirType same = {NULL};

/* ---- Shorthands ---- */

static MlirValue add(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_add, s->dtype, a, b);
}
static MlirValue sub(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_sub, s->dtype, a, b);
}
static MlirValue mul(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_mul, s->dtype, a, b);
}
static MlirValue divide(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_divide(s->body, s->dtype, a, b);
}
static MlirValue compare(const la_scalars *s, const char *predicate, MlirValue a, MlirValue b) {
  return be_in_compare(s->body, predicate, a, b, s->dtype);
}
static MlirValue choose(const la_scalars *s, MlirValue condition, MlirValue yes, MlirValue no) {
  return be_in_select(s->body, condition, yes, no);
}
static MlirValue both(const la_scalars *s, MlirValue a, MlirValue b) {
  return BE_IN(s->body, "arith.andi", same, a, b);
}
static MlirValue zero(const la_scalars *s) { return la_constant(s, 0); }

/* Is argument i the number `value`, or at its default? */
static bool is_number(const la_scalars *s, size_t i, double value) {
  const buddy_arg *arg = be_arg(s->body->call, i);
  switch (arg->kind) {
    case BUDDY_ARG_NONE:
      return true;
    case BUDDY_ARG_FLOAT:
      return arg->as.f == value;
    case BUDDY_ARG_INT:
    case BUDDY_ARG_BOOL:
      return !BUDDY_IS_SYMBOLIC(arg->as.i) && (double)arg->as.i == value;
    default:
      return false;
  }
}

/* Operand `at` times the number of argument i. Complex numbers are multiplied by 1, too, as in PyTorch:
 * of an infinity it makes a NaN. */
static MlirValue scaled(const la_scalars *s, MlirValue value, size_t i) {
  if (is_number(s, i, 1) && !be_is_complex(s->dtype)) return value;
  return mul(s, la_number(s, i, 1), value);
}

/* ---- Arithmetic ---- */

static MlirValue add_scaled(const la_scalars *s) {
  return add(s, s->at[0], scaled(s, s->at[1], 2));
}
static MlirValue sub_scaled(const la_scalars *s) {
  return sub(s, s->at[0], scaled(s, s->at[1], 2));
}
static MlirValue rsub_scaled(const la_scalars *s) {
  return sub(s, s->at[1], scaled(s, s->at[0], 2));
}
const la_pointwise la_op_add = {.n_operands = 2, .formula = add_scaled};
const la_pointwise la_op_sub = {.n_operands = 2, .formula = sub_scaled};
const la_pointwise la_op_rsub = {.n_operands = 2, .formula = rsub_scaled};
const la_pointwise la_op_mul = {.n_operands = 2, .names = &la_mul};

static MlirValue true_divide(const la_scalars *s) { return divide(s, s->at[0], s->at[1]); }
const la_pointwise la_op_div = {.n_operands = 2, .formula = true_divide};

static MlirValue differs_in_sign(const la_scalars *s, MlirValue a, MlirValue b) {
  return BE_IN(s->body, "arith.xori", same, compare(s, "lt", a, zero(s)),
               compare(s, "lt", b, zero(s)));
}

/* Does the remainder r of a division by b, rounded towards zero, have to be moved by one b for
 * floor? */
static MlirValue needs_floor(const la_scalars *s, MlirValue r, MlirValue b) {
  return both(s, compare(s, "ne", r, zero(s)), differs_in_sign(s, r, b));
}

static MlirValue floor_of(const la_scalars *s, MlirValue a) {
  return BE_IN(s->body, "math.floor", same, a);
}

static MlirValue copysign_of(const la_scalars *s, MlirValue a, MlirValue sign) {
  return BE_IN(s->body, "math.copysign", same, a, sign);
}

/* PyTorch's div_floor_floating: what Python's // gives, not floor(a / b), which can be one too
 * high. */
static MlirValue floor_divide_floats(const la_scalars *s, MlirValue a, MlirValue b) {
  const MlirValue one = la_constant(s, 1), ratio = divide(s, a, b);
  const MlirValue rest = la_modulo(s->body, s->dtype, a, b);
  const MlirValue exact = divide(s, sub(s, a, rest), b);
  const MlirValue quotient = choose(s, needs_floor(s, rest, b), sub(s, exact, one), exact);
  const MlirValue whole = floor_of(s, quotient);
  const MlirValue is_off = compare(s, "gt", sub(s, quotient, whole), la_constant(s, 0.5));
  const MlirValue rounded = choose(s, is_off, add(s, whole, one), whole);
  const MlirValue is_zero = compare(s, "eq", quotient, zero(s));
  const MlirValue value = choose(s, is_zero, copysign_of(s, zero(s), ratio), rounded);
  return choose(s, compare(s, "eq", b, zero(s)), ratio, value);
}

static MlirValue floor_divide_ints(const la_scalars *s, MlirValue a, MlirValue b) {
  const MlirValue quotient = divide(s, a, b);
  if (be_is_unsigned(s->dtype)) return quotient;
  const MlirValue rest = la_modulo(s->body, s->dtype, a, b);
  return choose(s, needs_floor(s, rest, b), sub(s, quotient, la_constant(s, 1)), quotient);
}

static MlirValue floor_divide(const la_scalars *s) {
  return (be_is_float(s->dtype) ? floor_divide_floats : floor_divide_ints)(s, s->at[0], s->at[1]);
}
const la_pointwise la_op_floor_divide = {.n_operands = 2, .divides = 1, .formula = floor_divide};

/* rounding_mode: None, "trunc", "floor" */
static MlirValue div_mode(const la_scalars *s) {
  const buddy_arg *mode = be_arg(s->body->call, 2);
  if (mode->kind != BUDDY_ARG_STRING) return true_divide(s);
  if (mode->as.string[0] == 'f') return floor_divide(s);
  const MlirValue quotient = true_divide(s);
  return be_is_float(s->dtype) ? BE_IN(s->body, "math.trunc", same, quotient) : quotient;
}
const la_pointwise la_op_div_mode = {.n_operands = 2, .divides = 1, .formula = div_mode};

/* Python's %: the sign of the divisor. */
static MlirValue remainder_of(const la_scalars *s) {
  const MlirValue rest = la_modulo(s->body, s->dtype, s->at[0], s->at[1]);
  if (be_is_unsigned(s->dtype)) return rest;
  return choose(s, needs_floor(s, rest, s->at[1]), add(s, rest, s->at[1]), rest);
}
const la_pointwise la_op_remainder = {.n_operands = 2, .divides = 1, .formula = remainder_of};

static MlirValue fmod_of(const la_scalars *s) {
  return la_modulo(s->body, s->dtype, s->at[0], s->at[1]);
}
const la_pointwise la_op_fmod = {.n_operands = 2, .divides = 1, .formula = fmod_of};

static MlirValue neg(const la_scalars *s) {
  if (be_is_float(s->dtype)) return BE_IN(s->body, "arith.negf", same, s->at[0]);
  if (be_is_complex(s->dtype)) return BE_IN(s->body, "complex.neg", same, s->at[0]);
  return sub(s, zero(s), s->at[0]);
}
const la_pointwise la_op_neg = {.n_operands = 1, .formula = neg};

static MlirValue reciprocal(const la_scalars *s) { return divide(s, la_constant(s, 1), s->at[0]); }
const la_pointwise la_op_reciprocal = {.n_operands = 1, .formula = reciprocal};

static MlirValue square(const la_scalars *s) { return mul(s, s->at[0], s->at[0]); }
const la_pointwise la_op_square = {.n_operands = 1, .formula = square};

/* (x > 0) - (x < 0), so that NaN gives 0 */
static MlirValue sign(const la_scalars *s) {
  if (s->dtype == BUDDY_BOOL) return s->at[0];
  const MlirValue one = la_constant(s, 1), x = s->at[0];
  const MlirValue up = choose(s, compare(s, "gt", x, zero(s)), one, zero(s));
  if (be_is_unsigned(s->dtype)) return up;
  return sub(s, up, choose(s, compare(s, "lt", x, zero(s)), one, zero(s)));
}
const la_pointwise la_op_sign = {.n_operands = 1, .formula = sign};

static MlirValue addcmul(const la_scalars *s) {
  return add(s, s->at[0], mul(s, scaled(s, s->at[1], 3), s->at[2]));
}
static MlirValue addcdiv(const la_scalars *s) {
  return add(s, s->at[0], divide(s, scaled(s, s->at[1], 3), s->at[2]));
}
const la_pointwise la_op_addcmul = {.n_operands = 3, .formula = addcmul};
const la_pointwise la_op_addcdiv = {.n_operands = 3, .formula = addcdiv};

/* From the nearer end, as PyTorch does: weight 1 gives `end` exactly. */
static MlirValue lerp(const la_scalars *s) {
  const MlirValue start = s->at[0], end = s->at[1], weight = s->at[2];
  const MlirValue span = sub(s, end, start);
  const MlirValue from_start = add(s, start, mul(s, weight, span));
  const MlirValue from_end = sub(s, end, mul(s, span, sub(s, la_constant(s, 1), weight)));
  const MlirValue size = BE_IN(s->body, "math.absf", same, weight);
  return choose(s, compare(s, "lt", size, la_constant(s, 0.5)), from_start, from_end);
}
const la_pointwise la_op_lerp = {.n_operands = 3, .formula = lerp};

/* ---- Bounds ---- */

static MlirValue larger(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_max, s->dtype, a, b);
}
static MlirValue smaller(const la_scalars *s, MlirValue a, MlirValue b) {
  return la_apply(s->body, &la_min, s->dtype, a, b);
}
const la_pointwise la_op_maximum = {.n_operands = 2, .names = &la_max};
const la_pointwise la_op_minimum = {.n_operands = 2, .names = &la_min};

/* min first, then max: where they cross, max wins. */
static MlirValue clamp(const la_scalars *s) {
  MlirValue value = s->at[0];
  if (!be_is_none(s->body->call, 1)) value = larger(s, value, la_number(s, 1, 0));
  if (!be_is_none(s->body->call, 2)) value = smaller(s, value, la_number(s, 2, 0));
  return value;
}
const la_pointwise la_op_clamp = {.n_operands = 1, .formula = clamp};

static MlirValue clamp_min(const la_scalars *s) { return larger(s, s->at[0], la_number(s, 1, 0)); }
static MlirValue clamp_max(const la_scalars *s) { return smaller(s, s->at[0], la_number(s, 1, 0)); }
const la_pointwise la_op_clamp_min = {.n_operands = 1, .formula = clamp_min};
const la_pointwise la_op_clamp_max = {.n_operands = 1, .formula = clamp_max};

static MlirValue relu(const la_scalars *s) { return larger(s, s->at[0], zero(s)); }
static MlirValue relu6(const la_scalars *s) { return smaller(s, relu(s), la_constant(s, 6)); }
const la_pointwise la_op_relu = {.n_operands = 1, .formula = relu};
const la_pointwise la_op_relu6 = {.n_operands = 1, .formula = relu6};

/* NaN is not above zero, and comes out of the product. */
static MlirValue leaky_relu(const la_scalars *s) {
  const MlirValue x = s->at[0], below = mul(s, x, la_number(s, 1, 0.01));
  return choose(s, compare(s, "gt", x, zero(s)), x, below);
}
const la_pointwise la_op_leaky_relu = {.n_operands = 1, .formula = leaky_relu};

/* x <= threshold ? value : x */
static MlirValue threshold(const la_scalars *s) {
  const MlirValue x = s->at[0];
  return choose(s, compare(s, "le", x, la_number(s, 1, 0)), la_number(s, 2, 0), x);
}
const la_pointwise la_op_threshold = {.n_operands = 1, .formula = threshold};

/* fmax and fmin: a number wins over NaN. */
static MlirValue number_max(const la_scalars *s) {
  return be_is_float(s->dtype) ? BE_IN(s->body, "arith.maxnumf", same, s->at[0], s->at[1])
                               : larger(s, s->at[0], s->at[1]);
}
static MlirValue number_min(const la_scalars *s) {
  return be_is_float(s->dtype) ? BE_IN(s->body, "arith.minnumf", same, s->at[0], s->at[1])
                               : smaller(s, s->at[0], s->at[1]);
}
const la_pointwise la_op_fmax = {.n_operands = 2, .formula = number_max};
const la_pointwise la_op_fmin = {.n_operands = 2, .formula = number_min};

/* ---- Comparison ---- */

#define COMPARISON(name)                            \
  static MlirValue name##_of(const la_scalars *s) { \
    return compare(s, #name, s->at[0], s->at[1]);   \
  }                                                 \
  const la_pointwise la_op_##name = {               \
      .n_operands = 2, .domain = LA_OPERANDS, .gives_bool = 1, .formula = name##_of}
COMPARISON(eq);
COMPARISON(ne);
COMPARISON(lt);
COMPARISON(le);
COMPARISON(gt);
COMPARISON(ge);

/* 1 above zero, `values` at zero, else 0, also of NaN. */
static MlirValue heaviside(const la_scalars *s) {
  const MlirValue x = s->at[0];
  const MlirValue step = choose(s, compare(s, "gt", x, zero(s)), la_constant(s, 1), zero(s));
  return choose(s, compare(s, "eq", x, zero(s)), s->at[1], step);
}
const la_pointwise la_op_heaviside = {.n_operands = 2, .formula = heaviside};

/* ---- Logic and bits ---- */

const la_pointwise la_op_logical_and = {.n_operands = 2, .domain = LA_BOOL, .names = &la_and};
const la_pointwise la_op_logical_or = {.n_operands = 2, .domain = LA_BOOL, .names = &la_or};
const la_pointwise la_op_logical_xor = {.n_operands = 2, .domain = LA_BOOL, .names = &la_xor};
const la_pointwise la_op_bitwise_and = {.n_operands = 2, .names = &la_and};
const la_pointwise la_op_bitwise_or = {.n_operands = 2, .names = &la_or};
const la_pointwise la_op_bitwise_xor = {.n_operands = 2, .names = &la_xor};

static MlirValue complement(const la_scalars *s) {
  return BE_IN(s->body, "arith.xori", same, s->at[0], be_in_scalar_int(s->body, s->dtype, -1));
}
const la_pointwise la_op_logical_not = {.n_operands = 1, .domain = LA_BOOL, .formula = complement};
const la_pointwise la_op_bitwise_not = {.n_operands = 1, .formula = complement};

/* A shift by a negative number or by the width or more gives what shifting all bits out would. */
static MlirValue shift(const la_scalars *s, int to_left) {
  const MlirValue a = s->at[0], by = s->at[1];
  const size_t width = s->dtype == BUDDY_I8 || s->dtype == BUDDY_U8     ? 8
                       : s->dtype == BUDDY_I16 || s->dtype == BUDDY_U16 ? 16
                       : s->dtype == BUDDY_I32 || s->dtype == BUDDY_U32 ? 32
                                                                        : 64;
  const MlirValue last = la_constant(s, (double)(width - 1));
  const MlirValue is_out =
      BE_IN(s->body, "arith.ori", same, compare(s, "lt", by, zero(s)), compare(s, "gt", by, last));
  const MlirValue by_inside = choose(s, is_out, last, by);
  const bool keeps_sign = !to_left && !be_is_unsigned(s->dtype);
  const char *name = to_left ? "arith.shli" : keeps_sign ? "arith.shrsi" : "arith.shrui";
  const MlirValue shifted = BE_IN(s->body, name, same, a, by_inside);
  return keeps_sign ? shifted : choose(s, is_out, zero(s), shifted);
}
static MlirValue shift_left(const la_scalars *s) { return shift(s, 1); }
static MlirValue shift_right(const la_scalars *s) { return shift(s, 0); }
const la_pointwise la_op_shift_left = {.n_operands = 2, .formula = shift_left};
const la_pointwise la_op_shift_right = {.n_operands = 2, .formula = shift_right};

/* ---- Selection ---- */

static MlirValue where(const la_scalars *s) { return choose(s, s->at[0], s->at[1], s->at[2]); }
const la_pointwise la_op_where = {.n_operands = 3, .conditions = 1, .formula = where};

static MlirValue masked_fill(const la_scalars *s) {
  return choose(s, s->at[1], s->at[2], s->at[0]);
}
const la_pointwise la_op_masked_fill = {.n_operands = 3, .conditions = 2, .formula = masked_fill};

/* ---- Copies and casts ---- */

static MlirValue as_is(const la_scalars *s) { return s->at[0]; }
/* The value of `src`, in the type and the dims of `self`. */
static MlirValue second(const la_scalars *s) {
  la_ignore(s->body->call, 2, be_host->n_args(s->body->call) - 2); /* non_blocking */
  return s->at[1];
}
const la_pointwise la_op_copy = {.n_operands = 2, .domain = LA_RESULT, .formula = second};
const la_pointwise la_op_fill = {.n_operands = 2, .domain = LA_RESULT, .formula = second};
const la_pointwise la_op_as_is = {.n_operands = 1, .domain = LA_RESULT, .formula = as_is};

/* aten._to_copy and its kin: the dtype alone matters; layout, device and the like say nothing
 * here. */
buddy_code la_emit_cast(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  const buddy_dtype to = be_result_type(call, 0)->dtype;
  const MlirValue value = la_tensor_as(call, 0, to);
  return be_result(call, 0, value);
}

/* ---- Bounds that are tensors ---- */

typedef struct bounds {
  buddy_dtype dtypes[3], wide, to; /* of self, min, max; NONE: it is not there */
} bounds;

static MlirValue between(const be_body *body, const MlirValue *elements, void *user) {
  const bounds *b = user;
  MlirValue value = be_in_cast(body, elements[0], b->dtypes[0], b->wide);
  size_t next = 1;
  for (size_t i = 1; i <= 2; ++i) {
    if (b->dtypes[i] == BUDDY_DTYPE_NONE) continue;
    const MlirValue edge = be_in_cast(body, elements[next++], b->dtypes[i], b->wide);
    value = la_apply(body, i == 1 ? &la_max : &la_min, b->wide, value, edge);
  }
  return be_in_cast(body, value, b->wide, b->to);
}

/* clamp.Tensor: self, min, max, each of the two perhaps None */
buddy_code la_emit_clamp_tensor(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *types[3];
  MlirValue inputs[3];
  bounds b = {.wide = la_opmath(to->dtype), .to = to->dtype};
  size_t n = 0;
  for (size_t i = 0; i < 3; ++i) {
    const buddy_tensor_type *type = be_arg_type(call, i);
    if (!type) continue;
    b.dtypes[i] = type->dtype;
    types[n] = type;
    inputs[n++] = be_tensor(call, i);
  }
  return be_result(call, 0, be_elementwise(call, to, inputs, types, n, between, &b));
}
