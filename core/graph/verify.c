// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/verify.c: checks that a graph is what its structures claim.
 *
 *   1  lists     nodes are linked both ways, belong to the graph, and are as many as it says
 *   2  names     every input, node and value is found under its name
 *   3  types     dtypes and dims are valid
 *   4  arguments are what the schema allows
 *   5  uses      each argument that names a value is in that value's list exactly once, and
 *                nothing else is
 *   6  order     a value is defined before it is used
 *   7  symbols   each binding is counted by the value it leads to
 *   8  shapes    those of edited nodes keep the contracts of their ops
 *
 * The time is linear in the graph: positions of nodes stand in an array by their small ids. */
#include <string.h>

#include "core/base/assert.h"
#include "core/graph/arguments.h"
#include "core/graph/infer.h"
#include "core/graph/names.h"
#include "core/graph/types.h"

typedef struct verifier {
  const buddy_graph *graph;
  buddy_diags *diags;
  buddy_code code;
  uint32_t *positions; /* by id of a node: its place in the order, from 1; 0: no such node */
  size_t n_used;       /* uses that arguments make */
  size_t n_counted;    /* uses that values count */
} verifier;

static void complain(verifier *v, const char *where, const char *format, ...) BUDDY_PRINTF(3, 4);
static void complain(verifier *v, const char *where, const char *format, ...) {
  bd_text what;
  bd_text_init(&what);
  va_list args;
  va_start(args, format);
  bd_text_format_args(&what, format, args);
  va_end(args);
  const buddy_code code =
      buddy_diags_add(v->diags, BUDDY_ERROR, BUDDY_VERIFY_FAILED, where,
                      "report it: whoever built or changed the graph broke it", "%s", what.data);
  if (!v->code) v->code = code;
  bd_text_deinit(&what);
}

static void complain_about(verifier *v, const buddy_node *node, const char *what) {
  char where[256];
  buddy_node_describe(node, where, sizeof where);
  complain(v, where, "%s", what);
}

/* ---- Values ---- */

/* The argument that a use claims to be in; null if there is none. */
static const buddy_arg *arg_of(const verifier *v, const buddy_use *use) {
  if (use->node) return use->arg < use->node->n_args ? use->node->args[use->arg] : NULL;
  return use->arg < v->graph->n_outputs ? v->graph->outputs[use->arg]->arg : NULL;
}

static bool is_true_use(const verifier *v, const buddy_value *value, const buddy_use *use) {
  const buddy_arg *arg = arg_of(v, use);
  return arg && use->element < bd_arg_n_uses(arg) && bd_arg_use(arg, use->element) == use &&
         bd_arg_used(arg, use->element) == value;
}

static void verify_uses(verifier *v, const buddy_value *value) {
  size_t n = 0;
  const buddy_use *last = NULL;
  for (const buddy_use *use = value->first_use; use && n <= value->n_uses;
       last = use, use = use->next, ++n) {
    if (use->prev != last || !is_true_use(v, value, use)) {
      complain(v, value->name, "the list of its uses holds one that no argument makes");
      return;
    }
  }
  if (n != value->n_uses || last != value->last_use)
    complain(v, value->name, "its uses are not as many as it counts");
  v->n_counted += n;
}

static void verify_value(verifier *v, const buddy_value *value, const buddy_node *node,
                         size_t index) {
  if (value->graph != v->graph || value->node != node || value->index != index) {
    complain(v, value->name, "the value does not know where it belongs");
  }
  const char *problem = bd_type_problem(v->graph, &value->type);
  if (problem) complain(v, value->name, "its type %s", problem);
  if (buddy_graph_find_value(v->graph, value->name) != value) {
    complain(v, value->name, "another value, or none, is found under its name");
  }
  verify_uses(v, value);
}

/* ---- Arguments ---- */

