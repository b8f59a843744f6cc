// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/part.c: neighbouring nodes of a graph as a program, run on values that are alive. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/hash.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "core/graph/extract.h"
#include "sdk/cli/bisect/bisect.h"

/* ---- Results --------------------------------------------------------------------------------- */
void bd_results_free(bd_results *results) {
  for (size_t i = 0; results->tensors && i < results->n; ++i)
    buddy_tensor_release(&results->tensors[i]);
  bd_free(results->tensors);
  bd_free(results->values);
  *results = (bd_results){.n = 0};
}

static buddy_code find_results(const bd_bisect *b, bd_node_range range, bool takes_all,
                               const bool *picked, bd_results *out) {
  size_t n = 0;
  *out = (bd_results){.n = 0};
  for (size_t i = range.first; i < range.end; ++i) n += buddy_node_n_results(b->nodes[i]);
  out->values = bd_calloc(n + 1, sizeof *out->values);
  out->tensors = bd_calloc(n + 1, sizeof *out->tensors);
  if (!out->values || !out->tensors) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = range.first; i < range.end; ++i) {
    if (picked && !picked[i]) continue;
    for (size_t k = 0; k < buddy_node_n_results(b->nodes[i]); ++k) {
      const buddy_value *value = buddy_node_result(b->nodes[i], k);
      const size_t last = bd_values_get(b->values, value)->last_use;
      if (last >= range.end || ((takes_all || picked) && last > 0)) out->values[out->n++] = value;
    }
  }
  return BUDDY_OK;
}

buddy_code bd_part_results(const bd_bisect *b, bd_node_range range, bool takes_all,
                           bd_results *out) {
  return find_results(b, range, takes_all, NULL, out);
}

/* ---- Programs -------------------------------------------------------------------------------- */
bool bd_part_has(const void *user, const buddy_node *node) {
  const bd_part_user *part = user;
  const size_t position = bd_values_position(part->values, node);
  return position >= part->range.first && position < part->range.end &&
         (!part->picked || part->picked[position]);
}

static buddy_code compile(buddy_graph *graph, const bd_way *way, buddy_diags *diags,
                          buddy_program **out) {
  buddy_plan *plan = NULL;
  buddy_module *module = NULL;
  buddy_compile_options options = way->compile;
  options.struct_size = sizeof options;
  options.parameters_are_constant = 1;
  buddy_code code = buddy_plan_create(way->registries, graph, diags, &plan);
  if (code == BUDDY_OK) code = buddy_lower(plan, NULL, diags, &module);
  buddy_plan_destroy(plan);
  return code == BUDDY_OK ? buddy_compile(module, way->registries, &options, diags, out) : code;
}

/* Warnings are of every program that has a node: `buddy run` tells them. */
static void tell_errors(const buddy_diags *from, buddy_diags *to) {
  for (size_t i = 0; to && i < buddy_diags_count(from); ++i) {
    const buddy_diag *diag = buddy_diags_get(from, i);
    if (diag->severity == BUDDY_ERROR)
      buddy_diags_add(to, diag->severity, diag->code, diag->where, diag->todo, "%s", diag->what);
  }
}

/* Sizes stay symbolic where the part's own inputs tell them: so it is the code that the whole has.
 * Else they become the numbers of this run. */
