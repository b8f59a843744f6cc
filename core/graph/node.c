// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/node.c: nodes: adding, editing and erasing, each at the cost of the node alone.
 *
 * A node is one piece of the pool: the struct, its results, the pointers to its arguments, and for
 * an op without a definition the names of its arguments. Adding builds the whole node aside and
 * links it in when nothing can fail any more, so a failure leaves the graph as it was. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/assert.h"
#include "core/base/try.h"
#include "core/graph/arguments.h"
#include "core/graph/guards.h"
#include "core/graph/infer.h"
#include "core/graph/names.h"
#include "core/graph/types.h"

/* What buddy_graph_add_node and its twin are asked for. */
typedef struct request {
  buddy_graph *graph;
  const char *op, *name;
  const buddy_opdef *def; /* null: unknown */
  const buddy_named_arg *args;
  size_t n_args;
  const buddy_tensor_type *types;
  size_t n_types;
  buddy_diags *diags;
} request;

/* ---- Messages ---- */

/* The node's name and the program's line, as far as they are known. */
static void print_where(const request *asked, bd_text *where) {
  if (!asked->name) return;
  bd_text_string(where, asked->name);
  if (asked->graph->world->place) bd_location_print(asked->graph->world->place, where);
}

static buddy_code reject(const request *asked, const char *todo, const char *format, ...)
    BUDDY_PRINTF(3, 4);
static buddy_code reject(const request *asked, const char *todo, const char *format, ...) {
  if (!asked->diags) return BUDDY_INVALID_ARGUMENT;
  bd_text where, what;
  bd_text_init(&where);
  bd_text_init(&what);
  print_where(asked, &where);
  if (asked->name) bd_text_format(&where, ": %s", asked->op);
  va_list args;
  va_start(args, format);
  bd_text_format_args(&what, format, args);
  va_end(args);
  const buddy_code code =
      buddy_diags_add(asked->diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                      asked->name ? where.data : asked->op, todo, "%s", what.data);
  bd_text_deinit(&where);
  bd_text_deinit(&what);
  return code;
}

static buddy_code reject_form(const request *asked, const buddy_schema_arg *schema,
                              const buddy_arg *arg) {
  char wanted[64];
  bd_text text;
  bd_text_init_fixed(&text, wanted, sizeof wanted);
  bd_schema_type_print(schema, &text);
  return reject(asked, NULL, "argument \"%s\" is %s, but the schema wants %s", schema->name,
                bd_arg_kind_name(arg->kind), wanted);
}

/* ---- Memory ---- */

static size_t node_size(size_t n_results, size_t n_args, bool has_names) {
  const size_t pointers = has_names ? 2 * n_args : n_args;
  return sizeof(buddy_node) + n_results * sizeof(buddy_value) + pointers * sizeof(void *);
}

static size_t size_of_node(const buddy_node *node) {
  return node_size(node->n_results, node->n_args, node->arg_names != NULL);
}

static void free_arg(buddy_node *node, size_t i) {
  if (!buddy_node_arg_is_default(node, i)) bd_arg_destroy(node->graph, node->args[i]);
}

static void free_result_name(buddy_node *node, buddy_value *value) {
  if (node->n_results != 1 && value->name)
    bd_graph_free(node->graph, value->name, strlen(value->name) + 1);
}

/* Frees a node that is in no list, complete or not. */
static void free_node(buddy_node *node) {
  for (uint32_t i = 0; i < node->n_args; ++i) free_arg(node, i);
  for (uint32_t i = 0; i < node->n_results; ++i) {
    BD_ASSERT(!node->results[i].n_uses && !node->results[i].first_use);
    free_result_name(node, &node->results[i]);
    bd_type_free(node->graph, &node->results[i].type);
  }
  bd_name_remove(node->graph, &node->name);
  bd_graph_free(node->graph, node, size_of_node(node));
}

/* A node with null arguments and empty results. */
static buddy_node *create_node(const request *asked) {
  const size_t n_args = asked->def ? asked->def->n_args : asked->n_args;
  const size_t n_results = asked->types || !asked->def ? asked->n_types : asked->def->n_results;
  const size_t size = node_size(n_results, n_args, !asked->def);
  buddy_node *node = bd_graph_alloc(asked->graph, size);
  if (!node) return NULL;
  memset(node, 0, size);
  node->graph = asked->graph;
  node->def = asked->def;
  node->op = asked->def ? asked->def->name : NULL;
  node->n_args = (uint32_t)n_args;
  node->n_results = (uint32_t)n_results;
  void *behind_results = node->results + n_results;
  node->args = behind_results;
  if (!asked->def) node->arg_names = (const char *const *)(node->args + n_args);
  for (uint32_t i = 0; i < node->n_results; ++i) {
    node->results[i].graph = asked->graph;
    node->results[i].node = node;
    node->results[i].index = i;
  }
  return node;
}

