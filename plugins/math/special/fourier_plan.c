// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_plan.c: factors of lengths, and the roots of unity that transforms need. A length with a large
 * prime factor is a convolution of a length that is a power of two (L. I. Bluestein, 1970): with 2 j k = j^2 + k^2 -
 * (k - j)^2, factors before and after it are all that the transform has besides. */
#include "plugins/math/special/fourier_plan.h"

#include <math.h>
#include <string.h>

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

/* ---- Plans ----------------------------------------------------------------------------------- */
room ma_fourier_take(double **memory, int64_t n) {
  const room r = {*memory, *memory + n};
  *memory += 2 * n;
  return r;
}

ma_fourier_plan ma_fourier_plan_in(double *memory, ma_fourier_kind kind, int64_t n) {
  ma_fourier_plan p = {.f = ma_fourier_factors_of(kind, n)};
  int64_t left = p.f.length;
  for (int i = 0; i < p.f.n_factors; ++i) {
    const int factor = p.f.factors[i];
    left /= factor;
    p.turns[i] = ma_fourier_take(&memory, (factor - 1) * left);
    if (!ma_fourier_has_formula(factor)) p.units[i] = ma_fourier_take(&memory, factor);
  }
  if (p.f.m != n) p.halves = ma_fourier_take(&memory, p.f.m + 1);
  if (p.f.is_convolution) {
    p.chirp = ma_fourier_take(&memory, p.f.m);
    p.kernel = ma_fourier_take(&memory, p.f.length);
  }
  return p;
}

/* exp(-2 pi i t / n) for t from 0 to n - 1; at the quarters of the circle exact. */
static number root_of(int64_t t, int64_t n) {
  const int64_t quarter = 4 * t / n, rest = 4 * t % n;
  const double angle = 1.57079632679489661923 * (double)rest / (double)n;
  const double c = cos(angle), s = sin(angle);
  const double roots[4][2] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}};
  return (number){roots[quarter][0], roots[quarter][1]};
}

/* All of them; by symmetry from an eighth of the circle, or from half of it. */
static void fill_circle(room r, int64_t n) {
  const int64_t known = n % 8 == 0 ? n / 8 : n / 2;
  for (int64_t t = 0; t <= known && t < n; ++t) put(r, t, root_of(t, n));
  for (int64_t t = known + 1; n % 8 == 0 && t <= n / 4; ++t) {
    const number w = at(r, n / 4 - t);
    put(r, t, (number){-w.im, -w.re});
  }
  for (int64_t t = n / 4 + 1; n % 8 == 0 && t <= n / 2; ++t) {
    const number w = at(r, t - n / 4);
    put(r, t, (number){w.im, -w.re});
  }
  for (int64_t t = n / 2 + 1; t < n; ++t) put(r, t, conjugate(at(r, n - t)));
}

/* The kernel's transform goes by way of `other`. */
static void fill_chirp(ma_fourier_plan *p, room other) {
  const int64_t n = p->f.m, length = p->f.length;
  const number none = {0, 0};
  for (int64_t j = 0; j < length; ++j) put(p->kernel, j, none);
  for (int64_t j = 0, square = 0; j < n; ++j) { /* j^2 mod 2 n */
    const number w = root_of(square, 2 * n);
    put(p->chirp, j, w);
    const number part = {w.re / (double)length, -w.im / (double)length};
    put(p->kernel, j, part);
    if (j > 0) put(p->kernel, length - j, part);
    square = (square + 2 * j + 1) % (2 * n);
  }
  room from = p->kernel;
  ma_fourier_transform(p, 1, &from, &other);
  if (from.re == p->kernel.re) return;
  memcpy(p->kernel.re, from.re, (size_t)length * sizeof(double));
  memcpy(p->kernel.im, from.im, (size_t)length * sizeof(double));
}

void ma_fourier_fill(ma_fourier_plan *p, double *work) {
  const room circle = ma_fourier_take(&work, p->f.length);
  if (p->f.n_factors > 0) fill_circle(circle, p->f.length);
  int64_t n = p->f.length;
  for (int i = 0; i < p->f.n_factors; ++i) {
    const int factor = p->f.factors[i];
    const int64_t left = n / factor, unit = p->f.length / n;
    for (int64_t k = 1; k < factor; ++k) {
      for (int64_t j = 0; j < left; ++j)
        put(p->turns[i], (k - 1) * left + j, at(circle, j * k * unit));
    }
    for (int t = 0; t < factor && !ma_fourier_has_formula(factor); ++t)
      put(p->units[i], t, at(circle, t * (p->f.length / factor)));
    n = left;
  }
  for (int64_t k = 0; p->f.m != p->f.n && k <= p->f.m; ++k) put(p->halves, k, root_of(k, p->f.n));
  if (p->f.is_convolution) fill_chirp(p, circle);
}
