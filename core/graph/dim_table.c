// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_table.c: hash-consing of expressions, their order and their ranges.
 *
 * An expression with the same kind and operands as one that exists is that one; since operands are
 * interned first, equality of whole trees is equality of two numbers. Ranges are computed once, by
 * interval arithmetic that saturates at the bounds of int64_t, which stand for "unbounded". */
#include "core/graph/dim_table.h"

#include <stddef.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "core/base/numbers.h"
#include "core/base/try.h"

void bd_dims_deinit(bd_dims *dims) {
  HASH_CLEAR(hh, dims->table);
  HASH_CLEAR(hh, dims->names);
  bd_free(dims->exprs);
  bd_free(dims->symbols);
  bd_free(dims->scratch);
  *dims = (bd_dims){0};
}

/* ---- Ranges ---- */

static int64_t add_bounds(int64_t a, int64_t b, int64_t unbounded) {
  int64_t sum;
  if (a == unbounded || b == unbounded) return unbounded;
  return __builtin_add_overflow(a, b, &sum) ? unbounded : sum;
}

static bool is_infinite(int64_t bound) { return bound == INT64_MIN || bound == INT64_MAX; }

/* A product of bounds; 0 times unbounded is 0, as only the bound is infinite, never the value. */
static int64_t multiply_bounds(int64_t a, int64_t b) {
  int64_t product;
  if (a == 0 || b == 0) return 0;
  const int64_t infinity = (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
  if (is_infinite(a) || is_infinite(b)) return infinity;
  return __builtin_mul_overflow(a, b, &product) ? infinity : product;
}

/* A quotient of bounds, b > 0. */
static int64_t divide_bounds(int64_t a, int64_t b) {
  if (is_infinite(a)) return a;
  return b == INT64_MAX ? (a < 0 ? -1 : 0) : bd_floordiv(a, b);
}

typedef struct interval {
  int64_t low, high;
} interval;

static int64_t low_of(const int64_t *corners, size_t n) {
  int64_t low = corners[0];
  for (size_t i = 1; i < n; ++i) low = corners[i] < low ? corners[i] : low;
  return low;
}

static int64_t high_of(const int64_t *corners, size_t n) {
  int64_t high = corners[0];
  for (size_t i = 1; i < n; ++i) high = corners[i] > high ? corners[i] : high;
  return high;
}

static interval sum_range(interval a, interval b) {
  return (interval){add_bounds(a.low, b.low, INT64_MIN), add_bounds(a.high, b.high, INT64_MAX)};
}

static interval product_range(interval a, interval b) {
  const int64_t corners[] = {multiply_bounds(a.low, b.low), multiply_bounds(a.low, b.high),
                             multiply_bounds(a.high, b.low), multiply_bounds(a.high, b.high)};
  return (interval){low_of(corners, 4), high_of(corners, 4)};
}

static interval floordiv_range(interval a, interval b) {
  if (b.low <= 0) return (interval){INT64_MIN, INT64_MAX};
  const int64_t corners[] = {divide_bounds(a.low, b.low), divide_bounds(a.low, b.high),
                             divide_bounds(a.high, b.low), divide_bounds(a.high, b.high)};
  return (interval){low_of(corners, 4), high_of(corners, 4)};
}

static interval mod_range(interval a, interval b) {
  if (b.low <= 0) return (interval){INT64_MIN, INT64_MAX};
  int64_t high = b.high == INT64_MAX ? INT64_MAX : b.high - 1;
  if (a.low >= 0 && a.high < high) high = a.high;
  return (interval){0, high};
}

static interval max_range(interval a, interval b) {
  return (interval){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static interval min_range(interval a, interval b) {
  return (interval){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}

typedef interval combine_fn(interval a, interval b);
static combine_fn *const combine[] = {
    [BUDDY_DIM_KIND_SUM] = sum_range,           [BUDDY_DIM_KIND_PRODUCT] = product_range,
    [BUDDY_DIM_KIND_FLOORDIV] = floordiv_range, [BUDDY_DIM_KIND_MOD] = mod_range,
    [BUDDY_DIM_KIND_MAX] = max_range,           [BUDDY_DIM_KIND_MIN] = min_range,
};

void bd_dim_range(const bd_dims *dims, int64_t dim, int64_t *out_low, int64_t *out_high) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  *out_low = expr ? expr->low : dim;
  *out_high = expr ? expr->high : dim;
}

void bd_dim_narrow(bd_dims *dims, int64_t dim, int64_t low, int64_t high) {
  if (!bd_dim_expr_of(dims, dim)) return;
  bd_dim_expr *expr = dims->exprs[(uint64_t)dim - (uint64_t)INT64_MIN];
  if (low < expr->low) low = expr->low;
  if (high > expr->high) high = expr->high;
  if (low > high) return;
  BD_ASSERT(expr->low <= low && high <= expr->high);
  expr->low = low;
  expr->high = high;
}

static interval range_of(const bd_dims *dims, int64_t dim) {
  interval range;
  bd_dim_range(dims, dim, &range.low, &range.high);
  return range;
}

static interval stated_of(const bd_dims *dims, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  return expr ? (interval){expr->stated_low, expr->stated_high} : (interval){dim, dim};
}

void bd_dim_state_range(bd_dims *dims, int64_t dim, int64_t low, int64_t high) {
  if (!bd_dim_is_kind(dims, dim, BUDDY_DIM_KIND_SYMBOL) || low > high) return;
  bd_dim_expr *expr = dims->exprs[(uint64_t)dim - (uint64_t)INT64_MIN];
  expr->stated_low = low;
  expr->stated_high = high;
}

void bd_dim_take_for_one(bd_dims *dims, int64_t dim) {
  BD_ASSERT(bd_dim_expr_of(dims, dim));
  dims->exprs[(uint64_t)dim - (uint64_t)INT64_MIN]->is_one = true;
}

bool bd_dim_is_stated(const bd_dims *dims, int64_t dim, int64_t number) {
  const interval stated = stated_of(dims, dim);
  return stated.low == number && stated.high == number;
}

/* ---- Interning ---- */

/* Range, weight and depth from the operands. A symbol's range is put in by the one who adds it. */
static void measure(const bd_dims *dims, bd_dim_expr *expr) {
  expr->low = expr->stated_low = INT64_MIN;
  expr->high = expr->stated_high = INT64_MAX;
  expr->weight = 1;
  expr->depth = 1;
  expr->is_one = false;
  if (expr->kind == BUDDY_DIM_KIND_SYMBOL) return;
  BD_ASSERT(expr->kind < sizeof combine / sizeof *combine && combine[expr->kind]);
  interval range = range_of(dims, expr->operands[0]), stated = stated_of(dims, expr->operands[0]);
  expr->weight = 0;
  for (uint32_t i = 0; i < expr->n; ++i) {
    const bd_dim_expr *operand = bd_dim_expr_of(dims, expr->operands[i]);
    expr->weight += operand ? operand->weight : 1;
    if (operand && operand->depth >= expr->depth) expr->depth = operand->depth + 1;
    if (i == 0) continue;
    range = combine[expr->kind](range, range_of(dims, expr->operands[i]));
    stated = combine[expr->kind](stated, stated_of(dims, expr->operands[i]));
  }
  expr->low = range.low;
  expr->high = range.high;
  expr->stated_low = stated.low;
  expr->stated_high = stated.high;
}

/* uthash hashes and compares kind, n and operands as one run of bytes. */
_Static_assert(offsetof(bd_dim_expr, operands) ==
                   offsetof(bd_dim_expr, kind) + 2 * sizeof(uint32_t),
               "bytes of padding would be part of the key");
static size_t key_size(size_t n) {
  return offsetof(bd_dim_expr, operands) - offsetof(bd_dim_expr, kind) + n * sizeof(int64_t);
}

/* The candidate, in the scratch memory of the table. */
static bd_dim_expr *fill_scratch(bd_dims *dims, buddy_dim_kind kind, const int64_t *operands,
                                 size_t n) {
  void *scratch = bd_array_grow(dims->scratch, &dims->scratch_capacity,
                                sizeof(bd_dim_expr) + n * sizeof *operands, 1);
  if (!scratch) return NULL;
  dims->scratch = scratch;
  bd_dim_expr *expr = scratch;
  BD_ASSERT(n > 0);
  expr->kind = (uint32_t)kind;
  expr->n = (uint32_t)n;
  memcpy(expr->operands, operands, n * sizeof *operands);
  return expr;
}

static buddy_code append_expr(bd_dims *dims, const bd_dim_expr *candidate) {
  if (dims->n_exprs >= (size_t)INT32_MAX) return BUDDY_LIMIT;
  void *exprs =
      bd_array_grow(dims->exprs, &dims->exprs_capacity, dims->n_exprs + 1, sizeof *dims->exprs);
  if (!exprs) return BUDDY_OUT_OF_MEMORY;
  dims->exprs = exprs;
  const size_t bytes = offsetof(bd_dim_expr, operands) + candidate->n * sizeof(int64_t);
  bd_dim_expr *expr = bd_arena_alloc(dims->arena, bytes);
  if (!expr) return BUDDY_OUT_OF_MEMORY;
  memcpy(expr, candidate, bytes);
  expr->dim = INT64_MIN + (int64_t)dims->n_exprs;
  BD_ASSERT(BUDDY_IS_SYMBOLIC(expr->dim) && expr->low <= expr->high);
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, dims->table, &expr->kind, key_size(expr->n), expr);
  if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  dims->exprs[dims->n_exprs++] = expr;
  return BUDDY_OK;
}

/* Sums and products fold number by number, and symbols keep their names. */
static bool is_pinned(const bd_dim_expr *expr) {
  return expr->low == expr->high && expr->kind != BUDDY_DIM_KIND_SYMBOL &&
         expr->kind != BUDDY_DIM_KIND_SUM && expr->kind != BUDDY_DIM_KIND_PRODUCT;
}

buddy_code bd_dim_intern(bd_dims *dims, buddy_dim_kind kind, const int64_t *operands, size_t n,
                         int64_t *out_dim) {
  *out_dim = 0;
  if (n > BD_DIM_MAX_WEIGHT) return BUDDY_LIMIT;
  bd_dim_expr *candidate = fill_scratch(dims, kind, operands, n);
  if (!candidate) return BUDDY_OUT_OF_MEMORY;
  bd_dim_expr *found;
  HASH_FIND(hh, dims->table, &candidate->kind, key_size(n), found);
  if (!found) {
    measure(dims, candidate);
    if (candidate->weight > BD_DIM_MAX_WEIGHT || candidate->depth > BD_DIM_MAX_DEPTH)
      return BUDDY_LIMIT;
    BD_TRY(append_expr(dims, candidate));
    found = dims->exprs[dims->n_exprs - 1];
  }
  *out_dim = is_pinned(found) ? found->low : found->dim;
  return BUDDY_OK;
}

/* ---- Order ---- */

/* Factors of a product, its number apart. */
static uint32_t degree(const bd_dim_expr *expr) {
  if (expr->kind != BUDDY_DIM_KIND_PRODUCT) return 1;
  return expr->n - (BUDDY_IS_SYMBOLIC(expr->operands[0]) ? 0 : 1);
}

static int compare_numbers(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

int bd_dim_compare(const bd_dims *dims, int64_t a, int64_t b) {
  if (a == b) return 0;
  const bd_dim_expr *x = bd_dim_expr_of(dims, a), *y = bd_dim_expr_of(dims, b);
  if (!x && !y) return compare_numbers(a, b);
  if (!x || !y) return x ? -1 : 1;
  if (degree(x) != degree(y)) return degree(x) > degree(y) ? -1 : 1;
  if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
  if (x->kind == BUDDY_DIM_KIND_SYMBOL) return compare_numbers(x->operands[0], y->operands[0]);
  if (x->n != y->n) return x->n < y->n ? -1 : 1;
  uint32_t i = 0;
  while (i + 1 < x->n && x->operands[i] == y->operands[i])
    ++i; /* they differ somewhere, else they were one */
  BD_ASSERT(x->operands[i] != y->operands[i]);
  return bd_dim_compare(dims, x->operands[i], y->operands[i]);
}
