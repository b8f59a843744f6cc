// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/model.c: a program with its parameters bound, and its state kept between runs; see
 * model.h. Every input and output of the program has a role:
 *
 *   inputs    user n: the n-th tensor of the caller; bound: a tensor that the model holds; state n: a
 * buffer that the program replaces, of the model itself or of a session
 *   outputs   user n: the n-th tensor for the caller; state n: the new value of that buffer; written:
 * goes into a tensor that the caller passed in, where the code has not written it there */
#include "sdk/runtime/model.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/assert.h"
#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/strided.h"

typedef enum role { ROLE_USER, ROLE_BOUND, ROLE_STATE, ROLE_WRITTEN } role;

typedef struct binding {
  role role;
  size_t i; /* USER: number among the caller's; STATE: number among those; WRITTEN: the caller's
               input */
} binding;

struct buddy_model {
  buddy_program *program;
  bd_model_owner owner; /* of what the program and the bound tensors stand on */
  buddy_tensor *bound;  /* one per input of the program; zeroed where the caller's goes */
  binding *inputs, *outputs;
  size_t n_user_inputs, n_user_outputs;
  const buddy_port **user_inputs, **user_outputs;
  bool *writes; /* by number of the user's input */
  size_t n_states;
  size_t *state_inputs; /* by number: the input of the program */
  size_t *in_place;     /* as bd_program_run_in_place takes it */
  buddy_tensor *states; /* the model's own, made in its first run; runs on them take turns */
  pthread_mutex_t lock;
};

void buddy_model_destroy(buddy_model *model) {
  if (!model) return;
  const size_t n = model->program && model->bound ? buddy_program_n_inputs(model->program) : 0;
  for (size_t i = 0; i < n; ++i) buddy_tensor_release(&model->bound[i]);
  for (size_t i = 0; model->states && i < model->n_states; ++i)
    buddy_tensor_release(&model->states[i]);
  bd_free(model->states);
  bd_free(model->state_inputs);
  bd_free(model->in_place);
  bd_free(model->writes);
  free(model->bound);
  free(model->inputs);
  free(model->outputs);
  free(model->user_inputs);
  free(model->user_outputs);
  buddy_program_destroy(model->program);
  if (model->owner.release) model->owner.release(model->owner.object);
  pthread_mutex_destroy(&model->lock);
  free(model);
}

size_t buddy_model_n_inputs(const buddy_model *model) { return model->n_user_inputs; }
size_t buddy_model_n_outputs(const buddy_model *model) { return model->n_user_outputs; }

const buddy_port *buddy_model_input(const buddy_model *model, size_t i) {
  return i < model->n_user_inputs ? model->user_inputs[i] : NULL;
}

const buddy_port *buddy_model_output(const buddy_model *model, size_t i) {
  return i < model->n_user_outputs ? model->user_outputs[i] : NULL;
}

/* ---- Binding ---- */

static void release_view(buddy_tensor *tensor) { free(tensor->sizes); }

/* A tensor over lent bytes; it owns its sizes and strides alone. */
static buddy_code create_view(const buddy_port *port, const buddy_data *data, buddy_tensor *out) {
  int64_t *shape = bd_calloc(2 * (size_t)port->rank + 1, sizeof(int64_t));
  if (!shape) return BUDDY_OUT_OF_MEMORY;
  *out = (buddy_tensor){.dtype = port->dtype,
                        .rank = port->rank,
                        .sizes = shape,
                        .strides = shape + port->rank,
                        .release = release_view};
  int64_t stride = 1;
  for (uint32_t d = port->rank; d-- > 0;) {
    out->sizes[d] = port->dims[d];
    out->strides[d] = data->strides ? data->strides[d] : stride;
    stride *= port->dims[d];
  }
  memcpy(&out->bytes, &data->bytes,
         sizeof(out->bytes)); /* programs only read their inputs: const is cast away */
  if (out->bytes)
    out->bytes = (char *)out->bytes + data->offset * (int64_t)buddy_dtype_size(port->dtype);
  return BUDDY_OK;
}

/* A tensor over the mapped bytes of a parameter. Dense ones are not copied; others are, once, since
 * the program would copy them in every run. */
static buddy_code bind_data(const buddy_port *port, const buddy_data *data, buddy_diags *diags,
                            buddy_tensor *out) {
  if (!data || (!data->bytes && data->n_bytes > 0)) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, port->target, NULL,
                           "the archive has no bytes for this input");
  }
  buddy_code code = create_view(port, data, out);
  if (code != BUDDY_OK || buddy_tensor_is_contiguous(out)) return code;
  buddy_tensor view = *out;
  code = buddy_tensor_create(port->dtype, port->rank, port->dims, out);
  if (code == BUDDY_OK) bd_strided_copy(&view, out);
  buddy_tensor_release(&view);
  return code;
}

