// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/integer.c: functions of and to whole numbers.
 * defined. */
#include "plugins/math/special/integer.h"

#include <math.h>

/* Wraps, as PyTorch's does: the lowest number has no positive one. */
static int64_t size_of(int64_t a) { return a < 0 ? (int64_t)(0 - (uint64_t)a) : a; }

/* Euclid's remainders have the sign of what is divided: only the lowest number brings one in. */
int64_t ma_gcd(int64_t a, int64_t b) {
  a = size_of(a);
  b = size_of(b);
  while (a != 0) {
    const int64_t rest = a == -1 ? 0 : b % a; /* the lowest number over -1 is none */
    b = a;
    a = rest;
  }
  return b;
}

int64_t ma_lcm(int64_t a, int64_t b) {
  const int64_t divisor = ma_gcd(a, b);
  if (divisor == 0) return 0;
  const uint64_t part = divisor == -1 ? 0 - (uint64_t)a : (uint64_t)(a / divisor);
  return size_of((int64_t)(part * (uint64_t)b));
}

double ma_frexp_mantissa(double x) {
  int exponent;
  return frexp(x, &exponent);
}

int64_t ma_frexp_exponent(double x) {
  int exponent = 0;
  if (!isfinite(x)) return 0;
  (void)frexp(x, &exponent);
  return exponent;
}
