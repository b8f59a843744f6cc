// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Requests become runs and answers, over a program that is a function of the test: hostile requests, batches
// that fail, memory that runs out.
#include <gtest/gtest.h>

#include <cstring>

#include "core/base/memory.h"
#include "tests/sdk/compile/harness.h"
#include "tests/sdk/serve/fake_server.h"

extern "C" {
#include "sdk/lower/signature.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/program.h"
#include "sdk/serve/triton/served.h"
}

namespace {

constexpr float kForbidden = 99;  // a run over it fails in its middle
int n_runs = 0;
bool drops_a_row = false;

// (x[b,3]) -> (2*x, sums of the rows). Descriptors, as sdk/runtime/program.c has them.
void Double(const uint64_t *in, uint64_t *out) {
  n_runs++;
  const auto *x = reinterpret_cast<const float *>(static_cast<uintptr_t>(in[1]));
  const int64_t n = static_cast<int64_t>(in[3]);
  for (int64_t i = 0; i < 3 * n; i++) {
    if (x[i] == kForbidden) bd_run_fail(BUDDY_INVALID_ARGUMENT, -1);
  }
  const int64_t rows = n - drops_a_row;
  auto *y = static_cast<float *>(_mlir_memref_to_llvm_alloc(static_cast<size_t>(3 * n + 1) * 4));
  auto *sums = static_cast<float *>(_mlir_memref_to_llvm_alloc(static_cast<size_t>(n + 1) * 4));
  for (int64_t i = 0; i < rows; i++) {
    sums[i] = x[3 * i] + x[3 * i + 1] + x[3 * i + 2];
    for (int64_t k = 0; k < 3; k++) y[3 * i + k] = 2 * x[3 * i + k];
  }
  const uint64_t at_y = reinterpret_cast<uint64_t>(y), at_sums = reinterpret_cast<uint64_t>(sums);
  const auto words = static_cast<uint64_t>(rows);
  for (uint64_t word : {at_y, at_y, uint64_t{0}, words, uint64_t{3}, uint64_t{3}, uint64_t{1},
                        at_sums, at_sums, uint64_t{0}, words, uint64_t{1}})
    *out++ = word;
}

class Execute : public ::testing::Test {
 protected:
  void SetUp() override {
    fake = FakeServer();
    n_runs = 0;
    drops_a_row = false;
    ASSERT_EQ(buddy_opset_create(&opset_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset_, "g", &graph_), BUDDY_OK);
    int64_t batch = 0;
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "b", 0, 8, &batch), BUDDY_OK);
    ASSERT_EQ(bd_signature_create(&signature_), BUDDY_OK);
    ASSERT_EQ(bd_signature_add_symbols(signature_, graph_), BUDDY_OK);
    bd_size sizes[2];
    ASSERT_EQ(bd_signature_size(signature_, graph_, batch, &sizes[0]), BUDDY_OK);
    ASSERT_EQ(bd_signature_size(signature_, graph_, 3, &sizes[1]), BUDDY_OK);
    const int64_t dims[2] = {-1, 3};
    const buddy_port x = {"x", "", BUDDY_INPUT_USER, BUDDY_F32, 2, dims};
    ASSERT_EQ(bd_signature_add_input(signature_, &x, sizes), BUDDY_OK);
    bd_output output = {};
    output.port = {"y", "", BUDDY_OUTPUT_USER, BUDDY_F32, 2, dims};
    output.sizes = sizes;
    ASSERT_EQ(bd_signature_add_output(signature_, &output), BUDDY_OK);
    output.port = {"sums", "", BUDDY_OUTPUT_USER, BUDDY_F32, 1, dims};
    output.result = 1;
    ASSERT_EQ(bd_signature_add_output(signature_, &output), BUDDY_OK);
    auto *program = static_cast<buddy_program *>(bd_calloc(1, sizeof(buddy_program)));
    program->signature = signature_;
    program->entry = Double;
    program->result_ranks = ranks_;
    program->n_results = 2;
    ASSERT_EQ(bd_run_pool_create(&program->pool), BUDDY_OK);
    const bd_data_source source = {nullptr, nullptr};
    ASSERT_EQ(bd_model_create(program, &source, nullptr, &served_.model), BUDDY_OK);
    ASSERT_EQ(bd_served_ports_init(served_.model, diags_, &served_.ports), BUDDY_OK);
    ASSERT_EQ(served_.ports.batch_limit, 8);
    served_.name = name_;
    served_.max_batch = 8;
    served_.ports.outputs[1].is_one = true;
  }
  void TearDown() override {
    bd_served_ports_deinit(&served_.ports);
    buddy_model_destroy(served_.model);
    bd_signature_destroy(signature_);
    buddy_graph_destroy(graph_);
    buddy_opset_destroy(opset_);
    EXPECT_EQ(fake.n_errors, 0);
    EXPECT_EQ(fake.n_responses, 0);
  }

  static std::string Bytes(const std::vector<float> &values) {
    return std::string(reinterpret_cast<const char *>(values.data()), values.size() * 4);
  }
  static std::vector<float> Floats(const std::string &bytes) {
    std::vector<float> values(bytes.size() / 4);
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  // A request of rows that begin with these numbers.
  static TRITONBACKEND_Request Rows(const std::vector<float> &firsts) {
    std::vector<float> values;
    for (float first : firsts) values.insert(values.end(), {first, 1, 0});
    const std::string bytes = Bytes(values);
    TRITONBACKEND_Request request;
    request.inputs = {{"x",
                       TRITONSERVER_TYPE_FP32,
                       {static_cast<int64_t>(firsts.size()), 3},
                       bytes.size(),
                       {bytes}}};
    request.outputs = {"y", "sums"};
    return request;
  }
  std::string Serve(std::vector<TRITONBACKEND_Request> &requests) {
    std::vector<TRITONBACKEND_Request *> pointers;
    for (auto &one : requests) pointers.push_back(&one);
    const std::string error = Told(bd_served_execute(&served_, &instance_, pointers.data(),
                                                     static_cast<uint32_t>(pointers.size())));
    for (const auto &one : requests) {
      EXPECT_EQ(one.n_answers, error.empty() && !loses_answers_ ? 1 : one.n_answers);
      EXPECT_EQ(one.n_releases, error.empty() ? 1 : 0);
    }
    return error;
  }
  static void ExpectRows(const TRITONBACKEND_Request &request, const std::vector<float> &firsts) {
    std::vector<float> y, sums;
    for (float first : firsts) {
      y.insert(y.end(), {2 * first, 2, 0});
      sums.push_back(first + 1);
    }
    const auto n = static_cast<int64_t>(firsts.size());
    ASSERT_EQ(request.error, "");
    EXPECT_EQ(request.results.at("y").shape, (std::vector<int64_t>{n, 3}));
    EXPECT_EQ(Floats(request.results.at("y").bytes), y);
    EXPECT_EQ(request.results.at("sums").shape, (std::vector<int64_t>{n, 1}));
    EXPECT_EQ(Floats(request.results.at("sums").bytes), sums);
  }

  buddy_opset *opset_ = nullptr;
  buddy_graph *graph_ = nullptr;
  bd_signature *signature_ = nullptr;
  uint32_t ranks_[2] = {2, 1};
  char name_[8] = "model";
  bd_served served_ = {};
  TRITONBACKEND_ModelInstance instance_;
  bool loses_answers_ = false;
  Diags diags_;
};

