// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/routes.c: which inputs and outputs of the models of a session are which state. */
#include "sdk/runtime/routes.h"

#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/options.h"
#include "core/base/try.h"

static const char usual[] = "past_key_values";

static bool fits(const buddy_port *a, const buddy_port *b) {
  bool is_same = a->dtype == b->dtype && a->rank == b->rank;
  for (uint32_t d = 0; is_same && d < a->rank; ++d)
    is_same = a->dims[d] == b->dims[d] || a->dims[d] < 0 || b->dims[d] < 0;
  return is_same;
}

bool bd_port_takes(const buddy_port *port, const buddy_tensor *tensor) {
  const buddy_port type = {.dtype = tensor->dtype, .rank = tensor->rank, .dims = tensor->sizes};
  return fits(port, &type);
}

/* Whether the model works on the rows of its inputs one by one, which was proved when it was compiled,
 * and all that it writes to is state of the session, in inputs. Sets least_rows, most_rows and
 * is_repeatable of the route; where only the proof is missing, a note says why. */
static void find_rows(bd_route *route, buddy_diags *diags) {
  const buddy_program *program = buddy_model_program(route->model);
  const bd_batch_note *rows = &program->rows;
  bool is_all_state = bd_model_n_states(route->model) == 0;
  for (size_t i = 0; i < buddy_model_n_inputs(route->model); ++i)
    is_all_state &= route->inputs[i] != SIZE_MAX || !bd_model_writes(route->model, i);
  if (!is_all_state || program->n_growths > 0) return;
  if (rows->symbol == 0 || rows->symbol > program->signature->n_symbols) {
    if (rows->why && rows->why[0] != '\0')
      buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, rows->why, NULL,
                      "steps of several sessions are taken in turn, not as one batch");
    return;
  }
  route->least_rows = program->signature->symbols[rows->symbol - 1].min;
  route->most_rows = program->signature->symbols[rows->symbol - 1].max;
  route->is_repeatable = rows->is_repeatable != 0;
}

/* ---- States ---- */

static size_t find(const bd_routes *routes, const char *name) {
  for (size_t i = 0; i < routes->n_states; ++i) {
    if (strcmp(routes->states[i].name, name) == 0) return i;
  }
  return SIZE_MAX;
}

static size_t n_unknown(const buddy_port *port) {
  size_t n = 0;
  for (uint32_t d = 0; d < port->rank; ++d) n += port->dims[d] < 0;
  return n;
}

/* The state of that name, which is there from now on. There is room. */
static buddy_code add(bd_routes *routes, const bd_state *state, buddy_diags *diags,
                      size_t *out_number) {
  *out_number = find(routes, state->name);
  if (*out_number == SIZE_MAX) {
    *out_number = routes->n_states++;
    routes->states[*out_number] = *state;
    return BUDDY_OK;
  }
  bd_state *known = &routes->states[*out_number];
  const bool is_input = known->model == SIZE_MAX;
  if (fits(known->port, state->port) && is_input == (state->model == SIZE_MAX)) {
    if (known->growing == BD_NOT_GROWING && n_unknown(state->port) < n_unknown(known->port))
      known->port = state->port;
    return BUDDY_OK;
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, state->name,
                         "give the programs states of other names, or sessions of their own",
                         "the models do not agree on the type of this state");
}

static buddy_code add_buffers(bd_routes *routes, size_t m, buddy_diags *diags) {
  bd_route *route = &routes->models[m];
  for (size_t s = 0; s < bd_model_n_states(route->model); ++s) {
    const buddy_port *port = bd_model_state(route->model, s);
    BD_TRY(add(routes, &(bd_state){port->target, port, m, s, false, BD_NOT_GROWING}, diags,
               &route->buffers[s]));
  }
  return BUDDY_OK;
}

static bool has_state(const bd_route *route, const char *name) {
  size_t s = bd_model_n_states(route->model);
  while (s-- > 0) {
    if (strcmp(bd_model_state(route->model, s)->target, name) == 0) return true;
  }
  return false;
}

static bool is_unread(const buddy_program *program, size_t input) {
  size_t k = program->n_unread;
  while (k > 0 && program->unread[k - 1] != input) --k;
  return k > 0;
}

/* What a model reads alone is a constant of its code: it would not see what another writes to it. A literal
 * (lifted_tensor_0) is each program's own. */
