// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_steps.c: a row is transformed factor by factor, each step from one room to another so that the
 * result is in order (T. G. Stockham, 1966). */
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "plugins/math/special/fourier_plan.h"

#define INLINE MA_INLINE
#if !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wpsabi" /* vectors are handed to functions that are inlined, alone */
#endif

/* As many numbers as fill a vector, their parts apart. */
typedef double lanes __attribute__((vector_size(32)));
enum { LANES = 4, LARGEST_CODELET = 8 };
typedef struct numbers {
  lanes re, im;
} numbers;

INLINE lanes load(const double *from) {
  lanes a;
  memcpy(&a, from, sizeof(a));
  return a;
}
INLINE void store(double *to, lanes a) { memcpy(to, &a, sizeof(a)); }
INLINE numbers sum(numbers a, numbers b) { return (numbers){a.re + b.re, a.im + b.im}; }
INLINE numbers difference(numbers a, numbers b) { return (numbers){a.re - b.re, a.im - b.im}; }
INLINE numbers scaled(numbers a, double s) { return (numbers){a.re * s, a.im * s}; }
INLINE numbers turned_by(numbers a, numbers b) {
  return (numbers){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* ---- Factors --------------------------------------------------------------------------------- */
/* x becomes its transform, forward. */
INLINE void transform_2(numbers *x) {
  const numbers a = x[0], b = x[1];
  x[0] = sum(a, b), x[1] = difference(a, b);
}

/* a - i b and a + i b */
INLINE void cross(numbers a, numbers b, numbers *less, numbers *more) {
  *less = (numbers){a.re + b.im, a.im - b.re};
  *more = (numbers){a.re - b.im, a.im + b.re};
}

INLINE void transform_3(numbers *x) {
  const numbers both = sum(x[1], x[2]), a = difference(x[0], scaled(both, 0.5));
  const numbers b = scaled(difference(x[1], x[2]), 0.86602540378443864676);
  x[0] = sum(x[0], both);
  cross(a, b, &x[1], &x[2]);
}

INLINE void transform_4(numbers *x) {
  const numbers even = sum(x[0], x[2]), rest = difference(x[0], x[2]);
  const numbers odd = sum(x[1], x[3]), turned = difference(x[1], x[3]);
  x[0] = sum(even, odd), x[2] = difference(even, odd);
  cross(rest, turned, &x[1], &x[3]);
}

INLINE void transform_5(numbers *x) {
  const double c1 = 0.30901699437494742410, c2 = -0.80901699437494742410;
  const double s1 = 0.95105651629515357212, s2 = 0.58778525229247312917;
  const numbers outer = sum(x[1], x[4]), inner = sum(x[2], x[3]);
  const numbers outer_i = difference(x[1], x[4]), inner_i = difference(x[2], x[3]);
  const numbers a1 = sum(x[0], sum(scaled(outer, c1), scaled(inner, c2)));
  const numbers a2 = sum(x[0], sum(scaled(outer, c2), scaled(inner, c1)));
  const numbers b1 = sum(scaled(outer_i, s1), scaled(inner_i, s2));
  const numbers b2 = difference(scaled(outer_i, s2), scaled(inner_i, s1));
  x[0] = sum(x[0], sum(outer, inner));
  cross(a1, b1, &x[1], &x[4]);
  cross(a2, b2, &x[2], &x[3]);
}

INLINE void transform_8(numbers *x) {
  const double root = 0.70710678118654752440;
  numbers even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  transform_4(even);
  transform_4(odd);
  odd[1] = scaled((numbers){odd[1].re + odd[1].im, odd[1].im - odd[1].re}, root);
  odd[2] = (numbers){odd[2].im, -odd[2].re};
  odd[3] = scaled((numbers){odd[3].im - odd[3].re, -odd[3].re - odd[3].im}, root);
  x[0] = sum(even[0], odd[0]), x[4] = difference(even[0], odd[0]);
  x[1] = sum(even[1], odd[1]), x[5] = difference(even[1], odd[1]);
  x[2] = sum(even[2], odd[2]), x[6] = difference(even[2], odd[2]);
  x[3] = sum(even[3], odd[3]), x[7] = difference(even[3], odd[3]);
}

INLINE void transform_of(int factor, numbers *x) {
  if (factor == 2) transform_2(x);
  if (factor == 3) transform_3(x);
  if (factor == 4) transform_4(x);
  if (factor == 5) transform_5(x);
  if (factor == 8) transform_8(x);
}

/* ---- Steps ----------------------------------------------------------------------------------- */
/* One step: x is factor * left things, s numbers each; y has the transforms of length `factor`, times turns. */
typedef struct step {
  int factor;
  int64_t left, s;
  room x, y, turns, units;
} step;

/* For every place below 8, written out, since only what an array holds at constant places is kept in registers. */
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

/* The transforms of as many things as a vector has, times turns, which may be null: x[i] are `apart`. */
INLINE void transform_lanes(int factor, const double *re, const double *im, int64_t apart,
                            const numbers *turn, numbers *x) {
#define READ(i) \
  if (i < factor) x[i] = (numbers){load(re + i * apart), load(im + i * apart)};
  EACH(READ)
#undef READ
  transform_of(factor, x);
#define TURN(k) \
  if (turn && k > 0 && k < factor) x[k] = turned_by(x[k], turn[k]);
  EACH(TURN)
#undef TURN
}

/* Things side by side fill vectors; the last one laps over the one before. */
INLINE void take_vectors(int factor, const step *t) {
  const int64_t left = t->left, s = t->s, apart = s * left;
  for (int64_t j = 0; j < left; ++j) {
    numbers turn[LARGEST_CODELET], x[LARGEST_CODELET];
#define TURN(k)                                                \
  if (k > 0 && k < factor && left > 1) {                       \
    const number w = at(t->turns, (k - 1) * left + j);         \
    turn[k] = (numbers){w.re - (lanes){0}, w.im - (lanes){0}}; \
  }
    EACH(TURN)
#undef TURN
    for (int64_t first = 0; first < s; first += LANES) {
      const int64_t q = first + LANES <= s ? first : s - LANES, to = s * factor * j + q;
      transform_lanes(factor, t->x.re + s * j + q, t->x.im + s * j + q, apart,
                      left > 1 ? turn : NULL, x);
#define WRITE(k)                          \
  if (k < factor) {                       \
    store(t->y.re + to + k * s, x[k].re); \
    store(t->y.im + to + k * s, x[k].im); \
  }
      EACH(WRITE)
#undef WRITE
    }
  }
}

/* Too few are side by side: a vector has things of several j, whose results go to places of their own. What is read behind
 * the last of them lies in the room, and is not written. */
INLINE void take_mixed(int factor, const step *t, bool is_single) {
  const int64_t left = t->left, s = is_single ? 1 : t->s, n = s * left;
  for (int64_t first = 0; first < n; first += LANES) {
    const int64_t here = n - first < LANES ? n - first : LANES;
    numbers turn[LARGEST_CODELET], x[LARGEST_CODELET];
    int64_t j[LANES];
    for (int l = 0; l < LANES; ++l) {
      const int64_t item = l < here ? first + l : n - 1;
      j[l] = is_single ? item : (int64_t)((uint32_t)item / (uint32_t)s);
    }
#define TURN(k)                                     \
  if (k > 0 && k < factor) {                        \
    double w_re[LANES], w_im[LANES];                \
    for (int l = 0; l < LANES; ++l) {               \
      w_re[l] = t->turns.re[(k - 1) * left + j[l]]; \
      w_im[l] = t->turns.im[(k - 1) * left + j[l]]; \
    }                                               \
    turn[k] = (numbers){load(w_re), load(w_im)};    \
  }
    if (is_single && here == LANES) {
#define TURN_IN_ORDER(k)                                            \
  if (k > 0 && k < factor)                                          \
    turn[k] = (numbers){load(t->turns.re + (k - 1) * left + first), \
                        load(t->turns.im + (k - 1) * left + first)};
      EACH(TURN_IN_ORDER)
#undef TURN_IN_ORDER
    } else {
      EACH(TURN)
    }
#undef TURN
    transform_lanes(factor, t->x.re + first, t->x.im + first, n, turn, x);
#define WRITE(k)                                                      \
  if (k < factor) {                                                   \
    double re[LANES], im[LANES];                                      \
    store(re, x[k].re);                                               \
    store(im, x[k].im);                                               \
    for (int l = 0; l < here; ++l) {                                  \
      const int64_t to = first + l + (factor - 1) * s * j[l] + k * s; \
      t->y.re[to] = re[l];                                            \
      t->y.im[to] = im[l];                                            \
    }                                                                 \
  }
    EACH(WRITE)
#undef WRITE
  }
}

INLINE void take(int factor, const step *t) {
  if (t->s >= LANES)
    take_vectors(factor, t);
  else if (t->s == 1)
    take_mixed(factor, t, true);
  else
    take_mixed(factor, t, false);
}

/* y += w x */
INLINE void add_turned(int64_t s, const double *restrict a, const double *restrict b, number w,
                       double *restrict re, double *restrict im) {
  for (int64_t q = 0; q < s; ++q) {
    re[q] += a[q] * w.re - b[q] * w.im;
    im[q] += a[q] * w.im + b[q] * w.re;
  }
}

/* Any factor, as it is defined. */
INLINE void take_by_definition(const step *t) {
  const int64_t s = t->s, left = t->left, size = (int64_t)sizeof(double) * s;
  for (int64_t j = 0; j < left; ++j) {
    for (int64_t k = 0; k < t->factor; ++k) {
      double *re = t->y.re + s * (t->factor * j + k), *im = t->y.im + s * (t->factor * j + k);
      memset(re, 0, (size_t)size);
      memset(im, 0, (size_t)size);
      for (int64_t i = 0; i < t->factor; ++i) {
        number w = at(t->units, i * k % t->factor);
        if (k > 0) w = product(w, at(t->turns, (k - 1) * left + j));
        add_turned(s, t->x.re + s * (j + i * left), t->x.im + s * (j + i * left), w, re, im);
      }
    }
  }
}

INLINE void transform(const ma_fourier_plan *p, int64_t rows, room *x, room *y) {
  int64_t n = p->f.length, s = rows;
  for (int i = 0; i < p->f.n_factors; ++i) {
    const step t = {p->f.factors[i], n / p->f.factors[i], s, *x, *y, p->turns[i], p->units[i]};
    switch (t.factor) {
      case 2:
        take(2, &t);
        break;
      case 3:
        take(3, &t);
        break;
      case 4:
        take(4, &t);
        break;
      case 5:
        take(5, &t);
        break;
      case 8:
        take(8, &t);
        break;
      default:
        take_by_definition(&t);
    }
    const room turned = *x;
    *x = *y;
    *y = turned;
    n = t.left;
    s *= t.factor;
  }
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

#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void transform_avx2(const ma_fourier_plan *p,
                                                               int64_t rows, room *x, room *y) {
  transform(p, rows, x, y);
}
#endif

void ma_fourier_transform(const ma_fourier_plan *p, int64_t rows, room *x, room *y) {
#if defined(__x86_64__)
  if (ma_fourier_has_avx2()) {
    transform_avx2(p, rows, x, y);
    return;
  }
#endif
  transform(p, rows, x, y);
}
