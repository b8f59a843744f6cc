// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/outputs.c: fresh outputs for linalg operations on tensors. */
#include "sdk/compile/rewrite/outputs.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/runtime/strided.h"
#include "sdk/compile/builder.h"

static MlirValue empty_like(MlirValue tensor, MlirOperation before) {
  const bd_builder b = bd_builder_before(before);
  const MlirType type = mlirValueGetType(tensor);
  MlirValue sizes[BD_MAX_RANK];
  size_t n = 0;
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); ++d) {
    if (mlirShapedTypeIsDynamicDim(type, d)) sizes[n++] = bd_build_dim(b, "tensor.dim", tensor, d);
  }
  return bd_build(b, "tensor.empty", sizes, n, type, NULL, mlirAttributeGetNull());
}

static buddy_code renew_outputs(MlirOperation op, void *user) {
  (void)user;
  const intptr_t n_results = mlirOperationGetNumResults(op), n = mlirOperationGetNumOperands(op);
  const MlirBlock body = bd_body_of(op);
  for (intptr_t i = n - n_results; i < n; ++i) {
    const MlirValue output = mlirOperationGetOperand(op, i);
    const MlirType type = mlirValueGetType(output);
    if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > BD_MAX_RANK) continue;
    if (bd_is_used(mlirBlockGetArgument(body, i))) continue;
    if (bd_is_made_by(output, "tensor.empty")) continue;
    mlirOperationSetOperand(op, i, empty_like(output, op));
  }
  return BUDDY_OK;
}

buddy_code bd_outputs_renew(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", renew_outputs, NULL);
}
