// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/sort.c: sort, argsort, topk, kthvalue and median along an axis, stable: a radix sort
 * (radix.h); of few elements each one's place is counted; of whole rows a merge sort, bottom up; the
 * first few are selected.
 *
 * In a merge sort two lists of positions, `from` and `to`, are carried along. Pass number p merges runs of 2^p
 * positions of `from` into `to`, and copies them back. Within a pass, step k writes to[k]; the
 * heads of the two runs being merged are carried from step to step and set anew where a pair of
 * runs begins. NaN is the largest number. */
#include <math.h>
#include <stdbool.h>

#include "plugins/linalg/radix.h"
#include "plugins/linalg/rows.h"
#include "plugins/linalg/slices.h"

/* In rows of so many elements each is compared with all others, vectors at a time: a radix sort counts digits, of which there
 * are more. So many of the first elements are found by comparing each element with the last of them. */
enum { MAX_COUNTED = 128, MAX_SELECTED = 64 };

static const MlirType same = {NULL};

typedef struct sorting {
  la_row row;
  MlirValue n_kept; /* how many positions are wanted: all, or k */
  bool wants_all, has_values, has_indices;
  bool selects; /* the first n_kept alone, which are few */
  bool is_median;
  int64_t kth;               /* kthvalue: which, counted from 1; 0: not asked for */
  const MlirValue *row_ends; /* whole rows are compared: the dims, 1 for the axis; else null */
  MlirValue width, from;     /* of one pass */
  MlirValue first;           /* which place of `from` the first result has */
} sorting;

static MlirValue smaller(const be_body *body, MlirValue a, MlirValue b) {
  return BE_IN(body, "arith.minsi", same, a, b);
}
static MlirValue below(const be_body *body, MlirValue a, MlirValue b) {
  return be_in_compare(body, "lt", a, b, BUDDY_I64);
}
static MlirValue negation(const be_body *body, MlirValue a) {
  return BE_IN(body, "arith.xori", same, a, be_in_scalar_int(body, BUDDY_BOOL, 1));
}

/* The dtype that elements are compared in: LLVM compares short floats one by one, each made wider anew. */
static buddy_dtype compared(const sorting *s) { return la_opmath(s->row.type->dtype); }

/* The element at an index, as it is compared. */
static MlirValue element_of(const be_body *body, const sorting *s, MlirValue index) {
  return be_in_cast(body, la_row_element(body, &s->row, index), s->row.type->dtype, compared(s));
}

static MlirValue element_at(const be_body *body, const sorting *s, MlirValue position) {
  return element_of(body, s, la_as_index(body, position));
}

/* Does element a have to stand before element b? */
static MlirValue precedes(const be_body *body, const sorting *s, MlirValue a, MlirValue b) {
  const buddy_dtype dtype = compared(s);
  const MlirValue is_before = be_in_compare(body, s->row.is_descending ? "gt" : "lt", a, b, dtype);
  if (!be_is_float(dtype)) return is_before;
  const MlirValue a_is_nan = be_in_compare(body, "ne", a, a, dtype),
                  b_is_nan = be_in_compare(body, "ne", b, b, dtype);
  const MlirValue number = s->row.is_descending ? b_is_nan : a_is_nan,
                  nan = s->row.is_descending ? a_is_nan : b_is_nan;
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
  s.row.at = at;
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
  const la_nest nest = {s->row.type->rank, s->row_ends, 2, compare_places, &c};
  la_run_nest(body, &nest, carried);
  return carried[0];
}

/* Step k of a pass. carried: `to`, the heads of the left and of the right run */
static void merge_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue k = at[0], one = be_in_index(body, 1);
  const MlirValue pair = BE_IN(body, "arith.shli", same, s->width, one);
  const MlirValue begin = la_index_sub(body, k, la_index_mod(body, k, pair));
  const MlirValue middle = smaller(body, la_index_add(body, begin, s->width), s->row.length);
  const MlirValue end = smaller(body, la_index_add(body, begin, pair), s->row.length);
  const MlirValue is_begin = be_in_compare(body, "eq", k, begin, BUDDY_I64);
  const MlirValue left = be_in_select(body, is_begin, begin, carried[1]);
  const MlirValue right = be_in_select(body, is_begin, middle, carried[2]);
  /* A run that is used up is still read, at a position that exists. */
  const MlirValue last = la_index_sub(body, s->row.length, one);
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

