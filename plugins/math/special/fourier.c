// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.c: how compiled code calls transforms. */
#include "plugins/math/special/fourier.h"

#include <math.h>
#include <stddef.h>

#include "buddy/kit.h"
#include "plugins/math/special/fourier_plan.h"

void ma_fourier_run(const ma_fourier *f) {
  if (f->n == 0 || f->outer == 0 || f->inner == 0) return;
  const bool is_narrow = f->is_f32 && !ma_fourier_factors_of(f->kind, f->n).is_convolution;
  (is_narrow ? ma_fourier_run_f32 : ma_fourier_run_f64)(f);
}

/* ---- Calls ----------------------------------------------------------------------------------- */
static _Thread_local const buddy_crew *crew_here;

void ma_fourier_set_crew(const buddy_crew *crew) { crew_here = crew; }

/* A tensor's first element, of `size` bytes. */
static char *data_of(const bk_runtime_tensor *t, size_t size) {
  return (char *)t->memref->aligned + (size_t)t->memref->offset * size;
}

static double scale_of(int64_t normalization, int64_t n) {
  return normalization == 0 ? 1 : normalization == 1 ? 1 / sqrt((double)n) : 1 / (double)n;
}

typedef struct call {
  const bk_runtime_tensor *x, *y, *memory;
  ma_fourier_kind kind;
  bool is_f32, is_forward;
  int64_t normalization, n_parts, slot;
  const buddy_keeper *keeper;
} call;

static void answer(const call *c) {
  const size_t size = c->is_f32 ? sizeof(float) : sizeof(double);
  const int64_t n = bk_runtime_size(c->kind == MA_FOURIER_TO_REALS ? c->y : c->x, 1);
  if (n == 0 || bk_runtime_size(c->x, 0) == 0 || bk_runtime_size(c->x, 2) == 0)
    return; /* and no plan is kept, which would be made of nothing */
  ma_fourier f = {
      .kind = c->kind,
      .is_forward = c->is_forward,
      .is_f32 = c->is_f32,
      .is_whole = c->kind == MA_FOURIER_OF_REALS && bk_runtime_size(c->y, 1) > n / 2 + 1,
      .n = n,
      .outer = bk_runtime_size(c->x, 0),
      .inner = bk_runtime_size(c->x, 2),
      .scale = scale_of(c->normalization, n),
      .x = data_of(c->x, c->kind == MA_FOURIER_OF_REALS ? size : 2 * size),
      .y = data_of(c->y, c->kind == MA_FOURIER_TO_REALS ? size : 2 * size),
      .work = (double *)(void *)data_of(c->memory, sizeof(double)),
      .n_parts = c->n_parts,
      .crew = crew_here};
  for (int i = 0; i < 3; ++i) {
    f.x_strides[i] = bk_runtime_stride(c->x, i);
    f.y_strides[i] = bk_runtime_stride(c->y, i);
  }
  const int64_t plan_bytes = ma_fourier_plan_size(f.kind, n) * (int64_t)sizeof(double);
  int32_t is_planned = 0;
  double *kept = c->keeper ? c->keeper->get(c->slot, plan_bytes, &is_planned) : NULL;
  f.plan = kept ? kept : f.work + f.n_parts * ma_fourier_work_size(f.kind, n);
  f.is_planned = kept && is_planned;
  ma_fourier_run(&f);
  if (kept && !is_planned) c->keeper->filled(c->slot);
}

#define ANSWER(name, kind, is_f32)                                                            \
  MA_FOURIER(name) {                                                                          \
    (void)of;                                                                                 \
    answer(&(call){x, y, memory, kind, is_f32, is_forward != 0, normalization, n_parts, slot, \
                   keeper});                                                                  \
  }
ANSWER(complex_f32, MA_FOURIER_COMPLEX, true)
ANSWER(complex_f64, MA_FOURIER_COMPLEX, false)
ANSWER(of_reals_f32, MA_FOURIER_OF_REALS, true)
ANSWER(of_reals_f64, MA_FOURIER_OF_REALS, false)
ANSWER(to_reals_f32, MA_FOURIER_TO_REALS, true)
ANSWER(to_reals_f64, MA_FOURIER_TO_REALS, false)
