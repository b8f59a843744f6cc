// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/effects.c: nodes that stay although nobody uses what they give. */
#include "core/graph/effects.h"

#include <stdlib.h>
#include <string.h>

#define MAX_NESTING 64 /* of subgraphs */

/* ---- Sizes that the data tell ---- */

static int compare_name(const void *name, const void *row) {
  return strcmp(name, *(const char *const *)row);
}

/* x[mask]; numbers as indices give as many results as there are of them. */
static bool has_mask(const buddy_node *node) {
  const buddy_arg *indices = buddy_node_arg_find(node, "indices");
  if (!indices || indices->kind != BUDDY_ARG_TENSORS) return false;
  for (size_t i = 0; i < indices->n; ++i) {
    const buddy_value *index = indices->as.tensors[i];
    const buddy_dtype dtype = index ? buddy_value_type(index)->dtype : BUDDY_I64;
    if (dtype == BUDDY_BOOL || dtype == BUDDY_U8) return true;
  }
  return false;
}

bool bd_node_counts_data(const buddy_node *node) {
  static const char *const ops[] = {/* sorted: PyTorch's tag dynamic_output_shape */
                                    "aten._ctc_loss.Tensor",
                                    "aten._ctc_loss.default",
                                    "aten._unique.default",
                                    "aten._unique2.default",
                                    "aten.argwhere.default",
                                    "aten.bincount.default",
                                    "aten.linalg_lstsq.default",
                                    "aten.masked_select.default",
                                    "aten.nonzero.default",
                                    "aten.nonzero_numpy.default",
                                    "aten.one_hot.default",
                                    "aten.repeat_interleave.Tensor",
                                    "aten.repeat_interleave.self_Tensor",
                                    "aten.unique_consecutive.default",
                                    "aten.unique_dim.default",
                                    "aten.unique_dim_consecutive.default",
                                    "aten.where.default"};
  const char *op = buddy_node_op(node);
  if (!strcmp(op, "aten.index.Tensor")) return has_mask(node);
  return bsearch(op, ops, sizeof ops / sizeof *ops, sizeof *ops, compare_name);
}

/* ---- Effects ---- */

static bool is_mutating(const buddy_opdef *def) {
  for (size_t i = 0; i < buddy_opdef_n_args(def); ++i) {
    if (buddy_opdef_arg(def, i)->is_mutated) return true;
  }
  return false;
}

static bool has_effect(const buddy_node *node, size_t depth);

/* Whether a subgraph among the arguments has a node with an effect. */
static bool has_inner_effect(const buddy_node *node, size_t depth) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (arg->kind != BUDDY_ARG_GRAPH || !arg->as.graph) continue;
    if (depth >= MAX_NESTING) return true;
    const buddy_node *inner = buddy_graph_first(arg->as.graph);
    for (; inner; inner = buddy_node_next(inner)) {
      if (has_effect(inner, depth + 1)) return true;
    }
  }
  return false;
}

/* What is not known to be harmless counts as an effect: unknown ops, and ops that return nothing. */
static bool has_effect(const buddy_node *node, size_t depth) {
  const buddy_opdef *def = buddy_node_opdef(node);
  if (!def || buddy_opdef_kind(def) == BUDDY_KIND_SIDE_EFFECT || buddy_node_n_results(node) == 0)
    return true;
  return is_mutating(def) || bd_node_counts_data(node) || has_inner_effect(node, depth);
}

bool bd_node_has_effect(const buddy_node *node) { return has_effect(node, 0); }
