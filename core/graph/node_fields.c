// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/node_fields.c: what a node is asked for. */
#include <string.h>

#include "core/graph/model.h"

buddy_node *buddy_node_next(const buddy_node *node) { return node->next; }
buddy_node *buddy_node_prev(const buddy_node *node) { return node->prev; }
buddy_graph *buddy_node_graph(const buddy_node *node) { return node->graph; }
const char *buddy_node_op(const buddy_node *node) { return node->op; }
const char *buddy_node_name(const buddy_node *node) { return node->name.text; }
const buddy_opdef *buddy_node_opdef(const buddy_node *node) { return node->def; }
size_t buddy_node_n_args(const buddy_node *node) { return node->n_args; }
size_t buddy_node_n_results(const buddy_node *node) { return node->n_results; }

/* i: less than n_args. */
static const char *arg_name(const buddy_node *node, size_t i) {
  return node->def ? node->def->args[i].name : node->arg_names[i];
}

const char *buddy_node_arg_name(const buddy_node *node, size_t i) {
  return i < node->n_args ? arg_name(node, i) : NULL;
}

const buddy_arg *buddy_node_arg(const buddy_node *node, size_t i) {
  return i < node->n_args ? node->args[i] : NULL;
}

const buddy_arg *buddy_node_arg_find(const buddy_node *node, const char *name) {
  for (uint32_t i = 0; i < node->n_args; ++i) {
    if (!strcmp(arg_name(node, i), name)) return node->args[i];
  }
  return NULL;
}

int buddy_node_arg_is_default(const buddy_node *node, size_t i) {
  return i < node->n_args && node->def && node->args[i] == &node->def->args[i].default_value;
}

const buddy_value *buddy_node_result(const buddy_node *node, size_t i) {
  return i < node->n_results ? &node->results[i] : NULL;
}
