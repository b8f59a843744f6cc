// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* examples/lapack/batch.c: where the matrices of a batch are. */
#include <stdlib.h>

#include "kernels.h"

int64_t lp_batch_size(const lp_view *like, int64_t core) {
  int64_t n = 1;
  for (int64_t d = 0; d < like->rank - core; ++d) n *= like->sizes[d];
  return n;
}

int64_t lp_batch_offset(const lp_view *v, int64_t core, const lp_view *like, int64_t like_core,
                        int64_t i) {
  int64_t offset = 0;
  const int64_t rank = v->rank - core, like_rank = like->rank - like_core;
  for (int64_t d = like_rank - 1; d >= 0; --d) {
    const int64_t at = i % like->sizes[d], own = d - like_rank + rank;
    i /= like->sizes[d];
    if (own >= 0 && v->sizes[own] != 1) offset += at * v->strides[own];
  }
  return offset;
}

int lp_is_wanted(const lp_view *v, int64_t core) {
  if (v->rank < core) return 0;
  for (int64_t d = 0; d < v->rank; ++d) {
    if (v->sizes[d] == 0) return 0;
  }
  return 1;
}

void *lp_memory(int64_t n, size_t size) { return calloc(n > 0 ? (size_t)n : 1, size); }
