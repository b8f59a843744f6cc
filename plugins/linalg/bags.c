// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/bags.c: bags of embeddings: rows of a table that indices name, put together bag by bag.
 *
 * A loop over the bags, in each one over its indices, and along the row: a row is read once, and nothing is
 * stored but the bag's own row of the result. Short floats are put together in f32 and rounded once. */
#include <stdbool.h>

#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

enum { WEIGHT, INDICES, OFFSETS, SCALES_GRADIENT, MODE, SPARSE, SCALES, HAS_LAST, PADDING };
enum { SUM = 0, MEAN = 1, MAX = 2 };

typedef struct bags {
  buddy_call *call;
  MlirValue table, indices, offsets, scales; /* scales: of each index; null: none */
  const buddy_tensor_type *table_type, *indices_type, *offsets_type, *scales_type;
  buddy_dtype dtype; /* computed in */
  int64_t n, n_bags, mode, padding;
  bool pads;
  bool has_last; /* of the offsets there is one more, where the last bag ends, */
  bool stops;    /* and nothing of what is behind it is read */
  /* of a bag: */
  MlirValue bag, start;
  /* of an index: */
  MlirValue row, scale, is_first, position;
} bags;

static MlirValue index_min(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.minsi", same, a, b);
}
static MlirValue index_max(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.maxsi", same, a, b);
}

/* ---- Offsets --------------------------------------------------------------------------------- */

static MlirValue offset_at(const be_body *body, const bags *b, MlirValue at) {
  const MlirValue last =
      la_index_sub(body, be_in_index(body, b->offsets_type->dims[0]), be_in_index(body, 1));
  const MlirValue place = index_min(body, at, last);
  const MlirValue offset = la_as_index(
      body, be_in_cast(body, la_element(body, b->offsets, b->offsets_type->dtype, &place, 1),
                       b->offsets_type->dtype, BUDDY_I64));
  const MlirValue n = be_in_index(body, b->n);
  return index_max(body, index_min(body, offset, n), be_in_index(body, 0));
}

/* How many indices bag `at` has; counted: with those that are behind the last offset. */
static MlirValue size_of(const be_body *body, const bags *b, MlirValue at, bool is_counted) {
  const MlirValue next = la_index_add(body, at, be_in_index(body, 1));
  MlirValue end = offset_at(body, b, next);
  if (is_counted || !b->stops) {
    const MlirValue is_last =
        be_in_compare(body, "eq", next, be_in_index(body, b->n_bags), BUDDY_I64);
    end = be_in_select(body, is_last, be_in_index(body, b->n), end);
  }
  return index_max(body, la_index_sub(body, end, offset_at(body, b, at)), be_in_index(body, 0));
}

/* Not below the one before, nor beyond the indices; the first: 0. */
static MlirValue is_offset(const be_body *body, const MlirValue *elements, void *user) {
  const bags *b = user;
  const buddy_dtype dtype = b->offsets_type->dtype;
  const MlirValue zero = be_in_scalar_int(body, BUDDY_I64, 0), at = be_in_loop(body, 0),
                  first = be_in_index(body, 0), n = la_as_i64(body, be_in_index(body, b->n));
  const MlirValue is_first = be_in_compare(body, "eq", at, first, BUDDY_I64);
  const MlirValue before = be_in_select(body, is_first, first,
                                        BE_IN(body, "arith.subi", same, at, be_in_index(body, 1)));
  const MlirValue offset = be_in_cast(body, elements[0], dtype, BUDDY_I64);
  const MlirValue last =
      be_in_cast(body, la_element(body, b->offsets, dtype, &before, 1), dtype, BUDDY_I64);
  const MlirValue least = be_in_select(body, is_first, zero, last),
                  most = be_in_select(body, is_first, zero, n);
  return BE_IN(body, "arith.andi", same, be_in_compare(body, "ge", offset, least, BUDDY_I64),
               be_in_compare(body, "le", offset, most, BUDDY_I64));
}

