// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/check/check.h: `buddy plugin check`: what its files share.
 *
 * Nothing of the plugin runs in the command's own process. Each stage is a child (child.c) that
 * tells what it finds as lines of JSON; a child that dies or hangs is a finding itself.
 *
 *   child.c     children with a time limit, and what they tell
 *   state.c     the process around the plugin: what it must leave as it was
 *   subject.c   the plugin loaded, alone and beside the registries it is compared with
 *   graphs.c    graphs to ask the rows about: from the installed file, and from schemas
 *   numbers.c   inputs, and the comparison of results
 *   cases.c     the author's own cases: lines of JSON
 *   rows.c      one op: match, emit or expand, lower, run, compare
 *   ahead.c     its functions, for models that are compiled ahead of time
 *   stress.c    threads, leaks, memory that runs out
 *   report.c    the report, as text and as JSON */
#ifndef BUDDY_SDK_CLI_CHECK_CHECK_H
#define BUDDY_SDK_CLI_CHECK_CHECK_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "buddy/compile.h"
#include "sdk/cli/session.h"

typedef struct bd_check {
  const char *file, *graphs; /* the plugin; graphs of one op each, null: the installed ones */
  const char **cases;        /* files of the author's */
  size_t n_cases;
  const char *only;         /* an op; null: all */
  unsigned seconds;         /* for one step of a child */
  unsigned limit;           /* seconds after which no further op is begun; 0: none */
  unsigned shard, n_shards; /* every n-th op, from this one on; n_shards 0: all */
  bool is_quick;            /* nothing is compiled */
  bd_registry_flags flags;  /* folders to search */
  char name[32];            /* of the registry, from the note */
  json_t *findings;         /* array */
  json_t *ops;              /* array: what came of each op */
  json_t *facts;            /* object: what is known of the file */
} bd_check;

/* ---- child.c --------------------------------------------------------------------------------- */
/* What a child tells. stage, op and todo may be null. */
void bd_tell(FILE *out, json_t *object); /* takes the object over */
void bd_tell_finding(FILE *out, const char *severity, const char *stage, const char *op,
                     const char *todo, const char *format, ...) BUDDY_PRINTF(6, 7);
/* What is about to be done: shown if the child does not come back. Starts the time limit anew. */
void bd_tell_step(FILE *out, const char *format, ...) BUDDY_PRINTF(2, 3);

typedef void (*bd_child_body)(const bd_check *check, void *user, FILE *out);
/* Runs the body in a child. Findings go to check->findings; other objects that were told go to
 * `told` (an array; may be null). Returns whether the child ended by itself. */
int bd_child_run(bd_check *check, const char *stage, const char *op, bd_child_body body, void *user,
                 json_t *told);

/* ---- state.c --------------------------------------------------------------------------------- */
typedef struct bd_process_state bd_process_state;
bd_process_state *bd_process_state_take(void);
/* Tells everything that is no longer as it was. */
void bd_process_state_compare(const bd_process_state *before, const char *op, FILE *out);
void bd_process_state_free(bd_process_state *state);

/* ---- subject.c ------------------------------------------------------------------------------- */
/* Two sets of registries: with the plugin first, and without it. */
typedef struct bd_subject {
  buddy_diags *diags;
  buddy_opset *opset, *reference_opset;
  buddy_search *search, *reference_search;
  buddy_registries *registries, *reference; /* reference: null if no other registry is there */
  size_t number;                            /* of the plugin among the registries */
} bd_subject;
/* alone: no other registries, and no reference. A failure is told. */
buddy_code bd_subject_open(const bd_check *check, int alone, bd_subject *subject, FILE *out);
void bd_subject_close(bd_subject *subject);
/* All diagnostics as one line; "" if there are none. Owned by the caller. */
char *bd_diags_text(const buddy_diags *diags);

/* ---- graphs.c -------------------------------------------------------------------------------- */
/* Texts of graphs whose one node is `op`: from the file, and made from its schema. Array of
 * strings. */
json_t *bd_graphs_of(const bd_check *check, const buddy_opset *opset, const char *op);

/* ---- numbers.c ------------------------------------------------------------------------------- */
/* Values for the inputs of a graph; symbols get numbers of their range. 0: they cannot be made. */
int bd_inputs_make(const buddy_graph *graph, unsigned seed, buddy_tensor *inputs);
/* Null if they agree as far as their dtypes let them; else what differs, owned by the caller.
 * tolerance 0: the dtype's own. */
char *bd_tensors_compare(const buddy_tensor *got, const buddy_tensor *wanted, double tolerance);

/* ---- rows.c ---------------------------------------------------------------------------------- */
/* A graph on its way to numbers. All null is an empty one. */
typedef struct bd_road {
  buddy_graph *graph;
  buddy_plan *plan;
  buddy_module *module;
  char *text; /* of the module */
} bd_road;
void bd_road_free(bd_road *road);
/* Parses, plans and, if all is taken, lowers and prints. */
buddy_code bd_road_lower(const buddy_registries *registries, const char *graph, buddy_diags *diags,
                         bd_road *road);
/* Compiles and runs; the module is used up. outputs are the caller's to release. */
buddy_code bd_road_run(const buddy_registries *registries, bd_road *road,
                       const buddy_tensor *inputs, size_t n_inputs, buddy_tensor *outputs,
                       size_t n_outputs, buddy_diags *diags);
/* Whether a row of the plugin took the node of the graph. */
int bd_road_is_taken(const bd_subject *subject, const bd_road *road);
/* user: the op's name. Tells {"op": …, "graphs": n, "taken": n, "compared": n, "texts": […]}. */
void bd_check_op(const bd_check *check, void *user, FILE *out);

/* ---- cases.c --------------------------------------------------------------------------------- */
/* user: the path of the file. Tells {"case_op": …, "passed": n} per op. */
void bd_check_cases(const bd_check *check, void *user, FILE *out);

/* ---- ahead.c --------------------------------------------------------------------------------- */
/* Tells {"ahead": file, "version": …, "functions": […]} if the registry brings functions, and says
 * where they are. */
void bd_check_tell_ahead(const bd_check *check, const bd_subject *subject, FILE *out);
/* user: what that told. */
void bd_check_ahead(const bd_check *check, void *user, FILE *out);

/* ---- stress.c -------------------------------------------------------------------------------- */
/* user: an array of graph texts that the plugin takes. */
void bd_check_threads(const bd_check *check, void *user, FILE *out);
void bd_check_leaks(const bd_check *check, void *user, FILE *out);
void bd_check_memory(const bd_check *check, void *user, FILE *out);

/* ---- report.c -------------------------------------------------------------------------------- */
size_t bd_check_count(const bd_check *check, const char *severity);
void bd_check_print(const bd_check *check);
void bd_check_print_json(const bd_check *check);

#endif
