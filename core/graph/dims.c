// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dims.c: sums, products, extrema; and the public face of dims: symbols, structure,
 * values.
 *
 * Normal form of an expression, from the outside in:
 *   1  SUM       of two or more terms, in the order of bd_dim_compare, a number last
 *   2  PRODUCT   an optional number that is not 0 or 1, then atoms in order, repeated for powers
 *   3  atoms     SYMBOL; FLOORDIV and MOD of two dims (dim_division.c); MAX and MIN of two or more,
 *                in order
 *
 * A sum of one term is the term, a product of one atom is the atom, and so on down to plain
 * numbers. */
#include "core/graph/dims.h"

#include <string.h>

#include "core/base/array.h"
#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/dim_poly.h"
#include "core/graph/model.h"

#define MAX_OPERANDS ((size_t)64) /* of max and min */

/* ---- Sums and products ---- */

static buddy_code sum(bd_dims *dims, int64_t a, int64_t b, int64_t factor, int64_t *out_dim) {
  bd_poly poly = {0};
  buddy_code code = bd_poly_add(dims, &poly, a, 1);
  if (!code) code = bd_poly_add(dims, &poly, b, factor);
  if (!code) code = bd_poly_store(dims, &poly, out_dim);
  bd_poly_deinit(&poly);
  return code;
}

static buddy_code product(bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim) {
  bd_poly x = {0}, y = {0}, result = {0};
  buddy_code code = bd_poly_add(dims, &x, a, 1);
  if (!code) code = bd_poly_add(dims, &y, b, 1);
  if (!code) code = bd_poly_multiply(dims, &x, &y, &result);
  if (!code) code = bd_poly_store(dims, &result, out_dim);
  bd_poly_deinit(&x);
  bd_poly_deinit(&y);
  bd_poly_deinit(&result);
  return code;
}

/* ---- Extrema ---- */

typedef struct operand_list {
  int64_t items[MAX_OPERANDS];
  size_t n;
} operand_list;

/* Whether x >= y for all values of the symbols, as far as the ranges tell. */
static buddy_code is_at_least(bd_dims *dims, int64_t x, int64_t y, bool *out_is) {
  int64_t difference, low, high;
  *out_is = false;
  const buddy_code code = sum(dims, x, y, -1, &difference);
  if (code == BUDDY_LIMIT) return BUDDY_OK; /* not known then */
  if (code) return code;
  bd_dim_range(dims, difference, &low, &high);
  *out_is = low >= 0;
  return BUDDY_OK;
}

/* Adds an operand unless another one makes it needless; removes those that it makes needless. */
static buddy_code add_operand(bd_dims *dims, buddy_dim_kind kind, operand_list *list,
                              int64_t added) {
  size_t n = 0;
  for (size_t i = 0; i < list->n; ++i) {
    const int64_t old = list->items[i];
    bool old_wins, added_wins;
    buddy_code code = is_at_least(dims, old, added, &old_wins);
    if (!code) code = is_at_least(dims, added, old, &added_wins);
    if (code) return code;
    if (kind == BUDDY_DIM_KIND_MAX ? old_wins : added_wins) return BUDDY_OK;
    if (!(kind == BUDDY_DIM_KIND_MAX ? added_wins : old_wins)) list->items[n++] = old;
  }
  list->n = n;
  if (list->n == MAX_OPERANDS) return BUDDY_LIMIT;
  list->items[list->n++] = added;
  return BUDDY_OK;
}

static buddy_code add_flattened(bd_dims *dims, buddy_dim_kind kind, operand_list *list,
                                int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  if (!expr || expr->kind != (uint32_t)kind) return add_operand(dims, kind, list, dim);
  for (uint32_t i = 0; i < expr->n; ++i) BD_TRY(add_operand(dims, kind, list, expr->operands[i]));
  return BUDDY_OK;
}

