// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/accurate.h: functions of which upstream's lowering would make a formula that
 * loses all digits, or one call for each element of a vector. */
#ifndef BUDDY_SDK_COMPILE_ACCURATE_H
#define BUDDY_SDK_COMPILE_ACCURATE_H

#include "sdk/compile/ir.h"

/* math.expm1 and math.log1p on numbers become calls of libm: convert-math-to-llvm makes exp(x) - 1
 * and log(1 + x) of them, which are 0 for small x. math.erf on vectors of floats becomes a call of
 * what inlined.h has, for processors that multiply and add in one instruction. */
buddy_code bd_functions_call(MlirModule module, bool has_fused);

#endif
