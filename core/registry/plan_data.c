// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plan_data.c: what a plan keeps, and the text of types.
 *
 * Decisions live in the plan's arena. What a decision shows of its node is lent from the graph as
 * long as the node is there, and copied when it goes: most nodes stay, so most plans copy nothing,
 * and print no types unless asked. */
#include "core/registry/plan.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "core/base/try.h"

/* ---- Types as text ---- */

bool bd_types_agree(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  if (a->dtype != b->dtype || a->rank != b->rank) return false;
  for (uint32_t i = 0; i < a->rank; ++i) {
    const bool are_numbers = !BUDDY_IS_SYMBOLIC(a->dims[i]) && !BUDDY_IS_SYMBOLIC(b->dims[i]);
    if (are_numbers && a->dims[i] != b->dims[i]) return false;
  }
  return true;
}

static void append_type(const buddy_graph *graph, const buddy_value *value, bd_text *text) {
  char type[512];
  if (!value) {
    bd_text_string(text, "None");
    return;
  }
  buddy_graph_type_text(graph, buddy_value_type(value), type, sizeof type);
  bd_text_string(text, type);
}

static void append_operands(const buddy_node *node, bd_text *text) {
  const buddy_graph *graph = buddy_node_graph(node);
  const char *comma = "";
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    const bool is_list = arg->kind == BUDDY_ARG_TENSORS;
    if (!is_list && arg->kind != BUDDY_ARG_TENSOR) continue;
    for (size_t k = 0; k < (is_list ? arg->n : 1); ++k, comma = ", ") {
      bd_text_string(text, comma);
      append_type(graph, is_list ? arg->as.tensors[k] : arg->as.tensor, text);
    }
  }
}

void bd_node_types_text(const buddy_node *node, bd_text *text) {
  const size_t n = buddy_node_n_results(node);
  bd_text_char(text, '(');
  append_operands(node, text);
  bd_text_string(text, n == 1 ? ") -> " : ") -> (");
  for (size_t i = 0; i < n; ++i) {
    bd_text_string(text, i ? ", " : "");
    append_type(buddy_node_graph(node), buddy_node_result(node, i), text);
  }
  if (n != 1) bd_text_char(text, ')');
}

buddy_code bd_decision_print_types(buddy_plan *plan, bd_decision *decision) {
  bd_text text;
  bd_text_init(&text);
  bd_node_types_text(decision->node, &text);
  const char *copy = text.code == BUDDY_OK ? bd_arena_strdup(&plan->arena, text.data) : NULL;
  bd_text_deinit(&text);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  decision->shown.types = copy;
  return BUDDY_OK;
}

/* ---- Decisions ---- */

bd_decision *bd_plan_find(buddy_plan *plan, const buddy_node *node) {
  bd_decision *found = plan->last_found ? plan->last_found->hh.next : plan->by_node;
  if (!found || found->node != node) HASH_FIND_PTR(plan->by_node, &node, found);
  if (found) plan->last_found = found;
  return found;
}

const char *bd_plan_intern(buddy_plan *plan, const char *text) {
  return bd_intern(&plan->reasons.strings, text, strlen(text));
}

static const char *copy_or_empty(buddy_plan *plan, const char *text, buddy_code *code) {
  const char *copy = bd_arena_strdup(&plan->arena, text);
  if (!copy) *code = BUDDY_OUT_OF_MEMORY;
  return copy ? copy : "";
}

buddy_code bd_decision_detach(buddy_plan *plan, bd_decision *decision) {
  if (!decision->node) return BUDDY_OK;
  buddy_code code = bd_decision_print_types(plan, decision);
  if (code != BUDDY_OK) decision->shown.types = "";
  decision->shown.op = copy_or_empty(plan, decision->shown.op, &code);
  decision->shown.name = copy_or_empty(plan, decision->shown.name, &code);
  /* Whatever failed, the node must not be known any more: its address will be another's. */
  if (plan->last_found == decision) plan->last_found = NULL;
  HASH_DEL(plan->by_node, decision);
  decision->node = NULL;
  return code;
}

buddy_code bd_plan_forget(buddy_plan *plan, buddy_node *node) {
  bd_decision *decision = bd_plan_find(plan, node);
  return decision ? bd_decision_detach(plan, decision) : BUDDY_OK;
}

buddy_code bd_plan_keep(buddy_plan *plan, bd_decision *decision) {
  void *items = bd_array_grow(plan->decisions, &plan->decisions_capacity, plan->n_decisions + 1,
                              sizeof *plan->decisions);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  plan->decisions = items;
  BD_ASSERT(decision->root == decision && decision->depth == 0);
  plan->decisions[plan->n_decisions++] = decision;
  return BUDDY_OK;
}

void bd_tries_init(bd_tries *tries) {
  tries->items = tries->few;
  tries->n = 0;
  tries->capacity = sizeof tries->few / sizeof *tries->few;
}

void bd_tries_deinit(bd_tries *tries) {
  if (tries->items != tries->few) bd_free(tries->items);
}

buddy_code bd_tries_add(bd_tries *tries, const bd_row *row, buddy_code code, const char *reason) {
  if (tries->n == tries->capacity) {
    const bool is_few = tries->items == tries->few;
    size_t capacity = tries->capacity;
    buddy_try *grown =
        bd_array_grow(is_few ? NULL : tries->items, &capacity, tries->n + 1, sizeof *grown);
    if (!grown) return BUDDY_OUT_OF_MEMORY;
    if (is_few) memcpy(grown, tries->few, sizeof tries->few);
    tries->items = grown;
    tries->capacity = capacity;
  }
  tries->items[tries->n++] = (buddy_try){row->registry, row->op, code, reason, ""};
  return BUDDY_OK;
}

/* ---- Graphs, each once ---- */

buddy_code bd_graph_list_add(bd_graph_list *list, buddy_graph *graph) {
  bool hash_is_full = false;
  bd_listed_graph *listed;
  HASH_FIND_PTR(list->first, &graph, listed);
  if (listed) return BUDDY_OK;
  listed = bd_arena_calloc(&list->arena, 1, sizeof *listed);
  if (!listed) return BUDDY_OUT_OF_MEMORY;
  listed->graph = graph;
  HASH_ADD_PTR(list->first, graph, listed);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code add_subgraphs_of_node(bd_graph_list *list, const buddy_node *node) {
  for (size_t i = 0; i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (arg->kind != BUDDY_ARG_GRAPH || !arg->as.graph) continue;
    if (bd_graph_list_add(list, (buddy_graph *)(uintptr_t)arg->as.graph))
      return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

buddy_code bd_graph_list_add_subgraphs(bd_graph_list *list, const buddy_graph *graph) {
  const buddy_node *node = buddy_graph_first(graph);
  for (; node; node = buddy_node_next(node)) BD_TRY(add_subgraphs_of_node(list, node));
  return BUDDY_OK;
}

void bd_graph_list_deinit(bd_graph_list *list) {
  HASH_CLEAR(hh, list->first);
  bd_arena_deinit(&list->arena);
}
