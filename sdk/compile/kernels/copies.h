// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/copies.h: copies between buffers with gaps, or in another order. */
#ifndef BUDDY_SDK_COMPILE_COPIES_H
#define BUDDY_SDK_COMPILE_COPIES_H

#include "sdk/compile/kernels/kernels.h"

/* memref.copy is lowered to memcpy where both sides are dense, else to a function of MLIR's runner
 * library, slow and not ours: such copies become kernels. So do linalg's where neighbours become
 * strangers (transposition.h). */
buddy_code bd_copies_replace(MlirOperation root, bd_kernels *kernels);

#endif
