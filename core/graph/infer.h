/* core/graph/infer.h: the types of an op's results from its arguments. */
#ifndef BUDDY_CORE_GRAPH_INFER_H
#define BUDDY_CORE_GRAPH_INFER_H

#include "core/base/text.h"
#include "core/graph/model.h"

/* Fills the types of all results of a node whose arguments are there, its dims in the pool. On
 * failure `why` says in half a sentence what stands against it, and the types are zero. */
buddy_code bd_infer(buddy_node *node, bd_text *why);

/* Holds the types of the results, and those of the arguments, against the op's contract: what
 * contradicts it is BUDDY_INVALID_ARGUMENT, and `why` says it in a sentence. Of sizes that are only
 * known in the run nothing is said. */
buddy_code bd_infer_check(const buddy_node *node, bd_text *why);

#endif
