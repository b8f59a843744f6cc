// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_plan.c: factors of lengths, and the one root of unity. A length with a large
 * prime factor is a convolution of a length that is a power of two (L. I. Bluestein, 1970): with 2 j k = j^2 + k^2 -
 * (k - j)^2, factors before and after it are all that the transform has besides. */
#include "plugins/math/special/fourier_plan.h"

#include <math.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

enum { LARGEST_FACTOR = 31 };

bool ma_fourier_has_formula(int factor) { return factor <= 5 || factor == 8; }

static void add_factor(ma_fourier_factors *f, int factor, int64_t *left) {
  f->factors[f->n_factors++] = factor;
  *left /= factor;
}

/* Of a length; false: one is too large. */
static bool factor_length(ma_fourier_factors *f, int64_t length) {
  f->length = length;
  f->n_factors = 0;
  while (length % 8 == 0 && length != 16) add_factor(f, 8, &length);
  while (length % 4 == 0 && length > 0) add_factor(f, 4, &length);
  for (int factor = 2; factor <= LARGEST_FACTOR && length > 1; ++factor) {
    while (length % factor == 0) add_factor(f, factor, &length);
  }
  return length == 1;
}

ma_fourier_factors ma_fourier_factors_of(ma_fourier_kind kind, int64_t n) {
  ma_fourier_factors f = {.n = n, .m = kind != MA_FOURIER_COMPLEX && n % 2 == 0 ? n / 2 : n};
  if (n == 0) return f;
  f.is_convolution = !factor_length(&f, f.m);
  int64_t length = 1;
  while (f.is_convolution && length < 2 * f.m - 1) length *= 2;
  if (f.is_convolution) (void)factor_length(&f, length);
  return f;
}

int64_t ma_fourier_plan_size(ma_fourier_kind kind, int64_t n) {
  const ma_fourier_factors f = ma_fourier_factors_of(kind, n);
  int64_t size = 0, left = f.length;
  for (int i = 0; i < f.n_factors; ++i) {
    left /= f.factors[i];
    size += (f.factors[i] - 1) * left;
    if (!ma_fourier_has_formula(f.factors[i])) size += f.factors[i];
  }
  if (f.m != f.n) size += f.m + 1;
  if (f.is_convolution) size += f.m + f.length;
  return 2 * size;
}

int64_t ma_fourier_work_size(ma_fourier_kind kind, int64_t n) {
  const ma_fourier_factors f = ma_fourier_factors_of(kind, n);
  const int64_t rows = f.length > MA_FOURIER_SHORT ? 1 : MA_FOURIER_ROWS;
  return 4 * (f.length * rows + MA_FOURIER_APART);
}

void ma_fourier_root(int64_t t, int64_t n, double out[2]) {
  const int64_t quarter = 4 * t / n, rest = 4 * t % n;
  const double angle = 1.57079632679489661923 * (double)rest / (double)n;
  const double c = cos(angle), s = sin(angle);
  const double roots[4][2] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}};
  out[0] = roots[quarter][0];
  out[1] = roots[quarter][1];
}

/* What the processor has beyond that for which the library is built. */
static bool ask_for_avx2(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  const unsigned wanted = bit_FMA | bit_OSXSAVE | bit_AVX;
  if (!__get_cpuid(1, &a, &b, &c, &d) || (c & wanted) != wanted) return false;
  unsigned kept, high; /* of registers, by the system: SSE's and AVX's */
  __asm__("xgetbv" : "=a"(kept), "=d"(high) : "c"(0));
  return (kept & 6) == 6 && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_AVX2) != 0;
#else
  return false;
#endif
}

/* Asked once: a virtual machine leaves the answer to its host, which takes longer than a transform. */
bool ma_fourier_has_avx2(void) {
  static _Atomic int answer; /* 0: not asked yet; 1: no; 2: yes */
  int known = answer;
  if (known == 0) answer = known = ask_for_avx2() ? 2 : 1;
  return known == 2;
}
