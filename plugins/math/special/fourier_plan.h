// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_plan.h: what transforms of one length share, and the transform of what lies in a room. */
#ifndef BUDDY_PLUGINS_MATH_FOURIER_PLAN_H
#define BUDDY_PLUGINS_MATH_FOURIER_PLAN_H

#include "plugins/math/special/fourier.h"

#define MA_INLINE static inline __attribute__((always_inline))

typedef struct number {
  double re, im;
} number;

MA_INLINE number swapped(number a) { return (number){a.im, a.re}; }
MA_INLINE number conjugate(number a) { return (number){a.re, -a.im}; }
MA_INLINE number product(number a, number b) {
  return (number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Complex numbers, their parts apart: element j of rows that lie side by side begins at j rows. */
typedef struct room {
  double *re, *im;
} room;
MA_INLINE number at(room r, int64_t i) { return (number){r.re[i], r.im[i]}; }
MA_INLINE void put(room r, int64_t i, number a) { r.re[i] = a.re, r.im[i] = a.im; }

/* What transforms of one length and kind share. */
typedef struct ma_fourier_plan {
  ma_fourier_factors f;
  room turns
      [MA_FOURIER_FACTORS]; /* of step i: exp(-2 pi i j k / (factor left)) at (k - 1) left + j */
  room units
      [MA_FOURIER_FACTORS]; /* exp(-2 pi i t / factor), where a factor has no formula of its own */
  room halves; /* m + 1: exp(-2 pi i k / n), where n reals are m = n / 2 complex numbers */
  room chirp;  /* m: exp(-pi i j^2 / m) */
  room kernel; /* length: the transform of the chirp's conjugate, over length */
} ma_fourier_plan;

/* Whether the processor, and the system, have AVX2 and FMA. Asked here, since a model that is linked ahead of time has no
 * library of the compiler's that could be asked. */
bool ma_fourier_has_avx2(void);
/* Two parts of n numbers each, by which *memory grows. */
room ma_fourier_take(double **memory, int64_t n);
/* True of factors whose transforms are written out. */
bool ma_fourier_has_formula(int factor);
/* The rooms that ma_fourier_plan_size counts, from `memory` on. */
ma_fourier_plan ma_fourier_plan_in(double *memory, ma_fourier_kind kind, int64_t n);
/* work: of at least 2 length numbers. */
void ma_fourier_fill(ma_fourier_plan *p, double *work);
/* Forward, of `rows` rows of p->f.length: from one room by way of both; *x is where the result is. Behind each part of a
 * room lie at least 8 numbers. */
void ma_fourier_transform(const ma_fourier_plan *p, int64_t rows, room *x, room *y);

#endif
