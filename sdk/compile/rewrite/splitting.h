// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/splitting.h: loops end where what they read goes on elsewhere. */
#ifndef BUDDY_SDK_COMPILE_SPLITTING_H
#define BUDDY_SDK_COMPILE_SPLITTING_H

#include "sdk/compile/ir.h"

/* An innermost scf.for whose positions in memory are found by comparisons of sums of its index (edges that
 * are mirrored, repeated or gone round, tensors that are rolled) becomes several, one after the other,
 * in each of which the comparisons have one outcome: there LLVM sees neighbours, and moves them in
 * vectors. Index set splitting, as the literature has it. */
buddy_code bd_loops_split(MlirOperation root);

#endif
