// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/model.h: the structures behind graph.h.
 *
 *   world      what a top graph shares with its subgraphs: memory, dims, strings, locations
 *   graph      inputs, nodes, outputs, names
 *   node       one piece of memory: the node, its results, pointers to its arguments
 *   argument   one piece of memory: the buddy_arg, the uses it makes, the elements of its list
 *
 * An argument at its default is not copied: the node points to the default of the op definition. So
 * "is it the default" is a comparison of pointers. All memory comes from the world's pool and is
 * given back piece by piece. */
#ifndef BUDDY_CORE_GRAPH_MODEL_H
#define BUDDY_CORE_GRAPH_MODEL_H

#include "core/base/intern.h"
#include "core/base/pool.h"
#include "core/graph/dim_table.h"
#include "core/symbols/opdef.h"

#define BD_MAX_RANK 64u
#define BD_MAX_NESTING 64u /* of subgraphs: bounds every recursion over them */

typedef struct bd_location {
  buddy_location location; /* strings interned: equal locations have equal bytes */
  UT_hash_handle hh;
} bd_location;

typedef struct bd_equal_dims {
  int64_t dims[2];
  const buddy_graph *graph; /* in which they are */
} bd_equal_dims;

typedef struct bd_world {
  bd_pool pool;
  const buddy_opset *opset;
  bd_dims dims;
  struct bd_guard *guards; /* guards.h */
  size_t n_guards, guards_capacity;
  bd_equal_dims *equal; /* by guards */
  size_t n_equal, equal_capacity;
  bool is_cut;     /* symbols were fixed: branches may contradict themselves that no run enters */
  bool is_planned; /* nodes that are added now are made of checked ones, and need no guards */
  bd_interner strings; /* in the pool's arena, never given back */
  bd_location *locations;
  const buddy_location *place; /* where the node comes from that is being added; null: not told */
  buddy_graph **graphs;        /* the top graph, then its subgraphs as they came */
  size_t n_graphs, graphs_capacity;
  buddy_graph *graphs_by_name; /* the subgraphs */
} bd_world;

/* Holds the nodes of all graphs of the world that were edited since they were added or checked
 * against the contracts of their ops: a contradiction is told with its node and is
 * BUDDY_INVALID_ARGUMENT; what sizes must be equal is guarded, as where a node is added. */
BUDDY_EXPORT buddy_code bd_graph_check_edited(buddy_graph *graph, buddy_diags *diags);

/* Holds what buddy_graph_verify checks, after what `after` says changed the graph: with the CMake
 * option BUDDY_PARANOID alone; a graph that does not verify ends the process. */
#ifdef BUDDY_PARANOID
BUDDY_EXPORT void bd_graph_check(const buddy_graph *graph, const char *after);
#else
static inline void bd_graph_check(const buddy_graph *graph, const char *after) {
  (void)graph;
  (void)after;
}
#endif

/* The name of a node or of an input. Names of single results are their node's; of several,
 * derived. */
typedef struct bd_graph_name {
  const char *text; /* in the pool */
  uint32_t size;
  bool is_input;
  UT_hash_handle hh;
} bd_graph_name;

struct buddy_use {
  buddy_use *next, *prev;
  buddy_node *node; /* null: an output */
  uint32_t arg, element;
};

struct buddy_value {
  buddy_tensor_type type;
  const char *name;
  buddy_graph *graph;
  buddy_node *node; /* null: an input */
  buddy_use *first_use, *last_use;
  size_t n_uses;
  uint32_t index;
  uint32_t n_symbols; /* bound to it */
};

struct buddy_node {
  buddy_graph *graph;
  buddy_node *next, *prev;
  const buddy_opdef *def; /* null: unknown op */
  const char *op;
  const char *const *arg_names; /* of an unknown op; else null */
  const buddy_location *location;
  bd_graph_name name;
  uint32_t n_args, n_results;
  bool is_checked;        /* its shapes keep the op's contract; an edit takes that back */
  uint32_t id;            /* small, unique among the living nodes of the graph */
  const buddy_arg **args; /* after the results */
  buddy_value results[];
};

typedef struct bd_graph_input {
  buddy_value value;
  bd_graph_name name;
  buddy_input_kind kind;
  const char *target; /* interned */
  buddy_data data;    /* strides in the pool */
} bd_graph_input;

typedef struct bd_graph_output {
  const buddy_arg *arg;
  buddy_output_kind kind;
  const char *target; /* interned */
} bd_graph_output;

struct buddy_graph {
  bd_world *world;
  buddy_graph *parent;
  const char *name; /* interned */
  size_t number;    /* in world->graphs */
  uint32_t depth;   /* 0: a top graph */
  buddy_node *first, *last;
  size_t n_nodes;
  bd_graph_name *names;
  uint64_t n_chosen; /* names chosen so far */
  bd_graph_input **inputs;
  size_t n_inputs, inputs_capacity;
  bd_graph_output **outputs;
  size_t n_outputs, outputs_capacity;
  uint32_t next_id;
  uint32_t *free_ids; /* of erased nodes */
  size_t n_free_ids, free_ids_capacity;
  UT_hash_handle hh; /* by name, in world->graphs_by_name */
};

/* Values are const to users and owned by the graph: here is where it edits them. */
static inline buddy_value *bd_value_edit(const buddy_value *value) {
  return (buddy_value *)(uintptr_t)value;
}
static inline buddy_use *bd_use_edit(const buddy_use *use) { return (buddy_use *)(uintptr_t)use; }

static inline void *bd_graph_alloc(buddy_graph *graph, size_t size) {
  return bd_pool_alloc(&graph->world->pool, size);
}
static inline void bd_graph_free(buddy_graph *graph, const void *memory, size_t size) {
  bd_pool_free(&graph->world->pool, (void *)(uintptr_t)memory, size);
}
/* Whether `graph` is a subgraph of `outer`, or of one of its subgraphs. */
bool bd_graph_is_inside(const buddy_graph *graph, const buddy_graph *outer);
/* Says where the nodes come from that are added next: what is wrong with one is told with it. The
 * location is the caller's; null ends it. */
BUDDY_EXPORT void bd_graph_set_place(buddy_graph *graph, const buddy_location *place);
/* What a program writes to an input or a buffer must be of its type: another one is
 * BUDDY_INVALID_ARGUMENT, and sizes that only a run can tell are guarded. */
BUDDY_EXPORT buddy_code bd_graph_check_mutations(buddy_graph *graph, buddy_diags *diags);
/* Output i, a tensor, is the new value of `target` from now on, as buddy_graph_add_output takes it. */
BUDDY_EXPORT buddy_code bd_graph_retarget_output(buddy_graph *graph, size_t i,
                                                 buddy_output_kind kind, const char *target);
/* Null gives null; *code tells whether memory was out. */
const char *bd_graph_intern(buddy_graph *graph, const char *string, buddy_code *code);

#endif
