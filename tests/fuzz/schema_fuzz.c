// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* tests/fuzz/schema_fuzz.c: any bytes as a schema in PyTorch's notation. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "buddy/graph.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A graph with one node of every op that takes its defaults alone: defaults must be arguments like
 * any other. */
static void build_node(buddy_opset *opset, const buddy_opdef *def) {
  buddy_graph *graph;
  const buddy_tensor_type types[1] = {{BUDDY_F32, 0, NULL}};
  if (buddy_graph_create(opset, "g", &graph)) return;
  const size_t n = buddy_opdef_n_results(def) ? 1 : 0;
  buddy_graph_add_node(graph, NULL, buddy_opdef_name(def), NULL, NULL, 0, types, n, NULL, NULL);
  if (buddy_graph_verify(graph, NULL)) abort();
  buddy_graph_destroy(graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *schema = malloc(size + 1);
  buddy_opset *opset;
  buddy_diags *diags;
  if (!schema || buddy_opset_create(&opset) || buddy_diags_create(&diags)) abort();
  if (size) memcpy(schema, data, size);
  schema[size] = 0;
  const buddy_schema_row row = {"x.f.default", schema, 0};
  if (buddy_opset_add_table(opset, &row, 1)) abort();
  buddy_opset_find(opset, row.name);
  if (!buddy_opset_define(opset, schema, BUDDY_KIND_OTHER, diags)) {
    /* The name stands before the arguments; find the definition under every name that it may
     * have. */
    const buddy_opdef *def = buddy_opset_find(opset, "aten.f.default");
    if (!def) def = buddy_opset_find(opset, row.name);
    if (def) build_node(opset, def);
  }
  buddy_diags_destroy(diags);
  buddy_opset_destroy(opset);
  free(schema);
  return 0;
}
