// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/runtime/batch.c: steps of several sessions as one run; see batch.h. States that are stepped
 * together are rows of one block, so that the run takes them as they lie. Who joins is copied into a
 * free row beside the others, once; where there is none, all are copied into a larger block. */
#include "sdk/runtime/batch.h"

#include <stdint.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/try.h"
#include "sdk/runtime/cells.h"
#include "sdk/runtime/rows.h"
#include "sdk/runtime/strided.h"

/* ---- Where the rows lie ---- */

typedef struct batch {
  const bd_route *route;
  buddy_session_call **calls;
  size_t n;
  size_t first; /* row of the first call, in blocks whose rows have to be moved */
} batch;

static bd_cell **cell_of(const batch *b, size_t i, size_t state) {
  return &b->calls[i]->session->cells[state];
}

/* The row that a state of call i lies in, if it may stay there. is_written: it is nobody else's then. */
static const bd_rows_row *row_of(const batch *b, size_t i, size_t state, bool is_written) {
  const bd_cell *cell = *cell_of(b, i, state);
  const bool is_shared = __atomic_load_n(&cell->n_owners, __ATOMIC_ACQUIRE) > 1;
  return is_written && is_shared ? NULL : bd_rows_row_of(&cell->tensor);
}

/* The block with most of the calls; null: none is in any. */
static bd_rows *home_of(const batch *b, size_t state, bool is_written) {
  bd_rows *home = NULL;
  size_t most = 0;
  for (size_t i = 0; i < b->n && most <= b->n / 2; ++i) {
    const bd_rows_row *row = row_of(b, i, state, is_written);
    size_t n = 0;
    if (!row || row->block == home) continue;
    for (size_t k = i; k < b->n; ++k) {
      const bd_rows_row *other = row_of(b, k, state, is_written);
      n += other && other->block == row->block;
    }
    if (n > most) {
      most = n;
      home = row->block;
    }
  }
  return home;
}

/* Of all places for n rows where none is a stranger's, the one with most of the calls; SIZE_MAX: there
 * is none. */
static size_t best_place(const bd_rows *home, buddy_session_call *const *by_row, size_t n) {
  size_t best = SIZE_MAX, most = 0, n_mine = 0, n_others = 0;
  for (size_t k = 0; k < home->n_rows; ++k) {
    n_mine += by_row[k] != NULL;
    n_others += !by_row[k] && bd_rows_is_taken(home, k);
    if (k >= n) {
      n_mine -= by_row[k - n] != NULL;
      n_others -= !by_row[k - n] && bd_rows_is_taken(home, k - n);
    }
    if (k + 1 < n || n_others > 0 || n_mine < most) continue;
    best = k + 1 - n;
    most = n_mine;
  }
  return best;
}

/* The order of the calls with which fewest rows of the state are moved. */
static buddy_code sort_calls(batch *b, size_t state, bool is_written) {
  bd_rows *home = home_of(b, state, is_written);
  if (!home) return BUDDY_OK;
  buddy_session_call **by_row = bd_calloc(home->n_rows + b->n, sizeof(*by_row)),
                     **rest = by_row + home->n_rows;
  if (!by_row) return BUDDY_OUT_OF_MEMORY;
  size_t n_rest = 0;
  for (size_t i = 0; i < b->n; ++i) {
    const bd_rows_row *row = row_of(b, i, state, is_written);
    if (row && row->block == home && !by_row[row->number])
      by_row[row->number] = b->calls[i];
    else
      rest[n_rest++] = b->calls[i];
  }
  const size_t first = best_place(home, by_row, b->n);
  if (first != SIZE_MAX) {
    b->first = first;
    for (size_t k = 0; k < home->n_rows; ++k) {
      if (by_row[k] && (k < first || k >= first + b->n)) rest[n_rest++] = by_row[k];
    }
    for (size_t i = 0; i < b->n; ++i)
      b->calls[i] = by_row[first + i] ? by_row[first + i] : rest[--n_rest];
  }
  bd_free(by_row);
  return BUDDY_OK;
}

