// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/model/rates.h: how long registries took for cases, and how long they would for others.
 *
 * As text, which is what is kept:
 *
 *   1  "buddy rates 1\n"
 *   2  a line each: kind, dtype, ten sizes, registry, threads, nanoseconds, separated by spaces
 *
 * in the order in which they were added; a case that is measured again takes the place of the
 * first. */
#ifndef BUDDY_SDK_MODEL_RATES_H
#define BUDDY_SDK_MODEL_RATES_H

#include <stdbool.h>

#include "sdk/model/case.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BD_RATES_MAX = 8192, BD_RATES_MAX_REGISTRY = 32, BD_RATES_MAX_THREADS = 4096 };
#define BD_RATES_MAX_TEXT ((size_t)4 << 20)

typedef struct bd_rate {
  bd_case is;
  char registry[BD_RATES_MAX_REGISTRY];
  int n_threads;
  uint64_t ns; /* one op, at best */
} bd_rate;

typedef struct bd_rates { /* zeroed: none */
  bd_rate *items;
  size_t n, capacity;
} bd_rates;

void bd_rates_deinit(bd_rates *rates);
/* BUDDY_LIMIT: there are too many. */
buddy_code bd_rates_add(bd_rates *rates, const bd_rate *rate);
/* Whether this very case was measured, for any registry. */
int bd_rates_know(const bd_rates *rates, const bd_case *c);
/* BUDDY_CORRUPT: it is no such text; nothing is read then. */
buddy_code bd_rates_parse(const char *text, size_t size, bd_rates *out);
/* The caller frees it; null when memory is out. */
char *bd_rates_print(const bd_rates *rates, size_t *out_size);

/* What a registry would take for a case. */
typedef struct bd_estimate {
  double seconds;
  bool is_measured; /* this very case was; else it is made of cases that are like it */
} bd_estimate;
/* False: nothing like it was measured. */
int bd_rates_estimate(const bd_rates *rates, const bd_case *c, const char *registry, int n_threads,
                      bd_estimate *out);

/* How much faster a registry must be than the one that the order has, for cases that were measured
 * and for others: what is nearer may be noise, and flip with it. */
#define BD_MARGIN_MEASURED 0.05
#define BD_MARGIN_ESTIMATED 0.10

typedef struct bd_pick {
  size_t i;     /* among the names */
  double ratio; /* of its time to that of the one that the order has */
  size_t order; /* which of them that is */
  bool is_measured;
} bd_pick;
/* Which of the registries, which are in their order, to ask first. False: the order stands. A
 * program's results must not depend on the number of threads, and so must not the choice: for it
 * speaks the mean over all numbers that were measured, and none of them may speak against it. */
int bd_rates_pick(const bd_rates *rates, const bd_case *c, const char *const *registries, size_t n,
                  bd_pick *out);

#ifdef __cplusplus
}
#endif

#endif
