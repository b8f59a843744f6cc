// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/array.c: doubling, so that n appends cost O(n). */
#include "core/base/array.h"

void *bd_array_grow(void *items, size_t *capacity, size_t needed, size_t item_size) {
  if (needed <= *capacity && items) return items;
  size_t wanted = *capacity < 8 ? 8 : *capacity;
  while (wanted < needed) {
    if (!bd_size_mul(wanted, 2, &wanted)) return NULL;
  }
  size_t bytes;
  if (!bd_size_mul(wanted, item_size, &bytes)) return NULL;
  void *grown = bd_realloc(items, bytes);
  if (grown) *capacity = wanted;
  return grown;
}

void *bd_array_next(void *items, size_t n, size_t item_size) {
  if ((n & (n - 1)) != 0) return items;
  size_t room, bytes;
  if (!bd_size_mul(n, 2, &room) || !bd_size_mul(n == 0 ? 1 : room, item_size, &bytes)) return NULL;
  return bd_realloc(items, bytes);
}
