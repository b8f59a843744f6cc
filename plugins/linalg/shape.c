// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/shape.c: views and copies of parts: reshape, permute, expand, slice, cat, split,
 * flip, roll, repeat. */
#include "plugins/linalg/rows.h"

#include <stdbool.h>

static const MlirValue no_value = {NULL};

/* ---- Same elements in the same order ---- */

/* view, reshape, flatten, squeeze, unsqueeze and their kin: the result's type says it all. */
buddy_code la_emit_reshape(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  return be_result(
      call, 0, be_reshape(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)));
}

buddy_code la_emit_same(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  return be_result(call, 0, be_tensor(call, 0));
}

static size_t bits_of(buddy_dtype dtype) {
  return be_is_complex(dtype) || dtype == BUDDY_BOOL ? 0 : be_bytes(dtype);
}

/* view.dtype: numbers of as many bytes. */
buddy_code la_match_bits(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const size_t from = bits_of(be_arg_type(call, 0)->dtype);
  const size_t to = bits_of(be_result_type(call, 0)->dtype);
  return from > 0 && from == to ? BUDDY_OK
                                : be_decline(call, "the bits of numbers of another size or kind");
}

buddy_code la_emit_bits(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, 1);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const MlirValue x = be_tensor(call, 0);
  const bool is_same = !be_is_float(from->dtype) && !be_is_float(to->dtype);
  return be_result(call, 0, is_same ? x : BE_OP(call, "arith.bitcast", to, x));
}

/* ---- Permutations ---- */

static buddy_code permuted(buddy_call *call, const int64_t *perm) {
  return be_result(call, 0, be_transpose(call, be_tensor(call, 0), be_arg_type(call, 0), perm));
}

static buddy_code rank_declined(buddy_call *call) {
  return be_decline(call, "tensors of more than %d dims are not handled here", BE_MAX_RANK);
}

buddy_code la_emit_permute(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const uint32_t rank = be_arg_type(call, 0)->rank;
  int64_t perm[BE_MAX_RANK];
  if (rank > BE_MAX_RANK) return rank_declined(call);
  for (uint32_t d = 0; d < rank; ++d) {
    const int64_t axis = be_int_at(call, 1, d, 0);
    perm[d] = axis < 0 ? axis + (int64_t)rank : axis;
  }
  return permuted(call, perm);
}

/* transpose.int (self, dim0, dim1), and t, mT and the like (self), which swap the last two. */
buddy_code la_emit_swap(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  int64_t perm[BE_MAX_RANK];
  if (type->rank > BE_MAX_RANK) return rank_declined(call);
  for (uint32_t d = 0; d < type->rank; ++d) perm[d] = d;
  const int64_t rank = type->rank;
  const int64_t a = self->user ? rank - 2 : be_axis(call, 1, type->rank, 0);
  const int64_t b = self->user ? rank - 1 : be_axis(call, 2, type->rank, 0);
  if (a >= 0 && b >= 0 && a < rank && b < rank) {
    perm[a] = b;
    perm[b] = a;
  }
  return permuted(call, perm);
}

/* numpy_T: all dims in reverse order. */
buddy_code la_emit_reverse(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const uint32_t rank = be_arg_type(call, 0)->rank;
  int64_t perm[BE_MAX_RANK];
  if (rank > BE_MAX_RANK) return rank_declined(call);
  for (uint32_t d = 0; d < rank; ++d) perm[d] = rank - 1 - d;
  return permuted(call, perm);
}

/* ---- Repetition ---- */

buddy_code la_emit_expand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  return be_result(
      call, 0,
      be_broadcast(call, be_tensor(call, 0), be_arg_type(call, 0), be_result_type(call, 0)));
}

/* The operand with ones before its dims, to the rank of the result. */
static const buddy_tensor_type *widened(buddy_call *call, const buddy_tensor_type *from,
                                        uint32_t rank) {
  int64_t dims[BE_MAX_RANK];
  const uint32_t front = rank - from->rank;
  for (uint32_t d = 0; d < rank; ++d) dims[d] = d < front ? 1 : from->dims[d - front];
  return be_type(call, from->dtype, rank, dims);
}

