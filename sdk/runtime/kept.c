/* sdk/runtime/kept.c: see kept.h. Slots lie in pages that appear when they are first needed and
 * never move, so that a slot that is filled is found without the lock. */
#include "sdk/runtime/kept.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 256
#define HUGE_PAGE (2u << 20)

typedef struct block {
  _Alignas(BD_KEPT_HEAD) _Atomic int64_t is_filled;
} block;
_Static_assert(sizeof(block) == BD_KEPT_HEAD, "the bytes behind the head must stay aligned");

typedef struct page {
  _Atomic(block *) slots[PAGE];
} page;

struct bd_kept {
  pthread_mutex_t lock;
  _Atomic(page *) pages[BD_KEPT_MAX_SLOTS / PAGE];
};

bd_kept *bd_kept_create(void) {
  bd_kept *kept = calloc(1, sizeof(bd_kept));
  if (kept == NULL || pthread_mutex_init(&kept->lock, NULL) == 0) return kept;
  free(kept);
  return NULL;
}

void bd_kept_destroy(bd_kept *kept) {
  if (kept == NULL) return;
  for (size_t i = 0; i < BD_KEPT_MAX_SLOTS / PAGE; i++) {
    page *p = atomic_load(&kept->pages[i]);
    for (size_t k = 0; p != NULL && k < PAGE; k++) free(atomic_load(&p->slots[k]));
    free(p);
  }
  pthread_mutex_destroy(&kept->lock);
  free(kept);
}

static block *find(bd_kept *kept, size_t slot) {
  page *p = atomic_load_explicit(&kept->pages[slot / PAGE], memory_order_acquire);
  return p == NULL ? NULL : atomic_load_explicit(&p->slots[slot % PAGE], memory_order_acquire);
}

/* Large ones begin on a page of their own, for the system to back them with large pages. */
static block *allocate(size_t n_bytes) {
  const size_t size = (n_bytes + BD_KEPT_HEAD + 63) & ~(size_t)63;
  block *b =
      aligned_alloc(size >= HUGE_PAGE ? HUGE_PAGE : 64,
                    size >= HUGE_PAGE ? (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1) : size);
  if (b == NULL) return NULL;
  if (size >= HUGE_PAGE) (void)madvise(b, size, MADV_HUGEPAGE);
  atomic_init(&b->is_filled, 0);
  return b;
}

static block *add(bd_kept *kept, size_t slot, size_t n_bytes) {
  page *p = atomic_load(&kept->pages[slot / PAGE]);
  if (p == NULL) {
    p = calloc(1, sizeof(page));
    if (p == NULL) return NULL;
    atomic_store_explicit(&kept->pages[slot / PAGE], p, memory_order_release);
  }
  block *b = allocate(n_bytes);
  if (b != NULL) atomic_store_explicit(&p->slots[slot % PAGE], b, memory_order_release);
  return b;
}

void *bd_kept_get(bd_kept *kept, int64_t slot, int64_t n_bytes) {
  if (slot < 0 || slot >= BD_KEPT_MAX_SLOTS || n_bytes < 0) return NULL;
  block *b = find(kept, (size_t)slot);
  if (b != NULL && atomic_load_explicit(&b->is_filled, memory_order_acquire)) return b;
  pthread_mutex_lock(&kept->lock);
  b = find(kept, (size_t)slot);
  if (b == NULL) b = add(kept, (size_t)slot, (size_t)n_bytes);
  if (b == NULL || atomic_load(&b->is_filled)) pthread_mutex_unlock(&kept->lock);
  return b;
}

void bd_kept_fill(bd_kept *kept, int64_t slot) {
  atomic_store_explicit(&find(kept, (size_t)slot)->is_filled, 1, memory_order_release);
  pthread_mutex_unlock(&kept->lock);
}
