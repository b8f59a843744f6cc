// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* sdk/serve/triton/backend.c: a backend of Triton's server that runs archives of torch.export and
 * libraries of `buddy compile`: what the server calls. A model is loaded once; its instances are threads
 * of the server that run it, and share the threads of the process that a run may have. */
#include <inttypes.h>

#include "sdk/serve/triton/served.h"
#include "sdk/serve/triton/errors.h"

TRITONSERVER_Error *TRITONBACKEND_Initialize(TRITONBACKEND_Backend *backend) {
  uint32_t major = 0, minor = 0;
  (void)backend;
  TRITONSERVER_Error *error = TRITONBACKEND_ApiVersion(&major, &minor);
  if (error || (major == TRITON_API_MAJOR && minor >= TRITON_API_MINOR)) return error;
  return bd_triton_error_new(
      TRITONSERVER_ERROR_UNSUPPORTED,
      "buddy's backend is for backend API %d.%d and newer ones of major version %d, "
      "this server has %" PRIu32 ".%" PRIu32,
      TRITON_API_MAJOR, TRITON_API_MINOR, TRITON_API_MAJOR, major, minor);
}

/* One instance, unless the configuration says otherwise: its runs have all threads. */
TRITONSERVER_Error *TRITONBACKEND_GetBackendAttribute(TRITONBACKEND_Backend *backend,
                                                      TRITONBACKEND_BackendAttribute *attributes) {
  (void)backend;
  return TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
      attributes, TRITONSERVER_INSTANCEGROUPKIND_CPU, 1, NULL, 0);
}

TRITONSERVER_Error *TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model *model) {
  bd_served *served = NULL;
  TRITONSERVER_Error *error = bd_served_create(model, &served);
  if (!error) error = TRITONBACKEND_ModelSetState(model, served);
  if (error) bd_served_destroy(served);
  return error;
}

TRITONSERVER_Error *TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model *model) {
  void *served = NULL;
  TRITONSERVER_Error *error = TRITONBACKEND_ModelState(model, &served);
  if (!error) bd_served_destroy(served);
  return error;
}

TRITONSERVER_Error *TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance *instance) {
  TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_AUTO;
  TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceKind(instance, &kind);
  if (error || kind != TRITONSERVER_INSTANCEGROUPKIND_GPU) return error;
  return bd_triton_error_new(TRITONSERVER_ERROR_UNSUPPORTED,
                             "instance_group: buddy runs models on the CPU; write kind: KIND_CPU");
}

TRITONSERVER_Error *TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance *instance,
                                                       TRITONBACKEND_Request **requests,
                                                       uint32_t n_requests) {
  TRITONBACKEND_Model *model = NULL;
  void *served = NULL;
  TRITONSERVER_Error *error = TRITONBACKEND_ModelInstanceModel(instance, &model);
  if (!error) error = TRITONBACKEND_ModelState(model, &served);
  return error ? error : bd_served_execute(served, instance, requests, n_requests);
}
