// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/core/graph/break_graph.h: breaks the structures of a graph, each in one way. */
#ifndef BUDDY_TESTS_CORE_GRAPH_BREAK_GRAPH_H
#define BUDDY_TESTS_CORE_GRAPH_BREAK_GRAPH_H

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

void break_node_prev(buddy_node *node);
void break_node_count(buddy_graph *graph);
void break_node_name(buddy_node *node);
void break_node_id(buddy_node *node, buddy_node *of);
void break_node_results(buddy_node *node);
void break_value_type(const buddy_value *value);
void break_value_index(const buddy_value *value);
void break_use_count(const buddy_value *value);
void break_use_owner(const buddy_value *value);
void break_use_lost(const buddy_value *value);
void break_arg(buddy_node *node, size_t i, const buddy_arg *arg);
void break_output(buddy_graph *graph, const buddy_arg *arg);
void break_symbol_count(const buddy_value *value);
void break_value_name(const buddy_value *value, const char *name);

#ifdef __cplusplus
}
#endif
#endif
