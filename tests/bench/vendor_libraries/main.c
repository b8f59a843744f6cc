// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Times the variants of several libraries in turns and prints medians and ratios.
 *
 * Usage: vendor_libraries ROUNDS NAME=WRAPPER.so [NAME=WRAPPER.so ...]
 * The machine's speed wanders, so each round runs every contender once; a ratio is the median over
 * the rounds of the two times of the same round. The first variant of the first wrapper that takes
 * the case is the measure (ratio 1). $ONLY: part of the names of the cases that are wanted. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contender.h"

enum { MAX_CONTENDERS = 24, MAX_ROUNDS = 101 };

typedef struct contender {
  const char *library;
  size_t name_length;
  const bench_variant *variant;
  void *state;
  int repeats;
  double seconds[MAX_ROUNDS];
} contender;

static const bench_case cases[] = {
    {.name = "1024x1024x1024", .m = 1024, .n = 1024, .k = 1024},
    {.name = "2048x2048x2048", .m = 2048, .n = 2048, .k = 2048},
    {.name = "512x3072x768", .m = 512, .n = 3072, .k = 768},
    {.name = "512x3072x768 B^T", .m = 512, .n = 3072, .k = 768, .b_transposed = true},
    {.name = "128x768x768", .m = 128, .n = 768, .k = 768},
    {.name = "128x768x768 B^T", .m = 128, .n = 768, .k = 768, .b_transposed = true},
    {.name = "128x3072x768", .m = 128, .n = 3072, .k = 768},
    {.name = "128x3072x768 B^T", .m = 128, .n = 3072, .k = 768, .b_transposed = true},
    {.name = "128x768x3072 B^T", .m = 128, .n = 768, .k = 3072, .b_transposed = true},
    {.name = "64x1024x4096 B^T", .m = 64, .n = 1024, .k = 4096, .b_transposed = true},
    {.name = "1x3072x768", .m = 1, .n = 3072, .k = 768},
    {.name = "1x3072x768 B^T", .m = 1, .n = 3072, .k = 768, .b_transposed = true},
#define CONV(text, in, out, extent, window, step, pad, parts) \
  {.name = text,                                              \
   .is_convolution = true,                                    \
   .channels_in = in,                                         \
   .channels_out = out,                                       \
   .size = extent,                                            \
   .kernel = window,                                          \
   .stride = step,                                            \
   .padding = pad,                                            \
   .groups = parts}
    CONV("conv 3>64 7x7/2 @224", 3, 64, 224, 7, 2, 3, 1),
    CONV("conv 64>64 3x3 @56", 64, 64, 56, 3, 1, 1, 1),
    CONV("conv 256>256 3x3 @14", 256, 256, 14, 3, 1, 1, 1),
    CONV("conv 96 depthwise @56", 96, 96, 56, 3, 1, 1, 96),
    CONV("conv 384 depthwise @14", 384, 384, 14, 3, 1, 1, 384),
    CONV("conv 128>512 1x1 @28", 128, 512, 28, 1, 1, 0, 1),
    CONV("conv 1024>256 1x1 @14", 1024, 256, 14, 1, 1, 0, 1),
};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double time_once(const contender *one) {
  const double start = now();
  for (int i = 0; i < one->repeats; ++i) one->variant->run(one->state);
  return (now() - start) / one->repeats;
}

static int compare_doubles(const void *left, const void *right) {
  const double a = *(const double *)left;
  const double b = *(const double *)right;
  return (a > b) - (a < b);
}

static double median(const double *values, int n) {
  double sorted[MAX_ROUNDS];
  memcpy(sorted, values, (size_t)n * sizeof(double));
  qsort(sorted, (size_t)n, sizeof(double), compare_doubles);
  return sorted[n / 2];
}

static double work_of(const bench_case *bench) {
  if (!bench->is_convolution) return 2.0 * (double)bench->m * (double)bench->n * (double)bench->k;
  const double out = (double)bench_output_size(bench);
  return 2.0 * out * out * (double)bench->channels_out * (double)(bench->kernel * bench->kernel) *
         (double)(bench->channels_in / bench->groups);
}