TEST_F(Execute, PutsRequestsTogether) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2}), Rows({3}), Rows({}), Rows({4, 5})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(n_runs, 1);
  ExpectRows(requests[0], {1, 2});
  ExpectRows(requests[1], {3});
  ExpectRows(requests[2], {});
  ExpectRows(requests[3], {4, 5});
  EXPECT_EQ(instance_.batches, std::vector<uint64_t>{5});
  EXPECT_EQ(instance_.n_successes, 4);
}

TEST_F(Execute, KeepsWithinTheLargestBatch) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2, 3, 4, 5}), Rows({6, 7, 8}), Rows({9})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(n_runs, 2);
  ExpectRows(requests[2], {9});
  EXPECT_EQ(instance_.batches, (std::vector<uint64_t>{8, 1}));
}

TEST_F(Execute, ARequestInPieces) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2})};
  const std::string bytes = requests[0].inputs[0].buffers[0];
  requests[0].inputs[0].buffers = {bytes.substr(0, 5), "", bytes.substr(5)};
  EXPECT_EQ(Serve(requests), "");
  ExpectRows(requests[0], {1, 2});
}

TEST_F(Execute, AnUnalignedRequest) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2})};
  requests[0].inputs[0].skip = 1;
  requests[0].inputs[0].buffers[0].insert(0, "?");
  EXPECT_EQ(Serve(requests), "");
  ExpectRows(requests[0], {1, 2});
}

TEST_F(Execute, ARunThatWritesToItsInputs) {
  served_.ports.writes_inputs = true;
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2})};
  EXPECT_EQ(Serve(requests), "");
  ExpectRows(requests[0], {1, 2});
}

TEST_F(Execute, WhatOneAsksFor) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1}), Rows({2}), Rows({3})};
  requests[0].outputs = {"sums"};
  requests[1].outputs = {"z"};
  requests[2].outputs = {};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(requests[0].results.size(), 1u);
  EXPECT_EQ(requests[1].error, "the model has no output z");
  EXPECT_EQ(requests[2].error, "");
  EXPECT_TRUE(requests[2].results.empty());
}

