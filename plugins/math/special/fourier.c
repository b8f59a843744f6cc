// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/math/special/fourier.c: rows are read, transformed and written, several at once where that fills vectors, and parts
 * of them by several threads; and how compiled code calls it. */
#include "plugins/math/special/fourier.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "buddy/kit.h"
#include "plugins/math/special/fourier_plan.h"

enum { SMALL_ROWS = 256 };

/* ---- Rows ------------------------------------------------------------------------------------ */
/* Rows that go at once: where the first one is, and how far elements and rows are apart, in numbers. */
typedef struct block {
  const ma_fourier *f;
  int64_t rows, across, down, to_across, to_down;
  const void *from;
  void *to;
} block;

/* What is transformed: complex numbers, or with their parts swapped, which makes of a transform its inverse; pairs of reals;
 * reals; a spectrum of which there is half; the same folded to half as many numbers. */
typedef enum form { FORWARD, INVERSE, PAIRS, REALS, HALF, FOLDED } form;

MA_INLINE form form_of(const ma_fourier_plan *p, const ma_fourier *f) {
  if (f->kind == MA_FOURIER_COMPLEX) return f->is_forward ? FORWARD : INVERSE;
  if (f->kind == MA_FOURIER_OF_REALS) return p->f.m != p->f.n ? PAIRS : REALS;
  return p->f.m != p->f.n ? FOLDED : HALF;
}

/* Element k of the spectrum of reals, of elements k and m - k of half as many complex numbers. */
MA_INLINE number unfolded(const ma_fourier_plan *p, int64_t k, number a, number c) {
  const double half = 0.5;
  const number odd =
      product((number){half * (a.im + c.im), half * (c.re - a.re)}, at(p->halves, k));
  return (number){half * (a.re + c.re) + odd.re, half * (a.im - c.im) + odd.im};
}

/* The other way. */
MA_INLINE number folded(const ma_fourier_plan *p, int64_t j, number a, number c) {
  const number odd = product((number){a.re - c.re, a.im + c.im}, conjugate(at(p->halves, j)));
  return (number){a.re + c.re - odd.im, a.im - c.im + odd.re};
}

#define DATA float
#define OF_DATA(name) name##_f32
#include "plugins/math/special/fourier_rows.inc"
#undef DATA
#undef OF_DATA
#define DATA double
#define OF_DATA(name) name##_f64
#include "plugins/math/special/fourier_rows.inc"
#undef DATA
#undef OF_DATA

/* x times w, element by element of the first n; conjugates of the products if wanted. */
MA_INLINE void multiply(room x, room w, int64_t n, int64_t rows, bool conjugates) {
  for (int64_t j = 0; j < n; ++j) {
    const number factor = at(w, j);
    for (int64_t i = j * rows; i < (j + 1) * rows; ++i) {
      const number a = product(at(x, i), factor);
      put(x, i, conjugates ? conjugate(a) : a);
    }
  }
}

/* Transforms of convolutions: the inverse one goes by way of conjugates. */
MA_INLINE void convolve(const ma_fourier_plan *p, int64_t rows, room *x, room *y) {
  const int64_t more = (p->f.length - p->f.m) * rows * (int64_t)sizeof(double);
  multiply(*x, p->chirp, p->f.m, rows, false);
  memset(x->re + p->f.m * rows, 0, (size_t)more);
  memset(x->im + p->f.m * rows, 0, (size_t)more);
  ma_fourier_transform(p, rows, x, y);
  multiply(*x, p->kernel, p->f.length, rows, true);
  ma_fourier_transform(p, rows, x, y);
  for (int64_t i = 0; i < p->f.m * rows; ++i) x->im[i] = -x->im[i];
  multiply(*x, p->chirp, p->f.m, rows, false);
}

/* How many rows at most go at once: so many that they fill vectors, and yet are in a cache. A row of a multiple of 64
 * fills them after its first step. */
MA_INLINE int64_t rows_at_once(const ma_fourier_plan *p, bool lie_closer) {
  const int64_t n = p->f.length;
  if (n > MA_FOURIER_SHORT) return 1;
  const bool are_small = n <= SMALL_ROWS && (n % 64 != 0 || n == 64);
  return lie_closer || are_small ? MA_FOURIER_ROWS : 1;
}

