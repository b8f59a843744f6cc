/* sdk/runtime/pages.c: see pages.h. */
#include "sdk/runtime/pages.h"

#include <stdlib.h>
#include <sys/mman.h>

#define LARGE_PAGE ((size_t)2 << 20)

void *bd_pages_allocate(size_t n_bytes) {
  if (n_bytes < LARGE_PAGE) return aligned_alloc(64, n_bytes);
  const size_t whole = n_bytes & ~(LARGE_PAGE - 1);
  void *bytes = NULL; /* unlike aligned_alloc, this takes sizes that are no multiples */
  if (posix_memalign(&bytes, LARGE_PAGE, n_bytes) != 0) return NULL;
  (void)madvise(bytes, whole, MADV_HUGEPAGE); /* small pages do as well */
  return bytes;
}
