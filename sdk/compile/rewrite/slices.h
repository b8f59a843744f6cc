// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/slices.h: slices that drop dims of size 1, and those that convolutions read.
 *
 * Which dims a tensor.extract_slice or insert_slice drops is told by its shapes. Of the
 * memref.subview that bufferization makes of it, upstream (LLVM 22, getDroppedDims) asks the strides
 * instead: two dims of size 1 whose strides are not known are the same to it, and it takes the first
 * for the dropped one. The slice then has one dim's size and another's stride. Such slices are made
 * to keep all dims, after or before a reshape that drops them. */
#ifndef BUDDY_SDK_COMPILE_SLICES_H
#define BUDDY_SDK_COMPILE_SLICES_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

/* Before bufferization. */
buddy_code bd_slices_keep_rank(MlirOperation root);

/* Convolutions that read some channels or lines of an image read a copy of them: their kernels are for
 * images without gaps, and the copy is nothing beside a convolution. Before bufferization. */
buddy_code bd_slices_copy_images(MlirOperation root);

#endif
