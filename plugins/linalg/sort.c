// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/sort.c: sort, argsort and topk along an axis: a stable merge sort, bottom up.
 *
 * Two lists of positions, `from` and `to`, are carried along. Pass number p merges runs of 2^p
 * positions of `from` into `to`, and copies them back. Within a pass, step k writes to[k]; the
 * heads of the two runs being merged are carried from step to step and set anew where a pair of
 * runs begins. NaN is the largest number. */
#include <math.h>
#include <stdbool.h>

#include "mlir-c/BuiltinTypes.h"
#include "plugins/linalg/nest.h"
#include "plugins/linalg/rows.h"

static const MlirType same = {NULL};

typedef struct sorting {
  const buddy_tensor_type *type;
  MlirValue value, length;
  MlirValue n_kept;    /* how many positions are wanted: all, or k */
  const MlirValue *at; /* of the loops around */
  uint32_t axis;
  bool is_descending;
  bool has_values, has_indices;
  bool is_median;
  int64_t kth;               /* kthvalue: which, counted from 1; 0: not asked for */
  const MlirValue *row_ends; /* whole rows are compared: the dims, 1 for the axis; else null */
  MlirValue width, from;     /* of one pass */
} sorting;

static MlirValue as_index(const be_body *body, MlirValue value) {
  return BE_IN(body, "arith.index_cast", mlirIndexTypeGet(buddy_mlir_context(body->call)), value);
}
static MlirValue smaller(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.minsi", same, a, b);
}
static MlirValue below(const be_body *body, MlirValue a, MlirValue b) {
  return be_in_compare(body, "lt", a, b, BUDDY_I64);
}
static MlirValue negation(const be_body *body, MlirValue a) {
  return BE_IN(body, "arith.xori", same, a, be_in_scalar_int(body, BUDDY_BOOL, 1));
}

static void position_at(const sorting *s, MlirValue step, MlirValue *out) {
  for (uint32_t d = 0; d < s->type->rank; ++d) out[d] = d == s->axis ? step : s->at[d];
}

static MlirValue element_at(const be_body *body, const sorting *s, MlirValue position) {
  MlirValue place[BE_MAX_RANK];
  position_at(s, as_index(body, position), place);
  return la_element(body, s->value, s->type->dtype, place, s->type->rank);
}

/* Does element a have to stand before element b? */
static MlirValue precedes(const be_body *body, const sorting *s, MlirValue a, MlirValue b) {
  const buddy_dtype dtype = s->type->dtype;
  const MlirValue is_before = be_in_compare(body, s->is_descending ? "gt" : "lt", a, b, dtype);
  if (!be_is_float(dtype)) return is_before;
  const MlirValue a_is_nan = be_in_compare(body, "ne", a, a, dtype),
                  b_is_nan = be_in_compare(body, "ne", b, b, dtype);
  const MlirValue number = s->is_descending ? b_is_nan : a_is_nan,
                  nan = s->is_descending ? a_is_nan : b_is_nan;
  const MlirValue by_nan = BE_IN(body, "arith.andi", same, nan, negation(body, number));
  return BE_IN(body, "arith.ori", same, is_before, by_nan);
}

typedef struct row_comparison {
  const sorting *s;
  MlirValue a, b; /* positions along the axis */
} row_comparison;

/* carried: does row a precede, and is it decided */
static void compare_places(const be_body *body, const MlirValue *at, MlirValue *carried,
                           void *user) {
  const row_comparison *c = user;
  sorting s = *c->s;
  s.at = at;
  const MlirValue a = element_at(body, &s, c->a), b = element_at(body, &s, c->b);
  const MlirValue is_before = precedes(body, &s, a, b), is_behind = precedes(body, &s, b, a);
  carried[0] = be_in_select(body, carried[1], carried[0], is_before);
  carried[1] = BE_IN(body, "arith.ori", same, carried[1],
                     BE_IN(body, "arith.ori", same, is_before, is_behind));
}

/* Does what is at position a have to stand before what is at b? */
static MlirValue precedes_at(const be_body *body, const sorting *s, MlirValue a, MlirValue b) {
  if (!s->row_ends) return precedes(body, s, element_at(body, s, a), element_at(body, s, b));
  row_comparison c = {s, a, b};
  MlirValue carried[2] = {be_in_scalar_int(body, BUDDY_BOOL, 0),
                          be_in_scalar_int(body, BUDDY_BOOL, 0)};
  const la_nest nest = {s->type->rank, s->row_ends, 2, compare_places, &c};
  la_run_nest(body, &nest, carried);
  return carried[0];
}

