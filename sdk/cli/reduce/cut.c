// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/reduce/cut.c: some nodes of a program as a program of their own.
 *
 * Parameters, buffers and constants stay what they are. What a node outside makes becomes an input;
 * numbers do not, for sizes are expressions of them: the nodes that make those come along. What nodes
 * outside read, and what nothing reads, is given away. */
#include <string.h>

#include "core/base/memory.h"
#include "core/base/text.h"
#include "sdk/cli/reduce/reduce.h"

/* ---- Which names ----------------------------------------------------------------------------- */
typedef struct closing {
  const bd_program *p;
  const json_t *known;
  bool *has;
  bool is_changed;
} closing;

static void close_over(void *user, const char *name, bool is_number) {
  closing *c = user;
  size_t maker;
  bd_name_kind kind;
  (void)is_number;
  if (!bd_program_names_find(c->p, name, &maker, &kind) || maker == SIZE_MAX || c->has[maker])
    return;
  if (kind == BD_NAME_TENSOR && (!c->known || json_object_get(c->known, name))) return;
  c->has[maker] = c->is_changed = true;
}

void bd_cut_close(const bd_program *p, const json_t *known, bool *has) {
  closing c = {p, known, has, true};
  while (c.is_changed) {
    c.is_changed = false;
    for (size_t i = p->n_nodes; i-- > 0;) {
      if (has[i]) bd_names_each(json_object_get(bd_program_node(p, i), "inputs"), close_over, &c);
    }
  }
}

typedef struct making {
  const bd_program *p;
  const bd_cut_choice *choice;
  json_t *used, *wanted; /* names that nodes of the cut read, and those outside; ordered */
  json_t *inputs, *input_specs, *outputs, *output_specs, *nodes, *user_inputs;
  json_t *given;   /* names that are outputs already */
  json_t *written; /* what outputs may change: names of inputs, and targets of buffers */
  size_t n_user_outputs;
} making;

static void note(void *user, const char *name, bool is_number) {
  (void)is_number;
  json_object_set_new(user, name, json_true());
}

static void note_uses(const making *m) {
  for (size_t i = 0; i < m->p->n_nodes; ++i) {
    bd_names_each(json_object_get(bd_program_node(m->p, i), "inputs"), note,
                  m->choice->has[i] ? m->used : m->wanted);
  }
  bd_names_each(json_object_get(bd_program_graph(m->p), "outputs"), note, m->wanted);
}

/* ---- Inputs ---------------------------------------------------------------------------------- */
static json_t *tensor_argument(const char *name) {
  return json_pack("{s:{s:s}}", "as_tensor", "name", name);
}

static void add_user_input(making *m, const char *name) {
  json_array_append_new(m->inputs, tensor_argument(name));
  json_array_append_new(m->input_specs,
                        json_pack("{s:{s:o}}", "user_input", "arg", tensor_argument(name)));
  json_array_append_new(m->user_inputs, json_string(name));
  json_object_set_new(m->written, name, json_true());
}

static json_t *specs_of(const making *m, const char *which) {
  const json_t *module = json_object_get(m->p->root, "graph_module");
  return json_object_get(json_object_get(module, "signature"), which);
}

/* The program's own, as far as they are read. */
static void keep_inputs(making *m) {
  size_t i;
  json_t *argument;
  json_array_foreach(json_object_get(bd_program_graph(m->p), "inputs"), i, argument) {
    json_t *spec = json_array_get(specs_of(m, "input_specs"), i);
    json_t *names = json_object(), *buffer = json_object_get(spec, "buffer");
    bd_names_each(argument, note, names);
    const char *name = json_object_iter_key(json_object_iter(names));
    if (name && json_object_get(m->used, name)) {
      json_array_append(m->inputs, argument);
      json_array_append(m->input_specs, spec);
      json_object_set_new(m->written, name, json_true());
      const char *target = json_string_value(json_object_get(buffer, "buffer_name"));
      if (target) json_object_set_new(m->written, target, json_true());
      if (json_object_get(spec, "user_input"))
        json_array_append_new(m->user_inputs, json_string(name));
    }
    json_decref(names);
  }
}

