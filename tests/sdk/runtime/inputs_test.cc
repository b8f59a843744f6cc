// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes with symbols at the entry of a program: bound from the inputs, compared, kept in range,
// told by name.
#include <gtest/gtest.h>

#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/lower/signature.h"
#include "sdk/runtime/program.h"
}

namespace {

constexpr int64_t kUnknown = INT64_MIN;

class Inputs : public ::testing::Test {
 protected:
  // Two symbols: 1 ≤ s0 ≤ 64, s1 ≥ 2.
  void SetUp() override {
    ASSERT_EQ(buddy_opset_create(&opset_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_create(opset_, "g", &graph_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "s0", 1, 64, &s0_), BUDDY_OK);
    ASSERT_EQ(buddy_graph_add_symbol(graph_, "s1", 2, INT64_MAX, &s1_), BUDDY_OK);
    ASSERT_EQ(bd_signature_create(&signature_), BUDDY_OK);
    ASSERT_EQ(bd_signature_add_symbols(signature_, graph_), BUDDY_OK);
  }
  void TearDown() override {
    bd_signature_destroy(signature_);
    buddy_graph_destroy(graph_);
    buddy_opset_destroy(opset_);
  }
  int64_t dim(buddy_dim_op op, int64_t a, int64_t b) {
    int64_t d = 0;
    EXPECT_EQ(buddy_graph_dim(graph_, op, a, b, &d), BUDDY_OK);
    return d;
  }
  bd_size size(int64_t d) {
    bd_size s;
    EXPECT_EQ(bd_signature_size(signature_, graph_, d, &s), BUDDY_OK);
    return s;
  }
  void add(const char *name, buddy_dtype dtype, const std::vector<int64_t> &dims) {
    std::vector<bd_size> sizes;
    for (int64_t d : dims) sizes.push_back(size(d));
    const buddy_port port = {
        name, "", BUDDY_INPUT_USER, dtype, static_cast<uint32_t>(dims.size()), dims.data()};
    ASSERT_EQ(bd_signature_add_input(signature_, &port, sizes.data()), BUDDY_OK);
  }
  buddy_code check(const std::vector<const Tensor *> &tensors) {
    std::vector<buddy_tensor> in;
    for (const Tensor *t : tensors) in.push_back(t->t);
    buddy_diags_clear(diags_);
    return bd_inputs_check(signature_, in.data(), in.size(), diags_, symbols_);
  }
  bool told(const std::string &text) { return diags_.text().find(text) != std::string::npos; }

  buddy_opset *opset_ = nullptr;
  buddy_graph *graph_ = nullptr;
  bd_signature *signature_ = nullptr;
  int64_t s0_ = 0, s1_ = 0, symbols_[2] = {};
  Diags diags_;
};

TEST_F(Inputs, EvaluatesSizes) {
  int64_t value;
  const int64_t symbols[] = {5, 7}, unbound[] = {5, kUnknown};
  const int64_t sum = dim(BUDDY_DIM_ADD, dim(BUDDY_DIM_MUL, s0_, 2), 1);
  const bd_size odd = size(sum);
  EXPECT_EQ(bd_size_eval(&odd, symbols, &value), BUDDY_OK);
  EXPECT_EQ(value, 11);
  const struct {
    buddy_dim_op op;
    int64_t expected;
  } cases[] = {{BUDDY_DIM_ADD, 12},     {BUDDY_DIM_SUB, -2}, {BUDDY_DIM_MUL, 35},
               {BUDDY_DIM_FLOORDIV, 0}, {BUDDY_DIM_MOD, 5},  {BUDDY_DIM_MAX, 7},
               {BUDDY_DIM_MIN, 5}};
  for (const auto &c : cases) {
    const bd_size s = size(dim(c.op, s0_, s1_));
    EXPECT_EQ(bd_size_eval(&s, symbols, &value), BUDDY_OK);
    EXPECT_EQ(value, c.expected) << s.text;
    EXPECT_EQ(bd_size_eval(&s, unbound, &value), BUDDY_NOT_FOUND);
  }
  const bd_size square = size(dim(BUDDY_DIM_MUL, s0_, s0_));
  const int64_t huge[] = {INT64_MAX, 1};
  EXPECT_EQ(bd_size_eval(&square, huge, &value), BUDDY_LIMIT);
  const bd_size number = size(42);
  EXPECT_EQ(bd_size_eval(&number, nullptr, &value), BUDDY_OK);
  EXPECT_EQ(value, 42);
}

TEST_F(Inputs, BindsSymbolsFromWhereverTheyStandAlone) {
  add("a", BUDDY_F32, {dim(BUDDY_DIM_ADD, s0_, 1), 4});
  add("b", BUDDY_F32, {s0_, s1_});
  const Tensor a(BUDDY_F32, {4, 4}), b(BUDDY_F32, {3, 9});
  EXPECT_EQ(check({&a, &b}), BUDDY_OK) << diags_.text();
  EXPECT_EQ(symbols_[0], 3);
  EXPECT_EQ(symbols_[1], 9);
}

TEST_F(Inputs, RefusesTensorsThatAreNone) {
  add("tokens", BUDDY_F32, {s0_, 128});
  const Tensor whole(BUDDY_F32, {3, 128});
  std::vector<int64_t> huge = {INT64_C(1) << 40, INT64_C(1) << 40}, negative = {-3, 128};
  const struct {
    const char *told;
    void (*spoil)(buddy_tensor *tensor, std::vector<int64_t> *sizes);
    std::vector<int64_t> *sizes;
  } cases[] = {
      {"got f32[?] without sizes and strides",
       [](buddy_tensor *t, std::vector<int64_t> *) { t->sizes = nullptr; }, nullptr},
      {"got f32[3,128] without sizes and strides",
       [](buddy_tensor *t, std::vector<int64_t> *) { t->strides = nullptr; }, nullptr},
      {"got f32[3,128] without memory",
       [](buddy_tensor *t, std::vector<int64_t> *) { t->bytes = nullptr; }, nullptr},
      {"got f32[?] (too many dimensions)",
       [](buddy_tensor *t, std::vector<int64_t> *) { t->rank = UINT32_MAX; }, nullptr},
      {"(impossible sizes)",
       [](buddy_tensor *t, std::vector<int64_t> *sizes) { t->sizes = sizes->data(); }, &huge},
      {"got f32[-3,128] (impossible sizes)",
       [](buddy_tensor *t, std::vector<int64_t> *sizes) { t->sizes = sizes->data(); }, &negative}};
  for (const auto &c : cases) {
    buddy_tensor tensor = whole.t;
    c.spoil(&tensor, c.sizes);
    buddy_diags_clear(diags_);
    EXPECT_EQ(bd_inputs_check(signature_, &tensor, 1, diags_, symbols_), BUDDY_INVALID_ARGUMENT);
    EXPECT_TRUE(told(c.told)) << diags_.text();
  }
}

TEST_F(Inputs, TellsWhatWasExpectedAndGot) {
  add("tokens", BUDDY_F32, {s0_, 128});
  const Tensor wrong(BUDDY_F32, {3, 64}), far(BUDDY_F32, {65, 128}), other(BUDDY_I64, {3, 128});
  EXPECT_EQ(check({&wrong}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("tokens: input 0: expected f32[s0,128] with 1 ≤ s0 ≤ 64, got f32[3,64]"))
      << diags_.text();
  EXPECT_EQ(check({&far}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("got f32[65,128]")) << diags_.text();
  EXPECT_EQ(check({&other}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("got i64[3,128]")) << diags_.text();
}

TEST_F(Inputs, ComparesSizesThatShareASymbol) {
  add("a", BUDDY_F32, {s1_});
  add("b", BUDDY_F32, {s1_, dim(BUDDY_DIM_MUL, s1_, 2)});
  const Tensor a(BUDDY_F32, {5}), good(BUDDY_F32, {5, 10}), first(BUDDY_F32, {6, 10}),
      second(BUDDY_F32, {5, 9});
  EXPECT_EQ(check({&a, &good}), BUDDY_OK) << diags_.text();
  EXPECT_EQ(check({&a, &first}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(
      told("b: input 1: expected f32[s1,2*s1] with s1 ≥ 2, got f32[6,10]: size 0 is 6, but the "
           "other inputs say "
           "that s1 is 5"))
      << diags_.text();
  EXPECT_EQ(check({&a, &second}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("size 1 is 9, but the other inputs say that 2*s1 is 10")) << diags_.text();
}

TEST_F(Inputs, ReportsAllOfThem) {
  add("a", BUDDY_F32, {2});
  add("b", BUDDY_F32, {3});
  const Tensor a(BUDDY_F32, {1}), b(BUDDY_F64, {3});
  EXPECT_EQ(check({&a, &b}), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_diags_count(diags_), 2u);
  EXPECT_EQ(check({&a}), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("takes 2 inputs, 1 were given")) << diags_.text();
}

TEST_F(Inputs, SolvesSizesThatAreLinear) {
  add("a", BUDDY_F32, {dim(BUDDY_DIM_ADD, dim(BUDDY_DIM_MUL, s0_, 2), 1)});
  const Tensor eleven(BUDDY_F32, {11}), ten(BUDDY_F32, {10}), large(BUDDY_F32, {131});
  EXPECT_EQ(check({&eleven}), BUDDY_OK) << diags_.text();
  EXPECT_EQ(symbols_[0], 5);
  EXPECT_EQ(symbols_[1], kUnknown);
  EXPECT_EQ(check({&ten}), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(check({&large}), BUDDY_INVALID_ARGUMENT); /* s0 ≤ 64 */
}

TEST_F(Inputs, ReportsAllGuardsThatAreBroken) {
  add("a", BUDDY_F32, {s0_, s1_});
  const bd_guard guards[] = {
      {dim(BUDDY_DIM_SUB, s0_, s1_), "s0 >= s1", "", graph_},
      {dim(BUDDY_DIM_SUB, s0_, 4), "s0 >= 4", "view (m.py:3)", graph_},
      {dim(BUDDY_DIM_FLOORDIV, 4, dim(BUDDY_DIM_SUB, s1_, 2)), "a", "div", graph_}};
  for (const bd_guard &guard : guards)
    ASSERT_EQ(bd_signature_add_guard(signature_, graph_, &guard), BUDDY_OK);
  buddy_program program = {};
  program.signature = signature_;
  program.guards = signature_->guards;
  program.n_guards = signature_->n_guards;
  const Tensor good(BUDDY_F32, {5, 3}), bad(BUDDY_F32, {3, 6}), zero(BUDDY_F32, {5, 2});
  ASSERT_EQ(check({&good}), BUDDY_OK);
  EXPECT_EQ(bd_guards_check(&program, &good.t, symbols_, diags_), BUDDY_OK) << diags_.text();
  ASSERT_EQ(check({&bad}), BUDDY_OK);
  EXPECT_EQ(bd_guards_check(&program, &bad.t, symbols_, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_diags_count(diags_), 2u) << diags_.text();
  EXPECT_TRUE(told("s0 >= s1; size 0 of a is 3, size 1 of a is 6")) << diags_.text();
  EXPECT_TRUE(told("view (m.py:3)")) << diags_.text();
  ASSERT_EQ(check({&zero}), BUDDY_OK);
  EXPECT_EQ(bd_guards_check(&program, &zero.t, symbols_, diags_), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_diags_count(diags_), 1u) << diags_.text();
}

TEST_F(Inputs, RefusesTensorsThatCannotBe) {
  add("a", BUDDY_F32, {s1_});
  int64_t negative[] = {-1}, strides[] = {1}, some[] = {4};
  buddy_tensor t = {BUDDY_F32, 1, negative, strides, nullptr, nullptr, nullptr};
  buddy_diags_clear(diags_);
  EXPECT_EQ(bd_inputs_check(signature_, &t, 1, diags_, symbols_), BUDDY_INVALID_ARGUMENT);
  t.sizes = some;
  EXPECT_EQ(bd_inputs_check(signature_, &t, 1, diags_, symbols_), BUDDY_INVALID_ARGUMENT);
  EXPECT_TRUE(told("without memory")) << diags_.text();
}

}  // namespace