/* Step k of a pass. carried: `to`, the heads of the left and of the right run */
static void merge_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue k = at[0], one = be_in_index(body, 1);
  const MlirValue pair = BE_IN(body, "arith.shli", same, s->width, one);
  const MlirValue begin = la_index_sub(body, k, la_index_mod(body, k, pair));
  const MlirValue middle = smaller(body, la_index_add(body, begin, s->width), s->length);
  const MlirValue end = smaller(body, la_index_add(body, begin, pair), s->length);
  const MlirValue is_begin = be_in_compare(body, "eq", k, begin, BUDDY_I64);
  const MlirValue left = be_in_select(body, is_begin, begin, carried[1]);
  const MlirValue right = be_in_select(body, is_begin, middle, carried[2]);
  /* A run that is used up is still read, at a position that exists. */
  const MlirValue last = la_index_sub(body, s->length, one);
  const MlirValue left_at = smaller(body, left, last), right_at = smaller(body, right, last);
  const MlirValue left_position = la_element(body, s->from, BUDDY_I64, &left_at, 1);
  const MlirValue right_position = la_element(body, s->from, BUDDY_I64, &right_at, 1);
  const MlirValue right_first = precedes_at(body, s, right_position, left_position);
  const MlirValue right_is_used_up = negation(body, below(body, right, end));
  const MlirValue left_is_next =
      BE_IN(body, "arith.ori", same, right_is_used_up, negation(body, right_first));
  const MlirValue takes_left =
      BE_IN(body, "arith.andi", same, below(body, left, middle), left_is_next);
  const MlirValue taken = be_in_select(body, takes_left, left_position, right_position);
  carried[0] = la_write(body, taken, carried[0], &k, 1);
  carried[1] = be_in_select(body, takes_left, la_index_add(body, left, one), left);
  carried[2] = be_in_select(body, takes_left, right, la_index_add(body, right, one));
}

/* carried: `from`, which takes over what is in s->from */
static void copy_back(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  carried[0] = la_write(body, la_element(body, s->from, BUDDY_I64, at, 1), carried[0], at, 1);
}

/* carried: `from`, `to` */
static void run_pass(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  sorting s = *(const sorting *)user;
  s.width = BE_IN(body, "arith.shli", same, be_in_index(body, 1), at[0]);
  s.from = carried[0];
  MlirValue merged[3] = {carried[1], be_in_index(body, 0), be_in_index(body, 0)};
  const la_nest merge = {1, &s.length, 3, merge_one, &s};
  la_run_nest(body, &merge, merged);
  s.from = carried[1] = merged[0];
  const la_nest copy = {1, &s.length, 1, copy_back, &s};
  la_run_nest(body, &copy, carried);
}

static void number_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)user;
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  carried[0] = la_write(body, BE_IN(body, "arith.index_cast", i64, at[0]), carried[0], at, 1);
}

static MlirValue sorted_position(const be_body *body, const sorting *s, MlirValue k) {
  return la_element(body, s->from, BUDDY_I64, &k, 1);
}

/* carried: the least place in the sorted list that holds a NaN */
static void find_nan(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue value = element_at(body, s, sorted_position(body, s, at[0]));
  const MlirValue is_nan = be_in_compare(body, "ne", value, value, s->type->dtype);
  carried[0] = be_in_select(body, is_nan, smaller(body, at[0], carried[0]), carried[0]);
}

/* Where in the sorted list result number k is; the list is not empty. A median is the lower of two,
 * but the first NaN where there is one: they are last. A kth beyond the list is refused (check_count), which
 * does not keep the code after it from being moved in front. */
static MlirValue wanted(const be_body *body, const sorting *s, MlirValue k) {
  const MlirValue one = be_in_index(body, 1), last = la_index_sub(body, s->length, one);
  if (s->kth != 0) {
    const MlirValue kth = be_in_index(body, be_dim(body->call, BUDDY_DIM_SUB, s->kth, 1));
    return BE_IN(body, "arith.maxsi", same, smaller(body, kth, last), be_in_index(body, 0));
  }
  if (!s->is_median) return k;
  const MlirValue middle = la_index_div(body, last, be_in_index(body, 2));
  if (!be_is_float(s->type->dtype)) return middle;
  const MlirValue largest = element_at(body, s, sorted_position(body, s, last));
  const MlirValue is_nan = be_in_compare(body, "ne", largest, largest, s->type->dtype);
  MlirValue first = last;
  const la_nest places = {1, &s->length, 1, find_nan, (void *)(uintptr_t)s};
  if (s->has_indices) la_run_nest(body, &places, &first);
  return be_in_select(body, is_nan, first, middle);
}

