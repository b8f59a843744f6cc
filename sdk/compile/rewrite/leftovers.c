// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/leftovers.c: erasing what fusion leaves. */
#include "sdk/compile/rewrite/leftovers.h"

#include <stdbool.h>

static bool holds_assertion(MlirOperation op) {
  const MlirBlock body = bd_body_of(op);
  MlirOperation inner = mlirBlockGetFirstOperation(body);
  for (; !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
    if (bd_op_is(inner, "cf.assert")) return true;
  return false;
}

buddy_code bd_leftovers_erase(MlirOperation root) {
  bd_ops ops = {0};
  const buddy_code code = bd_ops_collect_outermost(&ops, root, "linalg.generic");
  for (size_t i = 0; i < ops.n && code == BUDDY_OK; ++i) {
    const MlirOperation op = ops.items[i];
    if (mlirOperationGetNumOperands(op) == 0 && mlirOperationGetNumResults(op) == 0 &&
        !holds_assertion(op))
      bd_op_erase(op);
  }
  bd_ops_deinit(&ops);
  return code;
}