static buddy_code check_constants(const bd_routes *routes, size_t m, buddy_diags *diags) {
  const bd_route *route = &routes->models[m];
  const buddy_program *program = buddy_model_program(route->model);
  for (size_t i = 0; i < buddy_program_n_inputs(program); ++i) {
    const buddy_port *port = buddy_program_input(program, i);
    const bool is_literal = strncmp(port->target, "lifted_tensor_", 14) == 0;
    if (port->kind == BUDDY_INPUT_USER || is_literal || has_state(route, port->target) ||
        find(routes, port->target) == SIZE_MAX || is_unread(program, i))
      continue;
    return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, port->target,
                           "have it write, too: self.buffer.copy_(self.buffer)",
                           "model %zu of the session reads this tensor, which another model writes "
                           "to, as a constant",
                           m);
  }
  return BUDDY_OK;
}

/* ---- Pairs ---- */

static size_t find_input(const buddy_model *model, const char *name) {
  size_t i = 0;
  while (i < buddy_model_n_inputs(model) && strcmp(buddy_model_input(model, i)->name, name) != 0)
    ++i;
  return i;
}

/* Input i as the user knows it: where it grows, without what it grows by, and with that dim in its place. */
static const buddy_port *input_port(const bd_route *route, size_t i) {
  return bd_model_growth(route->model, i) ? &route->growing[i] : buddy_model_input(route->model, i);
}

/* The inputs of that name, of all models, become the state's. */
static buddy_code add_inputs(bd_routes *routes, const char *name, buddy_diags *diags) {
  size_t n = 0;
  for (size_t m = 0; m < routes->n_models; ++m) {
    bd_route *route = &routes->models[m];
    const size_t i = find_input(route->model, name);
    if (i == buddy_model_n_inputs(route->model)) continue;
    const buddy_port *port = input_port(route, i);
    const bd_state state = {port->name, port, SIZE_MAX, 0, false, BD_NOT_GROWING};
    BD_TRY(add(routes, &state, diags, &route->inputs[i]));
    ++n;
  }
  if (n > 0) return BUDDY_OK;
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, name,
                         "name an input of one of the models",
                         "a pair of the session is an input that no model has");
}

/* Input i of model m, which this writes to. */
static buddy_code add_written(bd_routes *routes, size_t m, size_t i, buddy_diags *diags) {
  const char *name = buddy_model_input(routes->models[m].model, i)->name;
  const bd_growth *growth = bd_model_growth(routes->models[m].model, i);
  BD_TRY(add_inputs(routes, name, diags));
  bd_state *state = &routes->states[find(routes, name)];
  state->is_written = true;
  if (growth) state->growing = (uint32_t)growth->dim;
  return BUDDY_OK;
}

static buddy_code add_named(bd_routes *routes, const buddy_pair *pair, buddy_diags *diags) {
  if (pair->model < routes->n_models && pair->state) {
    const buddy_model *model = routes->models[pair->model].model;
    const size_t i = find_input(model, pair->state);
    if (i < buddy_model_n_inputs(model) && bd_model_writes(model, i))
      return add_written(routes, pair->model, i, diags);
  }
  return buddy_diags_add(diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT,
                         pair->state ? pair->state : "pairs",
                         "name an input that the model writes to",
                         "model %zu of the session writes to no input of this name", pair->model);
}

static buddy_code add_pair(bd_routes *routes, const buddy_pair *pair, buddy_diags *diags) {
  if (pair->output == SIZE_MAX) return add_named(routes, pair, diags);
  if (pair->model >= routes->n_models || !pair->state ||
      pair->output >= buddy_model_n_outputs(routes->models[pair->model].model)) {
    return buddy_diags_add(
        diags, BUDDY_ERROR, BUDDY_INVALID_ARGUMENT, pair->state ? pair->state : "pairs", NULL,
        "a pair names output %zu of model %zu, which is not there", pair->output, pair->model);
  }
  BD_TRY(add_inputs(routes, pair->state, diags));
  const bd_route *route = &routes->models[pair->model];
  const bd_state *state = &routes->states[find(routes, pair->state)];
  const bd_state value = {.name = state->name,
                          .port = buddy_model_output(route->model, pair->output),
                          .model = SIZE_MAX,
                          .growing = BD_NOT_GROWING};
  return add(routes, &value, diags, &route->outputs[pair->output]);
}

