// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.h: discrete Fourier transforms of any length. */
#ifndef BUDDY_PLUGINS_MATH_FOURIER_H
#define BUDDY_PLUGINS_MATH_FOURIER_H

#include <stdint.h>

#include "plugins/math/special/symbol.h"

/* Rows of up to SHORT elements go ROWS at once. The workspace for rows of n elements, in f64, is
 * n EACH + min(n, SHORT) MORE + REST. */
#define MA_FOURIER_SHORT 2048
#define MA_FOURIER_ROWS 8
#define MA_FOURIER_EACH (8 + 2 + 8 + 16)
#define MA_FOURIER_MORE (16 * (MA_FOURIER_ROWS - 1))
#define MA_FOURIER_REST (4 * 2 * MA_FOURIER_APART)
#define MA_FOURIER_APART \
  24 /* between real and imaginary parts, that both fit into one set of a cache */

/* y = the transforms of the rows of x, in O(n log n) for any n: sums of x_j exp(sign 2 pi i j k / n), not scaled; sign is -1
 * forward, else 1. Complex numbers are pairs of f64. x: rows n of them, element (r, j) at r down + j across; y: the same
 * in order; work: the workspace. [any-thread] */
void ma_fourier_rows(const double *x, int64_t rows, int64_t n, int64_t down, int64_t across,
                     double *y, double *work, int is_forward);

/* As compiled code calls it: c128 [rows, n] twice, f64 [workspace]. */
struct bk_runtime_tensor;
void ma_fourier(const struct bk_runtime_tensor *x, const struct bk_runtime_tensor *y,
                const struct bk_runtime_tensor *work, int64_t is_forward) MA_NAMED(fourier);

#endif
