// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// States that grow, over a program that is a function of the test: (x[t], past[2, n]) -> past with x and -x at
// its end, and the sum of its first row, weighted by places. The program takes the past as [n+t, 2].
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <random>
#include <string>
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

int n_failures = 0;       // runs that end in the middle, from now on
bool is_copying = false;  // the new value is another tensor, as where code could not write in place

float *bytes_of(const uint64_t *words) {
  return reinterpret_cast<float *>(static_cast<uintptr_t>(words[1]));
}

void Step(const uint64_t *in, uint64_t *out) {
  const uint64_t *x = in, *past = in + 5;
  const int64_t t = static_cast<int64_t>(x[3]), n = static_cast<int64_t>(past[3]);
  float *rows = bytes_of(past);
  if (is_copying) {
    rows = static_cast<float *>(
        _mlir_memref_to_llvm_alloc(static_cast<size_t>(n > 0 ? n : 1) * 2 * sizeof(float)));
    std::memcpy(rows, bytes_of(past), static_cast<size_t>(n - t) * 2 * sizeof(float));
  }
  for (int64_t i = 0; i < t; ++i) {
    rows[2 * (n - t + i)] = bytes_of(x)[i];
    rows[2 * (n - t + i) + 1] = -bytes_of(x)[i];
    if (n_failures > 0) {
      --n_failures;
      bd_run_fail(BUDDY_OUT_OF_MEMORY, -1);
    }
  }
  auto *sum = static_cast<float *>(_mlir_memref_to_llvm_alloc(sizeof(float)));
  *sum = 0;
  for (int64_t i = 0; i < n; ++i)
    *sum += static_cast<float>(i % 7 + 1) * (rows[2 * i] - rows[2 * i + 1]) / 2;
  const uint64_t at = reinterpret_cast<uintptr_t>(sum), all = reinterpret_cast<uintptr_t>(rows);
  const uint64_t words[] = {at, at, 0, all, all, 0, static_cast<uint64_t>(n), 2, 2, 1};
  std::memcpy(out, words, sizeof(words));
}

// What a session has heard.
struct Talk {
  buddy_session *session = nullptr;
  std::vector<float> heard;
};

float Sum(const std::vector<float> &heard) {
  float sum = 0;
  for (size_t i = 0; i < heard.size(); ++i) sum += static_cast<float>(i % 7 + 1) * heard[i];
  return sum;
}

// -1e9: the step failed. Leaves `talk` as it is then.
float Say(Talk *talk, const std::vector<float> &pieces, buddy_diags *diags) {
  int64_t size = static_cast<int64_t>(pieces.size()), stride = 1;
  std::vector<float> copy = pieces;
  copy.reserve(1);  // memory where there are none
  buddy_tensor input = {}, output = {};
  input.dtype = BUDDY_F32;
  input.rank = 1;
  input.sizes = &size;
  input.strides = &stride;
  input.bytes = copy.data();
  if (buddy_session_step(talk->session, 0, &input, 1, &output, 1, diags) != BUDDY_OK) return -1e9f;
  talk->heard.insert(talk->heard.end(), pieces.begin(), pieces.end());
  const float sum = *static_cast<float *>(output.bytes);
  buddy_tensor_release(&output);
  return sum;
}

