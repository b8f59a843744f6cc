// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_poly.c: sums of terms. Sums are merges of ordered lists; products are gathered,
 * ordered and combined. All numbers are checked: what does not fit into an int64_t outside the
 * range of symbolic dims is BUDDY_LIMIT. */
#include "core/graph/dim_poly.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/base/try.h"

#define MAX_TERMS ((size_t)BD_DIM_MAX_WEIGHT)
#define MAX_FACTORS 64u

void bd_poly_deinit(bd_poly *poly) {
  bd_free(poly->terms);
  *poly = (bd_poly){0};
}

/* ---- Monomials ---- */

/* The atoms of a monomial: none for 1, itself for an atom. */
static const int64_t *factors_of(const bd_dims *dims, const int64_t *monomial, size_t *out_n) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, *monomial);
  const bool is_product = expr && expr->kind == BUDDY_DIM_KIND_PRODUCT;
  *out_n = !expr ? 0 : is_product ? expr->n : 1;
  return is_product ? expr->operands : monomial;
}

static buddy_code intern_monomial(bd_dims *dims, const int64_t *factors, size_t n,
                                  int64_t *out_monomial) {
  if (n < 2) {
    *out_monomial = n ? factors[0] : 1;
    return BUDDY_OK;
  }
  return bd_dim_intern(dims, BUDDY_DIM_KIND_PRODUCT, factors, n, out_monomial);
}

static buddy_code multiply_monomials(bd_dims *dims, int64_t a, int64_t b, int64_t *out_monomial) {
  int64_t merged[MAX_FACTORS];
  size_t n_a, n_b, i = 0, j = 0, n = 0;
  const int64_t *x = factors_of(dims, &a, &n_a), *y = factors_of(dims, &b, &n_b);
  if (n_a + n_b > MAX_FACTORS) return BUDDY_LIMIT;
  while (i < n_a || j < n_b) {
    const bool is_x = j == n_b || (i < n_a && bd_dim_compare(dims, x[i], y[j]) <= 0);
    merged[n++] = is_x ? x[i++] : y[j++];
  }
  return intern_monomial(dims, merged, n, out_monomial);
}

/* a without the factors of b; false if b does not divide a. */
static bool divide_monomials(bd_dims *dims, int64_t a, int64_t b, int64_t *out_monomial,
                             buddy_code *out_code) {
  int64_t rest[MAX_FACTORS];
  size_t n_a, n_b, j = 0, n = 0;
  const int64_t *x = factors_of(dims, &a, &n_a), *y = factors_of(dims, &b, &n_b);
  for (size_t i = 0; i < n_a; ++i) {
    if (j < n_b && x[i] == y[j]) {
      ++j;
    } else {
      rest[n++] = x[i];
    }
  }
  if (j < n_b) return false;
  *out_code = intern_monomial(dims, rest, n, out_monomial);
  return *out_code == BUDDY_OK;
}

buddy_code bd_monomial_gcd(bd_dims *dims, int64_t a, int64_t b, int64_t *out_monomial) {
  int64_t common[MAX_FACTORS];
  size_t n_a, n_b, i = 0, j = 0, n = 0;
  const int64_t *x = factors_of(dims, &a, &n_a), *y = factors_of(dims, &b, &n_b);
  while (i < n_a && j < n_b) {
    const int order = bd_dim_compare(dims, x[i], y[j]);
    if (order == 0) common[n++] = x[i];
    i += order <= 0;
    j += order >= 0;
  }
  return intern_monomial(dims, common, n, out_monomial);
}

bool bd_term_divide(bd_dims *dims, bd_term a, bd_term b, bd_term *out_quotient,
                    buddy_code *out_code) {
  *out_code = BUDDY_OK;
  if (a.coefficient % b.coefficient != 0) return false;
  if (!divide_monomials(dims, a.monomial, b.monomial, &out_quotient->monomial, out_code))
    return false;
  out_quotient->coefficient = a.coefficient / b.coefficient;
  return true;
}

/* ---- Sums ---- */

buddy_code bd_poly_append(bd_poly *poly, bd_term term) {
  if (poly->n == MAX_TERMS) return BUDDY_LIMIT;
  if (BUDDY_IS_SYMBOLIC(term.coefficient)) return BUDDY_LIMIT;
  if (term.coefficient == 0) return BUDDY_OK;
  void *terms = bd_array_grow(poly->terms, &poly->capacity, poly->n + 1, sizeof term);
  if (!terms) return BUDDY_OUT_OF_MEMORY;
  poly->terms = terms;
  poly->terms[poly->n++] = term;
  return BUDDY_OK;
}

/* Appends a, then b, or the sum of both if their monomials are one. */
static buddy_code append_sum(bd_poly *poly, bd_term a, bd_term b) {
  if (__builtin_add_overflow(a.coefficient, b.coefficient, &a.coefficient)) return BUDDY_LIMIT;
  return bd_poly_append(poly, a);
}

