// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/explorer.c: files of Model Explorer.
 * "subgraphIds", "attrs", "incomingEdges", "outputsMetadata"}, where attrs are pairs of texts and an
 * edge names the node that it comes from, the number of its result, and that of the operand. */
#include "sdk/cli/explorer.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "sdk/cli/json.h"

enum { MAX_GRAPHS = 4096, TEXT_SIZE = 1024 };
#define OUTPUTS "outputs"

static void add_attr(json_t *attrs, const char *key, const char *value) {
  if (value && *value)
    json_array_append_new(attrs, json_pack("{s:s, s:o}", "key", key, "value", bd_json_text(value)));
}

json_t *bd_explorer_layer(const char *path, size_t n) {
  char *copy = bd_strndup(path, n);
  for (char *at = copy; at && *at; ++at) {
    if (*at == '.') *at = '/';
  }
  json_t *text = bd_json_text(copy ? copy : "");
  free(copy);
  return text;
}

static json_t *new_node(const char *id, const char *label, json_t *space) {
  return json_pack("{s:o, s:o, s:o, s:[], s:[], s:[], s:[]}", "id", bd_json_text(id), "label",
                   bd_json_text(label), "namespace", space, "subgraphIds", "attrs", "incomingEdges",
                   "outputsMetadata");
}

static void add_result(json_t *node, const buddy_graph *graph, size_t i, const buddy_value *value) {
  char text[TEXT_SIZE], id[24];
  json_t *attrs = json_array();
  buddy_graph_type_text(graph, buddy_value_type(value), text, sizeof(text));
  add_attr(attrs, "__tensor_tag", buddy_value_name(value));
  add_attr(attrs, "tensor_shape", text);
  snprintf(id, sizeof(id), "%zu", i);
  json_array_append_new(json_object_get(node, "outputsMetadata"),
                        json_pack("{s:s, s:o}", "id", id, "attrs", attrs));
}

static void add_edge(json_t *node, const buddy_value *value) {
  char from[24], to[24];
  if (!value) return;
  json_t *edges = json_object_get(node, "incomingEdges");
  const buddy_node *maker = buddy_value_node(value);
  snprintf(from, sizeof(from), "%zu", maker ? buddy_value_index(value) : 0);
  snprintf(to, sizeof(to), "%zu", json_array_size(edges));
  json_array_append_new(
      edges, json_pack("{s:o, s:s, s:s}", "sourceNodeId",
                       bd_json_text(maker ? buddy_node_name(maker) : buddy_value_name(value)),
                       "sourceNodeOutputId", from, "targetNodeInputId", to));
}

static void add_operands(json_t *node, const buddy_arg *arg) {
  if (arg->kind == BUDDY_ARG_TENSOR) add_edge(node, arg->as.tensor);
  for (size_t i = 0; arg->kind == BUDDY_ARG_TENSORS && i < arg->n; ++i)
    add_edge(node, arg->as.tensors[i]);
}

/* ---- Graphs ---------------------------------------------------------------------------------- */
typedef struct walk {
  const buddy_graph *graphs[MAX_GRAPHS]; /* to be written, as they are met */
  size_t n;
} walk;

static const char *id_of(const buddy_graph *graph) {
  const char *name = buddy_graph_name(graph);
  return name && *name ? name : "graph";
}

static json_t *input_json(const buddy_graph *graph, size_t i) {
  static const char *const labels[] = {"input", "parameter", "buffer", "constant"};
  const buddy_value *value = buddy_graph_input(graph, i);
  const char *target = buddy_graph_input_target(graph, i), *dot = strrchr(target, '.');
  const char *label = *target ? dot ? dot + 1 : target : labels[BUDDY_INPUT_USER];
  json_t *node = new_node(buddy_value_name(value), label,
                          bd_explorer_layer(target, dot ? (size_t)(dot - target) : 0));
  add_attr(json_object_get(node, "attrs"), "kind", labels[buddy_graph_input_kind(graph, i)]);
  add_attr(json_object_get(node, "attrs"), "target", target);
  add_result(node, graph, 0, value);
  return node;
}