/* carried: `from`, `to` */
static void run_pass(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  sorting s = *(const sorting *)user;
  s.width = BE_IN(body, "arith.shli", same, be_in_index(body, 1), at[0]);
  s.from = carried[0];
  MlirValue merged[3] = {carried[1], be_in_index(body, 0), be_in_index(body, 0)};
  const la_nest merge = {1, &s.row.length, 3, merge_one, &s};
  la_run_nest(body, &merge, merged);
  carried[1] = merged[0];
  carried[0] = la_copied(body, merged[0], carried[0], s.row.length);
}

/* carried: how many are NaN */
static void count_nan(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue value = la_row_element(body, &s->row, at[0]);
  const MlirValue is_nan = be_in_compare(body, "ne", value, value, s->row.type->dtype);
  const MlirValue one = be_in_index(body, 1), none = be_in_index(body, 0);
  carried[0] = la_index_add(body, carried[0], be_in_select(body, is_nan, one, none));
}

/* The place in the row's order of the first result. A median is the lower of two, but the first NaN
 * where there is one: they are last. A kth beyond the row is refused (check_count), which does not
 * keep the code after it from being moved in front. */
static MlirValue first_place(const be_body *body, const sorting *s) {
  const MlirValue none = be_in_index(body, 0), length = s->row.length;
  if (s->kth == 0 && !s->is_median) return none;
  MlirValue last = la_index_sub(body, length, be_in_index(body, 1));
  last = BE_IN(body, "arith.maxsi", same, last, none);
  if (s->kth != 0) {
    const MlirValue kth = be_in_index(body, be_dim(body->call, BUDDY_DIM_SUB, s->kth, 1));
    return BE_IN(body, "arith.maxsi", same, smaller(body, kth, last), none);
  }
  const MlirValue middle = la_index_div(body, last, be_in_index(body, 2));
  if (!be_is_float(s->row.type->dtype)) return middle;
  MlirValue n_nan = none;
  const la_nest all = {1, &length, 1, count_nan, (void *)(uintptr_t)s};
  la_run_nest(body, &all, &n_nan);
  const MlirValue is_number = be_in_compare(body, "eq", n_nan, none, BUDDY_I64);
  return be_in_select(body, is_number, middle, la_index_sub(body, length, n_nan));
}

/* carried: the result tensors */
static void write_out(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue from = la_index_add(body, s->first, at[0]);
  const MlirValue position = la_element(body, s->from, BUDDY_I64, &from, 1);
  MlirValue place[BE_MAX_RANK];
  for (uint32_t d = 0; d < s->row.type->rank; ++d)
    place[d] = d == s->row.axis ? at[0] : s->row.at[d];
  size_t i = 0;
  if (s->has_values) {
    const MlirValue value = la_row_element(body, &s->row, la_as_index(body, position));
    carried[i] = la_write(body, value, carried[i], place, s->row.type->rank);
    ++i;
  }
  if (s->has_indices) carried[i] = la_write(body, position, carried[i], place, s->row.type->rank);
}

/* The least p with 2^p at least n: how many passes there are. */
static MlirValue count_passes(const be_body *body, MlirValue n) {
  const MlirValue one = be_in_index(body, 1);
  const MlirValue last = la_index_sub(body, BE_IN(body, "arith.maxsi", same, n, one), one);
  const MlirValue zeros = BE_IN(body, "math.ctlz", same, la_as_i64(body, last));
  return la_as_index(body,
                     BE_IN(body, "arith.subi", same, be_in_scalar_int(body, BUDDY_I64, 64), zeros));
}

/* ---- The first few: each element is put among those that were first so far, if it is one ---- */

typedef struct selection {
  const sorting *s;
  MlirValue position, element; /* that is looked at */
  MlirValue last; /* the place of `lists` that the last one leaves, or the next free one */
} selection;