static buddy_code bind_inputs(buddy_model *model, const bd_data_source *source,
                              buddy_diags *diags) {
  const size_t n = buddy_program_n_inputs(model->program);
  buddy_code result = BUDDY_OK;
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *port = buddy_program_input(model->program, i);
    if (port->kind == BUDDY_INPUT_USER) {
      model->inputs[i] = (binding){ROLE_USER, model->n_user_inputs};
      model->user_inputs[model->n_user_inputs++] = port;
      continue;
    }
    model->inputs[i].role = ROLE_BOUND;
    const buddy_data *data = source->find(source->user, port, i);
    const buddy_code code = bind_data(port, data, diags, &model->bound[i]);
    if (code != BUDDY_OK) result = code;
  }
  return result;
}

/* The input that an output replaces: a buffer by its target, a user input by its name. Its number,
 * or n. */
static size_t find_input(const buddy_model *model, const buddy_port *output) {
  const size_t n = buddy_program_n_inputs(model->program);
  const bool is_buffer = output->kind == BUDDY_OUTPUT_BUFFER_MUTATION;
  for (size_t i = 0; i < n; ++i) {
    const buddy_port *input = buddy_program_input(model->program, i);
    if (strcmp(is_buffer ? input->target : input->name, output->target) == 0) return i;
  }
  return n;
}

/* Output k replaces input i, which the model holds. */
static void bind_state(buddy_model *model, size_t k, size_t i) {
  if (model->inputs[i].role == ROLE_BOUND) {
    model->inputs[i] = (binding){ROLE_STATE, model->n_states};
    model->state_inputs[model->n_states++] = i;
  }
  model->outputs[k] = (binding){ROLE_STATE, model->inputs[i].i};
}

static buddy_code bind_outputs(buddy_model *model, buddy_diags *diags) {
  for (size_t i = 0; i < buddy_program_n_outputs(model->program); ++i) {
    const buddy_port *port = buddy_program_output(model->program, i);
    model->in_place[i] = SIZE_MAX;
    if (port->kind == BUDDY_OUTPUT_USER) {
      model->outputs[i] = (binding){ROLE_USER, model->n_user_outputs};
      model->user_outputs[model->n_user_outputs++] = port;
      continue;
    }
    const size_t input = find_input(model, port);
    if (input == buddy_program_n_inputs(model->program)) {
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_CORRUPT, port->target, NULL,
                             "the program writes to this input, but has none of that name");
    }
    model->in_place[i] = input;
    if (model->inputs[input].role == ROLE_USER) {
      model->outputs[i] = (binding){ROLE_WRITTEN, model->inputs[input].i};
      model->writes[model->inputs[input].i] = true;
    } else {
      bind_state(model, i, input);
    }
  }
  return BUDDY_OK;
}

static buddy_code bind(buddy_model *model, const bd_data_source *source, buddy_diags *diags) {
  const size_t n_inputs = buddy_program_n_inputs(model->program);
  const size_t n_outputs = buddy_program_n_outputs(model->program);
  model->bound = bd_calloc(n_inputs + 1, sizeof(buddy_tensor));
  model->inputs = bd_calloc(n_inputs + 1, sizeof(binding));
  model->outputs = bd_calloc(n_outputs + 1, sizeof(binding));
  model->user_inputs = bd_calloc(n_inputs + 1, sizeof(buddy_port *));
  model->user_outputs = bd_calloc(n_outputs + 1, sizeof(buddy_port *));
  model->state_inputs = bd_calloc(n_inputs + 1, sizeof(size_t));
  model->in_place = bd_calloc(n_outputs + 1, sizeof(size_t));
  model->writes = bd_calloc(n_inputs + 1, sizeof(bool));
  if (!model->bound || !model->inputs || !model->outputs || !model->user_inputs ||
      !model->user_outputs || !model->state_inputs || !model->in_place || !model->writes) {
    return BUDDY_OUT_OF_MEMORY;
  }
  BD_TRY(bind_inputs(model, source, diags));
  return bind_outputs(model, diags);
}

buddy_code bd_model_create(buddy_program *program, const bd_data_source *source, buddy_diags *diags,
                           buddy_model **out_model) {
  *out_model = NULL;
  buddy_model *model = bd_calloc(1, sizeof(buddy_model));
  if (!model || pthread_mutex_init(&model->lock, NULL) != 0) {
    free(model);
    buddy_program_destroy(program);
    return BUDDY_OUT_OF_MEMORY;
  }
  model->program = program;
  const buddy_code code = bind(model, source, diags);
  if (code != BUDDY_OK) {
    buddy_model_destroy(model);
    return code;
  }
  *out_model = model;
  return BUDDY_OK;
}

