/* plugins/math/special/integer.c: see integer.h. Arithmetic is unsigned, where wrapping is defined.
 */
#include "plugins/math/special/integer.h"

#include <math.h>

static uint64_t size_of(int64_t a) { return a < 0 ? 0 - (uint64_t)a : (uint64_t)a; }

static uint64_t common_divisor(uint64_t a, uint64_t b) {
  while (b != 0) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

int64_t ma_gcd(int64_t a, int64_t b) { return (int64_t)common_divisor(size_of(a), size_of(b)); }

int64_t ma_lcm(int64_t a, int64_t b) {
  const uint64_t divisor = common_divisor(size_of(a), size_of(b));
  return divisor == 0 ? 0 : (int64_t)(size_of(a) / divisor * size_of(b));
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
