// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/request_tensor.h: the tensors that a request brings. */
#ifndef BUDDY_SDK_SERVE_TRITON_REQUEST_TENSOR_H
#define BUDDY_SDK_SERVE_TRITON_REQUEST_TENSOR_H

#include "sdk/serve/triton/ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* dims are the request's own, as many as the model has. */
typedef struct bd_request_tensor {
  TRITONBACKEND_Input *input;
  const int64_t *dims;
  uint64_t n_bytes;
  uint32_t n_buffers;
} bd_request_tensor;

/* Null if the request has the port's tensor, of its type, rank and as many bytes as its sizes tell. */
TRITONSERVER_Error *bd_request_tensor_read(const bd_served_port *port,
                                           TRITONBACKEND_Request *request, bd_request_tensor *out);
/* One of its buffers; memory of a GPU is an error. */
TRITONSERVER_Error *bd_request_tensor_buffer(const bd_served_port *port,
                                             const bd_request_tensor *from, uint32_t k,
                                             const void **out_bytes, uint64_t *out_n);
/* All buffers, one after the other, into exactly n_bytes. */
TRITONSERVER_Error *bd_request_tensor_copy(const bd_served_port *port,
                                           const bd_request_tensor *from, char *to);

#ifdef __cplusplus
}
#endif
#endif