static void add_inputs(making *m) {
  const char *name;
  json_t *ignored;
  keep_inputs(m);
  json_object_foreach(m->used, name, ignored) {
    size_t maker;
    bd_name_kind kind;
    if (bd_program_names_find(m->p, name, &maker, &kind) && maker != SIZE_MAX &&
        !m->choice->has[maker])
      add_user_input(m, name);
  }
}

/* ---- Outputs --------------------------------------------------------------------------------- */
static bool is_made_here(const making *m, const char *name) {
  size_t maker;
  bd_name_kind kind;
  return bd_program_names_find(m->p, name, &maker, &kind) && maker != SIZE_MAX &&
         m->choice->has[maker];
}

static void add_output(making *m, json_t *argument, json_t *spec) {
  json_array_append(m->outputs, argument);
  m->n_user_outputs += json_object_get(spec, "user_output") != NULL;
  json_array_append_new(m->output_specs, spec);
  bd_names_each(argument, note, m->given);
}

/* Of a state that the cut does not have it is a plain output. */
static json_t *output_spec(const making *m, json_t *spec, json_t *argument) {
  static const char *const changes[][2] = {{"buffer_mutation", "buffer_name"},
                                           {"user_input_mutation", "user_input_name"}};
  for (int i = 0; i < 2; ++i) {
    const char *target =
        json_string_value(json_object_get(json_object_get(spec, changes[i][0]), changes[i][1]));
    if (target && json_object_get(m->written, target)) return json_incref(spec);
  }
  return json_pack("{s:{s:O}}", "user_output", "arg", argument);
}

static void keep_outputs(making *m) {
  size_t i;
  json_t *argument;
  json_array_foreach(json_object_get(bd_program_graph(m->p), "outputs"), i, argument) {
    json_t *names = json_object();
    bd_names_each(argument, note, names);
    const char *name = json_object_iter_key(json_object_iter(names));
    const bool is_sink = name && !json_object_get(m->used, name);
    if (name && is_made_here(m, name) && (is_sink || !m->choice->sinks_alone))
      add_output(m, argument,
                 output_spec(m, json_array_get(specs_of(m, "output_specs"), i), argument));
    json_decref(names);
  }
}

/* Of a node that the cut does not read: what anything reads, or else all of it. */
static void add_results(making *m, const json_t *node) {
  json_t *names = json_object(), *ignored;
  const char *name;
  bool is_read = false, is_wanted = false;
  bd_names_each(json_object_get(node, "outputs"), note, names);
  json_object_foreach(names, name, ignored) {
    is_read = is_read || json_object_get(m->used, name);
    is_wanted = is_wanted || json_object_get(m->wanted, name);
  }
  json_object_foreach(names, name, ignored) {
    const bool is_named = json_object_get(m->wanted, name) != NULL;
    if (json_object_get(m->given, name) || !bd_program_meta(m->p, name)) continue;
    if (m->choice->sinks_alone ? is_read || is_named != is_wanted
                               : (is_read || is_wanted) && !is_named)
      continue;
    json_t *argument = tensor_argument(name);
    add_output(m, argument, json_pack("{s:{s:O}}", "user_output", "arg", argument));
    json_decref(argument);
  }
  json_decref(names);
}

/* ---- The program ----------------------------------------------------------------------------- */
/* Where all sizes are numbers the bytes of an input lie as .npy files have them. */
static json_t *input_meta(const json_t *meta) {
  json_t *own = json_deep_copy(meta), *strides = json_array();
  int64_t sizes[64], step = 1;
  const int rank = bd_meta_sizes(meta, sizes, 64);
  for (int d = rank; d-- > 0; step *= sizes[d])
    json_array_insert_new(strides, 0, json_pack("{s:I}", "as_int", (json_int_t)step));
  if (rank >= 0) json_object_set(own, "strides", strides);
  json_decref(strides);
  json_object_set_new(own, "storage_offset", json_pack("{s:i}", "as_int", 0));
  json_object_set_new(own, "requires_grad", json_false());
  return own;
}

/* What is said of names, of those that are there. */
static json_t *described(const making *m, const char *which) {
  json_t *all = json_object_get(bd_program_graph(m->p), which), *here = json_object(), *meta;
  const char *name;
  size_t i;
  json_object_foreach(all, name, meta) {
    if (is_made_here(m, name) || json_object_get(m->used, name)) json_object_set(here, name, meta);
  }
  json_t *input;
  json_array_foreach(m->user_inputs, i, input) {
    meta = json_object_get(here, json_string_value(input));
    if (json_object_get(meta, "sizes"))
      json_object_set_new(here, json_string_value(input), input_meta(meta));
  }
  return here;
}

