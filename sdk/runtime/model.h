// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/model.h: a program becomes a model: parameters are bound to bytes that somebody maps,
 * so that runs take the user's inputs alone. */
#ifndef BUDDY_SDK_RUNTIME_MODEL_H
#define BUDDY_SDK_RUNTIME_MODEL_H

#include <stdbool.h>

#include "buddy/graph.h"
#include "sdk/runtime/program.h"

/* Where the bytes of parameters, buffers and constants are. find: those of input i of the program,
 * or null; lent for the life of the model. */
typedef struct bd_data_source {
  const buddy_data *(*find)(void *user, const buddy_port *port, size_t i);
  void *user;
} bd_data_source;

/* What a model stands on and frees last. */
typedef struct bd_model_owner {
  void (*release)(void *object);
  void *object;
} bd_model_owner;

/* Takes over the program, on failure too. Dense data is not copied; other data is, once. */
buddy_code bd_model_create(buddy_program *program, const bd_data_source *source, buddy_diags *diags,
                           buddy_model **out_model);
/* Sets what the model stands on; whoever does so takes over what it stood on before. */
void bd_model_own(buddy_model *model, bd_model_owner owner);
bd_model_owner bd_model_owned(const buddy_model *model);
/* The tensor over input i of the program, if it is bound to bytes that the model lends and never
 * writes to; else null. Its bytes may be replaced by equal ones while no run is under way. */
buddy_tensor *bd_model_weight(buddy_model *model, size_t i);

/* Whether the program writes to input i of the user. */
bool bd_model_writes(const buddy_model *model, size_t i);
/* Inputs for a run that leaves the user's as they are: those that the program writes to are copies, all
 * others are lent. inputs: as many as the model takes. */
buddy_code bd_model_spare_inputs(const buddy_model *model, const buddy_tensor *inputs,
                                 buddy_tensor **out_spared);
/* Null is allowed. */
void bd_model_spared_free(const buddy_model *model, buddy_tensor *spared);

/* How input i of the user grows; null: it does not. */
const bd_growth *bd_model_growth(const buddy_model *model, size_t i);

/* ---- State: the buffers that the program replaces, by number ---- */
size_t bd_model_n_states(const buddy_model *model);
/* The input; its target is the name of the buffer. */
const buddy_port *bd_model_state(const buddy_model *model, size_t s);
/* A tensor of its own with the value that the archive has. */
buddy_code bd_model_create_state(const buddy_model *model, size_t s, buddy_tensor *out);
/* buddy_model_run on the states of somebody else: dense tensors of the types of the ports, that no
 * other run has meanwhile. They are written in place, or replaced. [any-thread] */
buddy_code bd_model_run_on(buddy_model *model, buddy_tensor *const *states,
                           const buddy_tensor *inputs, size_t n_inputs, buddy_tensor *outputs,
                           size_t n_outputs, buddy_diags *diags);

#endif
