// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/shape.c: ops that only rearrange: views, permutations, pieces, joins, filled
 * tensors. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "plugins/composite/rows.h"

/* ---- Views: the result type says all --------------------------------------------------------- */
buddy_code cp_op_view(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return cp_finish_shaped(call, 0, be_arg_value(call, 0));
}

/* ---- The same bits --------------------------------------------------------------------------- */
static buddy_dtype int_of_size(size_t size) {
  return size == 1 ? BUDDY_I8 : size == 2 ? BUDDY_I16 : size == 4 ? BUDDY_I32 : BUDDY_I64;
}

/* Between dtypes of one size: for a registry that has casts of bits. */
static value same_bits(buddy_call *call, value a, buddy_dtype dtype) {
  const buddy_tensor_type *type = cp_type(call, a);
  if (!type || type->dtype == dtype) return a;
  return BE_NODE(call, "aten.view.dtype", be_with_dtype(call, type, dtype), be_t("self", a),
                 be_d("dtype", dtype));
}

/* Multiples of a piece's bits, for the pieces of a number from the lowest on. */
static value shifts(buddy_call *call, int64_t n_pieces, size_t piece) {
  return cp_mul_number(call, cp_iota(call, n_pieces, BUDDY_I64), 8.0 * (double)piece);
}

/* Numbers of `from` bytes in pieces of `to`, which become more elements of the last dim. */
static value split_bits(buddy_call *call, value a, size_t from, size_t to) {
  const buddy_tensor_type *type = cp_type(call, a);
  int64_t dims[BE_MAX_RANK];
  if (!type || type->rank + 1 > BE_MAX_RANK) return NULL;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[type->rank] = 1;
  value bits = cp_cast(call, same_bits(call, a, int_of_size(from)), BUDDY_I64);
  bits =
      cp_binary(call, "aten.bitwise_right_shift.Tensor", cp_view(call, bits, type->rank + 1, dims),
                shifts(call, (int64_t)(from / to), to));
  return cp_cast(call, bits, int_of_size(to));
}

/* The other way round: `to / from` elements of the last dim become one. */
static value join_bits(buddy_call *call, value a, size_t from, size_t to) {
  const buddy_tensor_type *type = cp_type(call, a);
  const int64_t n = (int64_t)(to / from), mask = ((int64_t)1 << (8 * from)) - 1;
  int64_t dims[BE_MAX_RANK];
  if (!type || type->rank == 0 || type->rank + 1 > BE_MAX_RANK) return NULL;
  memcpy(dims, type->dims, type->rank * sizeof(*dims));
  dims[type->rank - 1] = be_dim(call, BUDDY_DIM_FLOORDIV, dims[type->rank - 1], n);
  dims[type->rank] = n;
  value bits = cp_cast(call, same_bits(call, a, int_of_size(from)), BUDDY_I64);
  if (!bits) return NULL;
  bits = cp_dim(call, "aten.bitwise_and.Tensor", bits, mask);
  bits = cp_binary(call, "aten.bitwise_left_shift.Tensor",
                   cp_view(call, bits, type->rank + 1, dims), shifts(call, n, from));
  return cp_cast(call, cp_sum(call, bits, 1ull << type->rank, 0), int_of_size(to));
}

/* view.dtype: self, dtype. What has as many bytes is another registry's; user: or is a copy. */
buddy_code cp_op_view_bits(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *from = be_arg_type(call, 0), *to = be_result_type(call, 0);
  const size_t before = be_bytes(from->dtype), after = be_bytes(to->dtype);
  value a = be_arg_value(call, 0);
  if (be_is_complex(from->dtype) || be_is_complex(to->dtype))
    return be_decline(call, "the bits of complex numbers");
  if (from->dtype == BUDDY_BOOL || to->dtype == BUDDY_BOOL)
    return be_decline(call, "the bits of truth values");
  if (before == after && !self->user) return be_decline(call, "a cast of bits is a simple op");
  if (before > after) a = split_bits(call, a, before, after);
  if (before < after) a = join_bits(call, a, before, after);
  a = same_bits(call, cp_view(call, a, to->rank, to->dims), to->dtype);
  return be_replace(call, 0, a);
}

buddy_code cp_op_expand(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  return be_replace(call, 0, cp_expand(call, be_arg_value(call, 0), to->rank, to->dims));
}

buddy_code cp_op_broadcast_tensors(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < tensors->n && code == BUDDY_OK; ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    code = be_replace(call, i, cp_expand(call, tensors->as.tensors[i], to->rank, to->dims));
  }
  return code;
}