/* ---- All of them ----------------------------------------------------------------------------- */
typedef struct job {
  const ma_fourier *f;
  const ma_fourier_plan *p;
  int64_t outer, inner, groups; /* of rows; of what `outer` counts each has `groups` */
  int64_t at_once, part;        /* rows; numbers of work that a part has */
  int64_t size;                 /* of a number in bytes */
  int64_t from[3], to[3];       /* strides in numbers: outer, element, inner */
} job;

MA_INLINE void do_groups(const job *w, int64_t part) {
  const int64_t n = w->outer * w->groups, first = n * part / w->f->n_parts,
                last = n * (part + 1) / w->f->n_parts,
                room_size = w->p->f.length * w->at_once + MA_FOURIER_APART;
  double *memory = w->f->work + part * w->part;
  const room first_room = ma_fourier_take(&memory, room_size),
             second_room = ma_fourier_take(&memory, room_size);
  for (int64_t g = first; g < last; ++g) {
    const int64_t o = g / w->groups, r = g % w->groups * w->at_once, rest = w->inner - r;
    const block b = {.f = w->f,
                     .rows = rest < w->at_once ? rest : w->at_once,
                     .across = w->from[1],
                     .down = w->from[2],
                     .to_across = w->to[1],
                     .to_down = w->to[2],
                     .from = (const char *)w->f->x + (o * w->from[0] + r * w->from[2]) * w->size,
                     .to = (char *)w->f->y + (o * w->to[0] + r * w->to[2]) * w->size};
    room x = first_room, y = second_room;
    if (w->f->is_f32)
      read_rows_f32(w->p, &b, x);
    else
      read_rows_f64(w->p, &b, x);
    if (w->p->f.is_convolution)
      convolve(w->p, b.rows, &x, &y);
    else
      ma_fourier_transform(w->p, b.rows, &x, &y);
    if (w->f->is_f32)
      write_rows_f32(w->p, &b, x);
    else
      write_rows_f64(w->p, &b, x);
  }
}

static void units(void *context, int64_t first, int64_t last) {
  for (int64_t part = first; part < last; ++part) do_groups(context, part);
}
#if defined(__x86_64__)
__attribute__((target("avx2,fma"))) static void units_avx2(void *context, int64_t first,
                                                           int64_t last) {
  for (int64_t part = first; part < last; ++part) do_groups(context, part);
}
#endif

typedef void units_of_parts(void *context, int64_t first, int64_t last);
static units_of_parts *units_here(void) {
#if defined(__x86_64__)
  if (ma_fourier_has_avx2()) return units_avx2;
#endif
  return units;
}

void ma_fourier_run(const ma_fourier *f) {
  if (f->n == 0 || f->outer == 0 || f->inner == 0) return;
  ma_fourier_plan p = ma_fourier_plan_in(f->plan, f->kind, f->n);
  if (!f->is_planned) ma_fourier_fill(&p, f->work);
  const int64_t of_x = f->kind == MA_FOURIER_OF_REALS ? 1 : 2,
                of_y = f->kind == MA_FOURIER_TO_REALS ? 1 : 2;
  job w = {.f = f,
           .p = &p,
           .outer = f->outer,
           .inner = f->inner,
           .size = f->is_f32 ? sizeof(float) : sizeof(double),
           .part = ma_fourier_work_size(f->kind, f->n)};
  for (int i = 0; i < 3; ++i) {
    w.from[i] = of_x * f->x_strides[i];
    w.to[i] = of_y * f->y_strides[i];
  }
  if (w.inner == 1) { /* the rows that there are go side by side */
    w.inner = w.outer;
    w.outer = 1;
    w.from[2] = w.from[0];
    w.to[2] = w.to[0];
  }
  w.at_once = rows_at_once(&p, w.from[2] < w.from[1]);
  w.groups = (w.inner + w.at_once - 1) / w.at_once;
  const int64_t n_groups = w.outer * w.groups;
  const double cost = 8.0 * (double)p.f.length * (double)w.at_once *
                      (double)((n_groups + f->n_parts - 1) / f->n_parts);
  if (f->crew && f->n_parts > 1)
    f->crew->spread(units_here(), &w, f->n_parts, cost < 1e15 ? (int64_t)cost : (int64_t)1e15);
  else
    units_here()(&w, 0, f->n_parts);
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
