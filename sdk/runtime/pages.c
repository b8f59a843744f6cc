// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/pages.c: large pages, asked for as such.
 *
 * glibc gives freed memory back to the system while it is larger than the largest that was ever given back, up to 32
 * MiB; of more than a cache line's alignment it asks for more than it later counts, and would never come to keep it. */
#include "sdk/runtime/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)
#define LARGEST_THAT_IS_REUSED ((size_t)32 << 20)

void *bd_pages_allocate(size_t n_bytes) {
  void *bytes = NULL;
  if (n_bytes < LARGEST_THAT_IS_REUSED)
    bytes = aligned_alloc(64, n_bytes);
  else if (posix_memalign(&bytes, LARGE_PAGE, n_bytes) != 0)
    return NULL;
  const uintptr_t mask = ~(uintptr_t)(LARGE_PAGE - 1), begin = (uintptr_t)bytes;
  const uintptr_t first = (begin + LARGE_PAGE - 1) & mask, last = (begin + n_bytes) & mask;
  if (bytes && first < last) /* small pages do as well */
    (void)madvise((char *)bytes + (first - begin), last - first, MADV_HUGEPAGE);
  return bytes;
}
