// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/compile/rewrite/holes.h: which places of an arena are free, while it is planned.
 *
 * An allocator of addresses without memory behind them: best fit (of the free places that are large
 * enough the smallest), neighbours that are free become one, and the arena grows at its end when
 * nothing fits. Each call takes time in the logarithm of the number of free places. */
#ifndef BUDDY_SDK_COMPILE_HOLES_H
#define BUDDY_SDK_COMPILE_HOLES_H

#include "buddy/base.h"

typedef struct bd_hole bd_hole;

/* All zero: an empty arena. Not thread-safe. */
typedef struct bd_holes {
  void *by_size; /* a tree of <search.h> */
  bd_hole *by_start, *by_end;
  int64_t end; /* bytes of the arena so far */
} bd_holes;
void bd_holes_deinit(bd_holes *holes);

/* Where `bytes` (> 0) may lie. BUDDY_UNSUPPORTED if the arena's size would overflow. */
buddy_code bd_holes_take(bd_holes *holes, int64_t bytes, int64_t *out_start);
/* Gives back what bd_holes_take gave, whole. */
buddy_code bd_holes_give(bd_holes *holes, int64_t start, int64_t bytes);

#endif