static void add_place(json_t *attrs, const buddy_location *at) {
  char line[TEXT_SIZE];
  if (at->file) {
    snprintf(line, sizeof(line), "%s:%u", at->file, at->line);
    add_attr(attrs, "where", line);
  }
  add_attr(attrs, "code", at->code);
  add_attr(attrs, "module", at->module_path);
}

static json_t *node_json(walk *w, const buddy_graph *graph, const buddy_node *of) {
  const char *op = buddy_node_op(of), *path = buddy_node_location(of)->module_path;
  json_t *node = new_node(buddy_node_name(of), strncmp(op, "aten.", 5) == 0 ? op + 5 : op,
                          bd_explorer_layer(path ? path : "", path ? strlen(path) : 0));
  json_t *attrs = json_object_get(node, "attrs");
  add_attr(attrs, "op", op);
  add_place(attrs, buddy_node_location(of));
  for (size_t i = 0; i < buddy_node_n_args(of); ++i) {
    const buddy_arg *arg = buddy_node_arg(of, i);
    add_operands(node, arg);
    if (arg->kind != BUDDY_ARG_GRAPH || w->n == MAX_GRAPHS) continue;
    w->graphs[w->n++] = arg->as.graph;
    json_array_append_new(json_object_get(node, "subgraphIds"), bd_json_text(id_of(arg->as.graph)));
  }
  for (size_t i = 0; i < buddy_node_n_results(of); ++i)
    add_result(node, graph, i, buddy_node_result(of, i));
  return node;
}

static json_t *graph_json(walk *w, const buddy_graph *graph) {
  json_t *nodes = json_array();
  for (size_t i = 0; i < buddy_graph_n_inputs(graph); ++i)
    json_array_append_new(nodes, input_json(graph, i));
  for (const buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node))
    json_array_append_new(nodes, node_json(w, graph, node));
  json_t *outputs = new_node(OUTPUTS, OUTPUTS, json_string(""));
  for (size_t i = 0; i < buddy_graph_n_outputs(graph); ++i)
    add_operands(outputs, buddy_graph_output(graph, i));
  json_array_append_new(nodes, outputs);
  return json_pack("{s:o, s:o}", "id", bd_json_text(id_of(graph)), "nodes", nodes);
}

json_t *bd_explorer_graphs(const buddy_graph *graph, const char *label) {
  walk *w = bd_calloc(1, sizeof(*w));
  json_t *graphs = json_array();
  if (w) w->graphs[w->n++] = graph;
  for (size_t i = 0; w && i < w->n; ++i) json_array_append_new(graphs, graph_json(w, w->graphs[i]));
  const bool is_done = w != NULL;
  free(w);
  if (is_done) return json_pack("{s:o, s:o}", "label", bd_json_text(label), "graphs", graphs);
  json_decref(graphs);
  return NULL;
}

/* ---- The plan -------------------------------------------------------------------------------- */
/* From names of nodes to nodes, lent. Names are unique in their graph; a decision does not tell which
 * that is, so one that two graphs have is the first graph's. */
static json_t *index_nodes(json_t *graphs) {
  json_t *index = json_object(), *graph, *node;
  size_t i, k;
  json_array_foreach(json_object_get(graphs, "graphs"), i, graph) {
    json_array_foreach(json_object_get(graph, "nodes"), k, node) {
      const char *id = json_string_value(json_object_get(node, "id"));
      if (id && !json_object_get(index, id)) json_object_set(index, id, node);
    }
  }
  return index;
}

static const char *name_of(const bd_session *session, const buddy_try *one) {
  return buddy_registries_get(session->registries, one->registry)->name;
}

static void add_tries(json_t *attrs, const bd_session *session, const buddy_decision *decision) {
  for (size_t i = 0; i < decision->n_tries; ++i) {
    const buddy_try *one = &decision->tries[i];
    if (one->code == BUDDY_OK) continue;
    char key[TEXT_SIZE];
    snprintf(key, sizeof(key), "why not %s", name_of(session, one));
    add_attr(attrs, key, *one->reason ? one->reason : buddy_code_name(one->code));
  }
}

