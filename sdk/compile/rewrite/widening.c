// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/widening.c: depthwise convolutions of f32 in place of narrower ones. */
#include "sdk/compile/rewrite/widening.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "mlir-c/Dialect/Linalg.h"
#include "sdk/compile/builder.h"
#include "sdk/runtime/strided.h"

enum { INPUT, FILTER, OUTPUT, N_OPERANDS };

static MlirType element_of(MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_wanted(MlirOperation op) {
  if (!bd_op_starts_with(op, "linalg.depthwise_conv_") ||
      mlirOperationGetNumOperands(op) != N_OPERANDS || mlirOperationGetNumResults(op) != 1)
    return false;
  const MlirType in = element_of(mlirOperationGetOperand(op, INPUT));
  return mlirTypeIsABF16(in) &&
         mlirTypeEqual(in, element_of(mlirOperationGetOperand(op, FILTER))) &&
         mlirTypeIsAF32(element_of(mlirOperationGetOperand(op, OUTPUT)));
}

/* The tensor's type with elements of f32. */
static MlirType widened_type(MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  int64_t sizes[BD_MAX_RANK];
  const intptr_t rank = (intptr_t)mlirShapedTypeGetRank(type);
  for (intptr_t r = 0; r < rank; ++r) sizes[r] = mlirShapedTypeGetDimSize(type, r);
  return mlirRankedTensorTypeGet(rank, sizes, mlirF32TypeGet(mlirTypeGetContext(type)),
                                 mlirAttributeGetNull());
}

static MlirValue widened(bd_builder b, MlirValue value) {
  return bd_build_one(b, "arith.extf", value, widened_type(value));
}

/* The same tensor.pad of widened elements. */
static MlirValue widened_pad(bd_builder b, MlirOperation pad) {
  const MlirValue inner = widened(b, mlirOperationGetOperand(pad, 0));
  const MlirOperation copy = inner.ptr ? mlirOperationClone(pad) : (MlirOperation){NULL};
  if (!bd_builder_put(b, copy).ptr) return (MlirValue){NULL};
  mlirOperationSetOperand(copy, 0, inner);
  const MlirValue result = mlirOperationGetResult(copy, 0);
  mlirValueSetType(result, widened_type(result));
  const MlirOperation yield = mlirBlockGetTerminator(bd_body_of(copy));
  const MlirValue number = mlirOperationGetOperand(yield, 0);
  const MlirValue wide = bd_build_one(bd_builder_before(yield), "arith.extf", number,
                                      mlirF32TypeGet(mlirTypeGetContext(mlirValueGetType(number))));
  if (!wide.ptr) return wide;
  mlirOperationSetOperand(yield, 0, wide);
  return result;
}

static MlirValue widened_input(bd_builder b, MlirValue value) {
  return bd_is_made_by(value, "tensor.pad") ? widened_pad(b, mlirOpResultGetOwner(value))
                                            : widened(b, value);
}

static buddy_code replace(MlirOperation op, void *user) {
  static const char *const kept[] = {"strides", "dilations", "operandSegmentSizes"};
  (void)user;
  if (!is_wanted(op)) return BUDDY_OK;
  const bd_builder b = bd_builder_before(op);
  const MlirValue output = mlirOperationGetOperand(op, OUTPUT);
  const MlirValue operands[] = {widened_input(b, mlirOperationGetOperand(op, INPUT)),
                                widened(b, mlirOperationGetOperand(op, FILTER)), output};
  const MlirType type = mlirValueGetType(output);
  if (!operands[INPUT].ptr || !operands[FILTER].ptr) return BUDDY_OUT_OF_MEMORY;
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)), b.location);
  MlirRegion region = mlirRegionCreate();
  mlirOperationStateAddOperands(&state, N_OPERANDS, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]); ++i) {
    const MlirAttribute value = bd_op_attribute(op, kept[i]);
    const MlirNamedAttribute attribute = bd_named(b.context, kept[i], value);
    if (value.ptr) mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  const MlirOperation wide = mlirOperationCreate(&state);
  if (!wide.ptr) return BUDDY_OUT_OF_MEMORY;
  mlirLinalgFillBuiltinNamedOpRegion(wide);
  (void)bd_builder_put(b, wide);
  return bd_op_replace(op, mlirOperationGetResult(wide, 0));
}

buddy_code bd_depthwise_widen(MlirOperation root) {
  return bd_ops_each(root, "linalg.depthwise_conv_", replace, NULL);
}