TEST_F(Execute, AFaultIsTheOneRequests) {
  std::vector<TRITONBACKEND_Request> requests = {Rows({1}), Rows({2, kForbidden}), Rows({3, 4})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(n_runs, 4);
  ExpectRows(requests[0], {1});
  EXPECT_NE(requests[1].error, "");
  ExpectRows(requests[2], {3, 4});
  EXPECT_EQ(instance_.n_successes, 2);
  EXPECT_EQ(instance_.n_failures, 1);
}

TEST_F(Execute, HostileRequests) {
  using Change = void (*)(TRITONBACKEND_Request &);
  const std::pair<Change, const char *> changes[] = {
      {[](auto &r) { r.is_cancelled = true; }, "cancelled"},
      {[](auto &r) { r.inputs.clear(); }, "no such input"},
      {[](auto &r) { r.inputs[0].type = TRITONSERVER_TYPE_FP64; }, "takes TYPE_FP32"},
      {[](auto &r) { r.inputs[0].type = static_cast<TRITONSERVER_DataType>(15); }, "TYPE_INVALID"},
      {[](auto &r) { r.inputs[0].shape = {}; }, "another number of dims"},
      {[](auto &r) { r.inputs[0].shape = {1, 1, 3}; }, "another number of dims"},
      {[](auto &r) { r.inputs[0].shape = std::vector<int64_t>(500, 1); }, "another number of dims"},
      {[](auto &r) { r.inputs[0].shape = {-1, 3}; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].shape = {-1, -3}; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].shape = {INT64_MAX, INT64_MAX}; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].shape = {INT64_C(1) << 62, 3}; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].shape = {INT64_MAX, 0}; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].n_bytes = 13; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].n_bytes = UINT64_MAX; }, "another number of bytes"},
      {[](auto &r) { r.inputs[0].buffers[0].pop_back(); }, "1 bytes less than it has"},
      {[](auto &r) { r.inputs[0].buffers[0] += "more"; }, "more bytes than it has"},
      {[](auto &r) { r.inputs[0].buffers.clear(); }, "12 bytes less than it has"},
      {[](auto &r) { r.inputs[0].buffers.push_back("more"); }, "more bytes than it has"},
      {[](auto &r) { r.inputs[0].memory = TRITONSERVER_MEMORY_GPU; }, "in a GPU's memory"},
  };
  for (const auto &[change, words] : changes) {
    std::vector<TRITONBACKEND_Request> requests = {Rows({1}), Rows({2}), Rows({3})};
    change(requests[1]);
    EXPECT_EQ(Serve(requests), "");
    ExpectRows(requests[0], {1});
    EXPECT_NE(requests[1].error.find(words), std::string::npos) << requests[1].error;
    EXPECT_TRUE(requests[1].results.empty());
    ExpectRows(requests[2], {3});
  }
}

TEST_F(Execute, RowsBeyondAllBounds) {
  TRITONBACKEND_Request none = Rows({});
  none.inputs[0].shape = {INT64_MAX, 0};  // no bytes, and so many rows
  std::vector<TRITONBACKEND_Request> requests = {Rows({1}), none, none,
                                                 Rows({1, 2, 3, 4, 5, 6, 7, 8, 9})};
  EXPECT_EQ(Serve(requests), "");
  ExpectRows(requests[0], {1});
  for (size_t i = 1; i < 4; i++)
    EXPECT_NE(requests[i].error.find("max_batch_size is 8"), std::string::npos);
}

TEST_F(Execute, ResultsThatAreNoBatch) {
  drops_a_row = true;
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2}), Rows({3})};
  EXPECT_EQ(Serve(requests), "");
  for (const auto &one : requests)
    EXPECT_NE(one.error.find("max_batch_size: 0"), std::string::npos) << one.error;
}

TEST_F(Execute, WithoutABatch) {
  served_.max_batch = 0;
  served_.ports.outputs[1].is_one = false;
  std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2}), Rows({3}),
                                                 Rows({1, 2, 3, 4, 5, 6, 7, 8, 9})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(requests[0].results.at("sums").shape, std::vector<int64_t>{2});
  EXPECT_EQ(Floats(requests[1].results.at("y").bytes), (std::vector<float>{6, 2, 0}));
  EXPECT_NE(requests[2].error.find("≤ 8"), std::string::npos) << requests[2].error;
}

TEST_F(Execute, AnswersThatCannotBeMade) {
  fake.memory = TRITONSERVER_MEMORY_GPU;
  std::vector<TRITONBACKEND_Request> requests = {Rows({1})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_NE(requests[0].error.find("in a GPU's memory"), std::string::npos);
  fake.memory = TRITONSERVER_MEMORY_CPU;
  fake.answers_until_failure = 1;
  loses_answers_ = true;
  requests = {Rows({1}), Rows({2}), Rows({3})};
  EXPECT_EQ(Serve(requests), "");
  EXPECT_EQ(requests[1].n_answers, 0);
  EXPECT_EQ(fake.log, std::vector<std::string>{"no answer can be made"});
  ExpectRows(requests[2], {3});
}

/* Whatever allocation fails: all requests are answered or stay the server's, and nothing leaks. */
TEST_F(Execute, MemoryThatRunsOut) {
  for (int64_t n = 0;; n++) {
    std::vector<TRITONBACKEND_Request> requests = {Rows({1, 2}), Rows({kForbidden}), Rows({3})};
    bd_memory_fail_after(n);
    const std::string error = Serve(requests);
    const bool has_failed = bd_memory_fail_after(-1);
    if (error.empty() && requests[0].error.empty()) ExpectRows(requests[0], {1, 2});
    if (!has_failed) {
      ASSERT_GT(n, 10);
      break;
    }
  }
}

}  // namespace
