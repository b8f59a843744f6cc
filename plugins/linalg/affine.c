// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/affine.c: linalg.generic from affine maps. */
#include "plugins/linalg/affine.h"

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/linalg/pointwise.h"

static const MlirValue no_value = {NULL};

void la_loops(buddy_call *call, MlirAffineExpr *out, uint32_t begin, uint32_t n) {
  for (uint32_t i = 0; i < n; ++i)
    out[i] = mlirAffineDimExprGet(buddy_mlir_context(call), (intptr_t)(begin + i));
}

static MlirAffineExpr times(MlirContext context, uint32_t loop, int64_t scale) {
  return mlirAffineMulExprGet(mlirAffineDimExprGet(context, (intptr_t)loop),
                              mlirAffineConstantExprGet(context, scale));
}

MlirAffineExpr la_walk(buddy_call *call, uint32_t loop, int64_t scale, uint32_t other,
                       int64_t other_scale) {
  const MlirContext context = buddy_mlir_context(call);
  return mlirAffineAddExprGet(times(context, loop, scale), times(context, other, other_scale));
}

MlirAffineMap la_map(buddy_call *call, uint32_t n_loops, const MlirAffineExpr *results,
                     uint32_t n) {
  MlirAffineExpr copy[BE_MAX_RANK];
  for (uint32_t i = 0; i < n; ++i) copy[i] = results[i];
  return mlirAffineMapGet(buddy_mlir_context(call), (intptr_t)n_loops, 0, (intptr_t)n, copy);
}

MlirValue la_multiply_add(const be_body *body, const MlirValue *elements, void *user) {
  const buddy_dtype *dtypes = user;
  const MlirValue a = be_in_cast(body, elements[0], dtypes[0], dtypes[2]);
  const MlirValue b = be_in_cast(body, elements[1], dtypes[1], dtypes[2]);
  return la_apply(body, &la_add, dtypes[2], elements[2], la_apply(body, &la_mul, dtypes[2], a, b));
}

/* ---- The op ---- */

static MlirAttribute maps_of(buddy_call *call, const la_affine *spec) {
  MlirAttribute maps[LA_MAX_INPUTS + 1];
  for (size_t i = 0; i < spec->n_inputs; ++i) maps[i] = mlirAffineMapAttrGet(spec->input_maps[i]);
  maps[spec->n_inputs] = mlirAffineMapAttrGet(spec->output_map);
  return mlirArrayAttrGet(buddy_mlir_context(call), (intptr_t)spec->n_inputs + 1, maps);
}

static MlirAttribute iterators_of(buddy_call *call, const la_affine *spec) {
  MlirAttribute iterators[BE_MAX_RANK];
  const MlirAttribute parallel = be_attr(call, "#linalg.iterator_type<parallel>");
  const MlirAttribute reduction = be_attr(call, "#linalg.iterator_type<reduction>");
  if (!parallel.ptr || !reduction.ptr) return parallel;
  for (uint32_t l = 0; l < spec->n_loops; ++l)
    iterators[l] = spec->reductions >> l & 1 ? reduction : parallel;
  return mlirArrayAttrGet(buddy_mlir_context(call), (intptr_t)spec->n_loops, iterators);
}

/* The body's value is yielded; false if it gave none. */
static int fill(buddy_call *call, const la_affine *spec, MlirBlock block) {
  const MlirLocation location = buddy_mlir_location(call);
  MlirValue elements[LA_MAX_INPUTS + 1];
  for (size_t i = 0; i <= spec->n_inputs; ++i) {
    const buddy_dtype dtype = i < spec->n_inputs ? spec->input_dtypes[i] : spec->output_type->dtype;
    const MlirType type = buddy_mlir_element_type(call, dtype);
    if (!type.ptr) return 0;
    elements[i] = mlirBlockAddArgument(block, type, location);
  }
  const be_body body = {call, block};
  const MlirValue value = spec->body(&body, elements, spec->user);
  if (!value.ptr) return 0;
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("linalg.yield"), location);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
  return 1;
}

static MlirRegion region_of(buddy_call *call, const la_affine *spec) {
  const MlirRegion region = mlirRegionCreate();
  const MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(region, block);
  if (fill(call, spec, block)) return region;
  mlirRegionDestroy(region);
  return (MlirRegion){NULL};
}

MlirValue la_affine_generic(buddy_call *call, const la_affine *spec) {
  if (!spec->output_type || spec->n_loops > BE_MAX_RANK) {
    be_decline(call, "more than %d loops are not handled here", BE_MAX_RANK);
    return no_value;
  }
  MlirValue operands[LA_MAX_INPUTS + 1];
  for (size_t i = 0; i < spec->n_inputs; ++i) operands[i] = spec->inputs[i];
  operands[spec->n_inputs] = spec->init;
  const MlirType type = buddy_mlir_tensor_type(call, spec->output_type);
  const MlirRegion region = region_of(call, spec);
  if (!region.ptr) return no_value;
  const int32_t segments[2] = {(int32_t)spec->n_inputs, 1};
  const be_attribute attributes[] = {
      {"indexing_maps", maps_of(call, spec)},
      {"iterator_types", iterators_of(call, spec)},
      {"operandSegmentSizes", mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments)},
      {NULL, {NULL}}};
  const be_op_spec op_spec = {.name = "linalg.generic",
                              .operands = operands,
                              .n_operands = spec->n_inputs + 1,
                              .types = &type,
                              .n_types = 1,
                              .attributes = attributes,
                              .region = region};
  const MlirOperation op = be_build(call, &op_spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : no_value;
}
