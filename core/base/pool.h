// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/base/pool.h: an arena whose pieces may be given back one by one: for structures that are
 * edited for long. */
#ifndef BUDDY_CORE_BASE_POOL_H
#define BUDDY_CORE_BASE_POOL_H

#include "core/base/arena.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BD_POOL_CLASSES 96

/* All zero is an empty pool. */
typedef struct bd_pool {
  bd_arena arena;
  struct bd_pool_piece *free[BD_POOL_CLASSES];
} bd_pool;

BUDDY_EXPORT void bd_pool_deinit(bd_pool *pool);
/* Aligned for every type, not zeroed; null when memory is out. Size 0 is allowed and costs
 * nothing. */
BUDDY_EXPORT void *bd_pool_alloc(bd_pool *pool, size_t size);
/* Gives back what bd_pool_alloc gave for the same size. Null is allowed. */
BUDDY_EXPORT void bd_pool_free(bd_pool *pool, void *memory, size_t size);

#ifdef __cplusplus
}
#endif
#endif
