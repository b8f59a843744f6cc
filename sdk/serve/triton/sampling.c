// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/sampling.c: temperature, top-k and top-p, as transformers' generate orders them. */
#include "sdk/serve/triton/sampling.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/memory.h"

typedef struct choice {
  int64_t token;
  double weight;
} choice;

/* In [0, 1): SplitMix64 (Steele, Lea and Flood, 2014). */
static double draw(uint64_t *seed) {
  uint64_t z = (*seed += UINT64_C(0x9E3779B97F4A7C15));
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int by_weight(const void *a, const void *b) {
  const choice *x = a, *y = b;
  if (x->weight != y->weight) return x->weight > y->weight ? -1 : 1;
  return (x->token > y->token) - (x->token < y->token);
}

/* -1: all are NaN. */
static int64_t likeliest(const float *logits, int64_t n) {
  int64_t best = -1;
  for (int64_t i = 0; i < n; ++i) {
    if (!isnan(logits[i]) && (best < 0 || logits[i] > logits[best])) best = i;
  }
  return best;
}

/* How many of the choices, the likeliest first, may be drawn. */
static int64_t keep(const bd_sampling *how, const choice *choices, int64_t n, double *out_sum) {
  const int64_t most = how->top_k > 0 && how->top_k < n ? how->top_k : n;
  double all = 0, some = 0;
  int64_t kept = 0;
  for (int64_t i = 0; i < most; ++i) all += choices[i].weight;
  while (kept < most && (kept == 0 || some < how->top_p * all)) some += choices[kept++].weight;
  *out_sum = some;
  return kept;
}

buddy_code bd_sample(bd_sampling *how, const float *logits, int64_t n, int64_t *out_token) {
  const int64_t best = likeliest(logits, n);
  *out_token = best;
  if (best < 0) return BUDDY_INVALID_ARGUMENT;
  if (how->temperature <= 0) return BUDDY_OK;
  choice *choices = bd_calloc((size_t)n, sizeof *choices);
  if (!choices) return BUDDY_OUT_OF_MEMORY;
  int64_t n_choices = 0;
  for (int64_t i = 0; i < n; ++i) {
    if (isnan(logits[i])) continue;
    const double below = (double)logits[i] - (double)logits[best];
    choices[n_choices++] =
        (choice){i, logits[i] == logits[best] ? 1 : exp(below / how->temperature)};
  }
  qsort(choices, (size_t)n_choices, sizeof *choices, by_weight);
  double sum;
  const int64_t kept = keep(how, choices, n_choices, &sum);
  double left = draw(&how->seed) * sum;
  int64_t at = 0;
  while (at + 1 < kept && (left -= choices[at].weight) >= 0) ++at;
  *out_token = choices[at].token;
  bd_free(choices);
  return BUDDY_OK;
}
