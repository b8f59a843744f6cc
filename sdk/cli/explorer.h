// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/explorer.h: files of Model Explorer (ai-edge-model-explorer): graphs, whose nodes lie in
 * layers by the path of their module, and node data, numbers by which nodes are coloured. */
#ifndef BUDDY_SDK_CLI_EXPLORER_H
#define BUDDY_SDK_CLI_EXPLORER_H

#include <jansson.h>

#include "sdk/cli/session.h"

/* {"label": …, "graphs": [{"id", "nodes"}, …]}: the graph and its subgraphs, as they are now: a plan
 * changes the graph. Null when memory is out. */
json_t *bd_explorer_graphs(const buddy_graph *graph, const char *label);
/* Of the path of a module, of n bytes: "layer1.0.conv1" is the layer layer1/0/conv1. */
json_t *bd_explorer_layer(const char *path, size_t n);
/* Tells each node which registry took it, and why the others did not. */
void bd_explorer_add_plan(json_t *graphs, const bd_session *session);

/* Node data of the top graph: numbers by the names of nodes, from white to red. They are added up where
 * a node has several. */
json_t *bd_explorer_data(const char *name);
void bd_explorer_data_add(json_t *data, const char *node, double number);
/* Who took each node, a colour for each registry. */
json_t *bd_explorer_takers(const bd_session *session);
/* Takes the reference. */
buddy_code bd_explorer_data_write(json_t *data, const buddy_graph *graph, const char *path,
                                  buddy_diags *diags);

#endif
