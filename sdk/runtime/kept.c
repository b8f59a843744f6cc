// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/kept.c: see kept.h. Slots lie in pages that appear when they are first needed and
 * never move, so that a slot that is filled is found without the lock.
 *
 * What they hold lies in chunks that go away together, each twice as large as the one before: a
 * model has a hundred slots of some kilobytes, and the system gives memory by large pages. */
#include "sdk/runtime/kept.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "core/base/memory.h"
#include "sdk/runtime/pages.h"

#define PAGE 256
#define FIRST_CHUNK ((size_t)64 << 10) /* bytes */
#define LAST_CHUNK ((size_t)16 << 20)

typedef struct block block;
struct block {
  _Alignas(BD_KEPT_HEAD) _Atomic int64_t is_filled;
  size_t n_bytes; /* after the head */
  block *next;    /* in a list of blocks that are no part of a chunk */
};
_Static_assert(sizeof(block) == BD_KEPT_HEAD, "the bytes after the head must stay aligned");

typedef struct page {
  _Atomic(block *) slots[PAGE];
  atomic_flag known[PAGE];
} page;

typedef struct chunk {
  _Alignas(BD_KEPT_HEAD) struct chunk *next;
  size_t size, used; /* with this head */
} chunk;
_Static_assert(sizeof(chunk) == BD_KEPT_HEAD, "the bytes after the head must stay aligned");

struct bd_kept {
  pthread_mutex_t lock; /* of what is added; chunks are only seen under it */
  chunk *chunks;        /* the newest first */
  bd_common *common;    /* null: nothing is common */
  block *large;         /* that were not filled, or not taken over by what is common */
  _Atomic(page *) pages[BD_KEPT_MAX_SLOTS / PAGE];
};

bd_kept *bd_kept_create(void) {
  bd_kept *kept = bd_calloc(1, sizeof(bd_kept));
  if (!kept || pthread_mutex_init(&kept->lock, NULL) == 0) return kept;
  free(kept);
  return NULL;
}

void bd_kept_destroy(bd_kept *kept) {
  if (!kept) return;
  for (size_t i = 0; i < BD_KEPT_MAX_SLOTS / PAGE; ++i) {
    page *p = atomic_load(&kept->pages[i]);
    free(p);
  }
  while (kept->large) {
    block *b = kept->large;
    kept->large = b->next;
    free(b);
  }
  bd_common_release(kept->common);
  while (kept->chunks) {
    chunk *c = kept->chunks;
    kept->chunks = c->next;
    free(c);
  }
  pthread_mutex_destroy(&kept->lock);
  free(kept);
}

void bd_kept_join(bd_kept *kept, bd_common *common) {
  if (!kept->common) kept->common = bd_common_retain(common);
}

bd_common *bd_kept_joined(const bd_kept *kept) { return kept->common; }

static page *page_of(bd_kept *kept, size_t slot) {
  return atomic_load_explicit(&kept->pages[slot / PAGE], memory_order_acquire);
}

static block *find(bd_kept *kept, size_t slot) {
  page *p = page_of(kept, slot);
  return !p ? NULL : atomic_load_explicit(&p->slots[slot % PAGE], memory_order_acquire);
}

/* Makes the newest chunk one that has room for so many bytes. */
static int make_room(bd_kept *kept, size_t n_bytes) {
  const chunk *newest = kept->chunks;
  if (newest && n_bytes <= newest->size - newest->used) return 1;
  size_t size = !newest ? FIRST_CHUNK : 2 * newest->size;
  if (size > LAST_CHUNK) size = LAST_CHUNK;
  if (size - sizeof(chunk) < n_bytes) size = n_bytes + sizeof(chunk);
  chunk *c = bd_pages_allocate(size);
  if (!c) return 0;
  *c = (chunk){kept->chunks, size, sizeof(chunk)};
  kept->chunks = c;
  return 1;
}

/* One that may become common has its own memory. */
static block *allocate_large(bd_kept *kept, size_t size, size_t n_bytes) {
  block *b = bd_pages_allocate(size);
  if (!b) return NULL;
  *b = (block){.n_bytes = n_bytes, .next = kept->large};
  kept->large = b;
  return b;
}

