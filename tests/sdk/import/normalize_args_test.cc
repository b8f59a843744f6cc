// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class ArgsFormTest : public ImportTest {
 protected:
  std::string Form(const std::string &op, const std::string &type,
                   const std::string &x = "f32[2,3,4]", const std::string &before = "") {
    const std::string text =
        Normalize(before + "input %x : " + x + "\n%y = " + op + " : " + type + "\noutput %y\n");
    const size_t at = text.find("%y = ");
    return at == std::string::npos ? text : text.substr(at + 5, text.find(" : ", at) - at - 5);
  }
};

TEST_F(ArgsFormTest, DimsCountFromTheFront) {
  EXPECT_EQ(Form("aten.softmax.int(self=%x, dim=-1)", "f32[2,3,4]"),
            "aten.softmax.int(self=%x, dim=2)");
  EXPECT_EQ(Form("aten.sum.dim_IntList(self=%x, dim=[-1, 0])", "f32[3]"),
            "aten.sum.dim_IntList(self=%x, dim=[2, 0])");
  EXPECT_EQ(Form("aten.transpose.int(self=%x, dim0=-1, dim1=-2)", "f32[2,4,3]"),
            "aten.transpose.int(self=%x, dim0=2, dim1=1)");
  EXPECT_EQ(Form("aten.unsqueeze.default(self=%x, dim=-1)", "f32[2,3,4,1]"),
            "aten.unsqueeze.default(self=%x, dim=3)");
  EXPECT_EQ(Form("aten.stack.default(tensors=[%x, %x], dim=-1)", "f32[2,3,4,2]"),
            "aten.stack.default(tensors=[%x, %x], dim=3)");
  EXPECT_EQ(Form("aten.cat.default(tensors=[%x, %x], dim=-2)", "f32[2,6,4]"),
            "aten.cat.default(tensors=[%x, %x], dim=1)");
  EXPECT_EQ(Form("aten.cumsum.default(self=%x, dim=-1)", "f32[]", "f32[]"),
            "aten.cumsum.default(self=%x, dim=0)");
  EXPECT_EQ(Form("aten.flatten.using_ints(self=%x, start_dim=-2)", "f32[2,12]"),
            "aten.flatten.using_ints(self=%x, start_dim=1, end_dim=2)");
}

TEST_F(ArgsFormTest, IndicesAreWithinTheTensor) {
  EXPECT_EQ(Form("aten.select.int(self=%x, dim=-1, index=-1)", "f32[2,3]"),
            "aten.select.int(self=%x, dim=2, index=3)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, dim=2, start=-2, end=100)", "f32[2,3,2]"),
            "aten.slice.Tensor(self=%x, dim=2, start=2, end=4)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, dim=2, start=-100, end=-1)", "f32[2,3,3]"),
            "aten.slice.Tensor(self=%x, dim=2, start=0, end=3)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, dim=2, start=1, step=2)", "f32[2,3,2]"),
            "aten.slice.Tensor(self=%x, dim=2, start=1, end=4, step=2)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, dim=2, start=3, end=1)", "f32[2,3,0]"),
            "aten.slice.Tensor(self=%x, dim=2, start=3, end=3)");
}

TEST_F(ArgsFormTest, SymbolicEndsAreExact) {
  const std::string s = "symbol s0 [2, 64]\n";
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, start=1)", "f32[s0-1]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start=1, end={s0})");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, start=-2)", "f32[2]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start={s0-2}, end={s0})");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, end=-1)", "f32[s0-1]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start=0, end={s0-1})");
  EXPECT_EQ(Form("aten.select.int(self=%x, dim=0, index=-1)", "f32[]", "f32[s0]", s),
            "aten.select.int(self=%x, dim=0, index={s0-1})");
}

