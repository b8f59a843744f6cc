// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_f64.c: transforms of rows of f64, and of such rows of f32 whose length has a large prime: three
 * transforms one after the other, which lose more. */
#include "plugins/math/special/fourier_plan.h"

#define REAL double
#define FIRST_OF 0, 4, 1, 5 /* of two vectors, element by element in turn */
#define LAST_OF 2, 6, 3, 7
#include "plugins/math/special/fourier_numbers.inc"
#include "plugins/math/special/fourier_steps.inc"
#include "plugins/math/special/fourier_fill.inc"

#define DATA float
#define OF_DATA(name) name##_f32
#include "plugins/math/special/fourier_rows.inc"
#undef DATA
#undef OF_DATA
#define DATA double
#define OF_DATA(name) name##_f64
#include "plugins/math/special/fourier_rows.inc"

MA_INLINE void read_rows(const plan *p, const block *b, room x) {
  if (b->f->is_f32)
    read_rows_f32(p, b, x);
  else
    read_rows_f64(p, b, x);
}

MA_INLINE void write_rows(const plan *p, const block *b, room x) {
  if (b->f->is_f32)
    write_rows_f32(p, b, x);
  else
    write_rows_f64(p, b, x);
}

#include "plugins/math/special/fourier_run.inc"

void ma_fourier_run_f64(const ma_fourier *f) { run(f); }
