// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/runtime.c: the functions that compiled code calls, and a run's memory.
 *
 * A block is one header of 64 bytes and the caller's bytes behind it; the blocks that a run holds
 * form a list. Blocks come in size classes, eight to each power of two, and a cache has one list of
 * free blocks for each class. A pool has as many caches as there ever were runs at once. What a run
 * has not used of its cache is freed when it ends, so that the pool never holds more than the last
 * runs needed.
 *
 * Threads that help a run have caches after the run's own, by their place. Which of them does what
 * is chance, so what they do not use stays for some runs more. */
#include "sdk/runtime/runtime.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/registry.h"
#include "core/base/clock.h"
#include "core/base/memory.h"
#include "sdk/runtime/prepacked.h"
#include "sdk/runtime/thread_pool.h"
#include "sdk/runtime/profile.h"
#include "sdk/runtime/pages.h"
#include "sdk/runtime/threads.h"
#include "sdk/runtime/callbacks.h"

#define CLASSES_PER_DOUBLING 8
#define N_CLASSES ((size_t)64 * CLASSES_PER_DOUBLING)
#define PATIENCE 16 /* runs in which a helper's memory need not be used */

struct bd_block {
  _Alignas(64) bd_block *next;
  bd_block **link; /* what points at this block, while a run holds it */
  uint32_t size_class;
  uint32_t round; /* of the cache, when the block was last used */
  int64_t number; /* of the run's blocks: later ones have greater numbers */
  bool is_held;   /* the next iteration reads it (buddy_runtime_scope_hold) */
};
_Static_assert(sizeof(bd_block) == 64, "the bytes after a header must stay aligned");

struct bd_cache {
  bd_cache *next;
  uint32_t round;                  /* counts the runs that had this cache */
  uint64_t filled[N_CLASSES / 64]; /* a bit for each class that may have free blocks */
  bd_block *free_blocks[N_CLASSES];
  int most_threads;    /* of a run that had this cache: as many helpers may be there */
  bd_cache *helpers[]; /* of a run's own cache: BD_MAX_THREADS, by place; null until needed */
};

struct bd_run_pool {
  pthread_mutex_t lock;
  bd_random random;
  bd_cache *idle;
  bd_prepacked *prepacked; /* across runs */
  int n_threads;
  uint64_t time_limit; /* nanoseconds; 0: none */
  char **settings;     /* ends with null; null: none */
};

static _Thread_local bd_run *current_run;

/* ---- Size classes ---- */

/* The smallest class that has room for n bytes; n is at least 1. */
static uint32_t class_of(size_t n) {
  if (n <= CLASSES_PER_DOUBLING) return 0;
  const size_t last = n - 1;
  const uint32_t exponent = 63u - (uint32_t)__builtin_clzll(last);
  const uint32_t mantissa = (uint32_t)(last >> (exponent - 3)) & (CLASSES_PER_DOUBLING - 1);
  return exponent * CLASSES_PER_DOUBLING + mantissa + 1;
}

static size_t bytes_of(uint32_t size_class) {
  const uint32_t exponent = size_class / CLASSES_PER_DOUBLING,
                 mantissa = size_class % CLASSES_PER_DOUBLING;
  return exponent < 3 ? CLASSES_PER_DOUBLING
                      : (size_t)(CLASSES_PER_DOUBLING + mantissa) << (exponent - 3);
}

/* ---- Pools ---- */

static void free_list(bd_block *block) {
  while (block) {
    bd_block *next = block->next;
    bd_pages_free(block);
    block = next;
  }
}

buddy_code bd_run_pool_create(bd_run_pool **out_pool) {
  *out_pool = bd_calloc(1, sizeof(bd_run_pool));
  if (!*out_pool) return BUDDY_OUT_OF_MEMORY;
  (*out_pool)->prepacked = bd_prepacked_create();
  (*out_pool)->n_threads = bd_threads_default();
  if ((*out_pool)->prepacked && pthread_mutex_init(&(*out_pool)->lock, NULL) == 0) {
    bd_thread_pool_enter();
    return BUDDY_OK;
  }
  bd_prepacked_destroy((*out_pool)->prepacked);
  free(*out_pool);
  *out_pool = NULL;
  return BUDDY_OUT_OF_MEMORY;
}

bd_random *bd_run_pool_random(bd_run_pool *pool) { return &pool->random; }

int bd_run_pool_threads(const bd_run_pool *pool) {
  return __atomic_load_n(&pool->n_threads, __ATOMIC_RELAXED);
}

void bd_run_pool_set_threads(bd_run_pool *pool, int n) {
  if (n <= 0) n = bd_threads_default();
  __atomic_store_n(&pool->n_threads, n < BD_MAX_THREADS ? n : BD_MAX_THREADS, __ATOMIC_RELAXED);
}