TEST_F(ArgsFormTest, EndsAreBroughtIntoSymbolicDims) {
  const std::string s = "symbol s0 [0, 99]\n";
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, start=-100, end=2)", "f32[2]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start=0, end=2)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, start=-100, step=2)", "f32[(s0+1)//2]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start=0, end={s0}, step=2)");
  EXPECT_EQ(Form("aten.slice.Tensor(self=%x, start=-8, end=3)", "f32[3]", "f32[s0]", s),
            "aten.slice.Tensor(self=%x, start=0, end=3)");
}

TEST_F(ArgsFormTest, PlacesThatSizesMayNotHaveAreGuarded) {
  const std::string head = "symbol s0 [0, inf]\ninput %x : f32[s0]\n";
  const auto guards = [&](const std::string &node, const std::string &type) {
    const std::string text = Normalize(head + "%y = " + node + " : " + type + "\noutput %y\n");
    std::string found;
    for (size_t at = text.find("guard"); at != std::string::npos; at = text.find("guard", at + 1))
      found += text.substr(text.find('"', at),
                           text.find('"', text.find('"', at) + 1) + 1 - text.find('"', at));
    return found;
  };
  EXPECT_EQ(guards("aten.slice.Tensor(self=%x, end=2)", "f32[2]"), "\"2 <= s0\"");
  EXPECT_EQ(guards("aten.slice.Tensor(self=%x, start=1)", "f32[s0-1]"), "\"1 <= s0\"");
  EXPECT_EQ(guards("aten.select.int(self=%x, dim=0, index=1)", "f32[]"), "\"1 < s0\"");
  EXPECT_EQ(guards("aten.squeeze.dim(self=%x, dim=0)", "f32[s0]"), "\"s0 != 1\"");
  EXPECT_EQ(guards("aten.slice.Tensor(self=%x)", "f32[s0]"), "");
}

TEST_F(ArgsFormTest, SteppedEndsMayBeAnywhereThatGivesTheLength) {
  const std::string sizes = "symbol s0 [0, 99]\n";
  const std::string src = "aten.slice_scatter.default(self=%x, src=%y, start=-6, end=11, step=3)";
  const std::string text = Normalize(sizes + "input %x : f32[s0]\ninput %y : f32[2]\n%z = " + src +
                                     " : f32[s0]\noutput %z\n");
  EXPECT_NE(text.find("start={max(s0-6,0)}"), std::string::npos) << text;
  EXPECT_EQ(text.find("\"0 <= s0-6\""), std::string::npos) << text;
}

TEST_F(ArgsFormTest, SizesAreSpelledOut) {
  EXPECT_EQ(Form("aten.view.default(self=%x, size=[-1, 4])", "f32[6,4]"),
            "aten.view.default(self=%x, size=[6, 4])");
  EXPECT_EQ(Form("aten.expand.default(self=%x, size=[5, -1, -1, -1])", "f32[5,2,3,4]"),
            "aten.expand.default(self=%x, size=[5, 2, 3, 4])");
}

TEST_F(ArgsFormTest, ListsHaveTheirLength) {
  EXPECT_EQ(Form("aten.max_pool2d.default(self=%x, kernel_size=[2])", "f32[1,2,2]", "f32[1,4,4]"),
            "aten.max_pool2d.default(self=%x, kernel_size=[2, 2], stride=[2, 2])");
  EXPECT_NE(Form("aten.convolution.default(input=%x, weight=%x, bias=none, stride=[1], "
                 "padding=[0], dilation=[1], transposed=false, output_padding=[0], groups=1)",
                 "f32[1,1,1,1]", "f32[1,1,1,1]")
                .find("stride=[1, 1], padding=[0, 0], dilation=[1, 1]"),
            std::string::npos);
}

TEST_F(ArgsFormTest, WhatSaysNothingIsAtItsDefault) {
  EXPECT_EQ(Form("aten.arange.default(end=4, device=device(\"cpu\"), pin_memory=false, "
                 "layout=layout(\"strided\"))",
                 "i64[4]"),
            "aten.arange.default(end=4)");
}

}  // namespace
