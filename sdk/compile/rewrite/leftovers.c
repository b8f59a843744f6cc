// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/leftovers.c: erasing what fusion leaves. */
#include "sdk/compile/rewrite/leftovers.h"

static buddy_code erase(MlirOperation op, void *user) {
  (void)user;
  if (mlirOperationGetNumOperands(op) == 0 && mlirOperationGetNumResults(op) == 0 &&
      !bd_ops_exist(op, "cf.assert"))
    bd_op_erase(op);
  return BUDDY_OK;
}

buddy_code bd_leftovers_erase(MlirOperation root) {
  return bd_ops_each_outermost(root, "linalg.generic", erase, NULL);
}
