// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/repeats.h: what is cheaper to compute again than to keep. */
#ifndef BUDDY_SDK_COMPILE_REPEATS_H
#define BUDDY_SDK_COMPILE_REPEATS_H

#include "sdk/compile/ir.h"

/* Fusion leaves alone what several loops read: it is written to memory, and read by each. Where it
 * takes an instruction or two for each element of one tensor that is in memory anyway, every loop that
 * reads the result gets an operation of its own, which fusion then takes into it: where the result
 * takes more memory than that tensor, as a number made wider does, or where the loops would not share
 * rows of it, as with the distance from a mean of all there is. Before fusion, of tensors; products
 * are hidden. */
buddy_code bd_repeats_make(MlirOperation root);

#endif