/* A list of tensors, each seen with the dims of its result. */
buddy_code cp_op_views(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < tensors->n && code == BUDDY_OK; ++i) {
    code = cp_finish_shaped(call, i, tensors->as.tensors[i]);
  }
  return code;
}

/* resize, resize_as: self: its elements in order, as many as the result has; those that it has not,
 * which PyTorch leaves to chance, are 0. */
buddy_code cp_op_resize(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t n_to = be_n_elements(call, to), n_from = be_n_elements(call, be_arg_type(call, 0));
  const int64_t missing = be_dim(call, BUDDY_DIM_MAX, be_dim(call, BUDDY_DIM_SUB, n_to, n_from), 0);
  value flat = cp_flat(call, be_arg_value(call, 0));
  if (flat && missing != 0) {
    const int64_t pad[2] = {0, missing}, n = be_dim(call, BUDDY_DIM_ADD, n_from, missing);
    flat = BE_NODE(call, "aten.constant_pad_nd.default", be_type(call, to->dtype, 1, &n),
                   be_t("self", flat), be_is("pad", pad, 2));
  }
  flat = cp_slice(call, flat, 0, 0, n_to, 1);
  return cp_finish_shaped(call, 0, flat);
}

/* A number or the result's own dtype: nothing but a copy. */
buddy_code cp_op_same(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return be_replace(call, 0, be_arg_value(call, 0));
}

/* chalf: self, memory_format: what the result's dtype says */
buddy_code cp_op_cast(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  return cp_finish(call, be_arg_value(call, 0));
}

/* ---- Permutations ---------------------------------------------------------------------------- */
buddy_code cp_op_transpose(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const uint32_t rank = cp_type(call, a)->rank;
  const int64_t dim0 = be_axis(call, 1, rank, 0), dim1 = be_axis(call, 2, rank, 0);
  return be_replace(call, 0, rank < 2 ? a : cp_swap(call, a, (uint32_t)dim0, (uint32_t)dim1));
}

buddy_code cp_op_permute(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  return be_replace(call, 0, cp_permute(call, be_arg_value(call, 0), be_arg(call, 1)->as.ints));
}

/* t, numpy_T, mT: the last two dims, or all of them, the other way round. */
buddy_code cp_op_reverse(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  value a = be_arg_value(call, 0);
  const uint32_t rank = cp_type(call, a)->rank;
  if (rank < 2) return be_replace(call, 0, a);
  if (self->user) return be_replace(call, 0, cp_swap(call, a, rank - 2, rank - 1));
  if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
  int64_t perm[BE_MAX_RANK];
  for (uint32_t d = 0; d < rank; ++d) perm[d] = rank - 1 - d;
  return be_replace(call, 0, cp_permute(call, a, perm));
}

buddy_code cp_op_movedim(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const uint32_t rank = cp_type(call, a)->rank;
  const buddy_arg *source = be_arg(call, 1), *destination = be_arg(call, 2);
  if (rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", rank, BE_MAX_RANK);
  int64_t perm[BE_MAX_RANK];
  int taken[BE_MAX_RANK] = {0};
  for (uint32_t d = 0; d < rank; ++d) perm[d] = -1;
  const size_t n = source->kind == BUDDY_ARG_INTS ? source->n : 1;
  for (size_t k = 0; k < n; ++k) {
    int64_t from = source->kind == BUDDY_ARG_INTS ? source->as.ints[k] : source->as.i;
    int64_t to = destination->kind == BUDDY_ARG_INTS ? destination->as.ints[k] : destination->as.i;
    from += from < 0 ? rank : 0;
    to += to < 0 ? rank : 0;
    if (from < 0 || from >= rank || to < 0 || to >= rank)
      return be_decline(call, "a dim is out of range");
    perm[to] = from;
    taken[from] = 1;
  }
  uint32_t next = 0;
  for (uint32_t d = 0; d < rank; ++d) {
    if (perm[d] >= 0) continue;
    while (next < rank && taken[next]) ++next;
    perm[d] = next++;
  }
  return be_replace(call, 0, cp_permute(call, a, perm));
}

/* ---- Pieces: split, chunk, unbind … each result's type says how long it is ------------------- */
buddy_code cp_op_pieces(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *from = cp_type(call, a);
  const uint32_t dim = (uint32_t)be_axis(call, be_host->n_args(call) - 1, from->rank, 0);
  int64_t start = 0;
  for (size_t i = 0; i < be_host->n_results(call); ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    const int64_t size = to->rank == from->rank ? to->dims[dim] : 1; /* unbind drops the dim */
    value piece = cp_slice(call, a, dim, start, size, 1);
    const buddy_code code = cp_finish_shaped(call, i, piece);
    if (code != BUDDY_OK) return code;
    start = be_dim(call, BUDDY_DIM_ADD, start, size);
  }
  return BUDDY_OK;
}

buddy_code cp_op_select(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, cp_type(call, a)->rank, 0);
  value piece = cp_slice(call, a, dim, be_size(call, 2, 0), 1, 1);
  return cp_finish_shaped(call, 0, piece);
}

