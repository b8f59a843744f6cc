// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/radix.c: keys of the elements' bits, what is wanted of a row by the highest digit,
 * and a pass for each digit in which the keys differ. */
#include "plugins/linalg/radix.h"

#include "plugins/linalg/rows.h"
#include "plugins/linalg/slices.h"

enum { DIGIT_BITS = 8, N_DIGITS = 1 << DIGIT_BITS };

static const MlirType same = {NULL};

typedef struct sorting {
  const la_row *row;
  MlirValue n;       /* how many positions are put in order: the first of the list */
  MlirValue pass;    /* number of the digit that is looked at, i64 */
  MlirValue from;    /* list of a pass */
  MlirValue ends[2]; /* the highest digits that are wanted */
  MlirValue begin, end;
} sorting;

static MlirValue number(const be_body *body, int64_t value) {
  return be_in_scalar_int(body, BUDDY_I64, value);
}

MlirValue la_row_element(const be_body *body, const la_row *row, MlirValue position) {
  MlirValue place[BE_MAX_RANK];
  for (uint32_t d = 0; d < row->type->rank; ++d) place[d] = d == row->axis ? position : row->at[d];
  return la_element(body, row->value, row->type->dtype, place, row->type->rank);
}

/* ---- Keys and digits ---- */

static buddy_dtype unsigned_of(buddy_dtype dtype) {
  static const buddy_dtype types[] = {
      [1] = BUDDY_U8, [2] = BUDDY_U16, [4] = BUDDY_U32, [8] = BUDDY_U64};
  return types[be_bytes(dtype)];
}

static int64_t bits_of(const la_row *row) { return 8 * (int64_t)be_bytes(row->type->dtype); }

/* Of a float's bits the negative ones run backwards; zeros are equal, and so are all NaN. No branch: signs are as good as
 * random. */
static MlirValue float_key(const be_body *body, MlirValue element, buddy_dtype dtype) {
  const buddy_dtype plain = unsigned_of(dtype);
  const int64_t n_bits = 8 * (int64_t)be_bytes(dtype);
  const MlirValue zero = be_in_scalar(body, dtype, 0);
  const MlirValue is_zero = be_in_compare(body, "eq", element, zero, dtype);
  const MlirValue is_nan = be_in_compare(body, "ne", element, element, dtype);
  const MlirValue bits = BE_IN(body, "arith.bitcast", buddy_mlir_element_type(body->call, plain),
                               be_in_select(body, is_zero, zero, element));
  const MlirValue is_negative =
      BE_IN(body, "arith.shrsi", same, bits, be_in_scalar_int(body, plain, n_bits - 1));
  const MlirValue sign = be_in_scalar_int(body, plain, INT64_MIN / (INT64_C(1) << (64 - n_bits)));
  const MlirValue key =
      BE_IN(body, "arith.xori", same, bits, BE_IN(body, "arith.ori", same, is_negative, sign));
  return be_in_select(body, is_nan, be_in_scalar_int(body, plain, -1), key);
}

MlirValue la_row_key(const be_body *body, const la_row *row, MlirValue position) {
  const buddy_dtype dtype = row->type->dtype;
  const MlirValue element = la_row_element(body, row, position);
  const uint64_t ones = UINT64_MAX >> (64 - bits_of(row));
  MlirValue key;
  if (be_is_float(dtype)) {
    key = be_in_cast(body, float_key(body, element, dtype), unsigned_of(dtype), BUDDY_I64);
  } else {
    key = be_in_cast(body, element, dtype == BUDDY_BOOL ? dtype : unsigned_of(dtype), BUDDY_I64);
    if (!be_is_unsigned(dtype))
      key = BE_IN(body, "arith.xori", same, key, number(body, (int64_t)(ones ^ ones >> 1)));
  }
  return row->is_descending ? BE_IN(body, "arith.xori", same, key, number(body, (int64_t)ones))
                            : key;
}

/* Digit number `pass` (i64) of a key, as an index. */
static MlirValue digit_of(const be_body *body, MlirValue key, MlirValue pass) {
  const MlirValue shift = BE_IN(body, "arith.muli", same, pass, number(body, DIGIT_BITS));
  const MlirValue low = BE_IN(body, "arith.shrui", same, key, shift);
  return la_as_index(body, BE_IN(body, "arith.andi", same, low, number(body, N_DIGITS - 1)));
}

