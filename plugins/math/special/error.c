// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/error.c: the error function's relatives, all from libm's erf and erfc.
 *
 * erfcx: exp(x^2) erfc(x) with x^2 in two parts, so that the exponential keeps its digits; the
 * asymptotic series (DLMF 7.12.1) where erfc is no longer a normal number. Inverses: a first guess
 * (erfinv: Winitzki's formula; ndtri: Abramowitz and Stegun 26.2.23) and steps of Halley's method,
 * each of which triples the digits. */
#include <math.h>

#include "plugins/math/special/special.h"

#define PI 3.14159265358979323846
#define ROOT_HALF 0.70710678118654752440
#define ROOT_PI 1.77245385090551602730

double ma_erfcx(double x) {
  if (x < 0) return x < -26.7 ? INFINITY : 2 * exp(x * x) - ma_erfcx(-x);
  if (x < 20) {
    const double square = x * x, rest = fma(x, x, -square);
    return exp(square) * (1 + rest) * erfc(x);
  }
  if (x > 1e8) return 1 / (x * ROOT_PI); /* of infinity: 0 */
  const double t = 1 / (2 * x * x);
  double sum = 1, term = 1;
  for (int k = 1; k < 12; ++k) {
    term *= -(2 * k - 1) * t;
    sum += term;
  }
  return sum / (x * ROOT_PI);
}

double ma_ndtr(double x) { return 0.5 * erfc(-x * ROOT_HALF); }

double ma_log_ndtr(double x) {
  const double t = x * ROOT_HALF;
  if (x < -1) return log(ma_erfcx(-t) / 2) - t * t;
  return log1p(-erfc(t) / 2);
}

/* The inverse of ndtr for p up to one half; the result is not positive. */
static double lower_quantile(double p) {
  const double log_p = log(p), t = sqrt(-2 * log_p);
  double x = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int i = 0; i < 3; ++i) {
    /* (ndtr(x) - p) / density(x), without underflow */
    const double step = sqrt(2 * PI) * (0.5 * ma_erfcx(-x * ROOT_HALF) - exp(log_p + x * x / 2));
    x -= step / (1 + x * step / 2);
  }
  return x;
}

double ma_ndtri(double p) {
  if (isnan(p) || p < 0 || p > 1) return NAN;
  if (p == 0) return -INFINITY;
  if (p == 1) return INFINITY;
  if (p == 0.5) return 0;
  if (p > 0.4 && p < 0.6) return ma_erfinv(2 * (p - 0.5)) / ROOT_HALF;
  return p < 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

double ma_erfinv(double y) {
  const double size = fabs(y);
  if (isnan(y) || size > 1) return NAN;
  if (size == 1) return copysign(INFINITY, y);
  if (size > 0.5) return copysign(lower_quantile((1 - size) / 2) * ROOT_HALF, y);
  if (size < 1e-150) return y * ROOT_PI / 2;
  const double a = 0.147, l = log1p(-y * y), b = 2 / (PI * a) + l / 2;
  const double guess = sqrt(sqrt(b * b - l / a) - b);
  double x = size < 1e-4 ? size * ROOT_PI / 2 : guess;
  for (int i = 0; i < 3; ++i) {
    const double step = (erf(x) - size) * (ROOT_PI / 2) * exp(x * x);
    x -= step / (1 + x * step);
  }
  return copysign(x, y);
}