static bool are_in_line(const batch *b, size_t state, bool is_written) {
  const bd_rows_row *lead = row_of(b, 0, state, is_written);
  for (size_t i = 1; lead && i < b->n; ++i) {
    const bd_rows_row *row = row_of(b, i, state, is_written);
    if (!row || row->block != lead->block || row->number != lead->number + i) return false;
  }
  return lead != NULL;
}

/* All into the rows of a block from `first` on. out_is_done: false where a row is somebody else's. */
static buddy_code move_all(batch *b, size_t state, bool is_written, bd_rows *to, size_t first,
                           bool *out_is_done) {
  *out_is_done = first + b->n <= to->n_rows;
  for (size_t i = 0; i < b->n && *out_is_done; ++i) {
    const bd_rows_row *row = row_of(b, i, state, is_written);
    bd_cell **place = cell_of(b, i, state);
    buddy_tensor view;
    if (row && row->block == to && row->number == first + i) continue;
    BD_TRY(bd_rows_take(to, first + i, out_is_done, &view));
    if (!*out_is_done) break;
    bd_strided_copy(&(*place)->tensor, &view);
    BD_TRY(bd_cell_put(place, &view));
  }
  return BUDDY_OK;
}

/* All into a block of their own. */
static buddy_code move_out(batch *b, size_t state, bool is_written, bd_rows **out) {
  const buddy_tensor *one = &(*cell_of(b, 0, state))->tensor;
  int64_t sizes[BD_MAX_RANK], n_rows = 2;
  buddy_tensor tensor;
  bool is_done;
  while (n_rows < (int64_t)b->n) n_rows *= 2;
  memcpy(sizes, one->sizes, one->rank * sizeof(int64_t));
  sizes[0] = n_rows;
  BD_TRY(buddy_tensor_create(one->dtype, one->rank, sizes, &tensor));
  *out = bd_rows_create(&tensor);
  if (!*out) return BUDDY_OUT_OF_MEMORY;
  const buddy_code code = move_all(b, state, is_written, *out, 0, &is_done);
  bd_rows_release(*out); /* its rows keep it */
  return code;
}

/* The states of all calls, in the order of these, as one tensor. shape: room for sizes and strides. */
static buddy_code gather(batch *b, size_t state, bool is_written, int64_t *shape,
                         buddy_tensor *out) {
  if (!are_in_line(b, state, is_written)) {
    bd_rows *home = home_of(b, state, is_written);
    bool is_done = false;
    if (home) BD_TRY(move_all(b, state, is_written, home, b->first, &is_done));
    if (!is_done) BD_TRY(move_out(b, state, is_written, &home));
  }
  const bd_rows_row *row = row_of(b, 0, state, is_written);
  *out = bd_rows_view(row->block, row->number, b->n, shape);
  return BUDDY_OK;
}

/* ---- What the run takes and gives ---- */

/* An input of all calls as one tensor. */
static buddy_code join(const batch *b, size_t input, buddy_tensor *out) {
  const buddy_tensor *one = &b->calls[0]->inputs[input];
  int64_t sizes[BD_MAX_RANK];
  memcpy(sizes, one->sizes, one->rank * sizeof(int64_t));
  sizes[0] = (int64_t)b->n;
  BD_TRY(buddy_tensor_create(one->dtype, one->rank, sizes, out));
  const size_t n_bytes = (size_t)buddy_tensor_n_elements(one) * buddy_dtype_size(one->dtype);
  for (size_t i = 0; i < b->n && n_bytes > 0; ++i)
    bd_strided_pack(&b->calls[i]->inputs[input], (char *)out->bytes + i * n_bytes);
  return BUDDY_OK;
}

/* Row i of a result becomes an output of call i. */
static buddy_code give_row(const buddy_port *port, const buddy_tensor *result, size_t i,
                           buddy_tensor *output, buddy_diags *diags) {
  int64_t sizes[BD_MAX_RANK];
  buddy_tensor view = *result;
  memcpy(sizes, result->sizes, result->rank * sizeof(int64_t));
  sizes[0] = 1;
  view.sizes = sizes;
  view.bytes = (char *)result->bytes +
               (int64_t)i * result->strides[0] * (int64_t)buddy_dtype_size(result->dtype);
  if (output->bytes) return bd_output_fill(port, &view, output, diags);
  BD_TRY(buddy_tensor_create(view.dtype, view.rank, sizes, output));
  bd_strided_copy(&view, output);
  return BUDDY_OK;
}