/* Step t: the one at place last - t - 1 goes one on if the new element precedes it. carried: the list, the
 * place of the new one */
static void move_on(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const selection *n = user;
  const MlirValue one = be_in_index(body, 1), to = la_index_sub(body, n->last, at[0]);
  const MlirValue from = la_index_sub(body, to, one);
  const MlirValue position = la_element(body, carried[0], BUDDY_I64, &from, 1),
                  stays = la_element(body, carried[0], BUDDY_I64, &to, 1);
  const MlirValue is_behind = precedes(body, n->s, n->element, element_at(body, n->s, position));
  carried[0] = la_write(body, be_in_select(body, is_behind, position, stays), carried[0], &to, 1);
  carried[1] = be_in_select(body, is_behind, from, carried[1]);
}

/* carried: the list, how many are in it, the last of them */
static void insert_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  selection n = *(const selection *)user;
  const MlirValue one = be_in_index(body, 1), end = la_index_sub(body, n.s->n_kept, one);
  (void)at;
  n.last = smaller(body, carried[1], end);
  MlirValue moved[2] = {carried[0], n.last};
  const la_nest moves = {1, &n.last, 2, move_on, &n};
  la_run_nest(body, &moves, moved);
  carried[0] = la_write(body, la_as_i64(body, n.position), moved[0], &moved[1], 1);
  carried[1] = smaller(body, la_index_add(body, carried[1], one), n.s->n_kept);
  const MlirValue last = la_index_sub(body, carried[1], one);
  carried[2] = element_at(body, n.s, la_element(body, carried[0], BUDDY_I64, &last, 1));
}

static void look_at_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  selection n = {.s = user, .position = at[0]};
  n.element = element_of(body, n.s, at[0]);
  const MlirValue is_wanted = BE_IN(body, "arith.ori", same, below(body, carried[1], n.s->n_kept),
                                    precedes(body, n.s, n.element, carried[2]));
  la_when(body, is_wanted, 3, carried, insert_one, &n);
}

/* lists[0]: the positions of the first n_kept elements in order, equal ones as they stand. At least one
 * is wanted of a row that has some: else nothing is looked at. */
static void select_first(const be_body *body, const sorting *s, MlirValue *lists) {
  MlirValue carried[3] = {lists[0], be_in_index(body, 0), be_in_scalar_int(body, compared(s), 0)};
  const la_nest elements = {1, &s->row.length, 3, look_at_one, (void *)(uintptr_t)s};
  la_run_nest(body, &elements, carried);
  lists[0] = carried[0];
}

/* How many lists a sort needs: two of positions, and counts for a radix sort. */
static size_t n_lists(const sorting *s) {
  if (s->selects) return 1;
  const int64_t n = s->row.type->dims[s->row.axis];
  return !BUDDY_IS_SYMBOLIC(n) && n <= MAX_COUNTED ? 2 : 3;
}

static const buddy_tensor_type *list_type(buddy_call *call, const sorting *s, size_t i) {
  const int64_t n_counts = LA_RADIX_COUNTS, n_selected = MAX_SELECTED;
  if (s->selects) return be_type(call, BUDDY_I64, 1, &n_selected);
  return be_type(call, BUDDY_I64, 1, i < 2 ? &s->row.type->dims[s->row.axis] : &n_counts);
}

/* lists[0]: the positions in order */
static void merge_sort(const be_body *body, const sorting *s, MlirValue *lists) {
  lists[0] = la_numbered(body, lists[0], s->row.length);
  const MlirValue n_passes = count_passes(body, s->row.length);
  const la_nest passes = {1, &n_passes, 2, run_pass, (void *)(uintptr_t)s};
  la_run_nest(body, &passes, lists);
}

/* ---- Few elements: the place of each is how many have to stand before it ---------------------- */

typedef struct counting {
  const la_row *row;
  MlirValue keys;          /* a list */
  MlirValue position, key; /* of the element whose place is counted */
} counting;

static void list_key(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  carried[0] = la_write(body, la_row_key(body, user, at[0]), carried[0], at, 1);
}