/* Whether the value is there when node number `position` runs. */
static bool is_defined_before(const verifier *v, const buddy_value *value, uint32_t position) {
  if (!value->node) return true;
  const uint32_t own = value->node->id < v->graph->next_id ? v->positions[value->node->id] : 0;
  return own != 0 && own < position;
}

static void verify_arg_uses(verifier *v, const buddy_arg *arg, const buddy_node *node, size_t index,
                            uint32_t position, const char *where) {
  for (size_t i = 0; i < bd_arg_n_uses(arg); ++i) {
    const buddy_value *value = bd_arg_used(arg, i);
    if (!value) continue;
    const buddy_use *use = bd_arg_use(arg, i);
    if (use->node != node || use->arg != index || use->element != i)
      complain(v, where, "a use does not know its argument");
    if (!is_defined_before(v, value, position)) {
      complain(v, where, "it uses %s before that is defined", value->name);
    }
    ++v->n_used;
  }
}

static void verify_schema(verifier *v, const buddy_node *node, size_t i, const char *where) {
  const buddy_schema_arg *schema = &node->def->args[i];
  bd_conformed conformed;
  if (buddy_node_arg_is_default(node, i)) return;
  if (!bd_arg_conform(schema, node->args[i], &conformed)) {
    complain(v, where, "argument \"%s\" is %s, which the schema does not allow", schema->name,
             bd_arg_kind_name(node->args[i]->kind));
  }
}

static void verify_args(verifier *v, const buddy_node *node) {
  char where[256];
  buddy_node_describe(node, where, sizeof where);
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const char *problem = bd_arg_problem(v->graph, node->args[i]);
    if (problem) {
      complain(v, where, "argument \"%s\" %s", buddy_node_arg_name(node, i), problem);
      continue;
    }
    if (node->def) verify_schema(v, node, i, where);
    verify_arg_uses(v, node->args[i], node, i, v->positions[node->id], where);
  }
}

/* ---- Nodes ---- */

static bool number_nodes(verifier *v) {
  const buddy_graph *graph = v->graph;
  uint32_t position = 0;
  const buddy_node *last = NULL;
  for (const buddy_node *node = graph->first; node; last = node, node = node->next) {
    const bool is_known = node->id < graph->next_id && v->positions[node->id] == 0;
    if (node->prev != last || node->graph != graph || !is_known || position == graph->n_nodes) {
      complain_about(v, node, "the list of nodes is broken here");
      return false;
    }
    v->positions[node->id] = ++position;
  }
  if (graph->last == last && position == graph->n_nodes) return true;
  complain(v, graph->name, "the list of nodes does not end where the graph says");
  return false;
}

/* What was added is checked; this is for what was edited since. */
static void verify_shapes(verifier *v, const buddy_node *node) {
  bd_text why;
  bd_text_init(&why);
  const buddy_code code = bd_infer_check(node, &why, NULL);
  if (code == BUDDY_OUT_OF_MEMORY)
    v->code = code;
  else if (code)
    complain_about(v, node, why.data);
  bd_text_deinit(&why);
}

static void verify_node(verifier *v, const buddy_node *node) {
  bd_graph_name *found;
  HASH_FIND(hh, v->graph->names, node->name.text, node->name.size, found);
  if (found != &node->name)
    complain_about(v, node, "another node, or none, is found under its name");
  const bool counts =
      !node->def || node->def->has_more_results || node->n_results == node->def->n_results;
  if (!counts) complain_about(v, node, "its results are not as many as the schema says");
  for (uint32_t i = 0; i < node->n_results; ++i) verify_value(v, &node->results[i], node, i);
  verify_args(v, node);
  if (!v->code && !node->is_checked) verify_shapes(v, node);
}

static void verify_outputs(verifier *v) {
  const buddy_graph *graph = v->graph;
  for (size_t i = 0; i < graph->n_outputs; ++i) {
    const char *problem = bd_arg_problem(graph, graph->outputs[i]->arg);
    if (problem) {
      complain(v, graph->name, "output %zu %s", i, problem);
    } else {
      verify_arg_uses(v, graph->outputs[i]->arg, NULL, i, UINT32_MAX, graph->name);
    }
  }
}

