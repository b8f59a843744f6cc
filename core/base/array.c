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
