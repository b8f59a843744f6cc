// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/floats8.c: 8-bit floats to and from f32 by integer arithmetic: the llvm dialect has no
 * such types, and nothing upstream lowers their arith.extf and arith.truncf. The numbers are
 * PyTorch's, bit for bit.
 *
 *   format      mantissa  bias  beyond the range, and infinity  NaN    other special magnitudes
 *   e4m3fn      3         7     the largest number 0x7e         0x7f   none
 *   e5m2        2         15    infinity 0x7c                   0x7f   0x7c infinity, above NaN
 *   e4m3fnuz    3         8     NaN 0x80                        0x80   none; 0x80 is as a whole
 *   e5m2fnuz    2         16    NaN 0x80                        0x80   likewise
 *   e8m0fnu     0         127   NaN 0xff                        0xff   neither signs nor zero
 *
 * To f32: the magnitude shifted to f32's fields is the number scaled by 2^(bias-127), subnormals
 * too; one multiplication puts that right. From f32: round to nearest even by adding below the last
 * kept bit; subnormals by adding the power of two whose last bit is the smallest subnormal. e8m0fnu
 * is f32's exponent alone: what is below its least, 2^-127, becomes that, and signs are dropped. */
#include "sdk/author/author.h"

#include <stdbool.h>

typedef struct format {
  buddy_dtype dtype;
  int mantissa, bias;
  bool is_nuz, has_infinity;
  int64_t limit; /* the bits of an f32, from which on all numbers become `beyond` */
  int64_t beyond, nan;
} format;

static const format formats[] = {
    {BUDDY_F8E4M3FN, 3, 7, 0, 0, 0x43e00000, 0x7e, 0x7f},
    {BUDDY_F8E5M2, 2, 15, 0, 1, 0x47800000, 0x7c, 0x7f},
    {BUDDY_F8E4M3FNUZ, 3, 8, 1, 0, 0x43800000, 0x80, 0x80},
    {BUDDY_F8E5M2FNUZ, 2, 16, 1, 0, 0x47800000, 0x80, 0x80},
};

#define F32_INFINITY 0x7f800000
#define F32_NAN 0x7fc00000
#define F32_MAGNITUDE 0x7fffffff

static const MlirType same_type = {NULL};
static const MlirValue no_value = {NULL};

static const format *find_format(buddy_dtype dtype) {
  for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); ++i) {
    if (formats[i].dtype == dtype) return &formats[i];
  }
  return NULL;
}

int be_is_f8(buddy_dtype dtype) { return dtype == BUDDY_F8E8M0FNU || find_format(dtype) != NULL; }

static MlirValue bits(const be_body *body, int64_t value) {
  return be_in_scalar_int(body, BUDDY_I32, value);
}

static MlirValue op(const be_body *body, const char *name, MlirValue a, MlirValue b) {
  return BE_IN(body, name, same_type, a, b);
}

static MlirValue is(const be_body *body, const char *predicate, MlirValue a, int64_t b) {
  return be_in_compare(body, predicate, a, bits(body, b), BUDDY_U32);
}

static MlirValue cast(const be_body *body, const char *name, MlirValue value, buddy_dtype to) {
  return BE_IN(body, name, buddy_mlir_element_type(body->call, to), value);
}

/* e8m0fnu: the number of those bits. 2^-127 is subnormal in f32, and NaN the one that PyTorch has. */
static MlirValue exponent_to_f32(const be_body *body, MlirValue all) {
  MlirValue result = op(body, "arith.shli", all, bits(body, 23));
  result = be_in_select(body, is(body, "eq", all, 0), bits(body, 0x400000), result);
  result = be_in_select(body, is(body, "eq", all, 0xff), bits(body, 0x7f800001), result);
  return cast(body, "arith.bitcast", result, BUDDY_F32);
}

/* The middle of two powers of two becomes the larger one, and so does all between the least two. */
static MlirValue f32_to_exponent(const be_body *body, MlirValue magnitude) {
  const MlirValue below_middle = be_in_select(body, is(body, "lt", magnitude, 0x800000),
                                              bits(body, 0x3fffff), bits(body, 0x400000));
  const MlirValue rounded =
      op(body, "arith.shrui", op(body, "arith.addi", magnitude, below_middle), bits(body, 23));
  const MlirValue is_special = is(body, "ge", magnitude, F32_INFINITY);
  return be_in_select(body, is_special, bits(body, 0xff), rounded);
}

