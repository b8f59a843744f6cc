// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/arrange.c: stacks and splits along the first, second or third dim, grids,
 * shuffles of pixels and channels: a view, a permutation or a cat, and a view. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Stacks: tensors; user is the dim ----------------------------------------------------------
 * hstack 1, vstack 0, dstack 2: a tensor of fewer dims is [n], [1, n] or [1, n, 1] of them; hstack
 * of 1-d tensors joins dim 0. column_stack: 1-d tensors are columns, [n, 1]. */
enum { COLUMNS = 3 };

/* The dims of `type` among those of a result of rank `rank`. */
static void raise_rank(const buddy_tensor_type *type, uint32_t rank, bool is_column,
                       int64_t *dims) {
  for (uint32_t d = 0; d < rank; ++d) dims[d] = 1;
  if (type->rank == rank || (type->rank == 2 && rank == 3)) {
    memcpy(dims, type->dims, type->rank * sizeof(*dims));
  } else if (type->rank == 1) {
    dims[is_column ? 0 : 1] = type->dims[0];
  }
}

buddy_code cp_op_stack_along(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const intptr_t form = (intptr_t)self->user;
  value *parts = be_host->scratch(call, (tensors->n + 1) * sizeof(value));
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  if (to->rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK);
  for (size_t i = 0; i < tensors->n; ++i) {
    int64_t dims[BE_MAX_RANK];
    raise_rank(be_value_type(call, tensors->as.tensors[i]), to->rank, form == COLUMNS, dims);
    parts[i] = cp_cast(call, cp_view(call, tensors->as.tensors[i], to->rank, dims), to->dtype);
  }
  const int64_t dim = form == COLUMNS || form == 1 ? (to->rank > 1 ? 1 : 0) : form;
  return be_replace(
      call, 0,
      BE_NODE(call, "aten.cat.default", to, be_ts("tensors", parts, tensors->n), be_i("dim", dim)));
}

/* ---- Splits: self, sections or indices; user is the dim; hsplit of a 1-d tensor cuts dim 0 --- */
buddy_code cp_op_split_along(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  value a = be_arg_value(call, 0);
  const intptr_t form = (intptr_t)self->user;
  const uint32_t dim = form == 1 && cp_type(call, a)->rank == 1 ? 0 : (uint32_t)form;
  int64_t start = 0;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < be_host->n_results(call) && code == BUDDY_OK; ++i) {
    const int64_t size = be_result_type(call, i)->dims[dim];
    code = be_replace(call, i, cp_slice(call, a, dim, start, size, 1));
    start = be_dim(call, BUDDY_DIM_ADD, start, size);
  }
  return code;
}

/* ---- Grids: tensors, indexing ("xy": the first two change places) ---------------------------- */
buddy_code cp_op_meshgrid(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const bool is_xy = be_host->n_args(call) > 1 && strcmp(be_arg(call, 1)->as.string, "xy") == 0;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < tensors->n && code == BUDDY_OK; ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    if (to->rank > BE_MAX_RANK)
      return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK);
    const size_t at = is_xy && tensors->n > 1 && i < 2 ? 1 - i : i;
    int64_t dims[BE_MAX_RANK];
    for (uint32_t d = 0; d < to->rank; ++d) dims[d] = d == at ? to->dims[d] : 1;
    value axis = cp_view(call, tensors->as.tensors[i], to->rank, dims);
    code = be_replace(call, i, cp_expand(call, axis, to->rank, to->dims));
  }
  return code;
}

/* ---- Shuffles -------------------------------------------------------------------------------- */
/* self, r. [*, C r r, H, W] as [*, C, r, r, H, W], permuted to [*, C, H, r, W, r]; user is set for
 * the way back. */
buddy_code cp_op_pixel_shuffle(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  static const int64_t forth[] = {0, 3, 1, 4, 2}, back[] = {0, 2, 4, 1, 3};
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const buddy_tensor_type *packed = self->user ? to : from, *spread = self->user ? from : to;
  const int64_t r = be_size(call, 1, 1);
  if (from->rank + 2 > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", from->rank, BE_MAX_RANK - 2);
  const uint32_t n = from->rank - 3; /* batch dims, then C */
  int64_t dims[BE_MAX_RANK], perm[BE_MAX_RANK];
  for (uint32_t d = 0; d < n; ++d) dims[d] = from->dims[d], perm[d] = d;
  const int64_t apart[2][5] = {{spread->dims[n], r, r, packed->dims[n + 1], packed->dims[n + 2]},
                               {spread->dims[n], packed->dims[n + 1], r, packed->dims[n + 2], r}};
  for (uint32_t k = 0; k < 5; ++k) {
    dims[n + k] = apart[self->user ? 1 : 0][k];
    perm[n + k] = n + (self->user ? back[k] : forth[k]);
  }
  value a = cp_view(call, be_arg_value(call, 0), from->rank + 2, dims);
  return cp_finish_shaped(call, 0, cp_permute(call, a, perm));
}

/* self, groups: [N, C, …] as [N, G, C / G, …], the two swapped */
buddy_code cp_op_channel_shuffle(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const int64_t groups = be_size(call, 1, 1);
  if (type->rank + 1 > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", type->rank, BE_MAX_RANK - 1);
  int64_t dims[BE_MAX_RANK] = {type->dims[0], groups,
                               be_dim(call, BUDDY_DIM_FLOORDIV, type->dims[1], groups)};
  for (uint32_t d = 2; d < type->rank; ++d) dims[d + 1] = type->dims[d];
  value a = cp_swap(call, cp_view(call, be_arg_value(call, 0), type->rank + 1, dims), 1, 2);
  return be_replace(call, 0, cp_view(call, a, type->rank, type->dims));
}

/* flipud and fliplr: user is the dim */
buddy_code cp_op_flip(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const int64_t dim = (intptr_t)self->user;
  return be_replace(call, 0,
                    BE_NODE(call, "aten.flip.default", be_result_type(call, 0),
                            be_t("self", be_arg_value(call, 0)), be_is("dims", &dim, 1)));
}

/* self, k, dims: k quarter turns from the first of the two dims to the second */
buddy_code cp_op_rot90(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t turns = (be_int(call, 1, 1) % 4 + 4) % 4;
  int64_t dims[2] = {be_int_at(call, 2, 0, 0), be_int_at(call, 2, 1, 1)};
  for (uint32_t k = 0; k < 2; ++k) dims[k] += dims[k] < 0 ? type->rank : 0;
  if (turns == 0) return be_replace(call, 0, a);
  const int64_t *flipped = turns == 1 ? dims + 1 : dims;
  a = BE_NODE(call, "aten.flip.default", type, be_t("self", a),
              be_is("dims", flipped, turns == 2 ? 2 : 1));
  return be_replace(call, 0,
                    turns == 2 ? a : cp_swap(call, a, (uint32_t)dims[0], (uint32_t)dims[1]));
}
