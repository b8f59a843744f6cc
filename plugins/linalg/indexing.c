// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/indexing.c: reading by index tensors.
 *
 * A linalg.generic over the result that extracts one element of the source at a position computed
 * from the index tensors, which are its inputs. A boolean mask as an index is first turned into the
 * positions of its true elements (masks.c). */

#include <stdbool.h>
#include "plugins/linalg/counted.h"
#include "plugins/linalg/indexing.h"
#include "plugins/linalg/rows.h"

static const MlirValue no_value = {NULL};

/* ---- One index tensor ---- */

typedef struct lookup {
  MlirValue source;
  const buddy_tensor_type *source_type, *index_type;
  uint32_t axis;  /* of the source */
  uint32_t shift; /* loop of the first source dim after the axis */
  int wraps;
} lookup;

/* elements[0] is the index; dims before the axis are the loops of the same number. */
static MlirValue look_up(const be_body *body, const MlirValue *elements, void *user) {
  const lookup *l = user;
  MlirValue at[BE_MAX_RANK];
  const uint32_t rank = l->source_type->rank;
  for (uint32_t d = 0; d < rank; ++d) {
    if (d != l->axis) at[d] = be_in_loop(body, d < l->axis ? d : d - l->axis - 1 + l->shift);
  }
  const MlirValue size = be_in_index(body, l->source_type->dims[l->axis]);
  if (rank > 0) at[l->axis] = la_index_of(body, elements[0], l->index_type->dtype, size, l->wraps);
  return la_element(body, l->source, l->source_type->dtype, at, rank);
}

static void check(buddy_call *call, const lookup *l, MlirValue index) {
  if (!l->source_type) return;
  const int64_t size = l->source_type->rank > 0 ? l->source_type->dims[l->axis] : 1;
  la_check_indices(call, index, l->index_type, size, l->wraps, 1);
}

static MlirValue run_lookup(buddy_call *call, lookup *l, MlirValue index, const be_map *map,
                            const buddy_tensor_type *to) {
  if (to->rank > BE_MAX_RANK || l->source_type->rank > BE_MAX_RANK) {
    be_decline(call, "tensors of more than %d dims are not handled here", BE_MAX_RANK);
    return no_value;
  }
  check(call, l, index);
  const be_generic spec = {.n_loops = to->rank,
                           .n_inputs = 1,
                           .inputs = &index,
                           .input_types = &l->index_type,
                           .input_maps = map,
                           .init = be_empty(call, to),
                           .output_type = to,
                           .output_map = be_map_identity(to->rank),
                           .body = look_up,
                           .user = l};
  return be_linalg_generic(call, &spec);
}

/* index_select: self, dim, index of rank 0 or 1 */
buddy_code la_emit_index_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const uint32_t axis = (uint32_t)be_axis(call, 1, from->rank, 0);
  if (from->rank == 0) la_ignore(call, 2, 1); /* it can only say 0 */
  if (from->rank == 0) return be_result(call, 0, be_tensor(call, 0));
  lookup l = {be_tensor(call, 0), from, be_arg_type(call, 2), axis, axis + 1, 0};
  const be_map map = {{(int8_t)axis}};
  return be_result(call, 0, run_lookup(call, &l, be_tensor(call, 2), &map, to));
}

/* embedding: weight [n, d], indices [...]; padding_idx and the others matter for gradients only */
buddy_code la_emit_embedding(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 2, be_host->n_args(call) - 2);
  const buddy_tensor_type *weight = be_arg_type(call, 0), *indices = be_arg_type(call, 1);
  lookup l = {be_tensor(call, 0), weight, indices, 0, indices->rank, 0};
  const be_map map = be_map_identity(indices->rank);
  return be_result(call, 0,
                   run_lookup(call, &l, be_tensor(call, 1), &map, be_result_type(call, 0)));
}

/* gather: self, dim, index; the result has the index's dims, and each of its positions names all
 * but one of self's. */
