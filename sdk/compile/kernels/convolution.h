// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/convolution.h: convolutions become calls of the library's convolution. */
#ifndef BUDDY_SDK_COMPILE_CONVOLUTION_H
#define BUDDY_SDK_COMPILE_CONVOLUTION_H

#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"

/* Replaces linalg's named convolutions over one and two axes where convolution.mlir covers them and
 * there are enough channels to gain by it. */
buddy_code bd_convolutions_replace(MlirOperation root, bd_kernels *kernels,
                                   bd_prepacking *prepacking);

/* True if there is a kernel for it that takes its images with their channels innermost, and either
 * of them in planes, too. */
int bd_convolution_takes_nhwc(MlirOperation op, const bd_prepacking *prepacking);
/* What one that takes them gains where the image that an operand is has its channels innermost, in times that an element of that is
 * gone over: 0 of bytes that are no whole words then, many of what becomes one for Winograd. Of images alone. */
void bd_convolution_gains_of_nhwc(MlirOperation op, const bd_prepacking *prepacking,
                                  int64_t out_gains[3]);

#endif
