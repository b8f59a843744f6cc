// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/segments.c: the PT_LOAD segments of all loaded objects, sorted, from
 * dl_iterate_phdr. */
#define _GNU_SOURCE
#include "core/registry/segments.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/array.h"
#include "core/registry/spelling.h"

#define PAGE ((uintptr_t)4096) /* no page is smaller */

static int add_object(struct dl_phdr_info *info, size_t size, void *user) {
  (void)size;
  bd_segments *segments = user;
  for (size_t i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type != PT_LOAD || !header->p_memsz) continue;
    void *items = bd_array_grow(segments->items, &segments->capacity, segments->n + 1,
                                sizeof *segments->items);
    if (!items) return 1;
    segments->items = items;
    const uintptr_t start = info->dlpi_addr + header->p_vaddr;
    segments->items[segments->n++] =
        (bd_segment){start, start + header->p_memsz, info->dlpi_addr, (header->p_flags & PF_R) != 0,
                     (header->p_flags & PF_X) != 0};
  }
  return 0;
}

static int by_start(const void *a, const void *b) {
  const uintptr_t x = ((const bd_segment *)a)->start, y = ((const bd_segment *)b)->start;
  return (x > y) - (x < y);
}

buddy_code bd_segments_init(bd_segments *segments) {
  *segments = (bd_segments){0};
  if (dl_iterate_phdr(add_object, segments)) {
    bd_segments_deinit(segments);
    return BUDDY_OUT_OF_MEMORY;
  }
  if (segments->n > 1) qsort(segments->items, segments->n, sizeof *segments->items, by_start);
  return BUDDY_OK;
}

void bd_segments_deinit(bd_segments *segments) {
  bd_free(segments->items);
  *segments = (bd_segments){0};
}

const bd_segment *bd_segments_find(const bd_segments *segments, uintptr_t address) {
  size_t low = 0, high = segments->n; /* the first segment that starts after the address */
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (segments->items[middle].start <= address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low > 0 && address < segments->items[low - 1].end ? &segments->items[low - 1] : NULL;
}

size_t bd_segments_left(const bd_segments *segments, const void *memory) {
  const bd_segment *segment = bd_segments_find(segments, (uintptr_t)memory);
  return segment && segment->is_readable ? segment->end - (uintptr_t)memory : 0;
}

bool bd_segments_can_read(const bd_segments *segments, const void *memory, size_t size) {
  return bd_segments_left(segments, memory) >= size;
}

/* Lines of /proc/self/maps are sorted and begin with "start-end rwxp"; neighbouring ranges count as
 * one. */
static bool is_mapped(uintptr_t at, uintptr_t end) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return false;
  char line[512];
  while (at < end && fgets(line, sizeof line, maps)) {
    char *rest;
    const unsigned long long low = strtoull(line, &rest, 16);
    if (*rest != '-') continue;
    const unsigned long long high = strtoull(rest + 1, &rest, 16);
    if (at >= low && at < high && strncmp(rest, " r", 2) == 0) at = (uintptr_t)high;
  }
  fclose(maps);
  return at >= end;
}

bool bd_memory_can_read(const bd_segments *segments, const void *memory, size_t size) {
  const uintptr_t at = (uintptr_t)memory;
  if (bd_segments_can_read(segments, memory, size)) return true;
  return memory && at + size >= at && is_mapped(at, at + size);
}

bool bd_segments_can_call(const bd_segments *segments, uintptr_t function, uintptr_t object) {
  const bd_segment *segment = bd_segments_find(segments, function);
  return segment && segment->is_executable && (!object || segment->object == object);
}

bool bd_memory_measure(const bd_segments *segments, const char *string, size_t *out_size) {
  for (size_t size = 0; size < BD_MAX_PLUGIN_TEXT; ++size) {
    const bool is_new_page = size == 0 || (uintptr_t)(string + size) % PAGE == 0;
    if (is_new_page && !bd_memory_can_read(segments, string + size, 1)) return false;
    if (string[size]) continue;
    *out_size = size;
    return true;
  }
  return false;
}