static buddy_code merge(const bd_dims *dims, const bd_poly *a, const bd_poly *b, bd_poly *out_sum) {
  size_t i = 0, j = 0;
  while (i < a->n && j < b->n) {
    const int order = bd_dim_compare(dims, a->terms[i].monomial, b->terms[j].monomial);
    if (order == 0) {
      BD_TRY(append_sum(out_sum, a->terms[i++], b->terms[j++]));
    } else {
      BD_TRY(bd_poly_append(out_sum, order < 0 ? a->terms[i++] : b->terms[j++]));
    }
  }
  while (i < a->n) BD_TRY(bd_poly_append(out_sum, a->terms[i++]));
  while (j < b->n) BD_TRY(bd_poly_append(out_sum, b->terms[j++]));
  return BUDDY_OK;
}

static buddy_code multiply_terms(bd_dims *dims, bd_term a, bd_term b, bd_term *out_term) {
  if (__builtin_mul_overflow(a.coefficient, b.coefficient, &out_term->coefficient))
    return BUDDY_LIMIT;
  if (BUDDY_IS_SYMBOLIC(out_term->coefficient)) return BUDDY_LIMIT;
  return multiply_monomials(dims, a.monomial, b.monomial, &out_term->monomial);
}

buddy_code bd_poly_add_product(bd_dims *dims, bd_poly *poly, const bd_poly *other, bd_term factor) {
  bd_poly product = {0}, sum = {0};
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; !code && i < other->n; ++i) {
    bd_term term;
    code = multiply_terms(dims, other->terms[i], factor, &term);
    if (!code) code = bd_poly_append(&product, term); /* the order survives multiplication */
  }
  if (!code) code = merge(dims, poly, &product, &sum);
  bd_poly_deinit(&product);
  bd_poly_deinit(code ? &sum : poly);
  if (!code) *poly = sum;
  return code;
}

/* A summand as a term: a number, "2*s0*s1", or an atom. */
static buddy_code term_of(bd_dims *dims, int64_t dim, bd_term *out_term) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  *out_term = expr ? (bd_term){1, dim} : (bd_term){dim, 1};
  if (!expr || expr->kind != BUDDY_DIM_KIND_PRODUCT || BUDDY_IS_SYMBOLIC(expr->operands[0]))
    return BUDDY_OK;
  out_term->coefficient = expr->operands[0];
  return intern_monomial(dims, expr->operands + 1, expr->n - 1, &out_term->monomial);
}

static buddy_code load(bd_dims *dims, int64_t dim, bd_poly *out_poly) {
  const bd_dim_expr *expr = bd_dim_expr_of(dims, dim);
  const bool is_sum = expr && expr->kind == BUDDY_DIM_KIND_SUM;
  const size_t n = is_sum ? expr->n : 1;
  for (size_t i = 0; i < n; ++i) {
    bd_term term;
    BD_TRY(term_of(dims, is_sum ? expr->operands[i] : dim, &term));
    BD_TRY(bd_poly_append(out_poly, term));
  }
  return BUDDY_OK;
}

buddy_code bd_poly_add(bd_dims *dims, bd_poly *poly, int64_t dim, int64_t factor) {
  bd_poly other = {0};
  buddy_code code = load(dims, dim, &other);
  if (!code) code = bd_poly_add_product(dims, poly, &other, (bd_term){factor, 1});
  bd_poly_deinit(&other);
  return code;
}

/* ---- Products ---- */

buddy_code bd_poly_multiply(bd_dims *dims, const bd_poly *a, const bd_poly *b,
                            bd_poly *out_product) {
  if (a->n * b->n > 4 * MAX_TERMS) return BUDDY_LIMIT;
  if (a->n > b->n) return bd_poly_multiply(dims, b, a, out_product);
  for (size_t i = 0; i < a->n; ++i) {
    BD_TRY(bd_poly_add_product(dims, out_product, b, a->terms[i]));
  }
  return BUDDY_OK;
}

/* ---- Back to dims ---- */

static buddy_code dim_of_term(bd_dims *dims, bd_term term, int64_t *out_dim) {
  *out_dim = term.coefficient;
  if (term.monomial == 1) return BUDDY_OK;
  *out_dim = term.monomial;
  if (term.coefficient == 1) return BUDDY_OK;
  int64_t factors[MAX_FACTORS + 1] = {term.coefficient};
  size_t n;
  const int64_t *atoms = factors_of(dims, &term.monomial, &n);
  memcpy(factors + 1, atoms, n * sizeof *atoms);
  return bd_dim_intern(dims, BUDDY_DIM_KIND_PRODUCT, factors, n + 1, out_dim);
}

buddy_code bd_poly_store(bd_dims *dims, const bd_poly *poly, int64_t *out_dim) {
  *out_dim = 0;
  if (poly->n == 0) return BUDDY_OK;
  if (poly->n == 1) return dim_of_term(dims, poly->terms[0], out_dim);
  int64_t *summands = bd_calloc(poly->n, sizeof *summands);
  if (!summands) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; !code && i < poly->n; ++i)
    code = dim_of_term(dims, poly->terms[i], &summands[i]);
  if (!code) code = bd_dim_intern(dims, BUDDY_DIM_KIND_SUM, summands, poly->n, out_dim);
  bd_free(summands);
  return code;
}
