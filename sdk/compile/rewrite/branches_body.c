// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/branches_body.c: values of the body of a loop that adds up. */
#include <string.h>

#include "sdk/compile/rewrite/branches_parts.h"

int bd_branches_place(const bd_branches *s, MlirValue value) {
  const MlirOperation maker = bd_maker_of(value);
  int i = maker.ptr ? s->n_ops - 1 : -1;
  while (i >= 0 && !mlirOperationEqual(s->ops[i], maker)) --i;
  return i;
}

intptr_t bd_branches_input(const bd_branches *s, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) ||
      !mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->body))
    return -1;
  const intptr_t i = mlirBlockArgumentGetArgNumber(value);
  return i < s->n ? i : -1;
}

int bd_branches_multiplied(const bd_branches *s, MlirOperation product) {
  for (int i = 0; i < 2; ++i) {
    const intptr_t input = bd_branches_input(s, mlirOperationGetOperand(product, 1 - i));
    if (input >= 0 && s->is_row[input]) return i;
  }
  return -1;
}

/* A row, a number from outside, or what the body makes. */
static bool can_be_of_rows(const bd_branches *s, MlirValue value) {
  const intptr_t input = bd_branches_input(s, value);
  return input >= 0 ? s->is_row[input]
                    : !mlirValueIsABlockArgument(value) ||
                          !mlirBlockEqual(mlirBlockArgumentGetOwner(value), s->body);
}

bool bd_branches_need(const bd_branches *s, MlirValue value, bool is_needed[BD_BRANCH_OPS]) {
  const int last = bd_branches_place(s, value);
  memset(is_needed, 0, BD_BRANCH_OPS * sizeof(is_needed[0]));
  if (last >= 0) is_needed[last] = true;
  if (!can_be_of_rows(s, value)) return false;
  for (int i = last; i >= 0; --i) {
    if (!is_needed[i]) continue;
    if (bd_op_starts_with(s->ops[i], "linalg.")) return false; /* an index */
    for (intptr_t k = 0; k < mlirOperationGetNumOperands(s->ops[i]); ++k) {
      const MlirValue operand = mlirOperationGetOperand(s->ops[i], k);
      const int maker = bd_branches_place(s, operand);
      if (maker >= 0) is_needed[maker] = true;
      if (!can_be_of_rows(s, operand)) return false;
    }
  }
  return true;
}
