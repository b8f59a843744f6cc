// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/inlined.h: mathematical functions as LLVM's own instructions, in inlined.ll. */
#ifndef BUDDY_SDK_COMPILE_INLINED_H
#define BUDDY_SDK_COMPILE_INLINED_H

#include "buddy/base.h"
#include "llvm-c/Types.h"

/* Calls of exp and erf of floats become calls of such functions, which become part of the module.
 * On processors that do not multiply and add in one instruction nothing is done. features: of the
 * processor, as LLVM names them. */
buddy_code bd_inlined_apply(LLVMModuleRef module, const char *features, buddy_diags *diags);

#endif
