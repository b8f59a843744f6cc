/* sdk/runtime/told.c: see told.h. The list only grows: whoever reads the number sees all entries
 * before it, without a lock. */
#include "sdk/runtime/told.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define MAX_TOLD 256

static struct {
  pthread_mutex_t lock; /* of adding */
  atomic_int n;
  void (*items[MAX_TOLD])(int32_t n);
} told = {.lock = PTHREAD_MUTEX_INITIALIZER};

int bd_told_add(void (*set_threads)(int32_t n)) {
  if (set_threads == NULL) return 1;
  pthread_mutex_lock(&told.lock);
  const int n = atomic_load_explicit(&told.n, memory_order_relaxed);
  int i = 0;
  while (i < n && told.items[i] != set_threads) i++;
  if (i == n && n < MAX_TOLD) {
    told.items[n] = set_threads;
    atomic_store_explicit(&told.n, n + 1, memory_order_release);
  }
  pthread_mutex_unlock(&told.lock);
  return i < MAX_TOLD;
}

void bd_told_threads(int32_t n_threads) {
  const int n = atomic_load_explicit(&told.n, memory_order_acquire);
  for (int i = 0; i < n; i++) told.items[i](n_threads);
}
