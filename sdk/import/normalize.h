// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize.h: one form for each meaning, so that the rows of registries need not know
 * the others.
 *
 *   normalize.c            the order of the passes; nodes without effect go
 *   normalize_ops.c        ops that other ops say as well are replaced
 *   normalize_args.c       dims, indices, lists, arguments that say nothing
 *   normalize_dtypes.c     conversions that PyTorch does silently become nodes */
#ifndef BUDDY_SDK_IMPORT_NORMALIZE_H
#define BUDDY_SDK_IMPORT_NORMALIZE_H

#include <stdbool.h>

#include "buddy/import.h"
#include "sdk/import/build.h"
#include "sdk/import/layouts.h"

/* buddy_graph_normalize with the layouts of an archive; null: all contiguous. */
buddy_code bd_normalize(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags);

/* A node that copies a view gives way to one that is that view, *out_view; else null. */
buddy_code bd_normalize_copied_view(buddy_node *node, buddy_diags *diags, buddy_node **out_view);
/* Replaces the node by others where it has another form; *out_is_gone then, and it has no uses any
 * more. New nodes stand before it. */
buddy_code bd_normalize_op(buddy_node *node, buddy_diags *diags, bool *out_is_gone);
buddy_code bd_normalize_args(buddy_node *node, buddy_diags *diags);
buddy_code bd_normalize_dtypes(buddy_node *node, buddy_diags *diags);

#endif
