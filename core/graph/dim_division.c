// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/dim_division.c: floor division and remainder in normal form, with Python's meaning.
 *
 * A divisor d that is a number splits the dividend: every coefficient c becomes d*q + r with 0 <= r
 * < d, and the multiples of d leave the division: (3*s+5)//2 = s + 2 + (s+1)//2. What stays is
 * divided by the factor it shares with d, and (x//m + k)//d becomes (x + k*m)//(m*d). A symbolic
 * divisor (never 0, since the program runs) splits off the terms that it divides, cancels common
 * factors, and divides whole sums by polynomial division. Whatever remains is an atom. */
#include <stdlib.h>

#include "core/base/numbers.h"
#include "core/base/try.h"
#include "core/graph/dim_poly.h"
#include "core/graph/dims.h"

#define CONSTANT ((int64_t)1) /* the monomial of a constant term */

static int64_t gcd(int64_t a, int64_t b) {
  a = a < 0 ? -a : a; /* coefficients are above INT64_MIN */
  b = b < 0 ? -b : b;
  while (b) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static buddy_code store_and_free(bd_dims *dims, buddy_code code, bd_poly *poly, int64_t *out_dim) {
  if (!code) code = bd_poly_store(dims, poly, out_dim);
  bd_poly_deinit(poly);
  return code;
}

static buddy_code poly_of(bd_dims *dims, int64_t dim, bd_poly *out_poly) {
  *out_poly = (bd_poly){0};
  return bd_poly_add(dims, out_poly, dim, 1);
}

/* a + factor * b as a dim. */
static buddy_code add_multiple(bd_dims *dims, int64_t a, int64_t b, int64_t factor,
                               int64_t *out_dim) {
  bd_poly sum = {0};
  buddy_code code = bd_poly_add(dims, &sum, a, 1);
  if (!code) code = bd_poly_add(dims, &sum, b, factor);
  return store_and_free(dims, code, &sum, out_dim);
}

static buddy_code intern_pair(bd_dims *dims, buddy_dim_kind kind, int64_t a, int64_t b,
                              int64_t *out_dim) {
  return bd_dim_intern(dims, kind, (const int64_t[]){a, b}, 2, out_dim);
}

/* ---- By a number ---- */

/* dividend = divisor * quotient + rest, coefficient by coefficient, 0 <= rest < divisor. */
static buddy_code split_by_number(const bd_poly *dividend, int64_t divisor, bd_poly *quotient,
                                  bd_poly *rest) {
  for (size_t i = 0; i < dividend->n; ++i) {
    bd_term term = dividend->terms[i];
    const int64_t coefficient = term.coefficient;
    term.coefficient = bd_floordiv(coefficient, divisor);
    BD_TRY(bd_poly_append(quotient, term));
    term.coefficient = bd_mod(coefficient, divisor);
    BD_TRY(bd_poly_append(rest, term));
  }
  return BUDDY_OK;
}

/* The number that divides every coefficient, constant term included or not, and `divisor`. */
static int64_t content(const bd_poly *poly, int64_t divisor, bool with_constant) {
  int64_t common = divisor;
  for (size_t i = 0; i < poly->n; ++i) {
    if (poly->terms[i].monomial == CONSTANT && !with_constant) continue;
    common = gcd(common, poly->terms[i].coefficient);
  }
  return common;
}

/* Divides every coefficient by a number; the constant term, which it need not divide, rounds
 * down. */
static void reduce(bd_poly *poly, int64_t number) {
  size_t n = 0;
  for (size_t i = 0; i < poly->n; ++i) {
    bd_term term = poly->terms[i];
    term.coefficient = bd_floordiv(term.coefficient, number);
    if (term.coefficient) poly->terms[n++] = term;
  }
  poly->n = n;
}

/* x and m if the polynomial is x//m + constant with a number m > 0. */
static const bd_dim_expr *inner_division(const bd_dims *dims, const bd_poly *poly) {
  if (poly->n == 0 || poly->n > 2 || poly->terms[0].coefficient != 1) return NULL;
  if (poly->n == 2 && poly->terms[1].monomial != CONSTANT) return NULL;
  const bd_dim_expr *inner = bd_dim_expr_of(dims, poly->terms[0].monomial);
  if (!inner || inner->kind != BUDDY_DIM_KIND_FLOORDIV) return NULL;
  const int64_t m = inner->operands[1];
  return !BUDDY_IS_SYMBOLIC(m) && m > 0 ? inner : NULL;
}

/* (x//m + k)//d = (x + k*m)//(m*d); false if that does not fit. */
static bool flatten(bd_dims *dims, const bd_poly *rest, int64_t divisor, int64_t *out_dim,
                    buddy_code *out_code) {
  const bd_dim_expr *inner = inner_division(dims, rest);
  if (!inner) return false;
  int64_t product, shift = 0, shifted;
  const int64_t m = inner->operands[1], k = rest->n == 2 ? rest->terms[1].coefficient : 0;
  if (__builtin_mul_overflow(m, divisor, &product) || __builtin_mul_overflow(k, m, &shift))
    return false;
  if (BUDDY_IS_SYMBOLIC(shift)) return false;
  *out_code = add_multiple(dims, inner->operands[0], shift, 1, &shifted);
  if (!*out_code) *out_code = bd_dim_floordiv(dims, shifted, product, out_dim);
  return true;
}

/* The quotient if the range of the dividend allows one only. */
static bool constant_quotient(const bd_dims *dims, int64_t dividend, int64_t divisor,
                              int64_t *out_number) {
  int64_t low, high;
  bd_dim_range(dims, dividend, &low, &high);
  if (low == INT64_MIN || high == INT64_MAX) return false;
  *out_number = bd_floordiv(low, divisor);
  return *out_number == bd_floordiv(high, divisor);
}

/* rest // divisor, where the coefficients are between 0 and the divisor. */
static buddy_code divide_rest(bd_dims *dims, bd_poly *rest, int64_t divisor, int64_t *out_dim) {
  const int64_t common = content(rest, divisor, false);
  reduce(rest, common);
  divisor /= common;
  buddy_code code;
  if (divisor == 1) return bd_poly_store(dims, rest, out_dim);
  if (flatten(dims, rest, divisor, out_dim, &code)) return code;
  int64_t dividend;
  code = bd_poly_store(dims, rest, &dividend);
  if (code || constant_quotient(dims, dividend, divisor, out_dim)) return code;
  return intern_pair(dims, BUDDY_DIM_KIND_FLOORDIV, dividend, divisor, out_dim);
}

static buddy_code floordiv_number(bd_dims *dims, int64_t a, int64_t divisor, int64_t *out_dim) {
  bd_poly dividend = {0}, quotient = {0}, rest = {0};
  buddy_code code = bd_poly_add(dims, &dividend, a, divisor < 0 ? -1 : 1);
  divisor = divisor < 0 ? -divisor : divisor;
  if (!code) code = split_by_number(&dividend, divisor, &quotient, &rest);
  int64_t atom = 0;
  if (!code) code = divide_rest(dims, &rest, divisor, &atom);
  if (!code) code = bd_poly_add(dims, &quotient, atom, 1);
  bd_poly_deinit(&dividend);
  bd_poly_deinit(&rest);
  return store_and_free(dims, code, &quotient, out_dim);
}

/* ---- By an expression ---- */

#define MAX_STEPS 256 /* of one polynomial division */

/* Long division by the leading term. Sets *is_exact; only then is *quotient what it says. */
static buddy_code divide_exactly(bd_dims *dims, const bd_poly *a, const bd_poly *b,
                                 bd_poly *quotient, bool *is_exact) {
  bd_poly rest = {0};
  buddy_code code = bd_poly_add_product(dims, &rest, a, (bd_term){1, CONSTANT});
  *is_exact = false;
  for (int step = 0; !code && rest.n > 0 && step < MAX_STEPS; ++step) {
    bd_term term;
    if (!bd_term_divide(dims, rest.terms[0], b->terms[0], &term, &code)) break;
    code = bd_poly_append(quotient, term);
    if (!code)
      code = bd_poly_add_product(dims, &rest, b, (bd_term){-term.coefficient, term.monomial});
  }
  *is_exact = !code && rest.n == 0;
  bd_poly_deinit(&rest);
  return code;
}

/* What divides every term of both: a number and a monomial. */
static buddy_code common_factor(bd_dims *dims, const bd_poly *a, const bd_poly *b,
                                bd_term *out_factor) {
  out_factor->coefficient = content(b, content(a, 0, true), true);
  out_factor->monomial = b->terms[0].monomial;
  for (size_t i = 0; i < a->n; ++i) {
    BD_TRY(
        bd_monomial_gcd(dims, out_factor->monomial, a->terms[i].monomial, &out_factor->monomial));
  }
  for (size_t i = 0; i < b->n; ++i) {
    BD_TRY(
        bd_monomial_gcd(dims, out_factor->monomial, b->terms[i].monomial, &out_factor->monomial));
  }
  return BUDDY_OK;
}

/* Divides every term by a factor that divides it. The order stays. */
static buddy_code cancel(bd_dims *dims, bd_poly *poly, bd_term factor) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; !code && i < poly->n; ++i) {
    bd_term_divide(dims, poly->terms[i], factor, &poly->terms[i], &code);
  }
  return code;
}

