// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_poly.h: polynomials, in which the arithmetic on dims is done. */
#ifndef BUDDY_CORE_GRAPH_DIM_POLY_H
#define BUDDY_CORE_GRAPH_DIM_POLY_H

#include "core/graph/dim_table.h"

/* coefficient * monomial. The monomial is the dim 1 (a constant term), an atom (symbol, floordiv,
 * mod, max, min), or a product of atoms without a number. The coefficient is not 0. */
typedef struct bd_term {
  int64_t coefficient;
  int64_t monomial;
} bd_term;

/* A sum of terms, ordered by bd_dim_compare of their monomials, each monomial once. */
typedef struct bd_poly {
  bd_term *terms;
  size_t n, capacity;
} bd_poly;

void bd_poly_deinit(bd_poly *poly);
/* Adds factor * dim. */
buddy_code bd_poly_add(bd_dims *dims, bd_poly *poly, int64_t dim, int64_t factor);
/* Appends a term whose monomial comes after all others in the order. */
buddy_code bd_poly_append(bd_poly *poly, bd_term term);
/* Adds factor * other; `factor` may carry a monomial. */
buddy_code bd_poly_add_product(bd_dims *dims, bd_poly *poly, const bd_poly *other, bd_term factor);
buddy_code bd_poly_multiply(bd_dims *dims, const bd_poly *a, const bd_poly *b,
                            bd_poly *out_product);
/* The dim of a polynomial. */
buddy_code bd_poly_store(bd_dims *dims, const bd_poly *poly, int64_t *out_dim);
/* a / b if b divides a, monomial by monomial and number by number; false if it does not. *out_code
 * tells failures. */
bool bd_term_divide(bd_dims *dims, bd_term a, bd_term b, bd_term *out_quotient,
                    buddy_code *out_code);
/* The greatest monomial that divides both. */
buddy_code bd_monomial_gcd(bd_dims *dims, int64_t a, int64_t b, int64_t *out_monomial);

/* The value as a number, if the polynomial is one. */
static inline bool bd_poly_is_number(const bd_poly *poly, int64_t *out_number) {
  *out_number = poly->n ? poly->terms[0].coefficient : 0;
  return poly->n == 0 || (poly->n == 1 && poly->terms[0].monomial == 1);
}

#endif
