// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/dim_fuzz.c: any bytes as a size expression. What parses must print to a text that
 * reads back to the same number, and both must have the same value. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(buddy_graph *graph, int64_t dim) {
  static char text[1 << 18];
  const int64_t values[] = {3, 10, -2};
  int64_t again, value;
  buddy_graph_dim_text(graph, dim, text, sizeof text);
  if (buddy_graph_dim_parse(graph, (buddy_sv){text, strlen(text)}, NULL, &again)) abort();
  if (again != dim) abort();
  buddy_graph_dim_eval(graph, dim, values, 3, &value);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  buddy_opset *opset;
  buddy_diags *diags;
  buddy_graph *graph;
  int64_t dim;
  if (buddy_opset_create(&opset) || buddy_diags_create(&diags) ||
      buddy_graph_create(opset, "g", &graph))
    abort();
  buddy_graph_add_symbol(graph, "s0", 2, 64, &dim);
  buddy_graph_add_symbol(graph, "s77", 0, INT64_MAX, &dim);
  buddy_graph_add_symbol(graph, "u0", INT64_MIN, INT64_MAX, &dim);
  if (!buddy_graph_dim_parse(graph, (buddy_sv){(const char *)data, size}, diags, &dim))
    check(graph, dim);
  buddy_graph_destroy(graph);
  buddy_diags_destroy(diags);
  buddy_opset_destroy(opset);
  return 0;
}