/* The result of a pair becomes the block of the states, without a copy. */
static buddy_code give_states(batch *b, size_t state, buddy_tensor *result) {
  bd_rows *block = bd_rows_create(result);
  buddy_code code = block ? BUDDY_OK : BUDDY_OUT_OF_MEMORY;
  *result = (buddy_tensor){.bytes = NULL};
  for (size_t i = 0; i < b->n && code == BUDDY_OK; ++i) {
    buddy_tensor view;
    bool is_mine;
    if (b->calls[i]->code != BUDDY_OK) continue;
    code = bd_rows_take(block, i, &is_mine, &view);
    if (code == BUDDY_OK) code = bd_cell_put(cell_of(b, i, state), &view);
  }
  bd_rows_release(block);
  return code;
}

typedef struct tensors {
  buddy_tensor *inputs, *outputs, *kept; /* kept: of inputs that are written, as they were */
  size_t n_inputs, n_outputs;
  int64_t *shapes;
} tensors;

static buddy_code take_all(batch *b, tensors *t) {
  const bd_route *route = b->route;
  size_t user = 0, i = 0;
  int64_t *shape = t->shapes;
  while (i < t->n_inputs && route->inputs[i] == SIZE_MAX) ++i;
  if (i < t->n_inputs) BD_TRY(sort_calls(b, route->inputs[i], bd_model_writes(route->model, i)));
  for (i = 0; i < t->n_inputs; ++i) {
    const size_t state = route->inputs[i];
    if (state == SIZE_MAX) {
      BD_TRY(join(b, user++, &t->inputs[i]));
    } else {
      BD_TRY(gather(b, state, bd_model_writes(route->model, i), shape, &t->inputs[i]));
      shape += 2 * (size_t)t->inputs[i].rank;
    }
  }
  return BUDDY_OK;
}

static void give_all(batch *b, tensors *t, buddy_diags *diags) {
  size_t user = 0;
  for (size_t i = 0; i < t->n_outputs; ++i) {
    if (b->route->outputs[i] != SIZE_MAX) continue;
    const buddy_port *port = buddy_model_output(b->route->model, i);
    for (size_t k = 0; k < b->n; ++k) {
      buddy_session_call *call = b->calls[k];
      if (call->code == BUDDY_OK)
        call->code = give_row(port, &t->outputs[i], k, &call->outputs[user], diags);
    }
    ++user;
  }
  for (size_t i = 0; i < t->n_outputs; ++i) {
    if (b->route->outputs[i] == SIZE_MAX) continue;
    const buddy_code code = give_states(b, b->route->outputs[i], &t->outputs[i]);
    for (size_t k = 0; k < b->n && code != BUDDY_OK; ++k) b->calls[k]->code = code;
  }
}

static bool is_kept(const batch *b, size_t input) {
  return !b->route->is_repeatable && b->route->inputs[input] != SIZE_MAX &&
         bd_model_writes(b->route->model, input);
}

static buddy_code keep_all(const batch *b, tensors *t) {
  for (size_t i = 0; i < t->n_inputs; ++i) {
    const buddy_tensor *one = &t->inputs[i];
    if (!is_kept(b, i)) continue;
    BD_TRY(bd_tensor_copy(one, &t->kept[i]));
  }
  return BUDDY_OK;
}

static void restore_all(const batch *b, tensors *t) {
  for (size_t i = 0; i < t->n_inputs; ++i) {
    if (is_kept(b, i)) bd_strided_copy(&t->kept[i], &t->inputs[i]);
  }
}

