// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/sizes.h: arithmetic on sizes, and positions and sizes that only the running program
 * knows. */
#ifndef BUDDY_SDK_IMPORT_SIZES_H
#define BUDDY_SDK_IMPORT_SIZES_H

#include <stdbool.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A size as far as it is a number, and arithmetic on it that cannot fail on numbers. */
buddy_code bd_dim_add(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim);
buddy_code bd_dim_sub(buddy_graph *graph, int64_t a, int64_t b, int64_t *out_dim);
/* The number of elements. */
buddy_code bd_dim_count(buddy_graph *graph, const buddy_tensor_type *type, int64_t *out_dim);

/* Elements of a storage up to the last one that is seen: of `n` sizes and strides, from element `first`
 * on; 0 where a size is. */
buddy_code bd_dim_extent(buddy_graph *graph, const int64_t *sizes, const int64_t *strides, size_t n,
                         int64_t first, int64_t *out_extent);

/* Whether the dim is made of the symbol. */
bool bd_sizes_mention(const buddy_graph *graph, int64_t dim, int64_t symbol);

/* A position in a dim of `size` elements, counted from the front: a negative one counts from
 * after, also where its sign is known only while the program runs. */
buddy_code bd_position_wrap(buddy_graph *graph, int64_t position, int64_t size,
                            int64_t *out_position);
/* Where the length of a slice depends on numbers that the program computes, PyTorch names it by a
 * symbol of its own. The slice's ends are brought into the tensor, and the symbol is bound to the
 * length that follows from them, before the node. Other nodes stay as they are. */
buddy_code bd_sizes_bind(buddy_node *node, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
