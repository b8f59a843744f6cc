// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/emit.c: walks a planned graph and lets the rows emit, one transaction of the
 * emitter per try.
 *
 * A row that declines while emitting, whose IR does not verify, or that dropped an argument is
 * undone, and the rest of its node's candidates are asked, expansions included: the nodes of one
 * are emitted next, where the node stood. A node that nobody emits is kept for the report; what
 * depends on it is passed over, so that the report is of causes, not of consequences. */
#define _GNU_SOURCE
#include <string.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "core/registry/plan.h"

typedef struct failed_node {
  const buddy_node *node;
  UT_hash_handle hh;
} failed_node;

typedef struct emission {
  buddy_plan *plan;
  const bd_emitter *emitter;
  void *state;
  int fallback_on_error;
  buddy_diags *diags;
  bd_arena arena;
  failed_node *failed; /* emitted by nobody, or dependent on such a one */
  bd_decision **untaken;
  size_t n_untaken, untaken_capacity;
} emission;

/* ---- One try ---- */
/* Rows of the native tier build IR of their own LLVM. */
static const char *wrong_llvm(const emission *e, const bd_row *row) {
  const uint32_t needs = row->plugin->descriptor.registry.llvm_version;
  if (!needs || needs == e->emitter->llvm_version) return NULL;
  char text[96];
  bd_text why;
  bd_text_init_fixed(&why, text, sizeof text);
  bd_text_format(&why, "needs LLVM %u.%u, which is not what emits here", needs >> 16,
                 needs & 0xFFFF);
  return bd_plan_intern(e->plan, text);
}

/* Callback, check, commit or undo. *is_defect: the row is at fault, but another may be asked. */
static buddy_code transact(const emission *e, buddy_call *call, bool *is_defect) {
  const buddy_code returned = bd_call_run(call);
  if (bd_call_result(call, returned) == BUDDY_OK) {
    const char *unread = bd_call_unread(call->row, call->node, call->read);
    if (unread) {
      bd_call_fail(call, BUDDY_INTERNAL, "row listed '%s' but never read it", unread);
      *is_defect = true;
    } else {
      const buddy_code code = e->emitter->commit(e->state, call);
      if (code != BUDDY_OK) bd_call_record(call, code, (buddy_sv){NULL, 0});
    }
  }
  const buddy_code result = bd_call_result(call, returned);
  if (result != BUDDY_OK) e->emitter->undo(e->state, call);
  if (result == BUDDY_VERIFY_FAILED) *is_defect = true;
  return returned;
}

