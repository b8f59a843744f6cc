// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/pool.c: free lists by size class over an arena. Classes are steps of 16 bytes up to
 * 512, then powers of two. Callers know the sizes, so pieces have no head. Under AddressSanitizer a
 * piece on a free list is poisoned: use after erase is found although nothing goes back to the
 * heap. */
#include "core/base/pool.h"

#include <stdbool.h>
#include <stddef.h>

#include "core/base/assert.h"

#if defined(__SANITIZE_ADDRESS__)
#define POISONS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define POISONS 1
#endif
#endif
#ifdef POISONS
#include <sanitizer/asan_interface.h>
#define POISON(memory, size) __asan_poison_memory_region(memory, size)
#define UNPOISON(memory, size) __asan_unpoison_memory_region(memory, size)
#else
#define POISON(memory, size) ((void)0)
#define UNPOISON(memory, size) ((void)0)
#endif

#define STEP ((size_t)16)
#define N_STEPS ((size_t)32)

struct bd_pool_piece {
  struct bd_pool_piece *next;
};

/* The class of a size and, in *rounded, the bytes that every piece of it has; false if there is
 * none. */
static bool size_class(size_t size, size_t *out_class, size_t *rounded) {
  if (size <= STEP * N_STEPS) {
    *out_class = (size + STEP - 1) / STEP - 1;
    *rounded = (*out_class + 1) * STEP;
    return true;
  }
  *out_class = N_STEPS;
  *rounded = STEP * N_STEPS * 2;
  while (*rounded < size) {
    if (*rounded > SIZE_MAX / 2) return false;
    *rounded *= 2;
    ++*out_class;
  }
  return *out_class < BD_POOL_CLASSES;
}

void *bd_pool_alloc(bd_pool *pool, size_t size) {
  static max_align_t nothing;
  if (size == 0) return &nothing;
  size_t class_, rounded;
  if (!size_class(size, &class_, &rounded)) return NULL;
  struct bd_pool_piece *piece = pool->free[class_];
  if (!piece) return bd_arena_alloc(&pool->arena, rounded);
  UNPOISON(piece, rounded);
  BD_ASSERT(piece->next != piece); /* given back twice */
  pool->free[class_] = piece->next;
  return piece;
}

void bd_pool_free(bd_pool *pool, void *memory, size_t size) {
  size_t class_, rounded;
  if (!memory || size == 0 || !size_class(size, &class_, &rounded)) return;
  BD_ASSERT((uintptr_t)memory % STEP == 0); /* a piece of this pool, and no part of one */
  struct bd_pool_piece *piece = memory;
  piece->next = pool->free[class_];
  pool->free[class_] = piece;
  POISON(piece, rounded);
}

void bd_pool_deinit(bd_pool *pool) {
  bd_arena_deinit(&pool->arena);
  *pool = (bd_pool){0};
}