buddy_code cp_op_narrow(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, cp_type(call, a)->rank, 0);
  return be_replace(call, 0, cp_slice(call, a, dim, be_size(call, 2, 0), be_size(call, 3, 0), 1));
}

/* ---- Joins ----------------------------------------------------------------------------------- */
static value cat(buddy_call *call, const value *parts, size_t n, int64_t dim,
                 const buddy_tensor_type *to) {
  return BE_NODE(call, "aten.cat.default", to, be_ts("tensors", parts, n), be_i("dim", dim));
}

buddy_code cp_op_stack(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  const buddy_arg *tensors = be_arg(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const uint32_t dim = (uint32_t)be_axis(call, 1, to->rank, 0);
  value *parts = be_host->scratch(call, (tensors->n + 1) * sizeof(value));
  if (!parts) return BUDDY_OUT_OF_MEMORY;
  if (to->rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, to->dims, to->rank * sizeof(*dims));
  dims[dim] = 1;
  for (size_t i = 0; i < tensors->n; ++i) {
    parts[i] = cp_cast(call, cp_view(call, tensors->as.tensors[i], to->rank, dims), to->dtype);
  }
  return be_replace(call, 0, cat(call, parts, tensors->n, dim, to));
}

/* repeat and tile: a dim of size s repeated r times is [1, s] expanded to [r, s], read as r*s. */
buddy_code cp_op_repeat(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *from = cp_type(call, a), *to = be_result_type(call, 0);
  const buddy_arg *repeats = be_arg(call, 1);
  if (2 * to->rank > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK / 2);
  int64_t apart[BE_MAX_RANK], wide[BE_MAX_RANK];
  for (uint32_t d = 0; d < to->rank; ++d) {
    const uint32_t missing = to->rank - from->rank, unlisted = to->rank - (uint32_t)repeats->n;
    const int64_t size = d < missing ? 1 : from->dims[d - missing];
    apart[2 * d] = 1;
    apart[2 * d + 1] = size;
    wide[2 * d] = d < unlisted ? 1 : repeats->as.ints[d - unlisted];
    wide[2 * d + 1] = size;
  }
  value spread = cp_expand(call, cp_view(call, a, 2 * to->rank, apart), 2 * to->rank, wide);
  return cp_finish_shaped(call, 0, spread);
}

buddy_code cp_op_repeat_interleave(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  (void)be_arg(call, 3); /* output_size: what the result type says, too */
  value a = be_arg_value(call, 0);
  const int64_t times = be_size(call, 1, 1);
  if (be_is_none(call, 2)) {
    const int64_t n = be_n_elements(call, cp_type(call, a));
    a = cp_view(call, a, 1, &n);
  }
  const buddy_tensor_type *from = cp_type(call, a);
  const uint32_t dim = (uint32_t)be_axis(call, 2, from->rank, 0);
  if (from->rank + 1 > BE_MAX_RANK)
    return be_decline(call, "rank %u is above %d", from->rank, BE_MAX_RANK - 1);
  int64_t apart[BE_MAX_RANK], wide[BE_MAX_RANK];
  for (uint32_t d = 0, k = 0; d < from->rank; ++d) {
    apart[k] = wide[k] = from->dims[d];
    ++k;
    if (d != dim) continue;
    apart[k] = 1;
    wide[k++] = times;
  }
  value spread = cp_expand(call, cp_view(call, a, from->rank + 1, apart), from->rank + 1, wide);
  return cp_finish_shaped(call, 0, spread);
}

enum { MOST_DIFFERENCES = 64 };

/* n-th difference along a dim, with what is put before and after. */
buddy_code cp_op_diff(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *type = cp_type(call, a);
  const buddy_dtype dtype = be_result_type(call, 0)->dtype; /* of all that is put together */
  const uint32_t dim = (uint32_t)be_axis(call, 2, type->rank, 0);
  const int64_t times = be_int(call, 1, 1);
  value parts[3];
  size_t n = 0;
  if (times == 0) { /* then nothing is put in front or after, either */
    cp_read_all(call);
    return be_replace(call, 0, a);
  }
  if (!be_is_none(call, 3)) parts[n++] = be_arg_value(call, 3);
  parts[n++] = a;
  if (!be_is_none(call, 4)) parts[n++] = be_arg_value(call, 4);
  if (n > 1) {
    int64_t dims[BE_MAX_RANK], size = 0;
    for (size_t i = 0; i < n; ++i)
      size = be_dim(call, BUDDY_DIM_ADD, size, cp_type(call, parts[i])->dims[dim]);
    memcpy(dims, type->dims, type->rank * sizeof(*dims));
    dims[dim] = size;
    for (size_t i = 0; i < n; ++i) parts[i] = cp_cast(call, parts[i], dtype);
    a = cat(call, parts, n, dim, be_type(call, dtype, type->rank, dims));
  }
  if (a && BUDDY_IS_SYMBOLIC(cp_type(call, a)->dims[dim]) && times > MOST_DIFFERENCES)
    return be_decline(call, "more than %d differences of a symbolic dim", MOST_DIFFERENCES);
  for (int64_t k = 0; k < times && a && cp_type(call, a)->dims[dim] != 0; ++k) {
    value next = cp_neighbours(call, a, dim, 1), before = cp_neighbours(call, a, dim, 0);
    a = dtype == BUDDY_BOOL ? cp_binary(call, "aten.logical_xor.default", next, before)
                            : cp_sub(call, next, before);
  }
  return be_replace(call, 0, a);
}

/* self[..., None] == arange(classes) */
buddy_code cp_op_one_hot(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  value a = be_arg_value(call, 0);
  const buddy_tensor_type *to = be_result_type(call, 0);
  if (to->rank > BE_MAX_RANK) return be_decline(call, "rank %u is above %d", to->rank, BE_MAX_RANK);
  int64_t dims[BE_MAX_RANK];
  memcpy(dims, to->dims, to->rank * sizeof(*dims));
  const int64_t classes = dims[to->rank - 1];
  dims[to->rank - 1] = 1;
  value is_small = cp_dim(call, "aten.lt.Tensor", a, classes);
  a = cp_checked(call, a,
                 cp_binary(call, "aten.logical_and.default", is_small,
                           cp_number(call, "aten.ge.Tensor", a, 0)),
                 "a class of one_hot is negative, or not below the number of classes");
  value is_class = cp_binary(call, "aten.eq.Tensor", cp_view(call, a, to->rank, dims),
                             cp_iota(call, classes, BUDDY_I64));
  return cp_finish(call, is_class);
}

/* ---- Filled tensors -------------------------------------------------------------------------- */
/* zeros, ones and their _like and new_ forms: user is the number. */
buddy_code cp_op_filled(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  return be_replace(call, 0, cp_full(call, be_result_type(call, 0), (double)(intptr_t)self->user));
}

/* full_like, new_full, scalar_tensor: user says which argument the number is. */
buddy_code cp_op_full(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  return be_replace(
      call, 0,
      BE_NODE(call, "aten.full.default", to, be_is("size", to->dims, to->rank),
              be_pass(call, "fill_value", (size_t)(intptr_t)self->user), be_d("dtype", to->dtype)));
}

/* arange(end) and arange(start, end) */
buddy_code cp_op_arange(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const bool has_start = self->user != NULL;
  return be_replace(
      call, 0,
      BE_NODE(call, "aten.arange.start_step", to,
              has_start ? be_pass(call, "start", 0) : be_i("start", 0),
              be_pass(call, "end", has_start ? 1 : 0), be_i("step", 1), be_d("dtype", to->dtype)));
}

/* range: start, end, step: as arange, but end is in it */
buddy_code cp_op_range(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const buddy_dtype wide = be_is_float(to->dtype) && to->dtype != BUDDY_F64 ? BUDDY_F32 : BUDDY_F64;
  const buddy_arg *third = be_arg(call, 2);
  const bool has_step = third->kind == BUDDY_ARG_INT || third->kind == BUDDY_ARG_FLOAT;
  value steps = cp_iota(call, to->dims[0], wide);
  steps = cp_mul_number(call, steps, has_step ? be_float(call, 2, 1) : 1);
  return cp_finish(call, cp_add_number(call, steps, be_float(call, 0, 0)));
}

/* prims.iota(length, start, step): PyTorch's decompositions make it of arange. */
buddy_code cp_op_iota(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  cp_read_all(call);
  const buddy_tensor_type *to = be_result_type(call, 0);
  const int64_t length = be_size(call, 0, 0), start = be_size(call, 1, 0),
                step = be_size(call, 2, 1);
  const int64_t end = be_dim(call, BUDDY_DIM_ADD, start, be_dim(call, BUDDY_DIM_MUL, length, step));
  return be_replace(call, 0,
                    BE_NODE(call, "aten.arange.start_step", to, be_i("start", start),
                            be_i("end", end), be_i("step", step), be_d("dtype", to->dtype)));
}