/* Terms of `a` that the single term `b` divides go to the quotient, the others to the rest. */
static buddy_code split_by_term(bd_dims *dims, const bd_poly *a, bd_term b, bd_poly *quotient,
                                bd_poly *rest) {
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; !code && i < a->n; ++i) {
    bd_term term;
    const bool is_multiple = bd_term_divide(dims, a->terms[i], b, &term, &code);
    if (!code)
      code = is_multiple ? bd_poly_append(quotient, term) : bd_poly_append(rest, a->terms[i]);
  }
  return code;
}

/* Whether the ranges tell that 0 <= a < b, so that a // b is 0 and a mod b is a. */
static buddy_code is_below(bd_dims *dims, int64_t a, int64_t b, bool *out_is) {
  int64_t difference, low, high;
  *out_is = false;
  bd_dim_range(dims, a, &low, &high);
  if (low < 0) return BUDDY_OK;
  const buddy_code code = add_multiple(dims, b, a, -1, &difference);
  if (code) return code == BUDDY_LIMIT ? BUDDY_OK : code; /* beyond the limits it is not known */
  bd_dim_range(dims, difference, &low, &high);
  *out_is = low > 0;
  return BUDDY_OK;
}

/* a // b, where nothing is to cancel and b does not divide a. */
static buddy_code divide_atom(bd_dims *dims, const bd_poly *a, const bd_poly *b, int64_t *out_dim) {
  int64_t dividend, divisor;
  bool is_zero = false;
  buddy_code code = bd_poly_store(dims, a, &dividend);
  if (!code) code = bd_poly_store(dims, b, &divisor);
  if (!code) code = is_below(dims, dividend, divisor, &is_zero);
  *out_dim = 0;
  if (code || is_zero) return code;
  return intern_pair(dims, BUDDY_DIM_KIND_FLOORDIV, dividend, divisor, out_dim);
}

