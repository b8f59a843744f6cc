// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/session.h: what stands behind buddy_session. */
#ifndef BUDDY_SDK_RUNTIME_SESSION_H
#define BUDDY_SDK_RUNTIME_SESSION_H

#include <stdbool.h>

#include "buddy/session.h"
#include "sdk/runtime/model.h"

/* The value of a state, which sessions share until one of them writes to it. */
typedef struct bd_cell {
  size_t n_owners;
  buddy_tensor tensor;
} bd_cell;
/* Takes the tensor over. Null when memory is out, and the tensor is still the caller's. */
bd_cell *bd_cell_create(const buddy_tensor *tensor);
void bd_cell_release(bd_cell *cell); /* null is allowed */
/* The tensor, which it takes over, on failure too, is the value in that place from now on. */
buddy_code bd_cell_put(bd_cell **place, buddy_tensor *tensor);

/* A state. */
typedef struct bd_state {
  const char *name;
  const buddy_port *port; /* a type that it has; dims may be -1 */
  size_t model, number;   /* a buffer: whose value it begins with; model is SIZE_MAX: an input */
  bool is_written;        /* an input that a model writes to: it begins as zeros */
} bd_state;

/* What one model takes and gives, by number of the state, or SIZE_MAX: the user's. */
typedef struct bd_route {
  buddy_model *model;
  size_t *buffers, *inputs, *outputs;
  const buddy_port **user_inputs, **user_outputs;
  size_t n_user_inputs, n_user_outputs;
  int64_t least_rows, most_rows; /* of a batch; 0: steps are taken in turn */
  bool is_repeatable;            /* a batch that failed in the middle may be done again as it is */
} bd_route;

/* What a session and its forks have in common, and nobody changes. */
typedef struct bd_routes {
  size_t n_owners;
  size_t n_models, n_states;
  bd_route *models;
  bd_state *states;
} bd_routes;
buddy_code bd_routes_create(buddy_model *const *models, size_t n_models,
                            const buddy_session_options *options, buddy_diags *diags,
                            bd_routes **out_routes);
void bd_routes_release(bd_routes *routes);
/* Whether a value of type `tensor` may be what a port says. */
bool bd_port_takes(const buddy_port *port, const buddy_tensor *tensor);
/* All that the model reads of the state has a value from now on, or BUDDY_NOT_FOUND. */
buddy_code bd_session_begin(buddy_session *session, const bd_route *route);

struct buddy_session {
  bd_routes *routes;
  bd_cell **cells; /* by state; null: no value yet, or that of the archive */
};

#endif
