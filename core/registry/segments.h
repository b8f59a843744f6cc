// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/segments.h: which addresses of the process belong to loaded objects, so that a
 * plugin's table can be read without trusting its pointers. */
#ifndef BUDDY_CORE_REGISTRY_SEGMENTS_H
#define BUDDY_CORE_REGISTRY_SEGMENTS_H

#include <stdbool.h>

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_segment {
  uintptr_t start, end;
  uintptr_t object; /* load address of the object it belongs to */
  bool is_readable, is_executable;
} bd_segment;

typedef struct bd_segments {
  bd_segment *items; /* sorted by start */
  size_t n, capacity;
} bd_segments;

/* Takes down what is loaded now. On failure nothing is to be freed. */
BUDDY_EXPORT buddy_code bd_segments_init(bd_segments *segments);
BUDDY_EXPORT void bd_segments_deinit(bd_segments *segments);
/* Null if no object has the address. */
BUDDY_EXPORT const bd_segment *bd_segments_find(const bd_segments *segments, uintptr_t address);
/* Whether `size` bytes from there can be read. */
BUDDY_EXPORT bool bd_segments_can_read(const bd_segments *segments, const void *memory,
                                       size_t size);
/* Bytes that can be read from there on, within one segment. */
BUDDY_EXPORT size_t bd_segments_left(const bd_segments *segments, const void *memory);
/* Whether a struct with pointers in it may lie there. */
static inline bool bd_is_aligned(const void *memory) {
  return (uintptr_t)memory % sizeof(void *) == 0;
}
/* As bd_segments_can_read, for memory that may also be on the heap or a stack: asks the operating
 * system if no object has it. */
BUDDY_EXPORT bool bd_memory_can_read(const bd_segments *segments, const void *memory, size_t size);
/* The length of a string that may lie anywhere, looked at page by page; false if it has no end that
 * can be read, or is longer than any string of a plugin. */
bool bd_memory_measure(const bd_segments *segments, const char *string, size_t *out_size);
/* Whether it is code; of that object, unless `object` is 0. */
BUDDY_EXPORT bool bd_segments_can_call(const bd_segments *segments, uintptr_t function,
                                       uintptr_t object);

#ifdef __cplusplus
}
#endif
#endif
