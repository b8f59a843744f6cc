// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/registry/plugins/borrower.c: a registry with rows for ops that another defines; in
 * the end it declines both. */
#include "buddy/registry.h"

static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_DECLINED;
}
static const buddy_op ops[] = {
    {.name = "fuser.nobody.default", .args = "self", .emit = emit},
    {.name = "fuser.mul.default", .args = "self, other", .emit = emit},
};
BUDDY_REGISTRY(borrower, "1.0.0", "buddy tests", "MIT", 0, ops, .flags = 0);
