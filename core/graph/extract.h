// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/extract.h: some nodes of a graph as a graph of their own.
 *
 * What they use and do not make are its inputs, in the order in which they use it; parameters,
 * buffers and constants stay what they are, and their bytes the first graph's. Names and locations
 * are kept. */
#ifndef BUDDY_CORE_GRAPH_EXTRACT_H
#define BUDDY_CORE_GRAPH_EXTRACT_H

#include <stdbool.h>

#include "buddy/graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_cut {
  bool (*has)(const void *user, const buddy_node *node); /* asked in the order of nodes */
  const void *user;
  const buddy_value *const *outputs; /* of those nodes */
  size_t n_outputs;
  /* Numbers of the first graph's symbols, which take their place; null: sizes stay symbolic. */
  const int64_t *symbols;
  /* Floats become float64, complex numbers complex128: in types, and where a dtype is an argument. A node
   * whose numbers follow from its dtype (random, nextafter, an epsilon by default) keeps that, between conversions.
   * Parameters, buffers and constants become inputs as the user's are, for their bytes do not fit. */
  bool is_double;
} bd_cut;

/* BUDDY_NOT_FOUND: an output is not of the nodes. */
BUDDY_EXPORT buddy_code bd_graph_extract(const buddy_graph *graph, const bd_cut *cut,
                                         buddy_diags *diags, buddy_graph **out_graph);
/* What a dtype becomes where numbers become double. */
BUDDY_EXPORT buddy_dtype bd_dtype_double(buddy_dtype dtype);

#ifdef __cplusplus
}
#endif
#endif
