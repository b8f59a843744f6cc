// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

testing::AssertionResult Has(const std::string &text, const std::string &part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "no \"" << part << "\" in\n" << text;
}

class PrimsTest : public ImportTest {
 protected:
  // What becomes of one op on x and y, node by node.
  std::string Rewrite(const std::string &op, const std::string &type,
                      const std::string &x = "f32[2,3]") {
    const std::string inputs = "input %x : " + x + "\ninput %y : " + x + "\n";
    const std::string text = Normalize(inputs + "%z = " + op + " : " + type + "\noutput %z\n");
    const size_t end = text.rfind("output ");
    return text.substr(inputs.size(), end - inputs.size());
  }
};

TEST_F(PrimsTest, WhatHasTheNameOfAnOpOfAtenIsThatOp) {
  EXPECT_TRUE(Has(Rewrite("prims.exp.default(self=%x)", "f32[2,3]"),
                  "aten.exp.default(self=%x) : f32[2,3]"));
  EXPECT_TRUE(Has(Rewrite("prims.add.default(self=%x, other=%y)", "f32[2,3]"),
                  "aten.add.Tensor(self=%x, other=%y) : f32[2,3]"));
}

TEST_F(PrimsTest, OthersAreSaidByTheTable) {
  EXPECT_TRUE(Has(Rewrite("prims.rev.default(a=%x, dims=[1])", "f32[2,3]"),
                  "aten.flip.default(self=%x, dims=[1]) : f32[2,3]"));
  EXPECT_TRUE(Has(Rewrite("prims.amax.default(inp=%x, dims=[1])", "f32[2]"),
                  "aten.amax.default(self=%x, dim=[1]) : f32[2]"));
  EXPECT_TRUE(Has(Rewrite("prims.collapse_view.default(a=%x, start=0, end=1)", "f32[6]"),
                  "aten.view.default(self=%x, size=[6]) : f32[6]"));
  EXPECT_TRUE(Has(Rewrite("prims.transpose.default(a=%x, permutation=[1, 0])", "f32[3,2]"),
                  "aten.permute.default(self=%x, dims=[1, 0]) : f32[3,2]"));
}

TEST_F(PrimsTest, QuotientsOfIntegersAreCut) {
  EXPECT_TRUE(Has(Rewrite("prims.div.default(self=%x, other=%y)", "f32[2,3]"),
                  "aten.div.Tensor(self=%x, other=%y)"));
  EXPECT_TRUE(Has(Rewrite("prims.div.default(self=%x, other=%y)", "i64[2,3]", "i64[2,3]"),
                  "rounding_mode=\"trunc\""));
}

TEST_F(PrimsTest, DimsAreBroadcastByAViewAndAnExpansion) {
  const std::string text =
      Rewrite("prims.broadcast_in_dim.default(a=%x, shape=[2, 4, 3], broadcast_dimensions=[0, 2])",
              "f32[2,4,3]");
  EXPECT_TRUE(Has(text, "aten.view.default(self=%x, size=[2, 1, 3]) : f32[2,1,3]"));
  EXPECT_TRUE(Has(text, "aten.expand.default("));
}

TEST_F(PrimsTest, ProductsOverSeveralDimsAreOnesOverOne) {
  const std::string text = Rewrite("prims.prod.default(inp=%x, dims=[0, -1])", "f32[]");
  EXPECT_TRUE(Has(text, "aten.prod.dim_int(self=%x, dim=1) : f32[2]"));
  EXPECT_TRUE(Has(text, "dim=0) : f32[]"));
}

TEST_F(PrimsTest, ViewsAreWrittenThrough) {
  const std::string text = Normalize(
      "input %x : f32[2,3]\n"
      "%y = aten.clone.default(self=%x) : f32[2,3]\n"
      "%z = prims.collapse_view.default(a=%y, start=0, end=1) : f32[6]\n"
      "%w = aten.fill_.Scalar(self=%z, value=1.0) : f32[6]\n"
      "output %y\n");
  EXPECT_TRUE(Has(text, "aten.full.default("));
  EXPECT_FALSE(Has(text, "output %y"));
}

TEST_F(PrimsTest, WhatAtenHasNoWordForStays) {
  EXPECT_TRUE(
      Has(Rewrite("prims.cbrt.default(self=%x)", "f32[2,3]"), "prims.cbrt.default(self=%x)"));
}

}  // namespace
