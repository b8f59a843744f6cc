// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/bench/resolution/many.c: a registry of 1,000 rows; NAME is what it is called. Its rows
 * decline with a reason, unless TAKES. The first of them brings the schemas. */
#include "buddy/registry.h"

static const buddy_host *host;

static buddy_code open_registry(const buddy_host *given, void **out_state, char *why,
                                size_t why_size) {
  (void)why, (void)why_size;
  host = given;
  *out_state = 0;
  return BUDDY_OK;
}

static buddy_code match(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self;
  if (host->value_type(call, host->arg(call, 0)->as.tensor)->rank != 2 || !host->arg(call, 1))
    return BUDDY_INTERNAL;
#ifdef TAKES
  return BUDDY_OK;
#else
  const buddy_sv why = {"the device is busy", 18};
  return host->decline(call, why);
#endif
}
static buddy_code emit(void *state, const buddy_op *self, buddy_call *call) {
  (void)state, (void)self, (void)call;
  return BUDDY_INTERNAL;
}

/* clang-format off */
#define TEN(X, n) X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7) X(n##8) X(n##9)
#define HUNDRED(X, n) \
  TEN(X, n##0) TEN(X, n##1) TEN(X, n##2) TEN(X, n##3) TEN(X, n##4) \
  TEN(X, n##5) TEN(X, n##6) TEN(X, n##7) TEN(X, n##8) TEN(X, n##9)
#define THOUSAND(X) \
  HUNDRED(X, 0) HUNDRED(X, 1) HUNDRED(X, 2) HUNDRED(X, 3) HUNDRED(X, 4) \
  HUNDRED(X, 5) HUNDRED(X, 6) HUNDRED(X, 7) HUNDRED(X, 8) HUNDRED(X, 9)
/* clang-format on */

#define ROW(n) \
  {.name = "many.op" #n ".default", .args = "self, other", .match = match, .emit = emit},
static const buddy_op ops[] = {THOUSAND(ROW)};

#ifdef SCHEMAS
#define SCHEMA(n) "many::op" #n "(Tensor self, Tensor other, int alpha=1) -> Tensor",
static const char *const schemas[] = {THOUSAND(SCHEMA) 0};
#define MORE , .schemas = schemas
#else
#define MORE
#endif

#define REGISTRY(name) \
  BUDDY_REGISTRY(name, "1.0.0", "bench", "MIT", 0, ops, .open = open_registry MORE)
REGISTRY(NAME);
