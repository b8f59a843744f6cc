// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_plan.h: what transforms of both precisions share. Each has its own unit, fourier_f32.c and
 * fourier_f64.c, which include the same text (fourier_*.inc) for REAL, the type that they compute in. */
#ifndef BUDDY_PLUGINS_MATH_FOURIER_PLAN_H
#define BUDDY_PLUGINS_MATH_FOURIER_PLAN_H

#include "plugins/math/special/fourier.h"

#define MA_INLINE static inline __attribute__((always_inline))

/* Whether the processor, and the system, have AVX2 and FMA. Asked here, since a model that is linked ahead of time has no
 * library of the compiler's that could be asked. */
bool ma_fourier_has_avx2(void);
/* True of factors whose transforms are written out. */
bool ma_fourier_has_formula(int factor);
/* exp(-2 pi i t / n) for t from 0 to n - 1; at the quarters of the circle exact. out: its parts. */
void ma_fourier_root(int64_t t, int64_t n, double out[2]);

/* Rows of f32, of a length without large primes; of f64, and all others. */
void ma_fourier_run_f32(const ma_fourier *f);
void ma_fourier_run_f64(const ma_fourier *f);

#endif
