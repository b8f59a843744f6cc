// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/outputs.c: fresh outputs for linalg operations on tensors. */
#include "sdk/compile/rewrite/outputs.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/strided.h"

/* tensor.dim of axis d, before `before`. */
static MlirValue dim_of(MlirValue tensor, int64_t d, MlirOperation before) {
  const MlirLocation location = mlirOperationGetLocation(before);
  const MlirType index = mlirIndexTypeGet(mlirOperationGetContext(before));
  const MlirBlock block = mlirOperationGetBlock(before);
  const MlirOperation number = bd_op_create("arith.constant", location, NULL, 0, &index, 1, "value",
                                            mlirIntegerAttrGet(index, d));
  mlirBlockInsertOwnedOperationBefore(block, before, number);
  const MlirValue operands[] = {tensor, mlirOperationGetResult(number, 0)};
  const MlirOperation dim =
      bd_op_create("tensor.dim", location, operands, 2, &index, 1, NULL, (MlirAttribute){NULL});
  mlirBlockInsertOwnedOperationBefore(block, before, dim);
  return mlirOperationGetResult(dim, 0);
}

static MlirValue empty_like(MlirValue tensor, MlirOperation before) {
  const MlirType type = mlirValueGetType(tensor);
  MlirValue sizes[BD_MAX_RANK];
  size_t n = 0;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (mlirShapedTypeIsDynamicDim(type, d)) sizes[n++] = dim_of(tensor, d, before);
  }
  const MlirOperation empty = bd_op_create("tensor.empty", mlirOperationGetLocation(before), sizes,
                                           n, &type, 1, NULL, (MlirAttribute){NULL});
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, empty);
  return mlirOperationGetResult(empty, 0);
}

static void renew_outputs(MlirOperation op) {
  const intptr_t n_results = mlirOperationGetNumResults(op), n = mlirOperationGetNumOperands(op);
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = n - n_results; i < n; ++i) {
    const MlirValue output = mlirOperationGetOperand(op, i);
    const MlirType type = mlirValueGetType(output);
    if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > BD_MAX_RANK) continue;
    if (mlirValueGetFirstUse(mlirBlockGetArgument(body, i)).ptr) continue;
    if (bd_is_made_by(output, "tensor.empty")) continue;
    mlirOperationSetOperand(op, i, empty_like(output, op));
  }
}

buddy_code bd_outputs_renew(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect(&ops, root, "linalg.generic");
  for (size_t i = 0; i < ops.n; ++i) renew_outputs(ops.items[i]);
  bd_ops_deinit(&ops);
  return code;
}
