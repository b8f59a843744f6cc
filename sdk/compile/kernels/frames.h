// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/frames.h: copies into the middle of what was filled for them. */
#ifndef BUDDY_SDK_COMPILE_FRAMES_H
#define BUDDY_SDK_COMPILE_FRAMES_H

#include "sdk/compile/kernels/kernels.h"

/* Where a buffer of known sizes is filled and then copied into, with nobody to see it in between, one kernel
 * writes both, each element once. */
buddy_code bd_frames_replace(MlirOperation root, bd_kernels *kernels);

#endif