/* ---- A bag ----------------------------------------------------------------------------------- */
/* carried: the result; how many indices were taken, of which those of padding are none; and, of the
 * largest, the indices they are of. */
enum { OUT, TAKEN, PLACES };

/* Along a row, at[0] is the place in it; carried: the result, then the places. */
static void add_element(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const bags *b = user;
  const MlirValue from[2] = {b->row, at[0]}, to[2] = {b->bag, at[0]};
  MlirValue x = be_in_cast(body, la_element(body, b->table, b->table_type->dtype, from, 2),
                           b->table_type->dtype, b->dtype);
  const MlirValue old = la_element(body, carried[0], b->dtype, to, 2);
  if (b->mode != MAX) {
    if (b->scale.ptr) x = la_apply(body, &la_mul, b->dtype, x, b->scale);
    carried[0] = la_write(body, la_apply(body, &la_add, b->dtype, old, x), carried[0], to, 2);
    return;
  }
  /* What is no number stays where the first is none, and is passed over in others. */
  const MlirValue wins =
      BE_IN(body, "arith.ori", same, b->is_first, be_in_compare(body, "gt", x, old, b->dtype));
  carried[0] = la_write(body, be_in_select(body, wins, x, old), carried[0], to, 2);
  if (!b->position.ptr) return;
  const MlirValue place = la_element(body, carried[1], BUDDY_I64, to, 2);
  carried[1] = la_write(body, be_in_select(body, wins, b->position, place), carried[1], to, 2);
}

static void clear_element(const be_body *body, const MlirValue *at, MlirValue *carried,
                          void *user) {
  const bags *b = user;
  const MlirValue to[2] = {b->bag, at[0]};
  carried[0] = la_write(body, be_in_scalar(body, b->dtype, 0), carried[0], to, 2);
  if (b->position.ptr)
    carried[1] = la_write(body, be_in_scalar_int(body, BUDDY_I64, 0), carried[1], to, 2);
}

static void divide_element(const be_body *body, const MlirValue *at, MlirValue *carried,
                           void *user) {
  const bags *b = user;
  const MlirValue to[2] = {b->bag, at[0]};
  const MlirValue sum = la_element(body, carried[0], b->dtype, to, 2);
  carried[0] = la_write(body, la_divide(body, b->dtype, sum, b->scale), carried[0], to, 2);
}

static void along_row(const be_body *body, bags *b, MlirValue *carried, la_step *step) {
  const MlirValue width = be_in_index(body, b->table_type->dims[1]);
  MlirValue both[2] = {carried[OUT], b->position.ptr ? carried[PLACES] : no_value};
  const la_nest nest = {1, &width, b->position.ptr ? 2 : 1, step, b};
  la_run_nest(body, &nest, both);
  carried[OUT] = both[0];
  if (b->position.ptr) carried[PLACES] = both[1];
}

static void take_row(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)at;
  along_row(body, user, carried, add_element);
  carried[TAKEN] = la_index_add(body, carried[TAKEN], be_in_index(body, 1));
}

static size_t n_carried(const bags *b) { return b->position.ptr ? 3 : 2; }

/* at[0]: which of the bag's indices */
static void take_index(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  bags b = *(const bags *)user;
  const MlirValue place = la_index_add(body, b.start, at[0]);
  const buddy_dtype dtype = b.indices_type->dtype;
  const MlirValue index = la_element(body, b.indices, dtype, &place, 1);
  b.row = la_index_of(body, index, dtype, be_in_index(body, b.table_type->dims[0]), 0);
  if (b.position.ptr) b.position = be_in_cast(body, index, dtype, BUDDY_I64);
  if (b.scales.ptr)
    b.scale = be_in_cast(body, la_element(body, b.scales, b.scales_type->dtype, &place, 1),
                         b.scales_type->dtype, b.dtype);
  b.is_first = be_in_compare(body, "eq", carried[TAKEN], be_in_index(body, 0), BUDDY_I64);
  if (!b.pads) {
    take_row(body, at, carried, &b);
    return;
  }
  const MlirValue is_real =
      be_in_compare(body, "ne", b.row, be_in_index(body, b.padding), BUDDY_I64);
  la_when(body, is_real, n_carried(&b), carried, take_row, &b);
}