static void sort_operands(const bd_dims *dims, operand_list *list) {
  for (size_t i = 1; i < list->n; ++i) {
    const int64_t item = list->items[i];
    size_t j = i;
    for (; j > 0 && bd_dim_compare(dims, list->items[j - 1], item) > 0; --j)
      list->items[j] = list->items[j - 1];
    list->items[j] = item;
  }
}

buddy_code bd_dim_extremum(bd_dims *dims, buddy_dim_kind kind, int64_t a, int64_t b,
                           int64_t *out_dim) {
  operand_list list = {.n = 0};
  *out_dim = 0;
  BD_TRY(add_flattened(dims, kind, &list, a));
  BD_TRY(add_flattened(dims, kind, &list, b));
  sort_operands(dims, &list);
  *out_dim = list.items[0];
  return list.n == 1 ? BUDDY_OK : bd_dim_intern(dims, kind, list.items, list.n, out_dim);
}

/* Sizes whose result is one: nearly all dims, for which no polynomial is built. */
static bool combine_sizes(buddy_dim_op op, int64_t a, int64_t b, int64_t *out_dim) {
  if (a < 0 || b < 0) return false;
  switch (op) {
    case BUDDY_DIM_ADD:
      return !__builtin_add_overflow(a, b, out_dim);
    case BUDDY_DIM_SUB:
      *out_dim = a - b;
      return a >= b;
    case BUDDY_DIM_MUL:
      return !__builtin_mul_overflow(a, b, out_dim);
    case BUDDY_DIM_FLOORDIV:
      *out_dim = b ? a / b : 0;
      return b > 0;
    case BUDDY_DIM_MAX:
      *out_dim = a > b ? a : b;
      return true;
    case BUDDY_DIM_MIN:
      *out_dim = a < b ? a : b;
      return true;
    default:
      return false;
  }
}

buddy_code bd_dim_combine(bd_dims *dims, buddy_dim_op op, int64_t a, int64_t b, int64_t *out_dim) {
  if (combine_sizes(op, a, b, out_dim)) return BUDDY_OK;
  *out_dim = 0;
  if (!bd_dim_is_valid(dims, a) || !bd_dim_is_valid(dims, b)) return BUDDY_INVALID_ARGUMENT;
  switch (op) {
    case BUDDY_DIM_ADD:
      return sum(dims, a, b, 1, out_dim);
    case BUDDY_DIM_SUB:
      return sum(dims, a, b, -1, out_dim);
    case BUDDY_DIM_MUL:
      return product(dims, a, b, out_dim);
    case BUDDY_DIM_FLOORDIV:
      return bd_dim_floordiv(dims, a, b, out_dim);
    case BUDDY_DIM_MOD:
      return bd_dim_mod(dims, a, b, out_dim);
    case BUDDY_DIM_MAX:
      return bd_dim_extremum(dims, BUDDY_DIM_KIND_MAX, a, b, out_dim);
    case BUDDY_DIM_MIN:
      return bd_dim_extremum(dims, BUDDY_DIM_KIND_MIN, a, b, out_dim);
    default:
      return BUDDY_INVALID_ARGUMENT;
  }
}

buddy_code buddy_graph_dim(buddy_graph *graph, buddy_dim_op op, int64_t a, int64_t b,
                           int64_t *out_dim) {
  return bd_dim_combine(&graph->world->dims, op, a, b, out_dim);
}

/* ---- Symbols ---- */

/* A letter or '_', then letters, digits, '_' and '.': what the texts can tell from numbers and
 * operators. */
static bool is_symbol_name(const char *name) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.0123456789";
  const size_t size = strlen(name);
  return size > 0 && name[0] != '.' && (name[0] < '0' || name[0] > '9') &&
         strspn(name, letters) == size;
}

const bd_symbol_entry *bd_dim_find_symbol(const bd_dims *dims, const char *name, size_t size) {
  bd_symbol_entry *found;
  HASH_FIND(hh, dims->names, name, size, found);
  return found;
}