static MlirValue gathered(const be_body *body, const MlirValue *elements, void *user) {
  const lookup *l = user;
  MlirValue at[BE_MAX_RANK];
  for (uint32_t d = 0; d < l->source_type->rank; ++d) at[d] = be_in_loop(body, d);
  const MlirValue size =
      be_in_index(body, l->source_type->rank > 0 ? l->source_type->dims[l->axis] : 1);
  at[l->axis] = la_index_of(body, elements[0], l->index_type->dtype, size, l->wraps);
  return la_element(body, l->source, l->source_type->dtype, at, l->source_type->rank);
}

buddy_code la_emit_gather(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 3, be_host->n_args(call) - 3); /* sparse_grad */
  if (from->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  lookup l = {be_tensor(call, 0),
              from,
              be_arg_type(call, 2),
              (uint32_t)be_axis(call, 1, from->rank, 0),
              0,
              0};
  const MlirValue index = be_tensor(call, 2);
  if (la_is_empty(to)) return be_result(call, 0, be_empty(call, to)); /* of an index of any rank */
  la_check_fits(call, l.index_type, from, l.axis);
  check(call, &l, index);
  return be_result(call, 0, be_elementwise(call, to, &index, &l.index_type, 1, gathered, &l));
}

/* take_along_dim: as gather, but self and index are broadcast together but for the axis, round which any index
 * counts. */
static MlirValue index_around(const be_body *body, MlirValue element, MlirValue size) {
  const MlirType same = {NULL};
  const MlirValue index = la_as_index(body, element);
  const MlirValue rest = BE_IN(body, "arith.remsi", same, index, size);
  const MlirValue is_negative = be_in_compare(body, "lt", rest, be_in_index(body, 0), BUDDY_I64);
  return be_in_select(body, is_negative, la_index_add(body, rest, size), rest);
}

static MlirValue taken_along(const be_body *body, const MlirValue *elements, void *user) {
  const lookup *l = user;
  MlirValue at[BE_MAX_RANK];
  for (uint32_t d = 0; d < l->source_type->rank; ++d) {
    at[d] = l->source_type->dims[d] == 1 ? be_in_index(body, 0) : be_in_loop(body, d);
  }
  at[l->axis] = index_around(body, elements[0], be_in_index(body, l->source_type->dims[l->axis]));
  return la_element(body, l->source, l->source_type->dtype, at, l->source_type->rank);
}

/* Nothing is taken of nothing. */
static void check_around(buddy_call *call, const lookup *l) {
  const be_body block = {call, buddy_mlir_block(call)};
  const MlirValue zero = be_in_index(&block, 0);
  const int64_t size = l->source_type->dims[l->axis];
  if (be_dim(call, BUDDY_DIM_MIN, size, 1) == 1) return;
  const MlirValue n_indices = be_index(call, be_n_elements(call, l->index_type));
  be_assert(call,
            BE_IN(&block, "arith.ori", (MlirType){NULL},
                  be_in_compare(&block, "ne", be_index(call, size), zero, BUDDY_I64),
                  be_in_compare(&block, "eq", n_indices, zero, BUDDY_I64)),
            "an index is out of range for a dim of size 0");
}

static buddy_code take_flat(buddy_call *call, size_t index_arg) {
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const int64_t n = be_n_elements(call, from);
  const buddy_tensor_type *flat = be_type(call, from->dtype, 1, &n),
                          *index = be_arg_type(call, index_arg);
  if (!flat) return be_result(call, 0, no_value);
  lookup l = {be_reshape(call, be_tensor(call, 0), from, flat), flat, index, 0, 0, 1};
  const buddy_tensor_type *middle = be_with_dtype(call, index, to->dtype);
  const be_map map = be_map_identity(index->rank);
  if (!middle) return be_result(call, 0, no_value);
  const MlirValue value = run_lookup(call, &l, be_tensor(call, index_arg), &map, middle);
  return be_result(call, 0, be_reshape(call, value, middle, to));
}

/* self, indices, dim (None: self and indices as if flat) */
buddy_code la_emit_take_along(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  if (be_is_none(call, 2)) return take_flat(call, 1);
  if (from->rank > BE_MAX_RANK || from->rank == 0)
    return be_decline(call, "a tensor of rank %u", from->rank);
  lookup l = {be_tensor(call, 0),
              from,
              be_arg_type(call, 1),
              (uint32_t)be_axis(call, 2, from->rank, 0),
              0,
              0};
  const MlirValue index = be_tensor(call, 1);
  check_around(call, &l);
  return be_result(call, 0, be_elementwise(call, to, &index, &l.index_type, 1, taken_along, &l));
}

