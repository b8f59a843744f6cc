// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/lower/native.c: the functions of buddy/mlir.h, but for that which lowers subgraphs. */
#include "sdk/lower/lowering.h"

MlirContext buddy_mlir_context(const buddy_call *call) {
  const bd_function *function = bd_call_function(call);
  return function ? function->lowering->context : (MlirContext){NULL};
}

MlirLocation buddy_mlir_location(const buddy_call *call) {
  const bd_function *function = bd_call_function(call);
  return function ? function->transaction.location : (MlirLocation){NULL};
}

MlirBlock buddy_mlir_block(const buddy_call *call) {
  const bd_function *function = bd_call_function(call);
  return function ? function->transaction.block : (MlirBlock){NULL};
}

MlirValue buddy_mlir_value(buddy_call *call, const buddy_value *value) {
  bd_function *function = bd_call_building(call);
  MlirValue ir_value = {NULL};
  if (!function) return ir_value;
  if (value) ir_value = bd_values_find(function, value);
  if (!ir_value.ptr) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "the value %s has not been emitted in this function",
                 value ? buddy_value_name(value) : "(null)");
  }
  return ir_value;
}

MlirType buddy_mlir_element_type(buddy_call *call, buddy_dtype dtype) {
  bd_function *function = bd_call_building(call);
  if (!function) return (MlirType){NULL};
  const MlirType type = bd_element_type(function->lowering, dtype);
  if (!type.ptr) bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "%d is not a dtype", (int)dtype);
  return type;
}

MlirType buddy_mlir_tensor_type(buddy_call *call, const buddy_tensor_type *type) {
  bd_function *function = bd_call_building(call);
  if (!function) return (MlirType){NULL};
  const MlirType ir_type = bd_tensor_type(function->lowering, type);
  if (!ir_type.ptr) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "there is no tensor type of a null type, a negative size or a rank above %d",
                 BD_MAX_RANK);
  }
  return ir_type;
}

MlirValue buddy_mlir_dim(buddy_call *call, int64_t dim) {
  bd_function *function = bd_call_building(call);
  return function ? bd_dims_get(function, dim) : (MlirValue){NULL};
}

MlirOperation buddy_mlir_append(buddy_call *call, MlirOperationState *state) {
  bd_function *function = bd_call_building(call);
  if (!function || !state) return (MlirOperation){NULL};
  return bd_transaction_append(function, state);
}

buddy_code buddy_mlir_set_result(buddy_call *call, size_t i, MlirValue value) {
  bd_function *function = bd_call_building(call);
  return function ? bd_transaction_set_result(function, i, value) : BUDDY_INVALID_ARGUMENT;
}

MlirAttribute buddy_mlir_declare_function(buddy_call *call, const char *name, MlirType type) {
  bd_function *function = bd_call_building(call);
  return function ? bd_declare_function(function->lowering, call, name, type)
                  : (MlirAttribute){NULL};
}
