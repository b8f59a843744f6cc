// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/host_expand.c: services of expand(): nodes before the one being expanded, and
 * what stands for its results. */
#define _GNU_SOURCE
#include <string.h>

#include "core/registry/host_services.h"
#include "core/registry/plan.h"

#define MAX_NODE_ARGS 256
#define MAX_LIST 1048576 /* elements of a list */
#define MAX_RANK 64

/* ---- What a plugin hands in ---- */
static bool accepts_tensors(buddy_call *call, const buddy_arg *arg, const char *name) {
  for (size_t i = 0; i < arg->n; ++i) { /* null elements are None */
    if (arg->as.tensors[i] && !bd_call_accepts_value(call, arg->as.tensors[i], name)) return false;
  }
  return true;
}

static bool is_list(buddy_arg_kind kind) {
  static const buddy_arg_kind lists[] = {BUDDY_ARG_TENSORS, BUDDY_ARG_INTS,    BUDDY_ARG_FLOATS,
                                         BUDDY_ARG_BOOLS,   BUDDY_ARG_STRINGS, BUDDY_ARG_COMPLEX};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; ++i) {
    if (lists[i] == kind) return true;
  }
  return false;
}

static bool is_word(buddy_arg_kind kind) {
  return kind == BUDDY_ARG_STRING || kind == BUDDY_ARG_DEVICE || kind == BUDDY_ARG_LAYOUT ||
         kind == BUDDY_ARG_MEMORY_FORMAT;
}

/* Null pointers behind counts, and counts beyond reason. */
static const char *broken_arg(const buddy_arg *arg) {
  if (arg->kind < BUDDY_ARG_NONE || arg->kind > BUDDY_ARG_GRAPH) return "has an unknown kind";
  if (is_list(arg->kind)) {
    if (arg->n > MAX_LIST) return "has too many elements";
    if (arg->n > 0 && !arg->as.ints) return "is a list that is null";
    if (arg->kind == BUDDY_ARG_COMPLEX && arg->n != 2)
      return "is a complex number of other than two parts";
  }
  if (is_word(arg->kind) && (!arg->as.string || arg->n > MAX_LIST))
    return "is a string that is null or too long";
  if (arg->kind == BUDDY_ARG_GRAPH && !arg->as.graph) return "is a graph that is null";
  for (size_t i = 0; arg->kind == BUDDY_ARG_STRINGS && i < arg->n; ++i) {
    if (!arg->as.strings[i]) return "has a string that is null";
  }
  return NULL;
}

static bool accepts_arg(buddy_call *call, const char *op, const buddy_named_arg *arg) {
  if (!arg->name) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "node %s: an argument has no name", op);
    return false;
  }
  const char *broken = broken_arg(&arg->arg);
  if (broken) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "node %s: argument '%s' %s", op, arg->name, broken);
    return false;
  }
  if (arg->arg.kind == BUDDY_ARG_TENSOR)
    return bd_call_accepts_value(call, arg->arg.as.tensor, arg->name);
  return arg->arg.kind != BUDDY_ARG_TENSORS || accepts_tensors(call, &arg->arg, arg->name);
}

static bool accepts_types(buddy_call *call, const char *op, const buddy_tensor_type *types,
                          size_t n) {
  for (size_t i = 0; types && i < n; ++i) {
    if (buddy_dtype_size(types[i].dtype) && types[i].rank <= MAX_RANK &&
        (!types[i].rank || types[i].dims))
      continue;
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "node %s: type %zu is malformed", op, i);
    return false;
  }
  if (types || n == 0) return true;
  bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "node %s: %zu types, but the array is null", op, n);
  return false;
}

static bool accepts_node(buddy_call *call, const char *op, const buddy_named_arg *args,
                         size_t n_args, const buddy_value **out_results) {
  if (!op || !out_results || (n_args > 0 && !args) || n_args > MAX_NODE_ARGS) {
    bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                 "node: a null op, null arguments, or nowhere to put the results");
    return false;
  }
  for (size_t i = 0; i < n_args; ++i) {
    if (!accepts_arg(call, op, &args[i])) return false;
  }
  return true;
}

static bool has_budget(buddy_call *call) {
  bd_expansion *expansion = call->expansion;
  if (expansion->n_nodes >= BD_MAX_CALL_NODES) {
    bd_call_fail(call, BUDDY_LIMIT, "added more than %d nodes", BD_MAX_CALL_NODES);
    return false;
  }
  if (*expansion->budget == 0) {
    bd_call_fail(call, BUDDY_LIMIT, "one op may become %d nodes in all", BD_MAX_EXPANSION);
    return false;
  }
  ++expansion->n_nodes;
  --*expansion->budget;
  return true;
}

/* ---- The services ---- */
static buddy_code report(buddy_call *call, const char *op, buddy_code code,
                         const buddy_diags *diags) {
  const buddy_diag *first = buddy_diags_get(diags, 0);
  return bd_call_fail(call, code, "node %s: %s", op, first ? first->what : buddy_code_name(code));
}

buddy_code bd_host_node(buddy_call *call, const char *op, const buddy_named_arg *args,
                        size_t n_args, const buddy_tensor_type *types, size_t n_types,
                        const buddy_value **out_results) {
  if (!bd_host_is_in(call, BD_PHASE_EXPAND, "node")) return BUDDY_INVALID_ARGUMENT;
  if (!accepts_node(call, op, args, n_args, out_results) ||
      !accepts_types(call, op, types, n_types) || !has_budget(call)) {
    return call->code;
  }
  buddy_diags *diags = call->plan->complaints;
  buddy_node *node;
  buddy_diags_clear(diags);
  buddy_code code = buddy_graph_add_node(buddy_node_graph(call->node), call->node, op, NULL, args,
                                         n_args, types, n_types, diags, &node);
  if (code != BUDDY_OK) return report(call, op, code, diags);
  code = buddy_node_set_location(node, buddy_node_location(call->node));
  if (code != BUDDY_OK) return report(call, op, code, diags);
  const size_t n = buddy_node_n_results(node);
  for (size_t i = 0; i < n; ++i) out_results[i] = buddy_node_result(node, i);
  return BUDDY_OK;
}

buddy_code bd_host_replace(buddy_call *call, size_t i, const buddy_value *value) {
  if (!bd_host_is_in(call, BD_PHASE_EXPAND, "replace")) return BUDDY_INVALID_ARGUMENT;
  const size_t n = buddy_node_n_results(call->node);
  if (i >= n) return bd_call_fail(call, BUDDY_INVALID_ARGUMENT, "replace: result %zu of %zu", i, n);
  if (!bd_call_accepts_value(call, value, "replace")) return call->code;
  if (buddy_value_graph(value) != buddy_node_graph(call->node) ||
      buddy_value_node(value) == call->node) {
    return bd_call_fail(call, BUDDY_INVALID_ARGUMENT,
                        "replace: the value is not computed before the node");
  }
  const buddy_value *result = buddy_node_result(call->node, i);
  if (!bd_types_agree(buddy_value_type(result), buddy_value_type(value))) {
    char is[160], should_be[160];
    const buddy_graph *graph = buddy_node_graph(call->node);
    buddy_graph_type_text(graph, buddy_value_type(value), is, sizeof is);
    buddy_graph_type_text(graph, buddy_value_type(result), should_be, sizeof should_be);
    return bd_call_fail(call, BUDDY_VERIFY_FAILED,
                        "result %zu is %s, but what shall replace it is %s", i, should_be, is);
  }
  call->expansion->replacements[i] = value;
  return BUDDY_OK;
}
