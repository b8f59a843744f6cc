// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/pointers.c: descriptors of private functions become pointers. */
#include "sdk/compile/rewrite/pointers.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/descriptors.h"
#include "sdk/compile/structured.h"
#include "sdk/compile/builder.h"

/* A function, by its name. */
typedef struct changed {
  UT_hash_handle hh;
  MlirOperation function; /* null: stays, as its type is named elsewhere */
  char name[];
} changed;

typedef struct pass {
  bd_descriptors d;
  bd_ops calls, metadata, casts, droppable;
  bd_ops rebuilt; /* casts from the changed functions' arguments */
  changed *functions;
  buddy_code code;
} pass;

/* In the memory that pointers without a number reach. */
static bool is_plain_memref(MlirType type) {
  return mlirTypeIsAMemRef(type) && !mlirMemRefTypeGetMemorySpace(type).ptr;
}

/* ---- What there is --------------------------------------------------------------------------- */

static changed *find_function(const pass *p, MlirStringRef name) {
  changed *item;
  HASH_FIND(hh, p->functions, name.data, name.length, item);
  return item;
}

static void add_function(pass *p, MlirStringRef name, MlirOperation function) {
  bool hash_is_full = false;
  if (find_function(p, name)) return;
  changed *item = bd_calloc(1, sizeof(changed) + name.length + 1);
  if (!item) {
    p->code = BUDDY_OUT_OF_MEMORY;
    return;
  }
  memcpy(item->name, name.data, name.length);
  item->function = function;
  HASH_ADD_KEYPTR(hh, p->functions, item->name, name.length, item);
  if (!hash_is_full) return;
  free(item);
  p->code = BUDDY_OUT_OF_MEMORY;
}

static bool is_droppable(MlirOperation op) {
  static const char *const names[] = {
      "memref.reinterpret_cast", "memref.cast",    "memref.subview",   "memref.expand_shape",
      "memref.collapse_shape",   "memref.view",    "llvm.insertvalue", "llvm.mlir.undef",
      "llvm.getelementptr",      "arith.constant", "llvm.load",        NULL};
  return bd_op_is_any(op, names);
}

static MlirWalkResult sort_op(MlirOperation op, void *user) {
  pass *p = user;
  const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (bd_string_is(name, "func.call")) {
    p->code = bd_ops_add(&p->calls, op);
  } else if (bd_string_is(name, "func.constant")) {
    add_function(p, mlirFlatSymbolRefAttrGetValue(bd_op_attribute(op, "value")),
                 (MlirOperation){NULL});
  } else if (bd_string_is(name, "memref.extract_strided_metadata")) {
    p->code = bd_ops_add(&p->metadata, op);
    if (p->code == BUDDY_OK) p->code = bd_ops_add(&p->droppable, op);
  } else if (bd_string_is(name, "builtin.unrealized_conversion_cast")) {
    p->code = bd_ops_add(&p->casts, op);
    if (p->code == BUDDY_OK) p->code = bd_ops_add(&p->droppable, op);
  } else if (is_droppable(op)) {
    p->code = bd_ops_add(&p->droppable, op);
  }
  return p->code == BUDDY_OK ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

/* ---- Functions ------------------------------------------------------------------------------- */

static bool can_change(MlirOperation function) {
  if (!bd_op_is(function, "func.func") || !bd_op_attribute(function, "llvm.bareptr").ptr ||
      !bd_op_is_private(function))
    return false;
  const MlirType type = mlirTypeAttrGetValue(bd_op_attribute(function, "function_type"));
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumInputs(type); ++i) {
    const MlirType input = mlirFunctionTypeGetInput(type, i);
    if (!bd_type_is_bare(input) || (mlirTypeIsAMemRef(input) && !is_plain_memref(input)))
      return false;
  }
  for (intptr_t i = 0; i < mlirFunctionTypeGetNumResults(type); ++i) {
    if (mlirTypeIsAMemRef(mlirFunctionTypeGetResult(type, i))) return false;
  }
  return true;
}