/* carried: the result and the places */
static void fill_bag(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  bags b = *(const bags *)user;
  MlirValue all[3] = {carried[0], be_in_index(body, 0), carried[1]};
  b.bag = at[0];
  b.start = offset_at(body, &b, at[0]);
  along_row(body, &b, all, clear_element);
  const MlirValue size = size_of(body, &b, at[0], false);
  const la_nest nest = {1, &size, n_carried(&b), take_index, &b};
  la_run_nest(body, &nest, all);
  if (b.mode == MEAN) {
    const MlirValue n = b.pads ? all[TAKEN] : size_of(body, &b, at[0], true);
    b.scale = be_in_cast(body, la_as_i64(body, index_max(body, n, be_in_index(body, 1))), BUDDY_I64,
                         b.dtype);
    along_row(body, &b, all, divide_element);
  }
  carried[0] = all[OUT];
  carried[1] = all[PLACES];
}

/* The bags, or, with_places, the indices that their largest are of. */
static MlirValue filled_bags(buddy_call *call, const bags *from, const buddy_tensor_type *to,
                             bool with_places) {
  bags b = *from;
  const buddy_tensor_type *wide = be_with_dtype(call, to, b.dtype),
                          *places = be_with_dtype(call, to, BUDDY_I64);
  if (!wide || !places) return no_value;
  const be_body block = la_block(call);
  const MlirValue end = be_index(call, b.n_bags);
  MlirValue carried[2] = {be_empty(call, wide), with_places ? be_empty(call, places) : no_value};
  if (with_places) b.position = be_scalar_int(call, BUDDY_I64, 0);
  const la_nest nest = {1, &end, with_places ? 2 : 1, fill_bag, &b};
  la_run_nest(&block, &nest, carried);
  return with_places ? la_cast(call, carried[1], places, to->dtype)
                     : la_cast(call, carried[0], wide, to->dtype);
}

/* ---- Which bag an index is in, and how many there are in a bag --------------------------------- */

static void name_index(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const bags *b = user;
  const MlirValue place = la_index_add(body, b->start, at[0]);
  carried[0] = la_write(body, la_as_i64(body, b->bag), carried[0], &place, 1);
}

static void name_indices(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  bags b = *(const bags *)user;
  b.bag = at[0];
  b.start = offset_at(body, &b, at[0]);
  const MlirValue size = size_of(body, &b, at[0], true);
  const la_nest nest = {1, &size, 1, name_index, &b};
  la_run_nest(body, &nest, carried);
}

/* carried: how many are no padding */
static void count_index(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const bags *b = user;
  const MlirValue place = la_index_add(body, b->start, at[0]);
  const buddy_dtype dtype = b->indices_type->dtype;
  const MlirValue index = la_as_index(
      body, be_in_cast(body, la_element(body, b->indices, dtype, &place, 1), dtype, BUDDY_I64));
  const MlirValue is_real =
      be_in_compare(body, "ne", index, be_in_index(body, b->padding), BUDDY_I64);
  const MlirValue one = be_in_select(body, is_real, be_in_index(body, 1), be_in_index(body, 0));
  carried[0] = la_index_add(body, carried[0], one);
}

static void count_indices(const be_body *body, const MlirValue *at, MlirValue *carried,
                          void *user) {
  bags b = *(const bags *)user;
  MlirValue n = size_of(body, &b, at[0], true);
  if (b.pads) {
    const MlirValue size = n;
    b.start = offset_at(body, &b, at[0]);
    n = be_in_index(body, 0);
    const la_nest nest = {1, &size, 1, count_index, &b};
    la_run_nest(body, &nest, &n);
  }
  carried[0] = la_write(body, la_as_i64(body, n), carried[0], at, 1);
}

