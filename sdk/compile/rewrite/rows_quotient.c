// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/rows_quotient.c: within a row, divisions by a number that the whole row has.
 *
 * Dividing a vector takes as long as a dozen multiplications. With r = 1 / s, which is found once,
 *
 *   q = x * r,  x / s = q + (x - q * s) * r      (fused: what q lacks is exact)
 *
 * is the quotient to the last bit but for one in millions. It is done where s is neither so large
 * nor so small that r or q could leave the range of the type for other reasons than x / s would.
 * Where q is infinite the sum is a NaN, and where q is a zero it may have the other sign: then q is
 * right. Other rows divide. */
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/rows_parts.h"

/* Rounds from which on the comparisons pay. */
enum { LEAST_ROUNDS = 64 };

typedef struct quotient {
  const bd_row_group *group;
  bd_row_member *m;
  MlirContext context;
  MlirLocation location;
  int n_loops, loops[BD_MAX_LOOPS]; /* that are no rows */
  int divisor;                      /* the operand */
  MlirType type;
} quotient;

static MlirBlock body_of(MlirOperation op) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
}

/* ---- Which ---- */

static bool is_of_row(const quotient *q, int operand) {
  const bd_row_member *m = q->m;
  const bd_row_walk *walk = &m->walks[operand];
  for (int i = 0; i < q->n_loops; ++i) {
    if (walk->axis[q->loops[i]] != BD_AXIS_NONE) return false;
  }
  const MlirAffineMap map = bd_structured_map(&m->s, operand);
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    if (!mlirAffineExprIsAConstant(mlirAffineMapGetResult(map, r))) return false;
  }
  return m->s.operands[operand].rank >= 0;
}

/* The body's next division by what that operand has; null: there is none. */
static MlirOperation next_division(MlirOperation op, int divisor, MlirOperation after) {
  const MlirValue by = mlirBlockGetArgument(body_of(op), divisor);
  MlirOperation at =
      after.ptr ? mlirOperationGetNextInBlock(after) : mlirBlockGetFirstOperation(body_of(op));
  for (; at.ptr; at = mlirOperationGetNextInBlock(at)) {
    if (bd_op_is(at, "arith.divf") && mlirValueEqual(mlirOperationGetOperand(at, 1), by)) break;
  }
  return at;
}

static bool is_long(const quotient *q) {
  int64_t n = 1;
  for (int i = 0; i < q->n_loops && n < LEAST_ROUNDS; ++i) {
    const int64_t size = q->m->s.sizes[q->loops[i]];
    n *= size < 0 || size > LEAST_ROUNDS ? LEAST_ROUNDS : size;
  }
  return n >= LEAST_ROUNDS;
}

static bool find(quotient *q) {
  if (bd_row_is_fill(q->m) || !is_long(q)) return false;
  for (q->divisor = 0; q->divisor < q->m->s.n_inputs; ++q->divisor) {
    q->type = mlirValueGetType(mlirBlockGetArgument(body_of(q->m->s.op), q->divisor));
    if ((mlirTypeIsAF32(q->type) || mlirTypeIsAF64(q->type)) && is_of_row(q, q->divisor) &&
        next_division(q->m->s.op, q->divisor, (MlirOperation){NULL}).ptr)
      return true;
  }
  return false;
}

/* ---- Writing ---- */

/* Before `before`. */
static MlirValue put(const quotient *q, MlirOperation before, const char *name,
                     const MlirValue *operands, size_t n, MlirType type, const char *key,
                     MlirAttribute value) {
  const MlirOperation op = bd_op_create(name, q->location, operands, n, &type, 1, key, value);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, op);
  return mlirOperationGetResult(op, 0);
}

static MlirValue compute(const quotient *q, MlirOperation before, const char *name,
                         const MlirValue *operands, size_t n) {
  return put(q, before, name, operands, n, q->type, NULL, mlirAttributeGetNull());
}

static MlirValue number(const quotient *q, MlirOperation before, double value) {
  return put(q, before, "arith.constant", NULL, 0, q->type, "value",
             mlirFloatAttrDoubleGet(q->context, q->type, value));
}

enum { LESS_OR_EQUAL = 5, UNEQUAL = 6 }; /* arith.cmpf's predicates, which no NaN fulfils */
static MlirValue compare(const quotient *q, MlirOperation before, int64_t predicate, MlirValue a,
                         MlirValue b) {
  return put(q, before, "arith.cmpf", (MlirValue[]){a, b}, 2, mlirIntegerTypeGet(q->context, 1),
             "predicate", mlirIntegerAttrGet(mlirIntegerTypeGet(q->context, 64), predicate));
}

