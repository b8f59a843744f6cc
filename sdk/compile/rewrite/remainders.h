// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/remainders.h: remainders of floats, in loops that become vectors. */
#ifndef BUDDY_SDK_COMPILE_REMAINDERS_H
#define BUDDY_SDK_COMPILE_REMAINDERS_H

#include "sdk/compile/ir.h"

/* arith.remf of f32 becomes arithmetic in f64 that gives the same bits, for a machine that
 * multiplies and adds in one step: LLVM makes a call of fmodf of it, element by element. */
buddy_code bd_remainders_write(MlirOperation root);

#endif