static buddy_code floordiv_polys(bd_dims *dims, bd_poly *a, bd_poly *b, int64_t *out_dim);

/* The terms that a single-term divisor divides leave the division; the rest may then cancel
 * anew. */
static buddy_code floordiv_by_term(bd_dims *dims, const bd_poly *a, bd_poly *b, int64_t *out_dim) {
  bd_poly quotient = {0}, rest = {0};
  buddy_code code = split_by_term(dims, a, b->terms[0], &quotient, &rest);
  int64_t atom = 0;
  if (!code) {
    code = quotient.n ? floordiv_polys(dims, &rest, b, &atom) : divide_atom(dims, &rest, b, &atom);
  }
  if (!code) code = bd_poly_add(dims, &quotient, atom, 1);
  bd_poly_deinit(&rest);
  return store_and_free(dims, code, &quotient, out_dim);
}

static buddy_code floordiv_polys(bd_dims *dims, bd_poly *a, bd_poly *b, int64_t *out_dim) {
  *out_dim = 0;
  if (a->n == 0) return BUDDY_OK;
  bd_term factor;
  buddy_code code = common_factor(dims, a, b, &factor);
  if (b->terms[0].coefficient < 0) factor.coefficient = -factor.coefficient;
  if (!code) code = cancel(dims, a, factor);
  if (!code) code = cancel(dims, b, factor);
  if (code) return code;
  bd_poly quotient = {0};
  bool is_exact;
  code = divide_exactly(dims, a, b, &quotient, &is_exact);
  if (!code && is_exact) return store_and_free(dims, code, &quotient, out_dim);
  bd_poly_deinit(&quotient);
  int64_t number, dividend;
  if (!code && bd_poly_is_number(b, &number)) {
    code = bd_poly_store(dims, a, &dividend);
    return code ? code : floordiv_number(dims, dividend, number, out_dim);
  }
  if (code) return code;
  return b->n == 1 ? floordiv_by_term(dims, a, b, out_dim) : divide_atom(dims, a, b, out_dim);
}

