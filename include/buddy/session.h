// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* buddy/session.h: what a program remembers between its runs, as an object of its own: caches of keys
 * and values, states of recurrent layers. Part of libbuddy_runtime.
 *
 * A session has one state, which one or more models share: prefill and decode of one archive, say.
 * State is, by name:
 *
 *   1. every buffer that a model writes to, by its name in the archive ("key_cache_0"; what torch.export
 *      lifted is "lifted_tensor_0"): the same name is the same state in all models, and of one type, so
 *      that they are exported from one module; so is a parameter or an attribute that a model writes
 *      to. A model that only reads it has it as a constant, and is refused: let it write, too
 *      (self.buffer.copy_(self.buffer));
 *   2. every pair (buddy_pair): an output of a model that is an input one step later, by the input's
 *      name ("past_key_values_0"); or an input that the model itself writes to, which begins as zeros;
 *   3. every input that grows (buddy_model_options.pairs_in_place), which begins with length 0.
 *
 * A buffer or input of which a step changes some rows is written where it lies: no other row is moved.
 * One that is computed anew whole, and the output of a pair, are new tensors, which become the state as
 * they are, without a copy. What grows is written after what is there, in memory that has room for up to
 * twice as much; where that is full, it is copied once into twice the room. A step takes as much of it
 * as its other inputs tell. Its tensors have the archive's order of dims, by strides.
 *
 * Memory: a session has each state once, from the first step that needs it on. A fork shares all of
 * it; a buffer that two sessions share is copied whole when one of them writes to it first, so that
 * n forks have at most n times the state of one. Of what grows, the first of the sessions that have most of
 * it goes on where it lies, and those behind copy what they have when they go another way: a fork that is
 * kept to go back to costs nothing. Sessions that are stepped as one batch have their
 * states side by side in blocks, which have room for up to twice as many, and are freed with the last
 * session in them; who joins or leaves moves at most one row, or, where a block is full, all. Saving and
 * loading need once more that of the state.
 *
 * Threads: a session is used by one thread at a time; sessions of the same models, forks among them,
 * on as many threads as there are. Results are those of the same steps without any other session,
 * bit by bit, whatever else runs; except that a batch adds products up in an order that depends on
 * its number of rows, so that its last bits are those of the model for that many rows. The models must
 * outlive the session. */
#ifndef BUDDY_SESSION_H
#define BUDDY_SESSION_H

#include "buddy/compile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Output `output` of model `model` (both by number, among the user's) is, one step later, the input
 * called `state` of every model that has one. output: SIZE_MAX where the model writes to that input
 * itself. */
typedef struct buddy_pair {
  size_t model, output;
  const char *state;
} buddy_pair;

typedef struct buddy_session_options {
  size_t struct_size;
  /* Null: pairs are found where they are plain: of a model, the n inputs that are called
   * past_key_values… are paired with its last n outputs, in order, if these are of their types; those
   * that it writes to are state as they are. */
  const buddy_pair *pairs;
  size_t n_pairs;
  /* Not 0: without `pairs` there are none. */
  int no_pairs;
  /* Not 0: buddy_session_step_all takes all steps in turn, with the bits of each alone. */
  int no_batches;
} buddy_session_options;

typedef struct buddy_session buddy_session;
/* A session of some models, whose numbers in it are those of the array. Its buffers are as the archive
 * has them, pairs have no value yet. BUDDY_INVALID_ARGUMENT: models that have a buffer of one name and
 * two types, or one that reads as a constant what another writes to; a pair that no model has, or of
 * two types. options may be null. */
BUDDY_EXPORT buddy_code buddy_session_create(buddy_model *const *models, size_t n_models,
                                             const buddy_session_options *options,
                                             buddy_diags *diags, buddy_session **out_session);
BUDDY_EXPORT void buddy_session_destroy(buddy_session *session);

/* What a step of a model takes and gives: the user's inputs and outputs without those of pairs. Null
 * after the last, and for a number that is no model's. */
BUDDY_EXPORT size_t buddy_session_n_inputs(const buddy_session *session, size_t model);
BUDDY_EXPORT const buddy_port *buddy_session_input(const buddy_session *session, size_t model,
                                                   size_t i);
BUDDY_EXPORT size_t buddy_session_n_outputs(const buddy_session *session, size_t model);
BUDDY_EXPORT const buddy_port *buddy_session_output(const buddy_session *session, size_t model,
                                                    size_t i);