static void write_expansion(bd_text *text, const bd_session *session,
                            const buddy_decision *decision) {
  for (size_t i = 0; i < decision->n_expansion; ++i) {
    const buddy_decision *one = decision->expansion[i];
    bd_text_format(text, "%s%s (%s", text->size ? ", " : "", one->op,
                   one->is_taken ? name_of(session, &one->tries[one->n_tries - 1]) : "nobody");
    for (size_t k = 0; k < one->n_tries; ++k) {
      const buddy_try *other = &one->tries[k];
      if (other->code != BUDDY_OK && *other->reason)
        bd_text_format(text, "; not %s: %s", name_of(session, other), other->reason);
    }
    bd_text_char(text, ')');
    write_expansion(text, session, one);
  }
}

static void add_decision(json_t *attrs, const bd_session *session, const buddy_decision *decision) {
  const int n = decision->is_taken ? (int)decision->n_tries : 0;
  add_attr(attrs, "registry", n ? name_of(session, &decision->tries[n - 1]) : "nobody");
  add_attr(attrs, "chosen", buddy_decision_choice(decision));
  add_tries(attrs, session, decision);
  bd_text expansion;
  bd_text_init(&expansion);
  write_expansion(&expansion, session, decision);
  if (expansion.size) add_attr(attrs, "expands to", expansion.data);
  bd_text_deinit(&expansion);
}

void bd_explorer_add_plan(json_t *graphs, const bd_session *session) {
  json_t *index = index_nodes(graphs);
  for (size_t i = 0; i < buddy_plan_n_decisions(session->plan); ++i) {
    const buddy_decision *decision = buddy_plan_decision(session->plan, i);
    json_t *attrs = json_object_get(json_object_get(index, decision->name), "attrs");
    if (attrs) add_decision(attrs, session, decision);
  }
  json_decref(index);
}

/* ---- Node data ------------------------------------------------------------------------------- */
json_t *bd_explorer_data(const char *name) {
  return json_pack("{s:s, s:{}, s:[{s:i, s:s}, {s:i, s:s}]}", "name", name, "results", "gradient",
                   "stop", 0, "bgColor", "#ffffff", "stop", 1, "bgColor", "#e04020");
}

void bd_explorer_data_add(json_t *data, const char *node, double number) {
  json_t *results = json_object_get(data, "results");
  json_t *value = json_object_get(json_object_get(results, node), "value");
  if (value) {
    json_real_set(value, json_real_value(value) + number);
  } else {
    json_object_set_new(results, node, json_pack("{s:f}", "value", number));
  }
}

json_t *bd_explorer_takers(const bd_session *session) {
  static const char *const colours[] = {"#9ec5fe", "#a3cfbb", "#ffda6a", "#e2b6ff",
                                        "#feb272", "#9eeaf9", "#efadce", "#c3d69b"};
  enum { N_COLOURS = sizeof colours / sizeof *colours };
  json_t *results = json_object();
  for (size_t i = 0; i < buddy_plan_n_decisions(session->plan); ++i) {
    const buddy_decision *decision = buddy_plan_decision(session->plan, i);
    const buddy_try *last = decision->is_taken ? &decision->tries[decision->n_tries - 1] : NULL;
    json_object_set_new(
        results, decision->name,
        json_pack("{s:s, s:s}", "value", last ? name_of(session, last) : "nobody", "bgColor",
                  last ? colours[last->registry % N_COLOURS] : "#f1aeb5"));
  }
  return json_pack("{s:s, s:o}", "name", "registry", "results", results);
}

buddy_code bd_explorer_data_write(json_t *data, const buddy_graph *graph, const char *path,
                                  buddy_diags *diags) {
  json_t *root = json_object();
  json_object_set_new(root, id_of(graph), data);
  return bd_json_write(root, path, diags);
}
