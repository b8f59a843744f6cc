/* sdk/runtime/told.c: see told.h. The list only grows: whoever reads the number sees all entries
 * before it, without a lock. */
#include "sdk/runtime/told.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#include "sdk/runtime/spread.h"

#define MAX_TOLD 256

typedef struct listener {
  void (*set_threads)(int32_t n);
  void (*set_crew)(const buddy_crew *crew);
} listener;

static struct {
  pthread_mutex_t lock; /* of adding */
  atomic_int n;
  listener items[MAX_TOLD];
} told = {.lock = PTHREAD_MUTEX_INITIALIZER};

int bd_told_add(void (*set_threads)(int32_t n), void (*set_crew)(const buddy_crew *crew)) {
  if (set_threads == NULL && set_crew == NULL) return 1;
  pthread_mutex_lock(&told.lock);
  const int n = atomic_load_explicit(&told.n, memory_order_relaxed);
  int i = 0;
  while (i < n && (told.items[i].set_threads != set_threads || told.items[i].set_crew != set_crew))
    i++;
  if (i == n && n < MAX_TOLD) {
    told.items[n] = (listener){set_threads, set_crew};
    atomic_store_explicit(&told.n, n + 1, memory_order_release);
  }
  pthread_mutex_unlock(&told.lock);
  return i < MAX_TOLD;
}

void bd_told_threads(int32_t n_threads) {
  static const buddy_crew crew = {sizeof(crew), 0, buddy_runtime_spread};
  const int n = atomic_load_explicit(&told.n, memory_order_acquire);
  for (int i = 0; i < n; i++) {
    const listener *l = &told.items[i];
    if (l->set_threads != NULL) l->set_threads(n_threads);
    if (l->set_crew != NULL) l->set_crew(&crew);
  }
}