/* The inputs that are called as transformers calls its caches, and as many outputs at the end: of the
 * model itself, or, of one that has no such inputs, for those of `other`. Those that grow are no outputs of
 * their own model. */
static buddy_code find_pairs(bd_routes *routes, size_t m, const bd_route *other,
                             buddy_diags *diags) {
  const buddy_model *model = routes->models[m].model;
  const bool is_own = other->model == model;
  const size_t n_outputs = buddy_model_n_outputs(model);
  size_t n_others = buddy_model_n_outputs(other->model);
  const buddy_port *inputs[1024];
  size_t n = 0;
  for (size_t i = 0; i < buddy_model_n_inputs(other->model) && n < 1024; ++i) {
    const bool is_growing = bd_model_growth(other->model, i) != NULL;
    const buddy_port *port = input_port(other, i);
    n_others += is_growing && !is_own;
    if (strncmp(port->name, usual, sizeof(usual) - 1) == 0 && !(is_growing && is_own))
      inputs[n++] = port;
  }
  if (n == 0 || n >= n_outputs || n_outputs != n_others) return BUDDY_OK;
  for (size_t k = 0; k < n; ++k) {
    if (!fits(inputs[k], buddy_model_output(model, n_outputs - n + k))) return BUDDY_OK;
  }
  for (size_t k = 0; k < n; ++k)
    BD_TRY(add_pair(routes, &(buddy_pair){m, n_outputs - n + k, inputs[k]->name}, diags));
  return BUDDY_OK;
}

static bool has_usual(const buddy_model *model) {
  for (size_t i = 0; i < buddy_model_n_inputs(model); ++i) {
    if (strncmp(buddy_model_input(model, i)->name, usual, sizeof(usual) - 1) == 0) return true;
  }
  return false;
}

static buddy_code find_written(bd_routes *routes, size_t m, buddy_diags *diags) {
  const buddy_model *model = routes->models[m].model;
  for (size_t i = 0; i < buddy_model_n_inputs(model); ++i) {
    const bool is_usual = strncmp(buddy_model_input(model, i)->name, usual, sizeof(usual) - 1) == 0;
    if (bd_model_growth(model, i) || (is_usual && bd_model_writes(model, i)))
      BD_TRY(add_written(routes, m, i, diags));
  }
  return BUDDY_OK;
}

static buddy_code find_all_pairs(bd_routes *routes, buddy_diags *diags) {
  const bd_route *other = NULL;
  for (size_t m = 0; m < routes->n_models; ++m) BD_TRY(find_written(routes, m, diags));
  for (size_t m = 0; m < routes->n_models && !other; ++m) {
    if (has_usual(routes->models[m].model)) other = &routes->models[m];
  }
  for (size_t m = 0; other && m < routes->n_models; ++m) {
    const buddy_model *model = routes->models[m].model;
    BD_TRY(find_pairs(routes, m, has_usual(model) ? &routes->models[m] : other, diags));
  }
  return BUDDY_OK;
}

/* ---- All of it ---- */

static void free_route(bd_route *route) {
  bd_free(route->buffers);
  bd_free(route->inputs);
  bd_free(route->outputs);
  bd_free(route->user_inputs);
  bd_free(route->user_outputs);
  bd_free(route->growing);
  bd_free(route->dims);
}

