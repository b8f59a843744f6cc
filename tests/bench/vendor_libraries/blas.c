// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* A library with the CBLAS interface. It has no convolution: what a caller would write around it is
 * im2col and one product per group, so that is what is timed. */
#include <stdlib.h>
#include <string.h>

#include "contender.h"

/* The CBLAS prototype with its standard enum values; the header that brings it differs from library
 * to library. */
void BENCH_CBLAS_SGEMM(int order, int trans_a, int trans_b, int m, int n, int k, float alpha,
                       const float *a, int lda, const float *b, int ldb, float beta, float *c,
                       int ldc);
enum { ROW_MAJOR = 101, NO_TRANS = 111, TRANS = 112 };

typedef struct blas_state {
  const bench_case *bench;
  float *a, *b, *c, *columns;
} blas_state;

static void multiply(int m, int n, int k, const float *a, const float *b, bool b_transposed,
                     float *c) {
  BENCH_CBLAS_SGEMM(ROW_MAJOR, NO_TRANS, b_transposed ? TRANS : NO_TRANS, m, n, k, 1.0F, a, k, b,
                    b_transposed ? k : n, 0.0F, c, n);
}

static void unfold_row(const bench_case *bench, const float *plane, int64_t ky, int64_t kx,
                       int64_t oy, float *row) {
  const int64_t out = bench_output_size(bench);
  const int64_t y = oy * bench->stride + ky - bench->padding;
  for (int64_t ox = 0; ox < out; ++ox) {
    const int64_t x = ox * bench->stride + kx - bench->padding;
    const bool inside = y >= 0 && y < bench->size && x >= 0 && x < bench->size;
    row[ox] = inside ? plane[y * bench->size + x] : 0.0F;
  }
}

static void convolve_group(const blas_state *state, int64_t group) {
  const bench_case *bench = state->bench;
  const int64_t in = bench->channels_in / bench->groups;
  const int64_t filters = bench->channels_out / bench->groups;
  const int64_t out = bench_output_size(bench);
  const int64_t taps = bench->kernel * bench->kernel;
  const float *source = state->a + group * in * bench->size * bench->size;
  if (bench->kernel > 1 || bench->stride > 1) {
#pragma omp parallel for schedule(static)
    for (int64_t row = 0; row < in * taps; ++row) {
      const float *plane = source + row / taps * bench->size * bench->size;
      const int64_t tap = row % taps;
      for (int64_t oy = 0; oy < out; ++oy) {
        unfold_row(bench, plane, tap / bench->kernel, tap % bench->kernel, oy,
                   state->columns + (row * out + oy) * out);
      }
    }
    source = state->columns;
  }
  multiply((int)filters, (int)(out * out), (int)(in * taps), state->b + group * filters * in * taps,
           source, false, state->c + group * filters * out * out);
}

static void run(void *opaque) {
  const blas_state *state = opaque;
  const bench_case *bench = state->bench;
  if (!bench->is_convolution) {
    multiply((int)bench->m, (int)bench->n, (int)bench->k, state->a, state->b, bench->b_transposed,
             state->c);
    return;
  }
  for (int64_t group = 0; group < bench->groups; ++group) convolve_group(state, group);
}

static void release(void *opaque) {
  blas_state *state = opaque;
  free(state->columns);
  free(state);
}

static void *prepare(const bench_case *bench, float *a, float *b, float *c) {
  blas_state *state = calloc(1, sizeof(*state));
  if (!state) return NULL;
  *state = (blas_state){.bench = bench, .a = a, .b = b, .c = c};
  if (bench->is_convolution) {
    const int64_t out = bench_output_size(bench);
    const int64_t rows = bench->channels_in / bench->groups * bench->kernel * bench->kernel;
    state->columns = calloc((size_t)(rows * out * out), sizeof(float));
    if (!state->columns) {
      release(state);
      return NULL;
    }
  }
  return state;
}

const bench_variant *bench_variants(size_t *out_n_variants) {
  static const bench_variant variants[] = {{"sgemm", prepare, run, release}};
  *out_n_variants = 1;
  return variants;
}
