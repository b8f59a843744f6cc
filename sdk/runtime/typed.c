// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/typed.c: what stands behind the typed C functions of a model that was compiled ahead
 * of time: bare pointers become tensors, whose sizes follow from the shape symbols. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/artifact.h"

typedef struct typed_model {
  const bd_artifact *artifact;
  buddy_model *model;
} typed_model;

/* The first error, in one line. */
static void explain(const buddy_diags *diags, buddy_code code, char *why, size_t why_size) {
  if (!why || why_size == 0) return;
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    const buddy_diag *diag = buddy_diags_get(diags, i);
    if (diag->severity != BUDDY_ERROR) continue;
    snprintf(why, why_size, "%s%s%s%s%s%s", diag->where, *diag->where != '\0' ? ": " : "",
             diag->what, *diag->todo != '\0' ? " (" : "", diag->todo,
             *diag->todo != '\0' ? ")" : "");
    return;
  }
  snprintf(why, why_size, "%s", buddy_code_name(code));
}

void *buddy_runtime_load(const bd_artifact *artifact, const char *path, char *why,
                         size_t why_size) {
  buddy_diags *diags = NULL;
  typed_model *typed = bd_calloc(1, sizeof(typed_model));
  buddy_code code = !typed ? BUDDY_OUT_OF_MEMORY : buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = bd_artifact_load(artifact, path, diags, &typed->model);
  if (code != BUDDY_OK) {
    explain(diags, code, why, why_size);
    free(typed);
    typed = NULL;
  } else {
    typed->artifact = artifact;
  }
  buddy_diags_destroy(diags);
  return typed;
}

void buddy_runtime_set_threads(void *model, int32_t n_threads) {
  const typed_model *typed = model;
  buddy_model_set_threads(typed->model, n_threads);
}

void buddy_runtime_destroy(void *model) {
  typed_model *typed = model;
  if (!typed) return;
  buddy_model_destroy(typed->model);
  free(typed);
}

/* ---- One call ---- */

/* The tensors of one call, in one allocation: inputs, outputs, then their sizes and strides. */
typedef struct call {
  buddy_tensor *inputs, *outputs;
  size_t n_inputs, n_outputs;
  int64_t *numbers; /* the next that is free */
} call;

static buddy_code call_create(const bd_signature *signature, call *out_call) {
  size_t n_numbers = 0;
  *out_call = (call){NULL, NULL, 0, 0, NULL};
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    if (signature->inputs[i].port.kind != BUDDY_INPUT_USER) continue;
    ++out_call->n_inputs;
    n_numbers += 2 * (size_t)signature->inputs[i].port.rank;
  }
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    if (signature->outputs[i].port.kind != BUDDY_OUTPUT_USER) continue;
    ++out_call->n_outputs;
    n_numbers += 2 * (size_t)signature->outputs[i].port.rank;
  }
  const size_t n_tensors = out_call->n_inputs + out_call->n_outputs;
  char *memory = bd_calloc(1, n_tensors * sizeof(buddy_tensor) + n_numbers * sizeof(int64_t) + 1);
  if (!memory) return BUDDY_OUT_OF_MEMORY;
  out_call->inputs = (buddy_tensor *)(void *)memory;
  out_call->outputs = out_call->inputs + out_call->n_inputs;
  out_call->numbers = (int64_t *)(void *)(out_call->inputs + n_tensors);
  return BUDDY_OK;
}

/* A dense tensor of the port's type over the caller's memory. */
static buddy_code describe(call *c, const buddy_port *port, const bd_size *sizes,
                           const int64_t *symbols, void *bytes, buddy_diags *diags,
                           buddy_tensor *out) {
  *out = (buddy_tensor){.dtype = port->dtype, .rank = port->rank, .bytes = bytes};
  out->sizes = c->numbers;
  out->strides = c->numbers + port->rank;
  c->numbers += 2 * (size_t)port->rank;
  int64_t stride = 1, n = 1;
  for (uint32_t d = port->rank; d-- > 0;) {
    const buddy_code code = bd_size_eval(&sizes[d], symbols, &out->sizes[d]);
    if (code != BUDDY_OK || out->sizes[d] < 0) {
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, port->name, NULL,
                             "the size %s has no value for these symbols", sizes[d].text);
    }
    out->strides[d] = stride;
    n = out->sizes[d] == 0 ? 0 : n;
    if (__builtin_mul_overflow(stride, out->sizes[d] > 0 ? out->sizes[d] : 1, &stride))
      return BUDDY_LIMIT;
  }
  if (bytes || n == 0) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, port->name, NULL,
                         "the pointer is null");
}

