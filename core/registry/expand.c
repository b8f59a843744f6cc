// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/expand.c: a row replaces a node by simpler ones.
 *
 *   1  the row's expand() adds nodes before the node, and says which values stand for its results
 *   2  what was added for a result that nobody uses is erased; each of the other nodes is decided,
 *      and may be expanded in turn; if such a one is replaced, what stood for its results here is
 *      replaced as well
 *   3  all taken: the node's uses move to the new values, and it is erased
 *   4  else all that stands between the node and what stood before it is erased again
 *
 * Nothing outside of that stretch changes before step 3, so undoing is erasing backwards.
 *
 * A row that leads back to itself with the same question would do so for ever: a node is not
 * expanded by a row that is expanding one with the same op, the same types and the same arguments
 * further out. Circles that change something on the way end at BD_MAX_DEPTH, and growth at the
 * budget of the imported node. */
#define _GNU_SOURCE
#include <string.h>

#include "core/graph/model.h"
#include "core/registry/plan.h"
#include "core/base/try.h"

/* ---- Circles ---- */
static bool same_type(const buddy_value *a, const buddy_value *b) {
  if (!a || !b) return a == b;
  const buddy_tensor_type *x = buddy_value_type(a), *y = buddy_value_type(b);
  return x->dtype == y->dtype && x->rank == y->rank &&
         (x->rank == 0 || !memcmp(x->dims, y->dims, x->rank * sizeof *x->dims));
}

static bool same_strings(const buddy_arg *a, const buddy_arg *b) {
  for (size_t i = 0; i < a->n; ++i) {
    if (strcmp(a->as.strings[i], b->as.strings[i]) != 0) return false;
  }
  return true;
}

static bool same_tensors(const buddy_arg *a, const buddy_arg *b) {
  for (size_t i = 0; i < a->n; ++i) {
    if (!same_type(a->as.tensors[i], b->as.tensors[i])) return false;
  }
  return true;
}

/* The same but for which tensors they are. */
static bool same_question(const buddy_arg *a, const buddy_arg *b) {
  if (a->kind != b->kind || a->n != b->n) return false;
  switch (a->kind) {
    case BUDDY_ARG_NONE:
      return true;
    case BUDDY_ARG_TENSOR:
      return same_type(a->as.tensor, b->as.tensor);
    case BUDDY_ARG_TENSORS:
      return same_tensors(a, b);
    case BUDDY_ARG_STRINGS:
      return same_strings(a, b);
    case BUDDY_ARG_STRING:
    case BUDDY_ARG_DEVICE:
    case BUDDY_ARG_LAYOUT:
    case BUDDY_ARG_MEMORY_FORMAT:
      return !strcmp(a->as.string, b->as.string);
    case BUDDY_ARG_INTS:
    case BUDDY_ARG_BOOLS:
      return !a->n || !memcmp(a->as.ints, b->as.ints, a->n * sizeof *a->as.ints);
    case BUDDY_ARG_FLOATS:
    case BUDDY_ARG_COMPLEX:
      return !a->n || !memcmp(a->as.floats, b->as.floats, a->n * sizeof *a->as.floats);
    case BUDDY_ARG_GRAPH:
      return a->as.graph == b->as.graph;
    default: /* of a float the bits: 0 is not -0, and NaN is itself */
      return a->as.i == b->as.i;
  }
}

static bool same_node(const buddy_node *a, const buddy_node *b) {
  const size_t n_results = buddy_node_n_results(a), n_args = buddy_node_n_args(a);
  if (n_results != buddy_node_n_results(b) || n_args != buddy_node_n_args(b)) return false;
  for (size_t i = 0; i < n_results; ++i) {
    if (!same_type(buddy_node_result(a, i), buddy_node_result(b, i))) return false;
  }
  for (size_t i = 0; i < n_args; ++i) {
    if (!same_question(buddy_node_arg(a, i), buddy_node_arg(b, i))) return false;
  }
  return true;
}

static void append_chain(const bd_chain *chain, const bd_chain *from, bd_text *text) {
  const bd_chain *links[BD_MAX_DEPTH + 1];
  size_t n = 0;
  for (const bd_chain *link = chain; link && n <= BD_MAX_DEPTH; link = link->outer) {
    links[n++] = link;
    if (link == from) break;
  }
  while (n > 0) bd_text_format(text, "%s -> ", buddy_node_op(links[--n]->node));
}

/* A reason if expanding the node by the row leads round in a circle, or too deep. */
static const char *find_circle(buddy_plan *plan, const bd_decision *decision, const bd_row *row,
                               const bd_chain *outer, buddy_code *code) {
  const buddy_node *node = decision->node;
  const bd_chain *same = outer;
  while (same && (same->row != row || !same_node(same->node, node))) same = same->outer;
  const bool is_deep = decision->depth >= BD_MAX_DEPTH;
  if (!same && !is_deep) return NULL;
  bd_text text;
  bd_text_init(&text);
  bd_text_string(&text, same ? "expands back to itself: " : "expands too deep: ");
  append_chain(outer, same, &text);
  bd_text_string(&text, buddy_node_op(node));
  const char *reason = text.code == BUDDY_OK ? bd_plan_intern(plan, text.data) : NULL;
  bd_text_deinit(&text);
  if (!reason) *code = BUDDY_OUT_OF_MEMORY;
  return reason;
}

