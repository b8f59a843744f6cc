// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/report_test.cc: long reports stay readable.
#include "tests/core/registry/registry_fixture.h"

namespace {

using ReportTest = RegistryTest;

TEST_F(ReportTest, TypesAndLinesAreCut) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  for (int64_t i = 1; i <= 9; ++i) {
    const buddy_value *value =
        Value("test.silent.default", {Tensor("self", Input(BUDDY_F32, {i}))});
    SetLine(value, "model.py", static_cast<uint32_t>(i), nullptr);
    Output(value);
  }
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_STREQ(
      buddy_diags_get(diags, 0)->what,
      "nobody takes test.silent.default (9 nodes); alpha: no reason given; types (f32[1]) -> "
      "f32[1], "
      "(f32[2]) -> f32[2], (f32[3]) -> f32[3], (f32[4]) -> f32[4], (f32[5]) -> f32[5], (f32[6]) -> "
      "f32[6] and 3 "
      "more; at model.py:1, model.py:2, model.py:3, model.py:4, model.py:5, model.py:6 and 3 more");
  EXPECT_EQ(buddy_diags_get(diags, 0)->code, BUDDY_UNSUPPORTED);
  EXPECT_EQ(std::string(buddy_diags_get(diags, 0)->where).substr(0, 6), "silent");
}

TEST_F(ReportTest, NamesThatAreNear) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  ASSERT_EQ(buddy_opset_define(opset, "test::ads(Tensor self) -> Tensor", BUDDY_KIND_OTHER, diags),
            BUDDY_OK);
  ASSERT_EQ(
      buddy_opset_define(opset, "quite::different(Tensor self) -> Tensor", BUDDY_KIND_OTHER, diags),
      BUDDY_OK);
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.ads.default", {Tensor("self", x)}));
  Output(Value("quite.different.default", {Tensor("self", x)}));
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  ASSERT_EQ(buddy_diags_count(diags), 2u);
  EXPECT_NE(Text().find("; near are test.add.default; types"), std::string::npos) << Text();
  EXPECT_NE(
      Text().find(
          "nobody takes quite.different.default; no registry of the order has a row for it; types"),
      std::string::npos)
      << Text();
}

TEST_F(ReportTest, GroupsByReason) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2}), *i = Input(BUDDY_I64, {2});
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x), Int("alpha", 2)}));
  Output(Value("test.add.default", {Tensor("self", i), Tensor("other", i)}));
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x), Int("alpha", 2)}));
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  EXPECT_EQ(buddy_diags_count(diags), 2u) << Text();
}

}  // namespace
