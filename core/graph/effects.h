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
 * returns nothing, is of an op that nothing defines, or has such a node in a subgraph. */
BUDDY_EXPORT bool bd_node_has_effect(const buddy_node *node);

#ifdef __cplusplus
}
#endif
#endif