static void add_leaves(bd_text *text, size_t n) {
  for (size_t i = 0; i < n; ++i)
    bd_text_format(text, "%s{\"type\": null, \"context\": null, \"children_spec\": []}",
                   i ? ", " : "");
}

static json_t *text_json(bd_text *text) {
  json_t *json = text->code ? NULL : json_string(text->data);
  bd_text_deinit(text);
  return json;
}

/* How PyTorch calls it: with a tuple of tensors, and gets one. */
static json_t *calls(const making *m) {
  bd_text in, out;
  bd_text_init(&in);
  bd_text_init(&out);
  static const char tuple[] =
      "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [";
  bd_text_format(&in, "[1, %s%s", tuple, tuple);
  add_leaves(&in, json_array_size(m->user_inputs));
  bd_text_string(
      &in, "]}, {\"type\": \"builtins.dict\", \"context\": \"[]\", \"children_spec\": []}]}]");
  bd_text_format(&out, "[1, %s", tuple);
  add_leaves(&out, m->n_user_outputs);
  bd_text_string(&out, "]}]");
  return json_pack("[{s:s, s:{s:[], s:[], s:o, s:o, s:O}}]", "fqn", "", "signature", "inputs",
                   "outputs", "in_spec", text_json(&in), "out_spec", text_json(&out),
                   "forward_arg_names", m->user_inputs);
}

/* Ranges of the symbols that are in it. */
static json_t *ranges(const making *m, const json_t *module) {
  json_t *here = json_object(), *range;
  char *text = json_dumps(module, JSON_COMPACT);
  const char *symbol;
  json_object_foreach(json_object_get(m->p->root, "range_constraints"), symbol, range) {
    if (text && strstr(text, symbol)) json_object_set(here, symbol, range);
  }
  free(text);
  return here;
}

static json_t *program(const making *m) {
  static const char *const described_by[] = {"tensor_values", "sym_int_values", "sym_bool_values",
                                             "sym_float_values", "custom_obj_values"};
  json_t *graph = json_pack("{s:O, s:O, s:O, s:b}", "inputs", m->inputs, "outputs", m->outputs,
                            "nodes", m->nodes, "is_single_tensor_return", 0);
  for (size_t i = 0; i < sizeof described_by / sizeof *described_by; ++i)
    json_object_set_new(graph, described_by[i], described(m, described_by[i]));
  json_t *module =
      json_pack("{s:o, s:{s:O, s:O}, s:o, s:{}, s:{}}", "graph", graph, "signature", "input_specs",
                m->input_specs, "output_specs", m->output_specs, "module_call_graph", calls(m),
                "metadata", "treespec_namedtuple_fields");
  json_t *root = json_copy(m->p->root);
  json_object_set_new(root, "range_constraints", ranges(m, module));
  json_object_set_new(root, "graph_module", module);
  json_object_set_new(root, "guards_code", json_array());
  return root;
}

json_t *bd_cut_make(const bd_program *p, const bd_cut_choice *choice, json_t **out_inputs) {
  making m = {p,
              choice,
              json_object(),
              json_object(),
              json_array(),
              json_array(),
              json_array(),
              json_array(),
              json_array(),
              json_array(),
              json_object(),
              json_object(),
              0};
  note_uses(&m);
  add_inputs(&m);
  keep_outputs(&m);
  for (size_t i = 0; i < p->n_nodes; ++i) {
    if (!choice->has[i]) continue;
    json_array_append(m.nodes, bd_program_node(p, i));
    add_results(&m, bd_program_node(p, i));
  }
  json_t *root = json_array_size(m.outputs) ? program(&m) : NULL;
  *out_inputs = json_incref(m.user_inputs);
  json_t *const all[] = {m.used,         m.wanted, m.inputs,      m.input_specs, m.outputs,
                         m.output_specs, m.nodes,  m.user_inputs, m.given,       m.written};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) json_decref(all[i]);
  return root;
}
