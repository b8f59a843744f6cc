// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/cells.h: what stands behind buddy_session: the values of its states. */
#ifndef BUDDY_SDK_RUNTIME_CELLS_H
#define BUDDY_SDK_RUNTIME_CELLS_H

#include "buddy/session.h"
#include "sdk/runtime/routes.h"

/* The value of a state, which sessions share until one of them writes to it. */
typedef struct bd_cell {
  size_t n_owners;
  buddy_tensor tensor;
} bd_cell;
/* Takes the tensor over. Null when memory is out, and the tensor is still the caller's. */
bd_cell *bd_cell_create(const buddy_tensor *tensor);
void bd_cell_release(bd_cell *cell);    /* null is allowed */
bd_cell *bd_cell_retain(bd_cell *cell); /* null is allowed */
/* The tensor, which it takes over, on failure too, is the value in that place from now on. */
buddy_code bd_cell_put(bd_cell **place, buddy_tensor *tensor);
/* The same with a copy of the tensor. */
buddy_code bd_cell_put_copy(bd_cell **place, const buddy_tensor *from);

struct buddy_session {
  bd_routes *routes;
  bd_cell **cells; /* by state; null: no value yet, or that of the archive */
};

/* The state has a value from now on: the one that it begins with, where it has none.
 * BUDDY_NOT_FOUND: there is no such value. */
buddy_code bd_session_begin_state(const buddy_session *session, size_t i);
/* All that the model reads of the state has a value from now on, or BUDDY_NOT_FOUND. */
buddy_code bd_session_begin(buddy_session *session, const bd_route *route);
/* The tensor of a state that is to be written, which nobody else has from now on. */
buddy_code bd_session_own(buddy_session *session, size_t i, buddy_tensor **out);

#endif