/* take: self as if flat, index of any rank */
buddy_code la_emit_take(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  return take_flat(call, 1);
}

/* ---- Several index tensors ---- */

buddy_code la_read_indices(buddy_call *call, size_t arg, const buddy_tensor_type *source,
                           la_indices *out) {
  const buddy_arg *list = be_arg(call, arg);
  *out = (la_indices){.source = source};
  if (list->kind != BUDDY_ARG_TENSORS)
    return be_decline(call, "its indices are not a list of tensors");
  uint32_t axis = 0;
  size_t n_tensors = 0;
  for (size_t i = 0; i < list->n; ++i)
    n_tensors += be_value_type(call, list->as.tensors[i]) != NULL;
  for (size_t i = 0; i < list->n; ++i) {
    const buddy_value *value = list->as.tensors[i];
    const buddy_tensor_type *type = be_value_type(call, value);
    const bool is_mask = type && (type->dtype == BUDDY_BOOL || type->dtype == BUDDY_U8);
    const uint32_t n_axes = is_mask ? type->rank : 1;
    if (axis + n_axes > source->rank || source->rank > BE_MAX_RANK)
      return be_decline(call, "the indices do not fit the tensor");
    /* ATen passes over a mask without dims beside other indices, whatever it says. */
    if (type && (n_axes > 0 || n_tensors == 1)) {
      out->has_mask |= is_mask;
      out->items[out->n++] = (la_index){buddy_mlir_value(call, value), type, axis, is_mask};
    }
    axis += n_axes;
  }
  return out->n > 0 ? BUDDY_OK : be_decline(call, "there is no index tensor");
}

/* Where the index dims are in the result: in place of the indexed axes if those are side by side,
 * else in front. */
static void place(la_indices *indices) {
  uint32_t index_rank = 0;
  bool is_together = true;
  for (size_t i = 0; i < indices->n; ++i) {
    if (indices->items[i].type->rank > index_rank) index_rank = indices->items[i].type->rank;
    if (i > 0 && indices->items[i].axis != indices->items[i - 1].axis + 1) is_together = false;
  }
  indices->index_rank = index_rank;
  indices->first_loop = is_together ? indices->items[0].axis : 0;
  for (uint32_t d = 0; d < indices->source->rank; ++d) indices->loop_of[d] = -1;
  for (size_t i = 0; i < indices->n; ++i) indices->loop_of[indices->items[i].axis] = -2;
  uint32_t loop = 0;
  for (uint32_t d = 0; d < indices->source->rank; ++d) {
    if (loop == indices->first_loop) loop += index_rank;
    if (indices->loop_of[d] != -2) indices->loop_of[d] = (int)loop++;
  }
}

/* The product of the dims that no index stands for. */
static int64_t count_beside(buddy_call *call, const la_indices *indices) {
  uint64_t is_indexed = 0;
  int64_t n = 1;
  for (size_t i = 0; i < indices->n; ++i) is_indexed |= UINT64_C(1) << indices->items[i].axis;
  for (uint32_t d = 0; d < indices->source->rank; ++d) {
    if (!(is_indexed >> d & 1)) n = be_dim(call, BUDDY_DIM_MUL, n, indices->source->dims[d]);
  }
  return n;
}

buddy_code la_resolve_indices(buddy_call *call, la_indices *indices, bool spreads) {
  if (indices->items[0].is_mask && indices->items[0].type->rank == 0)
    return be_decline(call, "a mask without dims alone, which PyTorch takes to write one number");
  const int64_t n_beside = count_beside(call, indices);
  for (size_t i = 0; i < indices->n; ++i) {
    const la_index *item = &indices->items[i];
    if (item->is_mask || !item->type) continue;
    la_check_indices(call, item->value, item->type, indices->source->dims[item->axis], 1, n_beside);
  }
  if (indices->has_mask) la_expand_masks(call, indices, spreads);
  for (size_t i = 0; i < indices->n; ++i) {
    if (!indices->items[i].type || !indices->items[i].value.ptr) return BUDDY_DECLINED;
  }
  place(indices);
  const uint32_t rank = indices->source->rank - (uint32_t)indices->n + indices->index_rank;
  return rank <= BE_MAX_RANK ? BUDDY_OK : be_decline(call, "more than %d dims", BE_MAX_RANK);
}

