// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions_needs.h: what conditions.c shares with conditions_ask.c and conditions_parts.c.
 * A need turns what an op's kernel asks of sizes into guards; BUDDY_LIMIT: it is beyond the arithmetic on sizes. */
#ifndef BUDDY_SDK_IMPORT_CONDITIONS_NEEDS_H
#define BUDDY_SDK_IMPORT_CONDITIONS_NEEDS_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/graph/guards.h"

/* A node, and the type of its "self", "input" or "input1", or of the first of its "tensors". */
typedef struct bd_asking {
  buddy_node *node;
  const buddy_tensor_type *self;
} bd_asking;

/* A guard of the node's graph. Without diagnostics: what no sizes meet is a guard as well. */
buddy_code bd_ask_require(const bd_asking *at, bd_relation relation, int64_t a, int64_t b);
/* The type of an argument; null: it is no tensor. */
const buddy_tensor_type *bd_ask_tensor(const buddy_node *node, const char *name);
/* The place of a dim, which may count from behind, or of the one that an argument names; false if
 * there is none. */
bool bd_ask_dim(const bd_asking *at, int64_t dim, uint32_t *out_axis);
bool bd_ask_axis(const bd_asking *at, const char *name, uint32_t *out_axis);
/* The last n dims have an element; those that are numbers were looked at by PyTorch. */
buddy_code bd_need_last(const bd_asking *at, const buddy_tensor_type *type, uint32_t n);

/* conditions_parts.c: each for the ops that conditions.c names. */
buddy_code bd_need_masked_dims(const bd_asking *at);
buddy_code bd_need_chosen(const bd_asking *at);
buddy_code bd_need_gathered(const bd_asking *at);
buddy_code bd_need_taken(const bd_asking *at);
buddy_code bd_need_put(const bd_asking *at);
buddy_code bd_need_mask(const bd_asking *at);
buddy_code bd_need_equal_parts(const bd_asking *at);
buddy_code bd_need_constant(const bd_asking *at);
buddy_code bd_need_reflect(const bd_asking *at);
buddy_code bd_need_replicate(const bd_asking *at);
buddy_code bd_need_circular(const bd_asking *at);
buddy_code bd_need_pad(const bd_asking *at);
buddy_code bd_need_told_size(const bd_asking *at);
buddy_code bd_need_memory(const bd_asking *at);
buddy_code bd_need_strided_source(const bd_asking *at);

#endif