static buddy_code make_program(bd_bisect *b, const bd_part_user *c, const bd_way *way,
                               const bd_results *results, buddy_program **out) {
  const bool has_symbols = buddy_graph_n_symbols(b->graph) > 0;
  bd_cut cut = {.has = bd_part_has,
                .user = c,
                .outputs = results->values,
                .n_outputs = results->n,
                .is_double = way->is_double};
  buddy_diags *diags = NULL;
  if (buddy_diags_create(&diags) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_UNSUPPORTED;
  for (int is_fixed = 0; is_fixed <= has_symbols && code != BUDDY_OK; ++is_fixed) {
    buddy_graph *graph = NULL;
    cut.symbols = is_fixed ? bd_values_symbols(b->values) : NULL;
    if (is_fixed && !cut.symbols) break;
    code = bd_graph_extract(b->graph, &cut, diags, &graph);
    if (code == BUDDY_OK) code = compile(graph, way, diags, out);
    buddy_graph_destroy(graph);
    if (code != BUDDY_OK && is_fixed == has_symbols) tell_errors(diags, b->diags);
    buddy_diags_clear(diags);
  }
  buddy_diags_destroy(diags);
  ++b->n_programs;
  return code;
}

/* ---- Inputs ---------------------------------------------------------------------------------- */
/* A parameter's, which lies in the archive. */
static buddy_tensor lend(const buddy_tensor_type *type, const buddy_data *data, int64_t *strides) {
  int64_t step = 1;
  for (uint32_t d = type->rank; d-- > 0; step *= type->dims[d]) {
    strides[d] = data->strides ? data->strides[d] : step;
  }
  return (buddy_tensor){.dtype = type->dtype,
                        .rank = type->rank,
                        .sizes = (int64_t *)(uintptr_t)type->dims,
                        .strides = strides,
                        .bytes = (char *)(uintptr_t)data->bytes +
                                 data->offset * (int64_t)buddy_dtype_size(type->dtype)};
}

static bool is_inexact(buddy_dtype dtype) { return bd_gap_tolerance(dtype) > 0; }

/* What rounding would do to it: up and down in turns that are not regular, and others for each input. */
static void dither(buddy_tensor *tensor, double by, uint32_t state) {
  const bool is_f64 = tensor->dtype == BUDDY_F64 || tensor->dtype == BUDDY_C128;
  const int64_t n = buddy_tensor_n_elements(tensor) * (tensor->dtype == BUDDY_C128 ? 2 : 1);
  for (int64_t i = 0; is_f64 && i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    ((double *)tensor->bytes)[i] *= 1 + (state >> 31 ? by : -by);
  }
}

typedef struct inputs {
  buddy_tensor *tensors;
  int64_t (*strides)[64];
  size_t n;
} inputs;

static void free_inputs(inputs *in) {
  for (size_t i = 0; in->tensors && i < in->n; ++i) buddy_tensor_release(&in->tensors[i]);
  bd_free(in->tensors);
  bd_free(in->strides);
}

static buddy_code find_input(const bd_bisect *b, const buddy_port *port, const bd_way *way,
                             double by, bool is_other, int64_t *strides, buddy_tensor *out) {
  const buddy_value *value = buddy_graph_find_value(b->graph, port->name);
  const bd_value_state *state = value ? bd_values_get(b->values, value) : NULL;
  if (!state) return BUDDY_INTERNAL;
  const buddy_data *data =
      state->made == SIZE_MAX ? buddy_graph_input_data(b->graph, buddy_value_index(value)) : NULL;
  const bool is_lent = data && data->bytes;
  buddy_tensor tensor = is_lent ? lend(buddy_value_type(value), data, strides) : state->tensor;
  if (tensor.dtype == BUDDY_DTYPE_NONE)
    return buddy_diags_add(b->diags, BUDDY_ERROR, BUDDY_NOT_FOUND, port->name, NULL,
                           "has no value at this point");
  tensor.release = NULL; /* it is the store's */
  if (is_other && !is_lent) return bd_tensor_vary(&tensor, out);
  const bool is_wide = way->is_double && is_inexact(tensor.dtype);
  if (!is_wide) {
    *out = tensor;
    return BUDDY_OK;
  }
  BD_TRY(bd_tensor_convert(&tensor, bd_dtype_double(tensor.dtype), out));
  if (by > 0) dither(out, by, bd_hash(port->name, strlen(port->name)));
  return BUDDY_OK;
}

static buddy_code bind(const bd_bisect *b, const buddy_program *program, const bd_way *way,
                       double by, bool is_other, inputs *in) {
  in->n = buddy_program_n_inputs(program);
  in->tensors = bd_calloc(in->n + 1, sizeof *in->tensors);
  in->strides = bd_calloc(in->n + 1, sizeof *in->strides);
  if (!in->tensors || !in->strides) return BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < in->n; ++i)
    BD_TRY(find_input(b, buddy_program_input(program, i), way, by, is_other, in->strides[i],
                      &in->tensors[i]));
  return BUDDY_OK;
}

/* ---- Runs ------------------------------------------------------------------------------------ */
/* n_runs before the last one have other numbers as inputs, so that what a program keeps from them and
 * should not is seen; whether they succeed is of no account. */
static buddy_code run(bd_bisect *b, buddy_program *program, const bd_way *way,
                      const bd_part_options *options, bd_results *results) {
  buddy_code code = BUDDY_OK;
  buddy_program_set_threads(program, way->n_threads);
  for (int k = 1; k <= options->n_runs && code == BUDDY_OK; ++k) {
    const bool is_last = k == options->n_runs;
    inputs in = {0};
    buddy_program_seed(program, b->seed);
    for (size_t i = 0; i < results->n; ++i) buddy_tensor_release(&results->tensors[i]);
    code = bind(b, program, way, options->dither, !is_last, &in);
    for (size_t i = 0; options->see && is_last && code == BUDDY_OK && i < in.n; ++i)
      options->see(options->user,
                   buddy_graph_find_value(b->graph, buddy_program_input(program, i)->name),
                   &in.tensors[i]);
    if (code == BUDDY_OK) {
      const buddy_code ran = buddy_program_run(program, in.tensors, in.n, results->tensors,
                                               results->n, is_last ? b->diags : NULL);
      if (is_last) code = ran;
    }
    free_inputs(&in);
  }
  return code;
}

static buddy_code run_plain(bd_bisect *b, bd_node_range range, buddy_program *program,
                            const bd_way *way, const bd_part_options *options) {
  const bd_part_options plain = {.n_runs = 1};
  buddy_code code = bd_part_results(b, range, options->takes_all, options->plain);
  if (code == BUDDY_OK) code = run(b, program, way, &plain, options->plain);
  if (code != BUDDY_OK) bd_results_free(options->plain);
  return code;
}

buddy_code bd_part_run(bd_bisect *b, bd_node_range range, const bd_way *way,
                       const bd_part_options *options, bd_results *out) {
  const bd_part_user c = {b->values, range, options->picked};
  buddy_program *program = NULL;
  buddy_code code = find_results(b, range, options->takes_all, options->picked, out);
  if (code == BUDDY_OK && out->n > 0) code = make_program(b, &c, way, out, &program);
  if (code == BUDDY_OK && options->plain && out->n > 0)
    code = run_plain(b, range, program, way, options);
  if (code == BUDDY_OK && out->n > 0) code = run(b, program, way, options, out);
  buddy_program_destroy(program);
  if (code != BUDDY_OK) bd_results_free(out);
  return code;
}

void bd_way_close(bd_way *way) {
  buddy_registries_destroy(way->registries);
  way->registries = NULL;
}