/* carried: the result tensors */
static void write_out(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  MlirValue place[BE_MAX_RANK];
  const MlirValue from = wanted(body, s, at[0]);
  const MlirValue position = sorted_position(body, s, from);
  position_at(s, at[0], place);
  size_t i = 0;
  if (s->has_values) {
    const MlirValue value = element_at(body, s, position);
    carried[i] = la_write(body, value, carried[i], place, s->type->rank);
    ++i;
  }
  if (s->has_indices) carried[i] = la_write(body, position, carried[i], place, s->type->rank);
}

/* The least p with 2^p at least n: how many passes there are. */
static MlirValue count_passes(const be_body *body, MlirValue n) {
  const MlirType i64 = buddy_mlir_element_type(body->call, BUDDY_I64);
  const MlirValue one = be_in_index(body, 1);
  const MlirValue last = la_index_sub(body, BE_IN(body, "arith.maxsi", same, n, one), one);
  const MlirValue zeros =
      BE_IN(body, "math.ctlz", same, BE_IN(body, "arith.index_cast", i64, last));
  return as_index(body,
                  BE_IN(body, "arith.subi", same, be_in_scalar_int(body, BUDDY_I64, 64), zeros));
}

/* carried: the result tensors, then the two lists */
static void sort_along(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  sorting s = *(const sorting *)user;
  s.at = at;
  MlirValue *lists = carried + s.has_values + s.has_indices;
  const la_nest number = {1, &s.length, 1, number_one, NULL};
  la_run_nest(body, &number, lists);
  const MlirValue n_passes = count_passes(body, s.length);
  const la_nest passes = {1, &n_passes, 2, run_pass, &s};
  la_run_nest(body, &passes, lists);
  s.from = lists[0];
  const la_nest out = {1, &s.n_kept, (size_t)(s.has_values + s.has_indices), write_out, &s};
  la_run_nest(body, &out, carried);
}

static buddy_code sort_scalar(buddy_call *call, const sorting *s) {
  size_t i = 0;
  if (s->has_values) {
    const buddy_code code = be_result(call, i++, be_tensor(call, 0));
    if (code != BUDDY_OK) return code;
  }
  return s->has_indices ? be_result(call, i, be_splat_int(call, be_result_type(call, i), 0))
                        : BUDDY_OK;
}

/* Result i with the axis kept: of length 1 where one element of it is wanted. */
static const buddy_tensor_type *with_axis(buddy_call *call, const sorting *s, size_t i) {
  const buddy_tensor_type *to = be_result_type(call, i);
  if (s->kth == 0 && !s->is_median) return to;
  int64_t dims[BE_MAX_RANK];
  for (uint32_t d = 0; d < s->type->rank; ++d) dims[d] = d == s->axis ? 1 : s->type->dims[d];
  return be_type(call, to->dtype, s->type->rank, dims);
}

/* The run ends with an error unless k is at least `least`, and at most the length of the axis. */
static void check_count(buddy_call *call, const sorting *s, int64_t k, int64_t least,
                        const char *message) {
  if (s->type->rank == 0) return;
  const int64_t n = s->type->dims[s->axis];
  const bool is_known = !BUDDY_IS_SYMBOLIC(k) && k >= least;
  if (is_known && !BUDDY_IS_SYMBOLIC(n) && k <= n) return;
  const be_body block = la_block(call);
  const MlirValue wanted = be_index(call, k);
  MlirValue holds = be_in_compare(&block, "le", wanted, be_index(call, n), BUDDY_I64);
  if (!is_known) {
    const MlirValue low = be_in_compare(&block, "ge", wanted, be_index(call, least), BUDDY_I64);
    holds = BE_IN(&block, "arith.andi", same, holds, low);
  }
  be_assert(call, holds, message);
}

/* A result before it is written. The median of no elements stays as it is here: NaN, and where that is
 * no number of the dtype what NaN becomes: true, 2^63 by its bits, of 32 bits the least, else 0. */
static MlirValue unwritten(buddy_call *call, const sorting *s, const buddy_tensor_type *type) {
  const int64_t n = s->type->dims[s->axis];
  if (!type || !s->is_median || (!BUDDY_IS_SYMBOLIC(n) && n > 0)) return be_empty(call, type);
  const bool is_wide = type->dtype == BUDDY_I64 || type->dtype == BUDDY_U64;
  const int64_t least = is_wide ? INT64_MIN : type->dtype == BUDDY_I32 ? INT32_MIN : 0;
  const int64_t none = type->dtype == BUDDY_BOOL ? 1 : least;
  return be_filled(call, type,
                   be_is_float(type->dtype) ? be_scalar(call, type->dtype, (double)NAN)
                                            : be_scalar_int(call, type->dtype, none));
}

