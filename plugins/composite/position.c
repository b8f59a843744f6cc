// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/position.c: ops that read or write at positions which they compute: masked
 * indexing, writes by strides, chunks side by side. */
#include <stdbool.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- _unsafe_masked_index -------------------------------------------------------------------- */

enum { MAX_INDICES = BE_MAX_RANK };

/* The indices, held between minus the size and the last position. 0 after a failure. */
static int held_indices(buddy_call *call, const buddy_tensor_type *type, const buddy_arg *indices,
                        value *out) {
  for (size_t i = 0; i < indices->n; ++i) {
    out[i] = NULL;
    if (!indices->as.tensors[i]) continue;
    const int64_t size = type->dims[i];
    const int64_t low = be_dim(call, BUDDY_DIM_SUB, 0, size);
    out[i] = BE_NODE(call, "aten.clamp.default", NULL, be_t("self", indices->as.tensors[i]),
                     be_i("min", low), be_i("max", be_dim(call, BUDDY_DIM_SUB, size, 1)));
    if (!out[i]) return 0;
  }
  return 1;
}

static value filled_where_not(buddy_call *call, value a, value mask, value fill) {
  value other = cp_unary(call, "aten.logical_not.default", mask);
  return a && other && fill ? BE_NODE(call, "aten.masked_fill.Tensor", NULL, be_t("self", a),
                                      be_t("mask", other), be_t("value", fill))
                            : NULL;
}

static bool is_empty(buddy_call *call, const buddy_tensor_type *type) {
  return be_n_elements(call, type) == 0;
}

static buddy_code decline_indices(buddy_call *call, const buddy_tensor_type *type,
                                  const buddy_arg *indices) {
  if (type->rank > MAX_INDICES)
    return be_decline(call, "rank %u is above %d", type->rank, BE_MAX_RANK);
  if (indices->kind != BUDDY_ARG_TENSORS || indices->n > type->rank)
    return be_decline(call, "there are more indices than dims");
  return BUDDY_OK;
}

/* _unsafe_masked_index: self, mask, indices, fill: self[indices] where the mask is set, whatever
 * the other indices are */
buddy_code cp_op_masked_index(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), mask = be_arg_value(call, 1), at[MAX_INDICES];
  const buddy_arg *indices = be_arg(call, 2);
  const buddy_tensor_type *to = be_result_type(call, 0), *type = cp_type(call, x);
  if (!type) return cp_finish(call, NULL);
  const buddy_code code = decline_indices(call, type, indices);
  if (code != BUDDY_OK) return code;
  value fill =
      BE_NODE(call, "aten.full.default", be_type(call, to->dtype, 0, NULL), be_is("size", NULL, 0),
              be_pass(call, "fill_value", 3), be_d("dtype", to->dtype));
  if (is_empty(call, type)) return cp_finish(call, cp_expand(call, fill, to->rank, to->dims));
  if (!held_indices(call, type, indices, at)) return cp_finish(call, NULL);
  value found =
      BE_NODE(call, "aten.index.Tensor", to, be_t("self", x), be_ts("indices", at, indices->n));
  return cp_finish(call, filled_where_not(call, found, mask, fill));
}

/* _unsafe_masked_index_put_accumulate: self, mask, indices, values */
buddy_code cp_op_masked_index_put(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value x = be_arg_value(call, 0), mask = be_arg_value(call, 1), at[MAX_INDICES];
  const buddy_arg *indices = be_arg(call, 2);
  const buddy_tensor_type *type = cp_type(call, x);
  if (!type) return cp_finish(call, NULL);
  const buddy_code code = decline_indices(call, type, indices);
  if (code != BUDDY_OK) return code;
  value zero = cp_full(call, be_type(call, type->dtype, 0, NULL), 0);
  value values = filled_where_not(call, be_arg_value(call, 3), mask, zero);
  if (is_empty(call, type)) return cp_finish(call, x);
  if (!values || !held_indices(call, type, indices, at)) return cp_finish(call, NULL);
  return cp_finish(call, BE_NODE(call, "aten.index_put.default", type, be_t("self", x),
                                 be_ts("indices", at, indices->n), be_t("values", values),
                                 be_b("accumulate", 1)));
}

