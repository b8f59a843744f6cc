// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/tosa/gather.c: reading by index tensors.
 *
 * Every op becomes one tosa.gather of [1, N, C] by [1, W]: the dims that are read by indices are
 * brought to the front and become one, as do the indices, each times the stride of its dim. A
 * negative index counts from the end. An index out of range must not become one that is in range:
 * the places of one that is are replaced by N, which the gather refuses. */
#include <stdbool.h>
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "plugins/tosa/rows.h"

/* What is read, and the dims that indices name. */
typedef struct lookup {
  MlirValue source;
  const buddy_tensor_type *from;
  uint32_t n, dims[TS_MAX_RANK];
  MlirValue indices[TS_MAX_RANK]; /* i64, of `type` or dims of 1 before it */
  const buddy_tensor_type *types[TS_MAX_RANK];
  const buddy_tensor_type *type; /* of all of them together */
  int wraps, is_known;           /* known: a constant of places that are there */
} lookup;

/* ---- Indices --------------------------------------------------------------------------------- */
static MlirValue integer(buddy_call *call, const lookup *l, int64_t n) {
  return ts_number(call, BUDDY_I64, l->type->rank, (double)n);
}

/* With 1s in front, up to the rank of all. */
static void line_up(buddy_call *call, lookup *l, uint32_t k) {
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  const buddy_tensor_type *from = l->types[k];
  memcpy(dims + (l->type->rank - from->rank), from->dims, from->rank * sizeof(*dims));
  const buddy_tensor_type *to = be_type(call, BUDDY_I64, l->type->rank, dims);
  l->indices[k] = ts_convert(call, l->indices[k], from, BUDDY_I64);
  l->indices[k] = ts_reshape(call, l->indices[k], be_with_dtype(call, from, BUDDY_I64), to);
  l->types[k] = to;
}

/* Non-negative. */
static MlirValue wrapped(buddy_call *call, const lookup *l, uint32_t k, int64_t size) {
  const buddy_tensor_type *type = l->types[k];
  if (!l->wraps || !type) return l->indices[k];
  const MlirValue from_end = BE_OP(call, "tosa.add", type, l->indices[k], integer(call, l, size));
  const MlirValue is_negative = BE_OP(call, "tosa.greater", be_with_dtype(call, type, BUDDY_BOOL),
                                      integer(call, l, 0), l->indices[k]);
  return BE_OP(call, "tosa.select", type, is_negative, from_end, l->indices[k]);
}

/* What two types of equal rank are together. */
static const buddy_tensor_type *broadcast(buddy_call *call, const buddy_tensor_type *a,
                                          const buddy_tensor_type *b) {
  int64_t dims[TS_MAX_RANK];
  if (!a || !b) return NULL;
  for (uint32_t d = 0; d < a->rank; ++d) dims[d] = a->dims[d] == 1 ? b->dims[d] : a->dims[d];
  return be_type(call, a->dtype, a->rank, dims);
}

static MlirValue is_inside(buddy_call *call, const lookup *l, uint32_t k, MlirValue index,
                           int64_t size) {
  const buddy_tensor_type *truth = be_with_dtype(call, l->types[k], BUDDY_BOOL);
  return BE_OP(call, "tosa.logical_and", truth,
               BE_OP(call, "tosa.greater_equal", truth, index, integer(call, l, 0)),
               BE_OP(call, "tosa.greater", truth, integer(call, l, size), index));
}

/* The place among the rows that the named dims make together. */
static MlirValue places(buddy_call *call, lookup *l, int64_t n_rows) {
  MlirValue sum = {NULL}, inside = {NULL};
  const buddy_tensor_type *type = NULL; /* of the sum */
  int64_t stride = 1;
  for (uint32_t k = l->n; k-- > 0;) {
    const int64_t size = l->from->dims[l->dims[k]];
    line_up(call, l, k);
    const MlirValue index = wrapped(call, l, k, size);
    const MlirValue step =
        stride == 1 ? index : ts_multiply(call, l->types[k], index, integer(call, l, stride));
    if (l->is_known) return index;
    const MlirValue is_in = is_inside(call, l, k, index, size);
    type = k + 1 == l->n ? l->types[k] : broadcast(call, type, l->types[k]);
    const buddy_tensor_type *truth = be_with_dtype(call, type, BUDDY_BOOL);
    inside = k + 1 == l->n ? is_in : BE_OP(call, "tosa.logical_and", truth, inside, is_in);
    sum = k + 1 == l->n ? step : BE_OP(call, "tosa.add", type, sum, step);
    stride *= size;
  }
  return BE_OP(call, "tosa.select", l->type, inside, sum, integer(call, l, n_rows));
}

