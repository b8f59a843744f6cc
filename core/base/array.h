// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/array.h: growth of heap arrays. */
#ifndef BUDDY_CORE_BASE_ARRAY_H
#define BUDDY_CORE_BASE_ARRAY_H

#include "core/base/memory.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes room for `needed` items of `item_size` bytes, at least doubling; returns the array, moved
 * or not, and the new *capacity. Null when memory is out or the size does not fit; the old array is
 * then untouched. Free with bd_free. */
BUDDY_EXPORT void *bd_array_grow(void *items, size_t *capacity, size_t needed, size_t item_size);

/* Makes room for one more item after `n`, in an array that grew by this alone and keeps no
 * capacity: it has room up to the next power of two. Else as bd_array_grow. */
BUDDY_EXPORT void *bd_array_next(void *items, size_t n, size_t item_size);

#ifdef __cplusplus
}
#endif
#endif
