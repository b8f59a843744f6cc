// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward_place.c: gradients of ops that show an element in several places: pads
 * that repeat or mirror, and windows along a dim. What the places have is added up in the element. */
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* Along a dim, each element added to that of `n` which the index says. */
static value added_up(buddy_call *call, value places, uint32_t dim, int64_t n, value index) {
  const buddy_tensor_type *type = cp_type(call, places);
  int64_t dims[BE_MAX_RANK];
  if (!type || !index) return NULL;
  memcpy(dims, type->dims, type->rank * sizeof *dims);
  dims[dim] = n;
  const buddy_tensor_type *to = be_type(call, type->dtype, type->rank, dims);
  return BE_NODE(call, "aten.index_add.default", to, be_t("self", cp_full(call, to, 0)),
                 be_i("dim", dim), be_t("index", index), be_t("source", places));
}

/* Which of `n` elements each of `places` is that begin `before` the first one. */
static value repeated(buddy_call *call, int64_t places, int64_t before, int64_t n, bool mirrors) {
  value at = cp_dim(call, "aten.sub.Tensor", cp_iota(call, places, BUDDY_I64), before);
  value last = cp_counted(call, be_dim(call, BUDDY_DIM_SUB, n, 1), BUDDY_I64);
  if (!mirrors)
    return cp_binary(call, "aten.minimum.default", cp_unary(call, "aten.relu.default", at), last);
  value size = cp_unary(call, "aten.abs.default", at);
  return cp_sub(call, last, cp_unary(call, "aten.abs.default", cp_sub(call, last, size)));
}

/* grad_output, self, padding: before and after, from the last dim on. user: whether they mirror */
buddy_code cp_op_pad_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_arg *padding = be_arg(call, 2);
  value gradient = cp_computed(call, 0);
  for (uint32_t i = 0; gradient && i < padding->n / 2; ++i) {
    const uint32_t dim = to->rank - 1 - i;
    value index = repeated(call, cp_type(call, gradient)->dims[dim], be_int_at(call, 2, 2 * i, 0),
                           to->dims[dim], self->user != NULL);
    gradient = added_up(call, gradient, dim, to->dims[dim], index);
  }
  return cp_finish(call, gradient);
}

/* grad_in, whose last dim are the elements of a window, input_sizes, dim, size, step */
buddy_code cp_op_unfold_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  value gradient = cp_computed(call, 0);
  const buddy_tensor_type *type = cp_type(call, gradient);
  if (!type || to->rank == 0 || type->rank != to->rank + 1)
    return be_decline(call, "windows of a tensor of rank %u", to->rank);
  const uint32_t dim = (uint32_t)be_axis(call, 2, to->rank, 0);
  int64_t order[BE_MAX_RANK], dims[BE_MAX_RANK];
  if (type->rank > BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  for (uint32_t d = 0; d < type->rank; ++d)
    order[d] = d <= dim ? d : d == dim + 1 ? type->rank - 1 : d - 1;
  const int64_t n = type->dims[dim], size = type->dims[to->rank], column[2] = {n, 1};
  memcpy(dims, type->dims, to->rank * sizeof *dims);
  dims[dim] = be_dim(call, BUDDY_DIM_MUL, n, size);
  value places = cp_view(call, cp_permute(call, gradient, order), to->rank, dims);
  value starts = cp_dim(call, "aten.mul.Tensor", cp_iota(call, n, BUDDY_I64), be_int(call, 4, 1));
  value index = cp_add(call, cp_view(call, starts, 2, column), cp_iota(call, size, BUDDY_I64));
  return cp_finish(call, added_up(call, places, dim, to->dims[dim], cp_flat(call, index)));
}
