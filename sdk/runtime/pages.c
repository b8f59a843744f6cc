// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/pages.c: large pages, asked for as such.
 *
 * glibc's functions for aligned memory ask for more than they later count, and cut the rest off: what is freed does not
 * fit the next of its size, and those that come and go wander through the heap, where no cache has them. So the memory is
 * malloc's, whose address stands in front of what is aligned. */
#include "sdk/runtime/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "core/base/memory.h"

#define LARGE_PAGE ((size_t)2 << 20)

enum { ALIGNMENT = 64 };

void *bd_pages_allocate(size_t n_bytes) {
  if (n_bytes > PTRDIFF_MAX - LARGE_PAGE) return NULL;
  char *memory = bd_malloc(n_bytes + ALIGNMENT);
  if (!memory) return NULL;
  /* malloc's own alignment leaves room for an address. */
  char *bytes = memory + ALIGNMENT - (uintptr_t)memory % ALIGNMENT;
  ((void **)bytes)[-1] = memory;
  const uintptr_t mask = ~(uintptr_t)(LARGE_PAGE - 1), begin = (uintptr_t)bytes;
  const uintptr_t first = (begin + LARGE_PAGE - 1) & mask, last = (begin + n_bytes) & mask;
  if (first < last) /* small pages do as well */
    (void)madvise(bytes + (first - begin), last - first, MADV_HUGEPAGE);
  return bytes;
}

void bd_pages_free(void *bytes) {
  if (bytes) free(((void **)bytes)[-1]);
}
