// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/cells.c: the values of a session's states. A value lies in a cell that is counted:
 * forks have the same cells. A cell of one owner is written in place; one of several is copied
 * first. Nobody else can have taken a reference meanwhile, since references are taken through
 * sessions, and a session is used by one thread at a time. */
#include "sdk/runtime/cells.h"

#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/strided.h"

bd_cell *bd_cell_create(const buddy_tensor *tensor) {
  bd_cell *cell = bd_calloc(1, sizeof(bd_cell));
  if (cell) *cell = (bd_cell){1, *tensor};
  return cell;
}

void bd_cell_release(bd_cell *cell) {
  if (!cell || __atomic_sub_fetch(&cell->n_owners, 1, __ATOMIC_ACQ_REL) > 0) return;
  buddy_tensor_release(&cell->tensor);
  bd_free(cell);
}

bd_cell *bd_cell_retain(bd_cell *cell) {
  if (cell) __atomic_add_fetch(&cell->n_owners, 1, __ATOMIC_RELAXED);
  return cell;
}

buddy_code bd_cell_put(bd_cell **place, buddy_tensor *tensor) {
  bd_cell *cell = bd_cell_create(tensor);
  if (!cell) {
    buddy_tensor_release(tensor);
    return BUDDY_OUT_OF_MEMORY;
  }
  bd_cell_release(*place);
  *place = cell;
  return BUDDY_OK;
}

buddy_code bd_cell_put_copy(bd_cell **place, const buddy_tensor *from) {
  buddy_tensor copy;
  BD_TRY(bd_tensor_copy(from, &copy));
  return bd_cell_put(place, &copy);
}

/* What a cache begins with: zeros, or, where it grows, nothing; one row, where the model leaves their
 * number open. */
static buddy_code create_zeros(const bd_state *state, buddy_tensor *out) {
  const buddy_port *port = state->port;
  int64_t sizes[BD_MAX_RANK];
  for (uint32_t d = 0; d < port->rank; ++d) {
    sizes[d] = d == state->growing ? 0 : d == 0 && port->dims[d] < 0 ? 1 : port->dims[d];
    if (sizes[d] < 0) return BUDDY_NOT_FOUND;
  }
  BD_TRY(buddy_tensor_create(port->dtype, port->rank, sizes, out));
  if (state->growing == BD_NOT_GROWING)
    memset(out->bytes, 0, (size_t)buddy_tensor_n_elements(out) * buddy_dtype_size(out->dtype));
  return BUDDY_OK;
}

buddy_code bd_session_begin_state(const buddy_session *session, size_t i) {
  const bd_state *state = &session->routes->states[i];
  buddy_tensor initial;
  if (session->cells[i]) return BUDDY_OK;
  if (state->model != SIZE_MAX) {
    BD_TRY(bd_model_create_state(session->routes->models[state->model].model, state->number,
                                 &initial));
  } else if (state->is_written) {
    BD_TRY(create_zeros(state, &initial));
  } else {
    return BUDDY_NOT_FOUND;
  }
  return bd_cell_put(&session->cells[i], &initial);
}

buddy_code bd_session_begin(buddy_session *session, const bd_route *route) {
  for (size_t i = 0; i < buddy_model_n_inputs(route->model); ++i) {
    if (route->inputs[i] != SIZE_MAX) BD_TRY(bd_session_begin_state(session, route->inputs[i]));
  }
  return BUDDY_OK;
}

buddy_code bd_session_own(buddy_session *session, size_t i, buddy_tensor **out) {
  BD_TRY(bd_session_begin_state(session, i));
  if (__atomic_load_n(&session->cells[i]->n_owners, __ATOMIC_ACQUIRE) > 1)
    BD_TRY(bd_cell_put_copy(&session->cells[i], &session->cells[i]->tensor));
  *out = &session->cells[i]->tensor;
  return BUDDY_OK;
}
