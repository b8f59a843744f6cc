// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/graph/break_graph.c: see the header. In C, since the structures are C. */
#include "tests/core/graph/break_graph.h"

#include "core/graph/model.h"

void break_node_prev(buddy_node *node) { node->prev = node; }
void break_node_count(buddy_graph *graph) { ++graph->n_nodes; }
void break_node_name(buddy_node *node) { HASH_DELETE(hh, node->graph->names, &node->name); }
void break_node_id(buddy_node *node, buddy_node *of) { node->id = of->id; }
void break_node_results(buddy_node *node) { node->n_results = 0; }
void break_value_type(const buddy_value *value) { bd_value_edit(value)->type.dtype = 77; }
void break_value_index(const buddy_value *value) { bd_value_edit(value)->index = 9; }
void break_use_count(const buddy_value *value) { ++bd_value_edit(value)->n_uses; }
void break_use_owner(const buddy_value *value) { value->first_use->arg = 1; }

void break_use_lost(const buddy_value *value) {
  buddy_value *own = bd_value_edit(value);
  own->first_use = own->first_use->next;
  if (own->first_use) own->first_use->prev = NULL;
  --own->n_uses;
}

void break_arg(buddy_node *node, size_t i, const buddy_arg *arg) { node->args[i] = arg; }
void break_output(buddy_graph *graph, const buddy_arg *arg) { graph->outputs[0]->arg = arg; }
void break_symbol_count(const buddy_value *value) { bd_value_edit(value)->n_symbols = 0; }
void break_value_name(const buddy_value *value, const char *name) {
  bd_value_edit(value)->name = name;
}
