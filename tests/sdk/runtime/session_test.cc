// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sessions over a program that is a function of the test: two buffers, one written in place and one
// renewed, and a pair.
#include "buddy/session.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "core/base/memory.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/signature.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/program.h"
}

namespace {

constexpr int64_t kRows = 6;
int n_failures = 0;  // runs that end in the middle, from now on

// Descriptors, as sdk/runtime/program.c has them: allocated, aligned, offset, sizes, strides.
float *bytes_of(const uint64_t *words) {
  return reinterpret_cast<float *>(static_cast<uintptr_t>(words[1]));
}

// (x, at, cache[6], count, past[n]) -> (sum of the cache, past + [x], cache, count)
void Step(const uint64_t *in, uint64_t *out) {
  const uint64_t *x = in, *at = in + 3, *cache = in + 6, *count = in + 11, *past = in + 14;
  int64_t row;
  std::memcpy(&row, reinterpret_cast<void *>(static_cast<uintptr_t>(at[1])), sizeof(row));
  bytes_of(cache)[row] = *bytes_of(x);
  if (n_failures > 0) {
    n_failures--;
    bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
  }
  auto scalar = [&](float value) {
    auto *result = static_cast<float *>(_mlir_memref_to_llvm_alloc(sizeof(float)));
    *result = value;
    *out++ = reinterpret_cast<uintptr_t>(result);
    *out++ = reinterpret_cast<uintptr_t>(result);
    *out++ = 0;
  };
  auto vector = [&](float *data, int64_t n) {
    for (uint64_t word : {reinterpret_cast<uint64_t>(data), reinterpret_cast<uint64_t>(data),
                          uint64_t{0}, static_cast<uint64_t>(n), uint64_t{1}})
      *out++ = word;
  };
  float sum = 0;
  for (int64_t i = 0; i < kRows; i++) sum += bytes_of(cache)[i];
  const int64_t n = static_cast<int64_t>(past[3]);
  auto *grown =
      static_cast<float *>(_mlir_memref_to_llvm_alloc(static_cast<size_t>(n + 1) * sizeof(float)));
  if (n > 0) std::memcpy(grown, bytes_of(past), static_cast<size_t>(n) * sizeof(float));
  grown[n] = *bytes_of(x);
  scalar(sum + *bytes_of(count));
  vector(grown, n + 1);
  vector(bytes_of(cache), kRows);
  scalar(*bytes_of(count) + 1);
}

const float kInitial[kRows] = {1, 0, 0, 0, 0, 0};
const float kNone = 0;

const buddy_data *FindData(void *, const buddy_port *port, size_t) {
  static const buddy_data cache = {kInitial, sizeof(kInitial), 0, nullptr},
                          count = {&kNone, sizeof(kNone), 0, nullptr};
  return std::string(port->target) == "cache" ? &cache : &count;
}

class Session : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(buddy_opset_create(&opset_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset_, "g", &graph_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "n", 0, 64, &symbol_), BUDDY_OK);
    ASSERT_EQ(bd_signature_create(&signature_), BUDDY_OK);
    ASSERT_EQ(bd_signature_add_symbols(signature_, graph_), BUDDY_OK);
    Input("x", "", BUDDY_INPUT_USER, BUDDY_F32, {});
    Input("at", "", BUDDY_INPUT_USER, BUDDY_I64, {});
    Input("b_cache", "cache", BUDDY_INPUT_BUFFER, BUDDY_F32, {kRows});
    Input("b_count", "count", BUDDY_INPUT_BUFFER, BUDDY_F32, {});
    Input("past_key_values_0", "", BUDDY_INPUT_USER, BUDDY_F32, {symbol_});
    Output("sum", "", BUDDY_OUTPUT_USER, {}, 0);
    Output("grown", "", BUDDY_OUTPUT_USER, {-1}, 1);
    Output("cache", "cache", BUDDY_OUTPUT_BUFFER_MUTATION, {kRows}, 2);
    Output("count", "count", BUDDY_OUTPUT_BUFFER_MUTATION, {}, 3);
    auto *program = static_cast<buddy_program *>(bd_calloc(1, sizeof(buddy_program)));
    program->signature = signature_;
    program->entry = Step;
    program->result_ranks = ranks_;
    program->n_results = 4;
    ASSERT_EQ(bd_run_pool_create(&program->pool), BUDDY_OK);
    const bd_data_source source = {FindData, nullptr};
    ASSERT_EQ(bd_model_create(program, &source, nullptr, &model_), BUDDY_OK);
    ASSERT_EQ(Create(nullptr, &session_), BUDDY_OK) << diags_.text();
    n_failures = 0;
  }
  void TearDown() override {
    buddy_session_destroy(session_);
    buddy_model_destroy(model_);
    bd_signature_destroy(signature_);
    buddy_graph_destroy(graph_);
    buddy_opset_destroy(opset_);
  }
  void Input(const char *name, const char *target, int kind, buddy_dtype dtype,
             const std::vector<int64_t> &dims) {
    std::vector<bd_size> sizes(dims.size());
    std::vector<int64_t> told = dims;
    for (size_t d = 0; d < dims.size(); d++) {
      ASSERT_EQ(bd_signature_size(signature_, graph_, dims[d], &sizes[d]), BUDDY_OK);
      told[d] = sizes[d].number;
    }
    const buddy_port port = {name,       target, kind, dtype, static_cast<uint32_t>(dims.size()),
                             told.data()};
    ASSERT_EQ(bd_signature_add_input(signature_, &port, sizes.data()), BUDDY_OK);
  }
  void Output(const char *name, const char *target, int kind, const std::vector<int64_t> &dims,
              size_t result) {
    bd_output output = {};
    output.port = {name, target, kind, BUDDY_F32, static_cast<uint32_t>(dims.size()), dims.data()};
    output.source = BD_SOURCE_RESULT;
    output.result = result;
    ASSERT_EQ(bd_signature_add_output(signature_, &output), BUDDY_OK);
  }
  buddy_code Create(const buddy_session_options *options, buddy_session **out) {
    return buddy_session_create(&model_, 1, options, diags_, out);
  }

  // One step; the sum, or -1.
  float Do(buddy_session *session, float x, int64_t at) {
    buddy_tensor inputs[2] = {}, output = {};
    inputs[0].dtype = BUDDY_F32;
    inputs[0].bytes = &x;
    inputs[1].dtype = BUDDY_I64;
    inputs[1].bytes = &at;
    code_ = buddy_session_step(session, 0, inputs, 2, &output, 1, diags_);
    const float sum = code_ == BUDDY_OK ? *static_cast<float *>(output.bytes) : -1;
    buddy_tensor_release(&output);
    return sum;
  }
  buddy_tensor State(buddy_session *session, size_t i) {
    buddy_tensor tensor;
    EXPECT_EQ(buddy_session_state(session, i, diags_, &tensor), BUDDY_OK);
    return tensor;
  }
  void SetPast(buddy_session *session, int64_t n) {
    buddy_tensor tensor;
    ASSERT_EQ(buddy_tensor_create(BUDDY_F32, 1, &n, &tensor), BUDDY_OK);
    EXPECT_EQ(buddy_session_set_state(session, "past_key_values_0", &tensor, diags_), BUDDY_OK);
    buddy_tensor_release(&tensor);
  }

  buddy_opset *opset_ = nullptr;
  buddy_graph *graph_ = nullptr;
  bd_signature *signature_ = nullptr;
  int64_t symbol_ = 0;
  uint32_t ranks_[4] = {0, 1, 1, 0};
  buddy_model *model_ = nullptr;
  buddy_session *session_ = nullptr;
  buddy_code code_ = BUDDY_OK;
  Diags diags_;
};