/* ---- One expansion ---- */
typedef struct expansion {
  buddy_plan *plan;
  bd_chain chain;     /* the node, the row, and what replaces the results */
  buddy_node *before; /* what stood before the node; null: nothing */
  const buddy_decision **children;
  size_t n_children;
} expansion;

static buddy_node *first_added(const expansion *e) {
  return e->before ? buddy_node_next(e->before)
                   : buddy_graph_first(buddy_node_graph(e->chain.node));
}

/* Erases what has been added, last first, so that nothing erased has uses. */
static buddy_code undo(expansion *e) {
  buddy_code code = BUDDY_OK;
  for (buddy_node *at = buddy_node_prev(e->chain.node), *prev; at != e->before; at = prev) {
    prev = buddy_node_prev(at);
    if (bd_plan_forget(e->plan, at)) code = BUDDY_OUT_OF_MEMORY;
    if (buddy_node_erase(at) && code == BUDDY_OK) code = BUDDY_INTERNAL;
  }
  return code;
}

/* The value is one that an expansion further out has chosen to stand for a result of its own. */
static bool is_chosen(const bd_chain *outer, const buddy_value *value) {
  for (size_t i = 0; outer && i < outer->n_results; ++i) {
    if (outer->replacements[i] == value) return true;
  }
  return false;
}

/* What the row has still to answer for once expand() has returned. It may leave out what few ask
 * for, beyond the first result: where that is used, it has declined. */
static void check_expansion(expansion *e, buddy_call *call) {
  for (size_t i = 0; i < e->chain.n_results; ++i) {
    const buddy_value *result = buddy_node_result(e->chain.node, i);
    if (e->chain.replacements[i]) continue;
    if (buddy_value_n_uses(result) == 0 && !is_chosen(e->chain.outer, result)) continue;
    bd_call_fail(call, i == 0 ? BUDDY_VERIFY_FAILED : BUDDY_DECLINED,
                 "expanded, but gave nothing for result %zu", i);
  }
  const char *unread = bd_call_unread(e->chain.row, e->chain.node, call->read);
  if (unread) bd_call_fail(call, BUDDY_INTERNAL, "row listed '%s' but never read it", unread);
}

static buddy_code run_row(expansion *e, bd_outcome *out_outcome) {
  bd_expansion said = {e->chain.replacements, 0, &e->chain.decision->root->budget};
  buddy_call *call =
      bd_call_begin(e->plan->calls, e->plan, e->chain.row, e->chain.node, BD_PHASE_EXPAND);
  if (!call) return BUDDY_LIMIT;
  call->read = e->chain.decision->read;
  call->expansion = &said;
  const buddy_code returned = bd_call_run(call);
  if (bd_call_result(call, returned) == BUDDY_OK) check_expansion(e, call);
  *out_outcome = bd_call_end(call, returned);
  return out_outcome->code == BUDDY_OUT_OF_MEMORY ? BUDDY_OUT_OF_MEMORY : BUDDY_OK;
}