buddy_code bd_dim_floordiv(bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim) {
  *out_dim = 0;
  if (b == 0) return BUDDY_INVALID_ARGUMENT;
  if (a == b || a == 0) {
    *out_dim = a == b;
    return BUDDY_OK;
  }
  if (!BUDDY_IS_SYMBOLIC(b)) return floordiv_number(dims, a, b, out_dim);
  bd_poly dividend, divisor = {0};
  buddy_code code = poly_of(dims, a, &dividend);
  if (!code) code = poly_of(dims, b, &divisor);
  if (!code) code = floordiv_polys(dims, &dividend, &divisor, out_dim);
  bd_poly_deinit(&dividend);
  bd_poly_deinit(&divisor);
  return code;
}

/* ---- Remainders ---- */

/* Replaces mod(x, k*d) by x, which is the same modulo d. */
static buddy_code open_inner_mods(bd_dims *dims, int64_t a, int64_t divisor, bd_poly *out_poly,
                                  bool *has_opened) {
  bd_poly dividend;
  buddy_code code = poly_of(dims, a, &dividend);
  for (size_t i = 0; !code && i < dividend.n; ++i) {
    const bd_term term = dividend.terms[i];
    const bd_dim_expr *inner = bd_dim_expr_of(dims, term.monomial);
    const bool opens = inner && inner->kind == BUDDY_DIM_KIND_MOD &&
                       !BUDDY_IS_SYMBOLIC(inner->operands[1]) && inner->operands[1] % divisor == 0;
    *has_opened = *has_opened || opens;
    /* Coefficients count modulo the divisor only, which keeps them from growing. */
    code = bd_poly_add(dims, out_poly, opens ? inner->operands[0] : term.monomial,
                       bd_mod(term.coefficient, divisor));
  }
  bd_poly_deinit(&dividend);
  return code;
}

static buddy_code mod_number(bd_dims *dims, int64_t a, int64_t divisor, int64_t *out_dim);

/* rest mod divisor, where the coefficients are between 0 and the divisor: with the common factor g
 * outside, g * ((rest/g) mod (divisor/g)), whose smaller divisor may open further inner mods. */
static buddy_code mod_rest(bd_dims *dims, bd_poly *rest, int64_t divisor, bd_poly *out_result) {
  const int64_t common = content(rest, divisor, true);
  reduce(rest, common);
  divisor /= common;
  int64_t dividend, quotient, atom;
  buddy_code code = bd_poly_store(dims, rest, &dividend);
  if (code || divisor == 1) return code;
  if (common > 1) {
    code = mod_number(dims, dividend, divisor, &atom);
  } else if (constant_quotient(dims, dividend, divisor, &quotient)) {
    code = add_multiple(dims, dividend, divisor, -quotient, &atom);
  } else {
    code = intern_pair(dims, BUDDY_DIM_KIND_MOD, dividend, divisor, &atom);
  }
  return code ? code : bd_poly_add(dims, out_result, atom, common);
}

/* a mod -d = -((-a) mod d). */
static buddy_code mod_negative(bd_dims *dims, int64_t a, int64_t divisor, int64_t *out_dim) {
  bd_poly negated = {0};
  int64_t minus_a, result = 0;
  buddy_code code = add_multiple(dims, 0, a, -1, &minus_a);
  if (!code) code = mod_number(dims, minus_a, -divisor, &result);
  if (!code) code = bd_poly_add(dims, &negated, result, -1);
  return store_and_free(dims, code, &negated, out_dim);
}

