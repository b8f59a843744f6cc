// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/registry/plan.h: what was decided, node by node; shared by the files that decide and that
 * emit. */
#ifndef BUDDY_CORE_REGISTRY_PLAN_H
#define BUDDY_CORE_REGISTRY_PLAN_H

#include "core/base/hash.h"
#include "core/registry/call.h"
#include "core/registry/registries.h"

#define BD_MAX_DEPTH 64 /* of expansions inside each other */
#define BD_MAX_EXPANSION \
  1048576 /* nodes that one imported node may become, those of undone tries included */

/* A decision as the user sees it, and what emission needs. */
typedef struct bd_decision bd_decision;
struct bd_decision {
  buddy_decision shown; /* types: null until it is asked for */
  buddy_node *node;     /* null: no longer in the graph; name and types are then copies */
  const bd_row *row;    /* that took it; null: none */
  size_t candidate;     /* number of that row among the candidates */
  uint64_t read;        /* what match has read */
  uint64_t given;       /* set of the node's arguments that are not at their default */
  size_t depth;         /* of the expansion it comes from; 0: imported */
  bd_decision *root;    /* of the imported node that it comes from; itself, if it is one */
  size_t budget;        /* of a root: nodes that it may still become */
  UT_hash_handle hh;    /* by node, in buddy_plan.by_node */
};

/* Most nodes of one op meet the same answers: their decisions share one list. */
#define BD_RECENT_TRIES 256
typedef struct bd_recent_tries {
  const buddy_try *items;
  size_t n;
} bd_recent_tries;

struct buddy_plan {
  const buddy_registries *registries;
  buddy_graph *graph;
  bd_arena arena;
  bd_reasons reasons;
  bd_recent_tries recent_tries[BD_RECENT_TRIES]; /* by their first row */
  bd_calls *calls;
  buddy_diags *diags;      /* of the caller, while planning or emitting */
  buddy_diags *complaints; /* of the graph, about what an expansion wants of it */
  bd_decision **decisions; /* of imported nodes */
  size_t n_decisions, decisions_capacity;
  const char *choice; /* by which a node that a transform asked about has its taker; "": none */
  bool has_rewrites;  /* by transforms: some nodes are decided before the walk comes to them */
  bd_decision *by_node;
  bd_decision *last_found; /* nodes are mostly asked for in the order in which they were decided;
                              null: none */
  struct bd_row_complaint *complained; /* rows that failed, each reported once */
};

/* The tries of one decision while it is being made. */
typedef struct bd_tries {
  buddy_try few[16];
  buddy_try *items; /* few, or on the heap */
  size_t n, capacity;
} bd_tries;
void bd_tries_init(bd_tries *tries);
void bd_tries_deinit(bd_tries *tries);
buddy_code bd_tries_add(bd_tries *tries, const bd_row *row, buddy_code code, const char *reason);

/* The expansions that a node comes from, outermost last. */
typedef struct bd_chain {
  const struct bd_chain *outer;
  bd_decision *decision; /* of the node that is being expanded */
  buddy_node *node;
  const bd_row *row;
  const buddy_value **replacements; /* of its results; null: none */
  size_t n_results;
} bd_chain;

/* A graph and its subgraphs, each once, in the order in which they were met. */
typedef struct bd_listed_graph {
  buddy_graph *graph;
  UT_hash_handle hh;
} bd_listed_graph;

/* All zero is an empty list. */
typedef struct bd_graph_list {
  bd_listed_graph *first; /* hh.next is the next one */
  bd_arena arena;
} bd_graph_list;

