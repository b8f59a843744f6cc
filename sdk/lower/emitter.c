// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/emitter.c: the emission services that the portable tier uses, each in the open
 * transaction. */
#include <stdbool.h>

#include "core/base/memory.h"
#include "mlir-c/BuiltinAttributes.h"
#include "sdk/lower/lowering.h"

static buddy_ir_value ir_value(void *state, buddy_call *call, const buddy_value *value) {
  if (!bd_transaction_of(state, call)) return (buddy_ir_value){NULL};
  return (buddy_ir_value){buddy_mlir_value(call, value).ptr};
}

static buddy_ir_type ir_tensor_type(void *state, buddy_call *call, const buddy_tensor_type *type) {
  if (!bd_transaction_of(state, call)) return (buddy_ir_type){NULL};
  return (buddy_ir_type){buddy_mlir_tensor_type(call, type).ptr};
}

static buddy_ir_type ir_type_parse(void *state, buddy_call *call, buddy_sv text) {
  bd_function *function = bd_transaction_of(state, call);
  if (!function) return (buddy_ir_type){NULL};
  bd_lowering_clear_complaint(function->lowering);
  const MlirType type = text.data ? bd_type_parse(function->lowering, text) : (MlirType){NULL};
  if (!type.ptr)
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "no type of MLIR: %s",
                 bd_function_complaint(function));
  return (buddy_ir_type){type.ptr};
}

static buddy_ir_attr ir_attr_parse(void *state, buddy_call *call, buddy_sv text) {
  bd_function *function = bd_transaction_of(state, call);
  if (!function) return (buddy_ir_attr){NULL};
  bd_lowering_clear_complaint(function->lowering);
  const MlirAttribute attribute =
      text.data ? bd_parse_attribute(function->lowering, text) : (MlirAttribute){NULL};
  if (!attribute.ptr) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "no attribute of MLIR: %s",
                 bd_function_complaint(function));
  }
  return (buddy_ir_attr){attribute.ptr};
}

static MlirAttribute dense_bools(MlirType type, const unsigned char *bytes, size_t n) {
  int *bools = bd_calloc(n, sizeof(int));
  if (!bools) return mlirAttributeGetNull();
  for (size_t i = 0; i < n; ++i) bools[i] = bytes[i] != 0;
  const MlirAttribute attribute = mlirDenseElementsAttrBoolGet(type, (intptr_t)n, bools);
  bd_free(bools);
  return attribute;
}

/* The bytes of all elements, in order, or of one that stands for all. */
static buddy_ir_attr ir_attr_dense(void *state, buddy_call *call, const buddy_tensor_type *type,
                                   const void *bytes, size_t n_bytes) {
  if (!bd_transaction_of(state, call)) return (buddy_ir_attr){NULL};
  const MlirType ir_type = buddy_mlir_tensor_type(call, type);
  if (!ir_type.ptr) return (buddy_ir_attr){NULL};
  const size_t size = buddy_dtype_size(type->dtype);
  size_t expected = size;
  bool is_static = true;
  for (uint32_t d = 0; d < type->rank && is_static; ++d) {
    is_static = !BUDDY_IS_SYMBOLIC(type->dims[d]) &&
                bd_size_mul(expected, (size_t)type->dims[d], &expected);
  }
  const bool is_splat = n_bytes == size && expected > 0;
  if (!is_static || !bytes || (n_bytes != expected && !is_splat)) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "a dense attribute of %zu bytes is made of %zu",
                 expected, n_bytes);
    return (buddy_ir_attr){NULL};
  }
  const MlirAttribute attribute = type->dtype == BUDDY_BOOL
                                      ? dense_bools(ir_type, bytes, n_bytes)
                                      : mlirDenseElementsAttrRawBufferGet(ir_type, n_bytes, bytes);
  if (!attribute.ptr)
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "MLIR refuses the bytes of a dense attribute");
  return (buddy_ir_attr){attribute.ptr};
}