/* The result is the value over these dims, of which it has those of the map, reshaped. */
static buddy_code repeated(buddy_call *call, MlirValue value, const buddy_tensor_type *source,
                           be_map map, const int64_t *dims, uint32_t n) {
  const buddy_tensor_type *to = be_result_type(call, 0),
                          *middle = be_type(call, to->dtype, n, dims);
  const be_generic spec = {.n_loops = n,
                           .n_inputs = 1,
                           .inputs = &value,
                           .input_types = &source,
                           .input_maps = &map,
                           .init = be_empty(call, middle),
                           .output_type = middle,
                           .output_map = be_map_identity(n),
                           .body = la_first};
  return be_result(call, 0, be_reshape(call, be_linalg_generic(call, &spec), middle, to));
}

/* repeat, tile: [a, b] becomes [r0, a, r1, b] by a broadcast, which is [r0 * a, r1 * b]. Dims that
 * stay get no loop of their own. */
buddy_code la_emit_repeat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const buddy_arg *repeats = be_arg(call, 1);
  if (to->rank > BE_MAX_RANK || repeats->n > to->rank) return rank_declined(call);
  const buddy_tensor_type *source = widened(call, from, to->rank);
  const MlirValue value = be_reshape(call, be_tensor(call, 0), from, source);
  int64_t dims[2 * BE_MAX_RANK];
  be_map map = {{0}};
  uint32_t n = 0;
  for (uint32_t d = 0; source && d < to->rank; ++d) {
    const uint32_t front = to->rank - (uint32_t)repeats->n;
    const int64_t times = d < front ? 1 : repeats->as.ints[d - front];
    if (times != 1) dims[n++] = times;
    map.loops[d] = (int8_t)n;
    dims[n++] = source->dims[d];
  }
  if (n > BE_MAX_RANK) return rank_declined(call);
  return repeated(call, value, source, map, dims, n);
}

/* repeat_interleave: self, repeats, dim (None: as if flat), output_size: [a, b] is spread over [a,
 * r, b] and reshaped to [a * r, b]. */
buddy_code la_emit_repeat_interleave(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  la_ignore(call, 3, 1);
  const int64_t n_elements = be_n_elements(call, from), times = be_size(call, 1, 1);
  const int64_t axis = be_axis(call, 2, from->rank, -1);
  const buddy_tensor_type *source = axis < 0 ? be_type(call, from->dtype, 1, &n_elements) : from;
  if (!source || source->rank + 1 > BE_MAX_RANK) return rank_declined(call);
  const MlirValue value = be_reshape(call, be_tensor(call, 0), from, source);
  int64_t dims[BE_MAX_RANK];
  be_map map = {{0}};
  uint32_t n = 0;
  for (uint32_t d = 0; d < source->rank; ++d) {
    map.loops[d] = (int8_t)n;
    dims[n++] = source->dims[d];
    if (d == (axis < 0 ? 0 : axis)) dims[n++] = times;
  }
  return repeated(call, value, source, map, dims, n);
}

/* ---- Parts ---- */

/* A start as PyTorch takes it: from the end if negative, and inside of the dim. */
static int64_t start_in(buddy_call *call, int64_t start, int64_t size) {
  if (!BUDDY_IS_SYMBOLIC(start) && start < 0) {
    start = be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_ADD, start, size), 0);
  }
  return start == 0 ? 0 : be_dim(call, BUDDY_DIM_MIN, start, size);
}

/* self, dim, start, end, step */
buddy_code la_emit_slice(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_box box = la_whole(call, from);
  const int64_t axis = be_axis(call, 1, from->rank, 0);
  la_ignore(call, 3, 1); /* the result's dims have it */
  if (be_same_dims(from, to)) la_ignore(call, 2, 3);
  if (be_same_dims(from, to)) return be_result(call, 0, be_tensor(call, 0));
  box.offsets[axis] = start_in(call, be_size(call, 2, 0), from->dims[axis]);
  box.strides[axis] = be_size(call, 4, 1);
  box.sizes[axis] = to->dims[axis];
  if (box.offsets[axis] == from->dims[axis]) return be_result(call, 0, be_empty(call, to));
  la_check_part(call, &box, axis, from->dims[axis]);
  return be_result(call, 0, la_extract(call, be_tensor(call, 0), &box, to));
}

