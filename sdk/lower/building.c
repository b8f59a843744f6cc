// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/building.c: one func.func under construction: a block to which operations are appended. */
#include <stdbool.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/lower/lowering.h"

buddy_code bd_function_init(bd_function *function, bd_lowering *lowering, buddy_graph *graph,
                            const char *name, bool is_private) {
  const MlirContext context = lowering->context;
  *function = (bd_function){.lowering = lowering, .graph = graph};
  MlirRegion region = mlirRegionCreate();
  function->block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, function->block);
  const MlirNamedAttribute attributes[] = {
      bd_named(context, "sym_name", mlirStringAttrGet(context, bd_ref(name))),
      bd_named(context, "function_type",
               mlirTypeAttrGet(mlirFunctionTypeGet(context, 0, NULL, 0, NULL))),
      bd_named(context, "sym_visibility", mlirStringAttrGet(context, bd_ref("private")))};
  MlirOperationState state =
      mlirOperationStateGet(bd_ref("func.func"), mlirLocationUnknownGet(context));
  mlirOperationStateAddAttributes(&state, is_private ? 3 : 2, attributes);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  function->op = mlirOperationCreate(&state);
  if (!function->op.ptr) return BUDDY_INTERNAL;
  mlirBlockAppendOwnedOperation(lowering->body, function->op);
  return BUDDY_OK;
}

MlirValue bd_function_add_argument(bd_function *function, MlirType type) {
  return mlirBlockAddArgument(function->block, type,
                              mlirLocationUnknownGet(function->lowering->context));
}

/* Asking for the order makes MLIR number the op now, by its predecessor. Numbered late, after many
 * more, it would cost a walk over the whole block each time that a dominance check meets an op
 * without a number. */
void bd_function_add_last(bd_function *function, MlirOperation op) {
  mlirBlockAppendOwnedOperation(function->block, op);
  if (function->last.ptr) (void)mlirOperationIsBeforeInBlock(function->last, op);
  function->last = op;
}

MlirOperation bd_function_append(bd_function *function, MlirOperationState *state) {
  const MlirOperation op = mlirOperationCreate(state);
  if (!op.ptr) return op;
  if (function->transaction.call) {
    mlirBlockAppendOwnedOperation(function->transaction.block, op);
  } else {
    bd_function_add_last(function, op);
  }
  return op;
}

MlirLocation bd_function_location(const bd_function *function) {
  return function->transaction.call ? function->transaction.location
                                    : mlirLocationUnknownGet(function->lowering->context);
}

MlirValue bd_function_op(bd_function *function, const char *name, MlirType type,
                         const MlirValue *operands, size_t n_operands,
                         const MlirNamedAttribute *attributes, size_t n_attributes) {
  MlirOperationState state = mlirOperationStateGet(bd_ref(name), bd_function_location(function));
  mlirOperationStateAddOperands(&state, (intptr_t)n_operands, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, (intptr_t)n_attributes, attributes);
  const MlirOperation op = bd_function_append(function, &state);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}