void bd_run_pool_set_time_limit(bd_run_pool *pool, uint64_t milliseconds) {
  const uint64_t most = UINT64_MAX / 4 / 1000000; /* after which it would be as good as none */
  const uint64_t limit = (milliseconds < most ? milliseconds : most) * 1000000;
  __atomic_store_n(&pool->time_limit, limit, __ATOMIC_RELAXED);
}

bd_prepacked *bd_run_pool_prepacked(bd_run_pool *pool) { return pool->prepacked; }

static void free_settings(char **settings) {
  for (size_t i = 0; settings && settings[i]; ++i) free(settings[i]);
  free(settings);
}

buddy_code bd_run_pool_set_settings(bd_run_pool *pool, const char *const *settings, size_t n) {
  char **copies = bd_calloc(n + 1, sizeof(char *));
  for (size_t i = 0; copies && i < n; ++i) {
    copies[i] = bd_strdup(settings[i]);
    if (copies[i]) continue;
    free_settings(copies);
    copies = NULL;
  }
  if (!copies) return BUDDY_OUT_OF_MEMORY;
  free_settings(pool->settings);
  pool->settings = copies;
  return BUDDY_OK;
}

const char *bd_run_pool_setting(const bd_run_pool *pool, const char *name) {
  const size_t n = strlen(name);
  for (size_t i = 0; pool->settings && pool->settings[i]; ++i) {
    const char *text = pool->settings[i];
    if (strncmp(text, name, n) == 0 && text[n] == '=') return text + n + 1;
  }
  return NULL;
}

static void free_cache(bd_cache *cache) {
  if (!cache) return;
  for (size_t i = 0; i < N_CLASSES; ++i) free_list(cache->free_blocks[i]);
  free(cache);
}

