// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host_graph.c: buddy.graph/1: looking at the nodes around a value, while a
 * callback runs. Asking changes nothing. */
#define _GNU_SOURCE
#include <string.h>

#include "core/registry/host_services.h"
#include "core/registry/plan.h"

static bool accepts(buddy_call *call, const buddy_value *value, const char *service) {
  return bd_call_is_usable(call) && bd_call_accepts_value(call, value, service);
}

static buddy_sv producer(buddy_call *call, const buddy_value *value) {
  if (!accepts(call, value, "producer")) return (buddy_sv){"", 0};
  const buddy_node *node = buddy_value_node(value);
  const char *op = node ? buddy_node_op(node) : "";
  return (buddy_sv){op, strlen(op)};
}

static size_t result_index(buddy_call *call, const buddy_value *value) {
  return accepts(call, value, "result_index") ? buddy_value_index(value) : 0;
}

static const buddy_arg *producer_arg(buddy_call *call, const buddy_value *value, const char *name) {
  if (!accepts(call, value, "producer_arg")) return NULL;
  if (!name) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "producer_arg: the name is null");
    return NULL;
  }
  const buddy_node *node = buddy_value_node(value);
  return node ? buddy_node_arg_find(node, name) : NULL;
}

static size_t n_uses(buddy_call *call, const buddy_value *value) {
  return accepts(call, value, "n_uses") ? buddy_value_n_uses(value) : 0;
}

static buddy_sv taker(buddy_call *call, const buddy_value *value) {
  const buddy_sv nobody = {"", 0};
  if (!accepts(call, value, "taker")) return nobody;
  buddy_node *node = buddy_value_node(value);
  const bd_row *row = NULL;
  if (!node) return nobody;
  /* Rows that are asked may be of a registry whose callbacks run one at a time. */
  bd_plugin_leave(call->row->plugin);
  const buddy_code code = bd_plan_taker(call->plan, node, &row);
  bd_plugin_enter(call->row->plugin);
  if (code != BUDDY_OK) bd_call_fail(call, code, "taker: out of memory");
  if (code != BUDDY_OK || !row) return nobody;
  const char *name = row->plugin->descriptor.registry.name;
  return (buddy_sv){name, strlen(name)};
}

const buddy_graph_services *bd_host_graph_table(void) {
  static const buddy_graph_services table = {.struct_size = sizeof table,
                                             .producer = producer,
                                             .result_index = result_index,
                                             .producer_arg = producer_arg,
                                             .n_uses = n_uses,
                                             .taker = taker};
  return &table;
}
