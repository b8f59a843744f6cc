// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/prepacked.c: slots of prepacked weights. They lie in pages that appear when they are first needed
 * and never move, so that a slot that is filled is found without the lock.
 *
 * What they hold lies in chunks that go away together, each twice as large as the one before: a
 * model has a hundred slots of some kilobytes, and the system gives memory by large pages. */
#include "sdk/runtime/prepacked.h"

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
  _Alignas(BD_PREPACKED_HEAD) _Atomic int64_t is_filled;
  size_t n_bytes; /* after the head */
  block *next;    /* in a list of blocks that are no part of a chunk */
};
_Static_assert(sizeof(block) == BD_PREPACKED_HEAD, "the bytes after the head must stay aligned");

typedef struct page {
  _Atomic(block *) slots[PAGE];
  atomic_flag known[PAGE];
} page;

typedef struct chunk {
  _Alignas(BD_PREPACKED_HEAD) struct chunk *next;
  size_t size, used; /* with this head */
} chunk;
_Static_assert(sizeof(chunk) == BD_PREPACKED_HEAD, "the bytes after the head must stay aligned");

struct bd_prepacked {
  pthread_mutex_t lock; /* of what is added; chunks are only seen under it */
  chunk *chunks;        /* the newest first */
  bd_common *common;    /* null: nothing is common */
  block *large;         /* that were not filled, or not taken over by what is common */
  _Atomic(page *) pages[BD_PREPACKED_MAX_SLOTS / PAGE];
};

bd_prepacked *bd_prepacked_create(void) {
  bd_prepacked *prepacked = bd_calloc(1, sizeof(bd_prepacked));
  if (!prepacked || pthread_mutex_init(&prepacked->lock, NULL) == 0) return prepacked;
  free(prepacked);
  return NULL;
}

void bd_prepacked_destroy(bd_prepacked *prepacked) {
  if (!prepacked) return;
  for (size_t i = 0; i < BD_PREPACKED_MAX_SLOTS / PAGE; ++i) {
    page *p = atomic_load(&prepacked->pages[i]);
    free(p);
  }
  while (prepacked->large) {
    block *b = prepacked->large;
    prepacked->large = b->next;
    bd_pages_free(b);
  }
  bd_common_release(prepacked->common);
  while (prepacked->chunks) {
    chunk *c = prepacked->chunks;
    prepacked->chunks = c->next;
    bd_pages_free(c);
  }
  pthread_mutex_destroy(&prepacked->lock);
  free(prepacked);
}

void bd_prepacked_join(bd_prepacked *prepacked, bd_common *common) {
  if (!prepacked->common) prepacked->common = bd_common_retain(common);
}

bd_common *bd_prepacked_joined(const bd_prepacked *prepacked) { return prepacked->common; }

static page *page_of(bd_prepacked *prepacked, size_t slot) {
  return atomic_load_explicit(&prepacked->pages[slot / PAGE], memory_order_acquire);
}

static block *find(bd_prepacked *prepacked, size_t slot) {
  page *p = page_of(prepacked, slot);
  return !p ? NULL : atomic_load_explicit(&p->slots[slot % PAGE], memory_order_acquire);
}

/* Makes the newest chunk one that has room for so many bytes. */
static int make_room(bd_prepacked *prepacked, size_t n_bytes) {
  const chunk *newest = prepacked->chunks;
  if (newest && n_bytes <= newest->size - newest->used) return 1;
  size_t size = !newest ? FIRST_CHUNK : 2 * newest->size;
  if (size > LAST_CHUNK) size = LAST_CHUNK;
  if (size - sizeof(chunk) < n_bytes) size = n_bytes + sizeof(chunk);
  chunk *c = bd_pages_allocate(size);
  if (!c) return 0;
  *c = (chunk){prepacked->chunks, size, sizeof(chunk)};
  prepacked->chunks = c;
  return 1;
}

/* One that may become common has its own memory. */
static block *allocate_large(bd_prepacked *prepacked, size_t size, size_t n_bytes) {
  block *b = bd_pages_allocate(size);
  if (!b) return NULL;
  *b = (block){.n_bytes = n_bytes, .next = prepacked->large};
  prepacked->large = b;
  return b;
}