void la_indexed_position(const be_body *body, const la_indices *indices, const MlirValue *loops,
                         const MlirValue *elements, MlirValue *out) {
  for (uint32_t d = 0; d < indices->source->rank; ++d) {
    if (indices->loop_of[d] >= 0) out[d] = loops[indices->loop_of[d]];
  }
  for (size_t i = 0; i < indices->n; ++i) {
    const la_index *item = &indices->items[i];
    const MlirValue size = be_in_index(body, indices->source->dims[item->axis]);
    out[item->axis] = la_index_of(body, elements[i], item->type->dtype, size, 1);
  }
}

/* tensor.empty of the result; with masks, the dim of their count is that count. */
static MlirValue indexed_empty(buddy_call *call, const la_indices *indices,
                               const buddy_tensor_type *to) {
  MlirValue dims[BE_MAX_RANK];
  size_t n = 0;
  if (!indices->has_mask) return be_empty(call, to);
  for (uint32_t d = 0; d < to->rank; ++d) {
    const bool is_count = indices->count.ptr && d == indices->first_loop + indices->index_rank - 1;
    if (is_count) la_check_length(call, indices->count, to->dims[d]);
    if (!BUDDY_IS_SYMBOLIC(to->dims[d])) continue;
    dims[n++] = is_count ? indices->count : be_index(call, to->dims[d]);
  }
  return be_op(call, "tensor.empty", to, dims, n, NULL);
}

typedef struct indexed {
  const la_indices *indices;
  MlirValue source;
  uint32_t rank;
} indexed;

static MlirValue read_indexed(const be_body *body, const MlirValue *elements, void *user) {
  const indexed *x = user;
  MlirValue loops[BE_MAX_RANK], at[BE_MAX_RANK];
  for (uint32_t d = 0; d < x->rank; ++d) loops[d] = be_in_loop(body, d);
  la_indexed_position(body, x->indices, loops, elements, at);
  return la_element(body, x->source, x->indices->source->dtype, at, x->indices->source->rank);
}

/* index.Tensor: self, indices */
buddy_code la_emit_index(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *source = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_indices indices;
  buddy_code code = la_read_indices(call, 1, source, &indices);
  if (code == BUDDY_OK) code = la_resolve_indices(call, &indices, false);
  if (code != BUDDY_OK) return code;
  MlirValue inputs[BE_MAX_RANK];
  const buddy_tensor_type *types[BE_MAX_RANK];
  be_map maps[BE_MAX_RANK];
  for (size_t i = 0; i < indices.n; ++i) {
    inputs[i] = indices.items[i].value;
    types[i] = indices.items[i].type;
    maps[i] = la_index_map(&indices, types[i], to->dims);
  }
  indexed x = {&indices, be_tensor(call, 0), to->rank};
  const be_generic spec = {.n_loops = to->rank,
                           .n_inputs = indices.n,
                           .inputs = inputs,
                           .input_types = types,
                           .input_maps = maps,
                           .init = indexed_empty(call, &indices, to),
                           .output_type = to,
                           .output_map = be_map_identity(to->rank),
                           .body = read_indexed,
                           .user = &x};
  return be_result(call, 0, be_linalg_generic(call, &spec));
}

be_map la_index_map(const la_indices *indices, const buddy_tensor_type *type, const int64_t *dims) {
  be_map map = {{0}};
  const uint32_t shift = indices->first_loop + indices->index_rank - type->rank;
  for (uint32_t d = 0; d < type->rank; ++d) {
    const bool is_spread = type->dims[d] == 1 && dims[shift + d] != 1;
    map.loops[d] = is_spread ? BE_BROADCAST : (int8_t)(shift + d);
  }
  return map;
}
