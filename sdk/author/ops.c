// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/author/ops.c: attributes, and operations from a spec. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/author/author.h"

static const MlirValue no_value = {NULL};

/* ---- Attributes ------------------------------------------------------------------------------ */

MlirAttribute be_attr(buddy_call *call, const char *text) {
  /* The host keeps parsed attributes by their text, so that one is parsed once per module. */
  const buddy_ir_attr attr = be_host->ir_attr_parse(call, (buddy_sv){text, strlen(text)});
  return (MlirAttribute){attr.ptr};
}

static MlirType integer_type(buddy_call *call, unsigned width) {
  return mlirIntegerTypeGet(buddy_mlir_context(call), width);
}

MlirAttribute be_attr_i64(buddy_call *call, int64_t value) {
  return mlirIntegerAttrGet(integer_type(call, 64), value);
}

MlirAttribute be_attr_i32(buddy_call *call, int32_t value) {
  return mlirIntegerAttrGet(integer_type(call, 32), value);
}

MlirAttribute be_attr_bool(buddy_call *call, int value) {
  return mlirBoolAttrGet(buddy_mlir_context(call), value != 0);
}

MlirAttribute be_attr_float(buddy_call *call, buddy_dtype dtype, double value) {
  if (!be_is_float(dtype)) {
    be_fail(call, BUDDY_INVALID_ARGUMENT,
            "a float attribute cannot have an element type that is no float");
    return (MlirAttribute){NULL};
  }
  return mlirFloatAttrDoubleGet(buddy_mlir_context(call), buddy_mlir_element_type(call, dtype),
                                value);
}

MlirAttribute be_attr_i64s(buddy_call *call, const int64_t *values, size_t n) {
  return mlirDenseI64ArrayGet(buddy_mlir_context(call), (intptr_t)n, values);
}

MlirAttribute be_attr_string(buddy_call *call, const char *text) {
  return mlirStringAttrGet(buddy_mlir_context(call), be_ref(text));
}

MlirAttribute be_attr_type(buddy_call *call, MlirType type) {
  (void)call;
  return type.ptr ? mlirTypeAttrGet(type) : (MlirAttribute){NULL};
}

/* ---- Types ----------------------------------------------------------------------------------- */

int64_t *be_mlir_dims(buddy_call *call, const int64_t *dims, size_t n) {
  int64_t *copy = be_scratch(call, n, sizeof(int64_t));
  for (size_t d = 0; copy && d < n; ++d) {
    copy[d] = BUDDY_IS_SYMBOLIC(dims[d]) ? mlirShapedTypeGetDynamicSize() : dims[d];
  }
  return copy;
}

MlirType be_ranked(buddy_call *call, buddy_dtype dtype, size_t rank, const int64_t *mlir_dims) {
  const MlirType element = buddy_mlir_element_type(call, dtype);
  if (!element.ptr || !mlir_dims) return (MlirType){NULL};
  return mlirRankedTensorTypeGet((intptr_t)rank, mlir_dims, element, mlirAttributeGetNull());
}

/* ---- Operations ------------------------------------------------------------------------------ */

static size_t count_attributes(const be_attribute *attributes) {
  size_t n = 0;
  while (attributes && attributes[n].name) ++n;
  return n;
}

/* A null anywhere is either the trace of a failure that is recorded already, or a defect of the
 * row. */
static bool is_complete(buddy_call *call, const be_op_spec *spec, size_t n_attributes) {
  for (size_t i = 0; i < spec->n_operands; ++i) {
    if (!spec->operands[i].ptr) {
      be_fail(call, BUDDY_INVALID_ARGUMENT, "operand %zu of %s is null", i, spec->name);
      return false;
    }
  }
  for (size_t i = 0; i < spec->n_types; ++i) {
    if (!spec->types[i].ptr) {
      be_fail(call, BUDDY_INVALID_ARGUMENT, "the type of result %zu of %s is null", i, spec->name);
      return false;
    }
  }
  for (size_t i = 0; i < n_attributes; ++i) {
    if (!spec->attributes[i].value.ptr) {
      be_fail(call, BUDDY_INVALID_ARGUMENT, "attribute %s of %s is null", spec->attributes[i].name,
              spec->name);
      return false;
    }
  }
  return true;
}

