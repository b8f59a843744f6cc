// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/unique.c: the distinct elements, or rows along an axis, of a tensor.
 *
 * Positions are put in order (sort.c), or taken as they are where only neighbours are compared.
 * One walk over them counts where a row differs from the one before it; a second one writes.
 * NaN differs from everything, itself included, as it does in PyTorch. */

#include <stdbool.h>
#include "plugins/linalg/counted.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

const la_unique la_unique_old = {.inverse_arg = 3},
                la_unique_flat = {.inverse_arg = 3, .counts_arg = 4},
                la_unique_dim = {.dim_arg = 2, .inverse_arg = 4, .counts_arg = 5},
                la_unique_consecutive = {.inverse_arg = 2,
                                         .counts_arg = 3,
                                         .dim_arg = 4,
                                         .is_presorted = true},
                la_unique_dim_consecutive = {
                    .dim_arg = 2, .inverse_arg = 3, .counts_arg = 4, .is_presorted = true};

typedef struct walking {
  const buddy_tensor_type *type, *kept; /* of the rows; of the distinct ones */
  MlirValue value, positions;
  uint32_t axis;
  MlirValue row_ends[BE_MAX_RANK]; /* the dims, 1 for the axis */
  MlirValue a, b;                  /* positions that are compared, or copied from and to */
} walking;

static MlirValue element(const be_body *body, const walking *w, const MlirValue *at,
                         MlirValue position) {
  MlirValue place[BE_MAX_RANK];
  for (uint32_t d = 0; d < w->type->rank; ++d) place[d] = d == w->axis ? position : at[d];
  return la_element(body, w->value, w->type->dtype, place, w->type->rank);
}

/* carried: do they differ */
static void compare_place(const be_body *body, const MlirValue *at, MlirValue *carried,
                          void *user) {
  const walking *w = user;
  const MlirValue differs = be_in_compare(body, "ne", element(body, w, at, w->a),
                                          element(body, w, at, w->b), w->type->dtype);
  carried[0] = BE_IN(body, "arith.ori", same, carried[0], differs);
}

static MlirValue position_of(const be_body *body, const walking *w, MlirValue k) {
  return la_as_index(body, la_element(body, w->positions, BUDDY_I64, &k, 1));
}

/* Is row k the first of its kind? */
static MlirValue is_new(const be_body *body, const walking *walk, MlirValue k) {
  walking w = *walk;
  const MlirValue zero = be_in_index(body, 0), one = be_in_index(body, 1);
  const MlirValue is_first = be_in_compare(body, "eq", k, zero, BUDDY_I64);
  const MlirValue before = be_in_select(body, is_first, zero, la_index_sub(body, k, one));
  w.a = position_of(body, &w, k);
  w.b = position_of(body, &w, before);
  MlirValue carried = be_in_scalar_int(body, BUDDY_BOOL, 0);
  const la_nest nest = {w.type->rank, w.row_ends, 1, compare_place, &w};
  la_run_nest(body, &nest, &carried);
  return BE_IN(body, "arith.ori", same, is_first, carried);
}

/* carried: how many there are */
static void count_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const MlirValue more = la_index_add(body, carried[0], be_in_index(body, 1));
  carried[0] = be_in_select(body, is_new(body, user, at[0]), more, carried[0]);
}

/* carried: the distinct rows */
static void copy_place(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const walking *w = user;
  MlirValue place[BE_MAX_RANK];
  for (uint32_t d = 0; d < w->type->rank; ++d) place[d] = d == w->axis ? w->b : at[d];
  carried[0] = la_write(body, element(body, w, at, w->a), carried[0], place, w->type->rank);
}

/* carried: the distinct rows, and how many there are */
static void keep_row(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const walking *w = user;
  (void)at;
  const la_nest nest = {w->type->rank, w->row_ends, 1, copy_place, user};
  la_run_nest(body, &nest, carried);
  carried[1] = la_index_add(body, carried[1], be_in_index(body, 1));
}

