// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/iterations.h: memory that an iteration of a loop leaves behind. */
#ifndef BUDDY_SDK_COMPILE_ITERATIONS_H
#define BUDDY_SDK_COMPILE_ITERATIONS_H

#include "sdk/compile/ir.h"

/* At the end of each iteration of a loop, frees what it allocated and the next one does not read: buffers that
 * leave their block (lifetime.h), and those that functions return. A loop needs the memory of two iterations
 * then, however often it goes round. To be called when lifetimes are ended. Linear in the size of the IR. */
buddy_code bd_iterations_free(MlirOperation root);

#endif
