// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sums_parts.c: a sum as it is found, and writing what it becomes. */
#include "sdk/compile/rewrite/sums_parts.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

bd_builder bd_sum_at_end(const bd_sum *s, MlirBlock block) {
  return bd_builder_at_end(block, s->location);
}

MlirValue bd_sum_number(const bd_sum *s, MlirBlock block, int64_t number) {
  return bd_build_index(bd_sum_at_end(s, block), number);
}

MlirValue bd_sum_compute(const bd_sum *s, MlirBlock block, const char *name, MlirValue a,
                         MlirValue b) {
  return bd_build_pair(bd_sum_at_end(s, block), name, a, b);
}

/* A complex number of its two parts. */
static MlirValue join(const bd_sum *s, MlirBlock block, const MlirValue parts[2]) {
  return bd_build(bd_sum_at_end(s, block), "complex.create", parts, 2, s->wide, NULL,
                  mlirAttributeGetNull());
}

static MlirType part_type(const bd_sum *s) {
  return mlirTypeIsAComplex(s->wide) ? mlirComplexTypeGetElementType(s->wide) : s->wide;
}

MlirValue bd_sum_zero(const bd_sum *s, MlirBlock block) {
  const MlirValue number = bd_build_float(bd_sum_at_end(s, block), part_type(s), 0);
  return mlirTypeIsAComplex(s->wide) ? join(s, block, (MlirValue[]){number, number}) : number;
}

MlirValue bd_sum_widen(const bd_sum *s, MlirBlock block, MlirValue value) {
  if (mlirTypeEqual(s->type, s->wide)) return value;
  return bd_build_one(bd_sum_at_end(s, block), "arith.extf", value, s->wide);
}

MlirValue bd_sum_narrow(const bd_sum *s, MlirBlock block, MlirValue value) {
  if (mlirTypeEqual(s->type, s->wide)) return value;
  return bd_build_one(bd_sum_at_end(s, block), "arith.truncf", value, s->type);
}

/* ---- Exact sums ---- */

bd_exact bd_sum_with(const bd_sum *s, MlirBlock block, bd_exact sum, MlirValue number) {
  const bool is_complex = mlirTypeIsAComplex(s->wide);
  const char *add = is_complex ? "complex.add" : "arith.addf";
  const char *subtract = is_complex ? "complex.sub" : "arith.subf";
  /* Knuth's: the sum and the numbers that it is made of tell what it lacks. */
  const MlirValue all = bd_sum_compute(s, block, add, sum.sum, number);
  const MlirValue taken = bd_sum_compute(s, block, subtract, all, sum.sum);
  const MlirValue kept = bd_sum_compute(s, block, subtract, all, taken);
  const MlirValue lost_before = bd_sum_compute(s, block, subtract, sum.sum, kept);
  const MlirValue lost_now = bd_sum_compute(s, block, subtract, number, taken);
  const MlirValue lost = bd_sum_compute(s, block, add, lost_before, lost_now);
  return (bd_exact){all, bd_sum_compute(s, block, add, sum.lost, lost)};
}

/* Infinities leave a NaN in what is lost. */
static MlirValue settle(const bd_sum *s, MlirBlock block, MlirValue sum, MlirValue lost) {
  enum { ORDERED = 7 };
  const bd_builder b = bd_sum_at_end(s, block);
  const MlirValue is_number = bd_build_compare(b, "arith.cmpf", ORDERED, lost, lost);
  const MlirValue all = bd_build_pair(b, "arith.addf", sum, lost);
  return bd_build_select(b, is_number, all, sum);
}

MlirValue bd_sum_settle(const bd_sum *s, MlirBlock block, bd_exact sum) {
  if (!mlirTypeIsAComplex(s->wide)) return settle(s, block, sum.sum, sum.lost);
  static const char *const parts[] = {"complex.re", "complex.im"};
  MlirValue settled[2];
  for (int i = 0; i < 2; ++i) {
    const MlirValue all = bd_build_one(bd_sum_at_end(s, block), parts[i], sum.sum, part_type(s));
    const MlirValue lost = bd_build_one(bd_sum_at_end(s, block), parts[i], sum.lost, part_type(s));
    settled[i] = settle(s, block, all, lost);
  }
  return join(s, block, settled);
}

/* ---- Loops ---- */

void bd_sum_yield(const bd_sum *s, MlirBlock block, const MlirValue *values, intptr_t n) {
  const bool is_parallel = bd_op_is(bd_block_parent(block), "scf.parallel");
  (void)bd_build_op(bd_sum_at_end(s, block), is_parallel ? "scf.reduce" : "scf.yield", values,
                    (size_t)n, NULL, 0, NULL, 0);
}