static void add_attributes(MlirContext context, MlirOperationState *state,
                           const be_attribute *attributes, size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const MlirNamedAttribute attribute = mlirNamedAttributeGet(
        mlirIdentifierGet(context, be_ref(attributes[i].name)), attributes[i].value);
    mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

/* Everything but the operation itself; whoever takes the state frees it by creating the
 * operation. */
static int begin_state(buddy_call *call, const be_op_spec *spec, MlirOperationState *state) {
  const MlirContext context = buddy_mlir_context(call);
  const size_t n_attributes = count_attributes(spec->attributes);
  if (!context.ptr || !is_complete(call, spec, n_attributes)) {
    if (spec->region.ptr) mlirRegionDestroy(spec->region);
    return 0;
  }
  *state = mlirOperationStateGet(be_ref(spec->name), buddy_mlir_location(call));
  mlirOperationStateAddOperands(state, (intptr_t)spec->n_operands, spec->operands);
  mlirOperationStateAddResults(state, (intptr_t)spec->n_types, spec->types);
  add_attributes(context, state, spec->attributes, n_attributes);
  if (spec->region.ptr) mlirOperationStateAddOwnedRegions(state, 1, &spec->region);
  return 1;
}

MlirOperation be_create(buddy_call *call, const be_op_spec *spec) {
  MlirOperationState state;
  if (!begin_state(call, spec, &state)) return (MlirOperation){NULL};
  const MlirOperation op = mlirOperationCreate(&state);
  if (!op.ptr) be_fail(call, BUDDY_VERIFY_FAILED, "MLIR cannot make %s of this", spec->name);
  return op;
}

MlirOperation be_build(buddy_call *call, const be_op_spec *spec) {
  MlirOperationState state;
  return begin_state(call, spec, &state) ? buddy_mlir_append(call, &state) : (MlirOperation){NULL};
}

MlirValue be_op(buddy_call *call, const char *name, const buddy_tensor_type *type,
                const MlirValue *operands, size_t n_operands, const be_attribute *attributes) {
  const MlirType ir_type = buddy_mlir_tensor_type(call, type);
  const be_op_spec spec = {.name = name,
                           .operands = operands,
                           .n_operands = n_operands,
                           .types = &ir_type,
                           .n_types = 1,
                           .attributes = attributes};
  const MlirOperation op = be_build(call, &spec);
  return op.ptr ? mlirOperationGetResult(op, 0) : (MlirValue){NULL};
}

void be_assert(buddy_call *call, MlirValue condition, const char *message) {
  const be_attribute attributes[] = {{"msg", be_attr_string(call, message)}, {NULL, {NULL}}};
  const be_op_spec spec = {
      .name = "cf.assert", .operands = &condition, .n_operands = 1, .attributes = attributes};
  be_build(call, &spec);
}

buddy_code be_result(buddy_call *call, size_t i, MlirValue value) {
  return buddy_mlir_set_result(call, i, value);
}

MlirValue be_empty(buddy_call *call, const buddy_tensor_type *type) {
  if (!type) return be_op(call, "tensor.empty", NULL, NULL, 0, NULL);
  MlirValue *dims = be_scratch(call, type->rank, sizeof(MlirValue));
  if (!dims) return no_value;
  size_t n = 0;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (BUDDY_IS_SYMBOLIC(type->dims[d])) dims[n++] = buddy_mlir_dim(call, type->dims[d]);
  }
  return be_op(call, "tensor.empty", type, dims, n, NULL);
}

MlirValue be_filled(buddy_call *call, const buddy_tensor_type *type, MlirValue value) {
  const int32_t segments[2] = {1, 1};
  const MlirAttribute sizes = mlirDenseI32ArrayGet(buddy_mlir_context(call), 2, segments);
  return BE_OP_ATTRS(call, "linalg.fill", type, BE_ATTRIBUTES({"operandSegmentSizes", sizes}),
                     value, be_empty(call, type));
}