TEST_F(Session, KeepsBuffersAndPairs) {
  ASSERT_EQ(buddy_session_n_states(session_), 3u);
  EXPECT_STREQ(buddy_session_state_name(session_, 2), "past_key_values_0");
  EXPECT_EQ(buddy_session_state_name(session_, 3), nullptr);
  ASSERT_EQ(buddy_session_n_inputs(session_, 0), 2u);
  ASSERT_EQ(buddy_session_n_outputs(session_, 0), 1u);
  EXPECT_EQ(buddy_session_n_inputs(session_, 1), 0u);
  EXPECT_EQ(buddy_session_input(session_, 7, 0), nullptr);
  Do(session_, 5, 0);
  EXPECT_EQ(code_, BUDDY_INVALID_ARGUMENT) << "the pair has no value";
  SetPast(session_, 0);
  const void *cache = State(session_, 0).bytes;
  EXPECT_EQ(Do(session_, 5, 1), 6);
  EXPECT_EQ(Do(session_, 7, 2), 14);
  EXPECT_EQ(State(session_, 0).bytes, cache);
  EXPECT_EQ(State(session_, 2).sizes[0], 2);
  EXPECT_EQ(static_cast<float *>(State(session_, 2).bytes)[1], 7);
  EXPECT_EQ(buddy_session_n_bytes(session_), kRows * 4 + 4 + 2 * 4u);
  EXPECT_EQ(kInitial[1], 0) << "the archive's value is written to";
}

