// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/inlined.h: mathematical functions as LLVM's own instructions, in inlined.ll. */
#ifndef BUDDY_SDK_COMPILE_INLINED_H
#define BUDDY_SDK_COMPILE_INLINED_H

#include "buddy/base.h"
#include "llvm-c/Types.h"

/* The names of functions that stand for erf and tanh of vectors, of floats, begin with them. */
#define BD_ERF_OF_VECTORS "buddy_erff_v"
#define BD_TANH_OF_VECTORS "buddy_tanhf_v"

/* Calls of exp, erf and tanh of floats, and of vectors of them, become calls of such functions, which become
 * part of the module: for processors that multiply and add in one step (machine.h), as calls to libm
 * for each addition would be slow. features: of the processor, as LLVM names them. */
buddy_code bd_inlined_apply(LLVMModuleRef module, const char *features, buddy_diags *diags);

/* After LLVM's optimisations: numbers times powers of two, in vectors that one instruction scales, are
 * that instruction with the power as the float that it was before it became an integer. */
void bd_inlined_scale(LLVMModuleRef module);

#endif