/* The box at `index` of `axis`, which its part does without. */
static la_box box_at(buddy_call *call, const buddy_tensor_type *type, int64_t axis, int64_t index) {
  la_box box = la_whole(call, type);
  if (!BUDDY_IS_SYMBOLIC(index) && index < 0)
    index = be_dim(call, BUDDY_DIM_ADD, index, type->dims[axis]);
  box.offsets[axis] = index;
  box.sizes[axis] = 1;
  box.dropped = UINT64_C(1) << axis;
  return box;
}

/* self, dim, index */
buddy_code la_emit_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  const int64_t axis = be_axis(call, 1, from->rank, 0);
  const la_box box = box_at(call, from, axis, be_size(call, 2, 0));
  la_check_index(call, box.offsets[axis], from->dims[axis]);
  return be_result(call, 0, la_extract(call, be_tensor(call, 0), &box, be_result_type(call, 0)));
}

/* self, dim, start, length */
buddy_code la_emit_narrow(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_box box = la_whole(call, from);
  const int64_t axis = be_axis(call, 1, from->rank, 0);
  la_ignore(call, 3, 1);
  box.offsets[axis] = start_in(call, be_size(call, 2, 0), from->dims[axis]);
  box.sizes[axis] = to->dims[axis];
  la_check_part(call, &box, axis, from->dims[axis]);
  return be_result(call, 0, la_extract(call, be_tensor(call, 0), &box, to));
}

/* split, chunk, tensor_split, unbind: consecutive parts along an axis, sized as the results are. */
buddy_code la_emit_parts(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_parts *row = self->user;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  const int64_t axis = be_axis(call, row->axis_arg, from->rank, 0);
  la_ignore(call, 1, be_host->n_args(call) - 1);
  int64_t offset = 0;
  for (size_t i = 0; i < be_host->n_results(call); ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    la_box box = la_whole(call, from);
    if (box.rank != from->rank) return BUDDY_DECLINED;
    box.offsets[axis] = offset;
    box.sizes[axis] = row->drops_axis ? 1 : to->dims[axis];
    if (row->drops_axis) box.dropped = UINT64_C(1) << axis;
    offset = be_dim(call, BUDDY_DIM_ADD, offset, box.sizes[axis]);
    const buddy_code code = be_result(call, i, la_extract(call, be_tensor(call, 0), &box, to));
    if (code != BUDDY_OK) return code;
  }
  return BUDDY_OK;
}
const la_parts la_split = {.axis_arg = 2}, la_unbind = {.axis_arg = 1, .drops_axis = 1};

/* ---- Joining ---- */

/* Element i of a list of tensors as `dtype`, and its type. */
static MlirValue list_tensor(buddy_call *call, const buddy_arg *list, size_t i, buddy_dtype dtype,
                             const buddy_tensor_type **out_type) {
  const buddy_value *value = list->as.tensors[i];
  *out_type = be_value_type(call, value);
  if (*out_type) return la_cast(call, buddy_mlir_value(call, value), *out_type, dtype);
  be_decline(call, "element %zu of the list is not a tensor", i);
  return no_value;
}

/* cat and stack (tensors, dim): each tensor is inserted after the one before it. PyTorch lets cat
 * skip empty 1-d tensors, whatever the rank of the others. */
buddy_code la_emit_join(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const bool is_stack = self->user != NULL;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_arg *list = be_arg(call, 0);
  const int64_t axis = be_axis(call, 1, to->rank, 0);
  if (list->kind != BUDDY_ARG_TENSORS)
    return be_decline(call, "its first argument is not a list of tensors");
  MlirValue joined = be_empty(call, to);
  int64_t offset = 0;
  for (size_t i = 0; i < list->n; ++i) {
    const buddy_tensor_type *type = NULL;
    const MlirValue value = list_tensor(call, list, i, to->dtype, &type);
    if (!type || to->rank > BE_MAX_RANK) return !type ? BUDDY_DECLINED : rank_declined(call);
    if (!is_stack && type->rank == 1 && type->dims[0] == 0) continue;
    if (!is_stack && be_same_dims(type, to)) return be_result(call, 0, value);
    /* The tensor's own sizes: where the result's are symbolic they may be numbers, and the
     * reverse. */
    la_box box = la_whole(call, is_stack ? to : type);
    box.offsets[axis] = offset;
    if (is_stack) {
      box.sizes[axis] = 1;
      box.dropped = UINT64_C(1) << axis;
    }
    offset = be_dim(call, BUDDY_DIM_ADD, offset, box.sizes[axis]);
    joined = la_insert(call, value, joined, &box, to);
  }
  return be_result(call, 0, joined);
}

