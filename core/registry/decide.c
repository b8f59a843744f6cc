// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/decide.c: asks the candidates of a node, one after the other, until one takes
 * it. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/graph/infer.h"
#include "core/base/try.h"
#include "core/registry/prefer.h"

/* What the row itself says. */
static buddy_code ask_match(buddy_plan *plan, const bd_row *row, buddy_node *node,
                            bd_outcome *out_outcome) {
  *out_outcome = (bd_outcome){BUDDY_OK, "", 0};
  if (!row->op->match) return BUDDY_OK;
  buddy_call *call = bd_call_begin(plan->calls, plan, row, node, BD_PHASE_MATCH);
  if (!call) return BUDDY_LIMIT;
  const buddy_code returned = bd_call_run(call);
  *out_outcome = bd_call_end(call, returned);
  return out_outcome->code == BUDDY_OUT_OF_MEMORY ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

/* One row, from what the host excludes to the end of an expansion. */
static buddy_code try_row(buddy_plan *plan, bd_decision *decision, const bd_row *row,
                          const bd_chain *outer, bd_outcome *out_outcome) {
  buddy_code code;
  buddy_node *node = decision->node;
  const char *reason = bd_decline(plan, row, node, decision->given, &code);
  if (reason || code != BUDDY_OK) {
    *out_outcome = (bd_outcome){BUDDY_DECLINED, reason, 0};
    return code;
  }
  code = ask_match(plan, row, node, out_outcome);
  if (code != BUDDY_OK || out_outcome->code != BUDDY_OK) return code;
  decision->read = out_outcome->read;
  if (row->op->emit) return BUDDY_OK;
  return bd_expand(plan, decision, row, outer, out_outcome);
}

static bool are_equal(const buddy_try *a, const buddy_try *b, size_t n) {
  for (size_t i = 0; i < n; ++i) { /* reasons are interned */
    if (a[i].row != b[i].row || a[i].code != b[i].code || a[i].reason != b[i].reason ||
        a[i].registry != b[i].registry || a[i].transform != b[i].transform)
      return false;
  }
  return true;
}

static buddy_code keep_tries(buddy_plan *plan, bd_decision *decision, const bd_tries *tries) {
  if (tries->n == 0) return BUDDY_OK;
  const uintptr_t row = (uintptr_t)tries->items[0].row; /* rows lie side by side in a table */
  bd_recent_tries *recent = &plan->recent_tries[row / sizeof(buddy_op) % BD_RECENT_TRIES];
  if (recent->n != tries->n || !are_equal(recent->items, tries->items, tries->n)) {
    buddy_try *copy = bd_arena_alloc(&plan->arena, tries->n * sizeof *copy);
    if (!copy) return BUDDY_OUT_OF_MEMORY;
    memcpy(copy, tries->items, tries->n * sizeof *copy);
    *recent = (bd_recent_tries){copy, tries->n};
  }
  decision->shown.tries = recent->items;
  decision->shown.n_tries = recent->n;
  BD_ASSERT(decision->shown.is_taken == (recent->items[recent->n - 1].code == BUDDY_OK));
  BD_ASSERT(!decision->shown.is_taken == !decision->row);
  return BUDDY_OK;
}

buddy_code bd_decide_from(buddy_plan *plan, bd_decision *decision, size_t first,
                          const bd_chain *outer, bd_tries *tries) {
  buddy_code code = BUDDY_OK;
  bd_candidates candidates = {.choice = ""};
  if (decision->node) candidates = bd_candidates_of(plan, decision->node, &code);
  if (code != BUDDY_OK) return code;
  if (candidates.n > 0) decision->given = bd_node_given(decision->node);
  decision->row = NULL;
  decision->shown.is_taken = false;
  for (size_t i = first; i < candidates.n; ++i) {
    bd_outcome outcome;
    const buddy_node *node = decision->node;
    const bd_row *row = bd_candidate_at(&candidates, i);
    /* Before the row is asked: an expansion makes decisions of its own. */
    decision->shown.choice = i < candidates.n_preferred ? candidates.choice : "";
    code = try_row(plan, decision, row, outer, &outcome);
    if (code == BUDDY_OK && outcome.code > BUDDY_DECLINED) {
      code = bd_report_failure(plan, row, node, outcome.code, outcome.reason);
    }
    if (code == BUDDY_OK) code = bd_tries_add(tries, row, outcome.code, outcome.reason);
    if (code != BUDDY_OK) return code;
    if (outcome.code != BUDDY_OK) continue;
    decision->row = row;
    decision->candidate = i;
    decision->shown.is_taken = true;
    break;
  }
  return keep_tries(plan, decision, tries);
}

bd_decision *bd_decision_add(buddy_plan *plan, buddy_node *node, const bd_chain *outer) {
  bool hash_is_full = false;
  bd_decision *decision = bd_arena_calloc(&plan->arena, 1, sizeof *decision);
  if (!decision) return NULL;
  decision->node = node;
  decision->depth = outer ? outer->decision->depth + 1 : 0;
  decision->root = outer ? outer->decision->root : decision;
  decision->budget = BD_MAX_EXPANSION;
  decision->shown.op = buddy_node_op(node);
  decision->shown.name = buddy_node_name(node);
  decision->shown.choice = "";
  decision->shown.location = *buddy_node_location(node);
  HASH_ADD_PTR(plan->by_node, node, decision);
  return hash_is_full ? NULL : decision;
}

/* Rows rely on the ranks and shapes that the op's contract says. Nodes were checked when they were
 * added and before the plan; this is for those that a transform or an expansion edited since. */
static buddy_code check_shapes(buddy_plan *plan, buddy_node *node) {
  if (node->is_checked) return BUDDY_OK;
  bd_text why;
  char where[256];
  bd_text_init(&why);
  buddy_code code = bd_infer_check(node, &why, NULL);
  if (code && code != BUDDY_OUT_OF_MEMORY) {
    buddy_node_describe(node, where, sizeof where);
    code = buddy_diags_add(plan->diags, BUDDY_ERROR, code, where,
                           "report it: whoever changed the graph broke it", "%s", why.data);
  }
  node->is_checked = !code;
  bd_text_deinit(&why);
  return code;
}

buddy_code bd_decide(buddy_plan *plan, buddy_node *node, const bd_chain *outer,
                     bd_decision **out_decision) {
  bd_decision *decision = bd_decision_add(plan, node, outer);
  *out_decision = decision;
  if (!decision) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(check_shapes(plan, node));
  bd_tries tries;
  bd_tries_init(&tries);
  const buddy_code code = bd_decide_from(plan, decision, 0, outer, &tries);
  bd_tries_deinit(&tries);
  return code;
}

buddy_code bd_plan_taker(buddy_plan *plan, buddy_node *node, const bd_row **out_row) {
  *out_row = NULL;
  const bd_decision *decision = bd_plan_find(plan, node);
  if (decision) {
    if (decision->row && decision->row->op->emit) *out_row = decision->row;
    return BUDDY_OK;
  }
  buddy_code code;
  const bd_candidates candidates = bd_candidates_of(plan, node, &code);
  const uint64_t given = candidates.n > 0 ? bd_node_given(node) : 0;
  for (size_t i = 0; code == BUDDY_OK && i < candidates.n; ++i) {
    bd_outcome outcome = {BUDDY_OK, "", 0};
    const bd_row *row = bd_candidate_at(&candidates, i);
    const char *reason = bd_decline(plan, row, node, given, &code);
    if (code != BUDDY_OK) return code;
    if (reason) continue;
    code = ask_match(plan, row, node, &outcome);
    if (code != BUDDY_OK) return code;
    if (outcome.code != BUDDY_OK) continue;
    if (row->op->emit) *out_row = row;
    plan->choice = i < candidates.n_preferred ? candidates.choice : "";
    return BUDDY_OK;
  }
  return code;
}
