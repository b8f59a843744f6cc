// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/memory.c: malloc and its kin behind one counter, so that a test can make any allocation
 * fail. The counter costs one relaxed load while no test has armed it. */
#define _GNU_SOURCE
#include "core/base/memory.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define POPULATE_FROM ((size_t)32 << 10) /* below, the call costs what it saves */

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

static char *copy_of(const char *text, size_t n) {
  char *copy = bd_malloc(n + 1);
  if (!copy) return NULL;
  memcpy(copy, text, n);
  copy[n] = '\0';
  return copy;
}

char *bd_strdup(const char *text) { return copy_of(text, strlen(text)); }

char *bd_strndup(const char *text, size_t n) { return copy_of(text, strnlen(text, n)); }

void bd_memory_populate(void *memory, size_t size) {
#ifdef MADV_POPULATE_WRITE /* Linux 5.14; an older one says EINVAL, which changes nothing */
  if (size < POPULATE_FROM) return;
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  const uintptr_t start = ((uintptr_t)memory + page - 1) & ~(page - 1);
  const uintptr_t end = ((uintptr_t)memory + size) & ~(page - 1);
  (void)madvise((void *)start, end - start, MADV_POPULATE_WRITE);
#else
  (void)memory, (void)size;
#endif
}
