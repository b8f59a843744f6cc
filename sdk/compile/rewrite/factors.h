// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/factors.h: arithmetic on constants that loops over more than these do. */
#ifndef BUDDY_SDK_COMPILE_FACTORS_H
#define BUDDY_SDK_COMPILE_FACTORS_H

#include "sdk/compile/kernels/prepacking.h"

/* Of each linalg.generic of the entry: what its body makes of constants that lie along some of its
 * loops only (y = x * scale + (shift - mean * scale), one scale, shift and mean for each channel) is
 * a loop of its own over these, before it, into a buffer that it reads in their place. So each
 * number is computed once, and in the first run alone (hoist.h). *out_has_any: there were such. */
buddy_code bd_factors_separate(MlirOperation root, const bd_prepacking *prepacking,
                               bool *out_has_any);
/* The same of numbers that are no constants, once images lie as they stay: functions and divisions of what lies along the
 * fastest of the loops, such as one gate for each channel of an image whose channels are innermost. */
buddy_code bd_factors_separate_costly(MlirOperation root, const bd_prepacking *prepacking);

#endif
