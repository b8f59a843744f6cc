// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps of several sessions as one run, over a program that is a function of the test: of each row, one
// state is written in place and one is a pair.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "buddy/session.h"
#include "core/base/memory.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/signature.h"
#include "sdk/runtime/model.h"
#include "sdk/runtime/program.h"
}

namespace {

constexpr int64_t kRow = 6, kMost = 8;
std::atomic<int> n_runs, n_rows;

template <typename T>
T *bytes_of(const uint64_t *words) {
  return reinterpret_cast<T *>(static_cast<uintptr_t>(words[1]));
}

// Of each row: (x, at, cache[6], count) -> (sum of the cache + count, count + 1); cache[at] = x, or
// cache[at] += x.
void StepBy(bool adds, const uint64_t *in, uint64_t *out) {
  const auto *x = bytes_of<float>(in), *count = bytes_of<float>(in + 17);
  const auto *at = bytes_of<int64_t>(in + 5);
  auto *cache = bytes_of<float>(in + 10);
  const auto n = static_cast<int64_t>(in[3]);
  n_runs++;
  n_rows += static_cast<int>(n);
  const auto size = static_cast<size_t>(n) * sizeof(float);
  auto *sum = static_cast<float *>(_mlir_memref_to_llvm_alloc(size));
  auto *next = static_cast<float *>(_mlir_memref_to_llvm_alloc(size));
  for (int64_t r = 0; r < n; r++) {
    if (at[r] < 0 || at[r] >= kRow) bd_run_fail(BUDDY_INVALID_ARGUMENT, -1);
    cache[r * kRow + at[r]] = x[r] + (adds ? cache[r * kRow + at[r]] : 0);
    sum[r] = count[r];
    for (int64_t i = 0; i < kRow; i++) sum[r] += cache[r * kRow + i];
    next[r] = count[r] + 1;
  }
  for (float *data : {sum, next}) {
    for (uint64_t word : {reinterpret_cast<uint64_t>(data), reinterpret_cast<uint64_t>(data),
                          uint64_t{0}, static_cast<uint64_t>(n), uint64_t{1}})
      *out++ = word;
  }
  for (uint64_t word : {in[10], in[11], uint64_t{0}, static_cast<uint64_t>(n),
                        static_cast<uint64_t>(kRow), static_cast<uint64_t>(kRow), uint64_t{1}})
    *out++ = word;
}

void Step(const uint64_t *in, uint64_t *out) { StepBy(false, in, out); }
void Add(const uint64_t *in, uint64_t *out) { StepBy(true, in, out); }

const buddy_data *FindData(void *, const buddy_port *, size_t) { return nullptr; }

// A session, and what it has seen: what is to come of its next step.
struct Talk {
  buddy_session *session;
  std::vector<float> cache = std::vector<float>(kRow), seen = {};
  float count = 0;
  float Next(float x, int64_t at) {
    cache[static_cast<size_t>(at)] = x;
    float sum = count++;
    for (float value : cache) sum += value;
    return sum;
  }
};

// A call with its own tensors.
struct Call {
  float x;
  int64_t at, one = 1, stride = 1;
  buddy_tensor inputs[2] = {}, output = {};
  Call(float value, int64_t place) : x(value), at(place) {
    inputs[0].dtype = BUDDY_F32;
    inputs[0].bytes = &x;
    inputs[1].dtype = BUDDY_I64;
    inputs[1].bytes = &at;
    for (buddy_tensor &input : inputs) {
      input.rank = 1;
      input.sizes = &one;
      input.strides = &stride;
    }
  }
  Call(const Call &) = delete;
  ~Call() { buddy_tensor_release(&output); }
  buddy_session_call On(buddy_session *session) {
    return {session, 0, inputs, 2, &output, 1, BUDDY_IO};
  }
  float sum() const { return output.bytes ? *static_cast<float *>(output.bytes) : -1; }
};

// A tensor of the caller's.
buddy_tensor Given(float *bytes, int64_t *size) {
  static int64_t stride = 1;
  buddy_tensor tensor = {};
  tensor.dtype = BUDDY_F32;
  tensor.rank = 1;
  tensor.sizes = size;
  tensor.strides = &stride;
  tensor.bytes = bytes;
  return tensor;
}

class Batch : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(buddy_opset_create(&opset_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset_, "g", &graph_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "b", 1, kMost, &symbol_), BUDDY_OK);
    ASSERT_EQ(bd_signature_create(&signature_), BUDDY_OK);
    ASSERT_EQ(bd_signature_add_symbols(signature_, graph_), BUDDY_OK);
    Input("x", BUDDY_F32, {symbol_});
    Input("at", BUDDY_I64, {symbol_});
    Input("past_key_values_0", BUDDY_F32, {symbol_, kRow});
    Input("count", BUDDY_F32, {symbol_});
    Output("sum", "", BUDDY_OUTPUT_USER, {symbol_}, 0);
    Output("next", "", BUDDY_OUTPUT_USER, {symbol_}, 1);
    Output("cache", "past_key_values_0", BUDDY_OUTPUT_INPUT_MUTATION, {symbol_, kRow}, 2);
    auto *program = static_cast<buddy_program *>(bd_calloc(1, sizeof(buddy_program)));
    program->signature = signature_;
    program->entry = Step;
    program->result_ranks = ranks_;
    program->n_results = 3;
    program->rows = {1, 1, ""};
    program_ = program;
    ASSERT_EQ(bd_run_pool_create(&program->pool), BUDDY_OK);
    const bd_data_source source = {FindData, nullptr};
    ASSERT_EQ(bd_model_create(program, &source, nullptr, &model_), BUDDY_OK);
    n_runs = n_rows = 0;
  }
  void TearDown() override {
    buddy_model_destroy(model_);
    bd_signature_destroy(signature_);
    buddy_graph_destroy(graph_);
    buddy_opset_destroy(opset_);
  }
  std::vector<bd_size> Sizes(const std::vector<int64_t> &dims, std::vector<int64_t> *told) {
    std::vector<bd_size> sizes(dims.size());
    *told = dims;
    for (size_t d = 0; d < dims.size(); d++) {
      EXPECT_EQ(bd_signature_size(signature_, graph_, dims[d], &sizes[d]), BUDDY_OK);
      (*told)[d] = sizes[d].number;
    }
    return sizes;
  }
  void Input(const char *name, buddy_dtype dtype, const std::vector<int64_t> &dims) {
    std::vector<int64_t> told;
    const std::vector<bd_size> sizes = Sizes(dims, &told);
    const buddy_port port = {
        name, "", BUDDY_INPUT_USER, dtype, static_cast<uint32_t>(dims.size()), told.data()};
    ASSERT_EQ(bd_signature_add_input(signature_, &port, sizes.data()), BUDDY_OK);
  }
  void Output(const char *name, const char *target, int kind, const std::vector<int64_t> &dims,
              size_t result) {
    std::vector<int64_t> told;
    const std::vector<bd_size> sizes = Sizes(dims, &told);
    bd_output output = {};
    output.port = {name, target, kind, BUDDY_F32, static_cast<uint32_t>(dims.size()), told.data()};
    output.source = BD_SOURCE_RESULT;
    output.result = result;
    output.sizes = sizes.data();
    ASSERT_EQ(bd_signature_add_output(signature_, &output), BUDDY_OK);
  }
  // A session whose count is 0; its cache is not set.
  buddy_session *Create(int no_batches = 0, size_t own = 0) {
    const buddy_pair pairs[] = {{0, 1, "count"}, {0, SIZE_MAX, own ? "x" : "past_key_values_0"}};
    const buddy_session_options options = {sizeof(options), pairs, 2, 0, no_batches};
    buddy_session *session = nullptr;
    EXPECT_EQ(buddy_session_create(&model_, 1, &options, diags_, &session),
              own ? BUDDY_INVALID_ARGUMENT : BUDDY_OK)
        << diags_.text();
    if (session) SetCount(session, 0, 1);
    return session;
  }
  void SetCount(buddy_session *session, float value, int64_t n) {
    buddy_tensor count;
    ASSERT_EQ(buddy_tensor_create(BUDDY_F32, 1, &n, &count), BUDDY_OK);
    for (int64_t i = 0; i < n; i++) static_cast<float *>(count.bytes)[i] = value;
    EXPECT_EQ(buddy_session_set_state(session, "count", &count, diags_), BUDDY_OK);
    buddy_tensor_release(&count);
  }
  const void *Cache(buddy_session *session) {
    buddy_tensor tensor;
    EXPECT_EQ(buddy_session_state(session, 1, diags_, &tensor), BUDDY_OK);
    return tensor.bytes;
  }
  // Steps them together; the code of the whole.
  buddy_code StepAll(const std::vector<Talk *> &talks, std::mt19937 *random, int *out_n_wrong) {
    std::vector<std::unique_ptr<Call>> own;
    std::vector<buddy_session_call> calls;
    std::vector<float> expected;
    for (Talk *talk : talks) {
      own.push_back(std::make_unique<Call>(static_cast<float>((*random)() % 100),
                                           static_cast<int64_t>((*random)() % kRow)));
      expected.push_back(talk->Next(own.back()->x, own.back()->at));
      calls.push_back(own.back()->On(talk->session));
    }
    const buddy_code code = buddy_session_step_all(calls.data(), calls.size(), diags_);
    for (size_t i = 0; i < calls.size(); i++)
      *out_n_wrong += calls[i].code != BUDDY_OK || own[i]->sum() != expected[i];
    return code;
  }

  buddy_opset *opset_ = nullptr;
  buddy_graph *graph_ = nullptr;
  bd_signature *signature_ = nullptr;
  int64_t symbol_ = 0;
  uint32_t ranks_[3] = {1, 1, 2};
  buddy_program *program_ = nullptr;
  buddy_model *model_ = nullptr;
  Diags diags_;
};

