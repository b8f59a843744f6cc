// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/zeros.h: what of a padded buffer is known to be zeros. */
#ifndef BUDDY_SDK_COMPILE_ZEROS_H
#define BUDDY_SDK_COMPILE_ZEROS_H

#include "sdk/compile/ir.h"

/* How many of the first and of the last places along that axis hold nothing but zeros, all over the
 * other axes: those of an allocation, or of a view of all of one along that axis, to which zeros alone
 * are written there. 0 and 0 where that is not known. */
void bd_zeros_find(MlirValue value, int64_t axis, int64_t *out_before, int64_t *out_after);

#endif
