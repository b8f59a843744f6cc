// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/depthwise.h: depthwise convolutions become loops of vectors. */
#ifndef BUDDY_SDK_COMPILE_DEPTHWISE_H
#define BUDDY_SDK_COMPILE_DEPTHWISE_H

#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"

/* Replaces linalg.depthwise_conv_2d_nchw_chw of known sizes, and of steps of one or two along w.
 * The frame of zeros that its input was copied into goes away: each thread has one for the plane
 * that it is at, which stays in the cache. Others stay loops. */
buddy_code bd_depthwise_replace(MlirOperation root, bd_kernels *kernels);

/* The same of those whose images' channels lie innermost (layouts.h), with any steps. */
buddy_code bd_depthwise_replace_nhwc(MlirOperation root, bd_kernels *kernels,
                                     bd_prepacking *prepacking);
/* True if that would take it once its images lie so. */
int bd_depthwise_takes_nhwc(MlirOperation op, const bd_prepacking *prepacking);

#endif
