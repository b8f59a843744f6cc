// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/stores.h: vectors are stored whole. */
#ifndef BUDDY_SDK_COMPILE_STORES_H
#define BUDDY_SDK_COMPILE_STORES_H

#include "llvm-c/Types.h"

/* Of a vector that is selected from what lies at its place and something else, such as a maximum over
 * rows, code generation (LLVM 22) makes a masked store for x86: many times slower than a store on AMD's
 * processors, and on any, what reads it next waits. A fence in front of the store, which is no
 * instruction, keeps it what it is. To be called when the module is optimised. */
void bd_stores_keep_whole(LLVMModuleRef module);

#endif