/* slice_scatter (self, src, dim, start, end, step) */
buddy_code la_emit_slice_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0), *source = be_arg_type(call, 1);
  la_box box = la_whole(call, to);
  const int64_t axis = be_axis(call, 2, to->rank, 0);
  la_ignore(call, 4, 1);
  box.offsets[axis] = start_in(call, be_size(call, 3, 0), to->dims[axis]);
  box.strides[axis] = be_size(call, 5, 1);
  box.sizes[axis] = source->dims[axis];
  la_check_part(call, &box, axis, to->dims[axis]);
  const MlirValue value = la_tensor_as(call, 1, to->dtype);
  return be_result(call, 0, la_insert(call, value, be_tensor(call, 0), &box, to));
}

/* select_scatter (self, src, dim, index) */
buddy_code la_emit_select_scatter(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t axis = be_axis(call, 2, to->rank, 0);
  const la_box box = box_at(call, to, axis, be_size(call, 3, 0));
  la_check_index(call, box.offsets[axis], to->dims[axis]);
  const MlirValue value = la_tensor_as(call, 1, to->dtype);
  return be_result(call, 0, la_insert(call, value, be_tensor(call, 0), &box, to));
}

/* ---- Elements from elsewhere in the operand ---- */

typedef struct reading {
  const buddy_tensor_type *from;
  uint64_t axes;                /* flip: the reversed ones */
  int64_t numbers[BE_MAX_RANK]; /* roll: how far; as_strided: the strides */
  int64_t offset, axis, other;
} reading;

static void flipped(const be_body *body, MlirValue *out, void *user) {
  const reading *r = user;
  for (uint32_t d = 0; d < r->from->rank; ++d) {
    out[d] = be_in_loop(body, d);
    if (!(r->axes >> d & 1)) continue;
    const MlirValue last =
        la_index_sub(body, be_in_index(body, r->from->dims[d]), be_in_index(body, 1));
    out[d] = la_index_sub(body, last, out[d]);
  }
}

/* self, dims; flip of no axes at all is a copy. */
buddy_code la_emit_flip(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  reading r = {.from = be_arg_type(call, 0)};
  const bool is_copy = be_arg(call, 1)->n == 0 && be_arg(call, 1)->kind == BUDDY_ARG_INTS;
  r.axes = is_copy ? 0 : be_axes(call, 1, r.from->rank);
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (r.axes == 0) return be_result(call, 0, be_tensor(call, 0));
  return be_result(call, 0, la_rearranged(call, be_tensor(call, 0), to, r.from->rank, flipped, &r));
}

/* Position p of the result is position (p + size - shift mod size) mod size of the operand. */
static void rolled(const be_body *body, MlirValue *out, void *user) {
  const reading *r = user;
  for (uint32_t d = 0; d < r->from->rank; ++d) {
    out[d] = be_in_loop(body, d);
    if (r->numbers[d] == 0) continue;
    const MlirValue moved = la_index_add(body, out[d], be_in_index(body, r->numbers[d]));
    out[d] = la_index_around(body, moved, be_in_index(body, r->from->dims[d]));
  }
}

/* self, shifts, dims; without dims the tensor is rolled as if it were flat. */
buddy_code la_emit_roll(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  const buddy_arg *axes = be_arg(call, 2);
  const bool is_flat = axes->kind != BUDDY_ARG_INTS || axes->n == 0;
  const int64_t n_elements = be_n_elements(call, from);
  const buddy_tensor_type *type = is_flat ? be_type(call, from->dtype, 1, &n_elements) : from;
  reading r = {.from = type};
  if (!type || type->rank > BE_MAX_RANK) return rank_declined(call);
  for (size_t k = 0; k < (is_flat ? 1 : axes->n); ++k) {
    int64_t axis = is_flat ? 0 : axes->as.ints[k];
    if (axis < 0) axis += type->rank;
    if (axis < 0 || axis >= (int64_t)type->rank)
      return be_decline(call, "axis %lld is not there", (long long)axis);
    const int64_t size = type->dims[axis];
    const int64_t back = be_dim(call, BUDDY_DIM_SUB, r.numbers[axis], be_size_at(call, 1, k, 0));
    if (size == 0) return be_result(call, 0, be_tensor(call, 0));
    const int64_t some = be_dim(call, BUDDY_DIM_MAX, size, 1); /* a run may find none */
    r.numbers[axis] = be_dim(call, BUDDY_DIM_MOD, back, some);
  }
  const MlirValue value = be_reshape(call, be_tensor(call, 0), from, type);
  const MlirValue moved = la_rearranged(call, value, type, type->rank, rolled, &r);
  return be_result(call, 0, be_reshape(call, moved, type, be_result_type(call, 0)));
}