TEST_F(Batch, IsOneRunThatMovesNothing) {
  std::mt19937 random(1);
  std::vector<Talk> talks;
  std::vector<Talk *> all;
  int n_wrong = 0;
  for (int i = 0; i < 4; i++) talks.push_back({Create()});
  for (Talk &talk : talks) all.push_back(&talk);
  EXPECT_EQ(StepAll(all, &random, &n_wrong), BUDDY_OK) << diags_.text();
  std::vector<const void *> places;
  for (Talk &talk : talks) places.push_back(Cache(talk.session));
  for (int i = 0; i < 3; i++) {
    std::swap(all[0], all[static_cast<size_t>(i)]);
    EXPECT_EQ(StepAll(all, &random, &n_wrong), BUDDY_OK);
  }
  EXPECT_EQ(n_runs, 4);
  EXPECT_EQ(n_rows, 16);
  for (size_t i = 0; i < talks.size(); i++) EXPECT_EQ(Cache(talks[i].session), places[i]);
  // Whoever leaves is filled in for by one of the others; whoever comes takes the free row.
  buddy_session_destroy(talks[1].session);
  all = {&talks[0], &talks[2], &talks[3]};
  EXPECT_EQ(StepAll(all, &random, &n_wrong), BUDDY_OK);
  int n_moved = 0;
  for (size_t i : {size_t{0}, size_t{2}, size_t{3}})
    n_moved += Cache(talks[i].session) != places[i];
  EXPECT_EQ(n_moved, 1);
  talks[1] = {Create()};
  const void *kept = Cache(talks[0].session);
  all.push_back(&talks[1]);
  EXPECT_EQ(StepAll(all, &random, &n_wrong), BUDDY_OK);
  EXPECT_EQ(Cache(talks[0].session), kept);
  EXPECT_EQ(n_runs, 6);
  EXPECT_EQ(n_wrong, 0);
  for (Talk &talk : talks) buddy_session_destroy(talk.session);
}

