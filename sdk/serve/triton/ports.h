// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/ports.h: a model's inputs and outputs as the server knows them: by name, with types of
 * its own, and with or without a first dim along which requests are put together. */
#ifndef BUDDY_SDK_SERVE_TRITON_PORTS_H
#define BUDDY_SDK_SERVE_TRITON_PORTS_H

#include <stdbool.h>

#include "buddy/compile.h"
#include "sdk/runtime/signature.h"
#include "sdk/serve/triton/triton.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bd_served_port {
  char *name;             /* in requests: the archive's, unless the configuration has another */
  const buddy_port *port; /* the model's */
  const bd_size *sizes;   /* port->rank of them */
  TRITONSERVER_DataType type;
  bool is_absent;   /* an output that is None */
  bool is_optional; /* an input that a request may lack */
  bool is_one; /* a tensor without dims, or with the batch's alone, that the server has as [1] */
} bd_served_port;

typedef struct bd_served_ports {
  bd_served_port *inputs, *outputs;
  size_t n_inputs, n_outputs;
  /* The largest batch that may be put together: INT64_MAX for any, 0: the model has no dim for it,
   * because of `why_no_batch`. */
  int64_t batch_limit;
  char why_no_batch[256];
  bool writes_inputs; /* a run writes to the tensors that it is given */
  bool has_state;     /* a run leaves something to the next */
} bd_served_ports;

/* BUDDY_UNSUPPORTED: a type that the server does not have. ports are to be freed in any case. */
buddy_code bd_served_ports_init(const buddy_model *model, buddy_diags *diags,
                                bd_served_ports *out_ports);
void bd_served_ports_deinit(bd_served_ports *ports);

/* "TYPE_FP32", as configurations spell it; "TYPE_INVALID". */
const char *bd_served_type_name(TRITONSERVER_DataType type);

#ifdef __cplusplus
}
#endif
#endif
