// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/case_test.cc: which nodes are cases, and of what sizes.
#include "sdk/model/case.h"

#include <cmath>

#include "tests/sdk/model/model_fixture.h"

namespace {

class CaseTest : public ModelTest {
 protected:
  // "product f32 1x128x768x768", or "none".
  static std::string Text(const buddy_value *value) {
    bd_case is;
    char text[160];
    if (!bd_case_of(buddy_value_node(value), &is)) return "none";
    bd_case_text(&is, text, sizeof text);
    return text;
  }
};

TEST_F(CaseTest, ProductsAreTheSameHoweverTheyAreSpelled) {
  const buddy_value *x = Input({4, 32, 768}), *rows = Input({128, 768});
  const buddy_value *weight = Weight({3072, 768}), *other = Weight({768, 3072});
  EXPECT_EQ(Text(Linear(x, weight, {4, 32, 3072})), "product f32 1x128x3072x768");
  EXPECT_EQ(
      Text(Node("aten.mm.default", {Tensor("self", rows), Tensor("mat2", other)}, {128, 3072})),
      "product f32 1x128x3072x768");
  const buddy_value *turned =
      Node("aten.permute.default", {Tensor("self", weight), Ints("dims", {1, 0})}, {768, 3072});
  EXPECT_EQ(
      Text(Node("aten.addmm.default",
                {Tensor("self", Weight({3072})), Tensor("mat1", rows), Tensor("mat2", turned)},
                {128, 3072})),
      "product f32 1x128x3072x768");
}

TEST_F(CaseTest, OneRowAndWhatIsComputedAreKindsOfTheirOwn) {
  EXPECT_EQ(Text(Linear(Input({1, 768}), Weight({1000, 768}), {1, 1000})), "row f32 1x1x1000x768");
  EXPECT_EQ(Text(Linear(Input({2, 8}, BUDDY_BF16), Input({3, 8}, BUDDY_BF16), {2, 3}, BUDDY_BF16)),
            "batched bf16 1x2x3x8");
  EXPECT_EQ(
      Text(Node("aten.matmul.default",
                {Tensor("self", Input({2, 12, 128, 64})), Tensor("other", Input({2, 12, 64, 128}))},
                {2, 12, 128, 128})),
      "batched f32 24x128x128x64");
}

TEST_F(CaseTest, Convolutions) {
  const buddy_value *x = Input({1, 32, 56, 56});
  EXPECT_EQ(Text(Convolution(x, Weight({64, 32, 3, 3}), 2, 1, 1, {1, 64, 28, 28})),
            "convolution f32 1x56x56x32x64x1x3x3x2x1");
  EXPECT_EQ(Text(Convolution(x, Weight({32, 1, 3, 3}), 1, 1, 32, {1, 32, 56, 56})),
            "depthwise f32 1x56x56x32x32x32x3x3x1x1");
  EXPECT_EQ(Text(Convolution(x, Weight({64, 8, 1, 1}), 1, 0, 4, {1, 64, 56, 56})),
            "grouped f32 1x56x56x32x64x4x1x1x1x0");
  EXPECT_EQ(Text(Convolution(x, Input({64, 32, 3, 3}), 1, 1, 1, {1, 64, 56, 56})), "none")
      << "a filter that is computed is packed in each run";
}

TEST_F(CaseTest, WhatIsKnownInTheRunAloneIsNone) {
  int64_t n = 0;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s0", 1, 100, &n), BUDDY_OK);
  EXPECT_EQ(Text(Linear(Input({n, 8}), Weight({4, 8}), {n, 4})), "none");
  EXPECT_EQ(Text(Node("aten.relu.default", {Tensor("self", Input({2}))}, {2})), "none");
  EXPECT_EQ(Text(Linear(Input({2, 8}, BUDDY_F64), Weight({4, 8}, BUDDY_F64), {2, 4}, BUDDY_F64)),
            "none");
}

TEST_F(CaseTest, DistanceIsInDoublings) {
  const bd_case a = {BD_CASE_PRODUCT, BUDDY_F32, {1, 127, 767, 767}};
  bd_case b = a;
  EXPECT_EQ(bd_case_distance(&a, &b), 0);
  b.sizes[BD_M] = 255;
  b.sizes[BD_K] = 383;
  EXPECT_DOUBLE_EQ(bd_case_distance(&a, &b), 2);
  b.dtype = BUDDY_BF16;
  EXPECT_TRUE(std::isinf(bd_case_distance(&a, &b)));
}

TEST_F(CaseTest, InsaneCases) {
  const bd_case good = {BD_CASE_CONVOLUTION, BUDDY_F32, {1, 8, 8, 4, 4, 1, 3, 3, 1, 1}};
  ASSERT_TRUE(bd_case_is_sane(&good));
  EXPECT_GT(bd_case_nominal(&good), 0);
  const size_t broken[] = {BD_STRIDE, BD_GROUPS, BD_KERNEL_WIDTH, BD_IMAGES};
  for (size_t i : broken) {
    bd_case c = good;
    c.sizes[i] = 0;
    EXPECT_FALSE(bd_case_is_sane(&c)) << i;
    c.sizes[i] = -1;
    EXPECT_FALSE(bd_case_is_sane(&c)) << i;
  }
  bd_case c = good;
  c.sizes[BD_KERNEL_HEIGHT] = 11;
  EXPECT_FALSE(bd_case_is_sane(&c)) << "larger than the image";
  c = good;
  c.kind = BD_N_CASE_KINDS;
  EXPECT_FALSE(bd_case_is_sane(&c));
  const bd_case product = {BD_CASE_PRODUCT, BUDDY_F32, {1, 2, 3, 4, 5}};
  EXPECT_FALSE(bd_case_is_sane(&product)) << "has a size too many";
}

}  // namespace