static float *random_floats(int64_t n) {
  float *values = aligned_alloc(64, ((size_t)n * sizeof(float) + 63) / 64 * 64);
  if (!values) exit(2);
  for (int64_t i = 0; i < n; ++i) values[i] = (float)(rand() % 2001 - 1000) * 1e-3F;
  return values;
}

/* Makes each contender ready and finds how often it must run for a time that the clock can tell.
 * The first result checks the others: a library that is fast and wrong is no candidate. */
static void warm_up(const bench_case *bench, contender *all, int n, float *const data[3],
                    int64_t n_results) {
  float *expected = NULL;
  for (int i = 0; i < n; ++i) {
    contender *one = &all[i];
    memset(data[2], 0, (size_t)n_results * sizeof(float));
    one->state = one->variant->prepare(bench, data[0], data[1], data[2]);
    if (!one->state) continue;
    one->variant->run(one->state);
    one->repeats = 1;
    const double seconds = time_once(one);
    if (seconds < 4e-3) one->repeats = (int)(4e-3 / seconds) + 1;
    if (!expected) {
      expected = random_floats(n_results);
      memcpy(expected, data[2], (size_t)n_results * sizeof(float));
    }
    for (int64_t j = 0; j < n_results; ++j) {
      if (fabsf(expected[j] - data[2][j]) <= 1e-2F) continue;
      printf("  %.*s %s differs from the first in what it computes\n", (int)one->name_length,
             one->library, one->variant->name);
      break;
    }
  }
  free(expected);
}

static void measure(const bench_case *bench, contender *all, int n, int rounds) {
  const int64_t out = bench_output_size(bench);
  const bool conv = bench->is_convolution;
  const int64_t n_a = conv ? bench->channels_in * bench->size * bench->size : bench->m * bench->k;
  const int64_t n_b = conv ? bench->channels_out * (bench->channels_in / bench->groups) *
                                 bench->kernel * bench->kernel
                           : bench->k * bench->n;
  const int64_t n_c = conv ? bench->channels_out * out * out : bench->m * bench->n;
  float *const data[3] = {random_floats(n_a), random_floats(n_b), random_floats(n_c)};
  warm_up(bench, all, n, data, n_c);
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < n; ++i) {
      if (all[i].state) all[i].seconds[round] = time_once(&all[i]);
    }
  }
  const contender *base = NULL;
  printf("%s\n", bench->name);
  for (int i = 0; i < n; ++i) {
    if (!all[i].state) continue;
    if (!base) base = &all[i];
    double ratios[MAX_ROUNDS];
    for (int r = 0; r < rounds; ++r) ratios[r] = base->seconds[r] / all[i].seconds[r];
    const double seconds = median(all[i].seconds, rounds);
    printf("  %-17.*s %-8s %9.3f ms %8.1f GFLOP/s  x%.2f\n", (int)all[i].name_length,
           all[i].library, all[i].variant->name, seconds * 1e3, work_of(bench) / seconds * 1e-9,
           median(ratios, rounds));
  }
  for (int i = 0; i < n; ++i) {
    if (all[i].state) all[i].variant->release(all[i].state);
  }
  for (int i = 0; i < 3; ++i) free(data[i]);
  fflush(stdout);
}

int main(int argc, char **argv) {
  static contender all[MAX_CONTENDERS];
  int n = 0;
  const int rounds = argc > 1 ? atoi(argv[1]) : 0;
  if (argc < 3 || rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "usage: %s ROUNDS NAME=WRAPPER.so ...\n", argv[0]);
    return 2;
  }
  for (int i = 2; i < argc; ++i) {
    const char *equals = strchr(argv[i], '=');
    if (!equals) return 2;
    void *library = dlopen(equals + 1, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      printf("%s\n", dlerror());
      continue;
    }
    const bench_variant *(*list)(size_t *) = NULL;
    *(void **)&list = dlsym(library, "bench_variants");
    size_t n_variants = 0;
    const bench_variant *variants = list ? list(&n_variants) : NULL;
    for (size_t v = 0; v < n_variants && n < MAX_CONTENDERS; ++v) {
      all[n++] = (contender){argv[i], (size_t)(equals - argv[i]), &variants[v], NULL, 0, {0}};
    }
  }
  const char *only = getenv("ONLY");
  for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i) {
    if (only && !strstr(cases[i].name, only)) continue;
    measure(&cases[i], all, n, rounds);
  }
  return 0;
}
