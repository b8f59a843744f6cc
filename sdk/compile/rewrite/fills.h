/* sdk/compile/rewrite/fills.h: frames of images are filled by the library. */
#ifndef BUDDY_SDK_COMPILE_FILLS_H
#define BUDDY_SDK_COMPILE_FILLS_H

#include "sdk/compile/kernels/kernels.h"

/* Replaces linalg.fill of parts of buffers, up to four axes of which one is
 * dense, by calls of one function (fill.mlir). */
buddy_code bd_fills_replace(MlirOperation root, bd_kernels *kernels);

#endif
