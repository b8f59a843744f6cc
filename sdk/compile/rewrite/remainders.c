// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/remainders.c: x - trunc(x / y) * y of f32, exactly, by few steps in f64.
 *
 *   r = |x|;  six times:  q = roundeven(r * (1 / |y|)),  r = fma(-q, |y|, r)
 *   r < 0: r += |y|;  the sign of x
 *
 * A step is exact. r and |y| begin as numbers of 24 bits. Below 2^52 q is within 1.5 of the quotient,
 * so that what is left is smaller than 1.5 |y|, and a whole multiple of the last bit of x or of y: of
 * 26 bits at the most. From 2^52 on q is the quotient but for 2^-51 of it; its last bit times that of
 * y divides both terms, the first 51 bits of which cancel: 26 bits are left again. A quotient is below
 * 2^277, and each step takes 51 bits from it: after the sixth |r| is at most half of |y|, rounded up.
 * By infinity a finite x is its own remainder; what has none is NaN by the steps themselves. */
#include "sdk/compile/rewrite/remainders.h"

#include <math.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"

enum { STEPS = 6 };
enum { EQUAL = 1, LESS = 4, UNEQUAL_OR_NAN = 13 }; /* arith.cmpf's predicates */

static MlirValue number(bd_builder b, double value) {
  return bd_build_float(b, mlirF64TypeGet(b.context), value);
}

static MlirValue compare(bd_builder b, int64_t predicate, MlirValue first, MlirValue second) {
  return bd_build_compare(b, "arith.cmpf", predicate, first, second);
}

static MlirValue in_f64(bd_builder b, const char *name, MlirValue operand) {
  return bd_build_one(b, name, operand, mlirF64TypeGet(b.context));
}

/* Of |x| and |y|, in f64. */
static MlirValue remainder_of(bd_builder b, MlirValue x, MlirValue y) {
  const MlirValue inverse = bd_build_pair(b, "arith.divf", number(b, 1), y);
  MlirValue rest = x;
  for (int i = 0; i < STEPS; ++i) {
    const MlirValue q = in_f64(b, "math.roundeven", bd_build_pair(b, "arith.mulf", rest, inverse));
    rest = bd_build(b, "math.fma", (MlirValue[]){in_f64(b, "arith.negf", q), y, rest}, 3,
                    mlirF64TypeGet(b.context), NULL, mlirAttributeGetNull());
  }
  const MlirValue is_below = compare(b, LESS, rest, number(b, 0));
  return bd_build_select(b, is_below, bd_build_pair(b, "arith.addf", rest, y), rest);
}

/* What is not negative, with the sign of x. By the bits: where x is a bf16 number made wider, what LLVM
 * (22) makes of a scalar copysign is always positive. */
static MlirValue with_sign(bd_builder b, MlirValue size, MlirValue x) {
  const MlirType bits = mlirIntegerTypeGet(b.context, 32), type = mlirValueGetType(x);
  const MlirValue mask = bd_build_integer(b, bits, INT32_MIN);
  const MlirValue pattern = bd_build_one(b, "arith.bitcast", x, bits),
                  plain = bd_build_one(b, "arith.bitcast", size, bits);
  const MlirValue sign = bd_build_pair(b, "arith.andi", pattern, mask);
  return bd_build_one(b, "arith.bitcast", bd_build_pair(b, "arith.ori", plain, sign), type);
}

static buddy_code write_one(MlirOperation op) {
  const MlirValue result = mlirOperationGetResult(op, 0);
  const MlirType narrow = mlirValueGetType(result);
  if (!bd_op_is(op, "arith.remf") || !mlirTypeIsAF32(narrow)) return BUDDY_OK;
  const bd_builder b = bd_builder_before(op);
  const MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  const MlirValue size = in_f64(b, "math.absf", in_f64(b, "arith.extf", x)),
                  divisor = in_f64(b, "math.absf", in_f64(b, "arith.extf", y));
  const MlirValue short_rest =
      bd_build_one(b, "arith.truncf", remainder_of(b, size, divisor), narrow);
  const MlirValue infinity = number(b, (double)INFINITY);
  const MlirValue is_infinite = compare(b, EQUAL, divisor, infinity),
                  is_number = compare(b, UNEQUAL_OR_NAN, size, infinity);
  const MlirValue is_whole = bd_build_pair(b, "arith.andi", is_infinite, is_number);
  return bd_op_replace(op, bd_build_select(b, is_whole, x, with_sign(b, short_rest, x)));
}

buddy_code bd_remainders_write(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&ops, root, "arith.remf");
  for (size_t i = 0; i < ops.n && !code; ++i) code = write_one(ops.items[i]);
  bd_ops_deinit(&ops);
  return code;
}
