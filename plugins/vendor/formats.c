// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Layouts by number. */
#include <pthread.h>
#include <stdlib.h>

#include "plugins/vendor/plan.h"

enum { MAX_FORMATS = 4096 }; /* a network has some tens of layouts of weights */

static struct {
  pthread_mutex_t lock;
  bd_desc *items; /* number first + i is items[i] */
  int64_t n, first;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER, .first = 1};

/* Under the lock. */
static int64_t find_or_add_format(bd_desc_ref desc) {
  for (int64_t i = 0; i < state.n; ++i) {
    if (dnnl_memory_desc_equal(bd_desc_get(&state.items[i]), desc) != 0) return state.first + i;
  }
  if (state.n == MAX_FORMATS) return 0;
  if (!state.items) state.items = calloc(MAX_FORMATS, sizeof(*state.items));
  if (!state.items || !bd_desc_copy(&state.items[state.n], desc)) return 0;
  return state.first + state.n++;
}

int64_t bd_format_number(bd_desc_ref desc) {
  (void)pthread_mutex_lock(&state.lock);
  const int64_t number = find_or_add_format(desc);
  (void)pthread_mutex_unlock(&state.lock);
  return number;
}

bool bd_format_get(int64_t number, bd_desc *out) {
  (void)pthread_mutex_lock(&state.lock);
  const int64_t i = number - state.first;
  const bool is_there = i >= 0 && i < state.n && bd_desc_copy(out, bd_desc_get(&state.items[i]));
  (void)pthread_mutex_unlock(&state.lock);
  return is_there;
}

void bd_formats_clear(void) {
  (void)pthread_mutex_lock(&state.lock);
  for (int64_t i = 0; i < state.n; ++i) bd_desc_drop(&state.items[i]);
  free(state.items);
  state.items = NULL;
  state.first += state.n;
  state.n = 0;
  (void)pthread_mutex_unlock(&state.lock);
}
