// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/normalize.c: the order of the passes.
 *
 * Each node is visited once, in order: it is replaced if another op says the same, else its
 * arguments and then its operands' dtypes are brought into form. Nodes that the visit adds in front
 * of a node are in form already. After that, nodes whose results nobody uses are erased from the
 * end backwards: everything is linear in nodes. */
#include "sdk/import/normalize.h"

#include <stdlib.h>

#include "core/base/memory.h"
#include "core/graph/effects.h"
#include "core/graph/model.h"
#include "sdk/import/conditions.h"
#include "sdk/import/functionalize.h"

static buddy_code normalize_node(buddy_node *node, buddy_diags *diags) {
  bool is_gone = false;
  buddy_node *view;
  BD_TRY(bd_conditions_require(node, false));
  BD_TRY(bd_normalize_copied_view(node, diags, &view));
  if (view) node = view;
  BD_TRY(bd_normalize_op(node, diags, &is_gone));
  if (is_gone) return bd_build_erase(node, diags);
  BD_TRY(bd_normalize_args(node, diags));
  return bd_normalize_dtypes(node, diags);
}

/* ---- Nodes without effect ---- */

/* What of the symbols decides whether a node can go. */
typedef struct symbol_uses {
  bool *is_given;            /* by number: a dim of an input of the graph, or of one around it */
  const buddy_value **bound; /* values that symbols are bound to, sorted */
  size_t n_bound;
} symbol_uses;

static int compare_value(const void *a, const void *b) {
  const uintptr_t x = (uintptr_t)*(const buddy_value *const *)a,
                  y = (uintptr_t)*(const buddy_value *const *)b;
  return (x > y) - (x < y);
}

static void deinit_uses(symbol_uses *uses) {
  bd_free(uses->is_given);
  bd_free(uses->bound);
}

static void mark_given(const buddy_graph *graph, bool *is_given) {
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i) {
    const buddy_tensor_type *type = buddy_value_type(buddy_graph_input(graph, i));
    for (uint32_t k = 0; k < type->rank; ++k) {
      if (!BUDDY_IS_SYMBOLIC(type->dims[k])) continue;
      if (buddy_graph_dim_kind(graph, type->dims[k]) != BUDDY_DIM_KIND_SYMBOL) continue;
      is_given[buddy_graph_dim_symbol(graph, type->dims[k])] = true;
    }
  }
}

static buddy_code find_uses(const buddy_graph *graph, symbol_uses *uses) {
  const size_t n = buddy_graph_n_symbols(graph);
  uses->is_given = bd_calloc(n, sizeof *uses->is_given);
  uses->bound = bd_calloc(n, sizeof *uses->bound);
  if (!uses->is_given || !uses->bound) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *value = buddy_graph_symbol(graph, i)->bound_to;
    if (value) uses->bound[uses->n_bound++] = value;
  }
  qsort(uses->bound, uses->n_bound, sizeof *uses->bound, compare_value);
  for (; graph; graph = buddy_graph_parent(graph)) mark_given(graph, uses->is_given);
  return BUDDY_OK;
}

/* Whether a size that others may name comes from this value: nonzero() and its kin. */
static bool defines_symbol(const buddy_graph *graph, const buddy_value *value,
                           const bool *is_given) {
  const buddy_tensor_type *type = buddy_value_type(value);
  for (uint32_t k = 0; k < type->rank; ++k) {
    if (!BUDDY_IS_SYMBOLIC(type->dims[k])) continue;
    if (buddy_graph_dim_kind(graph, type->dims[k]) != BUDDY_DIM_KIND_SYMBOL) continue;
    const size_t i = buddy_graph_dim_symbol(graph, type->dims[k]);
    if (!is_given[i] && !buddy_graph_symbol(graph, i)->bound_to) return true;
  }
  return false;
}

static bool is_dead(const buddy_graph *graph, const buddy_node *node, const symbol_uses *uses) {
  const size_t n = buddy_node_n_results(node);
  if (bd_node_has_effect(node)) return false;
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *value = buddy_node_result(node, i);
    if (buddy_value_n_uses(value)) return false;
    if (bsearch(&value, uses->bound, uses->n_bound, sizeof *uses->bound, compare_value))
      return false;
    if (defines_symbol(graph, value, uses->is_given)) return false;
  }
  return true;
}

static buddy_code erase_dead(buddy_graph *graph) {
  symbol_uses uses = {0};
  buddy_code code = find_uses(graph, &uses);
  buddy_node *before;
  for (buddy_node *node = buddy_graph_last(graph); node && !code; node = before) {
    before = buddy_node_prev(node);
    if (is_dead(graph, node, &uses)) code = buddy_node_erase(node);
  }
  deinit_uses(&uses);
  return code;
}

/* ---- Whole graphs ---- */

static buddy_code normalize_one(buddy_graph *graph, bd_pending_graphs *list, buddy_diags *diags) {
  buddy_code problem = BUDDY_OK;
  buddy_node *next;
  for (buddy_node *node = buddy_graph_first(graph); node; node = next) {
    next = buddy_node_next(node);
    for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
      const buddy_arg *arg = buddy_node_arg(node, i);
      if (arg->kind == BUDDY_ARG_GRAPH) BD_TRY(bd_graphs_add(list, arg->as.graph));
    }
    const buddy_code code = normalize_node(node, diags);
    if (code == BUDDY_OUT_OF_MEMORY || code == BUDDY_INTERNAL) return code;
    if (!problem) problem = code; /* told; the others are looked at all the same */
  }
  return problem ? problem : erase_dead(graph);
}

buddy_code bd_normalize(buddy_graph *graph, bd_layouts *layouts, buddy_diags *diags) {
  bd_pending_graphs list = {0};
  buddy_code code = bd_functionalize(graph, layouts, diags), problem = BUDDY_OK;
  if (!code) code = bd_graph_check_edited(graph, diags);
  if (!code) bd_graph_check(graph, "functionalization");
  if (!code) code = bd_graphs_add(&list, graph);
  while (list.n > 0 && !code) {
    code = normalize_one(list.items[--list.n], &list, diags);
    if (code == BUDDY_OUT_OF_MEMORY) break;
    if (!problem) problem = code;
    code = BUDDY_OK;
  }
  bd_free(list.items);
  if (code || problem) return code ? code : problem;
  BD_TRY(bd_graph_check_edited(graph, diags));
  bd_graph_check(graph, "normalization");
  return BUDDY_OK;
}

buddy_code buddy_graph_normalize(buddy_graph *graph, buddy_diags *diags) {
  return bd_normalize(graph, NULL, diags);
}
