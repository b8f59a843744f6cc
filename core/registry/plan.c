// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plan.c: plans as objects, and the walk over the graph. Deciding is in decide.c and
 * expand.c. */
#include "core/registry/plan.h"

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/infer_graphs.h"
#include "core/graph/model.h"

static buddy_code plan_nodes(buddy_plan *plan, buddy_graph *graph) {
  buddy_node *next;
  for (buddy_node *node = buddy_graph_first(graph); node; node = next) {
    next = buddy_node_next(node); /* an expansion stands before it */
    if (plan->has_rewrites && bd_plan_find(plan, node)) continue; /* what a rewrite made */
    bd_decision *decision;
    BD_TRY(bd_decide(plan, node, NULL, &decision));
    BD_TRY(bd_plan_keep(plan, decision));
  }
  return BUDDY_OK;
}

/* The graph, then the subgraphs of the nodes that it has become, and so on: each once, whatever
 * expansions did. */
static buddy_code plan_graphs(buddy_plan *plan) {
  bd_graph_list list = {0};
  buddy_code code = bd_graph_list_add(&list, plan->graph);
  for (const bd_listed_graph *one = list.first; code == BUDDY_OK && one; one = one->hh.next) {
    code = plan_nodes(plan, one->graph);
    if (code == BUDDY_OK) code = bd_graph_list_add_subgraphs(&list, one->graph);
  }
  bd_graph_list_deinit(&list);
  return code;
}

static buddy_code report_untaken(const buddy_plan *plan, buddy_diags *diags) {
  bd_decision **untaken = NULL;
  size_t n = 0, capacity = 0;
  for (size_t i = 0; i < plan->n_decisions; ++i) {
    if (plan->decisions[i]->shown.is_taken) continue;
    void *items = bd_array_grow(untaken, &capacity, n + 1, sizeof *untaken);
    if (!items) {
      bd_free(untaken);
      return BUDDY_OUT_OF_MEMORY;
    }
    untaken = items;
    untaken[n++] = plan->decisions[i];
  }
  const buddy_code code = bd_report_unsupported(plan, untaken, n, diags);
  bd_free(untaken);
  return code;
}

buddy_code buddy_plan_create(const buddy_registries *registries, buddy_graph *graph,
                             buddy_diags *diags, buddy_plan **out_plan) {
  BD_C_LOCALE();
  *out_plan = NULL;
  if (buddy_graph_opset(graph) != buddy_registries_opset(registries)) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, buddy_graph_name(graph),
                           "make the graph with the opset that the registries were loaded into",
                           "graph and registries have different opsets");
  }
  buddy_plan *plan = bd_calloc(1, sizeof *plan);
  if (!plan) return BUDDY_OUT_OF_MEMORY;
  plan->registries = registries;
  plan->graph = graph;
  plan->diags = diags;
  plan->reasons.strings.arena = &plan->arena;
  plan->calls = bd_calls_take(&plan->reasons);
  buddy_code code = plan->calls ? buddy_diags_create(&plan->complaints) : BUDDY_OUT_OF_MEMORY;
  if (code == BUDDY_OK) code = bd_graph_check_edited(graph, diags);
  graph->world->is_planned = true;
  if (code == BUDDY_OK) code = bd_graph_check_mutations(graph, diags);
  if (code == BUDDY_OK) code = bd_infer_check_calls(graph, diags);
  if (code == BUDDY_OK) code = bd_prune(graph, NULL);
  if (code == BUDDY_OK) code = bd_plan_transform(plan);
  if (code == BUDDY_OK) code = plan_graphs(plan);
  if (code == BUDDY_OK) code = report_untaken(plan, diags);
  plan->diags = NULL;
  if (code == BUDDY_OK || code == BUDDY_UNSUPPORTED) {
    *out_plan = plan;
  } else {
    buddy_plan_destroy(plan);
  }
  return code;
}

void buddy_plan_destroy(buddy_plan *plan) {
  if (!plan) return;
  HASH_CLEAR(hh, plan->by_node);
  bd_interner_deinit(&plan->reasons.strings);
  bd_report_deinit(plan);
  bd_calls_give_back(plan->calls);
  buddy_diags_destroy(plan->complaints);
  bd_free(plan->decisions);
  bd_arena_deinit(&plan->arena);
  bd_free(plan);
}

const char *buddy_decision_choice(const buddy_decision *decision) { return decision->choice; }

buddy_graph *buddy_plan_graph(const buddy_plan *plan) { return plan->graph; }
const buddy_registries *buddy_plan_registries(const buddy_plan *plan) { return plan->registries; }
size_t buddy_plan_n_decisions(const buddy_plan *plan) { return plan->n_decisions; }

/* Types are printed when a decision is looked at. At most BD_MAX_DEPTH deep. */
static void complete(buddy_plan *plan, bd_decision *decision) {
  if (!decision->shown.types && bd_decision_print_types(plan, decision)) decision->shown.types = "";
  for (size_t i = 0; i < decision->shown.n_expansion; ++i) {
    complete(plan, (bd_decision *)(uintptr_t)decision->shown.expansion[i]);
  }
}

const buddy_decision *buddy_plan_decision(buddy_plan *plan, size_t i) {
  if (i >= plan->n_decisions) return NULL;
  complete(plan, plan->decisions[i]);
  return &plan->decisions[i]->shown;
}
