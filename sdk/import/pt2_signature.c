// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/import/pt2_signature.c: inputs and outputs of the program.
 *
 * The graph lists its placeholders and what it returns; the signature says, in the same order, what
 * each of them is:
 *
 *   inputs    user_input, parameter, buffer, tensor_constant, custom_obj, token, constant_input
 *   outputs   user_output, loss_output, buffer_mutation, parameter_mutation,
 *             user_input_mutation, token, gradient_to_parameter, gradient_to_user_input
 *
 * Python numbers, strings and None that were given at export are constants of the program: they are
 * no inputs. */
#include <string.h>

#include "sdk/import/pt2.h"

typedef struct placeholder {
  bd_import *import;
  bd_frame *top;
  bd_json argument; /* of the graph */
} placeholder;

/* ---- Inputs ---- */

/* The names must agree: the graph's and the signature's. */
static buddy_code tensor_name(const placeholder *at, bd_json spec, bd_named **out_name) {
  bd_json_reader *json = &at->import->json;
  const bd_json name = bd_json_get(json, bd_json_get(json, spec, "arg"), "name");
  return bd_names_type(at->import, at->top, name, out_name);
}

static bool same_type(const buddy_tensor_type *a, const buddy_tensor_type *b) {
  return a->dtype == b->dtype && a->rank == b->rank &&
         (a->rank == 0 || !memcmp(a->dims, b->dims, a->rank * sizeof *a->dims));
}

static buddy_code read_stored(const placeholder *at, bd_json spec, buddy_input_kind kind,
                              const char *key) {
  bd_import *import = at->import;
  bd_named *name;
  BD_TRY(tensor_name(at, spec, &name));
  const bd_json target_json = bd_json_get(&import->json, spec, key);
  const char *target = bd_json_name(&import->json, target_json);
  BD_TRY(import->json.code);
  const buddy_value *value;
  BD_TRY(bd_weights_add_input(import, kind, name->name, target, &value));
  if (!value) { /* refused, and told; a stand-in lets the rest be read */
    BD_TRY(buddy_graph_add_input(import->graph, kind, name->name, target, &name->type, NULL,
                                 import->diags, &value));
  }
  if (!same_type(buddy_value_type(value), &name->type)) {
    bd_json_wrong(&import->json, target_json,
                  "has another type in the archive's configuration than in the graph");
    return import->json.code;
  }
  return bd_names_define_tensor(import, at->top, name, value);
}

static buddy_code read_parameter(const placeholder *at, bd_json spec) {
  return read_stored(at, spec, BUDDY_INPUT_PARAMETER, "parameter_name");
}
static buddy_code read_buffer(const placeholder *at, bd_json spec) {
  return read_stored(at, spec, BUDDY_INPUT_BUFFER, "buffer_name");
}
static buddy_code read_constant_tensor(const placeholder *at, bd_json spec) {
  return read_stored(at, spec, BUDDY_INPUT_CONSTANT, "tensor_constant_name");
}

/* A size that the user gives: a 0-d tensor, and the value of its symbol. */
static buddy_code read_user_number(const placeholder *at, bd_json value) {
  bd_import *import = at->import;
  bd_named *name;
  BD_TRY(bd_names_find(import, at->top, bd_json_get(&import->json, value, "as_name"), &name));
  const buddy_tensor_type type = {.dtype = name->kind == BD_NAMED_INT     ? BUDDY_I64
                                           : name->kind == BD_NAMED_FLOAT ? BUDDY_F64
                                                                          : BUDDY_BOOL};
  const buddy_value *input;
  BD_TRY(buddy_graph_add_input(import->graph, BUDDY_INPUT_USER, name->name, NULL, &type, NULL,
                               import->diags, &input));
  buddy_arg arg = bd_tensor_arg(input);
  if (name->kind == BD_NAMED_INT) {
    arg.kind = BUDDY_ARG_INT;
    BD_TRY(bd_types_dim(import, name->meta, &arg.as.i));
    size_t symbol;
    if (!bd_types_symbol(import, arg.as.i, &symbol)) {
      BD_TRY(buddy_graph_bind_symbol(import->graph, symbol, input));
    } else if (bd_archive_sizes(import->archive) && !BUDDY_IS_SYMBOLIC(arg.as.i)) {
      bd_import_problem(import, BUDDY_INVALID_ARGUMENT, name->name,
                        "leave that size as it is, with ?",
                        "a size was chosen that this input tells in each run");
    }
  }
  return bd_names_define(import, at->top, name->name, &arg);
}

