/* sdk/compile/naming.c: see naming.h. */
#include "sdk/compile/naming.h"

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/strided.h"

/* The body is the one that linalg.contract stands for: a product of the first two arguments, added to the third, without
 * conversions, whose signedness the name would not tell. */
static int has_plain_body(MlirOperation op) {
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  const MlirOperation product = mlirBlockGetFirstOperation(body);
  const MlirOperation sum = mlirOperationGetNextInBlock(product);
  if (sum.ptr == NULL || !bd_op_is(product, "arith.mulf") || !bd_op_is(sum, "arith.addf")) return 0;
  return mlirOperationEqual(mlirOperationGetNextInBlock(sum), mlirBlockGetTerminator(body));
}

/* Both operands are read, each once: a generic operation may also multiply one of them by itself. */
static int reads_both(MlirOperation op) {
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = 0; i < 2; i++) {
    if (mlirValueGetFirstUse(mlirBlockGetArgument(body, i)).ptr == NULL) return 0;
  }
  return mlirBlockGetNumArguments(body) == 3;
}

static buddy_code name_one(MlirOperation op) {
  if (!mlirLinalgIsAContractionOp(op) || mlirOperationGetNumOperands(op) != 3) return BUDDY_OK;
  if (mlirOperationGetNumResults(op) != 1 || !has_plain_body(op) || !reads_both(op)) return BUDDY_OK;
  const MlirContext context = mlirOperationGetContext(op);
  const int32_t segments[] = {2, 1};
  const MlirNamedAttribute attributes[] = {
      mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString("indexing_maps")),
                            bd_op_attribute(op, "indexing_maps")),
      mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString("operandSegmentSizes")),
                            mlirDenseI32ArrayGet(context, 2, segments)),
  };
  MlirValue operands[3];
  for (intptr_t i = 0; i < 3; i++) operands[i] = mlirOperationGetOperand(op, i);
  const MlirType type = mlirValueGetType(mlirOperationGetResult(op, 0));
  MlirRegion region = mlirRegionCreate();
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.contract"), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, 3, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  const MlirOperation contract = mlirOperationCreate(&state);
  if (contract.ptr == NULL) return BUDDY_OUT_OF_MEMORY;
  mlirLinalgFillBuiltinNamedOpRegion(contract);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, contract);
  mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, 0), mlirOperationGetResult(contract, 0));
  bd_op_erase(op);
  return BUDDY_OK;
}

buddy_code bd_contractions_name(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&ops, root, "linalg.generic");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++) code = name_one(ops.items[i]);
  bd_ops_deinit(&ops);
  return code;
}

/* ---- Outputs ------------------------------------------------------------------------------------------------------ */

/* tensor.dim of axis d, in front of `before`. */
static MlirValue dim_of(MlirValue tensor, int64_t d, MlirOperation before) {
  const MlirLocation location = mlirOperationGetLocation(before);
  const MlirType index = mlirIndexTypeGet(mlirOperationGetContext(before));
  const MlirBlock block = mlirOperationGetBlock(before);
  const MlirOperation number =
      bd_op_create("arith.constant", location, NULL, 0, &index, 1, "value", mlirIntegerAttrGet(index, d));
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
  for (int64_t d = 0; d < mlirShapedTypeGetRank(type); d++) {
    if (mlirShapedTypeIsDynamicDim(type, d)) sizes[n++] = dim_of(tensor, d, before);
  }
  const MlirOperation empty = bd_op_create("tensor.empty", mlirOperationGetLocation(before), sizes, n, &type, 1, NULL,
                                           (MlirAttribute){NULL});
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, empty);
  return mlirOperationGetResult(empty, 0);
}

static void renew_outputs(MlirOperation op) {
  const intptr_t n_results = mlirOperationGetNumResults(op), n = mlirOperationGetNumOperands(op);
  const MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0));
  for (intptr_t i = n - n_results; i < n; i++) {
    const MlirValue output = mlirOperationGetOperand(op, i);
    const MlirType type = mlirValueGetType(output);
    if (!mlirTypeIsARankedTensor(type) || mlirShapedTypeGetRank(type) > BD_MAX_RANK) continue;
    if (mlirValueGetFirstUse(mlirBlockGetArgument(body, i)).ptr != NULL) continue;
    if (mlirValueIsAOpResult(output) && bd_op_is(mlirOpResultGetOwner(output), "tensor.empty")) continue;
    mlirOperationSetOperand(op, i, empty_like(output, op));
  }
}

buddy_code bd_outputs_renew(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  const buddy_code code = bd_ops_collect(&ops, root, "linalg.generic");
  for (size_t i = 0; i < ops.n; i++) renew_outputs(ops.items[i]);
  bd_ops_deinit(&ops);
  return code;
}
