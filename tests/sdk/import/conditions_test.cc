// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/normalize.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class ConditionsTest : public ImportTest {
 protected:
  /* The guards of a graph with that node, as text. */
  std::string Guards(const std::string &node,
                     const std::string &input = "input %x : f32[s0,s1,s2]\n") {
    const std::string text = Normalize("symbol s0 [0, 64]\nsymbol s1 [0, 64]\nsymbol s2 [0, 64]\n" +
                                       input + node + "\n");
    std::string guards;
    for (size_t at = 0; (at = text.find("guard {", at)) != std::string::npos; ++at) {
      const size_t quote = text.find('"', at) + 1;
      guards += text.substr(quote, text.find('"', quote) - quote) + ";";
    }
    return guards;
  }
};

TEST_F(ConditionsTest, WhatIsReducedWithoutAnIdentity) {
  EXPECT_EQ(Guards("%y = aten.argmax.default(self=%x, dim=-1) : i64[s0,s1]\noutput %y"),
            "s2 >= 1;");
  EXPECT_EQ(Guards("%y = aten.amax.default(self=%x, dim=[0, 2]) : f32[s1]\noutput %y"),
            "s0 >= 1;s2 >= 1;");
  EXPECT_EQ(Guards("%y = aten.max.default(self=%x) : f32[]\noutput %y"),
            "s0 >= 1;s1 >= 1;s2 >= 1;");
  EXPECT_EQ(Guards("%y = aten.sum.dim_IntList(self=%x, dim=[0]) : f32[s1,s2]\noutput %y"), "");
  EXPECT_EQ(Guards("%y = aten.maximum.default(self=%x, other=%x) : f32[s0,s1,s2]\noutput %y"), "");
  EXPECT_EQ(Guards("%y = aten.max.other(self=%x, other=%x) : f32[s0,s1,s2]\noutput %y"), "");
}

TEST_F(ConditionsTest, IndicesChooseFromSomething) {
  const std::string more =
      "input %x : f32[s0,s1]\ninput %i : i64[3]\ninput %j : i64[s2]\n"
      "input %m : i1[s0]\n";
  EXPECT_EQ(
      Guards("%y = aten.index.Tensor(self=%x, indices=[none, %i]) : f32[s0,3]\noutput %y", more),
      "s1 >= 1;");
  EXPECT_EQ(Guards("%y = aten.index.Tensor(self=%x, indices=[%j]) : f32[s2,s1]\noutput %y", more),
            "s0 >= min(s2,1);");
  EXPECT_EQ(Guards("%y = aten.index.Tensor(self=%x, indices=[%m]) : f32[s2,s1]\noutput %y", more),
            "");
}

TEST_F(ConditionsTest, WhatMeetsWithoutAResultThatTells) {
  const std::string more =
      "input %x : f32[s0]\ninput %v : f32[s1]\ninput %i : i64[s2]\ninput %m : i1[4,s1]\n"
      "input %o : f32[1]\n";
  EXPECT_EQ(Guards("%y = aten.put.default(self=%x, index=%i, source=%v, accumulate=false) : "
                   "f32[s0]\noutput %y",
                   more),
            "s1 == s2;");
  EXPECT_EQ(Guards("%y = aten.masked_select.default(self=%x, mask=%m) : f32[s2]\noutput %y", more),
            "");  // one of them may be 1: the op itself looks
  EXPECT_EQ(Guards("%y = aten.masked_select.default(self=%o, mask=%m) : f32[s2]\noutput %y", more),
            "");
}

// Sizes that may be 0 show nothing, and need none.
TEST_F(ConditionsTest, MemoryThatIsThere) {
  EXPECT_EQ(Guards("%y = aten.as_strided.default(self=%x, size=[{s1}], stride=[2], "
                   "storage_offset=3) : f32[s1]\noutput %y",
                   "input %x : f32[s0]\n"),
            "s0 >= 2*s1*min(s1,1)+2*min(s1,1);");
  EXPECT_EQ(Guards("%y = aten.as_strided.default(self=%x, size=[2], stride=[2], "
                   "storage_offset=3) : f32[2]\noutput %y",
                   "input %x : f32[s0]\n"),
            "s0 >= 6;");
}

