// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* core/graph/inputs.c: what comes into a graph and what goes out. */
#include <string.h>

#include "core/base/array.h"
#include "core/base/try.h"
#include "core/graph/arguments.h"
#include "core/graph/guards.h"
#include "core/graph/names.h"
#include "core/graph/types.h"

/* ---- Inputs ---- */

static buddy_code reject_input(const buddy_graph *graph, const char *name, const char *problem,
                               buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, graph->name, NULL,
                         "the input %s %s", name ? name : "without a name", problem);
}

static buddy_code check_type(const buddy_graph *graph, const char *name,
                             const buddy_tensor_type *type, buddy_diags *diags) {
  const char *problem = bd_type_problem(graph, type);
  if (problem) return reject_input(graph, name, problem, diags);
  if (type->dtype == BUDDY_DTYPE_NONE) return reject_input(graph, name, "has no dtype", diags);
  return BUDDY_OK;
}

static buddy_code check_input(const buddy_graph *graph, buddy_input_kind kind, const char *name,
                              const buddy_tensor_type *type, buddy_diags *diags) {
  if ((unsigned)kind > BUDDY_INPUT_CONSTANT)
    return reject_input(graph, name, "is of an unknown kind", diags);
  BD_TRY(check_type(graph, name, type, diags));
  if (name && !*name) return reject_input(graph, name, "has an empty name", diags);
  if (name && !bd_name_is_free(graph, name, 1)) {
    return reject_input(graph, name, "has a name that the graph has already", diags);
  }
  return BUDDY_OK;
}

static buddy_code copy_data(buddy_graph *graph, const buddy_data *data, uint32_t rank,
                            buddy_data *out_data) {
  *out_data = *data;
  if (!data->strides) return BUDDY_OK;
  int64_t *strides = bd_graph_alloc(graph, rank * sizeof *strides);
  if (!strides) return BUDDY_OUT_OF_MEMORY;
  memcpy(strides, data->strides, rank * sizeof *strides);
  out_data->strides = strides;
  return BUDDY_OK;
}

/* Memory of an input that failed half-way stays in the pool's arena until the graph dies: inputs
 * are never erased. */
static bd_graph_input *create_input(buddy_graph *graph, buddy_input_kind kind, const char *target,
                                    const buddy_tensor_type *type, const buddy_data *data) {
  bd_graph_input *input = bd_arena_calloc(&graph->world->pool.arena, 1, sizeof *input);
  if (!input) return NULL;
  buddy_code code = bd_type_copy(graph, type, &input->value.type);
  if (!code && data) code = copy_data(graph, data, type->rank, &input->data);
  if (!code) input->target = bd_graph_intern(graph, target ? target : "", &code);
  input->kind = kind;
  input->name.is_input = true;
  input->value.graph = graph;
  input->value.index = (uint32_t)graph->n_inputs;
  return code ? NULL : input;
}

buddy_code buddy_graph_add_input(buddy_graph *graph, buddy_input_kind kind, const char *name,
                                 const char *target, const buddy_tensor_type *type,
                                 const buddy_data *data, buddy_diags *diags,
                                 const buddy_value **out_value) {
  if (out_value) *out_value = NULL;
  BD_TRY(check_input(graph, kind, name, type, diags));
  if (graph->n_inputs >= UINT32_MAX) return BUDDY_LIMIT;
  void *inputs = bd_array_grow(graph->inputs, &graph->inputs_capacity, graph->n_inputs + 1,
                               sizeof *graph->inputs);
  if (!inputs) return BUDDY_OUT_OF_MEMORY;
  graph->inputs = inputs;
  bd_graph_input *input = create_input(graph, kind, target, type, data);
  if (!input) return BUDDY_OUT_OF_MEMORY;
  BD_TRY(bd_name_add(graph, &input->name, name, "input", 1));
  input->value.name = input->name.text;
  graph->inputs[graph->n_inputs++] = input;
  if (out_value) *out_value = &input->value;
  return BUDDY_OK;
}