static buddy_code describe_all(const typed_model *typed, call *c, const int64_t *symbols,
                               void *const *inputs, void *const *outputs, buddy_diags *diags) {
  const bd_signature *signature = typed->artifact->signature;
  size_t k = 0;
  for (size_t i = 0; i < signature->n_inputs; ++i) {
    const bd_input *input = &signature->inputs[i];
    if (input->port.kind != BUDDY_INPUT_USER) continue;
    BD_TRY(describe(c, &input->port, input->sizes, symbols, inputs[k], diags, &c->inputs[k]));
    ++k;
  }
  k = 0;
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    const bd_output *output = &signature->outputs[i];
    if (output->port.kind != BUDDY_OUTPUT_USER) continue;
    if (typed->artifact->passing[i] == BD_PASSING_GIVEN) {
      BD_TRY(describe(c, &output->port, output->sizes, symbols, *outputs, diags, &c->outputs[k]));
    }
    outputs += typed->artifact->passing[i];
    ++k;
  }
  return BUDDY_OK;
}

/* A result in memory that free() frees. */
static buddy_code hand_over(const buddy_tensor *result, void **out_bytes, int64_t *out_sizes) {
  const size_t n_bytes = (size_t)buddy_tensor_n_elements(result) * buddy_dtype_size(result->dtype);
  *out_bytes = aligned_alloc(64, (n_bytes + 64) / 64 * 64);
  if (!*out_bytes) return BUDDY_OUT_OF_MEMORY;
  if (n_bytes > 0) memcpy(*out_bytes, result->bytes, n_bytes);
  if (result->rank > 0) memcpy(out_sizes, result->sizes, result->rank * sizeof(int64_t));
  return BUDDY_OK;
}

/* Releases what the run allocated; hands copies of it over if `code` is BUDDY_OK. */
static buddy_code finish(const typed_model *typed, call *c, void *const *outputs, buddy_code code) {
  const bd_signature *signature = typed->artifact->signature;
  size_t k = 0;
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    if (signature->outputs[i].port.kind != BUDDY_OUTPUT_USER) continue;
    const uint32_t passing = typed->artifact->passing[i];
    if (passing == BD_PASSING_ALLOCATED) {
      if (code == BUDDY_OK) code = hand_over(&c->outputs[k], outputs[0], outputs[1]);
      buddy_tensor_release(&c->outputs[k]);
    }
    outputs += passing;
    ++k;
  }
  return code;
}

/* Results that are handed over are null until they are there. */
static void clear(const typed_model *typed, void *const *outputs) {
  const bd_signature *signature = typed->artifact->signature;
  for (size_t i = 0; i < signature->n_outputs; ++i) {
    if (signature->outputs[i].port.kind != BUDDY_OUTPUT_USER) continue;
    if (typed->artifact->passing[i] == BD_PASSING_ALLOCATED) *(void **)outputs[0] = NULL;
    outputs += typed->artifact->passing[i];
  }
}

buddy_code buddy_runtime_run(void *model, const int64_t *symbols, void *const *inputs,
                             void *const *outputs, char *why, size_t why_size) {
  const typed_model *typed = model;
  buddy_diags *diags = NULL;
  call c;
  clear(typed, outputs);
  buddy_code code = buddy_diags_create(&diags);
  if (code == BUDDY_OK) code = call_create(typed->artifact->signature, &c);
  if (code == BUDDY_OK) {
    code = describe_all(typed, &c, symbols, inputs, outputs, diags);
    if (code == BUDDY_OK) {
      code = buddy_model_run(typed->model, c.inputs, c.n_inputs, c.outputs, c.n_outputs, diags);
      code = finish(typed, &c, outputs, code);
    }
    free(c.inputs);
  }
  if (code != BUDDY_OK) explain(diags, code, why, why_size);
  buddy_diags_destroy(diags);
  return code;
}
