// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/direct.h: results are written where a copy would have taken them.
 *
 * An image that is copied into the middle of a frame of zeros, or whose axes change places by a
 * linalg.transpose, is written there from the start, if that leaves its innermost axis in place:
 * the buffer that it was in, and the copy, go away. */
#ifndef BUDDY_SDK_COMPILE_DIRECT_H
#define BUDDY_SDK_COMPILE_DIRECT_H

#include "sdk/compile/ir.h"

buddy_code bd_copies_avoid(MlirOperation root);

#endif