class Growing : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(buddy_opset_create(&opset_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset_, "g", &graph_), BUDDY_OK);
    int64_t t, n, total;
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "t", 0, 64, &t), BUDDY_OK);
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "n", 0, 100000, &n), BUDDY_OK);
    ASSERT_EQ(buddy_graph_dim(graph_, BUDDY_DIM_ADD, n, t, &total), BUDDY_OK);
    ASSERT_EQ(bd_signature_create(&signature_), BUDDY_OK);
    ASSERT_EQ(bd_signature_add_symbols(signature_, graph_), BUDDY_OK);
    Input("x", {t});
    Input("past", {total, 2});
    const bd_growth growth = {1, 1, 1};
    ASSERT_EQ(bd_signature_add_growth(signature_, &growth), BUDDY_OK);
    Output("sum", "", BUDDY_OUTPUT_USER, {}, 0);
    Output("past", "past", BUDDY_OUTPUT_INPUT_MUTATION, {-1, 2}, 1);
    auto *program = static_cast<buddy_program *>(bd_calloc(1, sizeof(buddy_program)));
    program->signature = signature_;
    program->growths = signature_->growths;
    program->n_growths = signature_->n_growths;
    program->entry = Step;
    program->result_ranks = ranks_;
    program->n_results = 2;
    ASSERT_EQ(bd_run_pool_create(&program->pool), BUDDY_OK);
    ASSERT_EQ(bd_model_create(program, &kNoData, nullptr, &model_), BUDDY_OK);
    n_failures = 0;
    is_copying = false;
  }
  void TearDown() override {
    buddy_model_destroy(model_);
    bd_signature_destroy(signature_);
    buddy_graph_destroy(graph_);
    buddy_opset_destroy(opset_);
  }
  void Input(const char *name, const std::vector<int64_t> &dims) {
    std::vector<bd_size> sizes(dims.size());
    std::vector<int64_t> told = dims;
    for (size_t d = 0; d < dims.size(); ++d) {
      ASSERT_EQ(bd_signature_size(signature_, graph_, dims[d], &sizes[d]), BUDDY_OK);
      told[d] = sizes[d].number;
    }
    const auto rank = static_cast<uint32_t>(dims.size());
    const buddy_port port = {name, "", BUDDY_INPUT_USER, BUDDY_F32, rank, told.data()};
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
  Talk Create() {
    Talk talk;
    EXPECT_EQ(buddy_session_create(&model_, 1, nullptr, diags_, &talk.session), BUDDY_OK)
        << diags_.text();
    return talk;
  }
  Talk Fork(const Talk &talk) {
    Talk fork = talk;
    EXPECT_EQ(buddy_session_fork(talk.session, diags_, &fork.session), BUDDY_OK);
    return fork;
  }
  float Say(Talk *talk, const std::vector<float> &pieces) { return ::Say(talk, pieces, diags_); }
  buddy_tensor State(const Talk &talk) {
    buddy_tensor tensor = {};
    EXPECT_EQ(buddy_session_state(talk.session, 0, diags_, &tensor), BUDDY_OK);
    return tensor;
  }
  const void *Place(const Talk &talk) { return State(talk).bytes; }

  static constexpr bd_data_source kNoData = {nullptr, nullptr};
  uint32_t ranks_[2] = {0, 2};
  Diags diags_;
  buddy_opset *opset_ = nullptr;
  buddy_graph *graph_ = nullptr;
  bd_signature *signature_ = nullptr;
  buddy_model *model_ = nullptr;
};

TEST_F(Growing, StateIsAsTheUserKnowsIt) {
  Talk talk = Create();
  ASSERT_EQ(buddy_session_n_states(talk.session), 1u);
  EXPECT_STREQ(buddy_session_state_name(talk.session, 0), "past");
  EXPECT_EQ(buddy_session_n_inputs(talk.session, 0), 1u);
  EXPECT_EQ(buddy_session_n_outputs(talk.session, 0), 1u);
  EXPECT_EQ(Say(&talk, {1, 2, 3}), 14);
  EXPECT_EQ(Say(&talk, {}), 14);
  EXPECT_EQ(Say(&talk, {4}), 30);
  const buddy_tensor state = State(talk);
  ASSERT_EQ(state.rank, 2u);
  EXPECT_EQ(state.sizes[0], 2);
  EXPECT_EQ(state.sizes[1], 4);
  const auto *first = static_cast<const float *>(state.bytes);
  for (int64_t i = 0; i < 4; ++i) {
    EXPECT_EQ(first[i * state.strides[1]], static_cast<float>(i + 1));
    EXPECT_EQ(first[state.strides[0] + i * state.strides[1]], -static_cast<float>(i + 1));
  }
  EXPECT_EQ(buddy_session_n_bytes(talk.session), 8 * sizeof(float));
  buddy_session_destroy(talk.session);
}

TEST_F(Growing, IsMovedOnlyWhereTheRoomIsFull) {
  Talk talk = Create();
  const void *place = nullptr;
  int n_moves = 0;
  for (int i = 0; i < 1000; ++i) {
    const float sum = Say(&talk, {1});
    ASSERT_EQ(sum, Sum(talk.heard));
    n_moves += Place(talk) != place;
    place = Place(talk);
  }
  EXPECT_LE(n_moves, 7);  // 16, 32, … 1024 rows
  buddy_session_destroy(talk.session);
}

TEST_F(Growing, TheLongestGoesOnWhereItLies) {
  Talk trunk = Create();
  ASSERT_EQ(Say(&trunk, {1, 2}), 5);
  const void *place = Place(trunk);
  Talk behind = Fork(trunk), other = Fork(trunk);
  ASSERT_EQ(Say(&trunk, {3}), 14);
  EXPECT_EQ(Place(trunk), place);
  ASSERT_EQ(Say(&behind, {5}), 20);
  EXPECT_NE(Place(behind), place);
  ASSERT_EQ(buddy_session_rewind(trunk.session, other.session, diags_), BUDDY_OK);
  trunk.heard = other.heard;
  ASSERT_EQ(Say(&trunk, {4}), 17);  // nobody has what was there
  EXPECT_EQ(Place(trunk), place);
  ASSERT_EQ(Say(&other, {6}), 23);
  EXPECT_NE(Place(other), place);
  EXPECT_EQ(Say(&trunk, {0}), 17);
  for (const Talk &talk : {trunk, behind, other}) buddy_session_destroy(talk.session);
}