static buddy_code sorted(buddy_call *call, sorting *s) {
  if (s->type->rank == 0) return sort_scalar(call, s);
  if (s->type->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  MlirValue ends[BE_MAX_RANK], carried[LA_MAX_CARRIED];
  const uint32_t n = la_ends(call, s->type, ends);
  const size_t n_results = (size_t)(s->has_values + s->has_indices);
  const buddy_tensor_type *types[LA_MAX_CARRIED];
  for (size_t i = 0; i < n_results + 2; ++i) {
    types[i] = i < n_results ? with_axis(call, s, i)
                             : be_type(call, BUDDY_I64, 1, &s->type->dims[s->axis]);
    carried[i] = i < n_results ? unwritten(call, s, types[i]) : be_empty(call, types[i]);
    if (!types[i]) return be_result(call, 0, carried[i]);
  }
  if (!s->value.ptr) s->value = be_tensor(call, 0);
  s->length = ends[s->axis];
  const be_body block = la_block(call);
  const int64_t kept = types[0]->dims[s->axis];
  s->n_kept =
      kept == s->type->dims[s->axis] ? s->length : smaller(&block, be_index(call, kept), s->length);
  ends[s->axis] = be_index(call, 1);
  const la_nest nest = {n, ends, n_results + 2, sort_along, s};
  la_run_nest(&block, &nest, carried);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n_results && code == BUDDY_OK; ++i) {
    const MlirValue result = be_reshape(call, carried[i], types[i], be_result_type(call, i));
    code = be_result(call, i, result);
  }
  return code;
}

MlirValue la_sorted_rows(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                         uint32_t axis, bool is_presorted) {
  MlirValue ends[BE_MAX_RANK];
  la_ends(call, type, ends);
  sorting s = {.type = type, .value = value, .length = ends[axis], .axis = axis};
  const be_body block = la_block(call);
  const buddy_tensor_type *list = be_type(call, BUDDY_I64, 1, &type->dims[axis]);
  if (!list) return (MlirValue){NULL};
  MlirValue lists[2] = {be_empty(call, list), be_empty(call, list)};
  const la_nest number = {1, &s.length, 1, number_one, NULL};
  la_run_nest(&block, &number, lists);
  if (is_presorted) return lists[0];
  ends[axis] = be_index(call, 1);
  s.row_ends = type->rank > 1 ? ends : NULL;
  const MlirValue n_passes = count_passes(&block, s.length);
  const la_nest passes = {1, &n_passes, 2, run_pass, &s};
  la_run_nest(&block, &passes, lists);
  return lists[0];
}

const la_sort la_sort_plain = {.dim_arg = 1, .descending_arg = 2},
              la_sort_stable = {.dim_arg = 2, .descending_arg = 3},
              la_argsort_plain = {.dim_arg = 1, .descending_arg = 2, .only_indices = 1},
              la_argsort_stable = {.dim_arg = 2, .descending_arg = 3, .only_indices = 1};

/* self, [stable,] dim, descending */
buddy_code la_emit_sort(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const la_sort *row = self->user;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  sorting s = {.type = be_arg_type(call, 0), .has_values = !row->only_indices, .has_indices = true};
  s.axis = (uint32_t)be_axis(call, row->dim_arg, s.type->rank, 0);
  s.is_descending = be_bool(call, row->descending_arg);
  return sorted(call, &s);
}

/* self, k, dim, largest, sorted */
buddy_code la_emit_topk(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  sorting s = {.type = be_arg_type(call, 0), .has_values = true, .has_indices = true};
  s.axis = (uint32_t)be_axis(call, 2, s.type->rank, 0);
  s.is_descending = be_bool(call, 3);
  check_count(call, &s, be_size(call, 1, 1), 0, "topk is asked for more than there is");
  return sorted(call, &s);
}

/* median.dim: self, dim, keepdim; kthvalue: self, k, dim, keepdim (user: non-null) */
buddy_code la_emit_kth(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const bool has_k = self->user != NULL;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  sorting s = {.type = be_arg_type(call, 0), .has_values = true, .has_indices = true};
  s.axis = (uint32_t)be_axis(call, has_k ? 2 : 1, s.type->rank, 0);
  s.kth = has_k ? be_size(call, 1, 1) : 0;
  s.is_median = !has_k;
  check_count(call, &s, has_k ? s.kth : 1, 1,
              has_k ? "kthvalue is asked for what is not there" : "the median of nothing");
  return sorted(call, &s);
}

/* median: self, of all elements */
buddy_code la_emit_median(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  const buddy_tensor_type *type = be_arg_type(call, 0);
  const int64_t n = be_n_elements(call, type);
  sorting s = {.type = be_type(call, type->dtype, 1, &n), .has_values = true, .is_median = true};
  if (!s.type) return be_result(call, 0, (MlirValue){NULL});
  s.value = be_reshape(call, be_tensor(call, 0), type, s.type);
  return sorted(call, &s);
}
