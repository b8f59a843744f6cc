// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/told.c: see told.h. The list only grows: whoever reads the number sees all entries
 * before it, without a lock. */
#include "sdk/runtime/told.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "sdk/runtime/spread.h"

#define MAX_TOLD 256

static struct {
  pthread_mutex_t lock; /* of adding */
  atomic_int n;
  bd_listener items[MAX_TOLD];
} told = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool are_same(const bd_listener *a, const bd_listener *b) {
  return a->set_threads == b->set_threads && a->set_crew == b->set_crew &&
         a->set_run == b->set_run && a->run == b->run;
}

int bd_told_add(const bd_listener *l) {
  if (!l->set_threads && !l->set_crew && !l->set_run) return 1;
  pthread_mutex_lock(&told.lock);
  const int n = atomic_load_explicit(&told.n, memory_order_relaxed);
  int i = 0;
  while (i < n && !are_same(&told.items[i], l)) ++i;
  if (i == n && n < MAX_TOLD) {
    told.items[n] = *l;
    atomic_store_explicit(&told.n, n + 1, memory_order_release);
  }
  pthread_mutex_unlock(&told.lock);
  return i < MAX_TOLD;
}

void bd_told_threads(int32_t n_threads) {
  static const buddy_crew crew = {sizeof(crew), 0, buddy_runtime_spread};
  const int n = atomic_load_explicit(&told.n, memory_order_acquire);
  for (int i = 0; i < n; ++i) {
    const bd_listener *l = &told.items[i];
    if (l->set_threads) l->set_threads(n_threads);
    if (l->set_crew) l->set_crew(&crew);
    if (l->set_run) l->set_run(l->run);
  }
}
