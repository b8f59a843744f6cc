// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/command/hide_pages.c: takes a part of an archive away from whoever maps it; see keys.py.
 *
 * Preloaded into a process. BUDDY_HIDE: "SIZE FROM TO": of a file of SIZE bytes that is mapped whole the pages between FROM and
 * TO cannot be read. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

void *mmap(void *at, size_t size, int protection, int flags, int file, off_t offset) {
  static void *(*real)(void *, size_t, int, int, int, off_t);
  if (!real) {
    void *symbol = dlsym(RTLD_NEXT, "mmap");
    memcpy(&real, &symbol, sizeof real);
  }
  void *bytes = real(at, size, protection, flags, file, offset);
  const char *text = getenv("BUDDY_HIDE");
  size_t whole, from, to;
  if (bytes == MAP_FAILED || file < 0 || !text ||
      sscanf(text, "%zu %zu %zu", &whole, &from, &to) != 3)
    return bytes;
  from = (from + 4095) / 4096 * 4096;
  to = to / 4096 * 4096;
  if (size == whole && from < to) mprotect((char *)bytes + from, to - from, PROT_NONE);
  return bytes;
}