static buddy_code try_emit(const emission *e, const bd_decision *decision, bd_outcome *out_outcome,
                           bool *is_defect) {
  *is_defect = false;
  const char *llvm = wrong_llvm(e, decision->row);
  if (llvm) {
    *out_outcome = (bd_outcome){BUDDY_DECLINED, llvm, 0};
    return BUDDY_OK;
  }
  buddy_call *call =
      bd_call_begin(e->plan->calls, e->plan, decision->row, decision->node, BD_PHASE_EMIT);
  if (!call) {
    return buddy_diags_add(e->diags, BUDDY_ERROR, BUDDY_LIMIT, decision->shown.name, NULL,
                           "more than %d graphs inside each other", BD_CALL_SLOTS);
  }
  call->read = decision->read;
  call->emitter = e->emitter;
  call->emitter_state = e->state;
  buddy_code returned = e->emitter->begin(e->state, call);
  if (returned == BUDDY_OK) returned = transact(e, call, is_defect);
  *out_outcome = bd_call_end(call, returned);
  return out_outcome->code == BUDDY_OUT_OF_MEMORY ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

/* ---- Fallback ---- */
/* The trail as it is, but for its end: who took the node did not after all. */
static buddy_code reopen_trail(const bd_decision *decision, const bd_outcome *outcome,
                               bd_tries *tries) {
  const size_t n = decision->shown.n_tries;
  for (size_t i = 0; i + 1 < n; ++i) {
    const buddy_try *one = &decision->shown.tries[i];
    if (bd_tries_add(tries, decision->row, one->code, one->reason)) return BUDDY_OUT_OF_MEMORY;
    tries->items[tries->n - 1] = *one;
  }
  return bd_tries_add(tries, decision->row, outcome->code, outcome->reason);
}

static buddy_code fall_back(const emission *e, bd_decision *decision, const bd_outcome *outcome) {
  bd_tries tries;
  bd_tries_init(&tries);
  buddy_code code = reopen_trail(decision, outcome, &tries);
  if (code == BUDDY_OK)
    code = bd_decide_from(e->plan, decision, decision->candidate + 1, NULL, &tries);
  bd_tries_deinit(&tries);
  return code;
}

/* A row failed. BUDDY_OK: another may be asked. */
static buddy_code judge_failure(const emission *e, const bd_decision *decision,
                                const bd_outcome *outcome, bool is_defect) {
  if (outcome->code == BUDDY_DECLINED) return BUDDY_OK;
  if (is_defect || e->fallback_on_error) {
    return bd_report_failure(e->plan, decision->row, decision->node, outcome->code,
                             outcome->reason);
  }
  char where[512];
  buddy_node_describe(decision->node, where, sizeof where);
  return buddy_diags_add(
      e->diags, BUDDY_ERROR, outcome->code, where,
      "tell the author of the registry; falling back on errors asks the next row instead",
      "registry '%s', row %u (%s) failed: %s", decision->row->plugin->descriptor.registry.name,
      decision->row->index, decision->row->name, outcome->reason);
}

/* ---- Nodes ---- */
static buddy_code mark_failed(emission *e, const buddy_node *node) {
  bool hash_is_full = false;
  failed_node *failed = bd_arena_calloc(&e->arena, 1, sizeof *failed);
  if (!failed) return BUDDY_OUT_OF_MEMORY;
  failed->node = node;
  HASH_ADD_PTR(e->failed, node, failed);
  return hash_is_full ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

static bool is_of_failed(const emission *e, const buddy_value *value) {
  const buddy_node *node = value ? buddy_value_node(value) : NULL;
  failed_node *found = NULL;
  if (node) HASH_FIND_PTR(e->failed, &node, found);
  return found != NULL;
}

static bool depends_on_failed(const emission *e, const buddy_node *node) {
  for (size_t i = 0; e->failed && i < buddy_node_n_args(node); ++i) {
    const buddy_arg *arg = buddy_node_arg(node, i);
    if (arg->kind == BUDDY_ARG_TENSOR && is_of_failed(e, arg->as.tensor)) return true;
    for (size_t k = 0; arg->kind == BUDDY_ARG_TENSORS && k < arg->n; ++k) {
      if (is_of_failed(e, arg->as.tensors[k])) return true;
    }
  }
  return false;
}

static buddy_code give_up(emission *e, bd_decision *decision) {
  void *items =
      bd_array_grow(e->untaken, &e->untaken_capacity, e->n_untaken + 1, sizeof *e->untaken);
  if (!items) return BUDDY_OUT_OF_MEMORY;
  e->untaken = items;
  e->untaken[e->n_untaken++] = decision;
  return mark_failed(e, decision->node);
}

/* The decision of a node; of one that came into the graph after planning, a new one. */
static buddy_code find_decision(emission *e, buddy_node *node, bd_decision **out_decision) {
  *out_decision = bd_plan_find(e->plan, node);
  if (*out_decision) return BUDDY_OK;
  BD_TRY(bd_decide(e->plan, node, NULL, out_decision));
  return bd_plan_keep(e->plan, *out_decision);
}

/* Emits one node, or turns it into others, which are then still to be emitted. */
static buddy_code emit_node(emission *e, buddy_node *node, bool *is_gone) {
  *is_gone = false;
  if (depends_on_failed(e, node)) return mark_failed(e, node);
  bd_decision *decision;
  BD_TRY(find_decision(e, node, &decision));
  while (decision->node) {
    if (!decision->row) return give_up(e, decision);
    bd_outcome outcome = {0};
    bool is_defect;
    BD_TRY(try_emit(e, decision, &outcome, &is_defect));
    if (outcome.code == BUDDY_OK) return BUDDY_OK;
    BD_TRY(judge_failure(e, decision, &outcome, is_defect));
    BD_TRY(fall_back(e, decision, &outcome));
  }
  *is_gone = true;
  return BUDDY_OK;
}

static buddy_code emit_nodes(emission *e, buddy_graph *graph) {
  buddy_node *done = NULL; /* the last node that has been dealt with */
  for (;;) {
    buddy_node *node = done ? buddy_node_next(done) : buddy_graph_first(graph);
    if (!node) return BUDDY_OK;
    bool is_gone;
    BD_TRY(emit_node(e, node, &is_gone));
    if (!is_gone) done = node;
  }
}

buddy_code bd_plan_emit(buddy_plan *plan, buddy_graph *graph, const bd_emitter *emitter,
                        void *state, int fallback_on_error, buddy_diags *diags) {
  emission e = {.plan = plan,
                .emitter = emitter,
                .state = state,
                .fallback_on_error = fallback_on_error,
                .diags = diags};
  buddy_diags *outer = plan->diags; /* of the graph whose emission has led to this subgraph */
  plan->diags = diags;
  buddy_code code = emit_nodes(&e, graph);
  if (code == BUDDY_OK) code = bd_report_unsupported(plan, e.untaken, e.n_untaken, diags);
  plan->diags = outer;
  HASH_CLEAR(hh, e.failed);
  bd_free(e.untaken);
  bd_arena_deinit(&e.arena);
  return code;
}
