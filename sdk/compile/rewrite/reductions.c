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

static MlirAttribute iterator_of(MlirContext context, bool is_reduced) {
  return mlirAttributeParseGet(
      context, mlirStringRefCreateFromCString(is_reduced ? "#linalg.iterator_type<reduction>"
                                                         : "#linalg.iterator_type<parallel>"));
}

/* Maps of the inputs, then of the results, and what the loops do. */
static MlirNamedAttribute maps_of(MlirOperation op, int rank, intptr_t n,
                                  MlirAttribute iterators[BD_MAX_LOOPS]) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirAttribute axes = bd_op_attribute(op, "dimensions");
  MlirAttribute maps[BD_MAX_OPERANDS];
  MlirAffineExpr kept[BD_MAX_LOOPS];
  intptr_t n_kept = 0;
  for (int d = 0; d < rank; ++d) {
    bool is_reduced = false;
    for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(axes); ++i)
      is_reduced |= mlirDenseI64ArrayGetElement(axes, i) == d;
    iterators[d] = iterator_of(context, is_reduced);
    if (!is_reduced) kept[n_kept++] = mlirAffineDimExprGet(context, d);
  }
  for (intptr_t i = 0; i < n; ++i)
    maps[i] = mlirAffineMapAttrGet(i < n / 2 ? mlirAffineMapMultiDimIdentityGet(context, rank)
                                             : mlirAffineMapGet(context, rank, 0, n_kept, kept));
  return bd_named(context, "indexing_maps", mlirArrayAttrGet(context, n, maps));
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
  const MlirContext context = mlirOperationGetContext(op);
  const intptr_t n = mlirOperationGetNumOperands(op), n_results = mlirOperationGetNumResults(op);
  const int rank = (int)mlirShapedTypeGetRank(mlirValueGetType(mlirOperationGetOperand(op, 0)));
  if (rank > BD_MAX_LOOPS || n > BD_MAX_OPERANDS || n != 2 * n_results || is_short(op))
    return BUDDY_OK;
  const int32_t segments[] = {(int32_t)(n / 2), (int32_t)(n / 2)};
  MlirAttribute iterators[BD_MAX_LOOPS];
  MlirValue operands[BD_MAX_OPERANDS];
  MlirType results[BD_MAX_OPERANDS];
  const MlirNamedAttribute maps = maps_of(op, rank, n, iterators);
  const MlirNamedAttribute attributes[] = {
      maps, bd_named(context, "iterator_types", mlirArrayAttrGet(context, rank, iterators)),
      bd_named(context, "operandSegmentSizes", mlirDenseI32ArrayGet(context, 2, segments))};
  for (intptr_t i = 0; i < n; ++i) operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < n_results; ++i)
    results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirRegion body = mlirRegionCreate();
  mlirRegionTakeBody(body, mlirOperationGetRegion(op, 0));
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.generic"),
                                                   mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, n, operands);
  mlirOperationStateAddResults(&state, n_results, results);
  mlirOperationStateAddAttributes(&state, 3, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  const MlirOperation generic = bd_builder_put(bd_builder_before(op), mlirOperationCreate(&state));
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
