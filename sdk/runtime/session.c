// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/session.c: sessions; see buddy/session.h. */
#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/batch.h"
#include "sdk/runtime/cells.h"
#include "sdk/runtime/growing.h"
#include "sdk/runtime/strided.h"

/* ---- Creating and destroying ---- */

/* Takes the routes over. */
static buddy_code create(bd_routes *routes, buddy_session **out_session) {
  buddy_session *session = bd_calloc(1, sizeof(buddy_session));
  bd_cell **cells = bd_calloc(routes->n_states + 1, sizeof(bd_cell *));
  *out_session = NULL;
  if (!session || !cells) {
    bd_free(session);
    bd_free(cells);
    bd_routes_release(routes);
    return BUDDY_OUT_OF_MEMORY;
  }
  *session = (buddy_session){routes, cells};
  *out_session = session;
  return BUDDY_OK;
}

buddy_code buddy_session_create(buddy_model *const *models, size_t n_models,
                                const buddy_session_options *options, buddy_diags *diags,
                                buddy_session **out_session) {
  bd_routes *routes;
  *out_session = NULL;
  BD_TRY(bd_routes_create(models, n_models, options, diags, &routes));
  return create(routes, out_session);
}

void buddy_session_destroy(buddy_session *session) {
  if (!session) return;
  for (size_t i = 0; i < session->routes->n_states; ++i) bd_cell_release(session->cells[i]);
  bd_free(session->cells);
  bd_routes_release(session->routes);
  bd_free(session);
}

buddy_code buddy_session_fork(const buddy_session *session, buddy_diags *diags,
                              buddy_session **out_session) {
  (void)diags;
  __atomic_add_fetch(&session->routes->n_owners, 1, __ATOMIC_RELAXED);
  BD_TRY(create(session->routes, out_session));
  for (size_t i = 0; i < session->routes->n_states; ++i)
    (*out_session)->cells[i] = bd_cell_retain(session->cells[i]);
  return BUDDY_OK;
}

buddy_code buddy_session_rewind(buddy_session *session, const buddy_session *to,
                                buddy_diags *diags) {
  if (to && to->routes != session->routes) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "session",
                           "go back to a fork of it",
                           "a session goes back only to one that it was forked to or from");
  }
  for (size_t i = 0; i < session->routes->n_states; ++i) {
    bd_cell *old = session->cells[i];
    session->cells[i] = to ? bd_cell_retain(to->cells[i]) : NULL;
    bd_cell_release(old);
  }
  return BUDDY_OK;
}

/* ---- What a step takes ---- */

static const bd_route *route_of(const buddy_session *session, size_t model) {
  static const bd_route none = {.model = NULL};
  return model < session->routes->n_models ? &session->routes->models[model] : &none;
}

size_t buddy_session_n_inputs(const buddy_session *session, size_t model) {
  return route_of(session, model)->n_user_inputs;
}

size_t buddy_session_n_outputs(const buddy_session *session, size_t model) {
  return route_of(session, model)->n_user_outputs;
}

const buddy_port *buddy_session_input(const buddy_session *session, size_t model, size_t i) {
  const bd_route *route = route_of(session, model);
  return i < route->n_user_inputs ? route->user_inputs[i] : NULL;
}

const buddy_port *buddy_session_output(const buddy_session *session, size_t model, size_t i) {
  const bd_route *route = route_of(session, model);
  return i < route->n_user_outputs ? route->user_outputs[i] : NULL;
}

/* ---- A step ---- */

/* The tensors of one step, in one allocation, in the order of the model's. */
typedef struct step {
  const bd_route *route;
  buddy_tensor *inputs, *outputs, **buffers;
  bd_cell **news;   /* one for each output of a pair, */
  bd_cell **longer; /* and for each input that grows, by input */
  int64_t *symbols;
} step;

static buddy_code step_init(const bd_route *route, step *out) {
  const size_t n_inputs = buddy_model_n_inputs(route->model),
               n_outputs = buddy_model_n_outputs(route->model),
               n_buffers = bd_model_n_states(route->model),
               n_symbols = buddy_model_program(route->model)->signature->n_symbols;
  char *memory = bd_calloc(
      1, (n_inputs + n_outputs + 1) * sizeof(buddy_tensor) + n_buffers * sizeof(buddy_tensor *) +
             (n_outputs + n_inputs) * sizeof(bd_cell *) + n_symbols * sizeof(int64_t));
  if (!memory) return BUDDY_OUT_OF_MEMORY;
  *out = (step){.route = route, .inputs = (buddy_tensor *)(void *)memory};
  out->outputs = out->inputs + n_inputs;
  out->buffers = (buddy_tensor **)(void *)(out->outputs + n_outputs + 1);
  out->news = (bd_cell **)(void *)(out->buffers + n_buffers);
  out->longer = out->news + n_outputs;
  out->symbols = (int64_t *)(void *)(out->longer + n_inputs);
  for (size_t i = 0; i < n_symbols; ++i) out->symbols[i] = INT64_MIN;
  return BUDDY_OK;
}

