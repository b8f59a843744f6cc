// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/prefer.c: the rows of a node in the order in which they are asked: that of the
 * registries, with the rows of one that a chooser prefers in front. */
#define _GNU_SOURCE
#include "core/registry/prefer.h"

/* Rows of one registry lie side by side, but for those asked last. False: it has none here. */
static bool move_to_front(bd_candidates *c, size_t registry) {
  size_t first = 0, n = 0;
  while (first < c->n && c->rows[first].registry != registry) ++first;
  while (first + n < c->n && c->rows[first + n].registry == registry) ++n;
  c->preferred = first;
  c->n_preferred = n;
  return n > 0;
}

bd_candidates bd_candidates_of(buddy_plan *plan, const buddy_node *node, buddy_code *code) {
  bd_candidates c = {.choice = ""};
  buddy_choice choice = {.registry = 0, .why = ""};
  const buddy_chooser *chooser = bd_registries_chooser(plan->registries);
  *code = BUDDY_OK;
  if (!buddy_node_opdef(node)) return c;
  c.rows = bd_registries_rows(plan->registries, buddy_node_op(node), &c.n);
  /* A pin is a request, and stands in front with rank 0. */
  if (!chooser || c.n == 0 || c.rows[0].rank == 0) return c;
  if (!chooser->choose(chooser->user, plan->registries, node, &choice)) return c;
  if (!move_to_front(&c, choice.registry) || c.preferred == 0) return c;
  choice.why[sizeof choice.why - 1] = '\0';
  c.choice = bd_plan_intern(plan, choice.why);
  if (!c.choice) *code = BUDDY_OUT_OF_MEMORY;
  return c;
}

const bd_row *bd_candidate_at(const bd_candidates *c, size_t i) {
  if (i < c->n_preferred) return &c->rows[c->preferred + i];
  if (i < c->n_preferred + c->preferred) return &c->rows[i - c->n_preferred];
  return &c->rows[i];
}