TEST_F(ConditionsTest, NormsOfTheLargestAndTheLeast) {
  EXPECT_EQ(Guards("%y = aten.linalg_vector_norm.default(self=%x, ord=inf, dim=[1]) : "
                   "f32[s0,s2]\noutput %y"),
            "s1 >= 1;");
  EXPECT_EQ(
      Guards(
          "%y = aten.linalg_vector_norm.default(self=%x, ord=2, dim=[1]) : f32[s0,s2]\noutput %y"),
      "");
}

TEST_F(ConditionsTest, ABatchMayBeEmpty) {
  const std::string image = "input %x : f32[s0,3,s1,8]\n";
  EXPECT_EQ(Guards("%y = aten.reflection_pad2d.default(self=%x, padding=[1, 1, 1, 1]) : "
                   "f32[s0,3,s1+2,10]\noutput %y",
                   image),
            "s1 >= 1;s1 > 1;");
  EXPECT_EQ(Guards("%y = aten.adaptive_avg_pool2d.default(self=%x, output_size=[2, 2]) : "
                   "f32[s0,3,2,2]\noutput %y",
                   image),
            "s1 >= 1;");
}

/* torch.export refuses them; an archive may say so all the same. */
TEST_F(ConditionsTest, ImagesThatAreKnownToBeEmpty) {
  const auto guards = [&](const std::string &size, const std::string &op, const std::string &to) {
    return Guards("%y = aten." + op + " : f32[2,3," + to + "]\noutput %y",
                  "input %x : f32[2,3," + size + "]\n");
  };
  const std::string nearest = "upsample_nearest1d.default(self=%x, output_size=[3])";
  EXPECT_EQ(guards("4", nearest, "3"), "");
  EXPECT_EQ(guards("0", nearest, "3"),
            "0 >= 1, which aten.upsample_nearest1d.default needs and no run meets;");
  EXPECT_EQ(guards("0", "avg_pool1d.default(self=%x, kernel_size=[2], padding=[1])", "1"),
            "0 >= 1, which aten.avg_pool1d.default needs and no run meets;");
  EXPECT_EQ(guards("0,4", "adaptive_avg_pool2d.default(self=%x, output_size=[2, 2])", "2,2"),
            "0 >= 1, which aten.adaptive_avg_pool2d.default needs and no run meets;");
}

TEST_F(ConditionsTest, TheMeanOfNothingIsThere) {
  EXPECT_EQ(Guards("%y = aten.adaptive_avg_pool2d.default(self=%x, output_size=[1, 1]) : "
                   "f32[s0,1,1]\noutput %y"),
            "");
}

TEST_F(ConditionsTest, WhatIsPutBesideADim) {
  const std::string row = "input %x : f32[2,3,s0]\n";
  EXPECT_EQ(
      Guards(
          "%y = aten.pad.default(self=%x, pad=[2, 1], mode=\"reflect\") : f32[2,3,s0+3]\noutput %y",
          row),
      "s0 >= 1;s0 > 2;s0 > 1;");
  EXPECT_EQ(Guards("%y = aten.pad.default(self=%x, pad=[2, 1], mode=\"circular\") : "
                   "f32[2,3,s0+3]\noutput %y",
                   row),
            "s0 >= 2;s0 >= 1;");
  EXPECT_EQ(Guards("%y = aten.pad.default(self=%x, pad=[2, 1], mode=\"replicate\") : "
                   "f32[2,3,s0+3]\noutput %y",
                   row),
            "s0 >= 1;");
  EXPECT_EQ(Guards("%y = aten.pad.default(self=%x, pad=[2, 1], mode=\"constant\") : "
                   "f32[2,3,s0+3]\noutput %y",
                   row),
            "");
}

TEST_F(ConditionsTest, AWindowThatDoesNotFit) {
  const std::string image = "input %x : f32[s0,3,s1,8]\n";
  EXPECT_NE(Guards("%y = aten.max_pool2d.default(self=%x, kernel_size=[3, 3], stride=[1, 1]) : "
                   "f32[s0,3,s1-2,6]\noutput %y",
                   image)
                .find("s1-2 >= 1;"),
            std::string::npos);
}

}  // namespace