/* False: nothing has changed, but for rows that the same steps will write again. */
static bool run(batch *b) {
  buddy_model *model = b->route->model;
  tensors t = {.n_inputs = buddy_model_n_inputs(model), .n_outputs = buddy_model_n_outputs(model)};
  size_t n_sizes = 0;
  for (size_t i = 0; i < t.n_inputs; ++i) n_sizes += 2 * (size_t)buddy_model_input(model, i)->rank;
  t.inputs = bd_calloc(2 * t.n_inputs + t.n_outputs, sizeof(buddy_tensor));
  t.shapes = bd_calloc(n_sizes + 1, sizeof(int64_t));
  t.outputs = t.inputs + t.n_inputs;
  t.kept = t.outputs + t.n_outputs;
  buddy_code code = !t.inputs || !t.shapes ? BUDDY_OUT_OF_MEMORY : take_all(b, &t);
  if (code == BUDDY_OK) code = keep_all(b, &t);
  if (code == BUDDY_OK) {
    code = bd_model_run_on(model, NULL, t.inputs, t.n_inputs, t.outputs, t.n_outputs, NULL);
    if (code != BUDDY_OK) restore_all(b, &t);
  }
  for (size_t i = 0; i < b->n; ++i) b->calls[i]->code = BUDDY_OK;
  if (code == BUDDY_OK) give_all(b, &t, NULL);
  for (size_t i = 0; t.inputs && i < 2 * t.n_inputs + t.n_outputs; ++i)
    buddy_tensor_release(&t.inputs[i]); /* views own nothing */
  bd_free(t.inputs);
  bd_free(t.shapes);
  return code == BUDDY_OK;
}

/* ---- Who goes together ---- */

static bool is_row(const buddy_port *port, const buddy_tensor *tensor) {
  return tensor->rank == port->rank && !bd_tensor_problem(tensor) && tensor->rank > 0 &&
         tensor->sizes[0] == 1 && tensor->bytes && bd_port_takes(port, tensor);
}

/* Whether one row of each is the same inputs and states. */
static bool are_of_one_route(const bd_route *a, const bd_route *b) {
  return a == b ||
         (a->model == b->model &&
          memcmp(a->inputs, b->inputs, buddy_model_n_inputs(a->model) * sizeof(size_t)) == 0 &&
          memcmp(a->outputs, b->outputs, buddy_model_n_outputs(a->model) * sizeof(size_t)) == 0);
}

/* Whether the call is one row of a batch, and of the sizes of `lead`, which is one. */
static bool goes_along(const buddy_session_call *call, const buddy_session_call *lead) {
  const bd_routes *routes = call->session->routes;
  if (call->model >= routes->n_models || routes->models[call->model].most_rows < 2) return false;
  const bd_route *route = &routes->models[call->model];
  size_t user = 0;
  if (!are_of_one_route(route, &lead->session->routes->models[lead->model]) ||
      call->n_inputs != route->n_user_inputs || call->n_outputs != route->n_user_outputs ||
      bd_session_begin(call->session, route) != BUDDY_OK)
    return false;
  for (size_t i = 0; i < buddy_model_n_inputs(route->model); ++i) {
    const size_t state = route->inputs[i];
    const bool is_state = state != SIZE_MAX;
    const buddy_tensor *one = is_state ? &call->session->cells[state]->tensor : &call->inputs[user],
                       *of_lead =
                           is_state ? &lead->session->cells[state]->tensor : &lead->inputs[user];
    user += !is_state;
    if (!is_row(buddy_model_input(route->model, i), one) ||
        memcmp(one->sizes, of_lead->sizes, one->rank * sizeof(int64_t)) != 0)
      return false;
  }
  return true;
}

static bool has_earlier(buddy_session_call *const *calls, size_t i) {
  for (size_t k = 0; k < i; ++k) {
    if (calls[k]->session == calls[i]->session) return true;
  }
  return false;
}

size_t bd_batch_step(buddy_session_call **calls, size_t n_calls, bool *out_is_done) {
  buddy_session_call *lead = calls[0];
  size_t n = 1;
  *out_is_done = false;
  if (n_calls < 2 || lead->model >= lead->session->routes->n_models || !goes_along(lead, lead))
    return 1;
  const bd_route *route = &lead->session->routes->models[lead->model];
  for (size_t i = 1; i < n_calls && (int64_t)n < route->most_rows; ++i) {
    buddy_session_call *call = calls[i];
    if (has_earlier(calls, i) || !goes_along(call, lead)) continue;
    memmove(calls + n + 1, calls + n, (i - n) * sizeof(*calls));
    calls[n++] = call;
  }
  batch b = {.route = route, .calls = calls, .n = n};
  *out_is_done = n > 1 && (int64_t)n >= route->least_rows && run(&b);
  return n;
}