/* dim: the symbol's, or the number that stands for it. */
static buddy_code name_dim(bd_dims *dims, const char *name, int64_t dim, bd_symbol_entry **out) {
  bd_symbol_entry *entry = bd_arena_calloc(dims->arena, 1, sizeof *entry);
  const char *copy = bd_arena_strdup(dims->arena, name);
  if (!entry || !copy) return BUDDY_OUT_OF_MEMORY;
  *entry = (bd_symbol_entry){.symbol = {.name = copy, .dim = dim}, .number = dims->n_symbols};
  bool hash_is_full = false;
  HASH_ADD_KEYPTR(hh, dims->names, copy, strlen(copy), entry);
  *out = entry;
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static buddy_code add_symbol(bd_dims *dims, const char *name, int64_t min, int64_t max,
                             int64_t *out_dim) {
  void *symbols = bd_array_grow(dims->symbols, &dims->symbols_capacity, dims->n_symbols + 1,
                                sizeof *dims->symbols);
  if (!symbols) return BUDDY_OUT_OF_MEMORY;
  dims->symbols = symbols;
  const int64_t number = (int64_t)dims->n_symbols;
  bd_symbol_entry *entry;
  int64_t dim;
  BD_TRY(bd_dim_intern(dims, BUDDY_DIM_KIND_SYMBOL, &number, 1, &dim));
  bd_dim_expr *expr = dims->exprs[(uint64_t)dim - (uint64_t)INT64_MIN];
  expr->low = min;
  expr->high = max;
  BD_TRY(name_dim(dims, name, dim, &entry));
  entry->symbol.min = min;
  entry->symbol.max = max;
  dims->symbols[dims->n_symbols++] = entry;
  *out_dim = dim;
  return BUDDY_OK;
}

buddy_code bd_graph_fix_symbol(buddy_graph *graph, const char *name, int64_t number) {
  bd_dims *dims = &graph->world->dims;
  bd_symbol_entry *entry;
  if (number < 0 || !is_symbol_name(name) || bd_dim_find_symbol(dims, name, strlen(name)))
    return BUDDY_INVALID_ARGUMENT;
  graph->world->is_cut = true;
  return name_dim(dims, name, number, &entry);
}

buddy_code buddy_graph_add_symbol(buddy_graph *graph, const char *name, int64_t min, int64_t max,
                                  int64_t *out_dim) {
  bd_dims *dims = &graph->world->dims;
  *out_dim = 0;
  if (!name || !is_symbol_name(name) || min > max) return BUDDY_INVALID_ARGUMENT;
  if (min != INT64_MIN && BUDDY_IS_SYMBOLIC(min)) return BUDDY_INVALID_ARGUMENT;
  const bd_symbol_entry *known = bd_dim_find_symbol(dims, name, strlen(name));
  if (!known) return add_symbol(dims, name, min, max, out_dim);
  *out_dim = known->symbol.dim;
  return BUDDY_OK;
}

void bd_graph_state_range(buddy_graph *graph, int64_t dim, int64_t low, int64_t high) {
  bd_dim_state_range(&graph->world->dims, dim, low, high);
}

size_t buddy_graph_n_symbols(const buddy_graph *graph) { return graph->world->dims.n_symbols; }

const buddy_symbol *buddy_graph_symbol(const buddy_graph *graph, size_t i) {
  const bd_dims *dims = &graph->world->dims;
  return i < dims->n_symbols ? &dims->symbols[i]->symbol : NULL;
}

buddy_code buddy_graph_bind_symbol(buddy_graph *graph, size_t i, const buddy_value *value) {
  bd_dims *dims = &graph->world->dims;
  if (i >= dims->n_symbols) return BUDDY_INVALID_ARGUMENT;
  if (value && (value->graph->world != graph->world || value->type.rank != 0))
    return BUDDY_INVALID_ARGUMENT;
  buddy_symbol *symbol = &dims->symbols[i]->symbol;
  if (symbol->bound_to) --bd_value_edit(symbol->bound_to)->n_symbols;
  symbol->bound_to = value;
  if (value) ++bd_value_edit(value)->n_symbols;
  return BUDDY_OK;
}

/* ---- Structure ---- */

buddy_dim_kind buddy_graph_dim_kind(const buddy_graph *graph, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(&graph->world->dims, dim);
  return expr ? (buddy_dim_kind)expr->kind : BUDDY_DIM_KIND_NUMBER;
}

size_t buddy_graph_dim_n_operands(const buddy_graph *graph, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(&graph->world->dims, dim);
  return expr && expr->kind != BUDDY_DIM_KIND_SYMBOL ? expr->n : 0;
}

int64_t buddy_graph_dim_operand(const buddy_graph *graph, int64_t dim, size_t i) {
  const bd_dim_expr *expr = bd_dim_expr_of(&graph->world->dims, dim);
  return expr && expr->kind != BUDDY_DIM_KIND_SYMBOL && i < expr->n ? expr->operands[i] : 0;
}

size_t buddy_graph_dim_symbol(const buddy_graph *graph, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(&graph->world->dims, dim);
  return expr && expr->kind == BUDDY_DIM_KIND_SYMBOL ? (size_t)expr->operands[0] : SIZE_MAX;
}

/* ---- Values ---- */

/* One step of an evaluation: acc (kind) next. */
static buddy_code apply(buddy_dim_kind kind, int64_t *acc, int64_t next) {
  switch (kind) {
    case BUDDY_DIM_KIND_SUM:
      return __builtin_add_overflow(*acc, next, acc) ? BUDDY_LIMIT : BUDDY_OK;
    case BUDDY_DIM_KIND_PRODUCT:
      return __builtin_mul_overflow(*acc, next, acc) ? BUDDY_LIMIT : BUDDY_OK;
    case BUDDY_DIM_KIND_MAX:
      *acc = *acc > next ? *acc : next;
      return BUDDY_OK;
    case BUDDY_DIM_KIND_MIN:
      *acc = *acc < next ? *acc : next;
      return BUDDY_OK;
    default:
      if (next == 0) return BUDDY_INVALID_ARGUMENT;
      if (next == -1 && *acc == INT64_MIN) return BUDDY_LIMIT;
      *acc = kind == BUDDY_DIM_KIND_FLOORDIV ? bd_floordiv(*acc, next) : bd_mod(*acc, next);
      return BUDDY_OK;
  }
}

/* Recursion ends: depth and weight of an expression are limited. */
static buddy_code eval(const bd_dims *dims, int64_t dim, const int64_t *symbols, size_t n_symbols,
                       int64_t *out) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  *out = dim;
  if (!expr) return BUDDY_OK;
  if (expr->kind == BUDDY_DIM_KIND_SYMBOL) {
    const size_t number = (size_t)expr->operands[0];
    if (number >= n_symbols) return BUDDY_INVALID_ARGUMENT;
    *out = symbols[number];
    return BUDDY_OK;
  }
  BD_TRY(eval(dims, expr->operands[0], symbols, n_symbols, out));
  for (uint32_t i = 1; i < expr->n; ++i) {
    int64_t next;
    BD_TRY(eval(dims, expr->operands[i], symbols, n_symbols, &next));
    BD_TRY(apply((buddy_dim_kind)expr->kind, out, next));
  }
  return BUDDY_OK;
}

buddy_code buddy_graph_dim_eval(const buddy_graph *graph, int64_t dim, const int64_t *symbols,
                                size_t n_symbols, int64_t *out_number) {
  const bd_dims *dims = &graph->world->dims;
  const buddy_code code = bd_dim_is_valid(dims, dim)
                              ? eval(dims, dim, symbols, n_symbols, out_number)
                              : BUDDY_INVALID_ARGUMENT;
  if (code) *out_number = 0;
  return code;
}
