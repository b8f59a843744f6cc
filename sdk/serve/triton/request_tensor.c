// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/request_tensor.c: a request's tensors, compared with the model's ports. */
#include "sdk/serve/triton/request_tensor.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/text.h"
#include "sdk/serve/triton/errors.h"

static void put_shape(bd_text *text, const int64_t *dims, uint32_t rank) {
  bd_text_char(text, '[');
  for (uint32_t d = 0; d < rank; ++d) bd_text_format(text, "%s%" PRId64, d ? "," : "", dims[d]);
  bd_text_char(text, ']');
}

static TRITONSERVER_Error *refuse(const bd_served_port *port, const int64_t *dims, uint32_t rank,
                                  const char *why) {
  char data[200];
  bd_text shape;
  bd_text_init_fixed(&shape, data, sizeof data);
  put_shape(&shape, dims, rank);
  return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG, "input %s, %s%s: %s", port->name,
                             buddy_dtype_name(port->port->dtype), data, why);
}

static bool has_bytes(const int64_t *dims, uint32_t rank, uint64_t size, uint64_t n_bytes) {
  bool is_empty = false;
  for (uint32_t d = 0; d < rank; ++d) {
    if (dims[d] < 0) return false;
    is_empty |= dims[d] == 0;
  }
  for (uint32_t d = 0; d < rank && !is_empty; ++d) {
    if (__builtin_mul_overflow(size, (uint64_t)dims[d], &size)) return false;
  }
  return (is_empty ? 0 : size) == n_bytes;
}

TRITONSERVER_Error *bd_request_tensor_read(const bd_served_port *port,
                                           TRITONBACKEND_Request *request, bd_request_tensor *out) {
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  uint32_t rank = 0;
  TRITONSERVER_Error *error = TRITONBACKEND_RequestInput(request, port->name, &out->input);
  if (!error)
    error = TRITONBACKEND_InputProperties(out->input, NULL, &type, &out->dims, &rank, &out->n_bytes,
                                          &out->n_buffers);
  if (error) return error;
  if (type != port->type) {
    return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                               "input %s: the model takes %s, this is %s", port->name,
                               bd_served_type_name(port->type), bd_served_type_name(type));
  }
  if (port->is_one && rank == port->port->rank + 1 && out->dims[rank - 1] == 1) --rank;
  if (rank != port->port->rank)
    return refuse(port, out->dims, rank, "the model takes another number of dims");
  if (!has_bytes(out->dims, rank, buddy_dtype_size(port->port->dtype), out->n_bytes))
    return refuse(port, out->dims, rank, "the request has another number of bytes for it");
  return NULL;
}

TRITONSERVER_Error *bd_request_tensor_buffer(const bd_served_port *port,
                                             const bd_request_tensor *from, uint32_t k,
                                             const void **out_bytes, uint64_t *out_n) {
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
  int64_t device = 0;
  TRITONSERVER_Error *error =
      TRITONBACKEND_InputBuffer(from->input, k, out_bytes, out_n, &memory, &device);
  if (!error && memory == TRITONSERVER_MEMORY_GPU)
    error = bd_triton_error_new(TRITONSERVER_ERROR_UNSUPPORTED, "input %s: it is in a GPU's memory",
                                port->name);
  return error;
}

TRITONSERVER_Error *bd_request_tensor_copy(const bd_served_port *port,
                                           const bd_request_tensor *from, char *to) {
  uint64_t left = from->n_bytes;
  TRITONSERVER_Error *error = NULL;
  for (uint32_t k = 0; k < from->n_buffers && !error; ++k) {
    const void *bytes = NULL;
    uint64_t n = 0;
    error = bd_request_tensor_buffer(port, from, k, &bytes, &n);
    if (!error && n > left)
      error = bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                                  "input %s: its buffers hold more bytes "
                                  "than it has",
                                  port->name);
    if (error) return error;
    if (n > 0) memcpy(to + (from->n_bytes - left), bytes, n);
    left -= n;
  }
  if (error || left == 0) return error;
  return bd_triton_error_new(TRITONSERVER_ERROR_INVALID_ARG,
                             "input %s: its buffers hold %" PRIu64 " bytes less than it has",
                             port->name, left);
}
