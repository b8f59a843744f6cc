// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/code/vector_math.h: exp, erf and their kin on whole vectors. */
#ifndef BUDDY_SDK_COMPILE_VECTOR_MATH_H
#define BUDDY_SDK_COMPILE_VECTOR_MATH_H

#include "llvm-c/Types.h"
#include "sdk/compile/code/symbols.h"

/* Tells LLVM which vector functions stand for the mathematical functions that the module calls, so
 * that loops with them can be vectorised, and adds those functions to the table. They are glibc's
 * (libmvec), at most 4 units in the last place off; where the system has none, nothing is done.
 * features: of the processor, as LLVM names them. */
buddy_code bd_vector_math_apply(LLVMModuleRef module, const char *features, bd_symbol_table *table);

#endif
