// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_print.c: "2*s0+1" and its kin: infix with the fewest parentheses, max and min as
 * functions. */
#include "core/base/text.h"
#include "core/graph/dims.h"

/* Binding strength, weakest first: what stands inside a stronger operator goes into parentheses. */
enum { IN_SUM, IN_PRODUCT, IN_DIVISION };

static void print(const bd_dims *dims, int64_t dim, int inside, bd_text *text);

/* A run of equal factors: s0*s0 becomes s0**2. */
static uint32_t run_length(const bd_dim_expr *product, uint32_t i) {
  uint32_t n = 1;
  while (i + n < product->n && product->operands[i + n] == product->operands[i]) ++n;
  return n;
}

static void print_product(const bd_dims *dims, const bd_dim_expr *product, bd_text *text) {
  uint32_t i = 0;
  if (product->operands[0] == -1) {
    bd_text_char(text, '-');
    i = 1;
  }
  for (uint32_t n; i < product->n; i += n) {
    n = run_length(product, i);
    if (i > 0 && text->size && text->data[text->size - 1] != '-') bd_text_char(text, '*');
    print(dims, product->operands[i], IN_DIVISION, text);
    if (n > 1) bd_text_format(text, "**%u", n);
  }
}

static bool is_negative(const bd_dims *dims, int64_t dim) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  if (!expr) return dim < 0;
  return expr->kind == BUDDY_DIM_KIND_PRODUCT && !BUDDY_IS_SYMBOLIC(expr->operands[0]) &&
         expr->operands[0] < 0;
}

static void print_sum(const bd_dims *dims, const bd_dim_expr *sum, bd_text *text) {
  for (uint32_t i = 0; i < sum->n; ++i) {
    if (i > 0 && !is_negative(dims, sum->operands[i])) bd_text_char(text, '+');
    print(dims, sum->operands[i], IN_SUM, text);
  }
}

static void print_division(const bd_dims *dims, const bd_dim_expr *division, bd_text *text) {
  print(dims, division->operands[0], IN_DIVISION, text);
  bd_text_string(text, division->kind == BUDDY_DIM_KIND_FLOORDIV ? "//" : "%");
  print(dims, division->operands[1], IN_DIVISION, text);
}

static void print_extremum(const bd_dims *dims, const bd_dim_expr *extremum, bd_text *text) {
  bd_text_string(text, extremum->kind == BUDDY_DIM_KIND_MAX ? "max(" : "min(");
  for (uint32_t i = 0; i < extremum->n; ++i) {
    if (i > 0) bd_text_char(text, ',');
    print(dims, extremum->operands[i], IN_SUM, text);
  }
  bd_text_char(text, ')');
}

typedef void print_fn(const bd_dims *dims, const bd_dim_expr *expr, bd_text *text);
static const struct {
  print_fn *print;
  int strength; /* parentheses inside what binds at least as strongly, other than a sum */
} forms[] = {
    [BUDDY_DIM_KIND_SUM] = {print_sum, IN_PRODUCT},
    [BUDDY_DIM_KIND_PRODUCT] = {print_product, IN_DIVISION},
    [BUDDY_DIM_KIND_FLOORDIV] = {print_division, IN_DIVISION},
    [BUDDY_DIM_KIND_MOD] = {print_division, IN_DIVISION},
    [BUDDY_DIM_KIND_MAX] = {print_extremum, IN_DIVISION + 1},
    [BUDDY_DIM_KIND_MIN] = {print_extremum, IN_DIVISION + 1},
};

/* Recursion ends: the depth of an expression is limited. */
static void print(const bd_dims *dims, int64_t dim, int inside, bd_text *text) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  if (!expr) {
    bd_text_int(text, dim);
    return;
  }
  if (expr->kind == BUDDY_DIM_KIND_SYMBOL) {
    bd_text_string(text, dims->symbols[expr->operands[0]]->symbol.name);
    return;
  }
  const bool is_enclosed = inside >= forms[expr->kind].strength;
  if (is_enclosed) bd_text_char(text, '(');
  forms[expr->kind].print(dims, expr, text);
  if (is_enclosed) bd_text_char(text, ')');
}

void bd_dim_print(const bd_dims *dims, int64_t dim, bd_text *text) {
  if (!bd_dim_is_valid(dims, dim)) {
    bd_text_char(text, '?');
  } else {
    print(dims, dim, IN_SUM, text);
  }
}