/* carried: the distinct rows, how many there are, which one each row is, and how often each is */
static void visit(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  walking w = *(const walking *)user;
  w.a = position_of(body, &w, at[0]);
  w.b = carried[1];
  la_when(body, is_new(body, &w, at[0]), 2, carried, keep_row, &w);
  const MlirValue last = la_index_sub(body, carried[1], be_in_index(body, 1));
  carried[2] = la_write(body, la_as_i64(body, last), carried[2], &w.a, 1);
  const MlirValue so_far = la_element(body, carried[3], BUDDY_I64, &last, 1);
  const MlirValue more =
      BE_IN(body, "arith.addi", same, so_far, be_in_scalar_int(body, BUDDY_I64, 1));
  carried[3] = la_write(body, more, carried[3], &last, 1);
}

/* Result i, a list of whole numbers that the program may not want, of the dims it is to have. */
static buddy_code list_result(buddy_call *call, size_t i, size_t arg, MlirValue list,
                              const buddy_tensor_type *type) {
  const buddy_tensor_type *to = be_result_type(call, i);
  const bool is_unwanted = to->rank == 1 && to->dims[0] == 0 && (arg == 0 || !be_bool(call, arg));
  if (is_unwanted) return be_result(call, i, be_empty(call, to));
  const MlirValue cast = la_cast(call, list, type, to->dtype);
  return be_result(call, i, be_reshape(call, cast, be_with_dtype(call, type, to->dtype), to));
}

/* PyTorch's kernel tells no rows without elements apart, not even where there is none. */
static void check_rows(buddy_call *call, const buddy_tensor_type *type, uint32_t axis) {
  const be_body block = la_block(call);
  int64_t n = 1;
  for (uint32_t d = 0; d < type->rank; ++d) {
    if (d != axis) n = be_dim(call, BUDDY_DIM_MUL, n, type->dims[d]);
  }
  if (!BUDDY_IS_SYMBOLIC(n) && n > 0) return;
  be_assert(call, be_in_compare(&block, "ne", be_index(call, n), be_index(call, 0), BUDDY_I64),
            "the distinct rows of a tensor whose rows have no elements");
}

/* self, …; results: the distinct ones, which one each is, how often each is */
buddy_code la_emit_unique(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_unique *row = self->user;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  walking w = {.type = be_arg_type(call, 0), .value = be_tensor(call, 0)};
  const bool has_axis = row->dim_arg != 0 && !be_is_none(call, row->dim_arg - 1u);
  if (has_axis && w.type->rank > 0) {
    w.axis = (uint32_t)be_axis(call, row->dim_arg - 1u, w.type->rank, 0);
    check_rows(call, w.type, w.axis);
  } else {
    const int64_t n = be_n_elements(call, w.type);
    const buddy_tensor_type *flat = be_type(call, w.type->dtype, 1, &n);
    if (!flat) return be_result(call, 0, no_value);
    w.value = be_reshape(call, w.value, w.type, flat);
    w.type = flat;
  }
  w.kept = be_result_type(call, 0);
  if (w.type->rank > BE_MAX_RANK || w.kept->rank != w.type->rank)
    return be_decline(call, "a tensor of rank %u", w.type->rank);
  la_ends(call, w.type, w.row_ends);
  const MlirValue n = w.row_ends[w.axis];
  w.row_ends[w.axis] = be_index(call, 1);
  w.positions = la_sorted_rows(call, w.value, w.type, w.axis, row->is_presorted);
  const be_body block = la_block(call);
  MlirValue count = be_index(call, 0);
  const la_nest counting = {1, &n, 1, count_one, &w};
  la_run_nest(&block, &counting, &count);
  const buddy_tensor_type *list = be_type(call, BUDDY_I64, 1, &w.type->dims[w.axis]);
  const buddy_tensor_type *counts = be_type(call, BUDDY_I64, 1, &w.kept->dims[w.axis]);
  if (!list || !counts) return be_result(call, 0, no_value);
  MlirValue carried[4] = {la_counted_empty(call, w.kept, w.axis, count), be_index(call, 0),
                          be_empty(call, list), la_counted_zeros(call, counts, count)};
  const la_nest writing = {1, &n, 4, visit, &w};
  la_run_nest(&block, &writing, carried);
  buddy_code code = be_result(call, 0, carried[0]);
  const size_t inverse_arg = row->inverse_arg - 1u,
               counts_arg = row->counts_arg == 0 ? 0 : row->counts_arg - 1u;
  if (code == BUDDY_OK) code = list_result(call, 1, inverse_arg, carried[2], list);
  if (code == BUDDY_OK && be_host->n_results(call) > 2)
    code = list_result(call, 2, counts_arg, carried[3], counts);
  return code;
}