/* Where the counts of a pass are. */
static MlirValue count_at(const be_body *body, MlirValue pass, MlirValue digit) {
  const MlirValue first = BE_IN(body, "arith.muli", same, pass, number(body, N_DIGITS));
  return la_index_add(body, la_as_index(body, first), digit);
}

static MlirValue listed(const be_body *body, MlirValue list, MlirValue place) {
  return la_element(body, list, BUDDY_I64, &place, 1);
}

static void repeat(const be_body *body, MlirValue n, la_step *step, void *user, size_t n_carried,
                   MlirValue *carried) {
  const la_nest nest = {1, &n, n_carried, step, user};
  la_run_nest(body, &nest, carried);
}

static void clear(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)user;
  carried[0] = la_write(body, number(body, 0), carried[0], at, 1);
}

/* carried: the counts */
static void count(const be_body *body, MlirValue key, MlirValue pass, MlirValue *carried) {
  const MlirValue at = count_at(body, pass, digit_of(body, key, pass));
  const MlirValue more =
      BE_IN(body, "arith.addi", same, listed(body, carried[0], at), number(body, 1));
  carried[0] = la_write(body, more, carried[0], &at, 1);
}

/* ---- Passes ---- */

/* carried: the counts of all digits of one more of the list */
static void count_all(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue key = la_row_key(body, s->row, la_as_index(body, listed(body, s->from, at[0])));
  for (int64_t p = 0; p * DIGIT_BITS < bits_of(s->row); ++p)
    count(body, key, number(body, p), carried);
}

/* carried: the counts, of which each becomes the place of the first that has the digit, and the
 * place of the next */
static void begin_digit(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue place = count_at(body, s->pass, at[0]);
  const MlirValue n = listed(body, carried[0], place);
  carried[0] = la_write(body, carried[1], carried[0], &place, 1);
  carried[1] = BE_IN(body, "arith.addi", same, carried[1], n);
}

/* carried: the list that is written, and the places of the next of each digit */
static void move(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue position = listed(body, s->from, at[0]);
  const MlirValue digit =
      digit_of(body, la_row_key(body, s->row, la_as_index(body, position)), s->pass);
  const MlirValue next = count_at(body, s->pass, digit), place = listed(body, carried[1], next);
  const MlirValue to = la_as_index(body, place);
  carried[0] = la_write(body, position, carried[0], &to, 1);
  const MlirValue behind = BE_IN(body, "arith.addi", same, place, number(body, 1));
  carried[1] = la_write(body, behind, carried[1], &next, 1);
}

/* carried: the lists; nothing is done where all have the same digit */
static void run_needed(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  (void)at;
  sorting s = *(const sorting *)user;
  MlirValue counts[2] = {carried[2], number(body, 0)};
  repeat(body, be_in_index(body, N_DIGITS), begin_digit, &s, 2, counts);
  s.from = carried[0];
  MlirValue moved[2] = {carried[1], counts[0]};
  repeat(body, s.n, move, &s, 2, moved);
  carried[1] = moved[0];
  carried[2] = moved[1];
  carried[0] = la_copied(body, carried[1], carried[0], s.n);
}

/* carried: the lists */
static void run_pass(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  sorting s = *(const sorting *)user;
  s.pass = la_as_i64(body, at[0]);
  const MlirValue first = la_as_index(body, listed(body, carried[0], be_in_index(body, 0)));
  const MlirValue digit = digit_of(body, la_row_key(body, s.row, first), s.pass);
  const MlirValue n_like_it = listed(body, carried[2], count_at(body, s.pass, digit));
  const MlirValue is_needed = be_in_compare(body, "ne", n_like_it, la_as_i64(body, s.n), BUDDY_I64);
  const MlirValue times = be_in_select(body, is_needed, be_in_index(body, 1), be_in_index(body, 0));
  repeat(body, times, run_needed, &s, 3, carried);
}

/* ---- Narrowing ---- */

