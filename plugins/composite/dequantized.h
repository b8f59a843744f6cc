// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/composite/dequantized.h: what a float tensor was dequantized from. */
#ifndef BUDDY_PLUGINS_COMPOSITE_DEQUANTIZED_H
#define BUDDY_PLUGINS_COMPOSITE_DEQUANTIZED_H

#include "plugins/composite/expand.h"

/* (q - zero) scale. Scale and zero are of rank 0, or of q's rank, with dims of 1 along all axes but
 * `axes`. */
typedef struct cp_dequantized {
  value q;       /* i8 */
  value turned;  /* the matrix that q is the transpose of; null if it is none */
  value scale;   /* f32 */
  value zero;    /* i32; null: it is the number below */
  int64_t fixed; /* zero as a number */
  int64_t reach; /* the largest size of q - zero that there can be */
  uint64_t axes; /* bit set: numbers along these axes differ */
} cp_dequantized;

/* Looks behind the op that makes `a`, and behind views and permutations. Declines
 * if `a` is not dequantized from numbers of eight bits, to f32. */
buddy_code cp_find_dequantized(buddy_call *call, value a, const char *which, cp_dequantized *out);

/* The one matrix that all of a batch of them are; null if it is none. */
value cp_find_repeated(buddy_call *call, value batch);

/* Keys or values that groups of query heads share, [B, H, 1, S, E], of which `heads`
 * [B, H * G, S, E] has a copy for each query head; null if it has not. */
value cp_find_groups(buddy_call *call, value heads);

/* The axes of q in another order. */
void cp_dequantized_permute(buddy_call *call, cp_dequantized *a, const int64_t *perm);
/* Other dims. 0: numbers differ along an axis that these do not have. */
int cp_dequantized_view(buddy_call *call, cp_dequantized *a, uint32_t rank, const int64_t *dims);

#endif
