// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/names.h: the names of one graph's nodes, inputs and results. */
#ifndef BUDDY_CORE_GRAPH_NAMES_H
#define BUDDY_CORE_GRAPH_NAMES_H

#include "core/graph/model.h"

/* Whether a node or input of that name with `n_results` results may be added: neither it nor any of
 * the names of its results exists. */
bool bd_name_is_free(const buddy_graph *graph, const char *name, size_t n_results);
/* Fills `name` with a copy of `text`, or, if that is null, with a new name made from `base`; and
 * enters it. */
buddy_code bd_name_add(buddy_graph *graph, bd_graph_name *name, const char *text, const char *base,
                       size_t n_results);
/* Removes it from the graph and frees the text. An empty name is allowed. */
void bd_name_remove(buddy_graph *graph, bd_graph_name *name);
/* "name.3" in the pool; null when memory is out. Free it with its length + 1. */
char *bd_name_of_result(buddy_graph *graph, const bd_graph_name *name, size_t i);

#endif
