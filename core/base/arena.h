// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/arena.h: memory that is given out piece by piece and freed at once. */
#ifndef BUDDY_CORE_BASE_ARENA_H
#define BUDDY_CORE_BASE_ARENA_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero is an empty arena; copying the struct is not allowed once it is used. */
typedef struct bd_arena {
  struct bd_arena_block *blocks; /* the newest first */
  char *at, *end;                /* what is left of the newest small block */
  size_t next_size;              /* of the next block */
  size_t n_bytes;                /* taken from the heap so far */
} bd_arena;

BUDDY_EXPORT void bd_arena_init(bd_arena *arena);
/* Frees everything; the arena is empty and usable again. */
BUDDY_EXPORT void bd_arena_deinit(bd_arena *arena);
/* Aligned for every type, not zeroed; null when memory is out. */
BUDDY_EXPORT void *bd_arena_alloc(bd_arena *arena, size_t size);
/* The same for single bytes, which need no alignment. */
BUDDY_EXPORT void *bd_arena_bytes(bd_arena *arena, size_t size);
/* n zeroed items of `size` bytes. */
BUDDY_EXPORT void *bd_arena_calloc(bd_arena *arena, size_t n, size_t size);
/* Copies, NUL-terminated; null when memory is out. */
BUDDY_EXPORT char *bd_arena_text(bd_arena *arena, const char *data, size_t size);
BUDDY_EXPORT char *bd_arena_strdup(bd_arena *arena, const char *string);
BUDDY_EXPORT char *bd_arena_format(bd_arena *arena, const char *format, ...) BUDDY_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif
