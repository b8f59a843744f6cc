// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/hoist.h: what depends on constants alone is computed in the first run, and
 * kept. */
#ifndef BUDDY_SDK_COMPILE_HOIST_H
#define BUDDY_SDK_COMPILE_HOIST_H

#include "sdk/compile/kernels/prepacking.h"

/* For buffers of known size in the entry that loops alone write to, from constants that are not
 * smaller: sums of weights, scales of products. What would be larger than what it is made of is
 * computed anew each time, rather than kept in memory. */
buddy_code bd_constants_hoist(MlirOperation root, bd_prepacking *prepacking);

/* True of what stands where they were computed: it does that in the first run, and writes to
 * nothing that is read before it. */
int bd_op_is_hoisted(MlirOperation op);

#endif
