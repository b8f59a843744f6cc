// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_table.h: the interned expressions of a top graph and the symbols that they are
 * about. */
#ifndef BUDDY_CORE_GRAPH_DIM_TABLE_H
#define BUDDY_CORE_GRAPH_DIM_TABLE_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "core/base/arena.h"
#include "core/base/hash.h"

/* Limits of one expression, seen as a tree: they bound the time of every walk and the depth of
 * every recursion. */
#define BD_DIM_MAX_WEIGHT 4096u
#define BD_DIM_MAX_DEPTH 128u

/* One expression in normal form. Its number is its place in the table; operands are dims that come
 * before it. */
typedef struct bd_dim_expr {
  UT_hash_handle hh;               /* by kind, n and operands: one run of bytes without padding */
  bool is_one;                     /* in types it is the number 1 (bd_dim_take_for_one) */
  int64_t low, high;               /* range of values; INT64_MIN and INT64_MAX: unbounded */
  int64_t stated_low, stated_high; /* within it: of the sizes that the program was made for */
  int64_t dim;
  uint32_t weight, depth; /* numbers and symbols in the tree; levels of it */
  uint32_t kind;          /* buddy_dim_kind, never NUMBER */
  uint32_t n;
  int64_t operands[]; /* of a symbol: its number */
} bd_dim_expr;

typedef struct bd_symbol_entry {
  buddy_symbol symbol;
  size_t number;
  UT_hash_handle hh; /* by name */
} bd_symbol_entry;

typedef struct bd_dims {
  bd_arena *arena;
  bd_dim_expr *table;
  bd_dim_expr **exprs; /* by number */
  size_t n_exprs, exprs_capacity;
  bd_symbol_entry *names;
  bd_symbol_entry **symbols; /* by number */
  size_t n_symbols, symbols_capacity;
  void *scratch; /* a candidate, until it is known to be new */
  size_t scratch_capacity;
} bd_dims;

void bd_dims_deinit(bd_dims *dims);

/* The expression of a symbolic dim; null for a number, and for what no call has returned. */
static inline const bd_dim_expr *bd_dim_expr_of(const bd_dims *dims, int64_t dim) {
  const uint64_t number = (uint64_t)dim - (uint64_t)INT64_MIN;
  return number < dims->n_exprs ? dims->exprs[number] : NULL;
}
/* A number, or a symbolic dim of this table. */
static inline bool bd_dim_is_valid(const bd_dims *dims, int64_t dim) {
  return !BUDDY_IS_SYMBOLIC(dim) || bd_dim_expr_of(dims, dim);
}
static inline bool bd_dim_is_kind(const bd_dims *dims, int64_t dim, buddy_dim_kind kind) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  return expr && expr->kind == (uint32_t)kind;
}

/* The dim of an expression whose operands are in normal form and order already. */
buddy_code bd_dim_intern(bd_dims *dims, buddy_dim_kind kind, const int64_t *operands, size_t n,
                         int64_t *out_dim);

/* A total order that does not depend on the order of interning, so that texts are stable: products
 * of more factors first, numbers last. Among monomials it is a graded order that multiplication
 * keeps. */
int bd_dim_compare(const bd_dims *dims, int64_t a, int64_t b);

/* Bounds of the value, from the ranges of the symbols. */
void bd_dim_range(const bd_dims *dims, int64_t dim, int64_t *out_low, int64_t *out_high);
/* A symbol's range, narrower than that of the values it may have, that the program was made for, and the dims
 * that are made of it from now on: torch.export states at least 2 of every size, and takes min(s0 - 1, 1) for 1. */
void bd_dim_state_range(bd_dims *dims, int64_t dim, int64_t low, int64_t high);
/* Whether a dim is that number for all sizes that the program was made for. */
bool bd_dim_is_stated(const bd_dims *dims, int64_t dim, int64_t number);
/* A condition says that it is 1 in every run: from now on types that are made have that number for it. */
void bd_dim_take_for_one(bd_dims *dims, int64_t dim);
static inline bool bd_dim_is_one(const bd_dims *dims, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  return expr ? expr->is_one : dim == 1;
}
/* The value is known to lie within these bounds, too: what is made of it from now on relies on it. No
 * more than one value left, and a quotient, remainder, maximum or minimum is that number wherever it
 * is made again. Bounds that contradict what is known change nothing. */
void bd_dim_narrow(bd_dims *dims, int64_t dim, int64_t low, int64_t high);

#endif
