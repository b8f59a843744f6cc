// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/prune.c: nodes that nothing asks for. One walk from the last node to the first is
 * enough: by the time a node is looked at, all that could use it are erased or needed. */
#define _GNU_SOURCE
#include "core/graph/effects.h"
#include "core/base/try.h"
#include "core/registry/plan.h"

static bool is_used(const buddy_node *node) {
  for (size_t i = 0; i < buddy_node_n_results(node); ++i) {
    if (buddy_value_n_uses(buddy_node_result(node, i)) > 0) return true;
  }
  return false;
}

static bool has_dim(const buddy_value *value, int64_t dim) {
  const buddy_tensor_type *type = buddy_value_type(value);
  for (uint32_t i = 0; type && i < type->rank; ++i) {
    if (type->dims[i] == dim) return true;
  }
  return false;
}

static bool is_given(const buddy_node *node, int64_t dim) {
  const buddy_graph *graph = buddy_node_graph(node);
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (arg->kind == BUDDY_ARG_TENSOR && has_dim(arg->as.tensor, dim)) return true;
  }
  for (; graph; graph = buddy_graph_parent(graph)) {
    for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
      if (has_dim(buddy_graph_input(graph, i), dim)) return true;
    }
  }
  return false;
}

/* Whether a size that the program may return or compute with is known from this node alone:
 * nonzero() and its kin. */
static bool tells_size(const buddy_node *node) {
  const buddy_graph *graph = buddy_node_graph(node);
  for (size_t i = 0; i < buddy_node_n_results(node); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_node_result(node, i));
    for (uint32_t k = 0; k < type->rank; ++k) {
      const int64_t dim = type->dims[k];
      if (!BUDDY_IS_SYMBOLIC(dim) || buddy_graph_dim_kind(graph, dim) != BUDDY_DIM_KIND_SYMBOL)
        continue;
      const size_t symbol = buddy_graph_dim_symbol(graph, dim);
      if (!buddy_graph_symbol(graph, symbol)->bound_to && !is_given(node, dim)) return true;
    }
  }
  return false;
}

buddy_code bd_prune_node(buddy_node *node, buddy_plan *plan, bool *out_is_gone) {
  *out_is_gone = false;
  if (is_used(node) || bd_node_has_effect(node) || tells_size(node)) return BUDDY_OK;
  bd_decision *decision = plan ? bd_plan_find(plan, node) : NULL;
  if (decision && bd_decision_detach(plan, decision)) return BUDDY_OUT_OF_MEMORY;
  /* Refused if a shape symbol takes its value from the node: then it is needed. */
  const buddy_code code = buddy_node_erase(node);
  *out_is_gone = code == BUDDY_OK;
  return code == BUDDY_INVALID_ARGUMENT ? BUDDY_OK : code;
}

static buddy_code prune_nodes(buddy_graph *graph, buddy_plan *plan) {
  buddy_node *prev;
  for (buddy_node *node = buddy_graph_last(graph); node; node = prev) {
    bool is_gone;
    prev = buddy_node_prev(node);
    BD_TRY(bd_prune_node(node, plan, &is_gone));
  }
  return BUDDY_OK;
}

buddy_code bd_prune(buddy_graph *graph, buddy_plan *plan) {
  bd_graph_list list = {0};
  buddy_code code = bd_graph_list_add(&list, graph);
  for (const bd_listed_graph *one = list.first; code == BUDDY_OK && one; one = one->hh.next) {
    code = prune_nodes(one->graph, plan);
    if (code == BUDDY_OK) code = bd_graph_list_add_subgraphs(&list, one->graph);
  }
  bd_graph_list_deinit(&list);
  return code;
}