buddy_tensor *bd_model_weight(buddy_model *model, size_t i) {
  buddy_tensor *tensor = &model->bound[i];
  return model->inputs[i].role == ROLE_BOUND && tensor->release == release_view && tensor->bytes
             ? tensor
             : NULL;
}

void bd_model_own(buddy_model *model, bd_model_owner owner) { model->owner = owner; }

bd_model_owner bd_model_owned(const buddy_model *model) { return model->owner; }

const buddy_program *buddy_model_program(const buddy_model *model) { return model->program; }

/* ---- Running ---- */

/* A new value takes the place of the old one only if it is of the same type: whatever the program
 * says, no copy is larger than what it goes into. */
static buddy_code check_new_value(const buddy_model *model, size_t i, const buddy_tensor *result,
                                  const buddy_tensor *old, buddy_diags *diags) {
  const buddy_port *port = buddy_program_output(model->program, i);
  bool is_same = result->dtype == old->dtype && result->rank == old->rank;
  for (uint32_t d = 0; is_same && d < old->rank; ++d) is_same = result->sizes[d] == old->sizes[d];
  if (is_same) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, port->target, NULL,
                         "the program's new value for it has another shape or dtype");
}

/* What takes part in one run. */
typedef struct call {
  const buddy_tensor *inputs; /* the caller's */
  buddy_tensor *outputs, *results;
  buddy_tensor *const *states;
} call;

static buddy_tensor *state_of(const call *c, size_t i) {
  BD_ASSERT(c->states);
  return c->states[i];
}

/* A state that the program has not written in place becomes the new tensor. */
static void replace(buddy_tensor *state, buddy_tensor *result) {
  if (result->bytes != state->bytes) {
    buddy_tensor_release(state);
    *state = *result;
  } else {
    buddy_tensor_release(result);
  }
}

/* New states go where the old ones are, written inputs are copied to the caller, the caller's outputs
 * were passed through. What is not written in place is not before all new values are known to fit; the
 * results are released then. */
static buddy_code deliver(buddy_model *model, const call *c, buddy_diags *diags) {
  const size_t n = buddy_program_n_outputs(model->program);
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < n && code == BUDDY_OK; ++i) {
    const binding where = model->outputs[i];
    if (where.role == ROLE_USER) continue;
    const buddy_tensor *old = where.role == ROLE_STATE ? state_of(c, where.i) : &c->inputs[where.i];
    code = check_new_value(model, i, &c->results[i], old, diags);
  }
  for (size_t i = 0; i < n; ++i) {
    const binding where = model->outputs[i];
    if (where.role == ROLE_USER) {
      const bool is_given = c->outputs[where.i].bytes != NULL;
      if (code == BUDDY_OK) c->outputs[where.i] = c->results[i];
      if (code != BUDDY_OK && !is_given) buddy_tensor_release(&c->results[i]);
    } else if (code == BUDDY_OK && where.role == ROLE_STATE) {
      replace(state_of(c, where.i), &c->results[i]);
    } else {
      if (code == BUDDY_OK && c->results[i].bytes != c->inputs[where.i].bytes)
        bd_strided_copy(&c->results[i], &c->inputs[where.i]);
      buddy_tensor_release(&c->results[i]);
    }
  }
  return code;
}

static buddy_code run_bound(buddy_model *model, call *c, buddy_diags *diags) {
  const size_t n_inputs = buddy_program_n_inputs(model->program);
  const size_t n_outputs = buddy_program_n_outputs(model->program);
  buddy_tensor *all = bd_calloc(n_inputs + n_outputs + 1, sizeof(buddy_tensor));
  if (!all) return BUDDY_OUT_OF_MEMORY;
  c->results = all + n_inputs;
  for (size_t i = 0; i < n_inputs; ++i) {
    const binding from = model->inputs[i];
    all[i] = from.role == ROLE_USER    ? c->inputs[from.i]
             : from.role == ROLE_STATE ? *state_of(c, from.i)
                                       : model->bound[i];
  }
  for (size_t i = 0; i < n_outputs; ++i) {
    if (model->outputs[i].role == ROLE_USER) c->results[i] = c->outputs[model->outputs[i].i];
  }
  buddy_code code = bd_program_run_in_place(model->program, all, n_inputs, c->results, n_outputs,
                                            model->in_place, diags);
  if (code == BUDDY_OK) code = deliver(model, c, diags);
  bd_free(all);
  return code;
}

bool bd_model_writes(const buddy_model *model, size_t i) { return model->writes[i]; }

