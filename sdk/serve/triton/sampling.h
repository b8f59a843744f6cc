// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/sampling.h: choosing a token by its logits. */
#ifndef BUDDY_SDK_SERVE_TRITON_SAMPLING_H
#define BUDDY_SDK_SERVE_TRITON_SAMPLING_H

#include "buddy/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_sampling {
  double temperature; /* 0: the likeliest token */
  int64_t top_k;      /* among so many of the likeliest; 0: all */
  double top_p;       /* among the fewest likeliest that have this probability together; 1: all */
  uint64_t seed;      /* changed by each draw: the same seed draws the same */
} bd_sampling;

/* logits: n. Of equal logits the first is the likelier. A logit that is NaN is never chosen;
 * BUDDY_INVALID_ARGUMENT: all are. */
buddy_code bd_sample(bd_sampling *how, const float *logits, int64_t n, int64_t *out_token);

#ifdef __cplusplus
}
#endif
#endif
