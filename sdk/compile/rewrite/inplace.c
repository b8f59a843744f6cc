// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/inplace.c: elementwise results in place of an operand. Of the two
 * allocations that of the result goes away. */
#include "sdk/compile/rewrite/inplace.h"

#include "mlir-c/BuiltinTypes.h"
#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/compile/structured.h"

/* One place for every round, and nothing read of what was there. */
static bool is_elementwise(const bd_structured *s) {
  const bd_operand *to = &s->operands[s->n_inputs];
  const MlirBlock body = bd_body_of(s->op);
  return bd_structured_is_parallel(s) && to->is_plain && to->rank == s->n_loops &&
         bd_is_made_by(to->value, "memref.alloc") &&
         !bd_is_used(mlirBlockGetArgument(body, s->n_inputs));
}

static bool has_same_places(const bd_structured *s, const bd_operand *a, const bd_operand *b) {
  if (!a->is_plain || !mlirTypeEqual(a->type, b->type)) return false;
  for (int i = 0; i < s->n_loops; ++i) {
    if (a->axis[i] != b->axis[i]) return false;
  }
  return true;
}

/* What a buffer is used for may be told from its users: each is in the block of `op`, and hands it to no
 * other. With is_last, none of them comes after `op`. */
static bool is_simple(MlirValue buffer, MlirOperation op, bool is_last) {
  MlirOpOperand use = mlirValueGetFirstUse(buffer);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    const MlirOperation user = mlirOpOperandGetOwner(use);
    const bool is_view = bd_op_is_view(user);
    if (!mlirBlockEqual(mlirOperationGetBlock(user), mlirOperationGetBlock(op))) return false;
    if (is_view ? !is_simple(mlirOperationGetResult(user, 0), op, is_last)
                : !bd_op_starts_with(user, "linalg.") && !bd_op_starts_with(user, "memref.") &&
                      (!bd_op_is(user, "func.call") || mlirOperationGetNumResults(user) > 0))
      return false;
    if (is_last && !is_view && mlirOperationIsBeforeInBlock(op, user)) return false;
  }
  return true;
}

/* Nothing uses the result before `op`; and the other buffer is there before whatever names it. */
static bool begins_at(MlirValue result, MlirOperation op, MlirOperation other) {
  MlirOpOperand use = mlirValueGetFirstUse(result);
  for (; !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (bd_op_is_view(user) && !begins_at(mlirOperationGetResult(user, 0), op, other)) return false;
    user = bd_op_ancestor_in(mlirOperationGetBlock(op), user);
    if (mlirOperationIsNull(user) || !mlirOperationIsBeforeInBlock(other, user)) return false;
    if (!bd_op_is_view(user) && !bd_op_is(user, "memref.dim") &&
        mlirOperationIsBeforeInBlock(user, op))
      return false;
  }
  return true;
}

/* The operand's buffer may hold the result. */
static bool can_hold(const bd_structured *s, int operand) {
  const bd_operand *from = &s->operands[operand], *to = &s->operands[s->n_inputs];
  if (!bd_is_made_by(from->value, "memref.alloc") || !has_same_places(s, from, to)) return false;
  const MlirOperation alloc = mlirOpResultGetOwner(from->value);
  if (!mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(s->op))) return false;
  for (int i = 0; i < s->n_inputs; ++i) {
    const bd_operand *other = &s->operands[i];
    if (other->rank < 0 || i == operand) continue;
    if (mlirValueEqual(bd_base_of(other->value), from->value) &&
        (!mlirValueEqual(other->value, from->value) || !has_same_places(s, other, to)))
      return false;
  }
  return is_simple(from->value, s->op, true) && begins_at(to->value, s->op, alloc);
}

static buddy_code reuse(MlirOperation op, void *user) {
  (void)user;
  bd_structured s;
  if (!bd_op_is(op, "linalg.generic") || !bd_structured_read(op, &s) || !is_elementwise(&s) ||
      bd_op_is_hoisted(mlirOperationGetParentOperation(op)))
    return BUDDY_OK;
  const MlirOperation alloc = mlirOpResultGetOwner(s.operands[s.n_inputs].value);
  if (!mlirBlockEqual(mlirOperationGetBlock(alloc), mlirOperationGetBlock(op))) return BUDDY_OK;
  int i = 0;
  while (i < s.n_inputs && !can_hold(&s, i)) ++i;
  if (i == s.n_inputs) return BUDDY_OK;
  return bd_op_replace(alloc, s.operands[i].value);
}

buddy_code bd_results_reuse(MlirOperation root) {
  return bd_ops_each(root, "linalg.generic", reuse, NULL);
}
