// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/execute.c: requests become runs, and results become answers.
 *
 *   1. Each request is read: what its tensors lack is its own error.
 *   2. Requests whose tensors agree but for the number of rows are one run, their rows one after the
 *      other. A model without a batch has one run for each.
 *   3. A run that fails is done again for each of its requests alone, so that nobody is answered with
 *      another one's fault.
 *   4. Each request gets its rows of the results that it asked for, and is released.
 *
 * Tensors of one request in one piece are read where they are; others are put together in memory that
 * is freed after the run. Results are the model's until they are copied into the server's buffers. */
#include <inttypes.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/text.h"
#include "sdk/serve/triton/request_tensor.h"
#include "sdk/serve/triton/served.h"
#include "sdk/serve/triton/errors.h"

typedef struct item {
  TRITONBACKEND_Request *request;
  TRITONSERVER_Error *error; /* its answer, if it is one */
  bd_request_tensor *inputs;
  int64_t n_rows; /* 1 without a batch */
} item;

typedef struct work {
  const bd_served *served;
  TRITONBACKEND_ModelInstance *instance;
  uint64_t begin, compute_begin, compute_end;
  bd_request_tensor *given; /* of all items */
  buddy_tensor *inputs, *outputs;
  int64_t *sizes; /* of the inputs put together, and after them their strides */
  int64_t *shape; /* room for the shape of one answer */
  buddy_diags *diags;
} work;

/* ---- 1. Reading ---- */
static TRITONSERVER_Error *read_rows(const work *w, item *one) {
  const bd_served *served = w->served;
  one->n_rows = 1;
  if (served->max_batch == 0) return NULL;
  for (size_t i = 0; i < served->ports.n_inputs; ++i) {
    const int64_t n = one->inputs[i].dims[0];
    if (i > 0 && n != one->n_rows)
      return bd_triton_error_new(
          TRITONSERVER_ERROR_INVALID_ARG, "input %s: %" PRId64 " rows, but input %s has %" PRId64,
          served->ports.inputs[i].name, n, served->ports.inputs[0].name, one->n_rows);
    one->n_rows = n;
  }
  if (one->n_rows <= served->max_batch) return NULL;
  return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                             "the request has %" PRId64 " rows, max_batch_size is %" PRId64,
                             one->n_rows, served->max_batch);
}

static TRITONSERVER_Error *read_request(const work *w, item *one) {
  const bd_served_ports *ports = &w->served->ports;
  bool is_cancelled = false;
  TRITONSERVER_Error *error = TRITONBACKEND_RequestIsCancelled(one->request, &is_cancelled);
  if (error) return error;
  if (is_cancelled)
    return bd_triton_error_new(TRITONSERVER_ERROR_CANCELLED, "the request was cancelled");
  for (size_t i = 0; i < ports->n_inputs && !error; ++i)
    error = bd_request_tensor_read(&ports->inputs[i], one->request, &one->inputs[i]);
  return error ? error : read_rows(w, one);
}

/* ---- 2. Runs ---- */
/* Whether the tensors of two requests differ in the number of rows alone. */
static bool agree(const bd_served *served, const item *a, const item *b) {
  for (size_t i = 0; i < served->ports.n_inputs; ++i) {
    const uint32_t rank = served->ports.inputs[i].port->rank;
    if (memcmp(a->inputs[i].dims + 1, b->inputs[i].dims + 1, (rank - 1) * sizeof(int64_t)) != 0)
      return false;
  }
  return true;
}

/* How many items, from the first on, are one run, and their rows. */
static size_t count_group(const bd_served *served, item *const *items, size_t n,
                          int64_t *out_rows) {
  size_t k = 1;
  *out_rows = items[0]->n_rows;
  while (k < n && served->max_batch > 0 && agree(served, items[0], items[k]) &&
         *out_rows <= served->max_batch - items[k]->n_rows)
    *out_rows += items[k++]->n_rows;
  return k;
}