static block *allocate(bd_kept *kept, size_t n_bytes) {
  if (n_bytes > PTRDIFF_MAX / 2) return NULL;
  const size_t size = (n_bytes + BD_KEPT_HEAD + 63) & ~(size_t)63;
  if (kept->common && n_bytes >= BD_COMMON_LEAST) return allocate_large(kept, size, n_bytes);
  if (!make_room(kept, size)) return NULL;
  block *b = (block *)((char *)kept->chunks + kept->chunks->used);
  kept->chunks->used += size;
  atomic_init(&b->is_filled, 0);
  b->n_bytes = n_bytes;
  return b;
}

/* Under the lock. */
static page *make_page(bd_kept *kept, size_t slot) {
  page *p = page_of(kept, slot);
  if (p) return p;
  p = bd_calloc(1, sizeof(page)); /* a flag of zeros is clear */
  atomic_store_explicit(&kept->pages[slot / PAGE], p, memory_order_release);
  return p;
}

static block *add(bd_kept *kept, size_t slot, size_t n_bytes) {
  page *p = make_page(kept, slot);
  if (!p) return NULL;
  block *b = allocate(kept, n_bytes);
  if (b) atomic_store_explicit(&p->slots[slot % PAGE], b, memory_order_release);
  return b;
}

uint64_t bd_kept_bytes(bd_kept *kept) {
  uint64_t sum = 0;
  pthread_mutex_lock(&kept->lock);
  for (size_t slot = 0; slot < BD_KEPT_MAX_SLOTS; ++slot) {
    const block *b = find(kept, slot);
    if (b && atomic_load(&b->is_filled)) sum += b->n_bytes;
  }
  pthread_mutex_unlock(&kept->lock);
  return sum;
}

static bool is_slot(int64_t slot) { return slot >= 0 && slot < BD_KEPT_MAX_SLOTS; }

int bd_kept_is_known(bd_kept *kept, int64_t slot) {
  if (!is_slot(slot)) return 1;
  page *p = page_of(kept, (size_t)slot);
  if (!p) {
    pthread_mutex_lock(&kept->lock);
    p = make_page(kept, (size_t)slot);
    pthread_mutex_unlock(&kept->lock);
  }
  return !p || atomic_flag_test_and_set(&p->known[slot % PAGE]);
}

void *bd_kept_get(bd_kept *kept, int64_t slot, int64_t n_bytes) {
  if (!is_slot(slot) || n_bytes < 0) return NULL;
  block *b = find(kept, (size_t)slot);
  if (b && atomic_load_explicit(&b->is_filled, memory_order_acquire)) return b;
  pthread_mutex_lock(&kept->lock);
  b = find(kept, (size_t)slot);
  /* One that was given up may be too small for who asks next. */
  if (!b || (!atomic_load(&b->is_filled) && b->n_bytes < (size_t)n_bytes))
    b = add(kept, (size_t)slot, (size_t)n_bytes);
  if (!b || atomic_load(&b->is_filled)) pthread_mutex_unlock(&kept->lock);
  return b;
}

int bd_kept_is_filled(const void *bytes) {
  const block *b = bytes;
  return atomic_load_explicit(&b->is_filled, memory_order_acquire) != 0;
}

void bd_kept_abandon(bd_kept *kept) { pthread_mutex_unlock(&kept->lock); }

/* Under the lock: the block that the slot has from now on: its own, which may have become common, or
 * an equal one that is. */
static block *settle(bd_kept *kept, block *own) {
  block **link = &kept->large;
  while (*link && *link != own) link = &(*link)->next;
  if (!*link) return own; /* of a chunk */
  block *found = bd_common_find(kept->common, own, BD_KEPT_HEAD, own->n_bytes);
  if (!found) return own;
  *link = own->next;
  return found;
}

/* A block that gives its place to another is never seen as filled: nobody but this thread reads it. */
void *bd_kept_fill(bd_kept *kept, int64_t slot) {
  block *own = find(kept, (size_t)slot);
  block *stays = kept->common ? settle(kept, own) : own;
  atomic_store_explicit(&stays->is_filled, 1, memory_order_release);
  page *p = page_of(kept, (size_t)slot);
  atomic_store_explicit(&p->slots[slot % PAGE], stays, memory_order_release);
  pthread_mutex_unlock(&kept->lock);
  return stays == own ? NULL : own;
}
