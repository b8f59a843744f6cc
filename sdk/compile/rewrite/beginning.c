// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/beginning.c: what was written to a buffer before an operation adds to it. */
#include "sdk/compile/rewrite/beginning.h"

#include <math.h>
#include <stdbool.h>

#include "mlir-c/AffineExpr.h"
#include "mlir-c/AffineMap.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/structured.h"

MlirOperation bd_writer_before(MlirOperation op) {
  static const char *const harmless[] = {
      "memref.alloc",      "memref.expand_shape",     "memref.collapse_shape",
      "memref.get_global", "memref.subview",          "memref.cast",
      "memref.dim",        "memref.reinterpret_cast", NULL};
  const MlirBlock block = mlirOperationGetBlock(op);
  MlirOperation found = {NULL};
  MlirOperation at = mlirBlockGetFirstOperation(block);
  for (; at.ptr && !mlirOperationEqual(at, op); at = mlirOperationGetNextInBlock(at)) {
    if (!bd_op_starts_with(at, "arith.") && !bd_op_is_hoisted(at) && !bd_op_is_any(at, harmless))
      found = at;
  }
  return found;
}

int bd_value_is_zero(MlirValue value) {
  double x;
  return bd_integer_of(value) == 0 || (bd_read_float(value, &x) && x == 0 && !signbit(x));
}

/* The buffer of rank 1 that the operand is, or is a view of with more axes; null if there is
 * none. */
static MlirValue row_of(const bd_operand *operand) {
  const MlirValue none = {NULL}, base = bd_base_of(operand->value);
  const MlirType type = mlirValueGetType(base);
  bd_geometry g;
  int64_t n = 1;
  if (operand->rank < 1 || !bd_geometry_read(operand->value, &g) || g.offset != 0 ||
      mlirShapedTypeGetRank(type) != 1)
    return none;
  for (int64_t i = 0; i < g.rank; ++i) n *= g.sizes[i];
  return n == mlirShapedTypeGetDimSize(type, 0) ? base : none;
}

/* True if axes of the operand but one are read at 0 alone, and that one along the loop. */
static bool is_read_along(const bd_structured *s, int operand, int loop) {
  const MlirAffineMap map = bd_structured_map(s, operand);
  int n = 0;
  for (intptr_t r = 0; r < mlirAffineMapGetNumResults(map); ++r) {
    const MlirAffineExpr e = mlirAffineMapGetResult(map, r);
    const bool is_zero = mlirAffineExprIsAConstant(e) && mlirAffineConstantExprGetValue(e) == 0;
    const bool is_loop = mlirAffineExprIsADim(e) && mlirAffineDimExprGetPosition(e) == loop;
    if (mlirShapedTypeGetDimSize(s->operands[operand].type, r) == 1 && !is_loop) continue;
    if (!is_zero && !is_loop) return false;
    n += is_loop;
  }
  return n == 1;
}

/* An operation that repeats a row along all other axes. */
static bool is_row(MlirOperation op, int axis, bd_beginning *out) {
  bd_structured s;
  if (axis < 0 || !bd_structured_read(op, &s)) return false;
  if (s.n_operands != 2 || s.n_inputs != 1) return false;
  const MlirBlock body = bd_body_of(op);
  const MlirOperation yield = mlirBlockGetTerminator(body);
  if (!mlirOperationEqual(mlirBlockGetFirstOperation(body), yield) ||
      !mlirValueEqual(mlirOperationGetOperand(yield, 0), mlirBlockGetArgument(body, 0)))
    return false;
  if (!s.operands[1].is_plain || s.n_loops != s.operands[1].rank) return false;
  const MlirValue row = row_of(&s.operands[0]);
  int along = 0;
  while (along < s.n_loops && s.operands[1].axis[along] != axis) ++along;
  if (!row.ptr || along == s.n_loops || !is_read_along(&s, 0, along)) return false;
  out->row = row;
  return true;
}

/* ---- Who had to do with a buffer last -------------------------------------------------------- */

/* Looks among those who have to do with the buffer, or with a view of it, for one after *found and
 * before `op`. */
static void find_last(MlirOperation op, MlirValue buffer, MlirOperation *found) {
  const MlirBlock block = mlirOperationGetBlock(op);
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is_view(user)) {
      find_last(op, mlirOperationGetResult(user, 0), found);
      continue;
    }
    const MlirOperation at = bd_op_ancestor_in(block, user);
    if (at.ptr && mlirOperationIsBeforeInBlock(at, op) &&
        (!found->ptr || mlirOperationIsBeforeInBlock(*found, at)))
      *found = at;
  }
}

/* The last operation before `op` that reads or writes the buffer, as far as its block tells. */
static MlirOperation last_before(MlirOperation op, MlirValue base) {
  MlirOperation found = {NULL};
  find_last(op, base, &found);
  return found;
}

static bool only_reads(MlirOperation op, MlirValue buffer) {
  bd_structured s;
  if (!bd_structured_read(op, &s)) return false;
  for (int i = s.n_inputs; i < s.n_operands; ++i) {
    if (mlirValueEqual(bd_base_of(s.operands[i].value), bd_base_of(buffer))) return false;
  }
  return true;
}

/* True if nothing has to do with the row, or with views of it, between the operations of a block, but to read it. */
static bool is_steady(MlirValue row, MlirOperation from, MlirOperation to) {
  MlirOpOperand use = mlirValueGetFirstUse(row);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use),
                        at = bd_op_ancestor_in(mlirOperationGetBlock(from), user);
    if (bd_op_is_view(user)) {
      if (!is_steady(mlirOperationGetResult(user, 0), from, to)) return false;
      continue;
    }
    if (at.ptr && mlirOperationIsBeforeInBlock(from, at) && mlirOperationIsBeforeInBlock(at, to) &&
        !only_reads(user, row))
      return false;
  }
  return true;
}

MlirOperation bd_fill_before(MlirOperation op, MlirValue buffer) {
  MlirOperation found = {NULL};
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation fill = mlirOpOperandGetOwner(use);
    if (bd_op_is_reshape(fill)) fill = bd_fill_before(op, mlirOperationGetResult(fill, 0));
    if (fill.ptr && bd_op_is(fill, "linalg.fill") &&
        mlirBlockEqual(mlirOperationGetBlock(fill), mlirOperationGetBlock(op)) &&
        mlirOperationIsBeforeInBlock(fill, op) &&
        (!found.ptr || mlirOperationIsBeforeInBlock(found, fill)))
      found = fill;
  }
  return found;
}

bd_beginning bd_beginning_find(MlirOperation op, MlirValue target, int axis) {
  bd_beginning found = {BD_BEGIN_OLD, {NULL}, {NULL}};
  const MlirOperation writer = last_before(op, bd_base_of(target));
  if (!writer.ptr || mlirOperationGetNumOperands(writer) != 2) return found;
  const MlirValue written = mlirOperationGetOperand(writer, 1);
  if (bd_op_is(writer, "linalg.fill") && bd_value_is_zero(mlirOperationGetOperand(writer, 0)) &&
      mlirValueEqual(bd_without_reshapes(written), bd_without_reshapes(target)))
    found.begin = BD_BEGIN_ZERO;
  else if (mlirValueEqual(written, target) && is_row(writer, axis, &found) &&
           is_steady(found.row, writer, op))
    found.begin = BD_BEGIN_ROW;
  if (found.begin != BD_BEGIN_OLD) found.op = writer;
  return found;
}
