// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/infer_graphs.h: types of what ops call. */
#ifndef BUDDY_CORE_GRAPH_INFER_GRAPHS_H
#define BUDDY_CORE_GRAPH_INFER_GRAPHS_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Holds the types of graphs against those of the ops that call them, once all are whole: of the graph and
 * its subgraphs. A contradiction is BUDDY_INVALID_ARGUMENT; sizes that must be equal and are only known in
 * the run become guards. */
BUDDY_EXPORT buddy_code bd_infer_check_calls(buddy_graph *graph, buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
