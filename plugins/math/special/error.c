// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/error.c: the error function's relatives, all from libm's erf and erfc.
 *
 * erfcx: exp(x^2) erfc(x) with x^2 in two parts, so that the exponential keeps its digits; the
 * asymptotic series (DLMF 7.12.1) where erfc is no longer a normal number. Inverses: Wichura's
 * PPND16 (Applied Statistics 37, 1988, algorithm AS 241), good to 1e-16. */
#include <math.h>
#include <stdbool.h>

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

/* P(x) / Q(x), both of degree 7, the constant term first. */
static double quotient(const double p[8], const double q[8], double x) {
  double above = p[7], below = q[7];
  for (int i = 6; i >= 0; --i) {
    above = above * x + p[i];
    below = below * x + q[i];
  }
  return above / below;
}

/* The inverse of ndtr at 1/2 + q, for |q| up to 0.425, over q. */
static double middle_slope(double q) {
  static const double above[8] = {3.3871328727963666080e0, 1.3314166789178437745e2,
                                  1.9715909503065514427e3, 1.3731693765509461125e4,
                                  4.5921953931549871457e4, 6.7265770927008700853e4,
                                  3.3430575583588128105e4, 2.5090809287301226727e3};
  static const double below[8] = {1,
                                  4.2313330701600911252e1,
                                  6.8718700749205790830e2,
                                  5.3941960214247511077e3,
                                  2.1213794301586595867e4,
                                  3.9307895800092710610e4,
                                  2.8729085735721942674e4,
                                  5.2264952788528545610e3};
  return quotient(above, below, 0.180625 - q * q);
}

/* Of p, which is below the middle: the result is negative. */
static double lower_quantile(double p) {
  static const double above[2][8] = {
      {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0,
       3.64784832476320460504e0, 1.27045825245236838258e0, 2.41780725177450611770e-1,
       2.27238449892691845833e-2, 7.74545014278341407640e-4},
      {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0,
       2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
       2.71155556874348757815e-5, 2.01033439929228813265e-7}};
  static const double below[2][8] = {
      {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1,
       1.48103976427480074590e-1, 1.51986665636164571966e-2, 5.47593808499534494600e-4,
       1.05075007164441684324e-9},
      {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2,
       7.86869131145613259100e-4, 1.84631831751005468180e-5, 1.42151175831644588870e-7,
       2.04426310338993978564e-15}};
  const double r = sqrt(-log(p));
  const bool is_far = r > 5;
  return -quotient(above[is_far], below[is_far], r - (is_far ? 5 : 1.6));
}

double ma_ndtri(double p) {
  if (isnan(p) || p < 0 || p > 1) return NAN;
  if (p == 0) return -INFINITY;
  if (p == 1) return INFINITY;
  if (fabs(p - 0.5) <= 0.425) return (p - 0.5) * middle_slope(p - 0.5);
  return p < 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

double ma_erfinv(double y) {
  const double size = fabs(y);
  if (isnan(y) || size > 1) return NAN;
  if (size == 1) return copysign(INFINITY, y);
  if (size <= 0.85) return y * (middle_slope(y / 2) * (ROOT_HALF / 2));
  return copysign(lower_quantile((1 - size) / 2) * ROOT_HALF, y);
}
