// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions_ask.c: how a condition on sizes becomes a guard, or an assertion. */
#include <string.h>

#include "core/graph/guards.h"
#include "sdk/import/build.h"
#include "sdk/import/conditions_needs.h"

static buddy_code add_assertion(const bd_asking *at, int64_t predicate, const char *text) {
  const bd_build build = {.graph = buddy_node_graph(at->node), .before = at->node};
  const buddy_tensor_type number = {.dtype = BUDDY_I64}, truth = {.dtype = BUDDY_BOOL};
  const buddy_value *value;
  buddy_node *assertion;
  const buddy_named_arg size[] = {{"s", {.kind = BUDDY_ARG_INT, .as.i = predicate}},
                                  {"dtype", {.kind = BUDDY_ARG_DTYPE, .as.i = BUDDY_I64}}};
  BD_TRY(bd_build_value(&build, "aten.scalar_tensor.default", size, 2, &number, &value));
  const buddy_named_arg sides[] = {{"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
                                   {"other", {.kind = BUDDY_ARG_INT, .as.i = 0}}};
  BD_TRY(bd_build_value(&build, "aten.ge.Scalar", sides, 2, &truth, &value));
  const buddy_named_arg checked[] = {
      {"self", {.kind = BUDDY_ARG_TENSOR, .as.tensor = value}},
      {"assert_msg", {.kind = BUDDY_ARG_STRING, .n = strlen(text), .as.string = text}}};
  return bd_build_node(&build, "aten._assert_scalar.default", checked, 2, NULL, 0, &assertion);
}

static buddy_code assert_here(const bd_asking *at, bd_relation relation, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_node_graph(at->node);
  int64_t predicate;
  bd_text text;
  BD_TRY(bd_predicate_compare(graph, relation, a, b, &predicate));
  if (bd_predicate_is_true(graph, predicate)) return BUDDY_OK;
  bd_text_init(&text);
  bd_text_format(&text, "the program holds only where ");
  bd_relation_print(graph, relation, a, b, &text);
  const buddy_code code = text.code ? text.code : add_assertion(at, predicate, text.data);
  bd_text_deinit(&text);
  return code;
}

buddy_code bd_ask_require(const bd_asking *at, bd_relation relation, int64_t a, int64_t b) {
  buddy_graph *graph = buddy_node_graph(at->node);
  if (buddy_graph_parent(graph)) return assert_here(at, relation, a, b);
  return bd_graph_require(graph, relation, a, b, at->node, NULL);
}

const buddy_tensor_type *bd_ask_tensor(const buddy_node *node, const char *name) {
  const buddy_arg *arg = buddy_node_arg_find(node, name);
  return arg && arg->kind == BUDDY_ARG_TENSOR ? buddy_value_type(arg->as.tensor) : NULL;
}

bool bd_ask_dim(const bd_asking *at, int64_t dim, uint32_t *out_axis) {
  const int64_t rank = at->self->rank;
  if (BUDDY_IS_SYMBOLIC(dim) || dim < -rank || dim >= rank) return false;
  *out_axis = (uint32_t)(dim < 0 ? dim + rank : dim);
  return true;
}

bool bd_ask_axis(const bd_asking *at, const char *name, uint32_t *out_axis) {
  const buddy_arg *dim = buddy_node_arg_find(at->node, name);
  return dim && dim->kind == BUDDY_ARG_INT && bd_ask_dim(at, dim->as.i, out_axis);
}

buddy_code bd_need_last(const bd_asking *at, const buddy_tensor_type *type, uint32_t n) {
  for (uint32_t i = type->rank > n ? type->rank - n : 0; i < type->rank; ++i)
    BD_TRY(bd_ask_require(at, BD_GE, type->dims[i], 1));
  return BUDDY_OK;
}
