// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/build.h: adding nodes while a graph is rewritten. */
#ifndef BUDDY_SDK_IMPORT_BUILD_H
#define BUDDY_SDK_IMPORT_BUILD_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/try.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where nodes go: before `before`, whose location they take; null: the end of the graph. */
typedef struct bd_build {
  buddy_graph *graph;
  buddy_node *before;
  buddy_diags *diags;
} bd_build;

buddy_code bd_build_node(const bd_build *at, const char *op, const buddy_named_arg *args,
                         size_t n_args, const buddy_tensor_type *types, size_t n_types,
                         buddy_node **out_node);
/* A node with one result. type: null where the graph can infer it. */
buddy_code bd_build_value(const bd_build *at, const char *op, const buddy_named_arg *args,
                          size_t n_args, const buddy_tensor_type *type,
                          const buddy_value **out_value);
/* The value in another dtype; the value itself if it has it. */
buddy_code bd_build_cast(const bd_build *at, const buddy_value *value, buddy_dtype dtype,
                         const buddy_value **out_value);
/* The value's elements, in their order, as a tensor of the type. */
buddy_code bd_build_view(const bd_build *at, const buddy_value *value,
                         const buddy_tensor_type *type, const buddy_value **out_value);
/* The value broadcast to `type`'s dims; the value itself if it has them. */
buddy_code bd_build_expand(const bd_build *at, const buddy_value *value,
                           const buddy_tensor_type *type, const buddy_value **out_value);
/* Erases a node that others stand for; tells where one of its results is still used. */
buddy_code bd_build_erase(buddy_node *node, buddy_diags *diags);
/* Arguments of nodes; lists are lent. */
buddy_arg bd_tensor_arg(const buddy_value *value);
buddy_arg bd_int_arg(int64_t number);
buddy_arg bd_dtype_arg(buddy_dtype dtype);
buddy_arg bd_ints_arg(const int64_t *ints, size_t n);
buddy_arg bd_size_arg(const buddy_tensor_type *type);
/* Whether two types have the same dims. */
int bd_same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b);
/* Whether a size is 0. */
bool bd_has_no_elements(const buddy_tensor_type *type);

/* Graphs still to be looked at. All zero is empty; free `items` with bd_free. */
typedef struct bd_pending_graphs {
  buddy_graph **items;
  size_t n, capacity;
} bd_pending_graphs;
buddy_code bd_graphs_add(bd_pending_graphs *list, const buddy_graph *graph);

#ifdef __cplusplus
}
#endif
#endif
