// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/apart.h: loops whose iterations are apart become parallel ones. */
#ifndef BUDDY_SDK_COMPILE_APART_H
#define BUDDY_SDK_COMPILE_APART_H

#include "sdk/compile/ir.h"

/* Loops of which a registry says so (BUDDY_LOOP_APART), each with those that it consists of, become an scf.parallel (BD_ROWS)
 * for threads to share: sorts, scans, selections of rows. What they write is looked at, too: a loop that writes elsewhere than
 * at its own index, or calls, stays as it is. Memory that is used in the loop alone is allocated in it. */
buddy_code bd_apart_spread(MlirOperation root);

#endif
