// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/sizes.h: positions and sizes that only the running program knows. */
#ifndef BUDDY_SDK_IMPORT_SIZES_H
#define BUDDY_SDK_IMPORT_SIZES_H

#include <stdbool.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

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
