// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/lifetime.h: when buffers are freed. */
#ifndef BUDDY_SDK_COMPILE_LIFETIME_H
#define BUDDY_SDK_COMPILE_LIFETIME_H

#include "sdk/compile/ir.h"

/* Inserts a memref.dealloc after the last use of every memref.alloc that does not leave its block;
 * those that do are freed when the run ends. Linear in the size of the IR. */
buddy_code bd_lifetimes_end(MlirOperation root);

#endif