/* carried: how many stand before it; of equal ones those that did */
static void count_before(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const counting *c = user;
  const MlirValue other = la_element(body, c->keys, BUDDY_I64, at, 1);
  const MlirValue is_before = be_in_select(body, below(body, at[0], c->position),
                                           be_in_compare(body, "le", other, c->key, BUDDY_U64),
                                           be_in_compare(body, "lt", other, c->key, BUDDY_U64));
  carried[0] = BE_IN(body, "arith.addi", same, carried[0],
                     be_in_cast(body, is_before, BUDDY_BOOL, BUDDY_I64));
}

/* carried: the positions in order */
static void place_one(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  counting c = *(const counting *)user;
  c.position = at[0];
  c.key = la_element(body, c.keys, BUDDY_I64, at, 1);
  MlirValue place = be_in_scalar_int(body, BUDDY_I64, 0);
  const la_nest all = {1, &c.row->length, 1, count_before, &c};
  la_run_nest(body, &all, &place);
  place = la_as_index(body, place);
  carried[0] = la_write(body, la_as_i64(body, c.position), carried[0], &place, 1);
}

/* lists[0]: the positions in order; lists[1]: the keys */
static void counting_sort(const be_body *body, const la_row *row, MlirValue *lists) {
  const la_nest keys = {1, &row->length, 1, list_key, (void *)(uintptr_t)row};
  la_run_nest(body, &keys, &lists[1]);
  counting c = {.row = row, .keys = lists[1]};
  const la_nest places = {1, &row->length, 1, place_one, &c};
  la_run_nest(body, &places, &lists[0]);
}

/* lists[0]: all positions in order */
static void put_in_order(const be_body *body, const sorting *s, MlirValue *lists) {
  if (s->row_ends)
    merge_sort(body, s, lists);
  else if (n_lists(s) == 2)
    counting_sort(body, &s->row, lists);
  else
    la_radix_sort(body, &s->row, (MlirValue){NULL}, (MlirValue){NULL}, lists);
}

/* carried: the result tensors, then the lists */
static void sort_along(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  sorting s = *(const sorting *)user;
  s.row.at = at;
  MlirValue *lists = carried + s.has_values + s.has_indices;
  s.first = first_place(body, &s);
  if (s.selects) {
    select_first(body, &s, lists);
  } else if (n_lists(&s) == 2 || s.wants_all) {
    put_in_order(body, &s, lists);
  } else {
    const MlirValue end = la_index_add(body, s.first, s.n_kept);
    s.first = la_index_sub(body, s.first, la_radix_sort(body, &s.row, s.first, end, lists));
  }
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
  for (uint32_t d = 0; d < s->row.type->rank; ++d)
    dims[d] = d == s->row.axis ? 1 : s->row.type->dims[d];
  return be_type(call, to->dtype, s->row.type->rank, dims);
}

/* The run ends with an error unless k is at least `least`, and at most the length of the axis. */
static void check_count(buddy_call *call, const sorting *s, int64_t k, int64_t least,
                        const char *message) {
  if (s->row.type->rank == 0) return;
  const int64_t n = s->row.type->dims[s->row.axis];
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
  const int64_t n = s->row.type->dims[s->row.axis];
  if (!type || !s->is_median || (!BUDDY_IS_SYMBOLIC(n) && n > 0)) return be_empty(call, type);
  const bool is_wide = type->dtype == BUDDY_I64 || type->dtype == BUDDY_U64;
  const int64_t least = is_wide ? INT64_MIN : type->dtype == BUDDY_I32 ? INT32_MIN : 0;
  const int64_t none = type->dtype == BUDDY_BOOL ? 1 : least;
  return be_filled(call, type,
                   be_is_float(type->dtype) ? be_scalar(call, type->dtype, (double)NAN)
                                            : be_scalar_int(call, type->dtype, none));
}

