// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/gamma.c: the gamma function's relatives.
 *
 * digamma, trigamma: recurrence up to x >= 10, then the asymptotic series (DLMF 5.11.2, 5.15.8);
 * reflection below zero (DLMF 5.5.4). zeta: Euler-Maclaurin summation (DLMF 25.11.28 and Johansson,
 * "Rigorous high-precision computation of the Hurwitz zeta function", 2015).
 *
 * Incomplete gamma functions: the series DLMF 8.7.1 below x = a + 1, the continued fraction DLMF
 * 8.9.2 by Lentz's method above, their common factor by Loader's saddle-point expansion ("Fast and
 * accurate computation of binomial probabilities", 2000), which does not cancel for large a; and
 * Temme's uniform expansion (DLMF 8.12) for a above a million. */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "plugins/math/special/special.h"

#define PI 3.14159265358979323846
#define TINY 1e-300
#define EPSILON 2.220446049250313e-16

/* glibc's lgamma writes a global sign; lgamma_r does not. */
double ma_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/* ---- digamma, trigamma, polygamma, zeta ---- */

/* B_2k / (2k) for k = 1, 2, … */
static const double bernoulli_over_index[] = {1.0 / 12,  -1.0 / 120,     1.0 / 252, -1.0 / 240,
                                              1.0 / 132, -691.0 / 32760, 1.0 / 12,  -3617.0 / 8160};
/* B_2k */
static const double bernoulli[] = {1.0 / 6,  -1.0 / 30,     1.0 / 42, -1.0 / 30,
                                   5.0 / 66, -691.0 / 2730, 7.0 / 6,  -3617.0 / 510};
/* B_2k / (2k)! */
static const double bernoulli_over_factorial[] = {1.0 / 12,
                                                  -1.0 / 720,
                                                  1.0 / 30240,
                                                  -1.0 / 1209600,
                                                  1.0 / 47900160,
                                                  -691.0 / 1307674368000.0,
                                                  1.0 / 74724249600.0,
                                                  -3617.0 / 10670622842880000.0,
                                                  43867.0 / 5109094217170944000.0,
                                                  -174611.0 / 802857662698291200000.0};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

double ma_digamma(double x) {
  if (x == 0) return copysign(INFINITY, -x);
  if (x < 0) {
    if (x == floor(x)) return NAN;
    return ma_digamma(1 - x) - PI / tan(PI * (x - nearbyint(x)));
  }
  double sum = 0;
  while (x < 10) {
    sum -= 1 / x;
    ++x;
  }
  const double inverse_square = 1 / (x * x);
  double series = 0;
  for (size_t k = COUNT(bernoulli_over_index); k-- > 0;) {
    series = (series + bernoulli_over_index[k]) * inverse_square;
  }
  return sum + (log(x) - 0.5 / x - series);
}

static double trigamma(double x) {
  if (x <= 0 && x == floor(x)) return INFINITY;
  if (x < 0.5) {
    const double sine = sin(PI * (x - nearbyint(x))); /* all digits next to whole numbers */
    return PI * PI / (sine * sine) - trigamma(1 - x);
  }
  double sum = 0;
  while (x < 10) {
    sum += 1 / (x * x);
    ++x;
  }
  const double inverse_square = 1 / (x * x);
  double series = 0;
  for (size_t k = COUNT(bernoulli); k-- > 0;) series = (series + bernoulli[k]) * inverse_square;
  return sum + (1 + 0.5 / x + series) / x;
}

double ma_zeta(double s, double q) {
  if (s == 1) return INFINITY;
  if (s < 1) return NAN;
  if (q <= 0 && q == floor(q)) return INFINITY;
  if (isnan(s) || isnan(q) || (q <= 0 && s != floor(s))) return NAN;
  double sum = 0;
  for (int i = 0; i < 10 || q < 10; ++i) {
    const double term = pow(q, -s);
    sum += term;
    if (fabs(term) < EPSILON / 4 * fabs(sum) && q > 0) return sum;
    ++q;
  }
  const double power = pow(q, -s);
  sum += power * q / (s - 1) + power / 2;
  double factor = s * power / q; /* s (s + 1) … (s + 2k - 2) q^(-s - 2k + 1) */
  for (size_t k = 0; k < COUNT(bernoulli_over_factorial); ++k) {
    const double term = bernoulli_over_factorial[k] * factor;
    sum += term;
    if (fabs(term) < EPSILON / 4 * fabs(sum)) break;
    const double at = s + 2 * (double)k + 1;
    factor *= at * (at + 1) / (q * q);
  }
  return sum;
}

double ma_polygamma(double n, double x) {
  if (n == 0) return ma_digamma(x);
  if (n == 1) return trigamma(x);
  const double size = exp(ma_lgamma(n + 1)) * ma_zeta(n + 1, x);
  return fmod(n, 2) == 0 ? -size : size;
}

/* ---- Incomplete gamma functions ---- */

/* log(gamma(a + 1)) less Stirling's formula for it. */
static double stirling_error(double a) {
  if (a < 15) return ma_lgamma(a + 1) - (a + 0.5) * log(a) + a - 0.5 * log(2 * PI);
  const double r = 1 / (a * a);
  return (1.0 / 12 - (1.0 / 360 -
                      (1.0 / 1260 - (1.0 / 1680 - (1.0 / 1188 - 691.0 / 360360 * r) * r) * r) * r) *
                         r) /
         a;
}

/* a log(a / x) + x - a, without cancellation where the two are near. */
static double deviance(double a, double x) {
  if (fabs(a - x) >= 0.1 * (a + x)) return a * log(a / x) + x - a;
  const double ratio = (a - x) / (a + x), square = ratio * ratio;
  double sum = (a - x) * ratio, term = 2 * a * ratio;
  for (int k = 1; k < 1000; ++k) {
    term *= square;
    const double next = sum + term / (2 * k + 1);
    if (next == sum) break;
    sum = next;
  }
  return sum;
}

/* x^a exp(-x) / gamma(a + 1) */
static double common_factor(double a, double x) {
  if (a < 1) return exp(a * log(x) - x - ma_lgamma(a + 1));
  return exp(-stirling_error(a) - deviance(a, x)) / sqrt(2 * PI * a);
}

static double lower_series(double a, double x) {
  double sum = 1, term = 1;
  for (double n = 1; term > EPSILON / 4 * sum; ++n) {
    term *= x / (a + n);
    sum += term;
  }
  return common_factor(a, x) * sum;
}

static double upper_fraction(double a, double x) {
  double b = x + 1 - a, c = 1 / TINY, d = 1 / b, value = d;
  for (int n = 1; n < 1000000; ++n) {
    const double numerator = -n * (n - a);
    b += 2;
    d = numerator * d + b;
    if (fabs(d) < TINY) d = TINY;
    c = b + numerator / c;
    if (fabs(c) < TINY) c = TINY;
    d = 1 / d;
    const double change = d * c;
    value *= change;
    if (fabs(change - 1) < EPSILON) break;
  }
  return common_factor(a, x) * a * value;
}

/* Of small x, where 1 - P would cancel for small a: 1 - x^a / gamma(1 + a) (1 + sum). */
static double upper_series(double a, double x) {
  double sum = 0, term = 1;
  for (int n = 1; n < 100; ++n) {
    term *= -x / n;
    const double part = term * a / (a + n);
    sum += part;
    if (fabs(part) < EPSILON / 4 * fabs(sum)) break;
  }
  const double exponent = a * log(x) - ma_lgamma(1 + a);
  return -expm1(exponent) - exp(exponent) * sum;
}

/* The part of P (is_upper: of Q) that both have with another sign, and the error function. */
static double uniform(double a, double x, bool is_upper) {
  const double y = deviance(a, x), sign = x < a ? -1 : 1, eta = sign * sqrt(2 * y / a);
  const double c0 =
      fabs(eta) > 0.05
          ? 1 / (x / a - 1) - 1 / eta
          : -1.0 / 3 + eta * (1.0 / 12 + eta * (-2.0 / 135 +
                                                eta * (1.0 / 864 +
                                                       eta * (1.0 / 2835 - eta * 139.0 / 777600))));
  const double c1 = -1.0 / 540 + eta * (-1.0 / 288 + eta / 378);
  const double rest = exp(-y) / sqrt(2 * PI * a) * (c0 + c1 / a);
  const double half = 0.5 * erfc((is_upper ? 1 : -1) * sign * sqrt(y));
  return is_upper ? half + rest : half - rest;
}

/* What there is to say before any formula; 0 if nothing, else the value of P in *p. */
static bool is_edge(double a, double x, double *p) {
  /* NOLINTNEXTLINE(bugprone-branch-clone): the order of the cases decides */
  if (a < 0 || x < 0 || (a == 0 && !(x > 0)) || (isinf(a) && isinf(x))) {
    *p = NAN;
  } else if (x == 0 || isinf(a)) {
    *p = 0;
  } else if (a == 0 || isinf(x)) {
    *p = 1;
  } else if (isnan(a) || isnan(x)) {
    *p = NAN;
  } else {
    return false;
  }
  return true;
}

#define LARGE 1e6

double ma_igamma(double a, double x) {
  double p;
  if (is_edge(a, x, &p)) return p;
  if (a > LARGE) return uniform(a, x, 0);
  return x < a + 1 ? lower_series(a, x) : 1 - upper_fraction(a, x);
}

double ma_igammac(double a, double x) {
  double p;
  if (is_edge(a, x, &p)) return 1 - p;
  if (a > LARGE) return uniform(a, x, 1);
  if (x >= a + 1) return upper_fraction(a, x);
  return x <= 1.1 && a < 1.1 ? upper_series(a, x) : 1 - lower_series(a, x);
}
