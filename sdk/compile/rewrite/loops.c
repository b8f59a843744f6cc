// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/loops.c: ordering the loops of linalg operations.
 *
 * One loop is moved to the inside, the others keep their order; so every element of the result
 * receives its terms in the same order as before. For a product of matrices (m, n, k) becomes (m,
 * k, n), for pooling over n, c, h, w the walk along w goes inside the window.
 *
 * The choice is by cost: for each operand, how far apart the elements are that consecutive rounds
 * touch. */
#include "sdk/compile/rewrite/loops.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/rewrite/collapse.h"
#include "sdk/compile/rewrite/sums.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

#define UNKNOWN INT64_MIN
#define MAX_DEPTH 16 /* of an affine expression */

/* By how much the expression grows when dimension `loop` does; UNKNOWN if that is no constant. */
static int64_t coefficient(MlirAffineExpr e, int loop, int depth) {
  if (mlirAffineExprIsADim(e)) return mlirAffineDimExprGetPosition(e) == loop;
  if (!mlirAffineExprIsFunctionOfDim(e, loop)) return 0;
  if (depth == MAX_DEPTH || !mlirAffineExprIsABinary(e)) return UNKNOWN;
  const MlirAffineExpr left = mlirAffineBinaryOpExprGetLHS(e),
                       right = mlirAffineBinaryOpExprGetRHS(e);
  const int64_t a = coefficient(left, loop, depth + 1);
  if (a == UNKNOWN) return UNKNOWN;
  if (mlirAffineExprIsAMul(e) && mlirAffineExprIsAConstant(right))
    return a * mlirAffineConstantExprGetValue(right);
  const int64_t b = mlirAffineExprIsAAdd(e) ? coefficient(right, loop, depth + 1) : UNKNOWN;
  return b == UNKNOWN ? UNKNOWN : a + b;
}

/* Elements between what consecutive rounds of the loop touch. */
static int64_t stride_along(const bd_operand *operand, MlirAffineMap map, int loop) {
  int64_t strides[BD_MAX_RANK];
  int64_t sum = 0;
  if (operand->rank < 0) return 0;
  if (!bd_memref_strides(operand->type, strides)) return UNKNOWN;
  for (int64_t r = 0; r < operand->rank; ++r) {
    const int64_t c = coefficient(mlirAffineMapGetResult(map, r), loop, 0);
    if (c == 0) continue;
    if (c == UNKNOWN || strides[r] == INT64_MIN) return UNKNOWN;
    sum += c * strides[r];
  }
  return sum;
}

/* The loop that is innermost once `loop` is inside of it, of those of more than one round; -1: there is none. */
static int last_before(const bd_structured *s, int loop) {
  int last = s->n_loops - 1;
  while (last >= 0 && (last == loop || s->sizes[last] == 1)) --last;
  return last;
}

/* A few rounds, as those of an image's colours, whose results are neighbours that those of the next loop's rounds follow,
 * while along that one operands are dense: LLVM writes the few out, makes vectors of the other loop, and writes the
 * neighbours by shuffles, where all strides are known. Copying a 3x224x224 image so that its colours are innermost took
 * 0.2 of the time. (Reading neighbours so took 2.4 times as long as with gaps.) So it is of pairs that a body makes of what it
 * reads by itself, as those of complex numbers: 0.35. */
static bool is_interleaved(const bd_structured *s, int loop) {
  enum { FEW = 4 };
  const int64_t size = s->sizes[loop];
  const int next = last_before(s, loop);
  if (size < 2 || size > FEW || next < 0 || !s->is_parallel[loop] || !s->is_parallel[next])
    return false;
  for (int i = 0; i < s->n_operands; ++i) {
    const MlirAffineMap map = bd_structured_map(s, i);
    const int64_t along = stride_along(&s->operands[i], map, loop),
                  stride = stride_along(&s->operands[i], map, next);
    const bool fits = i < s->n_inputs ? along != UNKNOWN && (stride == 0 || stride == 1)
                                      : along == 1 && stride == size;
    if (!fits) return false;
  }
  return s->n_inputs > 0 || size == 2;
}

/* Costs of having this loop innermost. A vectorised loop that writes with gaps is the worst; one
 * that reads with gaps is bad; a sum into one place is good, but not as good as a dense walk along
 * the result. */
static int64_t cost_of(const bd_structured *s, int loop) {
  int64_t cost = 0;
  if (is_interleaved(s, loop)) return cost;
  for (int i = 0; i < s->n_operands; ++i) {
    const int64_t stride = stride_along(&s->operands[i], bd_structured_map(s, i), loop);
    const bool is_output = i >= s->n_inputs;
    if (stride == 1 || stride == 0) continue;
    const int64_t gap = stride == UNKNOWN || stride > 16 || stride < 0 ? 16 : stride;
    cost += is_output ? 4 * gap : 2 * gap;
  }
  if (s->sizes[loop] >= 0 && s->sizes[loop] < 8) cost += 8 * (8 - s->sizes[loop]);
  return s->is_parallel[loop] ? cost : cost + 1;
}

static int choose_innermost(const bd_structured *s) {
  int best = s->n_loops - 1;
  int64_t best_cost = cost_of(s, best);
  for (int loop = s->n_loops - 2; loop >= 0; --loop) {
    const int64_t cost = cost_of(s, loop);
    if (cost < best_cost) {
      best = loop;
      best_cost = cost;
    }
  }
  return best;
}

