// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* plugins/linalg/nest.h: scf.for and scf.if that carry tensors and scalars, for what no
 * linalg.generic can say: writes to computed positions, and steps that depend on the step
 * before. */
#ifndef BUDDY_PLUGINS_LINALG_NEST_H
#define BUDDY_PLUGINS_LINALG_NEST_H

#include "buddy/emit.h"

#define LA_MAX_CARRIED 6

/* Replaces the carried values by those after one step; `at` has the position of each loop,
 * outermost first. */
typedef void la_step(const be_body *body, const MlirValue *at, MlirValue *carried, void *user);

/* Loops from 0 to ends[l], one inside the other; the carried values are replaced by those after the
 * last step. All become null after a failure. */
typedef struct la_nest {
  uint32_t n_loops;
  const MlirValue *ends;
  size_t n_carried;
  la_step *step;
  void *user;
} la_nest;
void la_run_nest(const be_body *where, const la_nest *nest, MlirValue *carried);
/* The same loops, whose steps threads may share: they are as BUDDY_LOOP_APART asks for. */
void la_run_apart(const be_body *where, const la_nest *nest, MlirValue *carried);
/* Within a step, the body of the loop that a position (at[l]) is of: what a step puts there runs once
 * for all the loops inside, also where these have no steps. */
be_body la_loop_body(const be_body *body, MlirValue position);

/* The carried values after `step` if the condition holds, else as they are. */
void la_when(const be_body *where, MlirValue condition, size_t n_carried, MlirValue *carried,
             la_step *step, void *user);

/* tensor.insert of a scalar. */
MlirValue la_write(const be_body *body, MlirValue scalar, MlirValue into, const MlirValue *position,
                   uint32_t rank);
/* Lists of i64, whose first n elements (an index) are their own positions, or those of `from`. */
MlirValue la_numbered(const be_body *body, MlirValue list, MlirValue n);
MlirValue la_copied(const be_body *body, MlirValue from, MlirValue list, MlirValue n);
/* The call's own block, as a body; and the dims of a type as ends of loops (BE_MAX_RANK of them at
 * most). */
be_body la_block(buddy_call *call);
uint32_t la_ends(buddy_call *call, const buddy_tensor_type *type, MlirValue *ends);

#endif