TEST_F(Session, TakesNoTensorsThatAreNone) {
  float values[3] = {1, 2, 3};
  int64_t size = 3, stride = 1;
  const buddy_tensor wrong[] = {{BUDDY_F32, 1, nullptr, &stride, values, nullptr, nullptr},
                                {BUDDY_F32, 1, &size, nullptr, values, nullptr, nullptr},
                                {BUDDY_F32, 1, &size, &stride, nullptr, nullptr, nullptr}};
  SetPast(session_, 0);
  int64_t at = 1;
  for (const buddy_tensor &tensor : wrong) {
    EXPECT_EQ(buddy_session_set_state(session_, "past_key_values_0", &tensor, diags_),
              BUDDY_INVALID_ARGUMENT);
    buddy_tensor inputs[2] = {tensor, {}}, output = tensor;
    inputs[1].dtype = BUDDY_I64;
    inputs[1].bytes = &at;
    EXPECT_EQ(buddy_session_step(session_, 0, inputs, 2, &output, 1, diags_),
              BUDDY_INVALID_ARGUMENT);
    inputs[0] = {};
    inputs[0].dtype = BUDDY_F32;
    inputs[0].bytes = values;
    if (!output.bytes) continue;
    EXPECT_EQ(buddy_session_step(session_, 0, inputs, 2, &output, 1, diags_),
              BUDDY_INVALID_ARGUMENT)
        << "the output";
  }
  EXPECT_EQ(State(session_, 2).sizes[0], 0) << "the pair is as it was";
}

TEST_F(Session, ForksAndGoesBack) {
  SetPast(session_, 0);
  Do(session_, 2, 1);
  buddy_session *fork = nullptr;
  ASSERT_EQ(buddy_session_fork(session_, diags_, &fork), BUDDY_OK);
  EXPECT_EQ(State(fork, 0).bytes, State(session_, 0).bytes);
  EXPECT_EQ(Do(session_, 3, 2), 7);
  EXPECT_NE(State(fork, 0).bytes, State(session_, 0).bytes);
  EXPECT_EQ(Do(fork, 4, 2), 8);
  ASSERT_EQ(buddy_session_rewind(session_, fork, diags_), BUDDY_OK);
  ASSERT_EQ(buddy_session_rewind(session_, session_, diags_), BUDDY_OK);
  buddy_session_destroy(fork);
  EXPECT_EQ(Do(session_, 1, 3), 10);
  ASSERT_EQ(buddy_session_rewind(session_, nullptr, diags_), BUDDY_OK);
  EXPECT_EQ(buddy_session_n_bytes(session_), 0u);
  buddy_session *other = nullptr;
  ASSERT_EQ(Create(nullptr, &other), BUDDY_OK);
  EXPECT_EQ(buddy_session_rewind(session_, other, diags_), BUDDY_INVALID_ARGUMENT);
  buddy_session_destroy(other);
}