/* The result's last dim walks along the diagonal; the others are the operand's, without its two
 * axes. */
static void on_diagonal(const be_body *body, MlirValue *out, void *user) {
  const reading *r = user;
  uint32_t loop = 0;
  for (int64_t d = 0; d < (int64_t)r->from->rank; ++d) {
    if (d != r->axis && d != r->other) out[d] = be_in_loop(body, loop++);
  }
  const MlirValue step = be_in_loop(body, loop);
  const MlirValue down = be_in_index(body, la_negative_part(body->call, r->offset));
  const MlirValue right = be_in_index(body, la_positive_part(body->call, r->offset));
  out[r->axis] = la_index_add(body, step, down);
  out[r->other] = la_index_add(body, step, right);
}

/* self, offset, dim1, dim2 */
buddy_code la_emit_diagonal(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  reading r = {.from = from,
               .offset = be_size(call, 1, 0),
               .axis = be_axis(call, 2, from->rank, 0),
               .other = be_axis(call, 3, from->rank, 1)};
  if (from->rank > BE_MAX_RANK) return rank_declined(call);
  return be_result(call, 0,
                   la_rearranged(call, be_tensor(call, 0), to, from->rank, on_diagonal, &r));
}

typedef struct embedding {
  MlirValue value;
  const buddy_tensor_type *from;
  uint32_t rank; /* of the result */
  int64_t offset, row, column;
} embedding;

/* The element of the operand where column - row is the offset, zero elsewhere. */
static MlirValue embedded(const be_body *body, const MlirValue *elements, void *user) {
  const embedding *e = user;
  MlirValue at[BE_MAX_RANK];
  (void)elements;
  uint32_t n = 0;
  for (int64_t d = 0; d < (int64_t)e->rank; ++d) {
    if (d != e->row && d != e->column) at[n++] = be_in_loop(body, (uint32_t)d);
  }
  const MlirValue row = be_in_loop(body, (uint32_t)e->row);
  const MlirValue column = be_in_loop(body, (uint32_t)e->column);
  const MlirValue edge = la_index_add(body, row, be_in_index(body, e->offset));
  const MlirValue is_on = be_in_compare(body, "eq", column, edge, BUDDY_I64);
  const MlirValue last =
      la_index_sub(body, be_in_index(body, e->from->dims[n]), be_in_index(body, 1));
  const MlirValue least = BE_IN(body, "arith.minsi", (MlirType){NULL}, row, column);
  const MlirValue place = BE_IN(body, "arith.minsi", (MlirType){NULL}, least, last);
  at[n] = BE_IN(body, "arith.maxsi", (MlirType){NULL}, place, be_in_index(body, 0));
  const MlirValue element = la_element(body, e->value, e->from->dtype, at, e->from->rank);
  return be_in_select(body, is_on, element, be_in_scalar_int(body, e->from->dtype, 0));
}

static buddy_code embed_diagonal(buddy_call *call, int64_t offset, int64_t row, int64_t column) {
  const buddy_tensor_type *to = be_result_type(call, 0), *from = be_arg_type(call, 0);
  embedding e = {be_tensor(call, 0), from, to->rank, offset, row, column};
  if (to->rank > BE_MAX_RANK) return rank_declined(call);
  if (from->dims[from->rank - 1] == 0) return be_result(call, 0, be_splat_int(call, to, 0));
  return be_result(call, 0, be_elementwise(call, to, NULL, NULL, 0, embedded, &e));
}

/* self, offset, dim1, dim2 */
buddy_code la_emit_diag_embed(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const uint32_t rank = be_result_type(call, 0)->rank;
  const int64_t row = be_axis(call, 2, rank, rank - 2), column = be_axis(call, 3, rank, rank - 1);
  if (be_arg_type(call, 0)->rank == 0) return be_decline(call, "a diagonal without elements");
  return embed_diagonal(call, be_size(call, 1, 0), row, column);
}