/* The bytes of a request's tensor where they are, if a run can read them there; else null. */
static TRITONSERVER_Error *lend(const work *w, const bd_served_port *port,
                                const bd_request_tensor *from, const void **out_bytes) {
  uint64_t n = 0;
  *out_bytes = NULL;
  if (from->n_buffers != 1 || w->served->ports.writes_inputs) return NULL;
  TRITONSERVER_Error *error = bd_request_tensor_buffer(port, from, 0, out_bytes, &n);
  const bool is_aligned = (uintptr_t)*out_bytes % buddy_dtype_size(port->port->dtype) == 0;
  if (error || n != from->n_bytes || !is_aligned) *out_bytes = NULL;
  return error;
}

/* The tensor of input i for all items of a group. */
static TRITONSERVER_Error *gather(work *w, item *const *items, size_t n, int64_t n_rows, size_t i,
                                  int64_t *sizes) {
  const bd_served_port *port = &w->served->ports.inputs[i];
  const uint32_t rank = port->port->rank;
  buddy_tensor *out = &w->inputs[i];
  const void *lent = NULL;
  if (rank > 0) memcpy(sizes, items[0]->inputs[i].dims, rank * sizeof *sizes);
  if (w->served->max_batch > 0) sizes[0] = n_rows;
  if (n == 1) {
    TRITONSERVER_Error *error = lend(w, port, &items[0]->inputs[i], &lent);
    if (error) return error;
  }
  if (!lent) {
    const buddy_code code = buddy_tensor_create(port->port->dtype, rank, sizes, out);
    if (code != BUDDY_OK) return bd_triton_error(code, port->name, NULL);
    char *to = out->bytes;
    TRITONSERVER_Error *error = NULL;
    for (size_t k = 0; k < n && !error; ++k) {
      error = bd_request_tensor_copy(port, &items[k]->inputs[i], to);
      to += items[k]->inputs[i].n_bytes;
    }
    return error;
  }
  int64_t stride = 1;
  *out = (buddy_tensor){.dtype = port->port->dtype,
                        .rank = rank,
                        .sizes = sizes,
                        .strides = sizes + rank,
                        .bytes = (void *)(uintptr_t)lent}; /* a run reads its inputs alone */
  for (uint32_t d = rank; d-- > 0;) {
    out->strides[d] = stride;
    stride *= sizes[d];
  }
  return NULL;
}

/* Results have their rows in order; a model that gives others has no batch, whatever its shapes say. */
static TRITONSERVER_Error *check_results(const work *w, int64_t n_rows) {
  const bd_served_ports *ports = &w->served->ports;
  for (size_t i = 0; i < ports->n_outputs && w->served->max_batch > 0; ++i) {
    const buddy_tensor *out = &w->outputs[i];
    if (ports->outputs[i].is_absent || (out->rank > 0 && out->sizes[0] == n_rows)) continue;
    return bd_triton_error_new(TRITONSERVER_ERROR_INTERNAL,
                               "output %s has not the %" PRId64
                               " rows of the inputs; serve the model with "
                               "max_batch_size: 0",
                               ports->outputs[i].name, n_rows);
  }
  return NULL;
}

/* Results are in w->outputs, also after a failure, for release. */
static TRITONSERVER_Error *run(work *w, item *const *items, size_t n, int64_t n_rows) {
  const bd_served *served = w->served;
  TRITONSERVER_Error *error = NULL;
  int64_t *sizes = w->sizes;
  for (size_t i = 0; i < served->ports.n_inputs && !error; ++i) {
    error = gather(w, items, n, n_rows, i, sizes);
    sizes += 2 * (size_t)served->ports.inputs[i].port->rank;
  }
  w->compute_begin = bd_nanoseconds();
  if (!error) {
    buddy_diags_clear(w->diags);
    const buddy_code code = buddy_model_run(served->model, w->inputs, served->ports.n_inputs,
                                            w->outputs, served->ports.n_outputs, w->diags);
    error = bd_triton_error(code, served->name, w->diags);
  }
  w->compute_end = bd_nanoseconds();
  for (size_t i = 0; i < served->ports.n_inputs; ++i) {
    buddy_tensor_release(&w->inputs[i]);
    w->inputs[i] = (buddy_tensor){0};
  }
  return error ? error : check_results(w, n_rows);
}