/* ---- plan_data.c */
buddy_code bd_graph_list_add(bd_graph_list *list, buddy_graph *graph);
/* Adds the subgraphs among the arguments of the graph's nodes. */
buddy_code bd_graph_list_add_subgraphs(bd_graph_list *list, const buddy_graph *graph);
void bd_graph_list_deinit(bd_graph_list *list);
/* Fills shown.types. */
buddy_code bd_decision_print_types(buddy_plan *plan, bd_decision *decision);
bd_decision *bd_plan_find(buddy_plan *plan, const buddy_node *node);
/* Copies what dies with the node, and forgets the node, even if memory is out. */
buddy_code bd_decision_detach(buddy_plan *plan, bd_decision *decision);
/* Puts a decision after those of imported nodes. */
buddy_code bd_plan_keep(buddy_plan *plan, bd_decision *decision);
/* Forgets a node that is about to be erased. */
buddy_code bd_plan_forget(buddy_plan *plan, buddy_node *node);
/* One string for all equal ones; null when memory is out. */
const char *bd_plan_intern(buddy_plan *plan, const char *text);
/* rank, dtype, and every pair of dims that are both numbers. */
bool bd_types_agree(const buddy_tensor_type *a, const buddy_tensor_type *b);
/* "(f32[2,3], f32[3]) -> f32[2]" */
void bd_node_types_text(const buddy_node *node, bd_text *text);

/* ---- decline.c: what the host itself declines by the fields of a row. Null: nothing; interned.
 * given: bd_node_given(node). *code: memory is out. */
const char *bd_decline(buddy_plan *plan, const bd_row *row, const buddy_node *node, uint64_t given,
                       buddy_code *code);
/* Which arguments of the node are not at their default: no row lists more than 64. */
uint64_t bd_node_given(const buddy_node *node);
/* A value of an argument as text: "True", "[1, 1]", "f32[2,s0]". */
void bd_arg_text(const buddy_graph *graph, const buddy_arg *arg, bd_text *text);

/* ---- transform.c: the rewrites of all registries, before rows are asked. */
buddy_code bd_plan_transform(buddy_plan *plan);

/* ---- decide.c */
/* A decision without an outcome; null when memory is out. */
bd_decision *bd_decision_add(buddy_plan *plan, buddy_node *node, const bd_chain *outer);
/* Decides for one node and, if it is expanded, for those that it becomes; it may then be gone from
 * the graph. A code other than BUDDY_OK (memory) ends all planning; that nobody takes the node is
 * no failure. */
buddy_code bd_decide(buddy_plan *plan, buddy_node *node, const bd_chain *outer,
                     bd_decision **out_decision);
/* The row that would emit the node as the graph stands; null: none, or it is expanded.
 * Nothing is kept of it. */
buddy_code bd_plan_taker(buddy_plan *plan, buddy_node *node, const bd_row **out_row);
/* Goes on with the candidates from `first` on, after tries that were made before. */
buddy_code bd_decide_from(buddy_plan *plan, bd_decision *decision, size_t first,
                          const bd_chain *outer, bd_tries *tries);

/* ---- expand.c */
/* Lets a row expand a node. BUDDY_OK in *out_outcome: the node is gone, and `decision` tells what
 * it became. */
buddy_code bd_expand(buddy_plan *plan, bd_decision *decision, const bd_row *row,
                     const bd_chain *outer, bd_outcome *out_outcome);

/* ---- prune.c: erases what has no effect, in a graph and its subgraphs. */
buddy_code bd_prune(buddy_graph *graph, buddy_plan *plan);
/* Erases the node if it has no effect. */
buddy_code bd_prune_node(buddy_node *node, buddy_plan *plan, bool *out_is_gone);

/* ---- report.c */
/* Reports the decisions that nobody took, grouped by op and reasons; BUDDY_UNSUPPORTED if there are
 * any. */
buddy_code bd_report_unsupported(const buddy_plan *plan, bd_decision *const *decisions, size_t n,
                                 buddy_diags *diags);
/* Warns once for each row that failed rather than declined. */
buddy_code bd_report_failure(buddy_plan *plan, const bd_row *row, const buddy_node *node,
                             buddy_code code, const char *reason);
void bd_report_deinit(buddy_plan *plan);

#endif