/* ---- Arguments ---- */

/* The schema argument of that name. Callers mostly give arguments in order, so the search begins
 * after the last. */
static bool find_arg(const buddy_opdef *def, const char *name, uint32_t start, uint32_t *out_i) {
  for (uint32_t k = 0; k < def->n_args; ++k) {
    const uint32_t i = start + k < def->n_args ? start + k : start + k - def->n_args;
    if (strcmp(def->args[i].name, name)) continue;
    *out_i = i;
    return true;
  }
  return false;
}

/* Checks one argument against the schema and copies it, unless it is the default. */
static buddy_code make_arg(const request *asked, const buddy_schema_arg *schema,
                           const buddy_arg *arg, const buddy_arg **out_arg) {
  *out_arg = NULL;
  const char *problem = bd_arg_problem(asked->graph, arg);
  if (problem) return reject(asked, NULL, "argument \"%s\" %s", schema->name, problem);
  bd_conformed conformed;
  if (!bd_arg_conform(schema, arg, &conformed)) return reject_form(asked, schema, arg);
  if (schema->has_default && bd_arg_equal(&conformed.arg, &schema->default_value)) {
    *out_arg = &schema->default_value;
    return BUDDY_OK;
  }
  *out_arg = bd_arg_create(asked->graph, &conformed.arg);
  return *out_arg ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
}

static buddy_code fill_given(const request *asked, buddy_node *node, buddy_code *worst) {
  uint32_t i = 0;
  for (size_t k = 0; k < asked->n_args; ++k) {
    const buddy_named_arg *given = &asked->args[k];
    buddy_code code;
    if (!given->name || !find_arg(asked->def, given->name, i, &i)) {
      code = reject(asked, "see the op's schema for its arguments", "there is no argument \"%s\"",
                    given->name ? given->name : "(null)");
    } else if (node->args[i]) {
      code = reject(asked, NULL, "argument \"%s\" is given twice", given->name);
    } else {
      code = make_arg(asked, &asked->def->args[i], &given->arg, &node->args[i]);
      ++i;
    }
    if (code == BUDDY_OUT_OF_MEMORY) return code;
    if (code) *worst = code;
  }
  return BUDDY_OK;
}

static bool was_given(const request *asked, const char *name) {
  for (size_t k = 0; k < asked->n_args; ++k) {
    if (asked->args[k].name && !strcmp(asked->args[k].name, name)) return true;
  }
  return false;
}

static buddy_code fill_defaults(const request *asked, buddy_node *node) {
  buddy_code code = BUDDY_OK;
  for (uint32_t i = 0; i < node->n_args; ++i) {
    const buddy_schema_arg *schema = &asked->def->args[i];
    if (node->args[i]) continue;
    if (schema->has_default) {
      node->args[i] = &schema->default_value;
    } else if (!was_given(asked, schema->name)) { /* else it was reported as wrong already */
      code =
          reject(asked, "give it; it has no default", "argument \"%s\" is missing", schema->name);
    }
  }
  return code;
}

/* All arguments of a known op, every problem reported. */
static buddy_code fill_args(const request *asked, buddy_node *node) {
  buddy_code worst = BUDDY_OK;
  BD_TRY(fill_given(asked, node, &worst));
  buddy_code code = fill_defaults(asked, node);
  return code ? code : worst;
}

