// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/graph.c: creation and destruction of graphs, subgraphs, and what a world shares. */
#include <string.h>

#include "core/base/array.h"
#include "core/graph/model.h"

const char *bd_graph_intern(buddy_graph *graph, const char *string, buddy_code *code) {
  if (!string) return NULL;
  const char *kept = bd_intern(&graph->world->strings, string, strlen(string));
  if (!kept) *code = BUDDY_OUT_OF_MEMORY;
  return kept;
}

bool bd_graph_is_inside(const buddy_graph *graph, const buddy_graph *outer) {
  const buddy_graph *parent = graph->parent;
  while (parent && parent != outer) parent = parent->parent;
  return parent != NULL;
}

/* ---- Creation ---- */

/* A graph in the world's memory, entered in its list. */
static buddy_code add_graph(bd_world *world, buddy_graph *parent, const char *name,
                            buddy_graph **out_graph) {
  void *graphs = bd_array_grow(world->graphs, &world->graphs_capacity, world->n_graphs + 1,
                               sizeof *world->graphs);
  if (!graphs) return BUDDY_OUT_OF_MEMORY;
  world->graphs = graphs;
  buddy_graph *graph = bd_arena_calloc(&world->pool.arena, 1, sizeof *graph);
  if (!graph) return BUDDY_OUT_OF_MEMORY;
  graph->world = world;
  graph->parent = parent;
  graph->depth = parent ? parent->depth + 1 : 0;
  graph->name = bd_intern(&world->strings, name, strlen(name));
  if (!graph->name) return BUDDY_OUT_OF_MEMORY;
  graph->number = world->n_graphs;
  bool hash_is_full = false;
  if (parent) HASH_ADD_KEYPTR(hh, world->graphs_by_name, graph->name, strlen(graph->name), graph);
  if (hash_is_full) return BUDDY_OUT_OF_MEMORY;
  world->graphs[world->n_graphs++] = graph;
  *out_graph = graph;
  return BUDDY_OK;
}

static void free_graph(buddy_graph *graph) {
  HASH_CLEAR(hh, graph->names);
  bd_free(graph->inputs);
  bd_free(graph->outputs);
  bd_free(graph->free_ids);
}

static void destroy_world(bd_world *world) {
  for (size_t i = 0; i < world->n_graphs; ++i) free_graph(world->graphs[i]);
  HASH_CLEAR(hh, world->graphs_by_name);
  HASH_CLEAR(hh, world->locations);
  bd_free(world->graphs);
  bd_free(world->guards);
  bd_free(world->equal);
  bd_dims_deinit(&world->dims);
  bd_interner_deinit(&world->strings);
  bd_pool_deinit(&world->pool);
  bd_free(world);
}

buddy_code buddy_graph_create(const buddy_opset *opset, const char *name, buddy_graph **out_graph) {
  *out_graph = NULL;
  bd_world *world = bd_calloc(1, sizeof *world);
  if (!world) return BUDDY_OUT_OF_MEMORY;
  world->opset = opset;
  world->dims.arena = &world->pool.arena;
  world->strings.arena = &world->pool.arena;
  const buddy_code code = add_graph(world, NULL, name ? name : "graph", out_graph);
  if (code) destroy_world(world);
  return code;
}

void buddy_graph_destroy(buddy_graph *graph) {
  if (graph && !graph->parent) destroy_world(graph->world);
}

static buddy_graph *find_subgraph(const bd_world *world, const char *name) {
  buddy_graph *found;
  HASH_FIND(hh, world->graphs_by_name, name, strlen(name), found);
  return found;
}

/* "graph_3", the first that is new. */
static const char *choose_name(bd_world *world) {
  for (size_t number = world->n_graphs;; ++number) {
    char *name = bd_arena_format(&world->pool.arena, "graph_%zu", number);
    if (!name || !find_subgraph(world, name)) return name;
  }
}

buddy_code buddy_graph_add_subgraph(buddy_graph *parent, const char *name,
                                    buddy_graph **out_graph) {
  *out_graph = NULL;
  bd_world *world = parent->world;
  if (name && (!*name || find_subgraph(world, name))) return BUDDY_INVALID_ARGUMENT;
  if (parent->depth == BD_MAX_NESTING) return BUDDY_LIMIT;
  if (!name) name = choose_name(world);
  return name ? add_graph(world, parent, name, out_graph) : BUDDY_OUT_OF_MEMORY;
}

/* ---- Reading ---- */

const char *buddy_graph_name(const buddy_graph *graph) { return graph->name; }
const buddy_opset *buddy_graph_opset(const buddy_graph *graph) { return graph->world->opset; }
buddy_graph *buddy_graph_parent(const buddy_graph *graph) { return graph->parent; }
size_t buddy_graph_n_nodes(const buddy_graph *graph) { return graph->n_nodes; }
buddy_node *buddy_graph_first(const buddy_graph *graph) { return graph->first; }
buddy_node *buddy_graph_last(const buddy_graph *graph) { return graph->last; }
