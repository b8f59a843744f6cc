// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/complex.c: the C library's complex functions, part by part, and a few that
 * are made of them. */
#include "plugins/math/special/complex.h"

#include <complex.h>
#include <math.h>
#include <string.h>

typedef double complex number;

/* Not x + y * I, which makes NaN of infinities. */
static number make(double x, double y) {
  number z;
  memcpy(&z, (double[2]){x, y}, sizeof(z));
  return z;
}

#define PARTS(name, z, value)                 \
  double ma_##name##_re(double x, double y) { \
    const number z = make(x, y);              \
    return creal(value);                      \
  }                                           \
  double ma_##name##_im(double x, double y) { \
    const number z = make(x, y);              \
    return cimag(value);                      \
  }                                           \
  struct ma_needs_semicolon_
#define LIBRARY(name) PARTS(name, z, name(z))

LIBRARY(cexp);
LIBRARY(clog);
LIBRARY(csqrt);
LIBRARY(csin);
LIBRARY(ccos);
LIBRARY(ctan);
LIBRARY(casin);
LIBRARY(cacos);
LIBRARY(catan);
LIBRARY(csinh);
LIBRARY(ccosh);
LIBRARY(ctanh);
LIBRARY(casinh);
LIBRARY(cacosh);
LIBRARY(catanh);

static number scaled(number z, double factor) { return make(creal(z) * factor, cimag(z) * factor); }

/* exp(x) cos(y) - 1 = expm1(x) cos(y) - 2 sin(y/2)^2 */
static number exp_less_one(number z) {
  const double x = creal(z), y = cimag(z), half = sin(y / 2);
  return make(expm1(x) * cos(y) - 2 * half * half, exp(x) * sin(y));
}

/* log(1 + z), whose real part is log1p(2x + x^2 + y^2) / 2 where z is small */
static number log_one_plus(number z) {
  const double x = creal(z), y = cimag(z);
  if (fabs(x) > 0.5 || fabs(y) > 0.5) return clog(make(1 + x, y));
  return make(0.5 * log1p(x * (2 + x) + y * y), atan2(y, 1 + x));
}

static number sigmoid(number z) {
  const number decay = cexp(make(-creal(z), -cimag(z)));
  return 1 / make(1 + creal(decay), cimag(decay));
}

PARTS(cexp2, z, cexp(scaled(z, 0.69314718055994530942)));
PARTS(cexpm1, z, exp_less_one(z));
PARTS(clog2, z, scaled(clog(z), 1.44269504088896340736));
PARTS(clog10, z, scaled(clog(z), 0.43429448190325182765));
PARTS(clog1p, z, log_one_plus(z));
PARTS(crsqrt, z, 1 / csqrt(z));
PARTS(csigmoid, z, sigmoid(z));

static number power(double a, double b, double c, double d) { return cpow(make(a, b), make(c, d)); }
double ma_cpow_re(double a, double b, double c, double d) { return creal(power(a, b, c, d)); }
double ma_cpow_im(double a, double b, double c, double d) { return cimag(power(a, b, c, d)); }

/* Of a number that all share as exponent PyTorch makes a root or products: z^2 of infinities is
 * none of cpow's NaNs, nor is 0^0. */
static number power_of(double a, double b, double c, double d) {
  const double re = a * a - b * b, im = 2 * a * b; /* of the square */
  if (d != 0) return power(a, b, c, d);
  if (c == 0) return make(1, 0);
  if (c == 0.5) return csqrt(make(a, b));
  if (c == 1) return make(a, b);
  if (c == 2) return make(re, im);
  if (c == 3) return make(re * a - im * b, re * b + im * a);
  return power(a, b, c, d);
}
double ma_cpow_of_re(double a, double b, double c, double d) { return creal(power_of(a, b, c, d)); }
double ma_cpow_of_im(double a, double b, double c, double d) { return cimag(power_of(a, b, c, d)); }
