// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/effects.h: which nodes stay although nobody uses what they give. Everything that erases
 * nodes asks here. */
#ifndef BUDDY_CORE_GRAPH_EFFECTS_H
#define BUDDY_CORE_GRAPH_EFFECTS_H

#include <stdbool.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* True if others see that the node is computed: it is of the kind side_effect, writes to an argument,
 * returns nothing, is of an op that nothing defines, counts data, or has such a node in a subgraph. */
BUDDY_EXPORT bool bd_node_has_effect(const buddy_node *node);

/* True if the data tell how large its results are: nonzero() and its kin. What the program says of
 * such a size, a number or another size, is checked in every run, also where nobody uses the result. */
BUDDY_EXPORT bool bd_node_counts_data(const buddy_node *node);

#ifdef __cplusplus
}
#endif
#endif