static buddy_code sorted(buddy_call *call, sorting *s) {
  if (s->row.type->rank == 0) return sort_scalar(call, s);
  if (s->row.type->rank > BE_MAX_RANK) return be_decline(call, "more than %d dims", BE_MAX_RANK);
  MlirValue ends[BE_MAX_RANK], carried[LA_MAX_CARRIED];
  const uint32_t n = la_ends(call, s->row.type, ends);
  const size_t n_results = (size_t)(s->has_values + s->has_indices);
  const size_t n_carried = n_results + n_lists(s);
  const buddy_tensor_type *types[LA_MAX_CARRIED];
  for (size_t i = 0; i < n_carried; ++i) {
    types[i] = i < n_results ? with_axis(call, s, i) : list_type(call, s, i - n_results);
    carried[i] = i < n_results ? unwritten(call, s, types[i]) : be_empty(call, types[i]);
    if (!types[i]) return be_result(call, 0, carried[i]);
  }
  if (!s->row.value.ptr) s->row.value = be_tensor(call, 0);
  s->row.length = ends[s->row.axis];
  const be_body block = la_block(call);
  const int64_t kept = types[0]->dims[s->row.axis];
  s->wants_all = kept == s->row.type->dims[s->row.axis];
  s->n_kept = s->wants_all ? s->row.length : smaller(&block, be_index(call, kept), s->row.length);
  ends[s->row.axis] = be_index(call, 1);
  const la_nest nest = {n, ends, n_carried, sort_along, s};
  la_run_apart(&block, &nest, carried);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n_results && code == BUDDY_OK; ++i) {
    const MlirValue result = be_reshape(call, carried[i], types[i], be_result_type(call, i));
    code = be_result(call, i, result);
  }
  return code;
}

MlirValue la_sorted_rows(buddy_call *call, MlirValue value, const buddy_tensor_type *type,
                         uint32_t axis, bool is_presorted) {
  MlirValue ends[BE_MAX_RANK], lists[3] = {{NULL}};
  la_ends(call, type, ends);
  sorting s = {.row = {.type = type, .value = value, .length = ends[axis], .axis = axis}};
  const be_body block = la_block(call);
  const size_t n = type->rank > 1 ? 2 : n_lists(&s);
  for (size_t i = 0; i < n; ++i) lists[i] = be_empty(call, list_type(call, &s, i));
  if (is_presorted) return la_numbered(&block, lists[0], s.row.length);
  ends[axis] = be_index(call, 1);
  s.row_ends = type->rank > 1 ? ends : NULL;
  put_in_order(&block, &s, lists);
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
  sorting s = {
      .row.type = be_arg_type(call, 0), .has_values = !row->only_indices, .has_indices = true};
  s.row.axis = (uint32_t)be_axis(call, row->dim_arg, s.row.type->rank, 0);
  s.row.is_descending = be_bool(call, row->descending_arg);
  return sorted(call, &s);
}

/* self, k, dim, largest, sorted */
buddy_code la_emit_topk(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  (void)self;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  sorting s = {.row.type = be_arg_type(call, 0), .has_values = true, .has_indices = true};
  s.row.axis = (uint32_t)be_axis(call, 2, s.row.type->rank, 0);
  s.row.is_descending = be_bool(call, 3);
  const int64_t k = be_size(call, 1, 1);
  s.selects = s.row.type->rank > 0 && !BUDDY_IS_SYMBOLIC(k) && k > 0 && k <= MAX_SELECTED &&
              k != s.row.type->dims[s.row.axis];
  check_count(call, &s, k, 0, "topk is asked for more than there is");
  return sorted(call, &s);
}

/* median.dim: self, dim, keepdim; kthvalue: self, k, dim, keepdim (user: non-null) */
buddy_code la_emit_kth(void *state, const buddy_op *self, buddy_call *call) {
  (void)state;
  const bool has_k = self->user != NULL;
  la_ignore(call, 1, be_host->n_args(call) - 1);
  sorting s = {.row.type = be_arg_type(call, 0), .has_values = true, .has_indices = true};
  s.row.axis = (uint32_t)be_axis(call, has_k ? 2 : 1, s.row.type->rank, 0);
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
  sorting s = {
      .row.type = be_type(call, type->dtype, 1, &n), .has_values = true, .is_median = true};
  if (!s.row.type) return be_result(call, 0, (MlirValue){NULL});
  s.row.value = be_reshape(call, be_tensor(call, 0), type, s.row.type);
  return sorted(call, &s);
}
