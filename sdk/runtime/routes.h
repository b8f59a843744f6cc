// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/routes.h: which inputs and outputs of the models of a session are which state. */
#ifndef BUDDY_SDK_RUNTIME_ROUTES_H
#define BUDDY_SDK_RUNTIME_ROUTES_H

#include <stdbool.h>

#include "buddy/session.h"
#include "sdk/runtime/model.h"

#define BD_NOT_GROWING UINT32_MAX

/* A state. */
typedef struct bd_state {
  const char *name;
  const buddy_port *port; /* a type that it has; dims may be -1 */
  size_t model, number;   /* a buffer: whose value it begins with; model is SIZE_MAX: an input */
  bool is_written;        /* an input that a model writes to: it begins as zeros */
  uint32_t growing;       /* the dim in which it grows, and begins with nothing; BD_NOT_GROWING */
} bd_state;

/* What one model takes and gives, by number of the state, or SIZE_MAX: the user's. */
typedef struct bd_route {
  buddy_model *model;
  size_t *buffers, *inputs, *outputs;
  const buddy_port **user_inputs, **user_outputs;
  size_t n_user_inputs, n_user_outputs;
  int64_t least_rows, most_rows; /* of a batch; 0: steps are taken in turn */
  bool is_repeatable;            /* a batch that failed in the middle may be done again as it is */
  buddy_port *growing; /* of inputs that grow, as the user knows them, by input; dims in */
  int64_t *dims;       /* this */
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

#endif
