// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/bounds.h: indices of tosa's gather and scatter are checked while the program
 * runs. */
#ifndef BUDDY_SDK_COMPILE_BOUNDS_H
#define BUDDY_SDK_COMPILE_BOUNDS_H

#include "sdk/compile/ir.h"

/* Puts a cf.assert before every tosa.gather and tosa.scatter. TOSA leaves an index out of
 * range undefined, and the loops that it is lowered to would touch memory beyond the tensor. */
buddy_code bd_bounds_check(MlirOperation root);

#endif
