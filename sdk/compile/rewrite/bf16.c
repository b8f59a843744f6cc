// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/bf16.c: types are changed in place, and casts put around what must keep them. */
#include "sdk/compile/rewrite/bf16.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/ir.h"
#include "sdk/compile/builder.h"

/* Operations of any type of numbers, which follows from those of their operands and results. */
static const char *const moves[] = {
    "llvm.load",          "llvm.store",         "llvm.select",           "llvm.bitcast",
    "llvm.shufflevector", "llvm.insertelement", "llvm.extractelement",   "llvm.mlir.poison",
    "llvm.mlir.undef",    "llvm.mlir.zero",     "llvm.freeze",           "llvm.br",
    "llvm.cond_br",       "llvm.switch",        "llvm.intr.masked.load", "llvm.intr.masked.store"};

static bool is_move(MlirOperation op) {
  for (size_t i = 0; i < sizeof(moves) / sizeof(moves[0]); ++i) {
    if (bd_op_is(op, moves[i])) return true;
  }
  return false;
}

/* Of bf16, or of vectors of it, which have one axis in this dialect. */
static bool is_short(MlirType type) {
  if (mlirTypeIsAVector(type) && !mlirVectorTypeIsScalable(type))
    type = mlirShapedTypeGetElementType(type);
  return mlirTypeIsABF16(type);
}

static MlirType integers_of(MlirType type) {
  const MlirType word = mlirIntegerTypeGet(mlirTypeGetContext(type), 16);
  if (!mlirTypeIsAVector(type)) return word;
  const int64_t size = mlirShapedTypeGetDimSize(type, 0);
  return mlirVectorTypeGet(1, &size, word);
}

static void change(MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  if (is_short(type)) mlirValueSetType(value, integers_of(type));
}

static void change_arguments(MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i)
    change(mlirBlockGetArgument(block, i));
}

static MlirValue cast(bd_builder b, MlirValue value, MlirType type) {
  return bd_build_one(b, "llvm.bitcast", value, type);
}

/* What others read of a value that stays bf16: it is no longer its own type that they see. */
static buddy_code cast_for_readers(bd_builder b, MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  if (!is_short(type) || !bd_is_used(value)) return BUDDY_OK;
  const MlirValue moved = cast(b, value, integers_of(type));
  if (!moved.ptr) return BUDDY_OUT_OF_MEMORY;
  MlirOperation maker = mlirOpResultGetOwner(moved);
  mlirValueReplaceAllUsesExcept(value, moved, 1, &maker);
  return BUDDY_OK;
}

static buddy_code cast_operands(MlirOperation op) {
  const bd_builder b = bd_builder_before(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const MlirValue value = mlirOperationGetOperand(op, i);
    const MlirType type = mlirValueGetType(value);
    if (!is_short(type)) continue;
    /* The first becomes none when the operand has changed. */
    const MlirValue back = cast(b, cast(b, value, integers_of(type)), type);
    if (!back.ptr) return BUDDY_OUT_OF_MEMORY;
    mlirOperationSetOperand(op, i, back);
  }
  return BUDDY_OK;
}

static buddy_code cast_results(MlirOperation op) {
  bd_builder b = bd_builder_before(op);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    b.before = mlirOperationGetNextInBlock(op);
    BD_TRY(cast_for_readers(b, mlirOperationGetResult(op, i)));
  }
  return BUDDY_OK;
}

static buddy_code cast_arguments(MlirBlock entry, MlirLocation location) {
  bd_builder b = bd_builder_at_end(entry, location);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    b.before = mlirBlockGetFirstOperation(entry);
    BD_TRY(cast_for_readers(b, mlirBlockGetArgument(entry, i)));
  }
  return BUDDY_OK;
}

static bool has_short(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    if (is_short(mlirValueGetType(mlirOperationGetOperand(op, i)))) return true;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    if (is_short(mlirValueGetType(mlirOperationGetResult(op, i)))) return true;
  }
  return false;
}

/* Operations that have to do with bf16. */
static buddy_code add_short(MlirOperation op, void *user) {
  return has_short(op) ? bd_ops_add(user, op) : BUDDY_OK;
}

/* Operands first: they are known by their types, which change after that. */
static buddy_code change_operations(const bd_ops *ops, MlirBlock entry, MlirLocation location) {
  for (size_t i = 0; i < ops->n; ++i) {
    if (!is_move(ops->items[i])) BD_TRY(cast_operands(ops->items[i]));
  }
  BD_TRY(cast_arguments(entry, location));
  for (size_t i = 0; i < ops->n; ++i) {
    const MlirOperation op = ops->items[i];
    if (!is_move(op)) BD_TRY(cast_results(op));
    for (intptr_t k = 0; is_move(op) && k < mlirOperationGetNumResults(op); ++k)
      change(mlirOperationGetResult(op, k));
  }
  return BUDDY_OK;
}

/* Of one function, whose type stays. */
static buddy_code change_function(MlirOperation function, void *user) {
  const MlirBlock entry = bd_body_of(function);
  bd_ops *ops = user;
  ops->n = 0;
  if (!entry.ptr) return BUDDY_OK;
  BD_TRY(bd_ops_each(function, "llvm.", add_short, ops));
  BD_TRY(change_operations(ops, entry, mlirOperationGetLocation(function)));
  for (MlirBlock b = mlirBlockGetNextInRegion(entry); b.ptr; b = mlirBlockGetNextInRegion(b))
    change_arguments(b);
  return BUDDY_OK;
}

buddy_code bd_bf16_move_as_integers(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0};
  const buddy_code code = bd_ops_each(root, "llvm.func", change_function, &ops);
  bd_ops_deinit(&ops);
  return code;
}
