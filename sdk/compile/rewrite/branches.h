// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/branches.h: convolutions of one image whose results are added up are one.
 *
 * Nets that were trained with parallel branches (RepVGG, MobileOne, RepViT) have sums like
 *
 *   norm_1(conv_3x3(x)) + norm_2(conv_1x1(x)) + norm_3(x)
 *
 * A convolution is linear in its filter: with a number for each channel, a, b and c, that is one
 * convolution, of the filter a · f_3x3 + b · f_1x1, put into its middle, + c there for the image
 * itself. Filters and numbers are of weights alone, so that the filter is made in the first run.
 * What is read of the image is the same, infinities too; numbers come out as they would but for the
 * order of roundings. */
#ifndef BUDDY_SDK_COMPILE_BRANCHES_H
#define BUDDY_SDK_COMPILE_BRANCHES_H

#include "sdk/compile/ir.h"
#include "sdk/runtime/signature.h"

/* After fusion, of tensors of f32 and f64: convolutions over two axes, depthwise ones among them. */
buddy_code bd_branches_join(MlirOperation entry, const bd_signature *signature);

#endif
