// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/accurate.h: functions that upstream's lowering would compute by a formula
 * that loses all digits. */
#ifndef BUDDY_SDK_COMPILE_ACCURATE_H
#define BUDDY_SDK_COMPILE_ACCURATE_H

#include "sdk/compile/ir.h"

/* math.expm1 and math.log1p on numbers become calls of libm: convert-math-to-llvm makes exp(x) - 1
 * and log(1 + x) of them, which are 0 for small x. */
buddy_code bd_functions_keep_accurate(MlirModule module);

#endif