void bd_run_pool_destroy(bd_run_pool *pool) {
  if (!pool) return;
  while (pool->idle) {
    bd_cache *cache = pool->idle;
    pool->idle = cache->next;
    for (int i = 0; i < cache->most_threads; ++i) free_cache(cache->helpers[i]);
    free_cache(cache);
  }
  bd_thread_pool_leave();
  bd_prepacked_destroy(pool->prepacked);
  free_settings(pool->settings);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

static bd_cache *take_cache(bd_run_pool *pool) {
  pthread_mutex_lock(&pool->lock);
  bd_cache *cache = pool->idle;
  if (cache) pool->idle = cache->next;
  pthread_mutex_unlock(&pool->lock);
  if (!cache) cache = bd_calloc(1, sizeof(bd_cache) + BD_MAX_THREADS * sizeof(bd_cache *));
  if (cache) ++cache->round;
  return cache;
}

static void trim_class(bd_cache *cache, size_t size_class, uint32_t n_rounds) {
  bd_block **link = &cache->free_blocks[size_class];
  while (*link) {
    bd_block *block = *link;
    if (cache->round - block->round < n_rounds) {
      link = &block->next;
    } else {
      *link = block->next;
      bd_pages_free(block);
    }
  }
  if (!cache->free_blocks[size_class])
    cache->filled[size_class / 64] &= ~((uint64_t)1 << size_class % 64);
}

/* Frees what the last rounds did not use. */
static void trim_cache(bd_cache *cache, uint32_t n_rounds) {
  for (size_t i = 0; i < N_CLASSES / 64; ++i) {
    for (uint64_t left = cache->filled[i]; left; left &= left - 1)
      trim_class(cache, 64 * i + (size_t)__builtin_ctzll(left), n_rounds);
  }
}

static void return_cache(bd_run_pool *pool, bd_cache *cache) {
  trim_cache(cache, 1);
  for (int i = 0; i < cache->most_threads; ++i) {
    if (cache->helpers[i]) trim_cache(cache->helpers[i], PATIENCE);
  }
  pthread_mutex_lock(&pool->lock);
  cache->next = pool->idle;
  pool->idle = cache;
  pthread_mutex_unlock(&pool->lock);
}

/* ---- Runs ---- */

buddy_code bd_run_begin(bd_run *run, bd_run_pool *pool, jmp_buf *exit) {
  *run = (bd_run){.exit = exit,
                  .assertion = -1,
                  .pool = pool,
                  .outer = current_run,
                  .n_threads = bd_run_pool_threads(pool)};
  const uint64_t limit = __atomic_load_n(&pool->time_limit, __ATOMIC_RELAXED);
  if (limit) run->deadline = bd_nanoseconds() + limit;
  run->cache = take_cache(pool);
  if (!run->cache) return BUDDY_OUT_OF_MEMORY;
  if (run->cache->most_threads < run->n_threads) run->cache->most_threads = run->n_threads;
  current_run = run;
  bd_callbacks_set_threads(run->n_threads);
  return BUDDY_OK;
}

static void unlink_block(bd_block *block) {
  *block->link = block->next;
  if (block->next) block->next->link = block->link;
}

static void give_back(bd_cache *cache, bd_block *block) {
  block->next = cache->free_blocks[block->size_class];
  cache->free_blocks[block->size_class] = block;
  cache->filled[block->size_class / 64] |= (uint64_t)1 << block->size_class % 64;
}

/* To the system: later runs have no use for it. */
static void free_scratch(bd_run *run) {
  bd_run_take(run->scratch);
  bd_run_free_taken(run->scratch);
  run->scratch = NULL;
  run->n_scratch = 0;
}

/* A prepacked block whose slot has another's by now. Its first word says that it is filled;
 * the last of its head is nobody's. */
typedef struct bd_left {
  int64_t head[7];
  struct bd_left *next;
} bd_left;
_Static_assert(sizeof(bd_left) == BD_PREPACKED_HEAD, "it is the head of a block");

static void free_left(bd_run *run) {
  bd_pages_free(run->left);
  run->left = NULL;
  while (run->all_left) {
    bd_left *left = run->all_left;
    run->all_left = left->next;
    bd_pages_free(left);
  }
}

/* Compiled code on this thread no longer belongs to the run. */
static void step_out(bd_run *run) {
  current_run = run->outer;
  if (run->is_filling) bd_prepacked_abandon(run->pool->prepacked);
  run->is_filling = false;
  if (run->scratch) free_scratch(run);
  free_left(run);
  while (run->blocks) {
    bd_block *block = run->blocks;
    run->blocks = block->next;
    give_back(run->cache, block);
  }
}

void bd_run_end(bd_run *run) {
  for (int i = run->n_watchers; i-- > 0;) run->watchers[i].ended(run->watchers[i].user, run->code);
  step_out(run);
  if (run->outer) bd_callbacks_set_threads(run->outer->n_threads);
  return_cache(run->pool, run->cache);
}

buddy_code bd_run_join(bd_run *run, bd_run *lead, int place) {
  bd_cache **cache = &lead->cache->helpers[place];
  if (!*cache) *cache = bd_calloc(1, sizeof(bd_cache));
  if (!*cache) return BUDDY_OUT_OF_MEMORY;
  (*cache)->round = lead->cache->round;
  *run = (bd_run){.assertion = -1,
                  .pool = lead->pool,
                  .cache = *cache,
                  .outer = current_run,
                  .n_threads = 1,
                  .deadline = lead->deadline,
                  .is_spread = true};
  current_run = run;
  return BUDDY_OK;
}

void bd_run_leave(bd_run *run) { step_out(run); }

bd_run *bd_run_current(void) { return current_run; }

/* A block of the class: one that is free, or a new one. */
static bd_block *find_block(bd_cache *cache, uint32_t size_class) {
  bd_block *block = cache->free_blocks[size_class];
  if (block) {
    cache->free_blocks[size_class] = block->next;
    return block;
  }
  const size_t n_bytes = (bytes_of(size_class) + 63) & ~(size_t)63;
  return bd_pages_allocate(sizeof(bd_block) + n_bytes);
}

void *bd_run_allocate(bd_run *run, size_t n_bytes) {
  if (n_bytes > PTRDIFF_MAX / 2) return NULL;
  const uint32_t size_class = class_of(n_bytes == 0 ? 1 : n_bytes);
  bd_block *block = find_block(run->cache, size_class);
  if (!block) return NULL;
  *block = (bd_block){.next = run->blocks,
                      .link = &run->blocks,
                      .size_class = size_class,
                      .round = run->cache->round,
                      .number = ++run->n_blocks};
  if (block->next) block->next->link = &block->next;
  run->blocks = block;
  return block + 1;
}

void bd_run_take(void *bytes) { unlink_block((bd_block *)bytes - 1); }

void bd_run_free_taken(void *bytes) {
  if (bytes) bd_pages_free((bd_block *)bytes - 1);
}

int bd_run_owns(const bd_run *run, const void *bytes) {
  for (const bd_block *block = run->blocks; block; block = block->next) {
    if ((const void *)(block + 1) == bytes) return 1;
  }
  return 0;
}

/* ---- Called by compiled code ---- */

void bd_run_fail(buddy_code code, int64_t assertion) {
  bd_run *run = current_run;
  run->code = code;
  run->assertion = assertion;
  longjmp(*run->exit, 1);
}

void bd_run_check_deadline(const bd_run *run) {
  if (run->deadline && bd_nanoseconds() > run->deadline) bd_run_fail(BUDDY_LIMIT, -1);
}

void buddy_runtime_result(int64_t result) {
  bd_run *run = current_run;
  if (run->given && run->given[result].bytes) run->next = &run->given[result];
}

void *_mlir_memref_to_llvm_alloc(size_t n_bytes) {
  const bd_destination *given = current_run->next;
  current_run->next = NULL;
  if (given && given->n_bytes == n_bytes) return given->bytes;
  void *bytes = bd_run_allocate(current_run, n_bytes);
  if (!bytes) bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
  return bytes;
}

void _mlir_memref_to_llvm_free(void *bytes) {
  if (!bytes) return;
  bd_block *block = (bd_block *)bytes - 1;
  unlink_block(block);
  give_back(current_run->cache, block);
}

int64_t buddy_runtime_scope_begin(void) { return current_run->n_blocks; }

static bool contains(const bd_block *block, uintptr_t address) {
  const uintptr_t begin = (uintptr_t)(block + 1);
  return address >= begin && address - begin < bytes_of(block->size_class);
}

void buddy_runtime_scope_hold(int64_t scope, int64_t address) {
  bd_block *block = current_run->blocks;
  while (block && block->number > scope && !contains(block, (uintptr_t)address))
    block = block->next;
  if (block && block->number > scope) block->is_held = true;
}

/* What the runtime itself took outlives the iteration: it is of the run. */
void buddy_runtime_scope_free(int64_t scope) {
  bd_run *run = current_run;
  bd_run_check_deadline(run);
  bd_block *block = run->blocks;
  while (block && block->number > scope) {
    bd_block *next = block->next;
    if (!block->is_held && (void *)(block + 1) != run->scratch) {
      unlink_block(block);
      give_back(run->cache, block);
    }
    block->is_held = false;
    block = next;
  }
}

static void *get_prepacked(bd_run *run, int64_t slot, int64_t n_bytes) {
  void *block = bd_prepacked_get(run->pool->prepacked, slot, n_bytes);
  run->is_filling = block && !bd_prepacked_is_filled(block);
  return block;
}

void *buddy_runtime_keep(int64_t slot, int64_t n_bytes) {
  void *block = get_prepacked(current_run, slot, n_bytes);
  if (!block) bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
  return block;
}

void buddy_runtime_keep_filled(int64_t slot) {
  bd_run *run = current_run;
  run->is_filling = false;
  bd_left *left = bd_prepacked_fill(run->pool->prepacked, slot);
  if (!left) return;
  left->next = run->all_left;
  run->all_left = left;
}

/* Memory of the run for what is packed this once; null when memory is out. */
static int64_t *find_scratch(bd_run *run, size_t n_bytes) {
  if (run->n_scratch >= n_bytes) return run->scratch;
  if (run->scratch) free_scratch(run);
  run->scratch = bd_run_allocate(run, n_bytes);
  run->n_scratch = !run->scratch ? 0 : n_bytes;
  return run->scratch;
}

void *buddy_runtime_pack(int64_t slot, int64_t n_bytes) {
  bd_run *run = current_run;
  bd_pages_free(run->left);
  run->left = NULL;
  const bool is_kept =
      slot != BD_PREPACKED_NO_SLOT && bd_prepacked_is_known(run->pool->prepacked, slot);
  if (is_kept) return buddy_runtime_keep(slot, n_bytes);
  const bool fits = n_bytes >= 0 && n_bytes <= INT64_MAX / 2;
  int64_t *head = fits ? find_scratch(run, (size_t)n_bytes + BD_PREPACKED_HEAD) : NULL;
  if (!head) bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
  *head = 0;
  run->is_packing = true;
  return head;
}

void buddy_runtime_packed(int64_t slot) {
  bd_run *run = current_run;
  if (!run->is_packing) {
    run->is_filling = false;
    run->left = bd_prepacked_fill(run->pool->prepacked, slot);
  }
  run->is_packing = false;
}

static void *keeper_get(int64_t slot, int64_t n_bytes, int32_t *out_is_filled) {
  char *block = get_prepacked(current_run, slot, n_bytes);
  if (!block) return NULL;
  *out_is_filled = bd_prepacked_is_filled(block);
  return block + BD_PREPACKED_HEAD;
}

int64_t buddy_runtime_keeper(void) {
  static const buddy_keeper keeper = {
      .struct_size = sizeof(keeper), .get = keeper_get, .filled = buddy_runtime_keep_filled};
  return (int64_t)(uintptr_t)&keeper;
}

void buddy_runtime_fail(int64_t assertion) { bd_run_fail(BUDDY_INVALID_ARGUMENT, assertion); }

int64_t bd_run_random_seed(void) {
  return (int64_t)__atomic_load_n(&current_run->pool->random.seed, __ATOMIC_RELAXED);
}

int64_t bd_run_random_stream(void) {
  return (int64_t)__atomic_fetch_add(&current_run->pool->random.next_stream, 1, __ATOMIC_RELAXED);
}
