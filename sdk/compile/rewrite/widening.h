// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/widening.h: depthwise convolutions of bf16 become those of f32, which have kernels.
 *
 * Their sums are f32 already, so that products of widened elements are the same numbers. Filters are small, and are
 * widened in each run. What is padded is widened before, so that the loop that makes it may widen it. For processors
 * that multiply words of bf16: there, what is around them has its channels innermost, as these kernels want it. */
#ifndef BUDDY_SDK_COMPILE_WIDENING_H
#define BUDDY_SDK_COMPILE_WIDENING_H

#include "sdk/compile/ir.h"

/* On tensors. */
buddy_code bd_depthwise_widen(MlirOperation root);

#endif