MlirValue be_f8_to_f32(const be_body *body, MlirValue value, buddy_dtype from) {
  const format *f = find_format(from);
  if (!be_is_f8(from)) return no_value;
  const MlirValue all =
      cast(body, "arith.extui", cast(body, "arith.bitcast", value, BUDDY_I8), BUDDY_I32);
  if (!f) return exponent_to_f32(body, all);
  const MlirValue magnitude = op(body, "arith.andi", all, bits(body, 0x7f));
  const MlirValue sign =
      op(body, "arith.shli", op(body, "arith.andi", all, bits(body, 0x80)), bits(body, 24));
  const MlirValue fields = op(body, "arith.shli", magnitude, bits(body, 23 - f->mantissa));
  const MlirValue scale =
      cast(body, "arith.bitcast", bits(body, (int64_t)(254 - f->bias) << 23), BUDDY_F32);
  const MlirValue scaled =
      op(body, "arith.mulf", cast(body, "arith.bitcast", fields, BUDDY_F32), scale);
  MlirValue result = cast(body, "arith.bitcast", scaled, BUDDY_I32);
  const MlirValue nan = bits(body, F32_NAN);
  if (f->has_infinity) {
    result = be_in_select(body, is(body, "eq", magnitude, 0x7c), bits(body, F32_INFINITY), result);
    result = be_in_select(body, is(body, "gt", magnitude, 0x7c), nan, result);
  } else if (!f->is_nuz) {
    result = be_in_select(body, is(body, "eq", magnitude, 0x7f), nan, result);
  }
  result = op(body, "arith.ori", result, sign);
  if (f->is_nuz) result = be_in_select(body, is(body, "eq", all, 0x80), nan, result); /* no sign */
  return cast(body, "arith.bitcast", result, BUDDY_F32);
}

/* The magnitude of a number inside the range, not yet cut to 8 bits. */
static MlirValue round_magnitude(const be_body *body, const format *f, MlirValue magnitude) {
  const int dropped = 23 - f->mantissa;
  const int64_t unit = (int64_t)(127 - f->bias + dropped + 1) << 23;
  const MlirValue sum = op(body, "arith.addf", cast(body, "arith.bitcast", magnitude, BUDDY_F32),
                           cast(body, "arith.bitcast", bits(body, unit), BUDDY_F32));
  const MlirValue small =
      op(body, "arith.subi", cast(body, "arith.bitcast", sum, BUDDY_I32), bits(body, unit));
  const MlirValue is_odd = op(
      body, "arith.andi", op(body, "arith.shrui", magnitude, bits(body, dropped)), bits(body, 1));
  const int64_t bias = ((int64_t)(f->bias - 127) * (1 << 23)) + (1 << (dropped - 1)) - 1;
  const MlirValue rounded =
      op(body, "arith.addi", op(body, "arith.addi", magnitude, bits(body, bias)), is_odd);
  const MlirValue normal = op(body, "arith.shrui", rounded, bits(body, dropped));
  const int64_t smallest_normal = (int64_t)(127 - f->bias + 1) << 23;
  return be_in_select(body, is(body, "lt", magnitude, smallest_normal), small, normal);
}

MlirValue be_f32_to_f8(const be_body *body, MlirValue value, buddy_dtype to) {
  const format *f = find_format(to);
  if (!be_is_f8(to)) return no_value;
  const MlirValue all = cast(body, "arith.bitcast", value, BUDDY_I32);
  const MlirValue magnitude = op(body, "arith.andi", all, bits(body, F32_MAGNITUDE));
  if (!f) {
    return cast(body, "arith.bitcast",
                cast(body, "arith.trunci", f32_to_exponent(body, magnitude), BUDDY_I8), to);
  }
  MlirValue sign = op(body, "arith.shrui", op(body, "arith.xori", all, magnitude), bits(body, 24));
  MlirValue result = round_magnitude(body, f, magnitude);
  if (f->is_nuz)
    sign = be_in_select(body, is(body, "eq", result, 0), bits(body, 0), sign); /* no -0 */
  const MlirValue is_nan = is(body, "gt", magnitude, F32_INFINITY);
  const MlirValue special = be_in_select(body, is_nan, bits(body, f->nan), bits(body, f->beyond));
  const MlirValue is_beyond = is(body, "ge", magnitude, f->limit);
  result = op(body, "arith.ori", be_in_select(body, is_beyond, special, result), sign);
  return cast(body, "arith.bitcast", cast(body, "arith.trunci", result, BUDDY_I8), to);
}