static buddy_code read_user_input(const placeholder *at, bd_json spec) {
  bd_import *import = at->import;
  bd_json value;
  const char *kind = bd_json_union(&import->json, bd_json_get(&import->json, spec, "arg"), &value);
  BD_TRY(import->json.code);
  if (!strncmp(kind, "as_sym_", 7)) return read_user_number(at, value);
  if (!strcmp(kind, "as_tensor")) {
    bd_named *name;
    const buddy_value *input;
    BD_TRY(bd_names_type(import, at->top, bd_json_get(&import->json, value, "name"), &name));
    BD_TRY(buddy_graph_add_input(import->graph, BUDDY_INPUT_USER, name->name, NULL, &name->type,
                                 NULL, import->diags, &input));
    return bd_names_define_tensor(import, at->top, name, input);
  }
  bd_import_problem(import, BUDDY_UNSUPPORTED, NULL, "let forward() take tensors and sizes",
                    "an input of the kind '%.60s'", kind);
  return BUDDY_OK;
}

static buddy_code read_constant_input(const placeholder *at, bd_json spec) {
  bd_import *import = at->import;
  const char *name = bd_json_name(&import->json, bd_json_get(&import->json, spec, "name"));
  buddy_arg arg;
  bd_json graph;
  BD_TRY(import->json.code);
  BD_TRY(bd_args_read(import, at->top, bd_json_get(&import->json, spec, "value"), &arg, &graph));
  bd_named *found;
  HASH_FIND(hh, at->top->names, name, strlen(name), found);
  return found && found->is_defined ? BUDDY_OK : bd_names_define(import, at->top, name, &arg);
}

static buddy_code refuse_object(const placeholder *at, bd_json spec) {
  bd_json_reader *json = &at->import->json;
  const char *name = bd_json_name(json, bd_json_get(json, spec, "custom_obj_name"));
  const bd_json arg = bd_json_get(json, spec, "arg");
  const char *type = bd_json_name(json, bd_json_get(json, arg, "class_fqn"));
  BD_TRY(json->code);
  bd_import_problem(at->import, BUDDY_UNSUPPORTED, name, "replace it by tensors and ops",
                    "it is an object of the custom class '%.100s', whose code buddy has not", type);
  const buddy_arg none = {.kind = BUDDY_ARG_NONE};
  return bd_names_define(at->import, at->top, bd_json_name(json, bd_json_get(json, arg, "name")),
                         &none);
}

/* A token only orders ops that have effects; the graph keeps the program's order anyway. */
static buddy_code skip_token(const placeholder *at, bd_json spec) {
  bd_import *import = at->import;
  const bd_json arg = bd_json_get(&import->json, spec, "arg");
  const char *name = bd_json_name(&import->json, bd_json_get(&import->json, arg, "name"));
  const buddy_arg none = {.kind = BUDDY_ARG_NONE};
  BD_TRY(import->json.code);
  return bd_names_define(import, at->top, name, &none);
}

static const struct {
  const char *name;
  buddy_code (*read)(const placeholder *at, bd_json spec);
} input_kinds[] = {
    {"parameter", read_parameter},
    {"buffer", read_buffer},
    {"user_input", read_user_input},
    {"tensor_constant", read_constant_tensor},
    {"constant_input", read_constant_input},
    {"custom_obj", refuse_object},
    {"token", skip_token},
};

