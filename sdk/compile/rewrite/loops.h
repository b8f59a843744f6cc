// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/loops.h: the order of the loops of linalg operations. */
#ifndef BUDDY_SDK_COMPILE_LOOPS_H
#define BUDDY_SDK_COMPILE_LOOPS_H

#include "sdk/compile/ir.h"

/* Reorders the loops of every linalg.generic on buffers so that the innermost one walks memory by
 * steps of one, which is what LLVM can vectorise, and lets floating-point sums be added up in
 * vectors where the innermost loop is one. */
buddy_code bd_loops_order(MlirOperation root);

#endif