/* The body's arguments become pointers; what uses them gets a memref made of these. */
static void change_arguments(pass *p, MlirOperation function, MlirBlock block) {
  const MlirLocation location = mlirOperationGetLocation(function);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block) && p->code == BUDDY_OK; ++i) {
    const MlirValue memref = mlirBlockGetArgument(block, i);
    const MlirType type = mlirValueGetType(memref);
    if (!mlirTypeIsAMemRef(type)) continue;
    const MlirValue pointer = mlirBlockInsertArgument(block, i, p->d.pointer, location);
    bd_builder b = bd_builder_at_end(block, location);
    b.before = mlirBlockGetFirstOperation(block);
    const MlirValue made = bd_build_one(b, "builtin.unrealized_conversion_cast", pointer, type);
    mlirValueReplaceAllUsesOfWith(memref, made);
    mlirBlockEraseArgument(block, (unsigned)i + 1);
    p->code = bd_ops_add(&p->rebuilt, mlirOpResultGetOwner(made));
  }
}

static void change_function(pass *p, MlirOperation function) {
  const MlirType type = mlirTypeAttrGetValue(bd_op_attribute(function, "function_type"));
  const intptr_t n = mlirFunctionTypeGetNumInputs(type), m = mlirFunctionTypeGetNumResults(type);
  const MlirBlock block = bd_body_of(function);
  MlirType *types = bd_calloc((size_t)(n + m) + 1, sizeof(MlirType));
  if (!types) {
    p->code = BUDDY_OUT_OF_MEMORY;
    return;
  }
  for (intptr_t i = 0; i < n; ++i) {
    const MlirType input = mlirFunctionTypeGetInput(type, i);
    types[i] = mlirTypeIsAMemRef(input) ? p->d.pointer : input;
  }
  for (intptr_t i = 0; i < m; ++i) types[n + i] = mlirFunctionTypeGetResult(type, i);
  bd_op_set_attribute(function, "function_type",
                      mlirTypeAttrGet(mlirFunctionTypeGet(p->d.context, n, types, m, types + n)));
  free(types);
  if (block.ptr) change_arguments(p, function, block);
}

/* ---- Uses ------------------------------------------------------------------------------------ */

static void change_call(pass *p, MlirOperation call) {
  const MlirStringRef name = mlirFlatSymbolRefAttrGetValue(bd_op_attribute(call, "callee"));
  const changed *callee = find_function(p, name);
  if (!callee || !callee->function.ptr) return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call) && p->code == BUDDY_OK; ++i) {
    const MlirValue operand = mlirOperationGetOperand(call, i);
    if (!mlirTypeIsAMemRef(mlirValueGetType(operand))) continue;
    const MlirValue pointer = bd_pointer_of(&p->d, operand);
    if (!pointer.ptr)
      p->code = BUDDY_OUT_OF_MEMORY;
    else
      mlirOperationSetOperand(call, i, pointer);
  }
}

/* Casts from memrefs to pointers. */
static void change_cast(pass *p, MlirOperation op) {
  if (mlirOperationGetNumOperands(op) != 1 || mlirOperationGetNumResults(op) != 1) return;
  const MlirValue from = mlirOperationGetOperand(op, 0), to = mlirOperationGetResult(op, 0);
  if (!is_plain_memref(mlirValueGetType(from)) ||
      !mlirTypeEqual(mlirValueGetType(to), p->d.pointer))
    return;
  const MlirValue pointer = bd_pointer_of(&p->d, from);
  if (!pointer.ptr)
    p->code = BUDDY_OUT_OF_MEMORY;
  else
    mlirValueReplaceAllUsesOfWith(to, pointer);
}

/* The number that stands for the result, if it is known: from the type, or as the operand of a
 * reinterpret_cast with one that is not. */
static bool is_known(MlirOperation op, intptr_t result, int64_t *out_number, MlirValue *out_value) {
  const MlirValue source = mlirOperationGetOperand(op, 0);
  const MlirType type = mlirValueGetType(source);
  const intptr_t rank = mlirShapedTypeGetRank(type);
  int64_t strides[BD_MAX_LOOPS], offset;
  if (rank > BD_MAX_LOOPS || !bd_memref_layout(type, strides, &offset)) return false;
  *out_value = (MlirValue){NULL};
  if (result == 1 && mlirShapedTypeIsDynamicStrideOrOffset(offset)) {
    if (!bd_is_made_by(source, "memref.reinterpret_cast")) return false;
    const MlirOperation cast = mlirOpResultGetOwner(source);
    const MlirAttribute offsets = bd_op_attribute(cast, "static_offsets");
    if (mlirDenseArrayGetNumElements(offsets) != 1 ||
        !mlirShapedTypeIsDynamicStrideOrOffset(mlirDenseI64ArrayGetElement(offsets, 0)))
      return false;
    *out_value = mlirOperationGetOperand(cast, 1);
    return true;
  }
  if (result == 1)
    *out_number = offset;
  else if (result < 2 + rank)
    *out_number = mlirShapedTypeGetDimSize(type, result - 2);
  else
    *out_number = strides[result - 2 - rank];
  return result < 2 + rank ? !mlirShapedTypeIsDynamicSize(*out_number)
                           : !mlirShapedTypeIsDynamicStrideOrOffset(*out_number);
}

