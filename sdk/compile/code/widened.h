// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/widened.h: functions of floats as functions of vectors of them. */
#ifndef BUDDY_SDK_COMPILE_WIDENED_H
#define BUDDY_SDK_COMPILE_WIDENED_H

#include "llvm-c/Types.h"

/* What `scalar`, a function of one block without memory, does to each element of vectors of so many:
 * a function of the module, the same one for the same request. Functions that it calls are widened,
 * too, and intrinsics are those of vectors. Null if there is no room, or an instruction in it that
 * is not known here. */
LLVMValueRef bd_widened(LLVMModuleRef module, LLVMValueRef scalar, unsigned lanes);

#endif
