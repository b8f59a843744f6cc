// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/sharing.h: the functions around parts of loops that carry their values from
 * thread to thread; see parallel_for.h. */
#ifndef BUDDY_SDK_COMPILE_SHARING_H
#define BUDDY_SDK_COMPILE_SHARING_H

#include "sdk/compile/ir.h"

/* What parts carry, and the functions for it. Zeroed: none yet. */
typedef struct bd_sharing {
  bd_text functions;
  char **signatures; /* of the functions: each is there once */
  size_t n, capacity;
} bd_sharing;

/* True if values of the type can be carried. */
int bd_can_be_shared(MlirType type);
/* Before `before`: threads share the units of the function `part`, which takes the values,
 * first and last; it has llvm.bareptr if each of the values is bare. n_units: an index; cost: of
 * one unit. */
buddy_code bd_sharing_insert(bd_sharing *sharing, MlirOperation before, const char *part,
                             const MlirValue *values, size_t n, MlirValue n_units, int64_t cost);
/* Adds the functions that were called to the module. */
buddy_code bd_sharing_finish(bd_sharing *sharing, MlirModule module, buddy_diags *diags);
void bd_sharing_deinit(bd_sharing *sharing);

#endif
