// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/lists.h: ops on lists of tensors, said as one op an element. */
#ifndef BUDDY_SDK_IMPORT_LISTS_H
#define BUDDY_SDK_IMPORT_LISTS_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "sdk/import/layouts.h"

/* A node of _foreach_* gives way to nodes of the op that its name says, one for each element of its
 * lists, *out_is_gone; what has no such op stays as it is. So does meshgrid, to views. */
buddy_code bd_lists_rewrite(buddy_node *node, bd_layouts *layouts, buddy_diags *diags,
                            bool *out_is_gone);

#endif
