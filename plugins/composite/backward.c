// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/backward.c: gradients of ops that choose, move or gather elements. */
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* a * sigmoid(b) of two halves: the halves of the gradient, side by side */
buddy_code cp_op_glu_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value gradient = cp_computed(call, 0), x = cp_computed(call, 1);
  const buddy_tensor_type *type = cp_type(call, x), *half_type = cp_type(call, gradient);
  if (!type || !half_type) return cp_finish(call, NULL);
  const uint32_t dim = (uint32_t)be_axis(call, 2, type->rank, -1);
  const int64_t half = half_type->dims[dim];
  value a = cp_slice(call, x, dim, 0, half, 1);
  value gate = cp_unary(call, "aten.sigmoid.default", cp_slice(call, x, dim, half, half, 1));
  value rest = cp_add_number(call, cp_unary(call, "aten.neg.default", gate), 1);
  value first = cp_mul(call, gradient, gate);
  value halves[2] = {first, cp_mul(call, cp_mul(call, first, a), rest)};
  if (!halves[0] || !halves[1]) return cp_finish(call, NULL);
  return cp_finish(
      call, BE_NODE(call, "aten.cat.default", type, be_ts("tensors", halves, 2), be_i("dim", dim)));
}

/* ---- Into zeros ------------------------------------------------------------------------------ */
static value zeros(buddy_call *call, const buddy_tensor_type *type) {
  return cp_full(call, type, 0);
}

/* into[index[i], …] += rows[i, …] */
static value add_rows(buddy_call *call, value into, value index, value rows) {
  if (!into || !index || !rows) return NULL;
  return BE_NODE(call, "aten.index_add.default", cp_type(call, into), be_t("self", into),
                 be_i("dim", 0), be_t("index", index), be_t("source", rows));
}

/* grad_output, input_sizes, and the numbers that say which part of them; user: the ops that take and put
 * it. A gradient that is the same along a dim of the part may be of one element there. */
buddy_code cp_op_part_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const cp_part *row = self->user;
  const buddy_tensor_type *to = be_result_type(call, 0);
  buddy_named_arg args[7] = {be_t("self", zeros(call, to))};
  size_t n = 1;
  for (; row->numbers[n - 1]; ++n) args[n] = be_pass(call, row->numbers[n - 1], n + 1);
  value part = be_node(call, row->take, NULL, args);
  const buddy_tensor_type *type = cp_type(call, part);
  if (!type) return cp_finish(call, NULL);
  if (be_arg_type(call, 0)->rank > type->rank) return be_decline(call, "more dims than the part");
  args[n] = be_t("src", cp_expand(call, be_arg_value(call, 0), type->rank, type->dims));
  return cp_finish(call, be_node(call, row->put, to, args));
}

const cp_part cp_part_slice = {"aten.slice.Tensor",
                               "aten.slice_scatter.default",
                               {"dim", "start", "end", "step"}},
              cp_part_select = {"aten.select.int", "aten.select_scatter.default", {"dim", "index"}},
              cp_part_diagonal = {"aten.diagonal.default",
                                  "aten.diagonal_scatter.default",
                                  {"offset", "dim1", "dim2"}};

/* grad, self_sizes, dim, index */
buddy_code cp_op_index_select_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  return cp_finish(call, BE_NODE(call, "aten.index_add.default", to, be_t("self", zeros(call, to)),
                                 be_pass(call, "dim", 2), be_t("index", be_arg_value(call, 3)),
                                 be_t("source", be_arg_value(call, 0))));
}

/* Each row of the gradient divided by how often its index occurs. */
static value by_frequency(buddy_call *call, value rows, value index, int64_t n_weights) {
  const buddy_tensor_type *type = cp_type(call, rows);
  if (!type || !index) return NULL;
  const int64_t n = type->dims[0], column[2] = {n, 1};
  value ones = cp_full(call, be_type(call, type->dtype, 1, &n), 1);
  value counts =
      add_rows(call, zeros(call, be_type(call, type->dtype, 1, &n_weights)), index, ones);
  return cp_div(call, rows, cp_view(call, cp_rows(call, counts, index), 2, column));
}