static buddy_code read_input(const placeholder *at, bd_json spec) {
  bd_json value;
  const char *kind = bd_json_union(&at->import->json, spec, &value);
  BD_TRY(at->import->json.code);
  for (size_t i = 0; i < sizeof input_kinds / sizeof *input_kinds; ++i) {
    if (!strcmp(kind, input_kinds[i].name)) return input_kinds[i].read(at, value);
  }
  bd_json_wrong(&at->import->json, spec, "is an input of an unknown kind");
  return at->import->json.code;
}

static buddy_code check_counts(bd_import *import, bd_json specs, bd_json items, const char *what) {
  if (!import->json.code && bd_json_count(specs) != bd_json_count(items)) {
    bd_json_wrong(&import->json, specs, what);
  }
  return import->json.code;
}

buddy_code bd_signature_inputs(bd_import *import, bd_frame *top, bd_json signature) {
  const bd_json specs = bd_json_get(&import->json, signature, "input_specs");
  const bd_json inputs = bd_json_get(&import->json, top->graph, "inputs");
  BD_TRY(check_counts(import, specs, inputs, "has not as many members as the graph has inputs"));
  bd_json_iterator all_specs = bd_json_array(&import->json, specs);
  bd_json_iterator all_inputs = bd_json_array(&import->json, inputs);
  placeholder at = {.import = import, .top = top};
  for (bd_json spec; bd_json_next(&all_specs, &spec) && bd_json_next(&all_inputs, &at.argument);) {
    BD_TRY(read_input(&at, spec));
  }
  return import->json.code;
}

/* ---- Outputs ---- */

static const struct {
  const char *name;
  buddy_output_kind kind;
  const char *target; /* member with the name of what is mutated; null: none */
} output_kinds[] = {
    {"user_output", BUDDY_OUTPUT_USER, NULL},
    {"loss_output", BUDDY_OUTPUT_USER, NULL},
    {"buffer_mutation", BUDDY_OUTPUT_BUFFER_MUTATION, "buffer_name"},
    {"parameter_mutation", BUDDY_OUTPUT_BUFFER_MUTATION, "parameter_name"},
    {"user_input_mutation", BUDDY_OUTPUT_INPUT_MUTATION, "user_input_name"},
};

/* The graph's own output is what counts; the signature only says what it is for. */
static buddy_code read_output(bd_import *import, bd_frame *top, bd_json spec, bd_json argument) {
  bd_json value, graph;
  const char *kind = bd_json_union(&import->json, spec, &value);
  BD_TRY(import->json.code);
  if (!strcmp(kind, "token")) return BUDDY_OK;
  for (size_t i = 0; i < sizeof output_kinds / sizeof *output_kinds; ++i) {
    if (strcmp(kind, output_kinds[i].name)) continue;
    buddy_arg arg;
    const char *target = NULL;
    BD_TRY(bd_args_read(import, top, argument, &arg, &graph));
    if (output_kinds[i].target) {
      target =
          bd_json_name(&import->json, bd_json_get(&import->json, value, output_kinds[i].target));
      BD_TRY(import->json.code);
    }
    return buddy_graph_add_output(import->graph, output_kinds[i].kind, target, &arg, import->diags);
  }
  bd_import_problem(import, BUDDY_UNSUPPORTED, NULL, "export the program for inference",
                    "an output of the kind '%.60s'", kind);
  return BUDDY_OK;
}

buddy_code bd_signature_outputs(bd_import *import, bd_frame *top, bd_json signature) {
  const bd_json specs = bd_json_get(&import->json, signature, "output_specs");
  const bd_json outputs = bd_json_get(&import->json, top->graph, "outputs");
  BD_TRY(check_counts(import, specs, outputs, "has not as many members as the graph has outputs"));
  bd_json_iterator all_specs = bd_json_array(&import->json, specs);
  bd_json_iterator all_outputs = bd_json_array(&import->json, outputs);
  for (bd_json spec, output;
       bd_json_next(&all_specs, &spec) && bd_json_next(&all_outputs, &output);) {
    BD_TRY(read_output(import, top, spec, output));
  }
  return import->json.code;
}
