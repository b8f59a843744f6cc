// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/accusation.h: what a search has found, and how it is told. */
#ifndef BUDDY_SDK_CLI_BISECT_ACCUSATION_H
#define BUDDY_SDK_CLI_BISECT_ACCUSATION_H

#include "sdk/cli/bisect/bisect.h"

typedef struct bd_accusation {
  bd_finding finding;
  bd_choices choices; /* that make it right */
} bd_accusation;

typedef struct bd_accusations {
  bd_finding whole;  /* all nodes together */
  bool is_off;       /* the whole is */
  bool is_later_run; /* its first run is right */
  bool is_searched;  /* nodes and options were looked at */
  bool is_explained; /* it is off though no node is: rounding that adds up */
  bd_accusation *items;
  size_t n;
  bd_findings every;  /* node by node, off or not, where that is wanted */
  bd_choices choices; /* that make the whole right, where no node is off */
  bool is_confirmed;  /* with the first choice of each, the whole was right */
  bd_finding with;    /* the whole with them */
} bd_accusations;

bd_accusation *bd_accusations_add(bd_accusations *all, const bd_finding *finding);
/* A node's own error, whatever it is. */
buddy_code bd_accusations_measure(bd_accusations *all, const bd_finding *finding);
void bd_accusations_free(bd_accusations *all);
/* Code of the cache is off, and what is compiled anew is not. */
void bd_accusations_of_cache(bd_accusations *all, const bd_finding *cached, const bd_finding *anew);
/* Runs the whole with what avoids all that were found so far; where that is right the search is over. */
buddy_code bd_accusations_confirm(bd_accusations *all, bd_bisect *b, const bd_results *reference);
/* After the search: in the order of nodes; without any that is off, turns the choices of the whole. */
buddy_code bd_accusations_conclude(bd_accusations *all, bd_bisect *b);
/* Which has the node at the position; which is of a single node of the op, with a way out. Null: none. */
const bd_accusation *bd_accusations_find(const bd_accusations *all, size_t position);
const bd_accusation *bd_accusations_find_op(const bd_accusations *all, const bd_bisect *b,
                                            const char *op);

/* Errors to be shown: of every node where those were measured, else of what is accused. */
size_t bd_accusations_n_errors(const bd_accusations *all);
const bd_finding *bd_accusations_error(const bd_accusations *all, size_t i);
void bd_accusations_tell(const bd_accusations *all, const bd_bisect *b, bool is_json);
buddy_code bd_accusations_write(const bd_accusations *all, const bd_bisect *b, const char *path);
/* A page: what is off, and the graph with its errors (page.c). After it the graph is planned. */
buddy_code bd_accusations_page(const bd_accusations *all, const bd_bisect *b, const char *model,
                               const char *path);
void bd_nonfinite_tell(const bd_nonfinite *nonfinite, const bd_bisect *b, bool is_json);

#endif
