// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/polynomial.c: the classical orthogonal polynomials, by their three-term
 * recurrences (DLMF 18.9.1, 18.9.2). Chebyshev's inside of (-1, 1) by the trigonometric forms (DLMF
 * 18.5.1 to 18.5.4), which cost the same for every degree. */
#include <math.h>
#include <stdint.h>

#include "plugins/math/special/special.h"

/* p_0 = 1, p_1 = slope x + offset, p_(k+1) = 2 x p_k - p_(k-1) */
static double chebyshev(double x, int64_t n, double slope, double offset) {
  double before = 1, value = slope * x + offset;
  if (n == 0) return before;
  for (int64_t k = 1; k < n; ++k) {
    const double next = 2 * x * value - before;
    before = value;
    value = next;
    if (isnan(value) || isinf(value)) break;
  }
  return value;
}

/* Cut towards zero; NaN counts as negative: the degree is no number. */
static int64_t degree_of(double n) {
  if (!(n > -1)) return -1;
  return n < 9e18 ? (int64_t)n : INT64_MAX;
}
static double parity(int64_t n) { return n % 2 == 0 ? 1 : -1; }

enum { FIRST_BY_ANGLE = 8 };

static int by_angle(double x, int64_t n) { return n > FIRST_BY_ANGLE && fabs(x) < 1; }

double ma_chebyshev_t(double x, double n) {
  const int64_t k = degree_of(n);
  if (k < 0) return 0;
  if (fabs(x) == 1) return x > 0 ? 1 : parity(k);
  return by_angle(x, k) ? cos((double)k * acos(x)) : chebyshev(x, k, 1, 0);
}

double ma_chebyshev_u(double x, double n) {
  const int64_t k = degree_of(n);
  if (k < 0) return 0;
  if (fabs(x) == 1) return (x > 0 ? 1 : parity(k)) * ((double)k + 1);
  if (!by_angle(x, k)) return chebyshev(x, k, 2, 0);
  return sin(((double)k + 1) * acos(x)) / sin(acos(x));
}

double ma_chebyshev_v(double x, double n) {
  const int64_t k = degree_of(n);
  if (k < 0) return 0;
  if (fabs(x) == 1) return x > 0 ? 1 : parity(k) * (2 * (double)k + 1);
  if (!by_angle(x, k)) return chebyshev(x, k, 2, -1);
  return cos(((double)k + 0.5) * acos(x)) / cos(acos(x) / 2);
}

double ma_chebyshev_w(double x, double n) {
  const int64_t k = degree_of(n);
  if (k < 0) return 0;
  if (fabs(x) == 1) return x > 0 ? 2 * (double)k + 1 : parity(k);
  if (!by_angle(x, k)) return chebyshev(x, k, 2, 1);
  return sin(((double)k + 0.5) * acos(x)) / sin(acos(x) / 2);
}

double ma_shifted_chebyshev_t(double x, double n) { return ma_chebyshev_t(2 * x - 1, n); }
double ma_shifted_chebyshev_u(double x, double n) { return ma_chebyshev_u(2 * x - 1, n); }
double ma_shifted_chebyshev_v(double x, double n) { return ma_chebyshev_v(2 * x - 1, n); }
double ma_shifted_chebyshev_w(double x, double n) { return ma_chebyshev_w(2 * x - 1, n); }

/* p_(k+1) = scale (x p_k - k p_(k-1)); degrees beyond 512 are NaN, as in PyTorch. */
static double hermite(double x, double n, double scale) {
  const int64_t degree = degree_of(n);
  double before = 1, value = scale * x;
  if (degree < 0) return 0;
  if (degree > 512) return NAN;
  if (degree == 0) return before;
  for (int64_t k = 1; k < degree; ++k) {
    const double next = scale * (x * value - (double)k * before);
    before = value;
    value = next;
  }
  return value;
}

double ma_hermite_h(double x, double n) { return hermite(x, n, 2); }
double ma_hermite_he(double x, double n) { return hermite(x, n, 1); }

double ma_laguerre_l(double x, double n) {
  const int64_t degree = degree_of(n);
  double before = 1, value = 1 - x;
  if (degree < 0) return 0;
  if (degree == 0 || x == 0) return 1;
  for (int64_t k = 1; k < degree; ++k) {
    const double next = ((2 * (double)k + 1 - x) * value - (double)k * before) / ((double)k + 1);
    before = value;
    value = next;
    if (isnan(value) || isinf(value)) break;
  }
  return value;
}

double ma_legendre_p(double x, double n) {
  const int64_t degree = degree_of(n);
  double before = 1, value = x;
  if (degree < 0) return 0;
  if (fabs(x) == 1) return x > 0 ? 1 : parity(degree);
  if (degree == 0) return before;
  for (int64_t k = 1; k < degree; ++k) {
    const double next = ((2 * (double)k + 1) * x * value - (double)k * before) / ((double)k + 1);
    before = value;
    value = next;
    if (isnan(value) || isinf(value)) break;
  }
  return value;
}
