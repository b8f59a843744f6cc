// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/copies.h: copies between buffers with gaps, or in another order.
 *
 * Where one has its neighbours along another axis than the other, a plain loop goes along one of the two and touches a
 * line of the cache for each element of the other. Here blocks of whole lines are transposed in registers
 * (transpose.mlir), and threads share the blocks. */
#ifndef BUDDY_SDK_COMPILE_COPIES_H
#define BUDDY_SDK_COMPILE_COPIES_H

#include <stdbool.h>

#include "sdk/compile/kernels/kernels.h"
#include "sdk/runtime/strided.h"

/* A copy from one buffer to another: axis i of `to` is axis order[i] of `from`. Sizes may be unknown. */
typedef struct bd_transposition {
  MlirType from, to;
  int64_t order[BD_MAX_RANK];
} bd_transposition;

/* True if blocks are worth it: the axes of neighbours differ, are not short, and there are enough elements of a type
 * that the library transposes. */
bool bd_transposition_fits(const bd_transposition *t);

/* The copy that an operation of linalg is; false if it is anything else. */
bool bd_transposition_read(MlirOperation op, bd_transposition *out);

/* memref.copy is lowered to memcpy where both sides are dense, else to a function of MLIR's runner
 * library, slow and not ours: such copies become kernels. So do linalg's where neighbours become
 * strangers. */
buddy_code bd_copies_replace(MlirOperation root, bd_kernels *kernels);

#endif
