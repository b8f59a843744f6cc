// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/bf16.h: bf16 numbers are moved as whole numbers of 16 bits.
 *
 * Where a processor does not compute with bf16, LLVM (22) takes every vector of them apart that it
 * has to select from or to shuffle: masks, maxima, transposes and roundings went number by number.
 * Vectors of i16 it moves whole. */
#ifndef BUDDY_SDK_COMPILE_BF16_H
#define BUDDY_SDK_COMPILE_BF16_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

/* In the llvm dialect: loads, stores, selections, shuffles and arguments of blocks. What computes
 * or is called with bf16 gets and gives it through bitcasts. */
buddy_code bd_bf16_move_as_integers(MlirOperation root);

#endif
