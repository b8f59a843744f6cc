// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/transform.c: what registries rewrite before rows are asked.
 *
 * A transform is an expansion with a head start: it replaces a node by others, each decided by the
 * whole order at once, and what cannot be taken whole is undone. So a rewrite never makes a program
 * worse: the nodes of the pattern are there until the new ones are taken.
 *
 * Registry by registry, one walk from the last node to the first; a pattern ends at its root, so
 * the largest one that ends somewhere is seen before those inside it. Nodes that a rewrite has made
 * are no roots, nor are those that it has left without use: they go when the walk comes to them, so
 * that patterns inside one that was taken are not taken as well. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "core/registry/plan.h"
#include "core/base/try.h"

/* Forgets a decision that came to nothing, so that the node is asked about in the usual way. */
static void forget(buddy_plan *plan, bd_decision *decision) {
  if (plan->last_found == decision) plan->last_found = NULL;
  HASH_DEL(plan->by_node, decision);
  decision->node = NULL;
}

static buddy_code keep_rewrite(buddy_plan *plan, bd_decision *decision, const bd_row *row) {
  buddy_try *taken = bd_arena_calloc(&plan->arena, 1, sizeof *taken);
  if (!taken) return BUDDY_OUT_OF_MEMORY;
  *taken = (buddy_try){row->registry, row->op, BUDDY_OK, "", row->transform->name};
  decision->shown.tries = taken;
  decision->shown.n_tries = 1;
  decision->shown.is_taken = true;
  decision->shown.choice = plan->choice;
  decision->row = row;
  return bd_plan_keep(plan, decision);
}

static buddy_code try_transform(buddy_plan *plan, buddy_node *node, const bd_row *row,
                                bool *is_gone) {
  buddy_code code;
  bd_outcome outcome = {BUDDY_DECLINED, "", 0};
  *is_gone = false;
  if (bd_decline(plan, row, node, bd_node_given(node), &code) || code != BUDDY_OK) return code;
  bd_decision *decision = bd_decision_add(plan, node, NULL);
  if (!decision) return BUDDY_OUT_OF_MEMORY;
  plan->choice = "";
  code = bd_expand(plan, decision, row, NULL, &outcome);
  if (code != BUDDY_OK) return code;
  if (outcome.code == BUDDY_OK) {
    *is_gone = plan->has_rewrites = true;
    return keep_rewrite(plan, decision, row);
  }
  forget(plan, decision);
  return outcome.code > BUDDY_DECLINED
             ? bd_report_failure(plan, row, node, outcome.code, outcome.reason)
             : BUDDY_OK;
}

/* The transforms of one registry: rows [first, end), by root. */
static buddy_code transform_graph(buddy_plan *plan, buddy_graph *graph, const bd_row *first,
                                  const bd_row *end) {
  buddy_node *prev;
  for (buddy_node *node = buddy_graph_last(graph); node; node = prev) {
    prev = buddy_node_prev(node);
    bool is_gone;
    BD_TRY(bd_prune_node(node, plan, &is_gone));
    if (is_gone || !buddy_node_opdef(node) || bd_plan_find(plan, node)) continue;
    const char *op = buddy_node_op(node);
    for (const bd_row *row = first; row < end; ++row) {
      if (strcmp(row->name, op) != 0) continue;
      BD_TRY(try_transform(plan, node, row, &is_gone));
      if (is_gone) break;
    }
  }
  return BUDDY_OK;
}

static buddy_code transform_all(buddy_plan *plan, const bd_row *first, const bd_row *end) {
  bd_graph_list list = {0};
  buddy_code code = bd_graph_list_add(&list, plan->graph);
  for (const bd_listed_graph *one = list.first; code == BUDDY_OK && one; one = one->hh.next) {
    code = transform_graph(plan, one->graph, first, end);
    if (code == BUDDY_OK) code = bd_graph_list_add_subgraphs(&list, one->graph);
  }
  bd_graph_list_deinit(&list);
  return code;
}

buddy_code bd_plan_transform(buddy_plan *plan) {
  size_t n;
  const bd_row *rows = bd_registries_transforms(plan->registries, &n);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0, end; code == BUDDY_OK && i < n; i = end) {
    for (end = i; end < n && rows[end].registry == rows[i].registry; ++end);
    code = transform_all(plan, rows + i, rows + end);
  }
  return n > 0 && code == BUDDY_OK ? bd_prune(plan->graph, plan) : code;
}