buddy_code buddy_graph_set_input(buddy_graph *graph, size_t i, const buddy_tensor_type *type,
                                 const buddy_data *data, buddy_diags *diags) {
  if (i >= graph->n_inputs) return reject_input(graph, NULL, "is not there", diags);
  bd_graph_input *input = graph->inputs[i];
  if (input->kind == BUDDY_INPUT_USER)
    return reject_input(graph, input->name.text, "is the user's, and stays what it is", diags);
  buddy_tensor_type copy = {0};
  buddy_data kept = {0};
  buddy_code code = check_type(graph, input->name.text, type, diags);
  if (!code) code = bd_type_copy(graph, type, &copy);
  if (!code && data) code = copy_data(graph, data, type->rank, &kept);
  if (code) {
    bd_type_free(graph, &copy);
    return code;
  }
  bd_type_free(graph, &input->value.type); /* strides before stay in the pool: they are few */
  input->value.type = copy;
  input->data = kept;
  return BUDDY_OK;
}

size_t buddy_graph_n_inputs(const buddy_graph *graph) { return graph->n_inputs; }

const buddy_value *buddy_graph_input(const buddy_graph *graph, size_t i) {
  return i < graph->n_inputs ? &graph->inputs[i]->value : NULL;
}

buddy_input_kind buddy_graph_input_kind(const buddy_graph *graph, size_t i) {
  return i < graph->n_inputs ? graph->inputs[i]->kind : BUDDY_INPUT_USER;
}

const char *buddy_graph_input_target(const buddy_graph *graph, size_t i) {
  return i < graph->n_inputs ? graph->inputs[i]->target : "";
}

const buddy_data *buddy_graph_input_data(const buddy_graph *graph, size_t i) {
  return i < graph->n_inputs ? &graph->inputs[i]->data : NULL;
}

/* ---- Outputs ---- */

static buddy_code reject_output(const buddy_graph *graph, size_t i, const char *problem,
                                buddy_diags *diags) {
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, graph->name, NULL,
                         "output %zu %s", i, problem);
}

static buddy_code check_output(const buddy_graph *graph, size_t i, buddy_output_kind kind,
                               const buddy_arg *arg, buddy_diags *diags) {
  static const uint32_t allowed = 1u << BUDDY_ARG_NONE | 1u << BUDDY_ARG_TENSOR |
                                  1u << BUDDY_ARG_INT | 1u << BUDDY_ARG_FLOAT |
                                  1u << BUDDY_ARG_BOOL | 1u << BUDDY_ARG_STRING;
  const char *problem = bd_arg_problem(graph, arg);
  if (problem) return reject_output(graph, i, problem, diags);
  if ((unsigned)kind > BUDDY_OUTPUT_INPUT_MUTATION)
    return reject_output(graph, i, "is of an unknown kind", diags);
  if (!(allowed >> arg->kind & 1u)) {
    return reject_output(graph, i, "is neither a tensor, nor None, nor a constant", diags);
  }
  if (kind != BUDDY_OUTPUT_USER && arg->kind != BUDDY_ARG_TENSOR) {
    return reject_output(graph, i, "is a mutation without a tensor", diags);
  }
  return BUDDY_OK;
}

buddy_code buddy_graph_add_output(buddy_graph *graph, buddy_output_kind kind, const char *target,
                                  const buddy_arg *arg, buddy_diags *diags) {
  buddy_code code = check_output(graph, graph->n_outputs, kind, arg, diags);
  if (code) return code;
  void *outputs = bd_array_grow(graph->outputs, &graph->outputs_capacity, graph->n_outputs + 1,
                                sizeof *graph->outputs);
  if (!outputs) return BUDDY_OUT_OF_MEMORY;
  graph->outputs = outputs;
  bd_graph_output *output = bd_arena_calloc(&graph->world->pool.arena, 1, sizeof *output);
  if (!output) return BUDDY_OUT_OF_MEMORY;
  output->kind = kind;
  output->target = bd_graph_intern(graph, target ? target : "", &code);
  if (!code) output->arg = bd_arg_create(graph, arg);
  if (!output->arg) return BUDDY_OUT_OF_MEMORY;
  bd_arg_link(output->arg, NULL, graph->n_outputs);
  graph->outputs[graph->n_outputs++] = output;
  return BUDDY_OK;
}

