// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/repeats.c: cheap operations, one for each reader. */
#include "sdk/compile/rewrite/repeats.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/structured.h"

enum { MOST_STEPS = 2, MOST_READERS = 4 };

/* Every round of the loops reads an element of its own. */
static bool is_whole(MlirAffineMap map) {
  intptr_t n = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r)
    n += mlirAffineExprIsADim(mlirAffineMapGetResult(map, r));
  return n == mlirAffineMapGetNumDims(map);
}

/* Of a few instructions, none of which reads what the result was. */
static bool is_cheap_body(MlirOperation op, intptr_t n_operands) {
  static const char *const steps[] = {"arith.extf", "arith.addf", "arith.subf", "arith.mulf", NULL};
  const MlirBlock body = bd_body_of(op);
  int n = 0;
  if (bd_is_used(mlirBlockGetArgument(body, n_operands - 1))) return false;
  MlirOperation step = mlirBlockGetFirstOperation(body);
  for (; mlirOperationGetNextInBlock(step).ptr; step = mlirOperationGetNextInBlock(step)) {
    if (!bd_op_is_any(step, steps) || ++n > MOST_STEPS) return false;
  }
  return n > 0;
}

static unsigned width_of(MlirValue tensor) {
  return mlirFloatTypeGetWidth(mlirShapedTypeGetElementType(mlirValueGetType(tensor)));
}

static bool is_tensor_of_floats(MlirValue value) {
  const MlirType type = mlirValueGetType(value);
  return mlirTypeIsARankedTensor(type) && mlirTypeIsAFloat(mlirShapedTypeGetElementType(type));
}

/* In memory whatever becomes of this reader: an argument, or what others read, too. A product ends
 * with what alone reads it. */
static bool is_kept(MlirValue value) {
  if (mlirValueIsABlockArgument(value)) return true;
  return bd_is_made_by(value, "linalg.generic") && !bd_only_user(value).ptr;
}

/* A few numbers, such as the mean of all there is: loops that have to do with them have no rows that
 * they go through together (rows.h). */
static bool is_few(MlirValue tensor) {
  enum { LEAST_ROWS = 8 };
  const MlirType type = mlirValueGetType(tensor);
  return mlirShapedTypeHasStaticShape(type) && bd_count_elements(type) < LEAST_ROWS;
}

static bool is_cheap(MlirOperation op) {
  const intptr_t n = mlirOperationGetNumOperands(op);
  intptr_t n_whole = 0;
  bool has_few = false, is_wider = false;
  if (mlirOperationGetNumResults(op) != 1 || n < 2) return false;
  const MlirValue result = mlirOperationGetResult(op, 0);
  for (intptr_t i = 0; i < n; ++i) {
    if (!is_tensor_of_floats(mlirOperationGetOperand(op, i))) return false;
  }
  if (!bd_is_made_by(mlirOperationGetOperand(op, n - 1), "tensor.empty") ||
      !mlirAffineMapIsIdentity(bd_map_of(op, n - 1)) || !is_cheap_body(op, n))
    return false;
  for (intptr_t i = 0; i + 1 < n; ++i) {
    const MlirValue input = mlirOperationGetOperand(op, i);
    has_few |= is_few(input);
    if (!is_whole(bd_map_of(op, i))) continue;
    if (!is_kept(input) || width_of(input) > width_of(result)) return false;
    is_wider |= width_of(input) < width_of(result);
    ++n_whole;
  }
  return n_whole == 1 && (is_wider || has_few);
}

/* Loops alone read it, and more than one: they are added to `readers`. */
static buddy_code find_readers(MlirValue value, bd_ops *readers, bool *out_are_loops) {
  *out_are_loops = true;
  readers->n = 0;
  MlirOpOperand use = mlirValueGetFirstUse(value);
  for (; !mlirOpOperandIsNull(use) && *out_are_loops; use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    bool is_new = true;
    for (size_t i = 0; i < readers->n; ++i) is_new &= !mlirOperationEqual(readers->items[i], user);
    if (is_new) BD_TRY(bd_ops_add(readers, user));
    *out_are_loops = bd_op_is(user, "linalg.generic") && readers->n <= MOST_READERS &&
                     (intptr_t)mlirOpOperandGetOperandNumber(use) <
                         mlirOperationGetNumOperands(user) - mlirOperationGetNumResults(user);
  }
  *out_are_loops &= readers->n > 1;
  return BUDDY_OK;
}

/* For this reader alone, with a result of its own. */
static void repeat_for(MlirOperation op, MlirOperation reader) {
  const MlirValue result = mlirOperationGetResult(op, 0);
  const intptr_t out = mlirOperationGetNumOperands(op) - 1;
  const MlirBlock block = mlirOperationGetBlock(op);
  const MlirOperation empty = mlirOperationClone(bd_maker_of(mlirOperationGetOperand(op, out))),
                      copy = mlirOperationClone(op);
  mlirBlockInsertOwnedOperationAfter(block, op, copy);
  mlirBlockInsertOwnedOperationAfter(block, op, empty);
  mlirOperationSetOperand(copy, out, mlirOperationGetResult(empty, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(reader); ++i) {
    if (mlirValueEqual(mlirOperationGetOperand(reader, i), result))
      mlirOperationSetOperand(reader, i, mlirOperationGetResult(copy, 0));
  }
}

buddy_code bd_repeats_make(MlirOperation root) {
  bd_ops ops = {NULL, 0, 0}, readers = {NULL, 0, 0};
  buddy_code code = bd_ops_collect(&ops, root, "linalg.generic");
  /* Later ones first: for each of their readers what they read has one more. */
  for (size_t i = ops.n; i-- > 0 && code == BUDDY_OK;) {
    bool are_loops = false;
    if (!is_cheap(ops.items[i])) continue;
    code = find_readers(mlirOperationGetResult(ops.items[i], 0), &readers, &are_loops);
    for (size_t k = 1; k < readers.n && are_loops && code == BUDDY_OK; ++k)
      repeat_for(ops.items[i], readers.items[k]);
  }
  bd_ops_deinit(&readers);
  bd_ops_deinit(&ops);
  return code;
}
