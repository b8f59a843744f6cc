// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/crossings.h: loops whose operands have their neighbours along different axes. */
#ifndef BUDDY_SDK_COMPILE_CROSSINGS_H
#define BUDDY_SDK_COMPILE_CROSSINGS_H

#include "sdk/compile/ir.h"

/* Of a linalg.generic of the entry that computes element by element, and has the neighbours of an operand along another
 * axis than those of its result, the transposition becomes an operation of its own (linalg.transpose), which has a
 * kernel: where all that is read agrees, of the result, else of each operand that does not agree with the result. The
 * rest are loops over neighbours alone, and may become the end of the product or the convolution before them. */
buddy_code bd_crossings_separate(MlirOperation root);

#endif
