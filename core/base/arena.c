// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/arena.c: a bump arena over a chain of heap blocks. Blocks grow from 1 KiB to 1 MiB, so
 * that small owners stay small and large ones ask the heap rarely; a request that would waste a
 * block gets one of its own. */
#include "core/base/arena.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/memory.h"

#define FIRST_BLOCK ((size_t)1 << 10)
#define LAST_BLOCK ((size_t)1 << 20)

struct bd_arena_block {
  alignas(max_align_t) struct bd_arena_block *next;
};

void bd_arena_init(bd_arena *arena) { *arena = (bd_arena){0}; }

void bd_arena_deinit(bd_arena *arena) {
  struct bd_arena_block *block = arena->blocks;
  while (block) {
    struct bd_arena_block *next = block->next;
    bd_free(block);
    block = next;
  }
  bd_arena_init(arena);
}

/* A new block with `size` bytes after its head. */
static char *add_block(bd_arena *arena, size_t size) {
  size_t bytes;
  if (!bd_size_add(size, sizeof(struct bd_arena_block), &bytes)) return NULL;
  struct bd_arena_block *block = bd_malloc(bytes);
  if (!block) return NULL;
  block->next = arena->blocks;
  arena->blocks = block;
  arena->n_bytes += bytes;
  return (char *)(block + 1);
}

static void *alloc_slow(bd_arena *arena, size_t size) {
  const size_t block_size = arena->next_size ? arena->next_size : FIRST_BLOCK;
  if (size > block_size / 4) return add_block(arena, size);
  char *start = add_block(arena, block_size);
  if (!start) return NULL;
  arena->next_size = block_size < LAST_BLOCK ? block_size * 2 : LAST_BLOCK;
  arena->at = start + size;
  arena->end = start + block_size;
  return start;
}

static void *alloc_aligned(bd_arena *arena, size_t size, size_t alignment) {
  BD_ASSERT(alignment && !(alignment & (alignment - 1)) && arena->at <= arena->end);
  const size_t padding = (size_t)(-(uintptr_t)arena->at & (alignment - 1));
  const size_t left = (size_t)(arena->end - arena->at);
  if (left < padding || left - padding < size || !arena->at) return alloc_slow(arena, size);
  char *start = arena->at + padding;
  arena->at = start + size;
  return start;
}

void *bd_arena_alloc(bd_arena *arena, size_t size) {
  return alloc_aligned(arena, size, alignof(max_align_t));
}

void *bd_arena_bytes(bd_arena *arena, size_t size) { return alloc_aligned(arena, size, 1); }

void *bd_arena_calloc(bd_arena *arena, size_t n, size_t size) {
  size_t bytes;
  if (!bd_size_mul(n, size, &bytes)) return NULL;
  void *memory = bd_arena_alloc(arena, bytes);
  if (!memory) return NULL;
  bd_memory_populate(memory, bytes);
  return memset(memory, 0, bytes);
}

char *bd_arena_text(bd_arena *arena, const char *data, size_t size) {
  size_t bytes;
  if (!bd_size_add(size, 1, &bytes)) return NULL;
  char *copy = alloc_aligned(arena, bytes, 1);
  if (!copy) return NULL;
  if (size) memcpy(copy, data, size);
  copy[size] = 0;
  return copy;
}

char *bd_arena_strdup(bd_arena *arena, const char *string) {
  return bd_arena_text(arena, string, strlen(string));
}

char *bd_arena_format(bd_arena *arena, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  const int size = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *text = size < 0 ? NULL : alloc_aligned(arena, (size_t)size + 1, 1);
  if (text) vsnprintf(text, (size_t)size + 1, format, again);
  va_end(again);
  return text;
}