static block *allocate(bd_prepacked *prepacked, size_t n_bytes) {
  if (n_bytes > PTRDIFF_MAX / 2) return NULL;
  const size_t size = (n_bytes + BD_PREPACKED_HEAD + 63) & ~(size_t)63;
  if (prepacked->common && n_bytes >= BD_COMMON_LEAST)
    return allocate_large(prepacked, size, n_bytes);
  if (!make_room(prepacked, size)) return NULL;
  block *b = (block *)((char *)prepacked->chunks + prepacked->chunks->used);
  prepacked->chunks->used += size;
  atomic_init(&b->is_filled, 0);
  b->n_bytes = n_bytes;
  return b;
}

/* Under the lock. */
static page *make_page(bd_prepacked *prepacked, size_t slot) {
  page *p = page_of(prepacked, slot);
  if (p) return p;
  p = bd_calloc(1, sizeof(page)); /* a flag of zeros is clear */
  atomic_store_explicit(&prepacked->pages[slot / PAGE], p, memory_order_release);
  return p;
}

static block *add(bd_prepacked *prepacked, size_t slot, size_t n_bytes) {
  page *p = make_page(prepacked, slot);
  if (!p) return NULL;
  block *b = allocate(prepacked, n_bytes);
  if (b) atomic_store_explicit(&p->slots[slot % PAGE], b, memory_order_release);
  return b;
}

uint64_t bd_prepacked_bytes(bd_prepacked *prepacked) {
  uint64_t sum = 0;
  pthread_mutex_lock(&prepacked->lock);
  for (size_t slot = 0; slot < BD_PREPACKED_MAX_SLOTS; ++slot) {
    const block *b = find(prepacked, slot);
    if (b && atomic_load(&b->is_filled)) sum += b->n_bytes;
  }
  pthread_mutex_unlock(&prepacked->lock);
  return sum;
}

static bool is_slot(int64_t slot) { return slot >= 0 && slot < BD_PREPACKED_MAX_SLOTS; }

int bd_prepacked_is_known(bd_prepacked *prepacked, int64_t slot) {
  if (!is_slot(slot)) return 1;
  page *p = page_of(prepacked, (size_t)slot);
  if (!p) {
    pthread_mutex_lock(&prepacked->lock);
    p = make_page(prepacked, (size_t)slot);
    pthread_mutex_unlock(&prepacked->lock);
  }
  return !p || atomic_flag_test_and_set(&p->known[slot % PAGE]);
}

void *bd_prepacked_get(bd_prepacked *prepacked, int64_t slot, int64_t n_bytes) {
  if (!is_slot(slot) || n_bytes < 0) return NULL;
  block *b = find(prepacked, (size_t)slot);
  if (b && atomic_load_explicit(&b->is_filled, memory_order_acquire)) return b;
  pthread_mutex_lock(&prepacked->lock);
  b = find(prepacked, (size_t)slot);
  /* One that was given up may be too small for who asks next. */
  if (!b || (!atomic_load(&b->is_filled) && b->n_bytes < (size_t)n_bytes))
    b = add(prepacked, (size_t)slot, (size_t)n_bytes);
  if (!b || atomic_load(&b->is_filled)) pthread_mutex_unlock(&prepacked->lock);
  return b;
}

int bd_prepacked_is_filled(const void *bytes) {
  const block *b = bytes;
  return atomic_load_explicit(&b->is_filled, memory_order_acquire) != 0;
}

void bd_prepacked_abandon(bd_prepacked *prepacked) { pthread_mutex_unlock(&prepacked->lock); }

/* Under the lock: the block that the slot has from now on: its own, which may have become common, or
 * an equal one that is. */
static block *settle(bd_prepacked *prepacked, block *own) {
  block **link = &prepacked->large;
  while (*link && *link != own) link = &(*link)->next;
  if (!*link) return own; /* of a chunk */
  block *found = bd_common_find(prepacked->common, own, BD_PREPACKED_HEAD, own->n_bytes);
  if (!found) return own;
  *link = own->next;
  return found;
}

/* A block that gives its place to another is never seen as filled: nobody but this thread reads it. */
void *bd_prepacked_fill(bd_prepacked *prepacked, int64_t slot) {
  block *own = find(prepacked, (size_t)slot);
  block *stays = prepacked->common ? settle(prepacked, own) : own;
  atomic_store_explicit(&stays->is_filled, 1, memory_order_release);
  page *p = page_of(prepacked, (size_t)slot);
  atomic_store_explicit(&p->slots[slot % PAGE], stays, memory_order_release);
  pthread_mutex_unlock(&prepacked->lock);
  return stays == own ? NULL : own;
}
