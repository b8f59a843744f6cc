// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/memory.h: the only way to the heap, and arithmetic on sizes that cannot wrap. */
#ifndef BUDDY_CORE_BASE_MEMORY_H
#define BUDDY_CORE_BASE_MEMORY_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As the C library's functions of these names, but size 0 gives a pointer that can be freed. Null
 * when memory is out; what they give may be freed by free(), too. [any-thread] */
BUDDY_EXPORT void *bd_malloc(size_t size);
BUDDY_EXPORT void *bd_calloc(size_t n, size_t size);
BUDDY_EXPORT void *bd_realloc(void *memory, size_t size);
BUDDY_EXPORT void bd_free(void *memory);
BUDDY_EXPORT char *bd_strdup(const char *text);
BUDDY_EXPORT char *bd_strndup(const char *text, size_t n);

/* Has the system give the pages of a large piece of memory at once, which is about to be written
 * from end to end; else each would cost a fault of its own. Changes no content; does nothing where
 * the system cannot. [any-thread] */
BUDDY_EXPORT void bd_memory_populate(void *memory, size_t size);

/* For tests: after `n` further allocations of the process one fails, then all succeed again;
 * negative: none fails. Returns whether the failure that was asked for before has happened. */
BUDDY_EXPORT bool bd_memory_fail_after(int64_t n);

/* False if the result does not fit; *out is then undefined. */
static inline bool bd_size_add(size_t a, size_t b, size_t *out) {
  return !__builtin_add_overflow(a, b, out);
}
static inline bool bd_size_mul(size_t a, size_t b, size_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

#ifdef __cplusplus
}
#endif
#endif
