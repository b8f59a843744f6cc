// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/division.c: quotients. TOSA has no division of floats: x * (1 / y) rounds twice, so
 * these rows are asked last. Integers are divided exactly. */
#include <string.h>

#include "plugins/tosa/rows.h"

static MlirValue floats(buddy_call *call, size_t i) {
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, i);
  MlirValue value = ts_operand(call, i, to->rank, from ? from->dtype : to->dtype);
  if (!from || from->dtype == to->dtype) return value;
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  memcpy(dims + (to->rank - from->rank), from->dims, from->rank * sizeof(*dims));
  return ts_convert(call, value, be_type(call, from->dtype, to->rank, dims), to->dtype);
}

/* The type of operand i with the result's rank. */
static const buddy_tensor_type *operand_type(buddy_call *call, size_t i) {
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, i);
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  if (from) memcpy(dims + (to->rank - from->rank), from->dims, from->rank * sizeof(*dims));
  return be_type(call, to->dtype, to->rank, dims);
}

buddy_code ts_emit_quotient(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue a = floats(call, 0);
  const MlirValue inverse =
      be_arg_type(call, 1) ? BE_OP(call, "tosa.reciprocal", operand_type(call, 1), floats(call, 1))
                           : ts_number(call, to->dtype, to->rank, 1 / be_float(call, 1, 1));
  return be_result(call, 0, ts_multiply(call, to, a, inverse));
}

/* ---- Integers -------------------------------------------------------------------------------- */
typedef struct division {
  MlirValue quotient, rest; /* rounded towards zero; what is left has the dividend's sign */
  MlirValue divisor;
} division;

static division divide(buddy_call *call) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const MlirValue a = ts_operand(call, 0, to->rank, to->dtype);
  division d = {.divisor = ts_operand(call, 1, to->rank, to->dtype)};
  d.quotient = BE_OP(call, "tosa.intdiv", to, a, d.divisor);
  d.rest = BE_OP(call, "tosa.sub", to, a, ts_multiply(call, to, d.quotient, d.divisor));
  return d;
}

/* Whether rounding down differs from rounding towards zero. */
static MlirValue is_off(buddy_call *call, const division *d) {
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_tensor_type *truth = be_with_dtype(call, to, BUDDY_BOOL);
  const buddy_tensor_type *divisor = be_with_dtype(call, operand_type(call, 1), BUDDY_BOOL);
  const MlirValue zero = ts_number(call, to->dtype, to->rank, 0);
  const MlirValue below = BE_OP(call, "tosa.greater", truth, zero, d->rest),
                  above = BE_OP(call, "tosa.greater", truth, d->rest, zero);
  const MlirValue negative = BE_OP(call, "tosa.greater", divisor, zero, d->divisor);
  return BE_OP(call, "tosa.select", truth, negative, above, below);
}

/* user: "floor" or "trunc" where the op is one of them; null: the argument rounding_mode says it */
buddy_code ts_match_int_quotient(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_arg *mode = self->user ? NULL : be_arg(call, 2);
  if (mode && mode->kind != BUDDY_ARG_STRING)
    return be_decline(call, "a quotient of integers that is not rounded is a float");
  return ts_match(state, self, call);
}

buddy_code ts_emit_int_quotient(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const char *mode = self->user ? self->user : be_arg(call, 2)->as.string;
  const division d = divide(call);
  if (strcmp(mode, "floor") != 0) return be_result(call, 0, d.quotient);
  const MlirValue one = ts_number(call, to->dtype, to->rank, 1);
  const MlirValue lower = BE_OP(call, "tosa.sub", to, d.quotient, one);
  return be_result(call, 0, BE_OP(call, "tosa.select", to, is_off(call, &d), lower, d.quotient));
}

/* user: "floor" for remainder, which has the divisor's sign, "trunc" for fmod */
buddy_code ts_emit_int_rest(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const division d = divide(call);
  if (strcmp(self->user, "floor") != 0) return be_result(call, 0, d.rest);
  const MlirValue moved = BE_OP(call, "tosa.add", to, d.rest, d.divisor);
  return be_result(call, 0, BE_OP(call, "tosa.select", to, is_off(call, &d), moved, d.rest));
}