static void step_deinit(step *s) {
  const size_t n_outputs = buddy_model_n_outputs(s->route->model);
  for (size_t i = 0; i < n_outputs; ++i) bd_cell_release(s->news[i]);
  for (size_t i = 0; i < buddy_model_n_inputs(s->route->model); ++i) bd_cell_release(s->longer[i]);
  bd_free(s->inputs);
}

/* Room for what the step adds to a state, of which it takes as many rows as the other inputs tell. */
static buddy_code extend(buddy_session *session, step *s, size_t i, buddy_diags *diags) {
  const bd_growth *growth = bd_model_growth(s->route->model, i);
  const bd_signature *signature = buddy_model_program(s->route->model)->signature;
  const bd_state *state = &session->routes->states[s->route->inputs[i]];
  const bd_cell *cell = session->cells[s->route->inputs[i]];
  int64_t n_rows;
  s->symbols[growth->symbol] = cell->tensor.sizes[state->growing];
  const buddy_code code =
      bd_size_eval(&signature->inputs[growth->input].sizes[0], s->symbols, &n_rows);
  if (code == BUDDY_OUT_OF_MEMORY) return code;
  if (code == BUDDY_OK && n_rows >= cell->tensor.sizes[state->growing])
    return bd_growing_extend(cell, state->growing, n_rows, &s->longer[i], &s->inputs[i]);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, state->name,
                         "give inputs of the model's types",
                         "the inputs do not tell by how much this state of the session grows");
}

static bool is_extended(const step *s, size_t i) {
  return s->route->inputs[i] != SIZE_MAX && bd_model_growth(s->route->model, i) != NULL;
}

/* All states that grow, once all other inputs are there. */
static buddy_code extend_all(buddy_session *session, step *s, buddy_diags *diags) {
  const buddy_program *program = buddy_model_program(s->route->model);
  const size_t n_inputs = program->n_growths > 0 ? buddy_model_n_inputs(s->route->model) : 0;
  for (size_t i = 0; i < n_inputs; ++i) {
    const size_t number = s->route->inputs[i];
    if (is_extended(s, i))
      s->symbols[bd_model_growth(s->route->model, i)->symbol] =
          session->cells[number]->tensor.sizes[session->routes->states[number].growing];
  }
  if (n_inputs > 0) bd_inputs_bind(program->signature, s->inputs, s->symbols);
  for (size_t i = 0; i < n_inputs; ++i) {
    if (is_extended(s, i)) BD_TRY(extend(session, s, i, diags));
  }
  return BUDDY_OK;
}

static buddy_code take_inputs(buddy_session *session, const buddy_tensor *inputs, step *s,
                              buddy_diags *diags) {
  for (size_t i = 0; i < buddy_model_n_inputs(s->route->model); ++i) {
    const size_t number = s->route->inputs[i];
    buddy_tensor *tensor;
    if (number == SIZE_MAX) {
      s->inputs[i] = *inputs++;
      continue;
    }
    const bool is_growing = bd_model_growth(s->route->model, i) != NULL;
    const buddy_code code = bd_model_writes(s->route->model, i) && !is_growing
                                ? bd_session_own(session, number, &tensor)
                                : bd_session_begin_state(session, number);
    if (code == BUDDY_NOT_FOUND) {
      return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                             session->routes->states[number].name,
                             "first run the program that makes it, or set it",
                             "this state of the session has no value yet");
    }
    BD_TRY(code);
    if (!is_growing) s->inputs[i] = session->cells[number]->tensor;
  }
  return extend_all(session, s, diags);
}

/* What may fail is done before the run. */
static buddy_code take_outputs(buddy_session *session, const buddy_tensor *outputs, step *s) {
  static const buddy_tensor nothing;
  for (size_t i = 0; i < buddy_model_n_outputs(s->route->model); ++i) {
    if (s->route->outputs[i] == SIZE_MAX) {
      s->outputs[i] = *outputs++;
    } else {
      s->news[i] = bd_cell_create(&nothing);
      if (!s->news[i]) return BUDDY_OUT_OF_MEMORY;
    }
  }
  for (size_t i = 0; i < bd_model_n_states(s->route->model); ++i)
    BD_TRY(bd_session_own(session, s->route->buffers[i], &s->buffers[i]));
  return BUDDY_OK;
}

static void give_outputs(buddy_session *session, step *s, buddy_tensor *outputs) {
  for (size_t i = 0; i < buddy_model_n_outputs(s->route->model); ++i) {
    const size_t number = s->route->outputs[i];
    if (number == SIZE_MAX) {
      *outputs++ = s->outputs[i];
      continue;
    }
    bd_cell *old = session->cells[number];
    s->news[i]->tensor = s->outputs[i];
    session->cells[number] = s->news[i];
    s->news[i] = old;
  }
  for (size_t i = 0; i < buddy_model_n_inputs(s->route->model); ++i) {
    if (!s->longer[i]) continue;
    bd_cell **place = &session->cells[s->route->inputs[i]], *old = *place;
    *place = s->longer[i];
    s->longer[i] = old;
  }
}

