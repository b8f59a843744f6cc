// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier_f32.c: transforms of rows of f32, computed as such. */
#include "plugins/math/special/fourier_plan.h"

#define REAL float
#define FIRST_OF 0, 8, 1, 9, 2, 10, 3, 11 /* of two vectors, element by element in turn */
#define LAST_OF 4, 12, 5, 13, 6, 14, 7, 15
#include "plugins/math/special/fourier_numbers.inc"
#include "plugins/math/special/fourier_steps.inc"
#include "plugins/math/special/fourier_fill.inc"

#define DATA float
#define OF_DATA(name) name
#include "plugins/math/special/fourier_rows.inc"
#include "plugins/math/special/fourier_run.inc"

void ma_fourier_run_f32(const ma_fourier *f) { run(f); }