buddy_code bd_model_spare_inputs(const buddy_model *model, const buddy_tensor *inputs,
                                 buddy_tensor **out_spared) {
  buddy_tensor *spared = *out_spared = bd_calloc(model->n_user_inputs + 1, sizeof(*spared));
  buddy_code code = spared ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  for (size_t i = 0; i < model->n_user_inputs && code == BUDDY_OK; ++i) {
    if (model->writes[i])
      code = bd_tensor_copy(&inputs[i], &spared[i]);
    else
      spared[i] = inputs[i];
  }
  if (code == BUDDY_OK) return code;
  bd_model_spared_free(model, spared);
  *out_spared = NULL;
  return code;
}

void bd_model_spared_free(const buddy_model *model, buddy_tensor *spared) {
  for (size_t i = 0; spared && i < model->n_user_inputs; ++i) {
    if (model->writes[i]) buddy_tensor_release(&spared[i]);
  }
  bd_free(spared);
}

const bd_growth *bd_model_growth(const buddy_model *model, size_t i) {
  for (size_t k = 0; k < model->program->n_growths; ++k) {
    const bd_growth *growth = &model->program->growths[k];
    if (buddy_program_input(model->program, growth->input) == model->user_inputs[i]) return growth;
  }
  return NULL;
}

size_t bd_model_n_states(const buddy_model *model) { return model->n_states; }

const buddy_port *bd_model_state(const buddy_model *model, size_t s) {
  return buddy_program_input(model->program, model->state_inputs[s]);
}

buddy_code bd_model_create_state(const buddy_model *model, size_t s, buddy_tensor *out) {
  return bd_tensor_copy(&model->bound[model->state_inputs[s]], out);
}

buddy_code bd_model_run_on(buddy_model *model, buddy_tensor *const *states,
                           const buddy_tensor *inputs, size_t n_inputs, buddy_tensor *outputs,
                           size_t n_outputs, buddy_diags *diags) {
  if (n_inputs != model->n_user_inputs || n_outputs != model->n_user_outputs) {
    return buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "model", NULL,
        "the model takes %zu inputs and gives %zu outputs, the call has %zu and %zu",
        model->n_user_inputs, model->n_user_outputs, n_inputs, n_outputs);
  }
  call c = {.inputs = inputs, .outputs = outputs, .states = states};
  return run_bound(model, &c, diags);
}

/* ---- The model's own state ---- */

/* Under the lock. Sessions have states of their own, so that a model may never need this. */
static buddy_code make_states(buddy_model *model) {
  if (model->states) return BUDDY_OK;
  buddy_tensor *states = bd_calloc(model->n_states, sizeof(buddy_tensor));
  if (!states) return BUDDY_OUT_OF_MEMORY;
  buddy_code code = BUDDY_OK;
  for (size_t i = 0; i < model->n_states && code == BUDDY_OK; ++i)
    code = bd_model_create_state(model, i, &states[i]);
  if (code == BUDDY_OK) {
    model->states = states;
    return code;
  }
  for (size_t i = 0; i < model->n_states; ++i) buddy_tensor_release(&states[i]);
  bd_free(states);
  return code;
}

static buddy_code run_own(buddy_model *model, const buddy_tensor *inputs, size_t n_inputs,
                          buddy_tensor *outputs, size_t n_outputs, buddy_diags *diags) {
  buddy_tensor **states = bd_calloc(model->n_states, sizeof(buddy_tensor *));
  buddy_code code = !states ? BUDDY_OUT_OF_MEMORY : make_states(model);
  for (size_t i = 0; code == BUDDY_OK && i < model->n_states; ++i) states[i] = &model->states[i];
  if (code == BUDDY_OK)
    code = bd_model_run_on(model, states, inputs, n_inputs, outputs, n_outputs, diags);
  bd_free(states);
  return code;
}

buddy_code buddy_model_run(buddy_model *model, const buddy_tensor *inputs, size_t n_inputs,
                           buddy_tensor *outputs, size_t n_outputs, buddy_diags *diags) {
  if (model->n_states == 0)
    return bd_model_run_on(model, NULL, inputs, n_inputs, outputs, n_outputs, diags);
  pthread_mutex_lock(&model->lock);
  const buddy_code code = run_own(model, inputs, n_inputs, outputs, n_outputs, diags);
  pthread_mutex_unlock(&model->lock);
  return code;
}

void buddy_model_seed(buddy_model *model, uint64_t seed) {
  buddy_program_seed(model->program, seed);
}

void buddy_model_set_time_limit(buddy_model *model, uint64_t milliseconds) {
  buddy_program_set_time_limit(model->program, milliseconds);
}

void buddy_model_set_threads(buddy_model *model, int n_threads) {
  buddy_program_set_threads(model->program, n_threads);
}
