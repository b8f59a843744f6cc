// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/fills.h: buffers that are filled with one number. */
#ifndef BUDDY_SDK_COMPILE_FILLS_H
#define BUDDY_SDK_COMPILE_FILLS_H

#include "sdk/compile/kernels/kernels.h"

/* Whoever fills a buffer with its axes in another form (groups of channels) fills the buffer: who
 * looks for what a result begins with, or for who reads it, need not look through reshapes. */
buddy_code bd_fills_undo_reshapes(MlirOperation root);

/* Replaces linalg.fill of parts of buffers, up to four axes of which one is
 * dense, by calls of one function (fill.mlir). */
buddy_code bd_fills_replace(MlirOperation root, bd_kernels *kernels);

#endif
