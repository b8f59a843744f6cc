// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/shaping.c: allocations take the shape of their views. */
#include "sdk/compile/rewrite/shaping.h"

#include <stdbool.h>

#include "core/base/try.h"
#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/builder.h"
#include "sdk/compile/structured.h"
#include "sdk/runtime/strided.h"

typedef struct shaping {
  MlirOperation alloc, first; /* first: of those that have to do with it */
  MlirOperation view;         /* one of its reshapes, which all have the same type */
} shaping;

static MlirType type_of(MlirOperation view) {
  return mlirValueGetType(mlirOperationGetResult(view, 0));
}

static bool read_user(shaping *s, MlirOperation user) {
  if (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(s->alloc))) return false;
  if (!s->first.ptr || mlirOperationIsBeforeInBlock(user, s->first)) s->first = user;
  if (bd_op_is(user, "linalg.fill")) return true;
  if (!bd_op_is_reshape(user) || (s->view.ptr && !mlirTypeEqual(type_of(user), type_of(s->view))))
    return false;
  s->view = user;
  return true;
}

/* True if the value is there before the first user. */
static bool is_there(const shaping *s, MlirValue value) {
  const MlirOperation maker = bd_maker_of(value);
  return !maker.ptr ||
         !mlirBlockEqual(mlirOperationGetBlock(maker), mlirOperationGetBlock(s->first)) ||
         mlirOperationIsBeforeInBlock(maker, s->first);
}

/* Sizes that only the run knows are told by the reshape that makes more axes. */
static bool has_sizes(const shaping *s) {
  if (mlirShapedTypeHasStaticShape(type_of(s->view))) return true;
  for (intptr_t i = 1; i < mlirOperationGetNumOperands(s->view); ++i) {
    if (!is_there(s, mlirOperationGetOperand(s->view, i))) return false;
  }
  return bd_op_is(s->view, "memref.expand_shape");
}

static bool read(MlirOperation alloc, shaping *s) {
  *s = (shaping){.alloc = alloc};
  MlirOpOperand use = mlirValueGetFirstUse(mlirOperationGetResult(alloc, 0));
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    if (!read_user(s, mlirOpOperandGetOwner(use))) return false;
  }
  return s->view.ptr && bd_memref_is_dense(type_of(s->view)) && has_sizes(s);
}

static buddy_code shape(MlirOperation alloc, void *user) {
  shaping s;
  MlirValue sizes[BD_MAX_RANK];
  (void)user;
  if (!read(alloc, &s) || mlirShapedTypeGetRank(type_of(s.view)) > BD_MAX_RANK) return BUDDY_OK;
  const intptr_t n = mlirOperationGetNumOperands(s.view) - 1;
  for (intptr_t i = 0; i < n; ++i) sizes[i] = mlirOperationGetOperand(s.view, i + 1);
  const MlirValue old = mlirOperationGetResult(alloc, 0);
  const MlirValue renewed =
      bd_build_alloc(bd_builder_before(s.first), type_of(s.view), sizes, (size_t)n);
  if (!renewed.ptr) return BUDDY_OUT_OF_MEMORY;
  MlirOpOperand use = mlirValueGetFirstUse(old);
  for (; !mlirOpOperandIsNull(use); use = mlirValueGetFirstUse(old)) {
    const MlirOperation of = mlirOpOperandGetOwner(use);
    if (bd_op_is_reshape(of)) {
      BD_TRY(bd_op_replace(of, renewed));
    } else {
      mlirOperationSetOperand(of, (intptr_t)mlirOpOperandGetOperandNumber(use), renewed);
    }
  }
  bd_op_erase(alloc);
  return BUDDY_OK;
}

buddy_code bd_allocations_shape(MlirOperation root) {
  return bd_ops_each(root, "memref.alloc", shape, NULL);
}
