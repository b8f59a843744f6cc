// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/sdk/runtime/racing.c: threads that share a model compiled ahead of time, for ThreadSanitizer.
 *
 * Compiled by tests/ahead/run_racing.py with the runtime, which is instrumented; the model's own code is not. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "busy.h"

enum { THREADS = 6, RUNS = 30, ROUNDS = 3, WIDTH = 256, ROWS = 64 };

static float x[ROWS * WIDTH];

typedef struct results {
  float sums[ROWS * WIDTH], images[62 * 254], columns[WIDTH], sorted[ROWS * WIDTH];
} results;

typedef struct job {
  busy *model;
  results *got;
} job;

static void fail(const char *why) {
  fprintf(stderr, "%s\n", why);
  exit(1);
}

static void run(busy *model, results *r) {
  char why[256];
  if (busy_run(model, x, r->sums, r->images, r->columns, r->sorted, why, sizeof(why)) != 0)
    fail(why);
}

static void *work(void *user) {
  job *j = user;
  for (int i = 0; i < RUNS; ++i) {
    if (i % 7 == 3) busy_set_threads(j->model, 1 + i % 4);
    run(j->model, j->got);
  }
  return NULL;
}

/* The pool of the first model lives on while the second's threads run, and goes with their caches. */
int main(int argc, char **argv) {
  static results first, of_thread[THREADS];
  char why[256];
  for (int i = 0; i < ROWS * WIDTH; ++i) x[i] = (float)(i % 97) / 97.0F;
  for (int round = 0; round < ROUNDS; ++round) {
    busy *other = busy_load(argc > 1 ? argv[1] : NULL, why, sizeof(why));
    busy *model = busy_load(argc > 1 ? argv[1] : NULL, why, sizeof(why));
    if (!model || !other) fail(why);
    busy_set_threads(model, 3);
    busy_set_threads(other, 2);
    run(other, &first);
    pthread_t threads[THREADS];
    job jobs[THREADS];
    for (int i = 0; i < THREADS; ++i) {
      jobs[i] = (job){model, &of_thread[i]};
      pthread_create(&threads[i], NULL, work, &jobs[i]);
    }
    run(other, &first);
    busy_destroy(other);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; ++i) {
      if (memcmp(&of_thread[i], &first, sizeof(first)) != 0) fail("two threads got different bits");
    }
    busy_destroy(model);
  }
  return 0;
}
