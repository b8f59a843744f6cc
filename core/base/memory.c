/* core/base/memory.c: malloc and its kin behind one counter, so that a test can make any allocation
 * fail. The counter costs one relaxed load while no test has armed it. */
#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_int is_armed; /* not bool: RISC-V has no atomic instructions on bytes */
static atomic_int has_failed;
static _Atomic int64_t allocations_left;

bool bd_memory_fail_after(int64_t n) {
  atomic_store(&is_armed, false);
  atomic_store(&allocations_left, n);
  const bool before = atomic_exchange(&has_failed, false);
  atomic_store(&is_armed, n >= 0);
  return before;
}

static bool must_fail(void) {
  if (!atomic_load_explicit(&is_armed, memory_order_relaxed)) return false;
  if (atomic_fetch_sub(&allocations_left, 1) != 0) return false;
  atomic_store(&has_failed, true);
  return true;
}

void *bd_malloc(size_t size) { return must_fail() ? NULL : malloc(size ? size : 1); }

void *bd_calloc(size_t n, size_t size) {
  return must_fail() ? NULL : calloc(n ? n : 1, size ? size : 1);
}

void *bd_realloc(void *memory, size_t size) {
  return must_fail() ? NULL : realloc(memory, size ? size : 1);
}

void bd_free(void *memory) { free(memory); }