/* ---- 4. Answers ---- */
static const bd_served_port *find_output(const bd_served_ports *ports, const char *name) {
  for (size_t i = 0; i < ports->n_outputs; ++i) {
    if (!ports->outputs[i].is_absent && strcmp(ports->outputs[i].name, name) == 0)
      return &ports->outputs[i];
  }
  return NULL;
}

/* The rows from first_row on of a result become one output of an answer. */
static TRITONSERVER_Error *put_output(work *w, TRITONBACKEND_Response *response,
                                      const bd_served_port *port, int64_t first_row,
                                      int64_t n_rows) {
  const buddy_tensor *from = &w->outputs[port - w->served->ports.outputs];
  uint64_t n_bytes = (uint64_t)buddy_tensor_n_elements(from) * buddy_dtype_size(from->dtype);
  uint64_t at = 0;
  uint32_t rank = from->rank;
  if (rank > 0) memcpy(w->shape, from->sizes, rank * sizeof *w->shape);
  if (w->served->max_batch > 0) {
    const uint64_t row = from->sizes[0] > 0 ? n_bytes / (uint64_t)from->sizes[0] : 0;
    w->shape[0] = n_rows;
    at = row * (uint64_t)first_row;
    n_bytes = row * (uint64_t)n_rows;
  }
  if (port->is_one) w->shape[rank++] = 1;
  TRITONBACKEND_Output *output = NULL;
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
  int64_t device = 0;
  void *to = NULL;
  TRITONSERVER_Error *error =
      TRITONBACKEND_ResponseOutput(response, &output, port->name, port->type, w->shape, rank);
  if (!error) error = TRITONBACKEND_OutputBuffer(output, &to, n_bytes, &memory, &device);
  if (error || n_bytes == 0) return error;
  if (memory == TRITONSERVER_MEMORY_GPU)
    return bd_triton_error_new(TRITONSERVER_ERROR_UNSUPPORTED,
                               "output %s: it is wanted in a GPU's memory", port->name);
  memcpy(to, (const char *)from->bytes + at, n_bytes);
  return NULL;
}

static TRITONSERVER_Error *put_outputs(work *w, const item *one, TRITONBACKEND_Response *response,
                                       int64_t first_row) {
  uint32_t n = 0;
  TRITONSERVER_Error *error = TRITONBACKEND_RequestOutputCount(one->request, &n);
  for (uint32_t k = 0; k < n && !error; ++k) {
    const char *name = NULL;
    error = TRITONBACKEND_RequestOutputName(one->request, k, &name);
    const bd_served_port *port = error ? NULL : find_output(&w->served->ports, name);
    if (port) {
      error = put_output(w, response, port, first_row, one->n_rows);
    } else if (!error) {
      error =
          bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG, "the model has no output %s", name);
    }
  }
  return error;
}

/* Sends the answer and releases the request. Its error, if it has one, is deleted. */
static void answer(work *w, item *one, int64_t first_row) {
  TRITONBACKEND_Response *response = NULL;
  TRITONSERVER_Error *lost = TRITONBACKEND_ResponseNew(&response, one->request);
  if (!lost) {
    if (!one->error) one->error = put_outputs(w, one, response, first_row);
    lost = TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, one->error);
  }
  bd_triton_error_drop(lost);
  bd_triton_error_drop(TRITONBACKEND_ModelInstanceReportStatistics(
      w->instance, one->request, !one->error && !lost, w->begin, w->compute_begin, w->compute_end,
      bd_nanoseconds()));
  if (one->error) TRITONSERVER_ErrorDelete(one->error);
  bd_triton_error_drop(
      TRITONBACKEND_RequestRelease(one->request, TRITONSERVER_REQUEST_RELEASE_ALL));
}

static void release_outputs(work *w) {
  for (size_t i = 0; i < w->served->ports.n_outputs; ++i) {
    buddy_tensor_release(&w->outputs[i]);
    w->outputs[i] = (buddy_tensor){0};
  }
}