void bd_routes_release(bd_routes *routes) {
  if (!routes || __atomic_sub_fetch(&routes->n_owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (size_t m = 0; routes->models && m < routes->n_models; ++m) free_route(&routes->models[m]);
  bd_free(routes->models);
  bd_free(routes->states);
  bd_free(routes);
}

static size_t *no_states(size_t n) {
  size_t *numbers = bd_calloc(n + 1, sizeof(size_t));
  for (size_t i = 0; numbers && i < n; ++i) numbers[i] = SIZE_MAX;
  return numbers;
}

static buddy_code describe_growing(bd_route *route) {
  const size_t n_inputs = buddy_model_n_inputs(route->model);
  size_t n_dims = 0;
  for (size_t i = 0; i < n_inputs; ++i) n_dims += buddy_model_input(route->model, i)->rank;
  route->growing = bd_calloc(n_inputs + 1, sizeof(buddy_port));
  route->dims = bd_calloc(n_dims + 1, sizeof(int64_t));
  if (!route->growing || !route->dims) return BUDDY_OUT_OF_MEMORY;
  int64_t *dims = route->dims;
  for (size_t i = 0; i < n_inputs; ++i) {
    const bd_growth *growth = bd_model_growth(route->model, i);
    const buddy_port *port = buddy_model_input(route->model, i);
    if (!growth) continue;
    for (uint32_t d = 0; d < port->rank; ++d)
      dims[d] = d == growth->dim ? -1 : port->dims[d < growth->dim ? d + 1 : d];
    route->growing[i] = *port;
    route->growing[i].dims = dims;
    dims += port->rank;
  }
  return BUDDY_OK;
}

static buddy_code begin_route(bd_route *route, buddy_model *model) {
  const size_t n_inputs = buddy_model_n_inputs(model), n_outputs = buddy_model_n_outputs(model);
  route->model = model;
  route->buffers = no_states(bd_model_n_states(model));
  route->inputs = no_states(n_inputs);
  route->outputs = no_states(n_outputs);
  route->user_inputs = bd_calloc(n_inputs + 1, sizeof(buddy_port *));
  route->user_outputs = bd_calloc(n_outputs + 1, sizeof(buddy_port *));
  return !route->buffers || !route->inputs || !route->outputs || !route->user_inputs ||
                 !route->user_outputs
             ? BUDDY_OUT_OF_MEMORY
             : describe_growing(route);
}

/* What is left to the user. */
static void end_route(bd_route *route) {
  for (size_t i = 0; i < buddy_model_n_inputs(route->model); ++i) {
    if (route->inputs[i] == SIZE_MAX)
      route->user_inputs[route->n_user_inputs++] = buddy_model_input(route->model, i);
  }
  for (size_t i = 0; i < buddy_model_n_outputs(route->model); ++i) {
    if (route->outputs[i] == SIZE_MAX)
      route->user_outputs[route->n_user_outputs++] = buddy_model_output(route->model, i);
  }
}

static buddy_code fill(bd_routes *routes, buddy_model *const *models,
                       const buddy_session_options *options, buddy_diags *diags) {
  size_t room = 0;
  routes->models = bd_calloc(routes->n_models + 1, sizeof(bd_route));
  if (!routes->models) return BUDDY_OUT_OF_MEMORY;
  for (size_t m = 0; m < routes->n_models; ++m) {
    BD_TRY(begin_route(&routes->models[m], models[m]));
    room += bd_model_n_states(models[m]) + buddy_model_n_inputs(models[m]);
  }
  routes->states = bd_calloc(room + 1, sizeof(bd_state));
  if (!routes->states) return BUDDY_OUT_OF_MEMORY;
  for (size_t m = 0; m < routes->n_models; ++m) BD_TRY(add_buffers(routes, m, diags));
  for (size_t m = 0; m < routes->n_models; ++m) BD_TRY(check_constants(routes, m, diags));
  for (size_t i = 0; i < options->n_pairs; ++i) BD_TRY(add_pair(routes, &options->pairs[i], diags));
  if (options->n_pairs == 0 && !options->no_pairs) BD_TRY(find_all_pairs(routes, diags));
  for (size_t m = 0; m < routes->n_models; ++m) {
    end_route(&routes->models[m]);
    if (!options->no_batches) find_rows(&routes->models[m], diags);
  }
  return BUDDY_OK;
}

buddy_code bd_routes_create(buddy_model *const *models, size_t n_models,
                            const buddy_session_options *options, buddy_diags *diags,
                            bd_routes **out_routes) {
  buddy_session_options read = {.struct_size = sizeof(read)};
  *out_routes = NULL;
  buddy_code code = bd_options_read(&read, sizeof(read), options, "buddy_session_options", diags);
  bd_routes *routes = code == BUDDY_OK ? bd_calloc(1, sizeof(bd_routes)) : NULL;
  if (code == BUDDY_OK && !routes) code = BUDDY_OUT_OF_MEMORY;
  if (code != BUDDY_OK) return code;
  routes->n_owners = 1;
  routes->n_models = n_models;
  code = fill(routes, models, &read, diags);
  if (code != BUDDY_OK) {
    bd_routes_release(routes);
    return code;
  }
  *out_routes = routes;
  return BUDDY_OK;
}