static void verify_graph(verifier *v) {
  const buddy_graph *graph = v->graph;
  if (!number_nodes(v)) return;
  for (size_t i = 0; i < graph->n_inputs; ++i) verify_value(v, &graph->inputs[i]->value, NULL, i);
  for (const buddy_node *node = graph->first; node; node = node->next) verify_node(v, node);
  verify_outputs(v);
  if (v->n_used != v->n_counted) {
    complain(v, graph->name, "arguments make %zu uses, but values count %zu", v->n_used,
             v->n_counted);
  }
}

/* ---- Symbols ---- */

/* The number of bindings that a value counts, found at its first: every bound value is looked at
 * once per symbol. */
static void verify_symbols(verifier *v) {
  const bd_dims *dims = &v->graph->world->dims;
  size_t n_bound = 0, n_counted = 0;
  for (size_t i = 0; i < dims->n_symbols; ++i) {
    const buddy_symbol *symbol = &dims->symbols[i]->symbol;
    if (!symbol->bound_to) continue;
    ++n_bound;
    if (symbol->bound_to->n_symbols == 0 || symbol->bound_to->type.rank != 0) {
      complain(v, symbol->name, "the symbol is bound to a value that cannot be its own");
    }
  }
  for (size_t g = 0; g < v->graph->world->n_graphs; ++g) {
    const buddy_graph *graph = v->graph->world->graphs[g];
    for (size_t i = 0; i < graph->n_inputs; ++i) n_counted += graph->inputs[i]->value.n_symbols;
    for (const buddy_node *node = graph->first; node; node = node->next) {
      for (uint32_t i = 0; i < node->n_results; ++i) n_counted += node->results[i].n_symbols;
    }
  }
  if (n_bound != n_counted)
    complain(v, v->graph->name, "bindings of symbols and their values do not agree");
}

/* ---- The whole ---- */

static buddy_code verify_one(const buddy_graph *graph, buddy_diags *diags) {
  verifier v = {.graph = graph, .diags = diags};
  v.positions = bd_calloc(graph->next_id, sizeof *v.positions);
  if (!v.positions) return BUDDY_OUT_OF_MEMORY;
  verify_graph(&v);
  bd_free(v.positions);
  return v.code;
}

buddy_code buddy_graph_verify(const buddy_graph *graph, buddy_diags *diags) {
  buddy_code worst = BUDDY_OK;
  const bd_world *world = graph->world;
  for (size_t i = 0; i < world->n_graphs && worst != BUDDY_OUT_OF_MEMORY; ++i) {
    const buddy_graph *each = world->graphs[i];
    if (each != graph && !bd_graph_is_inside(each, graph)) continue;
    const buddy_code code = verify_one(each, diags);
    if (code && (!worst || code == BUDDY_OUT_OF_MEMORY)) worst = code;
  }
  if (worst || graph->parent) return worst;
  verifier v = {.graph = graph, .diags = diags};
  verify_symbols(&v);
  return v.code;
}

/* ---- Paranoia ---- */

#ifdef BUDDY_PARANOID
void bd_graph_check(const buddy_graph *graph, const char *after) {
  buddy_diags *diags;
  while (buddy_graph_parent(graph)) graph = buddy_graph_parent(graph);
  if (buddy_diags_create(&diags)) return; /* memory is out: nothing is known */
  const buddy_code code = buddy_graph_verify(graph, diags);
  for (size_t i = 0; code && code != BUDDY_OUT_OF_MEMORY && i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    fprintf(stderr, "after %s: %s: %s\n", after, diag->where, diag->what);
  }
  buddy_diags_destroy(diags);
  BD_ASSERT(!code || code == BUDDY_OUT_OF_MEMORY);
}
#endif
