// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.c: a power of two by halves (J. W. Cooley and J. W. Tukey, 1965); any other length as a
 * convolution of such a length (L. I. Bluestein, 1970): with 2 j k = j^2 + k^2 - (k - j)^2, factors before and after it are
 * all that the transform has besides. */
#include "plugins/math/special/fourier.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "buddy/kit.h"

typedef struct number {
  double re, im;
} number;

static number product(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static number conjugate(number a) { return (number){a.re, -a.im}; }

/* exp(-2 pi i t / n) for t from 0 to n - 1; at the quarters of the circle exact. */
static number root_of(int64_t t, int64_t n) {
  const int64_t quarter = 4 * t / n, rest = 4 * t % n;
  const double angle = 1.57079632679489661923 * (double)rest / (double)n;
  const double c = cos(angle), s = sin(angle);
  const number roots[4] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}};
  return roots[quarter];
}

/* What transforms of one length share. */
typedef struct plan {
  int64_t n, length; /* of the rows; the power of two that is transformed */
  number *roots;     /* length / 2 */
  number *chirp;     /* n: exp(-pi i j^2 / n); null if n is a power of two */
  number *kernel;    /* length: the transform of the chirp's conjugate, over length */
  number *row;       /* length */
} plan;

static void reverse_bits(number *a, int64_t n) {
  for (int64_t i = 1, j = 0; i < n; ++i) {
    int64_t bit = n / 2;
    for (; j & bit; bit /= 2) j ^= bit;
    j ^= bit;
    if (i >= j) continue;
    const number swapped = a[i];
    a[i] = a[j];
    a[j] = swapped;
  }
}

/* Forward, in place. */
static void by_halves(const plan *p, number *a) {
  reverse_bits(a, p->length);
  for (int64_t half = 1; half < p->length; half *= 2) {
    const int64_t step = p->length / (2 * half);
    for (number *low = a; low < a + p->length; low += 2 * half) {
      for (int64_t k = 0; k < half; ++k) {
        const number odd = product(low[half + k], p->roots[k * step]), even = low[k];
        low[k] = (number){even.re + odd.re, even.im + odd.im};
        low[half + k] = (number){even.re - odd.re, even.im - odd.im};
      }
    }
  }
}

static plan planned(int64_t n, number *work) {
  plan p = {.n = n, .length = 1};
  const bool is_power = (n & (n - 1)) == 0;
  while (p.length < (is_power ? n : 2 * n - 1)) p.length *= 2;
  p.roots = work;
  for (int64_t t = 0; t < p.length / 2; ++t) p.roots[t] = root_of(t, p.length);
  if (is_power) return p;
  p.chirp = p.roots + p.length / 2;
  p.kernel = p.chirp + n;
  p.row = p.kernel + p.length;
  memset(p.kernel, 0, (size_t)p.length * sizeof(number));
  const double scale = 1 / (double)p.length;
  for (int64_t j = 0, square = 0; j < n; ++j) { /* j^2 mod 2 n */
    p.chirp[j] = root_of(square, 2 * n);
    const number term = {scale * p.chirp[j].re, -scale * p.chirp[j].im};
    p.kernel[j] = term;
    if (j > 0) p.kernel[p.length - j] = term;
    square = (square + 2 * j + 1) % (2 * n);
  }
  by_halves(&p, p.kernel);
  return p;
}

/* Forward, in place. */
static void transform(const plan *p, number *a) {
  if (!p->chirp) {
    by_halves(p, a);
    return;
  }
  for (int64_t j = 0; j < p->n; ++j) p->row[j] = product(a[j], p->chirp[j]);
  memset(p->row + p->n, 0, (size_t)(p->length - p->n) * sizeof(number));
  by_halves(p, p->row);
  /* the inverse of the product, by way of conjugates */
  for (int64_t j = 0; j < p->length; ++j) p->row[j] = conjugate(product(p->row[j], p->kernel[j]));
  by_halves(p, p->row);
  for (int64_t k = 0; k < p->n; ++k) a[k] = product(conjugate(p->row[k]), p->chirp[k]);
}

void ma_fourier_rows(const double *x, int64_t rows, int64_t n, int64_t down, int64_t across,
                     double *y, double *work, int is_forward) {
  const number *from = (const number *)x;
  number *to = (number *)y;
  if (rows == 0 || n == 0) return;
  const plan p = planned(n, (number *)work);
  for (int64_t i = 0; i < rows; ++i, to += n) {
    for (int64_t j = 0; j < n; ++j) {
      const number a = from[i * down + j * across];
      to[j] = is_forward ? a : conjugate(a);
    }
    transform(&p, to);
    for (int64_t k = 0; !is_forward && k < n; ++k) to[k] = conjugate(to[k]);
  }
}

static double *data_of(const bk_runtime_tensor *t, int64_t parts) {
  return (double *)t->memref->aligned + parts * t->memref->offset;
}

void ma_fourier(const bk_runtime_tensor *x, const bk_runtime_tensor *y,
                const bk_runtime_tensor *work, int64_t is_forward) {
  ma_fourier_rows(data_of(x, 2), bk_runtime_size(x, 0), bk_runtime_size(x, 1),
                  bk_runtime_stride(x, 0), bk_runtime_stride(x, 1), data_of(y, 2), data_of(work, 1),
                  is_forward != 0);
}
