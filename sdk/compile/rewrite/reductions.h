// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/reductions.h: reductions that fusion takes. */
#ifndef BUDDY_SDK_COMPILE_REDUCTIONS_H
#define BUDDY_SDK_COMPILE_REDUCTIONS_H

#include "sdk/compile/ir.h"

/* linalg.reduce, which reductions of TOSA become, as linalg.generic with the same body: fusion leaves
 * the former alone, and what is summed up would be written to memory first. On tensors. Not where it is
 * known that few numbers become one. */
buddy_code bd_reductions_generalize(MlirOperation root);

#endif