size_t buddy_graph_n_outputs(const buddy_graph *graph) { return graph->n_outputs; }

const buddy_arg *buddy_graph_output(const buddy_graph *graph, size_t i) {
  return i < graph->n_outputs ? graph->outputs[i]->arg : NULL;
}

buddy_output_kind buddy_graph_output_kind(const buddy_graph *graph, size_t i) {
  return i < graph->n_outputs ? graph->outputs[i]->kind : BUDDY_OUTPUT_USER;
}

const char *buddy_graph_output_target(const buddy_graph *graph, size_t i) {
  return i < graph->n_outputs ? graph->outputs[i]->target : "";
}

buddy_code buddy_graph_set_output(buddy_graph *graph, size_t i, const buddy_arg *arg,
                                  buddy_diags *diags) {
  if (i >= graph->n_outputs) return reject_output(graph, i, "does not exist", diags);
  bd_graph_output *output = graph->outputs[i];
  BD_TRY(check_output(graph, i, output->kind, arg, diags));
  const buddy_arg *copy = bd_arg_create(graph, arg);
  if (!copy) return BUDDY_OUT_OF_MEMORY;
  bd_arg_unlink(output->arg);
  bd_arg_destroy(graph, output->arg);
  output->arg = copy;
  bd_arg_link(copy, NULL, i);
  return BUDDY_OK;
}

buddy_code bd_graph_retarget_output(buddy_graph *graph, size_t i, buddy_output_kind kind,
                                    const char *target) {
  buddy_code code = BUDDY_OK;
  const char *copy = bd_graph_intern(graph, target, &code);
  BD_TRY(code);
  graph->outputs[i]->kind = kind;
  graph->outputs[i]->target = copy;
  return BUDDY_OK;
}

/* ---- Mutations ---- */

/* The input that an output writes to: a buffer by its target, a user input by its name. */
static const bd_graph_input *find_written(const buddy_graph *graph, const bd_graph_output *output) {
  const bool is_buffer = output->kind == BUDDY_OUTPUT_BUFFER_MUTATION;
  for (size_t i = 0; i < graph->n_inputs; ++i) {
    const bd_graph_input *input = graph->inputs[i];
    if (!strcmp(is_buffer ? input->target : input->value.name, output->target)) return input;
  }
  return NULL;
}

static buddy_code check_written(buddy_graph *graph, const bd_graph_output *output,
                                const bd_graph_input *input, buddy_diags *diags) {
  const buddy_value *value = output->arg->as.tensor;
  const buddy_tensor_type *from = &value->type, *to = &input->value.type;
  buddy_code code = BUDDY_OK;
  bool is_same = from->dtype == to->dtype && from->rank == to->rank;
  for (uint32_t i = 0; is_same && !code && i < to->rank; ++i) {
    is_same = BUDDY_IS_SYMBOLIC(from->dims[i]) || BUDDY_IS_SYMBOLIC(to->dims[i]) ||
              from->dims[i] == to->dims[i];
    if (is_same)
      code = bd_graph_require_equal(graph, to->dims[i], from->dims[i], value->node, diags);
  }
  if (is_same) return code;
  char was[128], is[128];
  buddy_graph_type_text(graph, to, was, sizeof was);
  buddy_graph_type_text(graph, from, is, sizeof is);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, output->target,
                         "its types contradict each other: make the program anew",
                         "the program writes a value of type %s to it, but it is %s", is, was);
}

buddy_code bd_graph_check_mutations(buddy_graph *graph, buddy_diags *diags) {
  buddy_code worst = BUDDY_OK;
  for (size_t i = 0; i < graph->n_outputs; ++i) {
    const bd_graph_output *output = graph->outputs[i];
    const bd_graph_input *input =
        output->kind == BUDDY_OUTPUT_USER ? NULL : find_written(graph, output);
    const buddy_code code = input ? check_written(graph, output, input, diags) : BUDDY_OK;
    if (code && (!worst || code == BUDDY_OUT_OF_MEMORY)) worst = code;
  }
  return worst;
}
