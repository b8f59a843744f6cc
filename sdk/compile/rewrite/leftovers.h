// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/leftovers.h: what fusing loops leaves behind. */
#ifndef BUDDY_SDK_COMPILE_LEFTOVERS_H
#define BUDDY_SDK_COMPILE_LEFTOVERS_H

#include "sdk/compile/ir.h"

/* A linalg.generic whose body calls a function is not dead to MLIR once its users have taken the
 * body over: its operands and results go, and it stays, a loop over nothing that no pass lowers.
 * Functions that loops call compute numbers and do nothing else: it is erased. */
buddy_code bd_leftovers_erase(MlirOperation root);

#endif