static void change_metadata(MlirOperation op) {
  for (intptr_t i = 1; i < mlirOperationGetNumResults(op); ++i) {
    const MlirValue result = mlirOperationGetResult(op, i);
    int64_t number = 0;
    MlirValue value = {NULL};
    if (!bd_is_used(result) || !is_known(op, i, &number, &value)) continue;
    if (!value.ptr) value = bd_build_index(bd_builder_before(op), number);
    mlirValueReplaceAllUsesOfWith(result, value);
  }
}

/* ---- What is left ---------------------------------------------------------------------------- */

static bool is_unused(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    if (bd_is_used(mlirOperationGetResult(op, i))) return false;
  }
  return true;
}

/* A cast from a pointer to a memref of which it says all. */
static bool is_rebuilt(const pass *p, MlirOperation op) {
  return bd_op_is(op, "builtin.unrealized_conversion_cast") &&
         mlirOperationGetNumOperands(op) == 1 && mlirOperationGetNumResults(op) == 1 &&
         mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(op, 0)), p->d.pointer) &&
         is_plain_memref(mlirValueGetType(mlirOperationGetResult(op, 0))) &&
         bd_type_is_bare(mlirValueGetType(mlirOperationGetResult(op, 0)));
}

/* Users come after what they use. */
static void finish(pass *p, bd_ops *ops) {
  for (size_t i = ops->n; i > 0; --i) {
    const MlirOperation op = ops->items[i - 1];
    if (is_unused(op) && !bd_op_attribute(op, "volatile_").ptr)
      bd_op_erase(op);
    else if (is_rebuilt(p, op))
      bd_descriptor_rebuild(&p->d, op);
  }
}

static void deinit(pass *p) {
  changed *all = p->functions, *function, *after;
  bd_descriptors_deinit(&p->d);
  HASH_CLEAR(hh, p->functions);
  HASH_ITER(hh, all, function, after) free(function);
  bd_ops_deinit(&p->calls);
  bd_ops_deinit(&p->metadata);
  bd_ops_deinit(&p->casts);
  bd_ops_deinit(&p->droppable);
  bd_ops_deinit(&p->rebuilt);
}

static void change(pass *p, MlirModule module) {
  const MlirBlock body = mlirModuleGetBody(module);
  MlirOperation op = mlirBlockGetFirstOperation(body);
  for (; op.ptr && p->code == BUDDY_OK; op = mlirOperationGetNextInBlock(op)) {
    if (can_change(op)) add_function(p, bd_symbol_of(op), op);
  }
  for (changed *f = p->functions; f && p->code == BUDDY_OK; f = f->hh.next) {
    if (f->function.ptr) change_function(p, f->function);
  }
  for (size_t i = 0; i < p->metadata.n && p->code == BUDDY_OK; ++i)
    change_metadata(p->metadata.items[i]);
  for (size_t i = 0; i < p->calls.n && p->code == BUDDY_OK; ++i) change_call(p, p->calls.items[i]);
  for (size_t i = 0; i < p->casts.n && p->code == BUDDY_OK; ++i) change_cast(p, p->casts.items[i]);
}

buddy_code bd_pointers_pass(MlirModule module) {
  pass p = {.code = BUDDY_OK};
  bd_descriptors_init(&p.d, mlirModuleGetContext(module));
  mlirOperationWalk(mlirModuleGetOperation(module), sort_op, &p, MlirWalkPreOrder);
  if (p.code == BUDDY_OK) change(&p, module);
  if (p.code == BUDDY_OK) {
    finish(&p, &p.droppable);
    finish(&p, &p.rebuilt);
  }
  deinit(&p);
  return p.code;
}
