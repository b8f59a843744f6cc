// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/extremes.h: maxima and minima of floats that begin at infinity. */
#ifndef BUDDY_SDK_COMPILE_EXTREMES_H
#define BUDDY_SDK_COMPILE_EXTREMES_H

#include "buddy/base.h"
#include "mlir-c/IR.h"

/* TOSA's reductions and max_pool2d are lowered by MLIR with the lowest or largest finite number to
 * begin with (and to pad with), so that a row of -inf would give -3.4e38 instead of -inf. Puts
 * infinity in its place, in linalg.reduce and linalg.pooling_nhwc_max on tensors. */
buddy_code bd_extremes_begin_at_infinity(MlirOperation root);

#endif