/* ---- The gather ------------------------------------------------------------------------------ */
static bool is_named(const lookup *l, uint32_t dim) {
  for (uint32_t k = 0; k < l->n; ++k) {
    if (l->dims[k] == dim) return true;
  }
  return false;
}

static int64_t product(const buddy_tensor_type *type) {
  int64_t n = 1;
  for (uint32_t d = 0; d < type->rank; ++d) n *= type->dims[d];
  return n;
}

/* The dims of the index in front, then the source's others. */
static MlirValue gathered(buddy_call *call, lookup *l, const buddy_tensor_type **out_type) {
  int32_t perm[TS_MAX_RANK] = {0};
  int64_t n_rows = 1, dims[2 * TS_MAX_RANK] = {0};
  uint32_t n = l->n, rank = l->type->rank;
  memcpy(dims, l->type->dims, rank * sizeof(*dims));
  for (uint32_t k = 0; k < l->n; ++k) perm[k] = (int32_t)l->dims[k];
  for (uint32_t k = 0; k < l->n; ++k) n_rows *= l->from->dims[l->dims[k]];
  for (uint32_t d = 0; d < l->from->rank; ++d) {
    if (is_named(l, d)) continue;
    perm[n++] = (int32_t)d;
    dims[rank++] = l->from->dims[d];
  }
  const int64_t width = product(l->from) / n_rows, count = product(l->type);
  const buddy_dtype dtype = l->from->dtype, moved = dtype == BUDDY_BOOL ? BUDDY_I8 : dtype;
  const int64_t row_dims[3] = {1, n_rows, width}, where_dims[2] = {1, count};
  const int64_t found_dims[3] = {1, count, width};
  const buddy_tensor_type *turned = NULL;
  MlirValue rows = ts_transpose(call, l->source, l->from, perm, &turned);
  rows = ts_reshape(call, ts_convert(call, rows, turned, moved), be_with_dtype(call, turned, moved),
                    be_type(call, moved, 3, row_dims));
  const MlirValue where =
      ts_reshape(call, places(call, l, n_rows), l->type, be_type(call, BUDDY_I64, 2, where_dims));
  const buddy_tensor_type *found = be_type(call, moved, 3, found_dims);
  const MlirValue values =
      ts_convert(call, BE_OP(call, "tosa.gather", found, rows, where), found, dtype);
  *out_type = rank <= TS_MAX_RANK ? be_type(call, dtype, rank, dims) : NULL;
  if (rank > TS_MAX_RANK) be_decline(call, "the indices and the dims are more than TOSA's ranks");
  return ts_reshape(call, values, be_with_dtype(call, found, dtype), *out_type);
}

/* ---- One dim --------------------------------------------------------------------------------- */
/* By l's one index, of rank 1, whose dim stays where it is. */
static MlirValue taken(buddy_call *call, lookup *l, const buddy_tensor_type **type) {
  const uint32_t dim = l->dims[0];
  int32_t back[TS_MAX_RANK] = {0};
  const MlirValue value = gathered(call, l, type);
  for (uint32_t d = 0; d < l->from->rank; ++d) back[d] = (int32_t)(d < dim ? d + 1 : d);
  back[dim] = 0;
  return ts_transpose(call, value, *type, back, type);
}

MlirValue ts_take(buddy_call *call, MlirValue value, const buddy_tensor_type **type, uint32_t dim,
                  const int64_t *places, int64_t n) {
  const buddy_tensor_type *index = be_type(call, BUDDY_I64, 1, &n);
  if (!index || !*type) return value;
  const MlirAttribute numbers =
      mlirDenseElementsAttrInt64Get(buddy_mlir_tensor_type(call, index), (intptr_t)n, places);
  lookup l = {.source = value,
              .from = *type,
              .n = 1,
              .dims = {dim},
              .indices = {ts_constant(call, index, numbers)},
              .types = {index},
              .type = index,
              .is_known = true};
  return taken(call, &l, type);
}

/* index_select: self, dim, index of rank 0 or 1 */
buddy_code ts_emit_index_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *index = be_arg_type(call, 2), *type = NULL;
  if (from->rank == 0) return be_decline(call, "a tensor without dims");
  const int64_t n = product(index);
  const buddy_tensor_type *flat = be_type(call, index->dtype, 1, &n);
  lookup l = {.source = be_tensor(call, 0),
              .from = from,
              .n = 1,
              .dims = {(uint32_t)be_axis(call, 1, from->rank, 0)},
              .indices = {ts_reshape(call, be_tensor(call, 2), index, flat)},
              .types = {flat},
              .type = be_type(call, BUDDY_I64, 1, &n)};
  return be_result(call, 0, taken(call, &l, &type));
}