TEST_F(Batch, JoinsForksAndDropsAtRandom) {
  std::mt19937 random(2);
  std::vector<std::unique_ptr<Talk>> talks;
  int n_wrong = 0, n_steps = 0;
  for (int i = 0; i < 10000; i++) {
    const size_t choice = random() % 16, which = talks.empty() ? 0 : random() % talks.size();
    if (talks.size() < 2 || (choice == 0 && talks.size() < 20)) {
      talks.push_back(std::make_unique<Talk>(Talk{Create()}));
    } else if (choice == 1 && talks.size() < 20) {
      Talk fork = *talks[which];
      ASSERT_EQ(buddy_session_fork(talks[which]->session, diags_, &fork.session), BUDDY_OK);
      talks.push_back(std::make_unique<Talk>(fork));
    } else if (choice == 2) {
      buddy_session_destroy(talks[which]->session);
      talks.erase(talks.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (choice == 3) {
      Talk *to = talks[random() % talks.size()].get(), *from = talks[which].get();
      if (buddy_session_rewind(from->session, to->session, nullptr) == BUDDY_OK) {
        from->cache = to->cache;
        from->count = to->count;
      }
    } else {
      std::vector<Talk *> some;
      for (auto &talk : talks) {
        if (random() % 4 > 0) some.push_back(talk.get());
      }
      std::shuffle(some.begin(), some.end(), random);
      if (random() % 8 == 0 && !some.empty()) some.push_back(some[0]);  // twice in one call
      ASSERT_EQ(StepAll(some, &random, &n_wrong), BUDDY_OK) << diags_.text();
      n_steps += static_cast<int>(some.size());
    }
    ASSERT_EQ(n_wrong, 0) << i;
  }
  EXPECT_EQ(n_rows, n_steps);
  EXPECT_LT(n_runs * 3, n_steps) << "they went together";
  for (auto &talk : talks) buddy_session_destroy(talk->session);
}

TEST_F(Batch, WhoFailsFailsAlone) {
  Talk talks[3] = {{Create()}, {Create()}, {Create()}};
  Call good(3, 1), bad(4, kRow), last(5, 2);
  buddy_session_call calls[] = {good.On(talks[0].session), bad.On(talks[1].session),
                                last.On(talks[2].session)};
  EXPECT_EQ(buddy_session_step_all(calls, 3, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(calls[1].code, BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(calls[0].code, BUDDY_OK);
  EXPECT_EQ(calls[2].code, BUDDY_OK);
  EXPECT_EQ(good.sum(), 3);
  EXPECT_EQ(last.sum(), 5);
  // A tensor that is given is filled, and refused where it is of another type.
  float given[2] = {7, 7};
  int64_t two = 2;
  Call first(1, 0), second(2, 0), third(2, 0);
  first.output = Given(given, &first.one);
  second.output = Given(given + 1, &two);
  buddy_session_call more[] = {first.On(talks[0].session), second.On(talks[1].session),
                               third.On(talks[2].session)};
  EXPECT_EQ(buddy_session_step_all(more, 3, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(more[0].code, BUDDY_OK);
  EXPECT_EQ(more[1].code, BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(more[2].code, BUDDY_OK);
  EXPECT_EQ(given[0], 1 + 3 + 1);
  EXPECT_EQ(given[1], 7);
  for (Talk &talk : talks) buddy_session_destroy(talk.session);
}

// A program that is not proved to keep rows apart, and one that adds to its state.
TEST_F(Batch, WithoutAProofInTurn) {
  program_->rows = {0, 0, "mean.dim at model.py:7: rows meet"};
  Talk talks[2] = {{Create()}, {Create()}};
  EXPECT_NE(diags_.text().find("in turn"), std::string::npos) << diags_.text();
  EXPECT_NE(diags_.text().find("model.py:7"), std::string::npos) << diags_.text();
  std::mt19937 random(4);
  int n_wrong = 0;
  EXPECT_EQ(StepAll({&talks[0], &talks[1]}, &random, &n_wrong), BUDDY_OK);
  EXPECT_EQ(n_runs, 2);
  EXPECT_EQ(n_wrong, 0);
  for (Talk &talk : talks) buddy_session_destroy(talk.session);
}

TEST_F(Batch, ThatAddsIsDoneAgainFromWhatWasThere) {
  for (const uint64_t is_repeatable : {1u, 0u}) {
    program_->rows.is_repeatable = is_repeatable;
    program_->entry = Add;
    Talk talks[3] = {{Create()}, {Create()}, {Create()}};
    Call good(3, 1), bad(4, kRow), last(5, 2);
    buddy_session_call calls[] = {good.On(talks[0].session), last.On(talks[1].session),
                                  bad.On(talks[2].session)};
    EXPECT_EQ(buddy_session_step_all(calls, 3, diags_), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(calls[2].code, BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(good.sum(), is_repeatable ? 6 : 3) << "what was said of the program is taken for so";
    EXPECT_EQ(last.sum(), is_repeatable ? 10 : 5);
    for (Talk &talk : talks) buddy_session_destroy(talk.session);
  }
}

TEST_F(Batch, WhoIsNoRowGoesAlone) {
  Talk talks[4] = {{Create()}, {Create()}, {Create(1)}, {Create()}};
  SetCount(talks[3].session, 1, 2);  // two rows of one state, and one of the other
  Call calls_of[] = {{1, 0}, {2, 0}, {3, 0}, {4, 0}};
  std::vector<buddy_session_call> calls;
  for (int i = 0; i < 4; i++) calls.push_back(calls_of[i].On(talks[i].session));
  calls.push_back({talks[0].session, 9, nullptr, 0, nullptr, 0, BUDDY_OK});
  calls.push_back({talks[0].session, 0, nullptr, 0, nullptr, 0, BUDDY_OK});
  EXPECT_NE(buddy_session_step_all(calls.data(), calls.size(), diags_), BUDDY_OK);
  for (int i = 0; i < 3; i++) EXPECT_EQ(calls_of[i].sum(), static_cast<float>(i + 1));
  for (size_t i = 3; i < 6; i++) EXPECT_EQ(calls[i].code, BUDDY_INVALID_ARGUMENT) << i;
  EXPECT_EQ(n_runs, 2);
  EXPECT_EQ(Create(0, 1), nullptr) << "the model does not write to x";
  for (Talk &talk : talks) buddy_session_destroy(talk.session);
}

TEST_F(Batch, OnThreadsThatShareABlock) {
  std::vector<Talk> talks;
  std::vector<Talk *> all;
  std::mt19937 random(3);
  int n_wrong[3] = {};
  for (int i = 0; i < 8; i++) talks.push_back({Create()});
  for (Talk &talk : talks) all.push_back(&talk);
  ASSERT_EQ(StepAll(all, &random, &n_wrong[2]), BUDDY_OK);
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 2; t++) {
    threads.emplace_back([this, t, &talks, &n_wrong] {
      std::mt19937 own(t);
      for (int i = 0; i < 300; i++) {
        std::vector<Talk *> mine;
        for (size_t k = t; k < talks.size(); k += 2) {
          if (own() % 3) mine.push_back(&talks[k]);
        }
        StepAll(mine, &own, &n_wrong[t]);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(n_wrong[0] + n_wrong[1] + n_wrong[2], 0);
  for (Talk &talk : talks) buddy_session_destroy(talk.session);
}

TEST_F(Batch, MemoryThatRunsOutIsTold) {
  int64_t n = 0;
  for (bool is_done = false; !is_done; n++) {
    ASSERT_LT(n, 1000);
    Talk talks[3] = {{Create()}, {Create()}, {Create()}};
    Call calls_of[] = {{1, 0}, {2, 0}, {3, 0}};
    buddy_session_call calls[3];
    for (int i = 0; i < 3; i++) calls[i] = calls_of[i].On(talks[i].session);
    bd_memory_fail_after(n);
    const buddy_code code = buddy_session_step_all(calls, 3, nullptr);
    is_done = !bd_memory_fail_after(-1);
    for (int i = 0; i < 3; i++) {
      if (calls[i].code == BUDDY_OK)
        EXPECT_EQ(calls_of[i].sum(), static_cast<float>(i + 1)) << n;
      else
        EXPECT_EQ(code, BUDDY_OUT_OF_MEMORY) << n;
    }
    for (Talk &talk : talks) buddy_session_destroy(talk.session);
  }
  EXPECT_GT(n, 10);
}

}  // namespace