static buddy_code run(buddy_session *session, const bd_route *route, const buddy_tensor *inputs,
                      buddy_tensor *outputs, buddy_diags *diags) {
  step s;
  BD_TRY(step_init(route, &s));
  buddy_code code = take_inputs(session, inputs, &s, diags);
  if (code == BUDDY_OK) code = take_outputs(session, outputs, &s);
  if (code == BUDDY_OK) {
    code = bd_model_run_on(route->model, s.buffers, s.inputs, buddy_model_n_inputs(route->model),
                           s.outputs, buddy_model_n_outputs(route->model), diags);
  }
  if (code == BUDDY_OK) give_outputs(session, &s, outputs);
  step_deinit(&s);
  return code;
}

buddy_code buddy_session_step(buddy_session *session, size_t model, const buddy_tensor *inputs,
                              size_t n_inputs, buddy_tensor *outputs, size_t n_outputs,
                              buddy_diags *diags) {
  const bd_route *route = route_of(session, model);
  if (!route->model) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "session", NULL,
                           "it has %zu models, and none of number %zu", session->routes->n_models,
                           model);
  }
  if (n_inputs == route->n_user_inputs && n_outputs == route->n_user_outputs)
    return run(session, route, inputs, outputs, diags);
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "session", NULL,
                         "a step takes %zu inputs and gives %zu outputs, the call has %zu and %zu",
                         route->n_user_inputs, route->n_user_outputs, n_inputs, n_outputs);
}

static void step_call(buddy_session_call *c, buddy_diags *diags) {
  c->code = buddy_session_step(c->session, c->model, c->inputs, c->n_inputs, c->outputs,
                               c->n_outputs, diags);
}

/* Without memory for the order, in turn. */
static void step_calls(buddy_session_call *calls, size_t n_calls, buddy_diags *diags) {
  buddy_session_call **order = bd_calloc(n_calls + 1, sizeof(*order));
  for (size_t i = 0; i < n_calls; ++i) {
    if (order)
      order[i] = &calls[i];
    else
      step_call(&calls[i], diags);
  }
  for (size_t i = 0; order && i < n_calls;) {
    bool is_done;
    const size_t end = i + bd_batch_step(order + i, n_calls - i, &is_done);
    for (; i < end; ++i) {
      if (!is_done) step_call(order[i], diags);
    }
  }
  bd_free(order);
}

buddy_code buddy_session_step_all(buddy_session_call *calls, size_t n_calls, buddy_diags *diags) {
  step_calls(calls, n_calls, diags);
  for (size_t i = 0; i < n_calls; ++i) {
    if (calls[i].code != BUDDY_OK) return calls[i].code;
  }
  return BUDDY_OK;
}

size_t buddy_session_most_rows(const buddy_session *session, size_t model) {
  const int64_t most = route_of(session, model)->most_rows;
  return most > 1 ? (size_t)most : 1;
}

/* ---- The state ---- */

size_t buddy_session_n_states(const buddy_session *session) { return session->routes->n_states; }

const char *buddy_session_state_name(const buddy_session *session, size_t i) {
  return i < session->routes->n_states ? session->routes->states[i].name : NULL;
}

buddy_code buddy_session_state(buddy_session *session, size_t i, buddy_diags *diags,
                               buddy_tensor *out_tensor) {
  *out_tensor = (buddy_tensor){.bytes = NULL};
  if (i >= session->routes->n_states) {
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, "session", NULL,
                           "it has %zu states, and none of number %zu", session->routes->n_states,
                           i);
  }
  const buddy_code code = bd_session_begin_state(session, i);
  if (code != BUDDY_OK) return code == BUDDY_NOT_FOUND ? BUDDY_OK : code;
  *out_tensor = session->cells[i]->tensor;
  out_tensor->release = NULL;
  out_tensor->owner = NULL;
  return BUDDY_OK;
}

buddy_code buddy_session_set_state(buddy_session *session, const char *name,
                                   const buddy_tensor *tensor, buddy_diags *diags) {
  char type[256];
  size_t i = 0;
  while (i < session->routes->n_states && strcmp(session->routes->states[i].name, name) != 0) ++i;
  if (i == session->routes->n_states)
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_NOT_FOUND, name, NULL,
                           "the session has no state of this name");
  const char *problem = bd_tensor_problem(tensor);
  if (!problem && bd_port_takes(session->routes->states[i].port, tensor))
    return bd_cell_put_copy(&session->cells[i], tensor);
  bd_tensor_type_text(tensor, type, sizeof(type));
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, name, NULL,
                         "the state is of another type than %s%s", type, problem ? problem : "");
}

uint64_t buddy_session_n_bytes(const buddy_session *session) {
  uint64_t n = 0;
  for (size_t i = 0; i < session->routes->n_states; ++i) {
    if (!session->cells[i]) continue;
    const buddy_tensor *tensor = &session->cells[i]->tensor;
    n += (uint64_t)buddy_tensor_n_elements(tensor) * buddy_dtype_size(tensor->dtype);
  }
  return n;
}