TEST_F(Growing, AStepThatFailsChangesNothing) {
  Talk talk = Create();
  Say(&talk, {1, 2});
  Talk fork = Fork(talk);
  n_failures = 1;
  EXPECT_EQ(Say(&talk, {9, 9}), -1e9f);
  EXPECT_EQ(State(talk).sizes[1], 2);
  EXPECT_EQ(Say(&fork, {3}), 14);
  EXPECT_EQ(Say(&talk, {4}), 17);
  float wrong = 0;
  buddy_tensor input = {}, output = {};
  input.dtype = BUDDY_F32;
  input.bytes = &wrong;  // of rank 0
  EXPECT_EQ(buddy_session_step(talk.session, 0, &input, 1, &output, 1, diags_),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(diags_.text().find("past: the inputs do not tell"), std::string::npos) << diags_.text();
  EXPECT_EQ(Say(&talk, {5}), 37);
  for (const Talk &one : {talk, fork}) buddy_session_destroy(one.session);
}

TEST_F(Growing, JoinsForksRewindsAndDropsAtRandom) {
  std::mt19937 random(3);
  const std::string path = testing::TempDir() + "growing_test.state";
  const Talk empty = Create();
  std::vector<Talk> talks;
  for (int i = 0; i < 10000; ++i) {
    const size_t choice = random() % 16, which = talks.empty() ? 0 : random() % talks.size();
    is_copying = random() % 8 == 0;
    if (talks.empty() || (choice == 0 && talks.size() < 20)) {
      talks.push_back(Fork(empty));
    } else if (choice == 1 && talks.size() < 20) {
      talks.push_back(Fork(talks[which]));
    } else if (choice == 2) {
      buddy_session_destroy(talks[which].session);
      talks.erase(talks.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (choice == 3) {
      const Talk &to = talks[random() % talks.size()];
      ASSERT_EQ(buddy_session_rewind(talks[which].session, to.session, nullptr), BUDDY_OK);
      talks[which].heard = to.heard;
    } else if (choice == 4 && random() % 8 == 0) {
      ASSERT_EQ(buddy_session_save(talks[which].session, path.c_str(), diags_), BUDDY_OK);
      Talk &to = talks[random() % talks.size()];
      ASSERT_EQ(buddy_session_load(to.session, path.c_str(), diags_), BUDDY_OK) << diags_.text();
      to.heard = talks[which].heard;
    } else if (choice == 5) {
      n_failures = 1;
      ASSERT_EQ(Say(&talks[which], {7}), -1e9f);
    } else {
      if (talks[which].heard.size() > 300) {
        ASSERT_EQ(buddy_session_rewind(talks[which].session, nullptr, nullptr), BUDDY_OK);
        talks[which].heard.clear();
      }
      std::vector<float> pieces(random() % 5);
      for (float &piece : pieces) piece = static_cast<float>(random() % 9);
      const float sum = Say(&talks[which], pieces);
      ASSERT_EQ(sum, Sum(talks[which].heard)) << i;
    }
  }
  for (const Talk &talk : talks) buddy_session_destroy(talk.session);
  buddy_session_destroy(empty.session);
  std::remove(path.c_str());
}

TEST_F(Growing, ForksOnThreads) {
  Talk trunk = Create();
  Say(&trunk, {1, 2, 3});
  std::vector<std::thread> threads;
  std::vector<int> n_wrong(4);
  for (size_t k = 0; k < n_wrong.size(); ++k) {
    threads.emplace_back([fork = Fork(trunk), start = Fork(trunk), k, &n_wrong]() mutable {
      for (int i = 0; i < 400; ++i) {
        const float sum = ::Say(&fork, {static_cast<float>(k), static_cast<float>(i % 5)}, nullptr);
        n_wrong[k] += sum != Sum(fork.heard);
        if (i % 7 != 0) continue;
        buddy_session_rewind(fork.session, start.session, nullptr);
        fork.heard = start.heard;
      }
      buddy_session_destroy(fork.session);
      buddy_session_destroy(start.session);
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (int n : n_wrong) EXPECT_EQ(n, 0);
  EXPECT_EQ(Say(&trunk, {0}), 14);
  buddy_session_destroy(trunk.session);
}

TEST_F(Growing, MemoryThatRunsOutIsTold) {
  bool is_done = false;
  for (int64_t n = 0; !is_done; ++n) {
    ASSERT_LT(n, 1000);
    Talk talk;
    bd_memory_fail_after(n);
    is_done = buddy_session_create(&model_, 1, nullptr, nullptr, &talk.session) == BUDDY_OK;
    is_done = is_done && ::Say(&talk, {1, 2}, nullptr) == 5;
    is_done = is_done && ::Say(&talk, std::vector<float>(20, 1), nullptr) > 0;
    bd_memory_fail_after(-1);
    buddy_session_destroy(talk.session);
  }
}

}  // namespace
