// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/casts.c: conversion of scalars.
 *
 * The number must come out as eager PyTorch gives it on x86-64, also where C leaves it open:
 *   float → i64        cvttsd2si: out of range gives the lowest number, which is said and not left to
 *                      the processor: LLVM folds what it leaves open to anything
 *   float → i32        likewise in 32 bits
 *   float → 8, 16 bit  through i32, then wrapping
 *   float → u32        through i64, then wrapping
 *   float → u64        below 2^63 through i64; else less 2^63 through i64, then the top bit flipped
 *   f64, int → f16, bf16, f8   through f32, rounding twice */
#include <math.h>
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

static const MlirType same_type = {NULL};

static int bits_of(buddy_dtype dtype) {
  switch (dtype) {
    case BUDDY_BOOL:
      return 1;
    case BUDDY_U8:
    case BUDDY_I8:
      return 8;
    case BUDDY_I16:
    case BUDDY_U16:
    case BUDDY_F16:
    case BUDDY_BF16:
      return 16;
    case BUDDY_I32:
    case BUDDY_U32:
    case BUDDY_F32:
      return 32;
    case BUDDY_I64:
    case BUDDY_U64:
    case BUDDY_F64:
      return 64;
    default:
      return be_is_float(dtype) ? 8 : 0;
  }
}

static MlirValue cast_op(const be_body *body, const char *name, MlirValue value, buddy_dtype to) {
  return BE_IN(body, name, buddy_mlir_element_type(body->call, to), value);
}

static MlirValue is_nonzero(const be_body *body, MlirValue value, buddy_dtype from) {
  if (be_is_f8(from)) {
    value = be_f8_to_f32(body, value, from);
    from = BUDDY_F32;
  }
  return be_in_compare(body, "ne", value, be_in_scalar_int(body, from, 0), from);
}

/* Always through f32. */
static MlirValue float_to_float(const be_body *body, MlirValue value, buddy_dtype from,
                                buddy_dtype to) {
  if (from == to) return value;
  if (be_is_f8(from)) {
    value = be_f8_to_f32(body, value, from);
  } else if (from != BUDDY_F32) {
    value = cast_op(body, from == BUDDY_F64 ? "arith.truncf" : "arith.extf", value, BUDDY_F32);
  }
  if (to == BUDDY_F32) return value;
  if (be_is_f8(to)) return be_f32_to_f8(body, value, to);
  return cast_op(body, to == BUDDY_F64 ? "arith.extf" : "arith.truncf", value, to);
}

/* To i32 or i64; what is not below 2^31, or 2^63, either way: the lowest number. */
static MlirValue truncated(const be_body *body, MlirValue value, buddy_dtype from, buddy_dtype to) {
  const MlirValue size = BE_IN(body, "math.absf", same_type, value);
  const MlirValue fits =
      be_in_compare(body, "lt", size, be_in_scalar(body, from, ldexp(1, bits_of(to) - 1)), from);
  const MlirValue lowest = be_in_scalar_int(body, to, bits_of(to) == 64 ? INT64_MIN : INT32_MIN);
  return be_in_select(body, fits, cast_op(body, "arith.fptosi", value, to), lowest);
}

static MlirValue float_to_u64(const be_body *body, MlirValue value, buddy_dtype from) {
  const MlirValue half = be_in_scalar(body, from, 9223372036854775808.0);
  const MlirValue top_bit = be_in_scalar_int(body, BUDDY_U64, INT64_MIN);
  const MlirValue low = truncated(body, value, from, BUDDY_U64);
  const MlirValue less = BE_IN(body, "arith.subf", same_type, value, half);
  const MlirValue high = truncated(body, less, from, BUDDY_U64);
  const MlirValue is_low = be_in_compare(body, "lt", value, half, from);
  return be_in_select(body, is_low, low, BE_IN(body, "arith.xori", same_type, high, top_bit));
}

static MlirValue float_to_int(const be_body *body, MlirValue value, buddy_dtype from,
                              buddy_dtype to) {
  if (bits_of(from) < 32) {
    value = float_to_float(body, value, from, BUDDY_F32);
    from = BUDDY_F32;
  }
  if (to == BUDDY_U64) return float_to_u64(body, value, from);
  const buddy_dtype through = to == BUDDY_U32 || to == BUDDY_I64 ? BUDDY_I64 : BUDDY_I32;
  value = truncated(body, value, from, through);
  return bits_of(through) == bits_of(to) ? value : cast_op(body, "arith.trunci", value, to);
}

static MlirValue int_to_float(const be_body *body, MlirValue value, buddy_dtype from,
                              buddy_dtype to) {
  const char *name = be_is_unsigned(from) ? "arith.uitofp" : "arith.sitofp";
  if (bits_of(to) >= 32) return cast_op(body, name, value, to);
  return float_to_float(body, cast_op(body, name, value, BUDDY_F32), BUDDY_F32, to);
}

static MlirValue int_to_int(const be_body *body, MlirValue value, buddy_dtype from,
                            buddy_dtype to) {
  if (bits_of(from) == bits_of(to)) return value;
  if (bits_of(from) > bits_of(to)) return cast_op(body, "arith.trunci", value, to);
  return cast_op(body, be_is_unsigned(from) ? "arith.extui" : "arith.extsi", value, to);
}

static buddy_dtype part_of(buddy_dtype dtype) {
  return dtype == BUDDY_C32 ? BUDDY_F16 : dtype == BUDDY_C64 ? BUDDY_F32 : BUDDY_F64;
}

static MlirValue complex_to(const be_body *body, MlirValue value, buddy_dtype from,
                            buddy_dtype to) {
  const buddy_dtype part = part_of(from);
  const MlirType part_type = buddy_mlir_element_type(body->call, part);
  const MlirValue re = BE_IN(body, "complex.re", part_type, value);
  if (!be_is_complex(to) && to != BUDDY_BOOL) return be_in_cast(body, re, part, to);
  const MlirValue im = BE_IN(body, "complex.im", part_type, value);
  if (to == BUDDY_BOOL) {
    return BE_IN(body, "arith.ori", same_type, is_nonzero(body, re, part),
                 is_nonzero(body, im, part));
  }
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, to),
               float_to_float(body, re, part, part_of(to)),
               float_to_float(body, im, part, part_of(to)));
}

static MlirValue real_to_complex(const be_body *body, MlirValue value, buddy_dtype from,
                                 buddy_dtype to) {
  const buddy_dtype part = part_of(to);
  return BE_IN(body, "complex.create", buddy_mlir_element_type(body->call, to),
               be_in_cast(body, value, from, part), be_in_scalar(body, part, 0));
}

MlirValue be_in_cast(const be_body *body, MlirValue value, buddy_dtype from, buddy_dtype to) {
  if (from == to) return value;
  if (be_is_complex(from)) return complex_to(body, value, from, to);
  if (be_is_complex(to)) return real_to_complex(body, value, from, to);
  if (to == BUDDY_BOOL) return is_nonzero(body, value, from);
  if (be_is_float(from)) {
    return be_is_float(to) ? float_to_float(body, value, from, to)
                           : float_to_int(body, value, from, to);
  }
  return be_is_float(to) ? int_to_float(body, value, from, to) : int_to_int(body, value, from, to);
}