/* Loop i of the new order is loop order[i] of the old one. */
static void reorder(const bd_structured *s, const int *order) {
  const MlirContext context = mlirOperationGetContext(s->op);
  MlirAffineExpr places[BD_MAX_LOOPS];
  for (int i = 0; i < s->n_loops; ++i) places[order[i]] = mlirAffineDimExprGet(context, i);
  bd_loops_change(s->op, mlirAffineMapGet(context, s->n_loops, 0, s->n_loops, places), order);
}

/* linalg.index in the body counts loops too. */
static buddy_code renumber_indices(MlirOperation op, const int *order, int n_loops) {
  bd_ops indices = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect(&indices, op, "linalg.index");
  for (size_t i = 0; i < indices.n; ++i) {
    const MlirAttribute dim = bd_op_attribute(indices.items[i], "dim");
    int position = 0;
    while (position < n_loops && order[position] != mlirIntegerAttrGetValueInt(dim)) ++position;
    bd_op_set_attribute(indices.items[i], "dim",
                        mlirIntegerAttrGet(mlirAttributeGetType(dim), position));
  }
  bd_ops_deinit(&indices);
  return code;
}

/* The operation that takes one more element into result i, whose other operand is what there was of
 * it; null if there is none. */
static MlirOperation find_combiner(const bd_structured *s, MlirOperation yield, intptr_t i) {
  const MlirOperation none = {NULL};
  const MlirValue value = mlirOperationGetOperand(yield, i);
  const MlirValue old = mlirBlockGetArgument(mlirOperationGetBlock(yield), s->n_inputs + i);
  if (!mlirValueIsAOpResult(value)) return none;
  const MlirOperation op = mlirOpResultGetOwner(value);
  if (mlirOperationGetNumOperands(op) != 2) return none;
  for (intptr_t k = 0; k < 2; ++k) {
    if (mlirValueEqual(mlirOperationGetOperand(op, k), old)) return op;
  }
  return none;
}

static void set_fast_math(MlirOperation op, const char *flags) {
  bd_op_set_attribute(
      op, "fastmath",
      mlirAttributeParseGet(mlirOperationGetContext(op), mlirStringRefCreateFromCString(flags)));
}

/* The terms of a sum may be added in any order, and a product fused into it. */
static void relax_sum(MlirOperation op) {
  set_fast_math(op, "#arith.fastmath<reassoc,contract>");
  for (intptr_t k = 0; k < 2; ++k) {
    const MlirValue term = mlirOperationGetOperand(op, k);
    if (!mlirValueIsAOpResult(term)) continue;
    const MlirOperation product = mlirOpResultGetOwner(term);
    if (bd_op_is(op, "arith.addf") && bd_op_is(product, "arith.mulf"))
      set_fast_math(product, "#arith.fastmath<contract>");
  }
}

/* The largest or the smallest is LLVM's intrinsic: LLVM vectorises loops with it, but not those
 * with the comparisons that MLIR makes of arith's operation. Like these it does not tell the signs
 * of zeros apart. */
static buddy_code use_intrinsic(MlirOperation op, const char *name) {
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  if (!mlirTypeIsAF32(type) && !mlirTypeIsAF64(type)) return BUDDY_OK;
  const MlirValue operands[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 1)};
  const MlirAttribute flags = mlirAttributeParseGet(
      mlirOperationGetContext(op), mlirStringRefCreateFromCString("#llvm.fastmath<nsz>"));
  return bd_op_replace(
      op, bd_build(bd_builder_before(op), name, operands, 2, type, "fastmathFlags", flags));
}

/* Reductions become such as LLVM vectorises. */
static buddy_code relax(const bd_structured *s) {
  const MlirBlock body = bd_body_of(s->op);
  const MlirOperation yield = mlirBlockGetTerminator(body);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(yield); ++i) {
    const MlirOperation op = find_combiner(s, yield, i);
    if (!op.ptr) continue;
    if (bd_op_is(op, "arith.addf") || bd_op_is(op, "arith.mulf")) relax_sum(op);
    if (bd_op_is(op, "arith.addf") || bd_op_is(op, "complex.add")) bd_sums_mark(op, s->n_loops);
    if (bd_op_is(op, "arith.maximumf"))
      BD_TRY(use_intrinsic(op, "llvm.intr.maximum"));
    else if (bd_op_is(op, "arith.minimumf"))
      BD_TRY(use_intrinsic(op, "llvm.intr.minimum"));
  }
  return BUDDY_OK;
}

static bool has_reduction(const bd_structured *s) {
  for (int i = 0; i < s->n_loops; ++i) {
    if (!s->is_parallel[i]) return true;
  }
  return false;
}

static buddy_code order_one(MlirOperation op, void *user) {
  (void)user;
  bd_structured s;
  if (!bd_op_is(op, "linalg.generic") || !bd_structured_read(op, &s) || s.n_loops == 0)
    return BUDDY_OK;
  BD_TRY(bd_loops_collapse(&s));
  if (has_reduction(&s)) BD_TRY(relax(&s));
  const int innermost = choose_innermost(&s);
  if (innermost == s.n_loops - 1) return BUDDY_OK;
  int order[BD_MAX_LOOPS];
  int n = 0;
  for (int i = 0; i < s.n_loops; ++i) {
    if (i != innermost) order[n++] = i;
  }
  order[n] = innermost;
  reorder(&s, order);
  return renumber_indices(op, order, s.n_loops);
}

buddy_code bd_loops_order(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", order_one, NULL);
}
