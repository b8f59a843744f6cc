// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.h: discrete Fourier transforms of any length, of one axis of a tensor. */
#ifndef BUDDY_PLUGINS_MATH_FOURIER_H
#define BUDDY_PLUGINS_MATH_FOURIER_H

#include <stdbool.h>
#include <stdint.h>

#include "buddy/runtime.h"
#include "plugins/math/special/symbol.h"

typedef enum ma_fourier_kind {
  MA_FOURIER_COMPLEX,
  MA_FOURIER_OF_REALS, /* the spectrum of real numbers: elements 0 to n / 2, or all n */
  MA_FOURIER_TO_REALS, /* real numbers of elements 0 to n / 2 of their spectrum */
} ma_fourier_kind;

/* y[k] = scale * sum over j < n of x[j] exp(sign 2 pi i j k / n), in O(n log n) for any n, of each of outer * inner rows.
 * Element j of row (o, r) is at o strides[0] + j strides[1] + r strides[2], counted in elements of the tensor; complex ones
 * are pairs. Real numbers come of a spectrum as if its other half were the first one's conjugate. */
typedef struct ma_fourier {
  ma_fourier_kind kind;
  bool is_forward; /* sign is -1 */
  bool
      is_f32; /* the tensors' numbers are f32; so is what is computed, but of lengths with a large prime */
  bool is_whole; /* MA_FOURIER_OF_REALS: all n elements */
  int64_t n, outer, inner;
  double scale;
  const void *x;
  void *y; /* apart from x */
  int64_t x_strides[3], y_strides[3];
  double *plan; /* ma_fourier_plan_size(n) numbers: what transforms of this length and kind share */
  bool is_planned;        /* filled by such a call before, else by this one */
  double *work;           /* ma_fourier_work_size(n) numbers for each part */
  int64_t n_parts;        /* into which the rows may be divided, at least 1 */
  const buddy_crew *crew; /* which takes the parts; null: this thread */
} ma_fourier;
/* [any-thread] */
void ma_fourier_run(const ma_fourier *f);

/* How transforms are made: of m complex numbers by the factors of `length`, which is m, or where m has a large prime a
 * power of two whose transform convolves. */
#define MA_FOURIER_FACTORS 64
typedef struct ma_fourier_factors {
  int64_t n, m, length;
  int factors[MA_FOURIER_FACTORS], n_factors;
  bool is_convolution;
} ma_fourier_factors;
ma_fourier_factors ma_fourier_factors_of(ma_fourier_kind kind, int64_t n);

/* Numbers that a plan and a part's work have; and what they have at most: of a plan n EACH + REST, of work n EACH +
 * min(n, SHORT) MORE + REST, for lengths that only a run knows. */
int64_t ma_fourier_plan_size(ma_fourier_kind kind, int64_t n);
int64_t ma_fourier_work_size(ma_fourier_kind kind, int64_t n);
#define MA_FOURIER_SHORT 4096 /* longer rows go one at a time */
#define MA_FOURIER_ROWS 8     /* at once */
#define MA_FOURIER_APART 16   /* so that both parts fit into one set of a cache */
#define MA_FOURIER_PLAN_EACH 20
#define MA_FOURIER_WORK_EACH 16
#define MA_FOURIER_WORK_MORE (16 * (MA_FOURIER_ROWS - 1))
#define MA_FOURIER_REST 2048

/* The thread pool of the run, for the calling thread; null: none. */
void ma_fourier_set_crew(const buddy_crew *crew);

/* As compiled code calls them, for tensors of f32 and f64. x and y: [outer, elements, inner]; of: constant where n is, as
 * what the plan is made of; memory: f64, n_parts times the size of work, and a plan's after that. normalization: 0 none, 1
 * by the root of n, 2 by n. */
struct bk_runtime_tensor;
#define MA_FOURIER(name)                                                                        \
  void ma_fourier_##name(const struct bk_runtime_tensor *x, const struct bk_runtime_tensor *of, \
                         const struct bk_runtime_tensor *y,                                     \
                         const struct bk_runtime_tensor *memory, int64_t is_forward,            \
                         int64_t normalization, int64_t n_parts, int64_t slot,                  \
                         const buddy_keeper *keeper)
MA_FOURIER(complex_f32) MA_NAMED(fourier_complex_f32);
MA_FOURIER(complex_f64) MA_NAMED(fourier_complex_f64);
MA_FOURIER(of_reals_f32) MA_NAMED(fourier_of_reals_f32);
MA_FOURIER(of_reals_f64) MA_NAMED(fourier_of_reals_f64);
MA_FOURIER(to_reals_f32) MA_NAMED(fourier_to_reals_f32);
MA_FOURIER(to_reals_f64) MA_NAMED(fourier_to_reals_f64);

#endif
