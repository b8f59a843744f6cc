// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/calls.c: reading the attributes of calls of registries' functions. */
#include "sdk/compile/rewrite/calls.h"

#include <stdbool.h>

#include "buddy/registry.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* 0 if there is none: attributes may come from any text. */
static uint64_t number_of(MlirOperation op, const char *name) {
  const MlirAttribute attribute = bd_op_attribute(op, name);
  if (!attribute.ptr || !mlirAttributeIsAInteger(attribute)) return 0;
  const MlirType type = mlirAttributeGetType(attribute);
  if (!mlirTypeIsAInteger(type) || mlirIntegerTypeGetWidth(type) != 64) return 0;
  return (uint64_t)mlirIntegerAttrGetValueInt(attribute);
}

static bool is_in(uint64_t set, intptr_t i) { return i < 64 && (set >> i & 1) != 0; }

int bd_call_reads(MlirOperation call, intptr_t operand) {
  return bd_op_is(call, "func.call") && (uint64_t)operand < number_of(call, BUDDY_CALL_INPUTS);
}

uint64_t bd_call_kept(MlirOperation call) { return number_of(call, BUDDY_CALL_KEEPS); }

int bd_call_takes_nhwc(MlirOperation call, intptr_t operand) {
  return bd_op_is(call, "func.call") && is_in(number_of(call, BUDDY_CALL_PIXELS), operand);
}

int bd_call_has_effects(MlirOperation call) {
  return bd_op_attribute(call, BUDDY_CALL_EFFECTS).ptr != NULL;
}

static buddy_code protect(MlirOperation op, void *user) {
  (void)user;
  const MlirValue result = mlirOperationGetResult(op, 0);
  const MlirOperation reader = bd_only_user(result);
  if (reader.ptr ? bd_op_is(reader, "func.return") : bd_is_used(result))
    mlirOperationRemoveAttributeByName(op, mlirStringRefCreateFromCString("writable"));
  return BUDDY_OK;
}

buddy_code bd_calls_protect_results(MlirOperation root) {
  return bd_ops_each(root, "bufferization.to_tensor", protect, NULL);
}
