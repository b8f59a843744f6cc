// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/kernels/contraction.h: matrix products, in whatever form, become calls of the
 * library's gemm. */
#ifndef BUDDY_SDK_COMPILE_CONTRACTION_H
#define BUDDY_SDK_COMPILE_CONTRACTION_H

#include "sdk/compile/kernels/prepacking.h"
#include "sdk/compile/kernels/kernels.h"

/* Replaces those contractions of `root` that gemm.mlir covers and that are large enough to gain by
 * it. */
buddy_code bd_contractions_replace(MlirOperation root, bd_kernels *kernels,
                                   bd_prepacking *prepacking);

#endif