static MlirValue load_divisor(const quotient *q) {
  const MlirOperation op = q->m->s.op;
  const MlirAffineMap map = bd_structured_map(&q->m->s, q->divisor);
  MlirValue operands[1 + BD_MAX_LOOPS] = {mlirOperationGetOperand(op, q->divisor)};
  const intptr_t n = mlirAffineMapGetNumResults(map);
  const MlirType index = mlirIndexTypeGet(q->context);
  for (intptr_t r = 0; r < n; ++r) {
    const int64_t place = mlirAffineConstantExprGetValue(mlirAffineMapGetResult(map, r));
    operands[1 + r] =
        put(q, op, "arith.constant", NULL, 0, index, "value", mlirIntegerAttrGet(index, place));
  }
  return compute(q, op, "memref.load", operands, 1 + (size_t)n);
}

/* 2^-k <= |s| <= 2^k; no NaN. */
static MlirValue is_moderate(const quotient *q, MlirValue s) {
  const MlirOperation op = q->m->s.op;
  const double most = mlirTypeIsAF32(q->type) ? 0x1p60 : 0x1p500;
  const MlirValue size = compute(q, op, "math.absf", &s, 1);
  const MlirValue is_large = compare(q, op, LESS_OR_EQUAL, number(q, op, 1 / most), size),
                  is_small = compare(q, op, LESS_OR_EQUAL, size, number(q, op, most));
  return put(q, op, "arith.andi", (MlirValue[]){is_large, is_small}, 2,
             mlirIntegerTypeGet(q->context, 1), NULL, mlirAttributeGetNull());
}

/* x / s in place of the division. */
static void multiply(const quotient *q, MlirOperation division, MlirValue minus_s, MlirValue r) {
  const MlirValue x = mlirOperationGetOperand(division, 0);
  const MlirValue near = compute(q, division, "arith.mulf", (MlirValue[]){x, r}, 2);
  const MlirValue lacks = compute(q, division, "math.fma", (MlirValue[]){near, minus_s, x}, 3);
  const MlirValue whole = compute(q, division, "math.fma", (MlirValue[]){lacks, r, near}, 3);
  const MlirValue differs = compare(q, division, UNEQUAL, whole, near);
  const MlirValue result =
      compute(q, division, "arith.select", (MlirValue[]){differs, whole, near}, 3);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(division, 0), result);
}

static MlirRegion region_of(const quotient *q, MlirOperation op) {
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  mlirBlockAppendOwnedOperation(block, op);
  mlirBlockAppendOwnedOperation(block, bd_op_create("scf.yield", q->location, NULL, 0, NULL, 0,
                                                    NULL, mlirAttributeGetNull()));
  return region;
}

/* if (is_moderate) the copy, else the operation. */
static void write_choice(const quotient *q, MlirValue condition, MlirOperation copy) {
  const MlirOperation op = q->m->s.op, next = mlirOperationGetNextInBlock(op);
  const MlirBlock block = mlirOperationGetBlock(op);
  mlirOperationRemoveFromParent(op);
  MlirRegion regions[] = {region_of(q, copy), region_of(q, op)};
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("scf.if"), q->location);
  mlirOperationStateAddOperands(&state, 1, &condition);
  mlirOperationStateAddOwnedRegions(&state, 2, regions);
  const MlirOperation made = mlirOperationCreate(&state);
  if (next.ptr)
    mlirBlockInsertOwnedOperationBefore(block, next, made);
  else
    mlirBlockAppendOwnedOperation(block, made);
}

static void write(const quotient *q) {
  const MlirOperation op = q->m->s.op;
  const MlirValue s = load_divisor(q);
  const MlirValue condition = is_moderate(q, s), minus_s = compute(q, op, "arith.negf", &s, 1),
                  r = compute(q, op, "arith.divf", (MlirValue[]){number(q, op, 1), s}, 2);
  const MlirOperation copy = mlirOperationClone(op);
  MlirOperation division = next_division(copy, q->divisor, (MlirOperation){NULL});
  while (division.ptr) {
    const MlirOperation done = division;
    multiply(q, division, minus_s, r);
    division = next_division(copy, q->divisor, division);
    bd_op_erase(done);
  }
  write_choice(q, condition, copy);
}

void bd_rows_multiply(bd_row_group *group) {
  for (int n = 0; n < group->n_members; ++n) {
    const MlirOperation op = group->members[n]->s.op;
    quotient q = {.group = group,
                  .m = group->members[n],
                  .context = mlirOperationGetContext(op),
                  .location = mlirOperationGetLocation(op)};
    q.n_loops = bd_row_inner_loops(group, q.m, q.loops);
    if (find(&q)) write(&q);
  }
}
