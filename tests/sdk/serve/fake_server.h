// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Triton's server as far as a backend sees it, for tests: objects are plain structs that a test fills with
// whatever it likes, and all that the backend does with them is counted.
#ifndef BUDDY_TESTS_SDK_SERVE_FAKE_SERVER_H
#define BUDDY_TESTS_SDK_SERVE_FAKE_SERVER_H

#include <map>
#include <string>
#include <vector>

#include "sdk/serve/triton/triton.h"

struct TRITONSERVER_Error {
  TRITONSERVER_Error_Code code;
  std::string text;
};
struct TRITONSERVER_Message {
  std::string text;
};
struct TRITONBACKEND_Backend {
  TRITONSERVER_Message config;
};
struct TRITONBACKEND_BackendAttribute {
  TRITONSERVER_InstanceGroupKind kind;
  uint64_t count;
};
struct TRITONBACKEND_Model {
  std::string name = "model", folder, config = "{}";
  bool completes = true;
  void *state = nullptr;
  TRITONBACKEND_Backend *backend = nullptr;
};
struct TRITONBACKEND_ModelInstance {
  TRITONBACKEND_Model *model = nullptr;
  TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
  int n_successes = 0, n_failures = 0;
  std::vector<uint64_t> batches;  // rows of each run
};
struct TRITONBACKEND_Input {
  std::string name;
  TRITONSERVER_DataType type;
  std::vector<int64_t> shape;
  uint64_t n_bytes;
  std::vector<std::string> buffers;
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
  size_t skip = 0;  // bytes before each buffer that are not part of it
};
struct TRITONBACKEND_Output {
  TRITONSERVER_DataType type;
  std::vector<int64_t> shape;
  std::string bytes;
};
struct TRITONBACKEND_Request {
  std::vector<TRITONBACKEND_Input> inputs;
  std::vector<std::string> outputs;
  bool is_cancelled = false;
  // What it was answered.
  int n_answers = 0, n_releases = 0;
  bool is_ended = false;  // by flags alone
  std::string error;      // "" for none
  std::map<std::string, TRITONBACKEND_Output> results;
};
// Answers of released requests go to the request all the same, which the test keeps.
struct TRITONBACKEND_ResponseFactory {
  TRITONBACKEND_Request *request;
};
struct TRITONBACKEND_Response {
  TRITONBACKEND_Request *request;
  std::map<std::string, TRITONBACKEND_Output> outputs;
};

struct FakeServer {
  uint32_t major = 1, minor = 19;
  int n_errors = 0, n_messages = 0, n_responses = 0, n_factories = 0;  // that nobody has deleted
  std::vector<std::string> log;
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;  // of answers
  int answers_until_failure = -1;                            // of TRITONBACKEND_ResponseNew
};
extern FakeServer fake;

// The text of an error, which is deleted; "" for null.
std::string Told(TRITONSERVER_Error *error);

#endif
