// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/functionalize.h: a graph whose ops write into tensors becomes one whose ops only
 * compute. */
#ifndef BUDDY_SDK_IMPORT_FUNCTIONALIZE_H
#define BUDDY_SDK_IMPORT_FUNCTIONALIZE_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/arena.h"
#include "core/base/hash.h"
#include "sdk/import/build.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Strides of the values that are not laid out contiguously from the beginning of their storage in
 * PyTorch; whether an op returns a view, and which, can depend on them. All zero: there are none.
 */
typedef struct bd_layout {
  const buddy_value *value;
  const int64_t *strides; /* as many as the value has dims, in elements */
  int64_t offset;         /* of its first element in the storage */
  UT_hash_handle hh;      /* by value */
} bd_layout;
typedef struct bd_layouts {
  bd_layout *by_value;
  bd_arena arena;
} bd_layouts;
/* Remembers strides; the value's type tells their number. */
buddy_code bd_layouts_add(bd_layouts *layouts, const buddy_value *value, const int64_t *strides,
                          int64_t offset);
/* Null if the value is contiguous. */
const bd_layout *bd_layouts_find(const bd_layouts *layouts, const buddy_value *value);
void bd_layouts_deinit(bd_layouts *layouts);

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