/* Recursion ends: every opening takes a level of the expression away, every common factor makes the
 * divisor smaller. */
static buddy_code mod_number(bd_dims *dims, int64_t a, int64_t divisor, int64_t *out_dim) {
  if (divisor < 0) return mod_negative(dims, a, divisor, out_dim);
  bd_poly dividend = {0}, quotient = {0}, rest = {0}, result = {0};
  bool has_opened = false;
  buddy_code code = open_inner_mods(dims, a, divisor, &dividend, &has_opened);
  if (!code && has_opened) { /* what came out may have mods to open itself */
    int64_t opened = 0, atom = 0;
    code = bd_poly_store(dims, &dividend, &opened);
    if (!code) code = mod_number(dims, opened, divisor, &atom);
    if (!code) code = bd_poly_add(dims, &result, atom, 1);
  } else {
    if (!code) code = split_by_number(&dividend, divisor, &quotient, &rest);
    if (!code) code = mod_rest(dims, &rest, divisor, &result);
  }
  bd_poly_deinit(&dividend);
  bd_poly_deinit(&quotient);
  bd_poly_deinit(&rest);
  return store_and_free(dims, code, &result, out_dim);
}

/* a mod b, where nothing is to cancel and b does not divide a. */
static buddy_code mod_atom(bd_dims *dims, const bd_poly *a, const bd_poly *b, int64_t *out_dim) {
  bd_poly quotient = {0}, rest = {0};
  int64_t dividend = 0, divisor = 0;
  bool is_itself = false;
  buddy_code code = b->n == 1 ? split_by_term(dims, a, b->terms[0], &quotient, &rest)
                              : bd_poly_add_product(dims, &rest, a, (bd_term){1, CONSTANT});
  if (!code) code = bd_poly_store(dims, &rest, &dividend);
  if (!code) code = bd_poly_store(dims, b, &divisor);
  bd_poly_deinit(&quotient);
  bd_poly_deinit(&rest);
  if (!code) code = is_below(dims, dividend, divisor, &is_itself);
  *out_dim = dividend;
  if (code || is_itself) return code;
  return intern_pair(dims, BUDDY_DIM_KIND_MOD, dividend, divisor, out_dim);
}

static buddy_code mod_polys(bd_dims *dims, bd_poly *a, bd_poly *b, int64_t *out_dim) {
  bd_term factor;
  bd_poly quotient = {0}, scaled = {0}, one = {0};
  bool is_exact = false;
  buddy_code code = common_factor(dims, a, b, &factor);
  if (!code) code = cancel(dims, a, factor);
  if (!code) code = cancel(dims, b, factor);
  if (!code) code = divide_exactly(dims, a, b, &quotient, &is_exact);
  bd_poly_deinit(&quotient);
  *out_dim = 0;
  if (code || is_exact) return code;
  int64_t number, dividend, inner = 0;
  if (bd_poly_is_number(b, &number)) {
    code = bd_poly_store(dims, a, &dividend);
    if (!code) code = mod_number(dims, dividend, number, &inner);
  } else {
    code = mod_atom(dims, a, b, &inner);
  }
  if (!code) code = bd_poly_add(dims, &one, inner, 1);
  if (!code) code = bd_poly_add_product(dims, &scaled, &one, factor);
  bd_poly_deinit(&one);
  return store_and_free(dims, code, &scaled, out_dim);
}

buddy_code bd_dim_mod(bd_dims *dims, int64_t a, int64_t b, int64_t *out_dim) {
  *out_dim = 0;
  if (b == 0) return BUDDY_INVALID_ARGUMENT;
  if (a == b || a == 0) return BUDDY_OK;
  if (!BUDDY_IS_SYMBOLIC(b)) return mod_number(dims, a, b, out_dim);
  bd_poly dividend, divisor = {0};
  buddy_code code = poly_of(dims, a, &dividend);
  if (!code) code = poly_of(dims, b, &divisor);
  if (!code) code = mod_polys(dims, &dividend, &divisor, out_dim);
  bd_poly_deinit(&dividend);
  bd_poly_deinit(&divisor);
  return code;
}
