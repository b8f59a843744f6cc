// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/machine_rates.c: measuring what this machine does at most. */
#include "sdk/cli/machine_rates.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

enum { N_CHAINS = 12, N_ROUNDS = 100000, N_TRIES = 4, MAX_THREADS = 256, N_BYTES = 128 << 20 };
enum { CACHED_BYTES = 128 << 10, N_CACHED_ROUNDS = 256 }; /* of each thread */
enum { SHARED_CACHE = 64 << 20 }; /* what is larger is not taken to be in any cache */

/* ---- Arithmetic ------------------------------------------------------------------------------ */
/* Sums that do not wait for each other, in registers. */
#define EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7) x(8) x(9) x(10) x(11)
#define BEGIN(k) vector sum_##k = factor * (float)(k);
#define STEP(k) sum_##k = sum_##k * factor + term;
#define ADD(k) factor += sum_##k;
#define CHAINS(name, width, attribute)                                            \
  attribute static float name(float seed) {                                       \
    typedef float vector __attribute__((vector_size(width)));                     \
    vector factor = (vector){0} + seed * 0.5f, term = (vector){0} + seed * 0.25f; \
    EACH(BEGIN)                                                                   \
    for (int i = 0; i < N_ROUNDS; ++i) {                                          \
      EACH(STEP)                                                                  \
    }                                                                             \
    EACH(ADD)                                                                     \
    return factor[0];                                                             \
  }
CHAINS(chains_of_16, 16, )
#if defined(__x86_64__)
CHAINS(chains_of_32, 32, __attribute__((target("avx2,fma"))))
CHAINS(chains_of_64, 64, __attribute__((target("avx512f,fma"))))
#endif

typedef struct chains {
  float (*run)(float seed);
  int width; /* bytes */
} chains;

static chains widest(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) return (chains){chains_of_64, 64};
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return (chains){chains_of_32, 32};
#endif
  return (chains){chains_of_16, 16};
}

/* ---- Workers --------------------------------------------------------------------------------- */
typedef struct worker {
  pthread_t thread;
  chains chains;
  const uint64_t *words; /* null: arithmetic */
  size_t n;
  int n_rounds;
  volatile double sink;
} worker;

static uint64_t sum(const uint64_t *words, size_t n) {
  uint64_t sums[8] = {0};
  for (size_t i = 0; i + 8 <= n; i += 8) {
    for (size_t k = 0; k < 8; ++k) sums[k] += words[i + k];
  }
  for (size_t k = 1; k < 8; ++k) sums[0] += sums[k];
  return sums[0];
}

static void *work(void *user) {
  worker *w = user;
  if (!w->words) w->sink = w->chains.run(0.75f);
  for (int i = 0; w->words && i < w->n_rounds; ++i) w->sink += (double)sum(w->words, w->n);
  return NULL;
}

/* The least that all together take; 0: there were not as many threads. */
static double least_seconds(worker *workers, int n) {
  double least = 0;
  for (int i = 0; i < N_TRIES; ++i) {
    int n_started = 1;
    const double begin = bd_seconds();
    for (; n_started < n; ++n_started) {
      if (pthread_create(&workers[n_started].thread, NULL, work, &workers[n_started]) != 0) break;
    }
    work(&workers[0]);
    for (int k = 1; k < n_started; ++k) pthread_join(workers[k].thread, NULL);
    const double seconds = bd_seconds() - begin;
    if (n_started < n) return 0;
    if (i == 0 || seconds < least) least = seconds;
  }
  return least;
}

/* Bytes in a second; n_words: of each thread, who reads its own. */
static double rate(worker *workers, int n, const uint64_t *words, size_t n_words, int n_rounds) {
  for (int i = 0; i < n; ++i) {
    workers[i].words = words + (size_t)i * n_words;
    workers[i].n = n_words;
    workers[i].n_rounds = n_rounds;
  }
  const double seconds = least_seconds(workers, n);
  return seconds > 0 ? (double)n * (double)n_words * sizeof(*words) * n_rounds / seconds : 0;
}

bd_machine_rates bd_machine_rates_measure(int n_threads) {
  worker workers[MAX_THREADS];
  const int n = n_threads < 1 ? 1 : n_threads > MAX_THREADS ? MAX_THREADS : n_threads;
  const size_t n_words = N_BYTES / sizeof(uint64_t) / (size_t)n;
  const chains wide = widest();
  bd_machine_rates machine = {0};
  for (int i = 0; i < n; ++i) workers[i] = (worker){.chains = wide};
  const double seconds = least_seconds(workers, n);
  const int n_lanes = wide.width / (int)sizeof(float);
  if (seconds > 0) machine.flops = (double)(2LL * n * N_CHAINS * N_ROUNDS * n_lanes) / seconds;
  uint64_t *words = bd_malloc(N_BYTES);
  if (!words) return machine;
  memset(words, 1, N_BYTES); /* or all of it is one page of zeros */
  machine.bytes = rate(workers, n, words, n_words, 1);
  machine.cached_bytes =
      rate(workers, n, words,
           CACHED_BYTES / sizeof(*words) < n_words ? CACHED_BYTES / sizeof(*words) : n_words,
           N_CACHED_ROUNDS);
  free(words);
  return machine;
}

double bd_machine_rates_seconds(const bd_machine_rates *machine, double flops, double bytes) {
  const double rate = bytes > (double)SHARED_CACHE ? machine->bytes : machine->cached_bytes;
  return fmax(machine->flops > 0 ? flops / machine->flops : 0, rate > 0 ? bytes / rate : 0);
}