/* Runs a model on the state. inputs, outputs: as buddy_model_run takes them. Inputs that are refused
 * change nothing. A step that fails in the middle (an index out of range, memory that runs out) may
 * have written some of its new values: go back to a fork, or do the step again where it writes the
 * same places. BUDDY_INVALID_ARGUMENT also: a pair that has no value yet. */
BUDDY_EXPORT buddy_code buddy_session_step(buddy_session *session, size_t model,
                                           const buddy_tensor *inputs, size_t n_inputs,
                                           buddy_tensor *outputs, size_t n_outputs,
                                           buddy_diags *diags);

/* One step of one session, for buddy_session_step_all. */
typedef struct buddy_session_call {
  buddy_session *session;
  size_t model;
  const buddy_tensor *inputs;
  size_t n_inputs;
  buddy_tensor *outputs;
  size_t n_outputs;
  buddy_code code; /* receives the result */
} buddy_session_call;
/* Steps of several sessions. One that fails does not keep the others from theirs. Returns the first code
 * that is no BUDDY_OK. Calls of one session are done in their order.
 *
 * Steps of one model by different sessions are one run, a row each, where the program is proved to work
 * on the rows of its inputs one by one: the first size of all its inputs and outputs is the same symbol,
 * no other size names it, it has no buffers of its own, and each of its ops keeps rows apart (a mean over
 * the batch does not, nor does a random number); and where all sizes but the first, which is 1, are the
 * same in these calls; models with inputs that grow, never. All others are done in turn; where only the proof is missing, a note of
 * buddy_session_create says which op it ends at. Conversations of different lengths go together where
 * length is no size, but a row of positions.
 *
 * A batch that fails leaves the states as they were, and is done again in turn, so that each call gets
 * its own result. A program that adds to a state rather than writing rows of it costs a copy of that
 * state in each batch therefore. */
BUDDY_EXPORT buddy_code buddy_session_step_all(buddy_session_call *calls, size_t n_calls,
                                               buddy_diags *diags);
/* How many steps of the model are one run at most; 1: all are taken in turn. */
BUDDY_EXPORT size_t buddy_session_most_rows(const buddy_session *session, size_t model);

/* A new session with the same models and the same state, which costs no copy of it. */
BUDDY_EXPORT buddy_code buddy_session_fork(const buddy_session *session, buddy_diags *diags,
                                           buddy_session **out_session);
/* The session goes back (or on) to the state of another of the same models, an earlier fork of it
 * mostly, which stays as it is and may be gone back to again. Costs no copy. to: null for the state of
 * a new session. */
BUDDY_EXPORT buddy_code buddy_session_rewind(buddy_session *session, const buddy_session *to,
                                             buddy_diags *diags);

/* The state, to look at and to set. Tensors are lent until the next call that changes the session;
 * one that has no value yet has null bytes. */
BUDDY_EXPORT size_t buddy_session_n_states(const buddy_session *session);
BUDDY_EXPORT const char *buddy_session_state_name(const buddy_session *session, size_t i);
BUDDY_EXPORT buddy_code buddy_session_state(buddy_session *session, size_t i, buddy_diags *diags,
                                            buddy_tensor *out_tensor);
/* Copies a tensor of the state's type. BUDDY_NOT_FOUND: there is no state of that name. */
BUDDY_EXPORT buddy_code buddy_session_set_state(buddy_session *session, const char *name,
                                                const buddy_tensor *tensor, buddy_diags *diags);
/* Bytes of all states that have a value; those that forks share count for each. */
BUDDY_EXPORT uint64_t buddy_session_n_bytes(const buddy_session *session);

/* The state as a file, which appears when it is whole. Names, types and bytes, and a checksum; not
 * which model they are of. */
BUDDY_EXPORT buddy_code buddy_session_save(const buddy_session *session, const char *path,
                                           buddy_diags *diags);
/* Sets the whole state from such a file, which may be anybody's: names and types must be those of the
 * session, and the checksum right, or nothing is changed: BUDDY_CORRUPT, BUDDY_INCOMPATIBLE. */
BUDDY_EXPORT buddy_code buddy_session_load(buddy_session *session, const char *path,
                                           buddy_diags *diags);

#ifdef __cplusplus
}
#endif
#endif
