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
#include "sdk/compile/builder.h"

/* Rounds from which on the comparisons pay. */
enum { LEAST_ROUNDS = 64 };

typedef struct quotient {
  const bd_row_group *group;
  bd_row_member *m;
  MlirLocation location;
  int n_loops, loops[BD_MAX_LOOPS]; /* that are no rows */
  int divisor;                      /* the operand */
  MlirType type;
} quotient;

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
  const MlirValue by = mlirBlockGetArgument(bd_body_of(op), divisor);
  MlirOperation at =
      after.ptr ? mlirOperationGetNextInBlock(after) : mlirBlockGetFirstOperation(bd_body_of(op));
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
    q->type = mlirValueGetType(mlirBlockGetArgument(bd_body_of(q->m->s.op), q->divisor));
    if ((mlirTypeIsAF32(q->type) || mlirTypeIsAF64(q->type)) && is_of_row(q, q->divisor) &&
        next_division(q->m->s.op, q->divisor, (MlirOperation){NULL}).ptr)
      return true;
  }
  return false;
}

/* ---- Writing ---- */

static MlirValue compute(const quotient *q, bd_builder b, const char *name,
                         const MlirValue *operands, size_t n) {
  return bd_build(b, name, operands, n, q->type, NULL, mlirAttributeGetNull());
}

enum { LESS_OR_EQUAL = 5, UNEQUAL = 6 }; /* arith.cmpf's predicates, which no NaN fulfils */

static MlirValue load_divisor(const quotient *q, bd_builder b) {
  const MlirAffineMap map = bd_structured_map(&q->m->s, q->divisor);
  MlirValue operands[1 + BD_MAX_LOOPS] = {mlirOperationGetOperand(q->m->s.op, q->divisor)};
  const intptr_t n = mlirAffineMapGetNumResults(map);
  for (intptr_t r = 0; r < n; ++r)
    operands[1 + r] =
        bd_build_index(b, mlirAffineConstantExprGetValue(mlirAffineMapGetResult(map, r)));
  return compute(q, b, "memref.load", operands, 1 + (size_t)n);
}

/* 2^-k <= |s| <= 2^k; no NaN. */
static MlirValue is_moderate(const quotient *q, bd_builder b, MlirValue s) {
  const double most = mlirTypeIsAF32(q->type) ? 0x1p60 : 0x1p500;
  const MlirValue size = compute(q, b, "math.absf", &s, 1);
  const MlirValue is_large =
      bd_build_compare(b, "arith.cmpf", LESS_OR_EQUAL, bd_build_float(b, q->type, 1 / most), size);
  const MlirValue is_small =
      bd_build_compare(b, "arith.cmpf", LESS_OR_EQUAL, size, bd_build_float(b, q->type, most));
  return bd_build_pair(b, "arith.andi", is_large, is_small);
}

/* x / s in place of the division. */
static void multiply(const quotient *q, MlirOperation division, MlirValue minus_s, MlirValue r) {
  const bd_builder b = bd_builder_for(division, q->location);
  const MlirValue x = mlirOperationGetOperand(division, 0);
  const MlirValue near = bd_build_pair(b, "arith.mulf", x, r);
  const MlirValue lacks = compute(q, b, "math.fma", (MlirValue[]){near, minus_s, x}, 3);
  const MlirValue whole = compute(q, b, "math.fma", (MlirValue[]){lacks, r, near}, 3);
  const MlirValue differs = bd_build_compare(b, "arith.cmpf", UNEQUAL, whole, near);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(division, 0),
                                bd_build_select(b, differs, whole, near));
}

static MlirBlock block_of(const quotient *q, MlirOperation op) {
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  const bd_builder b = bd_builder_at_end(block, q->location);
  (void)bd_builder_put(b, op);
  (void)bd_build_op(b, "scf.yield", NULL, 0, NULL, 0, NULL, 0);
  return block;
}

/* if (is_moderate) the copy, else the operation. */
static void write_choice(const quotient *q, MlirValue condition, MlirOperation copy) {
  const MlirOperation op = q->m->s.op;
  bd_builder b = bd_builder_before(op);
  b.before = mlirOperationGetNextInBlock(op);
  mlirOperationRemoveFromParent(op);
  const MlirBlock bodies[] = {block_of(q, copy), block_of(q, op)};
  (void)bd_build_around(b, "scf.if", &condition, 1, NULL, 0, NULL, 0, bodies, 2);
}

static void write(const quotient *q) {
  const MlirOperation op = q->m->s.op;
  const bd_builder b = bd_builder_before(op);
  const MlirValue s = load_divisor(q, b);
  const MlirValue condition = is_moderate(q, b, s), minus_s = compute(q, b, "arith.negf", &s, 1),
                  r = bd_build_pair(b, "arith.divf", bd_build_float(b, q->type, 1), s);
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
    quotient q = {.group = group, .m = group->members[n], .location = mlirOperationGetLocation(op)};
    q.n_loops = bd_row_inner_loops(group, q.m, q.loops);
    if (find(&q)) write(&q);
  }
}
