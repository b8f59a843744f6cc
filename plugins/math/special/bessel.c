// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/bessel.c: Bessel functions and their kin.
 *
 * J and Y are the C library's. I: the power series, all of whose terms are positive (DLMF 10.25.2),
 * and Hankel's expansion for large arguments (DLMF 10.40.1). K: the integral DLMF 10.32.9 by the
 * trapezoidal rule, which converges exponentially for it (Trefethen and Weideman, "The
 * exponentially convergent trapezoidal rule", 2014). Airy's Ai: K of order 1/3 for positive
 * arguments (DLMF 9.6.2), the power series in long double around zero (DLMF 9.4.1), and the
 * expansion DLMF 9.7.9 for large negative ones. */
#include <math.h>

#include "plugins/math/special/special.h"

#define PI 3.14159265358979323846
#define EPSILON 2.220446049250313e-16

/* ---- J and Y ---- */

/* Where these and I have a limit at infinity, PyTorch's are NaN. */
double ma_j0(double x) { return isinf(x) ? NAN : j0(x); }
double ma_j1(double x) { return isinf(x) ? NAN : j1(x); }
double ma_y0(double x) { return x < 0 || isinf(x) ? NAN : x == 0 ? -INFINITY : y0(x); }
double ma_y1(double x) { return x < 0 || isinf(x) ? NAN : x == 0 ? -INFINITY : y1(x); }

double ma_spherical_j0(double x) {
  if (isinf(x)) return 0;
  if (fabs(x) < 1e-4) return 1 - x * x / 6;
  return sin(x) / x;
}

/* ---- I ---- */

/* exp(-|x|) I_order(|x|), order 0 or 1 */
static double scaled_i(int order, double size) {
  if (isnan(size)) return NAN;
  if (size < 30) {
    const double quarter = size * size / 4;
    double term = order == 0 ? 1 : size / 2, sum = term;
    for (int k = 1; k < 200; ++k) {
      term *= quarter / ((double)k * (k + order));
      sum += term;
      if (term < EPSILON / 4 * sum) break;
    }
    return exp(-size) * sum;
  }
  if (isinf(size)) return 0;
  double term = 1, sum = 1;
  for (int k = 1; k < 30; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4 * order) / (8 * k * size);
    sum += term;
    if (fabs(term) < EPSILON / 4 * sum) break;
  }
  return sum / sqrt(2 * PI * size);
}

/* value exp(size), also where the exponential alone is infinite */
static double unscaled(double value, double size) {
  const double half = exp(size / 2);
  return size < 700 ? value * exp(size) : value * half * half;
}

double ma_i0e(double x) { return scaled_i(0, fabs(x)); }
double ma_i1e(double x) { return copysign(1, x) * scaled_i(1, fabs(x)); }
double ma_i0(double x) { return isfinite(x) ? unscaled(ma_i0e(x), fabs(x)) : NAN; }
double ma_i1(double x) {
  return isfinite(x) ? copysign(1, x) * unscaled(scaled_i(1, fabs(x)), fabs(x)) : NAN;
}

/* ---- K ---- */

/* exp(x) K_order(x), the integral over t of exp(-x (cosh t - 1)) cosh(order t) */
static double scaled_k(double order, double x) {
  if (isnan(x) || x < 0) return NAN;
  if (x == 0) return INFINITY;
  if (isinf(x)) return 0;
  const double step = fmin(0.125, 0.5 / sqrt(x));
  double sum = 0.5;
  for (int k = 1; k < 100000; ++k) {
    const double t = k * step, half = sinh(t / 2);
    const double term = exp(-2 * x * half * half) * cosh(order * t);
    sum += term;
    if (term < EPSILON / 64 * sum) break;
  }
  return sum * step;
}

double ma_k0e(double x) { return scaled_k(0, x); }
double ma_k1e(double x) { return scaled_k(1, x); }
double ma_k0(double x) { return scaled_k(0, x) * exp(-x); }
double ma_k1(double x) { return scaled_k(1, x) * exp(-x); }

/* ---- Ai ---- */

static double airy_near_zero(double x) {
  const long double at_zero = 0.355028053887817239260063186004183177L,
                    slope = 0.258819403792806798405183560189203963L; /* of -Ai at 0 */
  const long double z = x, cube = z * z * z;
  long double even = 1, odd = z, f = 1, g = z;
  for (int k = 0; k < 100; ++k) {
    even *= cube / ((3 * k + 2) * (3 * k + 3));
    odd *= cube / ((3 * k + 3) * (3 * k + 4));
    f += even;
    g += odd;
    if (fabsl(even) + fabsl(odd) < 1e-25L) break;
  }
  return (double)(at_zero * f - slope * g);
}

static double airy_far_below(double x) {
  const double z = -x, zeta = 2 * z * sqrt(z) / 3;
  double sums[2] = {1, 0}, term = 1;
  for (int k = 1; k < 20; ++k) {
    term *= (6.0 * k - 5) * (6.0 * k - 3) * (6.0 * k - 1) / (216.0 * k * (2 * k - 1) * zeta);
    sums[k % 2] += k / 2 % 2 == 0 ? term : -term;
    if (term < EPSILON / 4) break;
  }
  const double phase = zeta - PI / 4;
  return (cos(phase) * sums[0] + sin(phase) * sums[1]) / (sqrt(PI) * sqrt(sqrt(z)));
}

double ma_airy_ai(double x) {
  if (!isfinite(x)) return NAN;
  if (x < -8.5) return airy_far_below(x);
  if (x < 1) return airy_near_zero(x);
  const double zeta = 2 * x * sqrt(x) / 3;
  return sqrt(x / 3) / PI * scaled_k(1.0 / 3, zeta) * exp(-zeta);
}
