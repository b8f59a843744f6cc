// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/prefer.h: which rows are asked about a node, and in which order. */
#ifndef BUDDY_CORE_REGISTRY_PREFER_H
#define BUDDY_CORE_REGISTRY_PREFER_H

#include "core/registry/plan.h"

typedef struct bd_candidates {
  const bd_row *rows; /* in the order of the registries */
  size_t n;
  size_t preferred, n_preferred; /* those that go first */
  const char *choice;            /* why they do; "" if they do not. Interned in the plan */
} bd_candidates;

/* None if the op has no definition or no row. *code: memory is out. */
bd_candidates bd_candidates_of(buddy_plan *plan, const buddy_node *node, buddy_code *code);
/* The i-th to be asked. */
const bd_row *bd_candidate_at(const bd_candidates *candidates, size_t i);

#endif
