// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/error.c: the error function's relatives, all from libm's erf and erfc.
 *
 * erfcx: exp(x^2) erfc(x) with x^2 in two parts, so that the exponential keeps its digits; the
 * asymptotic series (DLMF 7.12.1) where erfc is no longer a normal number. */
#include <math.h>

#include "plugins/math/special/special.h"

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
