// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/served.h: a model as the server has it: loaded once, run by all its instances at the
 * same time. */
#ifndef BUDDY_SDK_SERVE_TRITON_SERVED_H
#define BUDDY_SDK_SERVE_TRITON_SERVED_H

#include "sdk/serve/triton/ports.h"
#include "sdk/serve/triton/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_served {
  buddy_model *model; /* null: */
  bd_stream *stream;  /* a request has many answers */
  bd_served_ports ports;
  int64_t max_batch; /* 0: a request's tensors are the model's; else requests are put together */
  char *name;        /* "lenet5, version 1", for messages */
} bd_served;

/* Loads what the server's model names, completes its configuration and compares it. */
TRITONSERVER_Error *bd_served_create(TRITONBACKEND_Model *model, bd_served **out_served);
void bd_served_destroy(bd_served *served);

/* Answers and releases all requests; an error of one is that one's answer. When memory for it is out,
 * an error, and the requests stay the server's. [any-thread] */
TRITONSERVER_Error *bd_served_execute(const bd_served *served,
                                      TRITONBACKEND_ModelInstance *instance,
                                      TRITONBACKEND_Request **requests, uint32_t n_requests);

#ifdef __cplusplus
}
#endif
#endif
