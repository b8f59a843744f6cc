// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/callbacks.c: the list of callbacks. It only grows: whoever reads the number sees all entries before
 * it, without a lock. */
#include "sdk/runtime/callbacks.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#define MAX_CALLBACKS 256

static struct {
  pthread_mutex_t lock; /* of adding */
  atomic_int n;
  bd_callbacks items[MAX_CALLBACKS];
} callbacks = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool are_same(const bd_callbacks *a, const bd_callbacks *b) {
  return a->set_threads == b->set_threads && a->set_crew == b->set_crew &&
         a->set_run == b->set_run && a->run == b->run && a->crew == b->crew;
}

int bd_callbacks_add(const bd_callbacks *c) {
  if (!c->set_threads && !c->set_crew && !c->set_run) return 1;
  pthread_mutex_lock(&callbacks.lock);
  const int n = atomic_load_explicit(&callbacks.n, memory_order_relaxed);
  int i = 0;
  while (i < n && !are_same(&callbacks.items[i], c)) ++i;
  if (i == n && n < MAX_CALLBACKS) {
    callbacks.items[n] = *c;
    atomic_store_explicit(&callbacks.n, n + 1, memory_order_release);
  }
  pthread_mutex_unlock(&callbacks.lock);
  return i < MAX_CALLBACKS;
}

void bd_callbacks_set_threads(int32_t n_threads) {
  const int n = atomic_load_explicit(&callbacks.n, memory_order_acquire);
  for (int i = 0; i < n; ++i) {
    const bd_callbacks *c = &callbacks.items[i];
    if (c->set_threads) c->set_threads(n_threads);
    if (c->set_crew) c->set_crew(c->crew);
    if (c->set_run) c->set_run(c->run);
  }
}
