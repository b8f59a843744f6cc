// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class OpsTest : public ImportTest {
 protected:
  // What becomes of one op on x, as "op(args) : type", or the name of the value that stands for it.
  std::string Rewrite(const std::string &op, const std::string &type,
                      const std::string &x = "f32[2,3]") {
    const std::string text =
        Normalize("input %x : " + x + "\n%y = " + op + " : " + type + "\noutput %y\n");
    if (text == "input %x : " + x + "\noutput %x\n") return "%x";
    const size_t at = text.find("= "), end = text.find('\n', at);
    return text.substr(at + 2, end - at - 2);
  }
};

TEST_F(OpsTest, WhatChangesNothingGoes) {
  for (const char *op :
       {"aten.detach.default(self=%x)", "aten.alias.default(self=%x)",
        "aten.contiguous.default(self=%x)",
        "aten.clone.default(self=%x, memory_format=memory_format(\"preserve\"))",
        "aten.lift_fresh_copy.default(self=%x)",
        "aten.dropout.default(input=%x, p=0.5, train=false)",
        "aten.dropout.default(input=%x, p=0.0, train=true)", "aten._to_copy.default(self=%x)",
        "aten.to.dtype(self=%x, dtype=dtype(f32))", "aten.positive.default(self=%x)",
        "aten.view.default(self=%x, size=[2, -1])", "aten.expand.default(self=%x, size=[2, 3])",
        "aten.permute.default(self=%x, dims=[0, -1])", "aten.slice.Tensor(self=%x, dim=1)",
        "aten.squeeze.dim(self=%x, dim=0)", "aten.type_as.default(self=%x, other=%x)"}) {
    EXPECT_EQ(Rewrite(op, "f32[2,3]"), "%x") << op;
  }
}

TEST_F(OpsTest, WhatChangesSomethingStays) {
  EXPECT_EQ(Rewrite("aten.dropout.default(input=%x, p=0.5, train=true)", "f32[2,3]"),
            "aten.dropout.default(input=%x, p=0.5, train=true) : f32[2,3]");
  EXPECT_EQ(Rewrite("aten.view.dtype(self=%x, dtype=dtype(i32))", "i32[2,3]"),
            "aten.view.dtype(self=%x, dtype=dtype(i32)) : i32[2,3]");
  EXPECT_EQ(Rewrite("aten.real.default(self=%x)", "f32[2]", "c64[2]"),
            "aten.real.default(self=%x) : f32[2]");
}

TEST_F(OpsTest, ConversionsAreToCopy) {
  const std::string expected = "aten._to_copy.default(self=%x, dtype=dtype(f16)) : f16[2,3]";
  for (const char *op :
       {"aten.to.dtype(self=%x, dtype=dtype(f16))",
        "aten.to.device(self=%x, device=device(\"cpu\"), dtype=dtype(f16))",
        "aten.to.dtype_layout(self=%x, dtype=dtype(f16), layout=layout(\"strided\"))",
        "aten._cast_Half.default(self=%x)",
        "prims.convert_element_type.default(a=%x, dtype=dtype(f16))",
        "aten._to_copy.default(self=%x, dtype=dtype(f16), device=device(\"cpu\"))"}) {
    EXPECT_EQ(Rewrite(op, "f16[2,3]"), expected) << op;
  }
}

TEST_F(OpsTest, FillingsAreFull) {
  EXPECT_EQ(Rewrite("aten.zeros_like.default(self=%x)", "f32[2,3]"),
            "aten.full.default(size=[2, 3], fill_value=0.0, dtype=dtype(f32)) : f32[2,3]");
  EXPECT_EQ(Rewrite("aten.ones.default(size=[2])", "i64[2]"),
            "aten.full.default(size=[2], fill_value=1, dtype=dtype(i64)) : i64[2]");
  EXPECT_EQ(Rewrite("aten.full_like.default(self=%x, fill_value=2, dtype=dtype(i1))", "i1[2,3]"),
            "aten.full.default(size=[2, 3], fill_value=true, dtype=dtype(i1)) : i1[2,3]");
  EXPECT_EQ(Rewrite("aten.fill.Scalar(self=%x, value=3)", "f32[2,3]"),
            "aten.full.default(size=[2, 3], fill_value=3.0, dtype=dtype(f32)) : f32[2,3]");
  EXPECT_EQ(Rewrite("aten.scalar_tensor.default(s=1, dtype=dtype(f32))", "f32[]"),
            "aten.full.default(size=ints[], fill_value=1.0, dtype=dtype(f32)) : f32[]");
}

TEST_F(OpsTest, WhatHasNoElementsIsFilled) {
  EXPECT_EQ(Rewrite("aten.adaptive_avg_pool1d.default(self=%x, output_size=[0])", "f32[2,0]"),
            "aten.full.default(size=[2, 0], fill_value=0.0, dtype=dtype(f32)) : f32[2,0]");
}

TEST_F(OpsTest, DiagonalsAreWrittenAsViews) {
  const std::string text = Normalize(
      "input %x : f32[2,3]\n%y = aten.clone.default(self=%x) : f32[2,3]\n"
      "%z = aten.fill_diagonal_.default(self=%y, fill_value=1.0) : f32[2,3]\noutput %z\n");
  EXPECT_NE(text.find("aten.diagonal_scatter.default("), std::string::npos) << text;
}

TEST_F(OpsTest, ShapesAreViewsExpansionsAndPermutations) {
  EXPECT_EQ(Rewrite("aten.ravel.default(self=%x)", "f32[6]"),
            "aten.view.default(self=%x, size=[6]) : f32[6]");
  EXPECT_EQ(Rewrite("aten.broadcast_to.default(self=%x, size=[4, 2, 3])", "f32[4,2,3]"),
            "aten.expand.default(self=%x, size=[4, 2, 3]) : f32[4,2,3]");
  EXPECT_EQ(Rewrite("aten.swapaxes.default(self=%x, axis0=0, axis1=-1)", "f32[3,2]"),
            "aten.permute.default(self=%x, dims=[1, 0]) : f32[3,2]");
  EXPECT_EQ(Rewrite("aten.mT.default(self=%x)", "f32[3,2]"),
            "aten.permute.default(self=%x, dims=[1, 0]) : f32[3,2]");
}

TEST_F(OpsTest, PartsAreSlicesAndSelections) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[5,2]
    %p:3 = aten.tensor_split.sections(self=%x, sections=3) : f32[2,2], f32[2,2], f32[1,2]
    %u:2 = aten.unbind.int(self=%x, dim=-1) : f32[5], f32[5]
    output %p.2
    output %u.1
  )"),
            "input %x : f32[5,2]\n"
            "%slice_1 = aten.slice.Tensor(self=%x, start=4, end=5) : f32[1,2]\n"
            "%select_2 = aten.select.int(self=%x, dim=1, index=1) : f32[5]\n"
            "output %slice_1\noutput %select_2\n");
}

TEST_F(OpsTest, ChecksGo) {
  EXPECT_EQ(
      Normalize(
          "input %x : f32[2]\n%a:0 = aten._assert_tensor_metadata.default(a=%x)\noutput %x\n"),
      "input %x : f32[2]\noutput %x\n");
}

}  // namespace