/* carried: the counts of the highest digit of one more of the row */
static void count_highest(const be_body *body, const MlirValue *at, MlirValue *carried,
                          void *user) {
  const sorting *s = user;
  count(body, la_row_key(body, s->row, at[0]), s->pass, carried);
}

/* One more digit. carried, as indices: the first digit and the last that are wanted, how many come
 * before the first, and how many before the digit */
static void find_ends(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue n = la_as_index(body, listed(body, s->from, count_at(body, s->pass, at[0])));
  const MlirValue before = carried[3], next = la_index_add(body, before, n);
  const MlirValue has_begin =
      BE_IN(body, "arith.andi", same, be_in_compare(body, "le", before, s->begin, BUDDY_I64),
            be_in_compare(body, "lt", s->begin, next, BUDDY_I64));
  const MlirValue has_end =
      BE_IN(body, "arith.andi", same, be_in_compare(body, "lt", before, s->end, BUDDY_I64),
            be_in_compare(body, "le", s->end, next, BUDDY_I64));
  carried[0] = be_in_select(body, has_begin, at[0], carried[0]);
  carried[1] = be_in_select(body, has_end, at[0], carried[1]);
  carried[2] = be_in_select(body, has_begin, before, carried[2]);
  carried[3] = next;
}

/* carried: the list of those that are kept, and how many they are */
static void keep(const be_body *body, const MlirValue *at, MlirValue *carried, void *user) {
  const sorting *s = user;
  const MlirValue digit = digit_of(body, la_row_key(body, s->row, at[0]), s->pass);
  const MlirValue is_kept =
      BE_IN(body, "arith.andi", same, be_in_compare(body, "le", s->ends[0], digit, BUDDY_I64),
            be_in_compare(body, "le", digit, s->ends[1], BUDDY_I64));
  carried[0] = la_write(body, la_as_i64(body, at[0]), carried[0], &carried[1], 1);
  const MlirValue more = be_in_select(body, is_kept, be_in_index(body, 1), be_in_index(body, 0));
  carried[1] = la_index_add(body, carried[1], more);
}

/* Lists the positions of the elements whose highest digits may be wanted; gives back how many come
 * before them. */
static MlirValue narrow(const be_body *body, sorting *s, MlirValue *lists) {
  const MlirValue zero = be_in_index(body, 0), n_digits = be_in_index(body, N_DIGITS);
  s->pass = number(body, bits_of(s->row) / DIGIT_BITS - 1);
  repeat(body, s->row->length, count_highest, s, 1, &lists[2]);
  s->from = lists[2];
  MlirValue found[4] = {zero, be_in_index(body, N_DIGITS - 1), zero, zero};
  repeat(body, n_digits, find_ends, s, 4, found);
  s->ends[0] = found[0];
  s->ends[1] = found[1];
  MlirValue kept[2] = {lists[0], zero};
  repeat(body, s->row->length, keep, s, 2, kept);
  lists[0] = kept[0];
  s->n = kept[1];
  return found[2];
}

/* ---- All of it ---- */

MlirValue la_radix_sort(const be_body *body, const la_row *row, MlirValue begin, MlirValue end,
                        MlirValue *lists) {
  sorting s = {.row = row, .n = row->length, .begin = begin, .end = end};
  const int64_t n_digits = bits_of(row) / DIGIT_BITS;
  const MlirValue n_counts = be_in_index(body, n_digits * N_DIGITS);
  MlirValue n_before = be_in_index(body, 0);
  if (begin.ptr) {
    repeat(body, n_counts, clear, NULL, 1, &lists[2]);
    n_before = narrow(body, &s, lists);
  } else {
    lists[0] = la_numbered(body, lists[0], row->length);
  }
  repeat(body, n_counts, clear, NULL, 1, &lists[2]);
  s.from = lists[0];
  repeat(body, s.n, count_all, &s, 1, &lists[2]);
  const MlirValue some = BE_IN(body, "arith.minsi", same, s.n, be_in_index(body, 1));
  const MlirValue n_passes =
      la_index_mul(body, some, be_in_index(body, n_digits)); /* of nothing, none */
  repeat(body, n_passes, run_pass, &s, 3, lists);
  return n_before;
}
