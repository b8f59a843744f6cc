// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/conditions_ask.c: what the conditions on sizes ask of a node. */
#include "core/base/try.h"
#include "core/graph/guards.h"
#include "sdk/import/conditions_needs.h"

buddy_code bd_ask_require(const bd_asking *at, bd_relation relation, int64_t a, int64_t b) {
  return bd_graph_require(buddy_node_graph(at->node), relation, a, b, at->node, NULL);
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