static buddy_ir_value ir_dim(void *state, buddy_call *call, int64_t dim) {
  if (!bd_transaction_of(state, call)) return (buddy_ir_value){NULL};
  return (buddy_ir_value){buddy_mlir_dim(call, dim).ptr};
}

static void fill_state(bd_function *function, const buddy_ir_spec *spec,
                       MlirOperationState *state) {
  const MlirContext context = function->lowering->context;
  *state = mlirOperationStateGet(mlirStringRefCreate(spec->name.data, spec->name.size),
                                 function->transaction.location);
  for (size_t i = 0; i < spec->n_operands; ++i) {
    const MlirValue operand = {spec->operands[i].ptr};
    mlirOperationStateAddOperands(state, 1, &operand);
  }
  for (size_t i = 0; i < spec->n_results; ++i) {
    const MlirType type = {spec->result_types[i].ptr};
    mlirOperationStateAddResults(state, 1, &type);
  }
  for (size_t i = 0; i < spec->n_attrs; ++i) {
    const buddy_sv name = spec->attrs[i].name;
    const MlirNamedAttribute attribute = {
        mlirIdentifierGet(context, mlirStringRefCreate(name.data, name.size)),
        {spec->attrs[i].attr.ptr}};
    mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

static bool is_sound_spec(const buddy_ir_spec *spec) {
  if (!spec || !BUDDY_HAS(spec, buddy_ir_spec, n_attrs)) return false;
  if (!spec->name.data || (spec->n_operands > 0 && !spec->operands)) return false;
  if ((spec->n_results > 0 && !spec->result_types) || (spec->n_attrs > 0 && !spec->attrs))
    return false;
  for (size_t i = 0; i < spec->n_attrs; ++i) {
    if (!spec->attrs[i].name.data) return false;
  }
  return spec->n_operands <= BD_MAX_OPS && spec->n_results <= BD_MAX_OPS &&
         spec->n_attrs <= BD_MAX_OPS;
}

static buddy_code ir_op(void *state, buddy_call *call, const buddy_ir_spec *spec,
                        buddy_ir_value *out_results) {
  bd_function *function = bd_transaction_of(state, call);
  MlirOperationState op_state;
  if (!function) return BUDDY_INVALID_ARGUMENT;
  if (!is_sound_spec(spec))
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "ir_op: a field of the spec is missing");
  for (size_t i = 0; out_results && i < spec->n_results; ++i)
    out_results[i] = (buddy_ir_value){NULL};
  fill_state(function, spec, &op_state);
  const MlirOperation op = bd_transaction_append(function, &op_state);
  if (!op.ptr) return BUDDY_INVALID_ARGUMENT;
  for (size_t i = 0; out_results && i < spec->n_results; ++i) {
    out_results[i] = (buddy_ir_value){mlirOperationGetResult(op, (intptr_t)i).ptr};
  }
  return BUDDY_OK;
}

static buddy_code ir_set_result(void *state, buddy_call *call, size_t i, buddy_ir_value value) {
  bd_function *function = bd_transaction_of(state, call);
  return function ? bd_transaction_set_result(function, i, (MlirValue){value.ptr})
                  : BUDDY_INVALID_ARGUMENT;
}

const bd_emitter bd_mlir_emitter = {.llvm_version = BUDDY_LLVM,
                                    .begin = bd_transaction_begin,
                                    .commit = bd_transaction_commit,
                                    .undo = bd_transaction_undo,
                                    .ir_value = ir_value,
                                    .ir_tensor_type = ir_tensor_type,
                                    .ir_type_parse = ir_type_parse,
                                    .ir_attr_parse = ir_attr_parse,
                                    .ir_attr_dense = ir_attr_dense,
                                    .ir_dim = ir_dim,
                                    .ir_op = ir_op,
                                    .ir_set_result = ir_set_result,
                                    .ir_text = bd_ir_text};