static void answer_group(work *w, item *const *items, size_t n, int64_t n_rows) {
  int64_t row = 0;
  for (size_t k = 0; k < n; ++k) {
    const int64_t next = row + items[k]->n_rows;
    answer(w, items[k], row);
    row = next;
  }
  bd_triton_error_drop(TRITONBACKEND_ModelInstanceReportBatchStatistics(
      w->instance, (uint64_t)n_rows, w->begin, w->compute_begin, w->compute_end, bd_nanoseconds()));
}

/* ---- 3. One group ---- */
static void serve_group(work *w, item *const *items, size_t n, int64_t n_rows) {
  TRITONSERVER_Error *error = run(w, items, n, n_rows);
  if (error && n > 1) {
    TRITONSERVER_ErrorDelete(error);
    release_outputs(w);
    for (size_t k = 0; k < n; ++k) serve_group(w, &items[k], 1, items[k]->n_rows);
    return;
  }
  if (error) {
    items[0]->error = error;
    answer(w, items[0], 0);
  } else {
    answer_group(w, items, n, n_rows);
  }
  release_outputs(w);
}

/* ---- The call ---- */
/* One piece of memory for all lists that a call needs. */
static buddy_code work_init(const bd_served *served, uint32_t n_requests, work *w, item **out_items,
                            item ***out_order) {
  const bd_served_ports *ports = &served->ports;
  size_t n_sizes = 2, n_shape = 2;
  for (size_t i = 0; i < ports->n_inputs; ++i) n_sizes += 2 * (size_t)ports->inputs[i].port->rank;
  for (size_t i = 0; i < ports->n_outputs; ++i) {
    if (ports->outputs[i].port->rank + 2 > n_shape) n_shape = ports->outputs[i].port->rank + 2;
  }
  const size_t n_inputs = ports->n_inputs;
  w->given = bd_calloc((size_t)n_requests * n_inputs + 1, sizeof *w->given);
  *out_items = bd_calloc((size_t)n_requests + 1, sizeof **out_items);
  *out_order = bd_calloc((size_t)n_requests + 1, sizeof **out_order);
  w->inputs = bd_calloc(n_inputs + 1, sizeof *w->inputs);
  w->outputs = bd_calloc(ports->n_outputs + 1, sizeof *w->outputs);
  w->sizes = bd_calloc(n_sizes + n_shape, sizeof *w->sizes);
  if (!w->given || !*out_items || !*out_order || !w->inputs || !w->outputs || !w->sizes)
    return BUDDY_OUT_OF_MEMORY;
  w->shape = w->sizes + n_sizes;
  for (uint32_t k = 0; k < n_requests; ++k) (*out_items)[k].inputs = w->given + k * n_inputs;
  return buddy_diags_create(&w->diags);
}

TRITONSERVER_Error *bd_served_execute(const bd_served *served,
                                      TRITONBACKEND_ModelInstance *instance,
                                      TRITONBACKEND_Request **requests, uint32_t n_requests) {
  if (served->stream) {
    bd_stream_take(served->stream, &served->ports, instance, requests, n_requests);
    return NULL;
  }
  item *items = NULL, **order = NULL;
  work w = {.served = served, .instance = instance, .begin = bd_nanoseconds()};
  const buddy_code code = work_init(served, n_requests, &w, &items, &order);
  size_t n = 0;
  if (code == BUDDY_OK) {
    for (uint32_t k = 0; k < n_requests; ++k) {
      items[k].request = requests[k];
      items[k].error = read_request(&w, &items[k]);
      if (items[k].error) {
        w.compute_begin = w.compute_end = bd_nanoseconds();
        answer(&w, &items[k], 0);
      } else {
        order[n++] = &items[k];
      }
    }
  }
  for (size_t k = 0, n_group; k < n; k += n_group) {
    int64_t n_rows = 0;
    n_group = count_group(served, order + k, n - k, &n_rows);
    serve_group(&w, order + k, n_group, n_rows);
  }
  bd_free(w.given);
  bd_free(items);
  bd_free(order);
  bd_free(w.inputs);
  bd_free(w.outputs);
  bd_free(w.sizes);
  buddy_diags_destroy(w.diags);
  return bd_triton_error(code, served->name, NULL);
}