/* ---- gather: self, dim, index, sparse_grad: every place names all dims ----------------------- */
static MlirValue counting(buddy_call *call, uint32_t rank, uint32_t dim, int64_t n,
                          const buddy_tensor_type **out_type) {
  int64_t dims[TS_MAX_RANK] = {1, 1, 1, 1, 1, 1};
  dims[dim] = n;
  *out_type = be_type(call, BUDDY_I64, rank, dims);
  return ts_count(call, *out_type, 0, 1);
}

buddy_code ts_emit_gather(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 3);
  const buddy_tensor_type *from = be_arg_type(call, 0), *index = be_arg_type(call, 2), *type = NULL;
  if (from->rank == 0 || index->rank != from->rank)
    return be_decline(call, "a tensor without dims");
  const uint32_t dim = (uint32_t)be_axis(call, 1, from->rank, 0);
  lookup l = {.source = be_tensor(call, 0),
              .from = from,
              .n = from->rank,
              .type = be_with_dtype(call, index, BUDDY_I64)};
  for (uint32_t d = 0; d < from->rank; ++d) {
    l.dims[d] = d;
    l.types[d] = index;
    l.indices[d] =
        d == dim ? be_tensor(call, 2) : counting(call, from->rank, d, index->dims[d], &l.types[d]);
  }
  return be_result(call, 0, gathered(call, &l, &type));
}

/* ---- index.Tensor: self, indices: tensors or None, one for each dim from the first ----------- */
buddy_code ts_match_index(void *state, const buddy_op *self, buddy_call *call) {
  const buddy_arg *indices = be_arg(call, 1);
  uint32_t n = 0;
  for (size_t k = 0; k < indices->n; ++k) {
    if (!indices->as.tensors[k]) continue;
    const buddy_dtype dtype = be_value_type(call, indices->as.tensors[k])->dtype;
    ++n;
    if (dtype == BUDDY_BOOL || dtype == BUDDY_U8)
      return be_decline(call, "how many elements a mask takes is known in the run only");
  }
  if (n == 0) return be_decline(call, "no index");
  return ts_match(state, self, call);
}

/* Broadcast together from the right. */
static const buddy_tensor_type *together(buddy_call *call, const lookup *l) {
  int64_t dims[TS_MAX_RANK];
  uint32_t rank = 0;
  for (uint32_t k = 0; k < l->n; ++k) rank = l->types[k]->rank > rank ? l->types[k]->rank : rank;
  for (uint32_t d = 0; d < rank; ++d) dims[d] = 1;
  for (uint32_t k = 0; k < l->n; ++k) {
    const buddy_tensor_type *type = l->types[k];
    for (uint32_t d = 0; d < type->rank; ++d) {
      if (type->dims[d] != 1) dims[rank - type->rank + d] = type->dims[d];
    }
  }
  return be_type(call, BUDDY_I64, rank, dims);
}

/* Indices of dims side by side put their dims where those were; else in front. */
static MlirValue in_place(buddy_call *call, const lookup *l, MlirValue value,
                          const buddy_tensor_type *type) {
  const uint32_t first = l->dims[0], n_index = l->type->rank;
  if (l->dims[l->n - 1] - first != l->n - 1 || first == 0 || !type) return value;
  int32_t perm[TS_MAX_RANK] = {0};
  for (uint32_t d = 0; d < type->rank; ++d) {
    perm[d] = (int32_t)(d < first ? n_index + d : d < first + n_index ? d - first : d);
  }
  return ts_transpose(call, value, type, perm, NULL);
}

buddy_code ts_emit_index(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *indices = be_arg(call, 1);
  lookup l = {.source = be_tensor(call, 0), .from = be_arg_type(call, 0), .wraps = 1};
  for (size_t k = 0; k < indices->n; ++k) {
    if (!indices->as.tensors[k]) continue;
    l.dims[l.n] = (uint32_t)k;
    l.indices[l.n] = buddy_mlir_value(call, indices->as.tensors[k]);
    l.types[l.n++] = be_value_type(call, indices->as.tensors[k]);
  }
  l.type = together(call, &l);
  if (!l.type) return be_result(call, 0, (MlirValue){NULL});
  const buddy_tensor_type *type = NULL;
  const MlirValue value = gathered(call, &l, &type);
  return be_result(call, 0, in_place(call, &l, value, type));
}
