// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/hiding.h: keeping linalg's fusion away from products of matrices and
 * convolutions, and from reductions that it gets wrong. */
#ifndef BUDDY_SDK_COMPILE_HIDING_H
#define BUDDY_SDK_COMPILE_HIDING_H

#include "sdk/compile/ir.h"

/* Turns contractions and convolutions on tensors into operations that no pass knows, and back. The
 * pass linalg-fuse-elementwise-ops would otherwise move reshapes through them, which makes them
 * generic, and then fuse into them whatever computes their operands, to be computed again for each
 * column of the result. So are reductions of constants of which there may be none, and what begins
 * with its own result where something asks for its elements more than once. */
buddy_code bd_products_hide(MlirOperation root);
buddy_code bd_products_restore(MlirOperation root);

#endif
