// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/memory.h: ops that name places of a storage. */
#ifndef BUDDY_SDK_IMPORT_MEMORY_H
#define BUDDY_SDK_IMPORT_MEMORY_H

#include <stdbool.h>

#include "sdk/import/layouts.h"

/* as_strided, its kin and resize_ are said of the value of the whole storage that their tensor looks
 * at. are_views_moved: some node of the graph changes the shape of a tensor in place. The node may be
 * gone after. */
buddy_code bd_memory_rebase(buddy_node *node, bd_layouts *layouts, bool are_views_moved,
                            buddy_diags *diags);

#endif
