/* core/graph/effects.c: see effects.h. */
#include "core/graph/effects.h"

#define MAX_NESTING 64 /* of subgraphs */

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
  return is_mutating(def) || has_inner_effect(node, depth);
}

bool bd_node_has_effect(const buddy_node *node) { return has_effect(node, 0); }
