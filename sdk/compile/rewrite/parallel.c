// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/parallel.c: an scf.parallel, read; its units and cost. */
#include "sdk/compile/rewrite/parallel.h"

#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "sdk/runtime/parallel_for.h"

enum {
  UNITS = 64,   /* that are enough */
  GROUP = 2048, /* elements of a unit that is made of several rounds */
  SMALL = 256,  /* elements: LLVM may unroll what has fewer */
  UNKNOWN = 64, /* rounds of a loop of unknown size, for its cost */
};

typedef struct weighing {
  MlirOperation root;
  bool has_loops;
  int64_t rounds; /* of the innermost loop, all in all; -1: not known */
  int64_t cost;
} weighing;

/* Rounds of all loops between the operation and the root; *out_is_known if they are constants. */
static int64_t rounds_of(MlirOperation op, MlirOperation root, bool *out_is_known) {
  int64_t n = 1;
  *out_is_known = true;
  op = mlirOperationGetParentOperation(op);
  for (; op.ptr && !mlirOperationEqual(op, root); op = mlirOperationGetParentOperation(op)) {
    if (!bd_op_is(op, "scf.for")) continue;
    const int64_t from = bd_integer_of(mlirOperationGetOperand(op, 0)),
                  to = bd_integer_of(mlirOperationGetOperand(op, 1)),
                  step = bd_integer_of(mlirOperationGetOperand(op, 2));
    const bool is_known = to >= 0 && from >= 0 && step > 0;
    const int64_t rounds = is_known ? (to - from) / step : UNKNOWN;
    *out_is_known &= is_known;
    if (n < INT32_MAX) n *= rounds > 0 ? rounds : 1;
  }
  return n < INT32_MAX ? n : INT32_MAX;
}

static MlirWalkResult weigh(MlirOperation op, void *user) {
  weighing *w = user;
  if (mlirOperationEqual(op, w->root) || bd_op_is(op, "arith.constant"))
    return MlirWalkResultAdvance;
  if (bd_op_is(op, "scf.for") || bd_op_is(op, "scf.parallel")) w->has_loops = true;
  bool is_known;
  const int64_t rounds = rounds_of(op, w->root, &is_known);
  if (!is_known) w->rounds = -1;
  if (w->rounds >= 0 && rounds > w->rounds) w->rounds = rounds;
  const int weight = bd_op_starts_with(op, "math.") || bd_op_is(op, "func.call") ? 16 : 1;
  if (w->cost < INT32_MAX) w->cost += weight * rounds;
  return MlirWalkResultAdvance;
}

/* LLVM makes vectors of the innermost loop, having unrolled smaller ones. The rest that fills no
 * vector is computed by scalar functions with other roundings: for it to be the same elements
 * always, that loop must not be cut but where a unit ends. */
static int64_t group_of(const bd_parallel *p, const weighing *w) {
  int64_t n = w->rounds;
  for (int i = p->end; i < p->rank && n >= 0; ++i) n = p->sizes[i] < 0 ? -1 : n * p->sizes[i];
  return n < 0 || n >= SMALL ? 1 : GROUP / (n > 0 ? n : 1);
}

/* Takes as many of the outer axes as it needs. */
static void choose_axes(bd_parallel *p, const weighing *w) {
  const int most = w->has_loops ? p->rank : p->rank - 1;
  const int64_t last = p->sizes[p->rank - 1];
  int64_t units = 1;
  bool is_known = true;
  while (p->end < most && units < UNITS) {
    is_known &= p->sizes[p->end] >= 0;
    units *= p->sizes[p->end] > 0 ? p->sizes[p->end] : 1;
    ++p->end;
  }
  p->group = group_of(p, w);
  if (p->end > 0 && (!is_known || units >= UNITS || w->has_loops || last < UNITS * GROUP)) return;
  p->first = p->rank - 1; /* a few long lines, or one */
  p->end = p->rank;
  p->group = GROUP;
}

/* False if it is known to be too little for two threads. */
static bool is_worthwhile(const bd_parallel *p, int64_t cost) {
  for (int i = 0; i < p->rank; ++i) {
    if (p->sizes[i] < 0 || cost >= 2 * BD_LEAST_COST) return true;
    cost *= p->sizes[i] < INT32_MAX ? p->sizes[i] : INT32_MAX;
  }
  return cost >= 2 * BD_LEAST_COST;
}

int bd_parallel_read(MlirOperation op, bd_parallel *p, int64_t *out_cost) {
  weighing w = {op, 0, 1, 0};
  const intptr_t n = mlirOperationGetNumOperands(op);
  if (mlirOperationGetNumResults(op) != 0 || n % 3 != 0 || n / 3 > BD_MAX_LOOPS) return 0;
  *p = (bd_parallel){.op = op, .rank = (int)(n / 3), .group = 1, .body = bd_body_of(op)};
  for (int i = 0; i < p->rank; ++i) {
    p->upper[i] = mlirOperationGetOperand(op, p->rank + i);
    p->sizes[i] = bd_integer_of(p->upper[i]);
    p->step = mlirOperationGetOperand(op, 2 * p->rank + i);
    const bool is_one = bd_integer_of(p->step) == 1;
    if (bd_integer_of(mlirOperationGetOperand(op, i)) != 0 || (!is_one && p->rank > 1)) return 0;
    p->is_whole = !is_one;
  }
  const MlirAttribute told = bd_op_attribute(op, "cost");
  if (p->rank == 0 || (p->rank == 1 && p->sizes[0] == 1)) return 0;
  mlirOperationWalk(op, weigh, &w, MlirWalkPreOrder);
  *out_cost = told.ptr ? mlirIntegerAttrGetValueInt(told) : w.cost;
  if (p->is_whole)
    p->end = 1;
  else
    choose_axes(p, &w);
  return is_worthwhile(p, *out_cost);
}

int64_t bd_parallel_cost(const bd_parallel *p, int64_t cost) {
  if (p->is_whole) return cost;
  for (int i = 0; i < p->rank; ++i) {
    if (i >= p->first && i < p->end) continue;
    const int64_t size = p->sizes[i] >= 0 ? p->sizes[i] : UNKNOWN;
    if (size > 0) cost = cost < INT32_MAX / size ? cost * size : INT32_MAX;
  }
  cost = cost < INT32_MAX ? cost * p->group : cost;
  return cost;
}