static buddy_code fill_unknown_args(const request *asked, buddy_node *node) {
  const char **names = (const char **)(uintptr_t)node->arg_names;
  buddy_code code = BUDDY_OK;
  node->op = bd_graph_intern(asked->graph, asked->op, &code);
  BD_TRY(code);
  for (size_t i = 0; i < asked->n_args; ++i) {
    const buddy_named_arg *given = &asked->args[i];
    const char *problem = bd_arg_problem(asked->graph, &given->arg);
    names[i] = bd_graph_intern(asked->graph, given->name ? given->name : "", &code);
    if (problem)
      return reject(asked, NULL, "argument \"%s\" %s", given->name ? given->name : "", problem);
    BD_TRY(code);
    node->args[i] = bd_arg_create(asked->graph, &given->arg);
    if (!node->args[i]) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

/* ---- Results ---- */

static buddy_code infer_results(const request *asked, buddy_node *node) {
  if (node->n_results == 0) return BUDDY_OK;
  bd_text why;
  bd_text_init(&why);
  buddy_code code = bd_infer(node, &why);
  node->is_checked = !code;
  if (code && code != BUDDY_OUT_OF_MEMORY) {
    code = reject(asked, "give the types of the results", "the result types cannot be inferred: %s",
                  why.data);
  }
  bd_text_deinit(&why);
  return code;
}

/* A branch that contradicts itself once sizes were chosen was traced for others: no run enters it. */
static buddy_code close_branch(const request *asked, const char *why) {
  bd_text text, where;
  bd_text_init(&text);
  bd_text_init(&where);
  bd_text_format(&text, "other sizes are chosen: %s: %s", asked->op, why);
  print_where(asked, &where);
  buddy_code code = text.code ? text.code : where.code;
  if (!code) code = bd_graph_add_guard(asked->graph, -1, text.data, where.data);
  bd_text_deinit(&where);
  bd_text_deinit(&text);
  return code;
}

/* Types that are given must be those that the op makes of its arguments. */
static buddy_code check_results(const request *asked, buddy_node *node, bd_equalities *equalities) {
  bd_text why;
  bd_text_init(&why);
  buddy_code code = bd_infer_check(node, &why, equalities);
  if (code == BUDDY_INVALID_ARGUMENT && asked->graph->world->is_cut && asked->graph->parent) {
    equalities->n = 0;
    code = close_branch(asked, why.data);
  } else if (code && code != BUDDY_OUT_OF_MEMORY)
    code = reject(asked, "its types contradict each other: make the program anew", "%s", why.data);
  bd_text_deinit(&why);
  node->is_checked = !code;
  return code;
}

static buddy_code fill_results(const request *asked, buddy_node *node, bd_equalities *equalities) {
  equalities->n = 0;
  if (!asked->types && asked->def) return infer_results(asked, node);
  buddy_code code = BUDDY_OK;
  for (uint32_t i = 0; !code && i < node->n_results; ++i) {
    const char *problem = bd_type_problem(asked->graph, &asked->types[i]);
    code = problem ? reject(asked, NULL, "the type of result %u %s", i, problem)
                   : bd_type_copy(asked->graph, &asked->types[i], &node->results[i].type);
  }
  return code ? code : check_results(asked, node, equalities);
}

static buddy_code renew_type(buddy_graph *graph, buddy_value *value) {
  bool has_one = false;
  for (uint32_t i = 0; i < value->type.rank; ++i)
    has_one |= value->type.dims[i] != 1 && bd_dim_is_one(&graph->world->dims, value->type.dims[i]);
  const buddy_tensor_type type = value->type;
  return has_one ? buddy_graph_set_value_type(graph, value, &type) : BUDDY_OK;
}

/* Rows broadcast the number 1, and no symbol: what has to be 1 in every run is that number in all types. */
static buddy_code take_for_one(bd_world *world, buddy_node *added, int64_t dim) {
  bd_dim_take_for_one(&world->dims, dim);
  for (uint32_t i = 0; i < added->n_results; ++i)
    BD_TRY(renew_type(added->graph, &added->results[i]));
  for (size_t g = 0; g < world->n_graphs; ++g) {
    buddy_graph *graph = world->graphs[g];
    for (size_t i = 0; i < graph->n_inputs; ++i)
      BD_TRY(renew_type(graph, &graph->inputs[i]->value));
    for (buddy_node *node = graph->first; node; node = node->next) {
      for (uint32_t i = 0; i < node->n_results; ++i) BD_TRY(renew_type(graph, &node->results[i]));
    }
  }
  return BUDDY_OK;
}

/* What the archive says of sizes is believed where a guard checks it. Sizes that are never equal are a
 * guard, too: only the runs that come so far are refused. */
static buddy_code guard_sizes(const request *asked, buddy_node *node,
                              const bd_equalities *equalities) {
  const bd_world *world = node->graph->world;
  for (uint32_t i = 0; i < equalities->n && !world->is_planned; ++i) {
    const int64_t *sizes = equalities->sizes[i];
    const bool is_one = equalities->are_one >> i & 1; /* everywhere, then */
    buddy_graph *graph = is_one ? world->graphs[0] : node->graph;
    buddy_code code = bd_graph_require_equal(graph, sizes[0], sizes[1], node, NULL);
    if (code == BUDDY_LIMIT)
      code = bd_graph_require_equal(graph, sizes[0], sizes[1], node, asked->diags);
    if (!code && is_one) code = take_for_one(graph->world, node, sizes[0]);
    if (code) return code;
  }
  return BUDDY_OK;
}

static buddy_code name_results(buddy_node *node) {
  if (node->n_results == 1) node->results[0].name = node->name.text;
  for (uint32_t i = 0; node->n_results > 1 && i < node->n_results; ++i) {
    node->results[i].name = bd_name_of_result(node->graph, &node->name, i);
    if (!node->results[i].name) return BUDDY_OUT_OF_MEMORY;
  }
  return BUDDY_OK;
}

/* ---- Lists and ids ---- */

static void link_node(buddy_node *node, buddy_node *before) {
  buddy_graph *graph = node->graph;
  BD_ASSERT(!before || before->graph == graph);
  BD_ASSERT(!graph->first == !graph->last);
  node->next = before;
  node->prev = before ? before->prev : graph->last;
  BD_ASSERT((node->prev ? node->prev->next : graph->first) == before);
  if (node->prev) {
    node->prev->next = node;
  } else {
    graph->first = node;
  }
  if (before) {
    before->prev = node;
  } else {
    graph->last = node;
  }
}

static void unlink_node(buddy_node *node) {
  buddy_graph *graph = node->graph;
  BD_ASSERT((node->prev ? node->prev->next : graph->first) == node);
  BD_ASSERT((node->next ? node->next->prev : graph->last) == node);
  if (node->prev) {
    node->prev->next = node->next;
  } else {
    graph->first = node->next;
  }
  if (node->next) {
    node->next->prev = node->prev;
  } else {
    graph->last = node->prev;
  }
}

static void take_id(buddy_node *node) {
  buddy_graph *graph = node->graph;
  node->id = graph->n_free_ids ? graph->free_ids[--graph->n_free_ids] : graph->next_id++;
}

/* When memory is out the id is not used again, which only makes tables by id a little longer. */
static void give_id_back(const buddy_node *node) {
  buddy_graph *graph = node->graph;
  void *ids = bd_array_grow(graph->free_ids, &graph->free_ids_capacity, graph->n_free_ids + 1,
                            sizeof *graph->free_ids);
  if (!ids) return;
  graph->free_ids = ids;
  BD_ASSERT(node->id < graph->next_id && graph->n_free_ids < graph->next_id);
  graph->free_ids[graph->n_free_ids++] = node->id;
}

/* ---- Adding ---- */

static buddy_code check_request(const request *asked, const buddy_node *before) {
  const buddy_opdef *def = asked->def;
  if (before && before->graph != asked->graph)
    return reject(asked, NULL, "it would stand before a node of another graph");
  if (asked->n_args > UINT32_MAX / 64 || asked->n_types > UINT32_MAX / 64) return BUDDY_LIMIT;
  if (!asked->types && asked->n_types)
    return reject(asked, NULL, "its types are null, but their number is not 0");
  if (def && asked->types && !def->has_more_results && asked->n_types != def->n_results) {
    return reject(asked, NULL, "%zu result types are given, but the schema has %u results",
                  asked->n_types, def->n_results);
  }
  const size_t n_results = asked->types || !def ? asked->n_types : def->n_results;
  if (asked->name && !*asked->name) return reject(asked, NULL, "its name is empty");
  if (asked->name && !bd_name_is_free(asked->graph, asked->name, n_results)) {
    return reject(asked, "choose another name",
                  "the graph has a value or a node of that name already");
  }
  return asked->graph->next_id == UINT32_MAX ? BUDDY_LIMIT : BUDDY_OK;
}

static buddy_code add_node(const request *asked, buddy_node *before, buddy_node **out_node) {
  BD_TRY(check_request(asked, before));
  buddy_node *node = create_node(asked);
  if (!node) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = asked->def ? fill_args(asked, node) : fill_unknown_args(asked, node);
  bd_equalities equalities;
  if (!code) code = fill_results(asked, node, &equalities);
  if (!code) code = bd_name_add(node->graph, &node->name, asked->name, node->op, node->n_results);
  if (!code) code = name_results(node);
  if (!code) code = guard_sizes(asked, node, &equalities);
  if (code) {
    free_node(node);
    return code;
  }
  for (uint32_t i = 0; i < node->n_args; ++i) bd_arg_link(node->args[i], node, i);
  take_id(node);
  link_node(node, before);
  ++node->graph->n_nodes;
  *out_node = node;
  return BUDDY_OK;
}

static buddy_code reject_op(const buddy_graph *graph, const char *op, const char *name,
                            buddy_code code, buddy_diags *diags) {
  if (code == BUDDY_OUT_OF_MEMORY) return code;
  if (code == BUDDY_CORRUPT) {
    return buddy_diags_add(diags, BUDDY_ERROR, code, op, "report it: the table of schemas is wrong",
                           "the schema of the op does not parse");
  }
  return buddy_diags_add(
      diags, BUDDY_ERROR, code, name ? name : graph->name,
      "load the registry that brings it, or add the node as one of an unknown op",
      "there is no op \"%s\"", op);
}

buddy_code buddy_graph_add_node(buddy_graph *graph, buddy_node *before, const char *op,
                                const char *name, const buddy_named_arg *args, size_t n_args,
                                const buddy_tensor_type *types, size_t n_types, buddy_diags *diags,
                                buddy_node **out_node) {
  buddy_node *unused;
  if (!out_node) out_node = &unused;
  *out_node = NULL;
  request asked = {.graph = graph,
                   .op = op,
                   .name = name,
                   .args = args,
                   .n_args = n_args,
                   .types = types,
                   .n_types = n_types,
                   .diags = diags};
  const buddy_code code = bd_opset_find(graph->world->opset, op, &asked.def);
  return code ? reject_op(graph, op, name, code, diags) : add_node(&asked, before, out_node);
}

buddy_code buddy_graph_add_unknown_node(buddy_graph *graph, buddy_node *before, const char *op,
                                        const char *name, const buddy_named_arg *args,
                                        size_t n_args, const buddy_tensor_type *types,
                                        size_t n_types, buddy_diags *diags, buddy_node **out_node) {
  buddy_node *unused;
  if (!out_node) out_node = &unused;
  *out_node = NULL;
  const request asked = {.graph = graph,
                         .op = op,
                         .name = name,
                         .args = args,
                         .n_args = n_args,
                         .types = types,
                         .n_types = n_types,
                         .diags = diags};
  return add_node(&asked, before, out_node);
}

/* ---- Editing ---- */

static buddy_code check_edited(buddy_node *node, buddy_diags *diags) {
  const request asked = {.graph = node->graph,
                         .op = node->op,
                         .def = node->def,
                         .name = node->name.text,
                         .diags = diags};
  bd_equalities equalities;
  bd_graph_set_place(node->graph, node->location);
  buddy_code code = check_results(&asked, node, &equalities);
  bd_graph_set_place(node->graph, NULL);
  return code ? code : guard_sizes(&asked, node, &equalities);
}

/* A size that is found to be 1 edits types, which only ever become numbers: this comes to an end. */
buddy_code bd_graph_check_edited(buddy_graph *graph, buddy_diags *diags) {
  const bd_world *world = graph->world;
  for (bool has_edited = true; has_edited;) {
    has_edited = false;
    for (size_t g = 0; g < world->n_graphs; ++g) {
      for (buddy_node *node = world->graphs[g]->first; node; node = node->next) {
        if (node->is_checked) continue;
        has_edited = true;
        BD_TRY(check_edited(node, diags));
      }
    }
  }
  return BUDDY_OK;
}

buddy_code buddy_node_erase(buddy_node *node) {
  for (uint32_t i = 0; i < node->n_results; ++i) {
    if (node->results[i].n_uses || node->results[i].n_symbols) return BUDDY_INVALID_ARGUMENT;
  }
  for (uint32_t i = 0; i < node->n_args; ++i) bd_arg_unlink(node->args[i]);
  unlink_node(node);
  give_id_back(node);
  BD_ASSERT(node->graph->n_nodes > 0);
  --node->graph->n_nodes;
  free_node(node);
  return BUDDY_OK;
}

void buddy_node_move(buddy_node *node, buddy_node *before) {
  if (before == node || (before && before->graph != node->graph)) return;
  unlink_node(node);
  link_node(node, before);
}

buddy_code buddy_node_set_arg(buddy_node *node, size_t i, const buddy_arg *arg,
                              buddy_diags *diags) {
  static const buddy_schema_arg anything = {.name = "", .type = BUDDY_SCHEMA_ANY};
  const request asked = {
      .graph = node->graph, .op = node->op, .name = node->name.text, .diags = diags};
  if (i >= node->n_args) return reject(&asked, NULL, "there is no argument %zu", i);
  const buddy_arg *made;
  BD_TRY(make_arg(&asked, node->def ? &node->def->args[i] : &anything, arg, &made));
  bd_arg_unlink(node->args[i]);
  free_arg(node, i);
  node->args[i] = made;
  node->is_checked = false;
  bd_arg_link(made, node, i);
  return BUDDY_OK;
}
