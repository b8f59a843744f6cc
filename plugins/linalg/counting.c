// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/counting.c: results as long as the data say: bincount, repeat_interleave of
 * counts, nonzero_static. Loops that write to a list and carry where they are in it. */
#include "plugins/linalg/counted.h"
#include "plugins/linalg/rows.h"
#include "plugins/linalg/slices.h"

static const MlirType same = {NULL};
static const MlirValue no_value = {NULL};

void la_check_length(buddy_call *call, MlirValue count, int64_t dim) {
  const be_body block = la_block(call);
  if (BUDDY_IS_SYMBOLIC(dim)) return;
  be_assert(call, be_in_compare(&block, "eq", count, be_index(call, dim), BUDDY_I64),
            "the data come to another number of results than the program says");
}

MlirValue la_counted_empty(buddy_call *call, const buddy_tensor_type *type, uint32_t axis,
                           MlirValue count) {
  MlirValue dims[BE_MAX_RANK];
  size_t n = 0;
  if (!type || !count.ptr) return no_value;
  for (uint32_t d = 0; d < type->rank && d < BE_MAX_RANK; ++d) {
    if (d == axis) la_check_length(call, count, type->dims[d]);
    if (!BUDDY_IS_SYMBOLIC(type->dims[d])) continue;
    dims[n++] = d == axis ? count : be_index(call, type->dims[d]);
  }
  return be_op(call, "tensor.empty", type, dims, n, NULL);
}

/* carried: the list */
static void write_zero(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const buddy_tensor_type *type = user;
  carried[0] = la_write(body, be_in_scalar_int(body, type->dtype, 0), carried[0], at, 1);
}

MlirValue la_counted_zeros(buddy_call *call, const buddy_tensor_type *type, MlirValue count) {
  MlirValue list = la_counted_empty(call, type, 0, count);
  buddy_tensor_type copy = *type;
  const be_body block = la_block(call);
  const la_nest nest = {1, &count, 1, write_zero, &copy};
  la_run_nest(&block, &nest, &list);
  return list;
}

static MlirValue as_index(const be_body *body, MlirValue element, buddy_dtype dtype) {
  return la_as_index(body, be_in_cast(body, element, dtype, BUDDY_I64));
}

/* ---- bincount ---- */

typedef struct binning {
  const buddy_tensor_type *type, *weights_type, *to;
  MlirValue value, weights, length;
} binning;

/* carried: one more than the largest number so far */
static void raise_top(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const binning *b = user;
  const MlirValue element = la_element(body, b->value, b->type->dtype, at, 1);
  const MlirValue above =
      la_index_add(body, as_index(body, element, b->type->dtype), be_in_index(body, 1));
  carried[0] = BE_IN(body, "arith.maxsi", same, carried[0], above);
}

/* carried: the bins */
static void count_in(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const binning *b = user;
  const buddy_dtype dtype = b->to->dtype;
  const MlirValue element = la_element(body, b->value, b->type->dtype, at, 1);
  const MlirValue bin = la_index_of(body, element, b->type->dtype, b->length, 0);
  MlirValue weight = be_in_scalar_int(body, dtype, 1);
  if (b->weights_type) {
    weight = be_in_cast(body, la_element(body, b->weights, b->weights_type->dtype, at, 1),
                        b->weights_type->dtype, dtype);
  }
  const MlirValue so_far = la_element(body, carried[0], dtype, &bin, 1);
  carried[0] = la_write(body, la_apply(body, &la_add, dtype, so_far, weight), carried[0], &bin, 1);
}

/* self, weights, minlength */
buddy_code la_emit_bincount(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  binning b = {.type = be_arg_type(call, 0),
               .weights_type = be_arg_type(call, 1),
               .to = be_result_type(call, 0),
               .value = be_tensor(call, 0)};
  if (b.weights_type) b.weights = be_tensor(call, 1);
  la_check_counts(call, b.value, b.type,
                  "bincount takes whole numbers that are not negative, and below 2^63 - 1");
  const be_body block = la_block(call);
  const MlirValue n = be_index(call, b.type->dims[0]);
  b.length = be_index(call, be_size(call, 2, 0));
  const la_nest measuring = {1, &n, 1, raise_top, &b};
  la_run_nest(&block, &measuring, &b.length);
  MlirValue bins = la_counted_zeros(call, b.to, b.length);
  const la_nest counting = {1, &n, 1, count_in, &b};
  la_run_nest(&block, &counting, &bins);
  return be_result(call, 0, bins);
}

/* ---- repeat_interleave.Tensor: position k repeats[k] times ---- */

