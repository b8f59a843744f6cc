// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/collapse.h: neighbouring loops become one. */
#ifndef BUDDY_SDK_COMPILE_COLLAPSE_H
#define BUDDY_SDK_COMPILE_COLLAPSE_H

#include "sdk/compile/structured.h"

/* Two neighbouring loops of a linalg.generic that both reduce, or are both parallel, and walk along
 * neighbouring axes of every operand that they walk along at all, become one where these axes lie in
 * memory without a gap: the operands are read through memref.collapse_shape. So what is done with
 * images of 7x7 goes along lines of 49, in vectors, and not along seven of 7. Parallel loops are left
 * alone where the inner one is long and of whole vectors. Reads `s` anew. */
buddy_code bd_loops_collapse(bd_structured *s);

/* The same of loops that reduce, in all operations: while operands are seen whole. What is left of one that rows are
 * shared of (rows.h) has strides that are not known, if its sizes are not. */
buddy_code bd_reductions_collapse(MlirOperation root);

#endif
