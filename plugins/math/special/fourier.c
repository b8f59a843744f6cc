// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.c: several rows at once, factor by factor, each step from one room to another so that
 * the result is in order (T. G. Stockham, 1966). A length with a large prime factor is a convolution of a length that is
 * a power of two (L. I. Bluestein, 1970): with 2 j k = j^2 + k^2 - (k - j)^2, factors before and after it are all that the
 * transform has besides. */
#include "plugins/math/special/fourier.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "buddy/kit.h"

enum { LARGEST_FACTOR = 31, MOST_FACTORS = 64 };

typedef struct number {
  double re, im;
} number;

static number product(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Complex numbers: element (j, q) of rows that lie side by side at j rows + q. */
typedef struct room {
  double *re, *im;
} room;

/* What transforms of one length share. */
typedef struct plan {
  int64_t n, length; /* of the rows; what is transformed */
  int factors[MOST_FACTORS], n_factors;
  room roots;    /* length: exp(-2 pi i t / length) */
  number *chirp; /* n: exp(-pi i j^2 / n); null where n itself is transformed */
  room kernel;   /* length: the transform of the chirp's conjugate, over length */
} plan;

/* exp(-2 pi i t / n) for t from 0 to n - 1; at the quarters of the circle exact. */
static number root_of(int64_t t, int64_t n) {
  const int64_t quarter = 4 * t / n, rest = 4 * t % n;
  const double angle = 1.57079632679489661923 * (double)rest / (double)n;
  const double c = cos(angle), s = sin(angle);
  const number roots[4] = {{c, -s}, {-s, -c}, {-c, s}, {s, c}};
  return roots[quarter];
}

static number root_at(const plan *p, int64_t t) { return (number){p->roots.re[t], p->roots.im[t]}; }

/* ---- Steps ----------------------------------------------------------------------------------- */
/* One step: x is n numbers s apart, with s such things side by side; y has the transforms of length
 * `factor`, times roots, and n / factor is left to do. */
typedef struct step {
  const plan *p;
  int64_t n, s, left; /* left: n / factor */
  const double *re, *im;
  double *to_re, *to_im;
} step;

/* (a + i b) w, at place q. */
static void put_turned(double *restrict re, double *restrict im, int64_t q, double a, double b,
                       number w) {
  re[q] = a * w.re - b * w.im;
  im[q] = a * w.im + b * w.re;
}

static void by_2(const step *t, int64_t j, const number *w) {
  const int64_t s = t->s, apart = s * t->left;
  const double *restrict a = t->re + s * j, *restrict b = t->im + s * j;
  double *restrict re = t->to_re + 2 * s * j, *restrict im = t->to_im + 2 * s * j;
  for (int64_t q = 0; q < s; ++q) {
    re[q] = a[q] + a[q + apart];
    im[q] = b[q] + b[q + apart];
    put_turned(re + s, im + s, q, a[q] - a[q + apart], b[q] - b[q + apart], w[1]);
  }
}

static void by_4(const step *t, int64_t j, const number *w) {
  const int64_t s = t->s, apart = s * t->left;
  const double *restrict a = t->re + s * j, *restrict b = t->im + s * j;
  double *restrict re = t->to_re + 4 * s * j, *restrict im = t->to_im + 4 * s * j;
  for (int64_t q = 0; q < s; ++q) {
    const double a0 = a[q], a1 = a[q + apart], a2 = a[q + 2 * apart], a3 = a[q + 3 * apart];
    const double b0 = b[q], b1 = b[q + apart], b2 = b[q + 2 * apart], b3 = b[q + 3 * apart];
    const double sum = a0 + a2, sum_i = b0 + b2, rest = a0 - a2, rest_i = b0 - b2;
    const double odd = a1 + a3, odd_i = b1 + b3, turned = b1 - b3, turned_i = a3 - a1;
    re[q] = sum + odd;
    im[q] = sum_i + odd_i;
    put_turned(re + s, im + s, q, rest + turned, rest_i + turned_i, w[1]);
    put_turned(re + 2 * s, im + 2 * s, q, sum - odd, sum_i - odd_i, w[2]);
    put_turned(re + 3 * s, im + 3 * s, q, rest - turned, rest_i - turned_i, w[3]);
  }
}

/* y += w x */
static void add_turned(int64_t s, const double *restrict a, const double *restrict b, number w,
                       double *restrict re, double *restrict im) {
  for (int64_t q = 0; q < s; ++q) {
    re[q] += a[q] * w.re - b[q] * w.im;
    im[q] += a[q] * w.im + b[q] * w.re;
  }
}

/* Any factor, as it is defined. */
static void by_definition(const step *t, int64_t j, int factor) {
  const int64_t s = t->s, length = t->p->length, unit = length / t->n;
  for (int64_t k = 0; k < factor; ++k) {
    double *re = t->to_re + s * (factor * j + k), *im = t->to_im + s * (factor * j + k);
    memset(re, 0, (size_t)s * sizeof(*re));
    memset(im, 0, (size_t)s * sizeof(*im));
    const number w = root_at(t->p, j * k * unit);
    for (int64_t i = 0; i < factor; ++i) {
      const number root = root_at(t->p, i * k % factor * (length / factor));
      const int64_t at = s * (j + i * t->left);
      add_turned(s, t->re + at, t->im + at, i == 0 ? w : product(root, w), re, im);
    }
  }
}

static void take(const step *t, int factor) {
  const int64_t unit = t->p->length / t->n;
  number w[4];
  for (int64_t j = 0; j < t->left; ++j) {
    for (int64_t k = 1; k < factor && k < 4; ++k) w[k] = root_at(t->p, j * k * unit);
    if (factor == 4)
      by_4(t, j, w);
    else if (factor == 2)
      by_2(t, j, w);
    else
      by_definition(t, j, factor);
  }
}

/* Forward, of `rows` rows: from one room by way of both; *x is where the result is. */
static void transform(const plan *p, int64_t rows, room *x, room *y) {
  int64_t n = p->length, s = rows;
  for (int i = 0; i < p->n_factors; ++i) {
    const int factor = p->factors[i];
    const step t = {p, n, s, n / factor, x->re, x->im, y->re, y->im};
    take(&t, factor);
    const room swapped = *x;
    *x = *y;
    *y = swapped;
    n /= factor;
    s *= factor;
  }
}

/* ---- Plans ----------------------------------------------------------------------------------- */
/* Of a length; false: one is too large. */
static bool factored(plan *p, int64_t length) {
  p->length = length;
  p->n_factors = 0;
  for (; length % 4 == 0; length /= 4) p->factors[p->n_factors++] = 4;
  for (int factor = 2; factor <= LARGEST_FACTOR && length > 1; ++factor) {
    for (; length % factor == 0; length /= factor) p->factors[p->n_factors++] = factor;
  }
  return length == 1;
}

static room take_room(double **work, int64_t n) {
  const room r = {*work, *work + n + MA_FOURIER_APART};
  *work += 2 * (n + MA_FOURIER_APART);
  return r;
}

static void plan_roots(plan *p, double **work) {
  const int64_t n = p->length;
  p->roots = take_room(work, n);
  for (int64_t t = 0; t < n; ++t) {
    const number w = t <= n / 2 ? root_of(t, n) : root_at(p, n - t);
    p->roots.re[t] = w.re;
    p->roots.im[t] = t <= n / 2 ? w.im : -w.im;
  }
}

/* The kernel's transform goes by way of `other`. */
static void plan_chirp(plan *p, double **work, room other) {
  const int64_t n = p->n, length = p->length;
  p->chirp = (number *)*work;
  *work += 2 * n;
  p->kernel = take_room(work, length);
  memset(p->kernel.re, 0, (size_t)length * sizeof(double));
  memset(p->kernel.im, 0, (size_t)length * sizeof(double));
  for (int64_t j = 0, square = 0; j < n; ++j) { /* j^2 mod 2 n */
    p->chirp[j] = root_of(square, 2 * n);
    const int64_t places[] = {j, j > 0 ? length - j : 0};
    for (size_t i = 0; i < 2; ++i) {
      p->kernel.re[places[i]] = p->chirp[j].re / (double)length;
      p->kernel.im[places[i]] = -p->chirp[j].im / (double)length;
    }
    square = (square + 2 * j + 1) % (2 * n);
  }
  const room start = p->kernel;
  transform(p, 1, &p->kernel, &other);
  if (p->kernel.re != start.re) {
    memcpy(start.re, p->kernel.re, (size_t)length * sizeof(double));
    memcpy(start.im, p->kernel.im, (size_t)length * sizeof(double));
    p->kernel = start;
  }
}

/* ---- Rows ------------------------------------------------------------------------------------ */
/* Where the rows come from and go to. `swaps`: real and imaginary parts, which makes of a transform its inverse. */
typedef struct block {
  const number *from;
  int64_t rows, down, across;
  number *to;
  bool swaps;
} block;

static void read_rows(const plan *p, const block *b, room x) {
  for (int64_t q = 0; q < b->rows; ++q) {
    for (int64_t j = 0; j < p->n; ++j) {
      number a = b->from[q * b->down + j * b->across];
      if (b->swaps) a = (number){a.im, a.re};
      if (p->chirp) a = product(a, p->chirp[j]);
      x.re[j * b->rows + q] = a.re;
      x.im[j * b->rows + q] = a.im;
    }
  }
  const int64_t n = p->n * b->rows, more = (p->length - p->n) * b->rows;
  memset(x.re + n, 0, (size_t)more * sizeof(double));
  memset(x.im + n, 0, (size_t)more * sizeof(double));
}

/* The product with the kernel, and the inverse of its transform by way of conjugates. */
static void convolve(const plan *p, int64_t rows, room *x, room *y) {
  transform(p, rows, x, y);
  for (int64_t j = 0; j < p->length; ++j) {
    for (int64_t i = j * rows; i < (j + 1) * rows; ++i) {
      const number a =
          product((number){x->re[i], x->im[i]}, (number){p->kernel.re[j], p->kernel.im[j]});
      x->re[i] = a.re;
      x->im[i] = -a.im;
    }
  }
  transform(p, rows, x, y);
}

static void write_rows(const plan *p, const block *b, room x) {
  for (int64_t q = 0; q < b->rows; ++q) {
    for (int64_t k = 0; k < p->n; ++k) {
      number a = {x.re[k * b->rows + q], x.im[k * b->rows + q]};
      if (p->chirp) a = product((number){a.re, -a.im}, p->chirp[k]);
      b->to[q * p->n + k] = b->swaps ? (number){a.im, a.re} : a;
    }
  }
}

void ma_fourier_rows(const double *x, int64_t rows, int64_t n, int64_t down, int64_t across,
                     double *y, double *work, int is_forward) {
  if (rows == 0 || n == 0) return;
  plan p = {.n = n};
  const bool is_convolution = !factored(&p, n);
  int64_t length = 1;
  while (is_convolution && length < 2 * n - 1) length *= 2;
  if (is_convolution) factored(&p, length);
  const int64_t at_once = n <= MA_FOURIER_SHORT ? MA_FOURIER_ROWS : 1;
  plan_roots(&p, &work);
  room a = take_room(&work, p.length * at_once), b = take_room(&work, p.length * at_once);
  if (is_convolution) plan_chirp(&p, &work, a);
  for (int64_t row = 0; row < rows; row += at_once) {
    const int64_t left = rows - row;
    const block part = {.from = (const number *)x + row * down,
                        .rows = left < at_once ? left : at_once,
                        .down = down,
                        .across = across,
                        .to = (number *)y + row * n,
                        .swaps = !is_forward};
    read_rows(&p, &part, a);
    if (is_convolution)
      convolve(&p, part.rows, &a, &b);
    else
      transform(&p, part.rows, &a, &b);
    write_rows(&p, &part, a);
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