/* Why an expansion is no use: one of its nodes is taken by nobody. */
static buddy_code blame(expansion *e, const bd_decision *child, bd_outcome *out_outcome) {
  if (child->shown.n_tries == 1 && child->shown.tries[0].code == BUDDY_CYCLE) {
    *out_outcome =
        (bd_outcome){BUDDY_CYCLE, child->shown.tries[0].reason, 0}; /* it tells the whole way */
    return BUDDY_OK;
  }
  bd_text text;
  bd_text_init(&text);
  bd_text_format(&text, "its expansion needs %s ", child->shown.op);
  bd_node_types_text(child->node, &text);
  bd_text_string(&text, ", which nobody takes");
  for (size_t i = 0; i < child->shown.n_tries && text.size < BD_MAX_REASON; ++i) {
    const buddy_try *one = &child->shown.tries[i];
    bd_text_format(&text, "%s%s: %s", i ? "; " : ": ",
                   buddy_registries_get(e->plan->registries, one->registry)->name, one->reason);
  }
  const char *reason = text.code == BUDDY_OK ? bd_plan_intern(e->plan, text.data) : NULL;
  bd_text_deinit(&text);
  *out_outcome = (bd_outcome){BUDDY_DECLINED, reason, 0};
  return reason ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static bool binds_symbol(const buddy_value *value) {
  const buddy_graph *graph = buddy_node_graph(buddy_value_node(value));
  for (size_t k = 0; k < buddy_graph_n_symbols(graph); ++k) {
    if (buddy_graph_symbol(graph, k)->bound_to == value) return true;
  }
  return false;
}

static bool stands_for_result(const expansion *e, const buddy_node *node) {
  for (size_t i = 0; i < e->chain.n_results; ++i) {
    const buddy_value *with = e->chain.replacements[i];
    if (with && buddy_value_node(with) == node) return true;
  }
  return false;
}

/* A row says what stands for each result, whether it is used or not. Nobody needs to take what is
 * there for one that is not. */
static buddy_code erase_unused(expansion *e) {
  for (size_t i = 0; i < e->chain.n_results; ++i) {
    const buddy_value *result = buddy_node_result(e->chain.node, i);
    if (buddy_value_n_uses(result) > 0 || is_chosen(e->chain.outer, result)) continue;
    if (!binds_symbol(result)) e->chain.replacements[i] = NULL;
  }
  for (buddy_node *at = buddy_node_prev(e->chain.node), *prev; at != e->before; at = prev) {
    bool is_gone;
    prev = buddy_node_prev(at);
    if (stands_for_result(e, at)) continue;
    BD_TRY(bd_prune_node(at, e->plan, &is_gone));
  }
  return BUDDY_OK;
}

static size_t count_added(const expansion *e) {
  size_t n = 0;
  for (const buddy_node *at = first_added(e); at != e->chain.node; at = buddy_node_next(at)) ++n;
  return n;
}

static buddy_code decide_added(expansion *e, bd_outcome *out_outcome) {
  const size_t n = count_added(e);
  e->children = bd_arena_alloc(&e->plan->arena, n * sizeof *e->children);
  if (!e->children) return BUDDY_OUT_OF_MEMORY;
  buddy_node *next;
  for (buddy_node *at = first_added(e); at != e->chain.node; at = next) {
    next = buddy_node_next(at);
    bd_decision *child;
    BD_TRY(bd_decide(e->plan, at, &e->chain, &child));
    e->children[e->n_children++] = &child->shown;
    if (!child->shown.is_taken) return blame(e, child, out_outcome);
  }
  return BUDDY_OK;
}

/* ---- Taking it ---- */
/* The expansion further out may have chosen this value; from now on it is another. */
static void follow(const bd_chain *outer, const buddy_value *value, const buddy_value *with) {
  for (size_t i = 0; outer && i < outer->n_results; ++i) {
    if (outer->replacements[i] == value) outer->replacements[i] = with;
  }
}

/* Shape symbols whose value is a result of the node: they become symbols of what replaces it. */
static buddy_code rebind_symbols(const expansion *e) {
  buddy_graph *graph = buddy_node_graph(e->chain.node);
  const size_t n = buddy_graph_n_symbols(graph);
  for (size_t k = 0; k < n; ++k) {
    const buddy_value *bound = buddy_graph_symbol(graph, k)->bound_to;
    if (!bound || buddy_value_node(bound) != e->chain.node) continue;
    const buddy_value *with = e->chain.replacements[buddy_value_index(bound)];
    BD_TRY(with ? buddy_graph_bind_symbol(graph, k, with) : BUDDY_INTERNAL);
  }
  return BUDDY_OK;
}

static buddy_code commit(expansion *e) {
  for (size_t i = 0; i < e->chain.n_results; ++i) {
    const buddy_value *result = buddy_node_result(e->chain.node, i),
                      *with = e->chain.replacements[i];
    if (!with) continue;
    BD_TRY(buddy_graph_replace_value(buddy_node_graph(e->chain.node), result, with));
    follow(e->chain.outer, result, with);
  }
  e->chain.decision->shown.expansion = e->children;
  e->chain.decision->shown.n_expansion = e->n_children;
  if (bd_decision_detach(e->plan, e->chain.decision)) return BUDDY_OUT_OF_MEMORY;
  if (buddy_node_erase(e->chain.node) == BUDDY_OK) return BUDDY_OK;
  BD_TRY(rebind_symbols(e));
  return buddy_node_erase(e->chain.node);
}

static buddy_code expand(expansion *e, bd_outcome *out_outcome) {
  buddy_code code = run_row(e, out_outcome);
  if (code == BUDDY_OK && out_outcome->code == BUDDY_OK) code = erase_unused(e);
  if (code == BUDDY_OK && out_outcome->code == BUDDY_OK) code = decide_added(e, out_outcome);
  if (code == BUDDY_OK && out_outcome->code == BUDDY_OK) return commit(e);
  const buddy_code undone = undo(e);
  return code == BUDDY_OK ? undone : code;
}

buddy_code bd_expand(buddy_plan *plan, bd_decision *decision, const bd_row *row,
                     const bd_chain *outer, bd_outcome *out_outcome) {
  buddy_code code = BUDDY_OK;
  const char *circle = find_circle(plan, decision, row, outer, &code);
  if (circle || code != BUDDY_OK) {
    *out_outcome = (bd_outcome){BUDDY_CYCLE, circle, 0};
    return code;
  }
  const size_t n = buddy_node_n_results(decision->node);
  expansion e = {.plan = plan,
                 .chain = {outer, decision, decision->node, row, NULL, n},
                 .before = buddy_node_prev(decision->node)};
  e.chain.replacements = bd_calloc(n, sizeof *e.chain.replacements);
  if (!e.chain.replacements) return BUDDY_OUT_OF_MEMORY;
  buddy_graph *graph = buddy_node_graph(decision->node);
  code = expand(&e, out_outcome);
  if (code == BUDDY_OK) bd_graph_check(graph, row->name);
  bd_free(e.chain.replacements);
  return code;
}
