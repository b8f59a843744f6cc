// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/build.c: adding nodes while a graph is rewritten. */
#include "sdk/import/build.h"

#include <stdint.h>
#include <string.h>

#include "core/base/array.h"

buddy_arg bd_tensor_arg(const buddy_value *value) {
  return (buddy_arg){.kind = BUDDY_ARG_TENSOR, .as.tensor = value};
}
buddy_arg bd_int_arg(int64_t number) { return (buddy_arg){.kind = BUDDY_ARG_INT, .as.i = number}; }
buddy_arg bd_dtype_arg(buddy_dtype dtype) {
  return (buddy_arg){.kind = BUDDY_ARG_DTYPE, .as.i = dtype};
}
buddy_arg bd_ints_arg(const int64_t *ints, size_t n) {
  return (buddy_arg){.kind = BUDDY_ARG_INTS, .n = n, .as.ints = ints};
}
buddy_arg bd_size_arg(const buddy_tensor_type *type) { return bd_ints_arg(type->dims, type->rank); }

buddy_code bd_build_node(const bd_build *at, const char *op, const buddy_named_arg *args,
                         size_t n_args, const buddy_tensor_type *types, size_t n_types,
                         buddy_node **out_node) {
  BD_TRY(buddy_graph_add_node(at->graph, at->before, op, NULL, args, n_args, types, n_types,
                              at->diags, out_node));
  return at->before ? buddy_node_set_location(*out_node, buddy_node_location(at->before))
                    : BUDDY_OK;
}

buddy_code bd_build_value(const bd_build *at, const char *op, const buddy_named_arg *args,
                          size_t n_args, const buddy_tensor_type *type,
                          const buddy_value **out_value) {
  buddy_node *node;
  *out_value = NULL;
  BD_TRY(bd_build_node(at, op, args, n_args, type, type ? 1 : 0, &node));
  *out_value = buddy_node_result(node, 0);
  return BUDDY_OK;
}

buddy_code bd_build_cast(const bd_build *at, const buddy_value *value, buddy_dtype dtype,
                         const buddy_value **out_value) {
  buddy_tensor_type type = *buddy_value_type(value);
  *out_value = value;
  if (type.dtype == dtype) return BUDDY_OK;
  type.dtype = dtype;
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)}, {"dtype", bd_dtype_arg(dtype)}};
  return bd_build_value(at, "aten._to_copy.default", args, 2, &type, out_value);
}

buddy_code bd_build_erase(buddy_node *node, buddy_diags *diags) {
  char where[512];
  const buddy_code code = buddy_node_erase(node);
  if (!code) return BUDDY_OK;
  buddy_node_describe(node, where, sizeof where);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INTERNAL, where, "report it, with the program",
                         "%s has been rewritten, and the program still uses a result of it",
                         buddy_node_op(node));
}

int bd_same_dims(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  return a->rank == b->rank &&
         (a->rank == 0 || !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims));
}

bool bd_has_no_elements(const buddy_tensor_type *type) {
  bool has_none = false;
  for (uint32_t d = 0; d < type->rank; ++d) has_none |= type->dims[d] == 0;
  return has_none;
}

buddy_code bd_build_view(const bd_build *at, const buddy_value *value,
                         const buddy_tensor_type *type, const buddy_value **out_value) {
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)}, {"size", bd_size_arg(type)}};
  return bd_build_value(at, "aten.view.default", args, 2, type, out_value);
}

buddy_code bd_build_expand(const bd_build *at, const buddy_value *value,
                           const buddy_tensor_type *type, const buddy_value **out_value) {
  const buddy_tensor_type *from = buddy_value_type(value);
  *out_value = value;
  if (bd_same_dims(from, type)) return BUDDY_OK;
  const buddy_tensor_type to = {.dtype = from->dtype, .rank = type->rank, .dims = type->dims};
  const buddy_named_arg args[] = {{"self", bd_tensor_arg(value)}, {"size", bd_size_arg(type)}};
  return bd_build_value(at, "aten.expand.default", args, 2, &to, out_value);
}

buddy_code bd_graphs_add(bd_pending_graphs *list, const buddy_graph *graph) {
  void *items = bd_array_grow(list->items, &list->capacity, list->n + 1, sizeof *list->items);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  list->items = items;
  /* Arguments name graphs as const; they belong to the graph that is rewritten. */
  list->items[list->n++] = (buddy_graph *)(uintptr_t)graph;
  return BUDDY_OK;
}