typedef struct repeating {
  MlirValue repeats;
  buddy_dtype dtype;
  MlirValue length; /* of the list, beyond which nothing is written */
  MlirValue number; /* the position being written */
} repeating;

static MlirValue times_at(const be_body *body, const repeating *r, const MlirValue *at) {
  const MlirValue times = as_index(body, la_element(body, r->repeats, r->dtype, at, 1), r->dtype);
  return BE_IN(body, "arith.maxsi", same, times, be_in_index(body, 0));
}

/* carried: the sum */
static void add_times(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  carried[0] = la_index_add(body, carried[0], times_at(body, user, at));
}

/* carried: the list, and how many are in it */
static void write_number(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const repeating *r = user;
  (void)at;
  carried[0] = la_write(body, r->number, carried[0], &carried[1], 1);
  carried[1] = la_index_add(body, carried[1], be_in_index(body, 1));
}

static void repeat_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  repeating r = *(const repeating *)user;
  const MlirValue left = la_index_sub(body, r.length, carried[1]);
  const MlirValue times = BE_IN(body, "arith.minsi", same, times_at(body, &r, at), left);
  r.number = be_in_cast(body, la_as_i64(body, at[0]), BUDDY_I64, r.dtype);
  const la_nest nest = {1, &times, 2, write_number, &r};
  la_run_nest(body, &nest, carried);
}

/* repeats, output_size */
buddy_code la_emit_repeat_interleave_tensor(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0), *to = be_result_type(call, 0);
  la_ignore(call, 1, 1); /* the length is the sum of the repeats */
  repeating r = {.repeats = be_tensor(call, 0), .dtype = type->dtype};
  la_check_counts(call, r.repeats, type, "a number of repeats is negative");
  const be_body block = la_block(call);
  const MlirValue n = be_index(call, type->dims[0]);
  MlirValue count = be_index(call, 0);
  const la_nest summing = {1, &n, 1, add_times, &r};
  la_run_nest(&block, &summing, &count);
  r.length = BUDDY_IS_SYMBOLIC(to->dims[0]) ? count : be_index(call, to->dims[0]);
  if (!BUDDY_IS_SYMBOLIC(to->dims[0])) {
    be_assert(call, be_in_compare(&block, "eq", count, r.length, BUDDY_I64),
              "the repeats come to another number than output_size says");
  }
  MlirValue carried[2] = {la_counted_zeros(call, to, r.length), be_index(call, 0)};
  const la_nest writing = {1, &n, 2, repeat_one, &r};
  la_run_nest(&block, &writing, carried);
  return be_result(call, 0, carried[0]);
}

/* ---- nonzero_static: the first `size` positions ---- */

typedef struct listing {
  const buddy_tensor_type *type;
  MlirValue value, size;
  const MlirValue *at;
} listing;

/* carried: the list, and how many are in it */
static void note_position(const be_body *body, const MlirValue *at, MlirValue *carried,
                          void *user) {
  const listing *l = user;
  (void)at;
  for (uint32_t d = 0; d < l->type->rank; ++d) {
    const MlirValue place[2] = {carried[1], be_in_index(body, d)};
    carried[0] = la_write(body, la_as_i64(body, l->at[d]), carried[0], place, 2);
  }
  carried[1] = la_index_add(body, carried[1], be_in_index(body, 1));
}

static void visit(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  listing l = *(const listing *)user;
  l.at = at;
  const MlirValue element = la_element(body, l.value, l.type->dtype, at, l.type->rank);
  const MlirValue is_left = be_in_compare(body, "lt", carried[1], l.size, BUDDY_I64);
  const MlirValue is_noted = BE_IN(body, "arith.andi", same, is_left,
                                   be_in_cast(body, element, l.type->dtype, BUDDY_BOOL));
  la_when(body, is_noted, 2, carried, note_position, &l);
}

/* self, size, fill_value */
buddy_code la_emit_nonzero_static(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *to = be_result_type(call, 0);
  listing l = {.type = be_arg_type(call, 0), .value = be_tensor(call, 0)};
  la_ignore(call, 1, 1); /* the result's type has it */
  if (l.type->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  l.size = be_index(call, to->dims[0]);
  MlirValue ends[BE_MAX_RANK];
  const MlirValue fill = be_scalar_int(call, BUDDY_I64, be_int(call, 2, -1));
  MlirValue carried[2] = {be_filled(call, to, fill), be_index(call, 0)};
  const be_body block = la_block(call);
  const la_nest nest = {la_ends(call, l.type, ends), ends, 2, visit, &l};
  la_run_nest(&block, &nest, carried);
  return be_result(call, 0, carried[0]);
}
