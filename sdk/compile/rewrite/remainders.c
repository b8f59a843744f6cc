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

enum { STEPS = 6 };
enum { EQUAL = 1, LESS = 4, UNEQUAL_OR_NAN = 13 }; /* arith.cmpf's predicates */

typedef struct writing {
  MlirOperation op; /* what is written stands before it */
  MlirContext context;
  MlirType wide;
} writing;

static MlirValue put(const writing *m, const char *name, MlirType type, const MlirValue *operands,
                     size_t n) {
  return bd_value_insert(m->op, name, operands, n, type, NULL, mlirAttributeGetNull());
}
static MlirValue number(const writing *m, MlirType type, double value) {
  return bd_value_insert(m->op, "arith.constant", NULL, 0, type, "value",
                         mlirFloatAttrDoubleGet(m->context, type, value));
}
static MlirValue compare(const writing *m, int64_t predicate, MlirValue a, MlirValue b) {
  return bd_value_insert(m->op, "arith.cmpf", (MlirValue[]){a, b}, 2,
                         mlirIntegerTypeGet(m->context, 1), "predicate",
                         mlirIntegerAttrGet(mlirIntegerTypeGet(m->context, 64), predicate));
}
static MlirValue choose(const writing *m, MlirValue condition, MlirValue yes, MlirValue no) {
  return put(m, "arith.select", mlirValueGetType(yes), (MlirValue[]){condition, yes, no}, 3);
}
static MlirValue one(const writing *m, const char *name, MlirValue a) {
  return put(m, name, m->wide, &a, 1);
}
static MlirValue two(const writing *m, const char *name, MlirValue a, MlirValue b) {
  return put(m, name, m->wide, (MlirValue[]){a, b}, 2);
}

/* Of |x| and |y|, in f64. */
static MlirValue remainder_of(const writing *m, MlirValue x, MlirValue y) {
  const MlirValue inverse = two(m, "arith.divf", number(m, m->wide, 1), y);
  MlirValue rest = x;
  for (int i = 0; i < STEPS; ++i) {
    const MlirValue q = one(m, "math.roundeven", two(m, "arith.mulf", rest, inverse));
    rest = put(m, "math.fma", m->wide, (MlirValue[]){one(m, "arith.negf", q), y, rest}, 3);
  }
  const MlirValue is_below = compare(m, LESS, rest, number(m, m->wide, 0));
  return choose(m, is_below, two(m, "arith.addf", rest, y), rest);
}

/* What is not negative, with the sign of x. By the bits: where x is a bf16 number made wider, what LLVM
 * (22) makes of a scalar copysign is always positive. */
static MlirValue with_sign(const writing *m, MlirValue size, MlirValue x) {
  const MlirType bits = mlirIntegerTypeGet(m->context, 32), type = mlirValueGetType(x);
  const MlirValue mask = bd_value_insert(m->op, "arith.constant", NULL, 0, bits, "value",
                                         mlirIntegerAttrGet(bits, INT32_MIN));
  const MlirValue pattern = put(m, "arith.bitcast", bits, &x, 1),
                  plain = put(m, "arith.bitcast", bits, &size, 1);
  const MlirValue sign = put(m, "arith.andi", bits, (MlirValue[]){pattern, mask}, 2);
  const MlirValue both = put(m, "arith.ori", bits, (MlirValue[]){plain, sign}, 2);
  return put(m, "arith.bitcast", type, &both, 1);
}

static buddy_code write_one(MlirOperation op) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirValue result = mlirOperationGetResult(op, 0);
  const MlirType narrow = mlirValueGetType(result);
  if (!bd_op_is(op, "arith.remf") || !mlirTypeIsAF32(narrow)) return BUDDY_OK;
  const writing m = {op, context, mlirF64TypeGet(context)};
  const MlirValue x = mlirOperationGetOperand(op, 0), y = mlirOperationGetOperand(op, 1);
  const MlirValue size = one(&m, "math.absf", one(&m, "arith.extf", x)),
                  divisor = one(&m, "math.absf", one(&m, "arith.extf", y));
  const MlirValue rest = remainder_of(&m, size, divisor);
  const MlirValue short_rest = put(&m, "arith.truncf", narrow, &rest, 1);
  const MlirValue infinity = number(&m, m.wide, (double)INFINITY);
  const MlirValue is_whole = put(&m, "arith.andi", mlirIntegerTypeGet(context, 1),
                                 (MlirValue[]){compare(&m, EQUAL, divisor, infinity),
                                               compare(&m, UNEQUAL_OR_NAN, size, infinity)},
                                 2);
  const MlirValue value = choose(&m, is_whole, x, with_sign(&m, short_rest, x));
  if (!value.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirValueReplaceAllUsesOfWith(result, value);
  bd_op_erase(op);
  return BUDDY_OK;
}

buddy_code bd_remainders_write(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&ops, root, "arith.remf");
  for (size_t i = 0; i < ops.n && !code; ++i) code = write_one(ops.items[i]);
  bd_ops_deinit(&ops);
  return code;
}