/* grad_output [*, D], indices [*], num_weights, padding_idx, scale_grad_by_freq */
buddy_code cp_op_embedding_dense_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value gradient = cp_computed(call, 0), index = be_arg_value(call, 1);
  const buddy_tensor_type *type = cp_type(call, gradient), *to = be_result_type(call, 0);
  if (!type || !index) return cp_finish(call, NULL);
  const int64_t n = be_n_elements(call, cp_type(call, index)), padding = be_int(call, 3, -1);
  const int64_t width = type->dims[type->rank - 1], rows_dims[2] = {n, width}, column[2] = {n, 1};
  value rows = cp_view(call, gradient, 2, rows_dims);
  index = cp_cast(call, cp_view(call, index, 1, &n), BUDDY_I64);
  if (padding >= 0) {
    value is_real = cp_number(call, "aten.ne.Tensor", index, (double)padding);
    rows = cp_where_number(call, cp_view(call, is_real, 2, column), rows, 0);
  }
  if (be_bool(call, 4)) rows = by_frequency(call, rows, index, to->dims[0]);
  return cp_finish(call,
                   add_rows(call, zeros(call, be_with_dtype(call, to, type->dtype)), index, rows));
}

/* ---- Bags of embeddings ---- */
/* The bag of each index: how many offsets are not behind it, less 1. */
static value bags_of(buddy_call *call, value offsets, int64_t n) {
  value places = cp_iota(call, n, BUDDY_I64);
  if (!offsets || !places) return NULL;
  value count = BE_NODE(call, "aten.searchsorted.Tensor", be_type(call, BUDDY_I64, 1, &n),
                        be_t("sorted_sequence", offsets), be_t("self", places), be_b("right", 1));
  return cp_add_number(call, count, -1);
}

/* Of the largest: to the row that it came from, unless the bag is empty. */
static value from_largest(buddy_call *call, value gradient, value sizes, value rows, value into) {
  const buddy_tensor_type *type = cp_type(call, gradient);
  if (!type || !sizes || !rows || !into) return NULL;
  const int64_t column[2] = {type->dims[0], 1};
  value has_any = cp_view(call, cp_number(call, "aten.gt.Tensor", sizes, 0), 2, column);
  rows = cp_cast(call, cp_where_number(call, has_any, rows, 0), BUDDY_I64);
  gradient = cp_where_number(call, has_any, gradient, 0);
  return BE_NODE(call, "aten.scatter_add.default", cp_type(call, into), be_t("self", into),
                 be_i("dim", 0), be_t("index", rows), be_t("src", gradient));
}

/* What PyTorch divides the gradient of each index by: the i-th of the different numbers, in ascending order, by how
 * often the i-th of all occurs. */
static value frequencies(buddy_call *call, value index, int64_t n_weights) {
  const int64_t n = cp_type(call, index)->dims[0];
  value sorted[2], ones = cp_full(call, be_type(call, BUDDY_I64, 1, &n), 1);
  value counts = add_rows(call, zeros(call, be_type(call, BUDDY_I64, 1, &n_weights)), index, ones);
  value occurs = cp_cast(call, cp_number(call, "aten.gt.Tensor", counts, 0), BUDDY_I64);
  if (!occurs || !cp_sort(call, index, 0, false, sorted)) return NULL;
  value number = BE_NODE(call, "aten.cumsum.default", cp_type(call, occurs), be_t("self", occurs),
                         be_i("dim", 0));
  number = cp_rows(call, cp_sub(call, number, occurs), index);
  return cp_rows(call, cp_rows(call, counts, sorted[0]), number);
}

enum { BAG_SUM = 0, BAG_MEAN = 1, BAG_MAX = 2 };

/* _embedding_bag_backward: grad [B, D], indices [N], offsets, offset2bag, bag_size, maximum_indices,
 * num_weights, scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx; without offsets and
 * sparse: _embedding_bag_dense_backward. user: whether there are no offsets */
