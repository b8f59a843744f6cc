// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/reductions.c: linalg.reduce by another name. */
#include "sdk/compile/rewrite/reductions.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

/* Marks the loops that reduce: of the inputs, and of the results, the maps. */
static void read_loops(MlirOperation op, int rank, bool *are_reduced, MlirAffineMap of[2]) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirAttribute axes = bd_op_attribute(op, "dimensions");
  MlirAffineExpr kept[BD_MAX_LOOPS];
  intptr_t n_kept = 0;
  for (int d = 0; d < rank; ++d) {
    are_reduced[d] = false;
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i)
      are_reduced[d] |= mlirDenseI64ArrayGetElement(axes, i) == d;
    if (!are_reduced[d]) kept[n_kept++] = mlirAffineDimExprGet(context, d);
  }
  of[0] = mlirAffineMapMultiDimIdentityGet(context, rank);
  of[1] = mlirAffineMapGet(context, rank, 0, n_kept, kept);
}

/* Few numbers become one: vectors are made of what makes these, apart from the sum. */
static bool is_short(MlirOperation op) {
  enum { LINE = 16 };
  const MlirType type = mlirValueGetType(mlirOperationGetOperand(op, 0));
  const MlirAttribute axes = bd_op_attribute(op, "dimensions");
  int64_t n = 1;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes) && n < LINE; ++i) {
    const intptr_t axis = (intptr_t)mlirDenseI64ArrayGetElement(axes, i);
    if (mlirShapedTypeIsDynamicDim(type, axis)) return false;
    const int64_t size = mlirShapedTypeGetDimSize(type, axis);
    n *= size < LINE ? size : LINE;
  }
  return n < LINE;
}

static buddy_code generalize(MlirOperation op, void *user) {
  (void)user;
  const intptr_t n = mlirOperationGetNumOperands(op), n_results = mlirOperationGetNumResults(op);
  const int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  bool are_reduced[BD_MAX_LOOPS];
  MlirValue operands[BD_MAX_OPERANDS];
  MlirAffineMap of[2], maps[BD_MAX_OPERANDS];
  if (rank > BD_MAX_LOOPS || n > BD_MAX_OPERANDS || n != 2 * n_results || is_short(op))
    return BUDDY_OK;
  read_loops(op, rank, are_reduced, of);
  for (intptr_t i = 0; i < n; ++i) {
    operands[i] = mlirOperationGetOperand(op, i);
    maps[i] = of[i >= n_results];
  }
  const MlirBlock body = bd_body_of(op);
  mlirBlockDetach(body);
  const MlirOperation generic = bd_build_reductions(bd_builder_before(op), are_reduced, rank,
                                                    operands, maps, n, n_results, body);
  if (!generic.ptr) return BUDDY_OUT_OF_MEMORY;
  for (intptr_t i = 0; i < n_results; ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(generic, i));
  bd_op_erase(op);
  return BUDDY_OK;
}

buddy_code bd_reductions_generalize(MlirOperation root) {
  return bd_ops_each(root, "linalg.reduce", generalize, NULL);
}
