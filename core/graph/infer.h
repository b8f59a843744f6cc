// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/infer.h: the types of an op's results from its arguments. */
#ifndef BUDDY_CORE_GRAPH_INFER_H
#define BUDDY_CORE_GRAPH_INFER_H

#include "core/base/text.h"
#include "core/graph/model.h"
#include "core/graph/shapes.h"

/* Fills the types of all results of a node whose arguments are there, its dims in the pool. On
 * failure `why` says in half a sentence what stands against it, and the types are zero. */
buddy_code bd_infer(buddy_node *node, bd_text *why);

/* Holds the types of the results, and those of the arguments, against the op's contract: what
 * contradicts it is BUDDY_INVALID_ARGUMENT, and `why` says it in a sentence. Sizes that must be equal
 * and are only known in the run go to `equalities`; null: nothing is said of them. */
buddy_code bd_infer_check(const buddy_node *node, bd_text *why, bd_equalities *equalities);

#endif
