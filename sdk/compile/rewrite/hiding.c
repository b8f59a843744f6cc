/* sdk/compile/rewrite/hiding.c: see hiding.h.
 *
 * A hidden operation is called buddy.hidden, of a dialect that does not exist; it has the operands,
 * results, attributes and the body, if any, of the one that it stands for, and that one's name as one more
 * attribute. */
#include "sdk/compile/rewrite/hiding.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/Linalg.h"

#define HIDDEN "buddy.hidden"
#define NAME "buddy.name"

/* The same operation under another name, in its place. Takes the body along. */
static buddy_code rename_op(MlirOperation op, MlirStringRef name,
                            const MlirNamedAttribute *attributes, intptr_t n) {
  const intptr_t n_operands = mlirOperationGetNumOperands(op),
                 n_results = mlirOperationGetNumResults(op);
  MlirValue *operands = bd_calloc((size_t)n_operands + 1, sizeof(MlirValue));
  MlirType *results = bd_calloc((size_t)n_results + 1, sizeof(MlirType));
  if (operands == NULL || results == NULL) {
    free(operands);
    free(results);
    return BUDDY_OUT_OF_MEMORY;
  }
  for (intptr_t i = 0; i < n_operands; i++) operands[i] = mlirOperationGetOperand(op, i);
  for (intptr_t i = 0; i < n_results; i++)
    results[i] = mlirValueGetType(mlirOperationGetResult(op, i));
  MlirRegion region = {NULL};
  if (mlirOperationGetNumRegions(op) > 0) {
    region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, 0));
  }
  MlirOperationState state = mlirOperationStateGet(name, mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, n_operands, operands);
  mlirOperationStateAddResults(&state, n_results, results);
  mlirOperationStateAddAttributes(&state, n, attributes);
  if (region.ptr != NULL) mlirOperationStateAddOwnedRegions(&state, 1, &region);
  const MlirOperation renamed = mlirOperationCreate(&state);
  free(operands);
  free(results);
  if (renamed.ptr == NULL) return BUDDY_INTERNAL;
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, renamed);
  for (intptr_t i = 0; i < n_results; i++) {
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i),
                                  mlirOperationGetResult(renamed, i));
  }
  bd_op_erase(op);
  return BUDDY_OK;
}

static int is_product(MlirOperation op) {
  if (mlirOperationGetNumRegions(op) != 1 || mlirOperationGetNumResults(op) == 0) return 0;
  return mlirLinalgIsAContractionOp(op) || mlirLinalgIsAConvolutionOp(op);
}

static buddy_code hide(MlirOperation op) {
  const MlirContext context = mlirOperationGetContext(op);
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  const intptr_t n = mlirOperationGetNumAttributes(op);
  MlirNamedAttribute *attributes = bd_calloc((size_t)n + 1, sizeof(MlirNamedAttribute));
  if (attributes == NULL) return BUDDY_OUT_OF_MEMORY;
  for (intptr_t i = 0; i < n; i++) attributes[i] = mlirOperationGetAttribute(op, i);
  attributes[n] =
      mlirNamedAttributeGet(mlirIdentifierGet(context, mlirStringRefCreateFromCString(NAME)),
                            mlirStringAttrGet(context, name));
  const buddy_code code = rename_op(op, mlirStringRefCreateFromCString(HIDDEN), attributes, n + 1);
  free(attributes);
  return code;
}

static buddy_code restore(MlirOperation op, void *user) {
  (void)user;
  const MlirStringRef name = mlirStringAttrGetValue(bd_op_attribute(op, NAME));
  const intptr_t n = mlirOperationGetNumAttributes(op);
  MlirNamedAttribute *attributes = bd_calloc((size_t)n + 1, sizeof(MlirNamedAttribute));
  if (attributes == NULL) return BUDDY_OUT_OF_MEMORY;
  intptr_t kept = 0;
  for (intptr_t i = 0; i < n; i++) {
    attributes[kept] = mlirOperationGetAttribute(op, i);
    if (!bd_string_is(mlirIdentifierStr(attributes[kept].name), NAME)) kept++;
  }
  const buddy_code code = rename_op(op, name, attributes, kept);
  free(attributes);
  return code;
}

/* With the reshapes by which a convolution sees its images in groups: what comes before or after
 * would be done in groups too, and its layout not be chosen (layouts.h). */
static buddy_code hide_groups(MlirOperation op) {
  const MlirValue images[] = {mlirOperationGetOperand(op, 0), mlirOperationGetOperand(op, 2)};
  const MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(op, 0));
  buddy_code code = BUDDY_OK;
  if (!mlirOpOperandIsNull(use) && bd_op_is(mlirOpOperandGetOwner(use), "tensor.collapse_shape"))
    code = hide(mlirOpOperandGetOwner(use));
  for (int i = 0; i < 2 && code == BUDDY_OK; i++) {
    if (bd_is_made_by(images[i], "tensor.expand_shape"))
      code = hide(mlirOpResultGetOwner(images[i]));
  }
  return code;
}

buddy_code bd_products_hide(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  mlirContextSetAllowUnregisteredDialects(mlirOperationGetContext(root), true);
  buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; i++) {
    if (!is_product(ops.items[i])) continue;
    if (bd_op_is(ops.items[i], "linalg.conv_2d_ngchw_gfchw")) code = hide_groups(ops.items[i]);
    if (code == BUDDY_OK) code = hide(ops.items[i]);
  }
  bd_ops_deinit(&ops);
  return code;
}

buddy_code bd_products_restore(MlirOperation root) {
  const buddy_code code = bd_ops_each(root, HIDDEN, restore, NULL);
  mlirContextSetAllowUnregisteredDialects(mlirOperationGetContext(root), false);
  return code;
}
