// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/serve/fake_server.h"

#include <cstdlib>

FakeServer fake;

std::string Told(TRITONSERVER_Error *error) {
  if (error == nullptr) return "";
  std::string text = error->text;
  TRITONSERVER_ErrorDelete(error);
  return text;
}

extern "C" {

TRITONSERVER_Error *TRITONSERVER_ErrorNew(TRITONSERVER_Error_Code code, const char *message) {
  fake.n_errors++;
  return new TRITONSERVER_Error{code, message};
}
void TRITONSERVER_ErrorDelete(TRITONSERVER_Error *error) {
  fake.n_errors--;
  delete error;
}
const char *TRITONSERVER_ErrorMessage(TRITONSERVER_Error *error) { return error->text.c_str(); }

TRITONSERVER_Error *TRITONSERVER_LogMessage(TRITONSERVER_LogLevel, const char *, int,
                                            const char *text) {
  fake.log.emplace_back(text);
  return nullptr;
}

TRITONSERVER_Error *TRITONSERVER_MessageNewFromSerializedJson(TRITONSERVER_Message **out,
                                                              const char *text, size_t size) {
  fake.n_messages++;
  *out = new TRITONSERVER_Message{std::string(text, size)};
  return nullptr;
}
TRITONSERVER_Error *TRITONSERVER_MessageDelete(TRITONSERVER_Message *message) {
  fake.n_messages--;
  delete message;
  return nullptr;
}
TRITONSERVER_Error *TRITONSERVER_MessageSerializeToJson(TRITONSERVER_Message *message,
                                                        const char **out_text, size_t *out_size) {
  *out_text = message->text.data();
  *out_size = message->text.size();
  return nullptr;
}

TRITONSERVER_Error *TRITONBACKEND_ApiVersion(uint32_t *major, uint32_t *minor) {
  *major = fake.major;
  *minor = fake.minor;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_BackendConfig(TRITONBACKEND_Backend *backend,
                                                TRITONSERVER_Message **out) {
  *out = &backend->config;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
    TRITONBACKEND_BackendAttribute *attributes, TRITONSERVER_InstanceGroupKind kind, uint64_t count,
    const uint64_t *, uint64_t) {
  *attributes = {kind, count};
  return nullptr;
}

TRITONSERVER_Error *TRITONBACKEND_ModelName(TRITONBACKEND_Model *model, const char **out) {
  *out = model->name.c_str();
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelVersion(TRITONBACKEND_Model *, uint64_t *out) {
  *out = 1;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelRepository(TRITONBACKEND_Model *model,
                                                  TRITONBACKEND_ArtifactType *type,
                                                  const char **out) {
  *type = TRITONBACKEND_ARTIFACT_FILESYSTEM;
  *out = model->folder.c_str();
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelBackend(TRITONBACKEND_Model *model,
                                               TRITONBACKEND_Backend **out) {
  *out = model->backend;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelConfig(TRITONBACKEND_Model *model, uint32_t,
                                              TRITONSERVER_Message **out) {
  return TRITONSERVER_MessageNewFromSerializedJson(out, model->config.data(), model->config.size());
}
TRITONSERVER_Error *TRITONBACKEND_ModelAutoCompleteConfig(TRITONBACKEND_Model *model, bool *out) {
  *out = model->completes;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelSetConfig(TRITONBACKEND_Model *model, uint32_t,
                                                 TRITONSERVER_Message *config) {
  model->config = config->text;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelState(TRITONBACKEND_Model *model, void **out) {
  *out = model->state;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelSetState(TRITONBACKEND_Model *model, void *state) {
  model->state = state;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelInstanceModel(TRITONBACKEND_ModelInstance *instance,
                                                     TRITONBACKEND_Model **out) {
  *out = instance->model;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelInstanceKind(TRITONBACKEND_ModelInstance *instance,
                                                    TRITONSERVER_InstanceGroupKind *out) {
  *out = instance->kind;
  return nullptr;
}

TRITONSERVER_Error *TRITONBACKEND_RequestIsCancelled(TRITONBACKEND_Request *request, bool *out) {
  *out = request->is_cancelled;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_RequestInput(TRITONBACKEND_Request *request, const char *name,
                                               TRITONBACKEND_Input **out) {
  for (auto &one : request->inputs) {
    if (one.name != name) continue;
    *out = &one;
    return nullptr;
  }
  return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INVALID_ARG, "no such input");
}
TRITONSERVER_Error *TRITONBACKEND_RequestOutputCount(TRITONBACKEND_Request *request,
                                                     uint32_t *out) {
  *out = static_cast<uint32_t>(request->outputs.size());
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_RequestOutputName(TRITONBACKEND_Request *request, uint32_t i,
                                                    const char **out) {
  *out = request->outputs[i].c_str();
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_InputProperties(TRITONBACKEND_Input *input, const char **name,
                                                  TRITONSERVER_DataType *type,
                                                  const int64_t **shape, uint32_t *rank,
                                                  uint64_t *n_bytes, uint32_t *n_buffers) {
  if (name != nullptr) *name = input->name.c_str();
  *type = input->type;
  *shape = input->shape.data();
  *rank = static_cast<uint32_t>(input->shape.size());
  *n_bytes = input->n_bytes;
  *n_buffers = static_cast<uint32_t>(input->buffers.size());
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_InputBuffer(TRITONBACKEND_Input *input, uint32_t i,
                                              const void **out, uint64_t *n_bytes,
                                              TRITONSERVER_MemoryType *memory, int64_t *) {
  *out = input->buffers[i].data() + input->skip;
  *n_bytes = input->buffers[i].size() - input->skip;
  *memory = input->memory;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_RequestRelease(TRITONBACKEND_Request *request, uint32_t) {
  request->n_releases++;
  return nullptr;
}

TRITONSERVER_Error *TRITONBACKEND_ResponseNew(TRITONBACKEND_Response **out,
                                              TRITONBACKEND_Request *request) {
  if (fake.answers_until_failure >= 0 && fake.answers_until_failure-- == 0)
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, "no answer can be made");
  fake.n_responses++;
  *out = new TRITONBACKEND_Response{request, {}};
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseDelete(TRITONBACKEND_Response *response) {
  fake.n_responses--;
  delete response;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseFactoryNew(TRITONBACKEND_ResponseFactory **out,
                                                     TRITONBACKEND_Request *request) {
  fake.n_factories++;
  *out = new TRITONBACKEND_ResponseFactory{request};
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseFactoryDelete(TRITONBACKEND_ResponseFactory *factory) {
  fake.n_factories--;
  delete factory;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseFactorySendFlags(TRITONBACKEND_ResponseFactory *factory,
                                                           uint32_t) {
  factory->request->is_ended = true;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseFactoryIsCancelled(TRITONBACKEND_ResponseFactory *factory,
                                                             bool *out) {
  *out = factory->request->is_cancelled;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseNewFromFactory(TRITONBACKEND_Response **out,
                                                         TRITONBACKEND_ResponseFactory *factory) {
  return TRITONBACKEND_ResponseNew(out, factory->request);
}
TRITONSERVER_Error *TRITONBACKEND_ResponseOutput(TRITONBACKEND_Response *response,
                                                 TRITONBACKEND_Output **out, const char *name,
                                                 TRITONSERVER_DataType type, const int64_t *shape,
                                                 uint32_t rank) {
  *out = &response->outputs[name];
  **out = {type, std::vector<int64_t>(shape, shape + rank), ""};
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_OutputBuffer(TRITONBACKEND_Output *output, void **out,
                                               uint64_t n_bytes, TRITONSERVER_MemoryType *memory,
                                               int64_t *) {
  output->bytes.resize(n_bytes);
  *out = output->bytes.data();
  *memory = fake.memory;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ResponseSend(TRITONBACKEND_Response *response, uint32_t,
                                               TRITONSERVER_Error *error) {
  TRITONBACKEND_Request *request = response->request;
  request->n_answers++;
  request->error = error != nullptr ? error->text : "";
  if (error == nullptr) request->results = response->outputs;
  fake.n_responses--;
  delete response;
  return nullptr;
}

TRITONSERVER_Error *TRITONBACKEND_ModelInstanceReportStatistics(
    TRITONBACKEND_ModelInstance *instance, TRITONBACKEND_Request *, bool is_success, uint64_t begin,
    uint64_t compute_begin, uint64_t compute_end, uint64_t end) {
  if (begin > compute_begin || compute_begin > compute_end || compute_end > end) std::abort();
  (is_success ? instance->n_successes : instance->n_failures)++;
  return nullptr;
}
TRITONSERVER_Error *TRITONBACKEND_ModelInstanceReportBatchStatistics(
    TRITONBACKEND_ModelInstance *instance, uint64_t n_rows, uint64_t, uint64_t, uint64_t,
    uint64_t) {
  instance->batches.push_back(n_rows);
  return nullptr;
}
}
