// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/transposes.h: products of transposed matrices. */
#ifndef BUDDY_SDK_COMPILE_TRANSPOSES_H
#define BUDDY_SDK_COMPILE_TRANSPOSES_H

#include "sdk/compile/ir.h"

/* A named contraction on tensors that reads a linalg.transpose, or one with axes of size 1 added
 * or taken away, becomes a linalg.contract that reads the original: the library walks a matrix in
 * any direction, while a transposed copy of each weight in each run can cost as much as the product
 * itself. */
buddy_code bd_transposes_fold(MlirOperation root);

#endif
