// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/casts.c: conversions between dtypes.
 *
 * TOSA 1.0 converts between some pairs alone: what it has not goes by way of i32, and between f32
 * and i64 by parts of 24 bits, which both hold. It rounds floats to the nearest integer where
 * PyTorch cuts them, so they are cut first. */
#include "mlir-c/BuiltinAttributes.h"

#include <stdbool.h>
#include "plugins/tosa/rows.h"

static const double part = 0x1p24;

static MlirValue cast(buddy_call *call, MlirValue value, const buddy_tensor_type *like,
                      buddy_dtype from, buddy_dtype to) {
  return ts_cast(call, value, be_with_dtype(call, like, from), to);
}

static MlirValue number(buddy_call *call, const buddy_tensor_type *like, double n) {
  return ts_number(call, like->dtype, like->rank, n);
}

MlirValue ts_multiply(buddy_call *call, const buddy_tensor_type *to, MlirValue a, MlirValue b) {
  return BE_OP(call, "tosa.mul", to, a, b, ts_number(call, BUDDY_I8, 1, 0));
}

MlirValue ts_truncate(buddy_call *call, const buddy_tensor_type *type, MlirValue x) {
  const buddy_tensor_type *truth = be_with_dtype(call, type, BUDDY_BOOL);
  if (!truth) return (MlirValue){NULL};
  const MlirValue zero = ts_number(call, type->dtype, type->rank, 0);
  return BE_OP(call, "tosa.select", type, BE_OP(call, "tosa.greater", truth, zero, x),
               BE_OP(call, "tosa.ceil", type, x), BE_OP(call, "tosa.floor", type, x));
}

/* x != 0 */
static MlirValue is_not_zero(buddy_call *call, const buddy_tensor_type *type, MlirValue x) {
  const buddy_tensor_type *truth = be_with_dtype(call, type, BUDDY_BOOL);
  return BE_OP(call, "tosa.logical_not", truth,
               BE_OP(call, "tosa.equal", truth, x, number(call, type, 0)));
}

/* ---- f32 and i64 ----------------------------------------------------------------------------- */
/* floor(x / 2^24) and what is left, both exact. */
static MlirValue high_part(buddy_call *call, const buddy_tensor_type *f32, MlirValue *x) {
  const MlirValue high =
      BE_OP(call, "tosa.floor", f32, ts_multiply(call, f32, *x, number(call, f32, 1 / part)));
  *x = BE_OP(call, "tosa.sub", f32, *x, ts_multiply(call, f32, high, number(call, f32, part)));
  return high;
}

static MlirValue widened(buddy_call *call, const buddy_tensor_type *like, MlirValue x) {
  return cast(call, cast(call, x, like, BUDDY_F32, BUDDY_I32), like, BUDDY_I32, BUDDY_I64);
}

static MlirValue to_i64(buddy_call *call, const buddy_tensor_type *f32, MlirValue x) {
  const buddy_tensor_type *i64 = be_with_dtype(call, f32, BUDDY_I64);
  if (!i64) return (MlirValue){NULL};
  MlirValue low = ts_truncate(call, f32, x);
  MlirValue middle = high_part(call, f32, &low);
  MlirValue sum = widened(call, f32, high_part(call, f32, &middle));
  const MlirValue parts[] = {middle, low};
  for (int i = 0; i < 2; ++i) {
    sum = ts_multiply(call, i64, sum, number(call, i64, part));
    sum = BE_OP(call, "tosa.add", i64, sum, widened(call, f32, parts[i]));
  }
  return sum;
}

/* Rounded once below 2^48, and so exactly; above, the low part may be lost in the middle one. */
static MlirValue from_i64(buddy_call *call, const buddy_tensor_type *i64, MlirValue x) {
  const buddy_tensor_type *f32 = be_with_dtype(call, i64, BUDDY_F32);
  if (!f32) return (MlirValue){NULL};
  const MlirValue mask = number(call, i64, part - 1), bits = number(call, i64, 24);
  MlirValue parts[3];
  for (int i = 0; i < 3; ++i) {
    const MlirValue taken = i < 2 ? BE_OP(call, "tosa.bitwise_and", i64, x, mask) : x;
    parts[i] = cast(call, cast(call, taken, i64, BUDDY_I64, BUDDY_I32), i64, BUDDY_I32, BUDDY_F32);
    const be_attribute exact[] = {{"round", be_attr_bool(call, 0)}, {NULL, {NULL}}};
    if (i < 2) x = BE_OP_ATTRS(call, "tosa.arithmetic_right_shift", i64, exact, x, bits);
  }
  const MlirValue scale = number(call, f32, part);
  MlirValue high = BE_OP(call, "tosa.add", f32, ts_multiply(call, f32, parts[2], scale), parts[1]);
  return BE_OP(call, "tosa.add", f32, ts_multiply(call, f32, high, scale), parts[0]);
}

/* ---- Any pair -------------------------------------------------------------------------------- */
/* What TOSA 1.0 converts in one step, or leaves as it is; i64 is an extension of 1.1. */
static bool is_direct(buddy_dtype from, buddy_dtype to) {
  if (from == to) return true;
  if (from == BUDDY_I64 || to == BUDDY_I64) return from == BUDDY_I32 || to == BUDDY_I32;
  if (from == BUDDY_BOOL) return !be_is_float(to);
  if (be_is_float(from) && be_is_float(to)) return from == BUDDY_F32 || to == BUDDY_F32;
  return !be_is_float(from);
}

MlirValue ts_convert(buddy_call *call, MlirValue x, const buddy_tensor_type *type, buddy_dtype to) {
  if (!type) return x;
  const buddy_dtype from = type->dtype;
  if (is_direct(from, to)) return ts_cast(call, x, type, to);
  if (to == BUDDY_BOOL) return is_not_zero(call, type, x);
  if (be_is_float(from) && from != BUDDY_F32) {
    const MlirValue wide = ts_cast(call, x, type, BUDDY_F32);
    return ts_convert(call, wide, be_with_dtype(call, type, BUDDY_F32), to);
  }
  if (from == BUDDY_F32 && to == BUDDY_I64) return to_i64(call, type, x);
  if (from == BUDDY_I64 && to == BUDDY_F32) return from_i64(call, type, x);
  if (from == BUDDY_F32) x = ts_truncate(call, type, x);
  const buddy_dtype middle = be_is_float(to) && from == BUDDY_I64 ? BUDDY_F32 : BUDDY_I32;
  const MlirValue half = from == BUDDY_I64 && middle == BUDDY_F32 ? from_i64(call, type, x)
                                                                  : ts_cast(call, x, type, middle);
  return ts_cast(call, half, be_with_dtype(call, type, middle), to);
}

buddy_code ts_emit_convert(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  for (size_t i = 1; i < be_host->n_args(call); ++i)
    (void)be_arg(call, i); /* the result type has them */
  return be_result(
      call, 0,
      ts_convert(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)->dtype));
}
