// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/guards.h: what must hold of the sizes of a graph for its types to be true.
 *
 * A predicate over shape symbols is a dim: it holds where the dim is not negative. So comparisons
 * and their combinations are arithmetic, and fold, print, and are computed as any other dim:
 *
 *   a <= b   b - a               p and q   min(p, q)
 *   a == b   min(a - b, b - a)   p or q    max(p, q)
 *   a != b   max(a - b, b - a) - 1   not p     -1 - p
 *
 * A guard must hold whenever its graph runs: a top graph, or a branch or a loop's body, which may not
 * be reached. What a top graph's inputs tell is checked before a run begins; the rest when the guard's
 * graph is entered, or where the last of the symbols becomes known. */
#ifndef BUDDY_CORE_GRAPH_GUARDS_H
#define BUDDY_CORE_GRAPH_GUARDS_H

#include <stdbool.h>
#include <stddef.h>

#include "buddy/graph.h"
#include "core/base/numbers.h"
#include "core/base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_guard {
  int64_t dim;       /* symbolic; the guard holds where it is not negative */
  const char *text;  /* "s0//2*2 == s0", interned */
  const char *where; /* the node that asks for it, or "": interned */
  const buddy_graph *graph;
} bd_guard;

typedef enum bd_relation { BD_EQ, BD_NE, BD_LT, BD_LE, BD_GT, BD_GE } bd_relation;

/* Appends "s0 >= 1". */
BUDDY_EXPORT void bd_relation_print(const buddy_graph *graph, bd_relation relation, int64_t a,
                                    int64_t b, bd_text *text);

/* Predicates. */
BUDDY_EXPORT buddy_code bd_predicate_compare(buddy_graph *graph, bd_relation relation, int64_t a,
                                             int64_t b, int64_t *out_predicate);
BUDDY_EXPORT buddy_code bd_predicate_and(buddy_graph *graph, int64_t p, int64_t q,
                                         int64_t *out_predicate);
BUDDY_EXPORT buddy_code bd_predicate_or(buddy_graph *graph, int64_t p, int64_t q,
                                        int64_t *out_predicate);
BUDDY_EXPORT buddy_code bd_predicate_not(buddy_graph *graph, int64_t p, int64_t *out_predicate);
/* True if it holds for all values of the symbols, or for none, as far as the ranges tell. */
BUDDY_EXPORT int bd_predicate_is_true(const buddy_graph *graph, int64_t predicate);
BUDDY_EXPORT int bd_predicate_is_false(const buddy_graph *graph, int64_t predicate);

/* What compares as the values of two texts do, which need not be whole: 0.5 and s0 as 1 and 2*s0. */
BUDDY_EXPORT buddy_code bd_graph_parse_compared(buddy_graph *graph, buddy_sv left, buddy_sv right,
                                                int64_t *out_left, int64_t *out_right);

/* Adds a guard of the graph; one that is true, or that holds already, is not added. A top graph's of no
 * node (`where` is empty) is the program's own, and what it says of a size is known of all dims that
 * are made later: where s0//3 == 1, s0//3 is 1. */
BUDDY_EXPORT buddy_code bd_graph_add_guard(buddy_graph *graph, int64_t predicate, const char *text,
                                           const char *where);
/* a (relation) b, which `node` needs: proved by the ranges of the symbols; refuted by them, which is
 * BUDDY_INVALID_ARGUMENT with a message; or else a guard. node: null: the graph needs it. Beyond the
 * arithmetic on dims: BUDDY_LIMIT, with a message. diags: null: what is refuted is a guard as well,
 * which no run meets. */
BUDDY_EXPORT buddy_code bd_graph_require(buddy_graph *graph, bd_relation relation, int64_t a,
                                         int64_t b, const buddy_node *node, buddy_diags *diags);
/* The common one: a size that is computed equals the size that is declared. */
BUDDY_EXPORT buddy_code bd_graph_require_equal(buddy_graph *graph, int64_t a, int64_t b,
                                               const buddy_node *node, buddy_diags *diags);

/* Whether requirements say that two dims are equal in the graph, over others too: a == c and c == b. */
BUDDY_EXPORT bool bd_graph_tells_equal(const buddy_graph *graph, int64_t a, int64_t b);

/* Whether that is a guard, so that it holds whenever the graph runs. */
BUDDY_EXPORT bool bd_graph_has_guard(const buddy_graph *graph, int64_t predicate);
/* Whether the guard holds in the graph: it is the graph's own, or one around it has it. */
BUDDY_EXPORT bool bd_guard_is_of(const bd_guard *guard, const buddy_graph *graph);
/* Of the top graph and all in it. */
BUDDY_EXPORT size_t bd_graph_n_guards(const buddy_graph *graph);
BUDDY_EXPORT const bd_guard *bd_graph_guard(const buddy_graph *graph, size_t i);

#ifdef __cplusplus
}
#endif
#endif
