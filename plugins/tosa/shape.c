// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/shape.c: ops that move elements: reshape, transpose, tile, concat, slice, pad,
 * reverse, gather, constants. */
#include <stdbool.h>
#include <string.h>

#include "plugins/tosa/rows.h"

/* view, unsqueeze, flatten …: the result type says all */
buddy_code ts_emit_reshape(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  for (size_t i = 1; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  return be_result(
      call, 0, ts_reshape(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)));
}

buddy_code ts_emit_permute(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  const buddy_arg *dims = be_arg(call, 1);
  int32_t perm[TS_MAX_RANK] = {0};
  for (uint32_t d = 0; d < from->rank; ++d) {
    perm[d] = (int32_t)(dims->as.ints[d] + (dims->as.ints[d] < 0 ? from->rank : 0));
  }
  return be_result(call, 0, ts_transpose(call, be_tensor(call, 0), from, perm, NULL));
}

/* Dims of 1 are tiled to the result's size. */
buddy_code ts_emit_expand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 1);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  if (from->rank > to->rank) return be_decline(call, "a result of fewer dims");
  const MlirValue value = ts_operand(call, 0, to->rank, to->dtype);
  int64_t multiples[TS_MAX_RANK] = {0};
  bool is_same = true;
  for (uint32_t d = 0; d < to->rank; ++d) {
    const uint32_t missing = to->rank - from->rank;
    const int64_t size = d < missing ? 1 : from->dims[d - missing];
    /* tosa.tile verifies with any sizes, and MLIR's patterns for it do not check them */
    if (size != 1 && size != to->dims[d])
      return be_decline(call, "dim %u does not broadcast to the result's", d);
    multiples[d] = size == to->dims[d] ? 1 : to->dims[d];
    is_same &= multiples[d] == 1;
  }
  return be_result(
      call, 0,
      is_same ? value : BE_OP(call, "tosa.tile", to, value, ts_shape(call, multiples, to->rank)));
}

/* repeat, tile: 1s in front where the repeats are more than the dims; the result type says how often */
buddy_code ts_emit_tile(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 1);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const uint32_t missing = to->rank - from->rank;
  int64_t multiples[TS_MAX_RANK] = {0};
  for (uint32_t d = 0; d < to->rank; ++d)
    multiples[d] = to->dims[d] / (d < missing ? 1 : from->dims[d - missing]);
  const MlirValue value = ts_operand(call, 0, to->rank, to->dtype);
  if (to->rank == 0) return be_result(call, 0, value);
  return be_result(call, 0,
                   BE_OP(call, "tosa.tile", to, value, ts_shape(call, multiples, to->rank)));
}

/* PyTorch lets 1-d empty tensors into any cat; ts_match has declined those. Numbers of other dtypes
 * are cast. */
buddy_code ts_match_cat(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_arg *tensors = be_arg(call, 0);
  for (size_t i = 0; i < tensors->n; ++i) {
    const buddy_tensor_type *type = be_value_type(call, tensors->as.tensors[i]);
    if (type->dtype != be_result_type(call, 0)->dtype)
      return be_decline(call, "the tensors are of several dtypes");
  }
  return ts_match(state, self, call);
}

buddy_code ts_emit_cat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  MlirValue *values = be_host->scratch(call, (tensors->n + 1) * sizeof(MlirValue));
  if (!values) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < tensors->n; ++i)
    values[i] = buddy_mlir_value(call, tensors->as.tensors[i]);
  const be_attribute attributes[] = {
      {"axis", be_attr_i32(call, (int32_t)be_axis(call, 1, to->rank, 0))}, {NULL, {NULL}}};
  return be_result(call, 0, be_op(call, "tosa.concat", to, values, tensors->n, attributes));
}

/* self, dim, start, end, step */
buddy_code ts_match_slice(void *state, const buddy_op *self, buddy_call *call) {
  if (be_int(call, 4, 1) != 1)
    return be_decline(call, "step is %lld: TOSA slices without gaps",
                      (long long)be_int(call, 4, 1));
  return ts_match(state, self, call);
}

