/* sdk/compile/rewrite/collapse.h: neighbouring loops of a reduction become one. */
#ifndef BUDDY_SDK_COMPILE_COLLAPSE_H
#define BUDDY_SDK_COMPILE_COLLAPSE_H

#include "sdk/compile/structured.h"

/* Two neighbouring loops of a linalg.generic that reduce, and walk along neighbouring axes of every
 * operand that they walk along at all, become one where these axes lie in memory without a gap: the
 * operands are read through memref.collapse_shape. So the mean of an image of 7x7 is one line of 49
 * terms, for vectors to go along, and not seven of 7. Reads `s` anew. */
buddy_code bd_reduction_collapse(bd_structured *s);

#endif