TEST_F(Session, AStepThatFailsLeavesTheForkAlone) {
  SetPast(session_, 0);
  Do(session_, 2, 1);
  buddy_session *fork = nullptr;
  ASSERT_EQ(buddy_session_fork(session_, diags_, &fork), BUDDY_OK);
  n_failures = 1;
  Do(session_, 9, 2);
  EXPECT_EQ(code_, BUDDY_OUT_OF_MEMORY);
  EXPECT_EQ(State(session_, 2).sizes[0], 1) << "the pair is as it was";
  EXPECT_EQ(Do(fork, 3, 2), 7);
  EXPECT_EQ(Do(session_, 3, 2), 7) << "the same place, written again";
  buddy_session_destroy(fork);
}

TEST_F(Session, StepsSeveralInTurn) {
  buddy_session *other = nullptr;
  ASSERT_EQ(Create(nullptr, &other), BUDDY_OK);
  SetPast(session_, 0);
  float x = 4;
  int64_t at = 1;
  buddy_tensor inputs[2] = {}, outputs[2] = {};
  inputs[0].dtype = BUDDY_F32;
  inputs[0].bytes = &x;
  inputs[1].dtype = BUDDY_I64;
  inputs[1].bytes = &at;
  buddy_session_call calls[2] = {{other, 0, inputs, 2, &outputs[0], 1, BUDDY_OK},
                                 {session_, 0, inputs, 2, &outputs[1], 1, BUDDY_OK}};
  EXPECT_EQ(buddy_session_step_all(calls, 2, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(calls[0].code, BUDDY_INVALID_ARGUMENT);
  ASSERT_EQ(calls[1].code, BUDDY_OK);
  EXPECT_EQ(*static_cast<float *>(outputs[1].bytes), 5);
  buddy_tensor_release(&outputs[1]);
  EXPECT_EQ(buddy_session_step_all(calls, 0, diags_), BUDDY_OK);
  buddy_session_destroy(other);
}

TEST_F(Session, OnThreads) {
  SetPast(session_, 0);
  Do(session_, 1, 1);
  std::vector<std::thread> threads;
  std::vector<float> sums(4);
  for (size_t t = 0; t < sums.size(); t++) {
    buddy_session *fork = nullptr;
    ASSERT_EQ(buddy_session_fork(session_, diags_, &fork), BUDDY_OK);
    threads.emplace_back([fork, t, &sums] {
      for (int64_t i = 0; i < 200; i++) {
        float x = static_cast<float>(t);
        int64_t at = 2 + i % 4;
        buddy_tensor inputs[2] = {}, output = {};
        inputs[0].dtype = BUDDY_F32;
        inputs[0].bytes = &x;
        inputs[1].dtype = BUDDY_I64;
        inputs[1].bytes = &at;
        if (i % 60 == 0) {
          int64_t none = 0;
          buddy_tensor empty;
          if (buddy_tensor_create(BUDDY_F32, 1, &none, &empty) == BUDDY_OK)
            buddy_session_set_state(fork, "past_key_values_0", &empty, nullptr);
          buddy_tensor_release(&empty);
        }
        if (buddy_session_step(fork, 0, inputs, 2, &output, 1, nullptr) == BUDDY_OK)
          sums[t] = *static_cast<float *>(output.bytes);
        buddy_tensor_release(&output);
      }
      buddy_session_destroy(fork);
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (size_t t = 0; t < sums.size(); t++)
    EXPECT_EQ(sums[t], 2 + 4 * static_cast<float>(t) + 200) << t;
}

TEST_F(Session, SavesAndLoads) {
  const std::string path = testing::TempDir() + "session_test.state";
  SetPast(session_, 0);
  Do(session_, 2, 1);
  ASSERT_EQ(buddy_session_save(session_, path.c_str(), diags_), BUDDY_OK) << diags_.text();
  buddy_session *other = nullptr;
  ASSERT_EQ(Create(nullptr, &other), BUDDY_OK);
  ASSERT_EQ(buddy_session_load(other, path.c_str(), diags_), BUDDY_OK) << diags_.text();
  EXPECT_EQ(Do(other, 3, 2), Do(session_, 3, 2));
  std::ifstream in(path, std::ios::binary);
  const std::string good((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (size_t n = 0; n < good.size(); n++) {
    std::string bad = good.substr(0, n);
    if (n % 2) bad = good, bad[n] = static_cast<char>(bad[n] ^ 4);
    std::ofstream(path, std::ios::binary) << bad;
    const buddy_code code = buddy_session_load(other, path.c_str(), diags_);
    EXPECT_TRUE(code == BUDDY_CORRUPT || code == BUDDY_INCOMPATIBLE) << n;
  }
  EXPECT_EQ(State(other, 2).sizes[0], 2);
  buddy_session_destroy(other);
  std::remove(path.c_str());
}

TEST_F(Session, RefusesWrongPairs) {
  buddy_session *other = nullptr;
  const buddy_pair wrong[] = {{1, 1, "past_key_values_0"},
                              {0, 2, "past_key_values_0"},
                              {0, 1, "x"},
                              {0, 1, "b_cache"},
                              {0, 1, nullptr}};
  for (const buddy_pair &pair : wrong) {
    buddy_session_options options = {sizeof(options), &pair, 1, 0, 0};
    EXPECT_EQ(Create(&options, &other), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(other, nullptr);
  }
  buddy_session_options options = {sizeof(options), nullptr, 0, 1, 0};
  ASSERT_EQ(Create(&options, &other), BUDDY_OK);
  EXPECT_EQ(buddy_session_n_states(other), 2u);
  EXPECT_EQ(buddy_session_n_inputs(other, 0), 3u);
  buddy_session_destroy(other);
}

TEST_F(Session, MemoryThatRunsOutIsTold) {
  const std::string path = testing::TempDir() + "session_memory.state";
  int64_t n = 0;
  for (bool is_done = false; !is_done; n++) {
    ASSERT_LT(n, 1000);
    buddy_session *other = nullptr, *fork = nullptr;
    bd_memory_fail_after(n);
    buddy_code code = buddy_session_create(&model_, 1, nullptr, nullptr, &other);
    int64_t none = 0;
    buddy_tensor empty = {};
    if (!code) code = buddy_tensor_create(BUDDY_F32, 1, &none, &empty);
    if (!code) code = buddy_session_set_state(other, "past_key_values_0", &empty, nullptr);
    for (int i = 0; i < 2 && !code; i++) {
      float x = 1;
      int64_t at = 2;
      buddy_tensor inputs[2] = {}, output = {};
      inputs[0].dtype = BUDDY_F32;
      inputs[0].bytes = &x;
      inputs[1].dtype = BUDDY_I64;
      inputs[1].bytes = &at;
      code = buddy_session_step(other, 0, inputs, 2, &output, 1, nullptr);
      buddy_tensor_release(&output);
      if (!code && !fork) code = buddy_session_fork(other, nullptr, &fork);
    }
    if (!code) code = buddy_session_save(other, path.c_str(), nullptr);
    if (!code) code = buddy_session_load(fork, path.c_str(), nullptr);
    is_done = !bd_memory_fail_after(-1);
    EXPECT_TRUE(is_done ? code == BUDDY_OK : code != BUDDY_OK) << n << " " << code;
    buddy_tensor_release(&empty);
    buddy_session_destroy(fork);
    buddy_session_destroy(other);
  }
  EXPECT_GT(n, 20);
  std::remove(path.c_str());
}

}  // namespace