/* ---- as_strided_scatter ---------------------------------------------------------------------- */

/* as_strided_scatter: self, src, size, stride, storage_offset: the positions in self are those that
 * as_strided finds in 0, 1, 2, … */
buddy_code cp_op_as_strided_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  value x = cp_flat(call, be_arg_value(call, 0)), from = be_arg_value(call, 1);
  if (!x || !from) return cp_finish(call, NULL);
  value places = cp_iota(call, cp_type(call, x)->dims[0], BUDDY_I64);
  if (!places) return cp_finish(call, NULL);
  const buddy_named_arg offset =
      be_is_none(call, 4) ? be_i("storage_offset", 0) : be_pass(call, "storage_offset", 4);
  value at =
      BE_NODE(call, "aten.as_strided.default", be_with_dtype(call, cp_type(call, from), BUDDY_I64),
              be_t("self", places), be_pass(call, "size", 2), be_pass(call, "stride", 3), offset);
  at = cp_flat(call, at);
  value source = cp_flat(call, cp_cast(call, from, to->dtype));
  value written = at && source
                      ? BE_NODE(call, "aten.scatter.src", cp_type(call, x), be_t("self", x),
                                be_i("dim", 0), be_t("index", at), be_t("src", source))
                      : NULL;
  return cp_finish_shaped(call, 0, written);
}

/* ---- _chunk_cat ------------------------------------------------------------------------------ */

/* The tensor with dim `dim` filled up with zeros to n chunks of equal size, as [dims in front, n,
 * the rest of a chunk]. */
static value chunked(buddy_call *call, value a, uint32_t dim, int64_t n) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type || type->rank > BE_MAX_RANK) return NULL;
  const int64_t size = type->dims[dim];
  const int64_t per_chunk =
      be_dim(call, BUDDY_DIM_FLOORDIV, be_dim(call, BUDDY_DIM_ADD, size, n - 1), n);
  int64_t dims[BE_MAX_RANK], pad[2 * BE_MAX_RANK] = {0};
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[dim] = be_dim(call, BUDDY_DIM_MUL, per_chunk, n);
  const int64_t missing = be_dim(call, BUDDY_DIM_SUB, dims[dim], size);
  pad[2 * (type->rank - 1 - dim) + 1] = missing;
  if (missing != 0) {
    a = BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, type->dtype, type->rank, dims),
                be_t("self", a), be_is("pad", pad, 2 * (type->rank - dim)), be_i("value", 0));
  }
  int64_t rest = per_chunk;
  for (uint32_t d = dim + 1; d < type->rank; ++d) rest = be_dim(call, BUDDY_DIM_MUL, rest, dims[d]);
  dims[dim] = n;
  dims[dim + 1] = rest;
  return cp_view(call, a, dim + 2, dims);
}

/* _chunk_cat: tensors, dim, num_chunks: chunk by chunk side by side */
buddy_code cp_op_chunk_cat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t n = be_int(call, 2, 1);
  const uint32_t dim = to->rank - 2;
  (void)be_arg(call, 1); /* the result's rank is that of dim, and two more */
  if (to->rank < 2 || to->rank >= BE_MAX_RANK) return be_decline(call, "rank %u", to->rank);
  const value *list = tensors->as.tensors;
  value *parts = be_host->scratch(call, tensors->n * sizeof(*parts));
  if (!parts) return cp_finish(call, NULL);
  for (size_t i = 0; i < tensors->n; ++i) {
    parts[i] = chunked(call, list[i], dim, n);
    if (!parts[i]) return cp_finish(call, NULL);
  }
  return cp_finish(call, BE_NODE(call, "aten.cat.default", to, be_ts("tensors", parts, tensors->n),
                                 be_i("dim", dim + 1)));
}
