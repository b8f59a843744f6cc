// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/intern.h: a set of strings, each kept once, so that equal strings are equal
 * pointers. */
#ifndef BUDDY_CORE_BASE_INTERN_H
#define BUDDY_CORE_BASE_INTERN_H

#include "core/base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All zero but for the arena, which the caller owns and which must live as long. */
typedef struct bd_interner {
  bd_arena *arena;
  struct bd_interned *strings;
} bd_interner;

/* The one copy, NUL-terminated, living as long as the arena; null when memory is out. */
BUDDY_EXPORT const char *bd_intern(bd_interner *interner, const char *data, size_t size);
/* Frees the table, not the strings. */
BUDDY_EXPORT void bd_interner_deinit(bd_interner *interner);

#ifdef __cplusplus
}
#endif
#endif