static MlirValue by_bags(buddy_call *call, bags *b, const buddy_tensor_type *to, la_step *step) {
  const buddy_tensor_type *type = be_with_dtype(call, to, BUDDY_I64);
  const MlirValue end = be_index(call, b->n_bags);
  MlirValue carried = type ? be_empty(call, type) : no_value;
  const be_body block = la_block(call);
  const la_nest nest = {1, &end, 1, step, b};
  la_run_nest(&block, &nest, &carried);
  return type ? la_cast(call, carried, type, to->dtype) : no_value;
}

static bool is_list(const buddy_tensor_type *type, int64_t n) {
  return type->rank == 1 && type->dims[0] == n;
}

/* What else PyTorch's kernels leave behind depends on which of them it takes; what they do not
 * compute is 0 here. Loops whose result nobody reads are not kept. */
static MlirValue other_result(buddy_call *call, bags *b, size_t i, const buddy_tensor_type *to) {
  const buddy_tensor_type *rows = be_result_type(call, 0);
  if (i == 1 && is_list(to, b->n)) return by_bags(call, b, to, name_indices);
  if (i == 3 && b->mode == MAX && be_same_dims(to, rows)) return filled_bags(call, b, to, true);
  if (i > 1 && b->mode != SUM && is_list(to, b->n_bags)) return by_bags(call, b, to, count_indices);
  return be_filled(call, to, be_scalar_int(call, to->dtype, 0));
}

/* ---- The rows of the registry ------------------------------------------------------------------ */

static bags read_bags(buddy_call *call, bool wraps) {
  bags b = {.call = call,
            .table = be_tensor(call, WEIGHT),
            .indices = be_tensor(call, INDICES),
            .offsets = be_tensor(call, OFFSETS),
            .scales = be_is_none(call, SCALES) ? no_value : be_tensor(call, SCALES),
            .table_type = be_arg_type(call, WEIGHT),
            .indices_type = be_arg_type(call, INDICES),
            .offsets_type = be_arg_type(call, OFFSETS),
            .scales_type = be_arg_type(call, SCALES),
            .mode = be_int(call, MODE, SUM),
            .has_last = be_bool(call, HAS_LAST),
            .padding = be_host->n_args(call) > PADDING ? be_int(call, PADDING, -1) : -1};
  b.dtype = la_opmath(b.table_type->dtype);
  b.n_bags = be_result_type(call, 0)->dims[0];
  b.n = b.indices_type->rank == 1 ? b.indices_type->dims[0] : 0;
  b.pads = b.padding >= 0 || (wraps && !be_is_none(call, PADDING));
  if (b.pads && b.padding < 0)
    b.padding = be_dim(call, BUDDY_DIM_ADD, b.table_type->dims[0], b.padding);
  /* The kernel that PyTorch takes then leaves out what is after the last offset, and counts it. */
  b.stops = b.has_last && !b.pads && b.mode != MAX && b.table_type->dtype != BUDDY_F64;
  return b;
}

/* weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
 * include_last_offset, padding_idx: the bags, which bag each index is in, and their sizes. A
 * negative padding_idx means none, but counts from the table's end if the row says so: user */
buddy_code la_emit_bags(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  la_ignore(call, SCALES_GRADIENT, 1);
  la_ignore(call, SPARSE, 1);
  bags b = read_bags(call, self->user);
  if (b.indices_type->rank != 1 || b.offsets_type->rank != 1 || b.table_type->rank != 2 ||
      !be_is_float(b.table_type->dtype))
    return be_decline(call, "indices that are no vector, or a table of no floats");
  la_check_all(call, b.offsets, b.offsets_type, is_offset, &b,
               "an offset of embedding_bag is below the one before, after the indices, or, the "
               "first, not 0");
  la_check_indices(call, b.indices, b.indices_type, b.table_type->dims[0], 0, 1);
  buddy_code code = be_result(call, 0, filled_bags(call, &b, be_result_type(call, 0), false));
  for (size_t i = 1; i < be_host->n_results(call) && code == BUDDY_OK; ++i) {
    const buddy_tensor_type *to = be_result_type(call, i);
    if (to) code = be_result(call, i, other_result(call, &b, i, to));
  }
  return code;
}