buddy_code cp_op_embedding_bag_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const bool is_dense = self->user != NULL;
  const size_t bags = is_dense ? 2 : 3, rest = is_dense ? 5 : 6, last = is_dense ? 8 : 10;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value gradient = cp_computed(call, 0), index = be_arg_value(call, 1);
  value sizes = be_arg_value(call, bags + 1);
  const int64_t mode = be_int(call, rest + 2, BAG_SUM), padding = be_int(call, last + 1, -1);
  if (!is_dense && be_bool(call, 9)) return be_decline(call, "a sparse gradient");
  if (!gradient || !index || !sizes) return cp_finish(call, NULL);
  value into = zeros(call, be_with_dtype(call, to, cp_type(call, gradient)->dtype));
  if (mode == BAG_MAX)
    return cp_finish(call, from_largest(call, gradient, sizes, be_arg_value(call, bags + 2), into));
  const int64_t n = cp_type(call, index)->dims[0], column[2] = {n, 1};
  index = cp_cast(call, index, BUDDY_I64);
  value bag = is_dense ? cp_cast(call, be_arg_value(call, 2), BUDDY_I64)
                       : bags_of(call, cp_cast(call, be_arg_value(call, 2), BUDDY_I64), n);
  if (mode == BAG_MEAN) {
    const int64_t each[2] = {cp_type(call, gradient)->dims[0], 1};
    gradient = cp_div(call, gradient, cp_view(call, sizes, 2, each));
  }
  value rows = cp_rows(call, gradient, bag), weights = cp_computed(call, last);
  if (weights) rows = cp_mul(call, rows, cp_view(call, weights, 2, column));
  if (be_bool(call, rest + 1))
    rows = cp_div(call, rows, cp_view(call, frequencies(call, index, to->dims[0]), 2, column));
  if (padding >= 0) {
    value is_real = cp_number(call, "aten.ne.Tensor", index, (double)padding);
    rows = cp_where_number(call, cp_view(call, is_real, 2, column), rows, 0);
  }
  return cp_finish(call, add_rows(call, into, index, rows));
}

/* ---- nll_loss: grad_output, self, target, weight, reduction, ignore_index, total_weight ------ */
/* Along the classes: dim 1 of [N, C, …], dim 0 of [C]. */
static value along_classes(buddy_call *call, value a, const buddy_tensor_type *like, uint32_t dim) {
  int64_t dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < like->rank; ++d) dims[d] = d == dim ? like->dims[dim] : 1;
  return cp_view(call, a, like->rank, dims);
}

/* A tensor without the dim of the classes, with a 1 there; a 0-d one as it is. */
static value beside_classes(buddy_call *call, value a, const buddy_tensor_type *like,
                            uint32_t dim) {
  int64_t dims[BE_MAX_RANK];
  if (!a || cp_type(call, a)->rank == 0) return a;
  for (uint32_t d = 0; d < like->rank; ++d) dims[d] = d == dim ? 1 : like->dims[d];
  return cp_view(call, a, like->rank, dims);
}

buddy_code cp_op_nll_loss_backward(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->rank < 1 || to->rank > BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  const uint32_t dim = to->rank == 1 ? 0 : 1;
  value gradient = cp_computed(call, 0), weight = cp_computed(call, 3);
  value target = beside_classes(call, be_arg_value(call, 2), to, dim);
  gradient = cp_unary(call, "aten.neg.default", beside_classes(call, gradient, to, dim));
  if (be_int(call, 4, 1) == 1) gradient = cp_div(call, gradient, cp_computed(call, 6));
  value classes =
      along_classes(call, cp_iota(call, to->dims[dim], cp_type(call, target)->dtype), to, dim);
  value hits = cp_binary(call, "aten.eq.Tensor", target, classes);
  value counts = cp_number(call, "aten.ne.Tensor", target, (double)be_int(call, 5, -100));
  value is_class = cp_dim(call, "aten.lt.Tensor", target, to->dims[dim]);
  is_class = cp_binary(call, "aten.logical_and.default", is_class,
                       cp_number(call, "aten.ge.Tensor", target, 0));
  hits = cp_checked(call, hits,
                    cp_binary(call, "aten.logical_or.default", is_class,
                              cp_unary(call, "aten.logical_not.default", counts)),
                    "a target is out of range");
  if (weight) gradient = cp_mul(call, gradient, along_classes(call, weight, to, dim));
  value result =
      cp_where_number(call, cp_binary(call, "aten.logical_and.default", hits, counts), gradient, 0);
  return cp_finish(call, cp_expand(call, result, to->rank, to->dims));
}
