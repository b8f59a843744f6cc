// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/dequantized/halves.c: constants of four bits, two to a byte. */
#include "sdk/compile/kernels/dequantized/halves.h"

#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/epilogue.h"
#include "sdk/compile/rewrite/geometry.h"
#include "sdk/compile/rewrite/constancy.h"

int bd_writer_find(MlirValue buffer, MlirOperation *found) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    bd_structured s;
    if (bd_op_is_reshape(user)) {
      if (!bd_writer_find(mlirOperationGetResult(user, 0), found)) return 0;
      continue;
    }
    if (!bd_structured_read(user, &s)) return 0;
    if ((int)mlirOpOperandGetOperandNumber(use) < s.n_inputs) continue;
    if (found->ptr) return 0;
    *found = user;
  }
  return 1;
}

/* ---- The body -------------------------------------------------------------------------------- */

static bool is_number_type(MlirType type) {
  return (mlirTypeIsAFloat(type) && mlirFloatTypeGetWidth(type) <= 32) ||
         (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
}

static bool is_of_numbers(MlirOperation op, MlirType element) {
  (void)element;
  bool are_numbers = is_number_type(mlirValueGetType(mlirOperationGetResult(op, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    are_numbers &= is_number_type(mlirValueGetType(mlirOperationGetOperand(op, i)));
  return are_numbers && bd_op_starts_with(op, "arith.");
}

int bd_body_can_be_vector(MlirOperation op) {
  return bd_body_is_plain(op, is_of_numbers, (MlirType){NULL});
}

/* ---- Two parts ------------------------------------------------------------------------------- */

/* 0 or 1: the even or the odd elements of the buffer; -1 for other parts. */
static int which_half(MlirValue part) {
  bd_geometry g;
  bd_box box;
  if (!bd_geometry_read(part, &g) || !bd_box_read(&g, &box) || box.rank < 1) return -1;
  const MlirType whole = mlirValueGetType(g.base);
  const int64_t last = box.rank - 1;
  for (int64_t i = 0; i < last; ++i) {
    if (box.n[i] != mlirShapedTypeGetDimSize(whole, (intptr_t)i)) return -1;
  }
  return mlirShapedTypeGetDimSize(whole, (intptr_t)last) == 2 && box.n[last] == 1
             ? (int)box.first[last]
             : -1;
}

/* The loop whose result is copied to the part, or that writes there itself; null if it is none that
 * makes one element of one, in order. */
static MlirOperation loop_of(MlirValue part, bd_structured *s) {
  const MlirOperation none = {NULL};
  MlirOperation loop = none;
  const MlirOperation user = bd_only_user(part);
  if (!user.ptr) return none;
  if (bd_op_is(user, "memref.copy") && mlirValueEqual(mlirOperationGetOperand(user, 1), part)) {
    const MlirValue source = mlirOperationGetOperand(user, 0);
    loop = bd_only_reader(source, user, none);
    if (!bd_is_made_by(source, "memref.alloc") || !loop.ptr) return none;
  } else {
    loop = user;
  }
  if (!bd_op_is(loop, "linalg.generic") || !bd_structured_read(loop, s) || s->n_inputs != 1 ||
      !bd_structured_is_parallel(s) || !bd_body_can_be_vector(loop) ||
      !bd_is_element_by_element(s, 0) || !bd_is_element_by_element(s, 1))
    return none;
  return loop;
}

static int read_half(MlirValue part, const bd_prepacking *prepacking, bd_halves *out) {
  bd_structured s;
  const int half = which_half(part);
  if (half < 0 || out->loops[half].ptr) return 0;
  out->loops[half] = loop_of(part, &s);
  if (!out->loops[half].ptr) return 0;
  const MlirValue read = s.operands[0].value, packed = bd_base_of(read);
  if (out->packed.ptr && !mlirValueEqual(out->packed, packed)) return 0;
  out->packed = packed;
  return bd_is_steady(prepacking, packed) && bd_type_is_bare(mlirValueGetType(packed)) &&
         bd_type_is_bare(s.operands[0].type) &&
         bd_count_elements(s.operands[0].type) == bd_count_elements(mlirValueGetType(packed)) &&
         bd_count_elements(mlirValueGetType(part)) == bd_count_elements(s.operands[0].type);
}

bd_halves bd_halves_find(MlirValue buffer, const bd_prepacking *prepacking) {
  const bd_halves none = {.packed = {NULL}};
  bd_halves found = none;
  if (!bd_is_made_by(buffer, "memref.alloc") || !bd_type_is_bare(mlirValueGetType(buffer)))
    return none;
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    MlirOperation writer = {NULL};
    bd_structured s;
    if (bd_op_is(user, "memref.subview")) {
      if (!read_half(mlirOperationGetResult(user, 0), prepacking, &found)) return none;
    } else if (bd_op_is_reshape(user)) {
      if (!bd_writer_find(mlirOperationGetResult(user, 0), &writer) || writer.ptr) return none;
    } else if (!bd_structured_read(user, &s) ||
               (int)mlirOpOperandGetOperandNumber(use) >= s.n_inputs) {
      return none;
    }
  }
  return found.loops[0].ptr && found.loops[1].ptr ? found : none;
}

/* ---- Taking away ----------------------------------------------------------------------------- */

void bd_views_erase_unread(MlirValue buffer) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  while (!mlirOpOperandIsNull(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    use = mlirOpOperandGetNextUse(use);
    if (!bd_op_is_reshape(user)) continue;
    bd_views_erase_unread(mlirOperationGetResult(user, 0));
    if (!bd_is_used(mlirOperationGetResult(user, 0))) bd_op_erase(user);
  }
}

static void erase_half(MlirOperation subview) {
  const MlirOperation user = bd_only_user(mlirOperationGetResult(subview, 0));
  if (bd_op_is(user, "memref.copy")) {
    const MlirValue source = bd_base_of(mlirOperationGetOperand(user, 0));
    const MlirOperation alloc = bd_maker_of(source);
    bd_op_erase(user);
    bd_op_erase(bd_only_user(source));
    bd_op_erase(alloc);
  } else {
    bd_op_erase(user);
  }
  bd_op_erase(subview);
}

void bd_halves_erase(MlirValue buffer) {
  const MlirOperation alloc = bd_maker_of(buffer);
  bd_views_erase_unread(buffer);
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (!bd_op_is(mlirOpOperandGetOwner(use), "memref.subview")) return;
  }
  for (use = mlirValueGetFirstUse(buffer); !mlirOpOperandIsNull(use);
       use = mlirValueGetFirstUse(buffer))
    erase_half(mlirOpOperandGetOwner(use));
  bd_op_erase(alloc);
}
