// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/outline.h: loop nests become functions of their own. */
#ifndef BUDDY_SDK_COMPILE_OUTLINE_H
#define BUDDY_SDK_COMPILE_OUTLINE_H

#include "sdk/compile/ir.h"

/* Moves every linalg operation on buffers of the public functions into a private function. LLVM's
 * time grows faster than the size of a function, so many small ones compile sooner than one large
 * one, and equal operations share one. */
buddy_code bd_outline(MlirModule module);

#endif
