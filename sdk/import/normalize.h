// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize.h: one form for each meaning, so that the rows of registries need not know
 * the others.
 *
 *   normalize.c            the order of the passes; nodes without effect go
 *   normalize_ops.c        ops that other ops say as well are replaced
 *   normalize_args.c       dims, indices, lists, arguments that say nothing
 *   normalize_dtypes.c     conversions that PyTorch does silently become nodes
 *   conditions.c           what kernels ask of sizes becomes guards */
#ifndef BUDDY_SDK_IMPORT_NORMALIZE_H
#define BUDDY_SDK_IMPORT_NORMALIZE_H

#include <stdbool.h>

#include "buddy/import.h"
#include "sdk/import/build.h"
#include "sdk/import/functionalize.h"

/* buddy_graph_normalize with the layouts of an archive; null: all contiguous. */
buddy_code bd_normalize(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags);

/* A node that copies a view gives way to one that is that view, *out_view; else null. */
buddy_code bd_normalize_copied_view(buddy_node *node, buddy_diags *diags, buddy_node **out_view);
/* Replaces the node by others where it has another form; *out_is_gone then, and it has no uses any
 * more. New nodes stand before it. */
buddy_code bd_normalize_op(buddy_node *node, buddy_diags *diags, bool *out_is_gone);
buddy_code bd_normalize_args(buddy_node *node, buddy_diags *diags);
buddy_code bd_normalize_dtypes(buddy_node *node, buddy_diags *diags);
/* Guards for what the node's kernel asks of sizes; of the node as PyTorch has it. as_written: before
 * silent writes are said by other nodes, which ask for more. */
buddy_code bd_conditions_require(const buddy_node *node, bool as_written);

/* A size as far as it is a number, and arithmetic on it that cannot fail on numbers. */
buddy_code bd_dim_add(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim);
buddy_code bd_dim_sub(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim);
/* The number of elements. */
buddy_code bd_dim_count(buddy_graph *graph, const buddy_tensor_type *type, int64_t *out_dim);

#endif
