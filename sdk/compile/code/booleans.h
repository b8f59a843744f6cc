// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/booleans.h: booleans in memory are read and written as bytes. */
#ifndef BUDDY_SDK_COMPILE_BOOLEANS_H
#define BUDDY_SDK_COMPILE_BOOLEANS_H

#include "llvm-c/Types.h"

/* LLVM vectorises no loop that reads or writes elements of one bit: every i1 in memory of the
 * module becomes a byte that is 0 or 1. */
void bd_booleans_widen(LLVMModuleRef module);

#endif
