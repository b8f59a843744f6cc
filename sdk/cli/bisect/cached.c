// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/cli/bisect/cached.c: code that was compiled before, as `buddy run` takes it from the cache. */
#include <string.h>

#include "core/base/memory.h"
#include "sdk/cli/bisect/bisect.h"
#include "sdk/runtime/model.h"

static buddy_code load(const bd_bisect *b, const char *path, const char *program,
                       buddy_diags *diags, buddy_model **out) {
  const buddy_search_options search = bd_search_options(b->flags);
  const buddy_registries_options registries = bd_registries_options(b->flags);
  const buddy_model_options options = {.struct_size = sizeof options,
                                       .search = &search,
                                       .registries = &registries,
                                       .compile = &b->candidate.compile,
                                       .use_cache = 1,
                                       .only_cached = 1,
                                       .n_threads = b->candidate.n_threads,
                                       .program = program};
  return buddy_model_load(path, &options, diags, out);
}

/* The values of the graph, by name. inputs: lent. */
static buddy_code find_inputs(const bd_bisect *b, buddy_model *model, buddy_tensor *inputs,
                              size_t n) {
  for (size_t i = 0; i < n; ++i) {
    const buddy_value *value = buddy_graph_find_value(b->graph, buddy_model_input(model, i)->name);
    if (!value) return BUDDY_INTERNAL;
    inputs[i] = bd_values_get(b->values, value)->tensor;
    inputs[i].release = NULL;
  }
  return BUDDY_OK;
}

/* The model's results where the reference has values of their names; what else it has is no result. */
static void move_results(buddy_model *model, buddy_tensor *outputs, size_t n, bd_results *to) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < to->n; ++k) {
      if (strcmp(buddy_model_output(model, i)->name, buddy_value_name(to->values[k])) != 0 ||
          to->tensors[k].dtype != BUDDY_DTYPE_NONE)
        continue;
      to->tensors[k] = outputs[i];
      outputs[i] = (buddy_tensor){.dtype = BUDDY_DTYPE_NONE};
      break;
    }
  }
}

static buddy_code run(bd_bisect *b, buddy_model *model, bd_results *out) {
  const size_t n_inputs = buddy_model_n_inputs(model), n_outputs = buddy_model_n_outputs(model);
  buddy_tensor *inputs = bd_calloc(n_inputs + n_outputs + 1, sizeof *inputs), *own = NULL;
  if (!inputs) return BUDDY_OUT_OF_MEMORY;
  buddy_tensor *outputs = inputs + n_inputs;
  buddy_code code = find_inputs(b, model, inputs, n_inputs);
  buddy_model_seed(model, b->seed);
  if (code == BUDDY_OK) code = bd_model_spare_inputs(model, inputs, &own);
  if (code == BUDDY_OK) code = buddy_model_run(model, own, n_inputs, outputs, n_outputs, b->diags);
  if (code == BUDDY_OK) move_results(model, outputs, n_outputs, out);
  for (size_t i = 0; i < n_outputs; ++i) buddy_tensor_release(&outputs[i]);
  bd_model_spared_free(model, own);
  bd_free(inputs);
  return code;
}

/* Why there is none is nothing that a user has asked for. */
buddy_code bd_cached_run(bd_bisect *b, const char *path, const char *program, bd_results *out) {
  buddy_model *model = NULL;
  buddy_diags *diags = NULL;
  *out = (bd_results){.n = 0};
  if (buddy_diags_create(&diags) != BUDDY_OK) return BUDDY_OUT_OF_MEMORY;
  const bool is_there = load(b, path, program, diags, &model) == BUDDY_OK;
  buddy_diags_destroy(diags);
  if (!is_there) return BUDDY_OK;
  buddy_code code = bd_part_results(b, (bd_node_range){0, b->n_nodes}, false, out);
  if (code == BUDDY_OK) code = run(b, model, out);
  if (code != BUDDY_OK) bd_results_free(out);
  buddy_model_destroy(model);
  return code;
}