/* diag: the diagonal of a matrix, or the matrix with this diagonal: self, diagonal */
buddy_code la_emit_diag(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0);
  if (from->rank == 1) return embed_diagonal(call, be_size(call, 1, 0), 0, 1);
  if (from->rank != 2) return be_decline(call, "diag of a tensor of rank %u", from->rank);
  reading r = {.from = from, .offset = be_size(call, 1, 0), .axis = 0, .other = 1};
  const MlirValue value = be_tensor(call, 0);
  return be_result(call, 0,
                   la_rearranged(call, value, be_result_type(call, 0), 2, on_diagonal, &r));
}

/* Result dim `axis` steps over the operand's, the last one walks inside of a window. */
static void in_window(const be_body *body, MlirValue *out, void *user) {
  const reading *r = user;
  const uint32_t rank = r->from->rank;
  for (uint32_t d = 0; d < rank; ++d) out[d] = be_in_loop(body, d);
  if (rank == 0) return;
  const MlirValue begin = la_index_mul(body, out[r->axis], be_in_index(body, r->offset));
  out[r->axis] = la_index_add(body, begin, be_in_loop(body, rank));
}

/* self, dimension, size, step */
buddy_code la_emit_unfold(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 2, 1);
  reading r = {
      .from = from, .axis = be_axis(call, 1, from->rank, 0), .offset = be_size(call, 3, 1)};
  if (from->rank == 0) return be_result(call, 0, be_reshape(call, be_tensor(call, 0), from, to));
  return be_result(call, 0, la_rearranged(call, be_tensor(call, 0), to, from->rank, in_window, &r));
}

static void strided(const be_body *body, MlirValue *out, void *user) {
  const reading *r = user;
  out[0] = be_in_index(body, r->offset);
  for (uint32_t d = 0; d < (uint32_t)r->axis; ++d) {
    out[0] = la_index_add(
        body, out[0], la_index_mul(body, be_in_loop(body, d), be_in_index(body, r->numbers[d])));
  }
}

/* self, size, stride, storage_offset. Tensors are dense and row-major here, as PyTorch's are unless
 * they are views. */
buddy_code la_emit_as_strided(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const buddy_arg *strides = be_arg(call, 2);
  la_ignore(call, 1, 1);
  if (to->rank > BE_MAX_RANK || strides->n < to->rank) return rank_declined(call);
  const int64_t n = be_n_elements(call, from);
  reading r = {.from = from, .offset = be_size(call, 3, 0), .axis = to->rank};
  for (uint32_t d = 0; d < to->rank; ++d) r.numbers[d] = strides->as.ints[d];
  const MlirValue flat =
      be_reshape(call, be_tensor(call, 0), from, be_type(call, from->dtype, 1, &n));
  return be_result(call, 0, la_rearranged(call, flat, to, 1, strided, &r));
}

/* ---- Triangles ---- */

typedef struct triangle {
  uint32_t rank;
  int64_t diagonal;
  bool is_upper;
  buddy_dtype dtype;
} triangle;

/* Is column - row at least (upper) or at most (lower) the diagonal? */
static MlirValue in_triangle(const be_body *body, const MlirValue *elements, void *user) {
  const triangle *t = user;
  const MlirValue row = be_in_loop(body, t->rank - 2), column = be_in_loop(body, t->rank - 1);
  const MlirValue edge = la_index_add(body, row, be_in_index(body, t->diagonal));
  const MlirValue is_in = be_in_compare(body, t->is_upper ? "ge" : "le", column, edge, BUDDY_I64);
  return be_in_select(body, is_in, elements[0], be_in_scalar_int(body, t->dtype, 0));
}

/* tril, triu (self, diagonal) */
buddy_code la_emit_triangle(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  if (type->rank < 2) return be_decline(call, "a triangle needs a tensor of two dims or more");
  triangle t = {type->rank, be_size(call, 1, 0), self->user != NULL, type->dtype};
  const MlirValue value = be_tensor(call, 0);
  return be_result(
      call, 0, be_elementwise(call, be_result_type(call, 0), &value, &type, 1, in_triangle, &t));
}