buddy_code ts_emit_slice(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 3), (void)be_arg(call, 4); /* the result type says where it ends */
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, from->rank, 0);
  int64_t start[TS_MAX_RANK] = {0}, first = be_int(call, 2, 0);
  if (first < 0) first += from->dims[dim];
  if (first < 0) first = 0;
  start[dim] = first;
  return be_result(
      call, 0,
      be_same_dims(from, to) ? be_tensor(call, 0) : ts_slice(call, be_tensor(call, 0), start, to));
}

/* select.int: self, dim, index */
buddy_code ts_emit_select_int(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, from->rank, 0);
  int64_t start[TS_MAX_RANK] = {0}, dims[TS_MAX_RANK];
  memcpy(dims, from->dims, from->rank * sizeof(*dims));
  start[dim] = be_int(call, 2, 0);
  if (start[dim] < 0) start[dim] += dims[dim];
  dims[dim] = 1;
  const buddy_tensor_type *one = be_type(call, from->dtype, from->rank, dims);
  return be_result(call, 0,
                   ts_reshape(call, ts_slice(call, be_tensor(call, 0), start, one), one, to));
}

/* self, pad (from the last dim, before and after), value */
buddy_code ts_match_pad(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_arg *pad = be_arg(call, 1);
  for (size_t k = 0; k < pad->n; ++k) {
    if (pad->as.ints[k] < 0) return be_decline(call, "a padding is negative");
  }
  return ts_match(state, self, call);
}

buddy_code ts_emit_pad(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *pad = be_arg(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0);
  int64_t padding[2 * TS_MAX_RANK] = {0};
  for (size_t k = 0; k + 1 < pad->n; k += 2) {
    const size_t dim = to->rank - 1 - k / 2;
    padding[2 * dim] = pad->as.ints[k];
    padding[2 * dim + 1] = pad->as.ints[k + 1];
  }
  const MlirValue number = ts_number_arg(call, 2, to->dtype, 1);
  return be_result(call, 0,
                   BE_OP(call, "tosa.pad", to, be_tensor(call, 0),
                         ts_shape(call, padding, 2u * to->rank), number));
}

buddy_code ts_emit_flip(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *dims = be_arg(call, 1);
  const buddy_tensor_type *to = be_result_type(call, 0);
  MlirValue value = be_tensor(call, 0);
  /* PyTorch takes dim 0 and -1 of a tensor without dims; TOSA has no axis there */
  for (size_t k = 0; k < dims->n && to->rank > 0; ++k) {
    const int64_t dim = dims->as.ints[k] + (dims->as.ints[k] < 0 ? to->rank : 0);
    const be_attribute attributes[] = {{"axis", be_attr_i32(call, (int32_t)dim)}, {NULL, {NULL}}};
    value = BE_OP_ATTRS(call, "tosa.reverse", to, attributes, value);
  }
  return be_result(call, 0, value);
}

/* full(size, fill_value) and scalar_tensor(s): user is the number of the argument with the fill */
buddy_code ts_emit_full(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *to = be_result_type(call, 0);
  for (size_t i = 0; i < be_host->n_args(call); ++i) (void)be_arg(call, i);
  const MlirValue one = ts_number_arg(call, (size_t)(uintptr_t)self->user, to->dtype, to->rank);
  return be_result(call, 0, ts_filled(call, to, one));
}

/* weight [V, C] and indices of any shape: gather of [1, V, C] by [1, N] */
buddy_code ts_emit_embedding(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  for (size_t i = 2; i < be_host->n_args(call); ++i) (void)be_arg(call, i); /* about gradients */
  const buddy_tensor_type *weight = be_arg_type(call, 0), *indices = be_arg_type(call, 1),
                          *to = be_result_type(call, 0);
  const int64_t n = be_n_elements(call, indices);
  const int64_t value_dims[3] = {1, weight->dims[0], weight->dims[1]}, index_dims[2] = {1, n};
  const int64_t result_dims[3] = {1, n, weight->dims[1]};
  const buddy_tensor_type *gathered = be_type(call, to->dtype, 3, result_dims);
  const MlirValue values =
      ts_reshape(call, be_tensor(call, 0), weight, be_type(call, weight->dtype, 3, value_dims));
  const MlirValue where =
      ts_reshape(call, be_tensor(call, 1), indices, be_type(call, indices->dtype, 2, index_dims));
  return be_result(
      call, 0, ts_reshape(call, BE_OP(call, "tosa.gather", gathered, values, where), gathered, to));
}