MlirValue bd_sum_result(MlirBlock body, intptr_t i) {
  return mlirOperationGetResult(bd_block_parent(body), i);
}

/* ---- The body ---- */

/* A place is made of indices of loops, and of what is computed before them. */
static MlirValue place(const bd_sum *s, MlirValue value, const MlirValue *at) {
  for (int i = 0; i < s->n; ++i) {
    if (mlirValueEqual(value, s->loops[i].index)) return at[i];
  }
  return value;
}

MlirValue bd_sum_read(const bd_sum *s, MlirBlock block, const MlirValue *at) {
  const MlirOperation copy = mlirOperationClone(s->load);
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, place(s, mlirOperationGetOperand(copy, i), at));
  mlirBlockAppendOwnedOperation(block, copy);
  return bd_sum_widen(s, block, mlirOperationGetResult(copy, 0));
}

void bd_sum_write(const bd_sum *s, MlirBlock block, MlirValue value, const MlirValue *at) {
  const MlirValue narrow = bd_sum_narrow(s, block, value);
  const MlirOperation copy = mlirOperationClone(s->store);
  mlirOperationSetOperand(copy, 0, narrow);
  for (intptr_t i = 2; i < mlirOperationGetNumOperands(copy); ++i)
    mlirOperationSetOperand(copy, i, place(s, mlirOperationGetOperand(copy, i), at));
  mlirBlockAppendOwnedOperation(block, copy);
}

static MlirValue term_of(const bd_sum *s) {
  const MlirValue first = mlirOperationGetOperand(s->add, 0);
  return mlirValueEqual(first, mlirOperationGetResult(s->load, 0))
             ? mlirOperationGetOperand(s->add, 1)
             : first;
}

/* The copies stand in the order of what they are copies of. */
typedef struct copying {
  const bd_sum *sum;
  const MlirValue *at;
  MlirOperation first;
} copying;

static bool is_of_term(const bd_sum *s, MlirOperation op) {
  return !mlirOperationEqual(op, s->load) && !mlirOperationEqual(op, s->add) &&
         !mlirOperationEqual(op, s->store);
}

static MlirValue copied(const copying *c, MlirValue value) {
  const MlirOperation maker = bd_maker_of(value);
  if (!maker.ptr || !mlirBlockEqual(mlirOperationGetBlock(maker), c->sum->body))
    return place(c->sum, value, c->at);
  MlirOperation copy = c->first, op = mlirBlockGetFirstOperation(c->sum->body);
  for (; !mlirOperationEqual(op, maker); op = mlirOperationGetNextInBlock(op)) {
    if (is_of_term(c->sum, op)) copy = mlirOperationGetNextInBlock(copy);
  }
  return mlirOperationGetResult(copy, mlirOpResultGetResultNumber(value));
}

static MlirWalkResult redirect(MlirOperation op, void *user) {
  const copying *c = user;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    mlirOperationSetOperand(op, i, copied(c, mlirOperationGetOperand(op, i)));
  return MlirWalkResultAdvance;
}

MlirValue bd_sum_add_term(const bd_sum *s, MlirBlock block, const MlirValue *at, MlirValue before) {
  const MlirOperation end = mlirBlockGetTerminator(s->body);
  copying c = {.sum = s, .at = at};
  for (MlirOperation op = mlirBlockGetFirstOperation(s->body); !mlirOperationEqual(op, end);
       op = mlirOperationGetNextInBlock(op)) {
    if (!is_of_term(s, op)) continue;
    const MlirOperation copy = mlirOperationClone(op);
    mlirBlockAppendOwnedOperation(block, copy);
    if (!c.first.ptr) c.first = copy;
    mlirOperationWalk(copy, redirect, &c, MlirWalkPreOrder);
  }
  const MlirValue term = bd_sum_widen(s, block, copied(&c, term_of(s)));
  const MlirAttribute relaxed = bd_op_attribute(s->add, "fastmath");
  const bool is_complex = mlirTypeIsAComplex(s->wide);
  return bd_build(bd_sum_at_end(s, block), is_complex ? "complex.add" : "arith.addf",
                  (MlirValue[]){before, term}, 2, s->wide,
                  mlirAttributeIsNull(relaxed) ? NULL : "fastmath", relaxed);
}

int bd_sum_cut(const bd_sum *s, int end, int64_t most, int64_t *out_step) {
  int64_t n = 1;
  for (int i = end - 1; i >= 0; --i) {
    if (!s->loops[i].adds) continue;
    const int64_t size = s->loops[i].size;
    if (size < 0 || size > most / n) {
      *out_step = most / n;
      return i;
    }
    n *= size > 0 ? size : 1;
  }
  return -1;
}
