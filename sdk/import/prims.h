// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/prims.h: the ops of prims, said in ATen's words. */
#ifndef BUDDY_SDK_IMPORT_PRIMS_H
#define BUDDY_SDK_IMPORT_PRIMS_H

#include "sdk/import/layouts.h"

/* A node of prims gives way to nodes of ATen that compute the same, *out_is_gone; what ATen has no
 * word for stays as it is. The layouts of its results go on to those that stand for them; layouts
 * may be null. */
buddy_code bd_prims_rewrite(buddy_node *node, bd_layouts *layouts, buddy_diags *diags,
                            bool *out_is_gone);

#endif
