// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/functionalize.h: a graph whose ops write into tensors becomes one whose ops only
 * compute. */
#ifndef BUDDY_SDK_IMPORT_FUNCTIONALIZE_H
#define BUDDY_SDK_IMPORT_FUNCTIONALIZE_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "sdk/import/build.h"
#include "sdk/import/layouts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rewrites the graph and its subgraphs; every tensor that shares storage with one that is written
 * is followed through its views. Values that a user can observe after the program (buffers, user
 * inputs) become outputs, unless they are already. layouts may be null. */
buddy_code bd_functionalize(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags);

/* ---- Between its parts ---- */

/* Whether the op writes into one of its arguments, by its schema. */
bool bd_node_writes(const buddy_node *node);
/* Brings a graph into the form that can be followed, adds its subgraphs to the list, and tells
 * whether it has writes. */
buddy_code bd_functionalize_prepare(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags,
                                    bd_pending_graphs *list, bool *out_writes);
/* The op that computes what `op` writes ("aten.add_.Tensor": "aten.add.Tensor"); null if there is
 * none. */
const char *bd_functional_twin(const char *op);

#ifdef __cplusplus
}
#endif
#endif
