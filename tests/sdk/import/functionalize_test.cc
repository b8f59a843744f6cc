// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/functionalize.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class FunctionalizeTest : public ImportTest {};

TEST_F(FunctionalizeTest, WritesThroughViewsReachTheBase) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[4,3]
    %y = aten.neg.default(self=%x) : f32[4,3]
    %row = aten.select.int(self=%y, dim=0, index=1) : f32[3]
    %w = aten.add_.Tensor(self=%row, other=2) : f32[3]
    output %y
    output %w
  )"),
            "input %x : f32[4,3]\n"
            "%y = aten.neg.default(self=%x) : f32[4,3]\n"
            "%row = aten.select.int(self=%y, dim=0, index=1) : f32[3]\n"
            "%add_1 = aten.add.Tensor(self=%row, other=2.0) : f32[3]\n"
            "%select_scatter_2 = aten.select_scatter.default(self=%y, src=%add_1, dim=0, index=1) "
            ": f32[4,3]\n"
            "output %select_scatter_2\n"
            "output %add_1\n");
}

TEST_F(FunctionalizeTest, OtherViewsSeeTheWrite) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[4]
    %y = aten.neg.default(self=%x) : f32[4]
    %square = aten.view.default(self=%y, size=[2, 2]) : f32[2,2]
    %t = aten.t.default(self=%square) : f32[2,2]
    %w = aten.relu_.default(self=%y) : f32[4]
    output %t
  )"),
            "input %x : f32[4]\n"
            "%y = aten.neg.default(self=%x) : f32[4]\n"
            "%relu_1 = aten.relu.default(self=%y) : f32[4]\n"
            "%view_2 = aten.view.default(self=%relu_1, size=[2, 2]) : f32[2,2]\n"
            "%permute_3 = aten.permute.default(self=%view_2, dims=[1, 0]) : f32[2,2]\n"
            "output %permute_3\n");
}

TEST_F(FunctionalizeTest, ReadsBeforeTheWriteStay) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[4]
    %y = aten.neg.default(self=%x) : f32[4]
    %before = aten.exp.default(self=%y) : f32[4]
    %w = aten.relu_.default(self=%y) : f32[4]
    output %before
    output %y
  )"),
            "input %x : f32[4]\n"
            "%y = aten.neg.default(self=%x) : f32[4]\n"
            "%before = aten.exp.default(self=%y) : f32[4]\n"
            "%relu_1 = aten.relu.default(self=%y) : f32[4]\n"
            "output %before\n"
            "output %relu_1\n");
}

TEST_F(FunctionalizeTest, WrittenInputsAndBuffersBecomeOutputs) {
  const std::string text = Normalize(R"(
    buffer %b "stats.mean" : f32[4]
    input %x : f32[4]
    %w = aten.add_.Tensor(self=%b, other=%x) : f32[4]
    %v = aten.neg_.default(self=%x) : f32[4]
    output %w
  )");
  EXPECT_NE(text.find("output buffer_mutation \"stats.mean\" = %add_1"), std::string::npos) << text;
  EXPECT_NE(text.find("output input_mutation \"x\" = %neg_2"), std::string::npos) << text;
}

TEST_F(FunctionalizeTest, InPlaceResultsKeepTheirDtype) {
  const std::string text = Normalize(R"(
    input %x : f32[4]
    input %d : f64[4]
    %y = aten.neg.default(self=%x) : f32[4]
    %w = aten.mul_.Tensor(self=%y, other=%d) : f32[4]
    output %w
  )");
  EXPECT_NE(text.find("= aten.mul.Tensor(self=%_to_copy_3, other=%d) : f64[4]"), std::string::npos)
      << text;
  EXPECT_NE(text.find("dtype=dtype(f32)) : f32[4]"), std::string::npos) << text;
}

TEST_F(FunctionalizeTest, OutArgumentsAreWritten) {
  const std::string text = Normalize(R"(
    input %x : f32[4]
    %empty = aten.zeros.default(size=[4]) : f32[4]
    %w = aten.add.out(self=%x, other=%x, out=%empty) : f32[4]
    output %empty
  )");
  EXPECT_EQ(
      text,
      "input %x : f32[4]\n%add_1 = aten.add.Tensor(self=%x, other=%x) : f32[4]\noutput %add_1\n");
}

TEST_F(FunctionalizeTest, OutArgumentsThatOthersSeeAreNotResized) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[4]
    input %mine : f32[0]
    %own = aten.zeros.default(size=[0]) : f32[0]
    %buffer = aten.zeros.default(size=[8]) : f32[8]
    %part = aten.slice.Tensor(self=%buffer, end=2) : f32[2]
    %u = aten.add.out(self=%x, other=%x, out=%own) : f32[4]
    %v = aten.add.out(self=%x, other=%x, out=%mine) : f32[4]
    %w = aten.add.out(self=%x, other=%x, out=%part) : f32[4]
    output %own
    output %buffer
  )"),
            "failed\n"
            "v: aten.add.out: it gives another size to an input or a view\n"
            "w: aten.add.out: it gives another size to an input or a view\n");
}

TEST_F(FunctionalizeTest, ShapesChangedInPlaceFollowTheName) {
  const std::string text = Normalize(R"(
    input %x : f32[2,3]
    %y = aten.neg.default(self=%x) : f32[2,3]
    %t = aten.t_.default(self=%y) : f32[3,2]
    %w = aten.relu_.default(self=%t) : f32[3,2]
    output %y
  )");
  EXPECT_NE(text.find("output %relu_"), std::string::npos) << text;
  EXPECT_NE(text.find(": f32[3,2]\noutput"), std::string::npos) << text;
}

TEST_F(FunctionalizeTest, WhatHasNoElementsIsResizedToAStorageOfItsOwn) {
  const std::string text = Normalize(R"(
    %own = aten.zeros.default(size=[0]) : f32[0]
    %y = aten.resize_.default(self=%own, size=[2, 3]) : f32[2,3]
    %w = aten.fill_.Scalar(self=%y, value=1) : f32[2,3]
    output %own
  )");
  EXPECT_NE(text.find("size=[2, 3], fill_value=1.0"), std::string::npos) << text;
  EXPECT_EQ(Normalize(R"(
    input %mine : f32[0]
    input %x : f32[3]
    %y = aten.neg.default(self=%x) : f32[3]
    %part = aten.slice.Tensor(self=%y, end=0) : f32[0]
    %v = aten.resize_.default(self=%mine, size=[2]) : f32[2]
    %w = aten.resize_.default(self=%part, size=[2]) : f32[2]
    output %y
  )"),
            "failed\n"
            "v: aten.resize_.default: it gives another size to an input or a view\n"
            "w: aten.resize_.default: it gives another size to an input or a view\n");
}

TEST_F(FunctionalizeTest, PartsOfExpansionsAreTheWhole) {
  const std::string text = Normalize(R"(
    input %x : f32[3]
    %y = aten.neg.default(self=%x) : f32[3]
    %e = aten.expand.default(self=%y, size=[2, 3]) : f32[2,3]
    %row = aten.select.int(self=%e, dim=0, index=1) : f32[3]
    %w = aten.relu_.default(self=%row) : f32[3]
    output %y
  )");
  EXPECT_NE(text.find("output %relu_"), std::string::npos) << text;
}

TEST_F(FunctionalizeTest, PartsOfListsAreViewsOfTheirPlaces) {
  const std::string text = Normalize(R"(
    input %x : f32[4]
    input %s : f32[]
    %b:2 = aten.broadcast_tensors.default(tensors=[%x, %s]) : f32[4], f32[4]
    %w = aten.neg_.default(self=%b.0) : f32[4]
    %a:2 = aten.atleast_1d.Sequence(tensors=[%s, %x]) : f32[1], f32[4]
    %v = aten.relu_.default(self=%a.0) : f32[1]
    output %b.1
  )");
  EXPECT_NE(text.find("output input_mutation \"x\" = %neg"), std::string::npos) << text;
  EXPECT_NE(text.find("output input_mutation \"s\" = "), std::string::npos) << text;
  EXPECT_NE(text.find("aten.expand.default(self=%view"), std::string::npos) << text;
}

TEST_F(FunctionalizeTest, TellsAllWritesThatCannotBeSaid) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[3]
    %y = aten.neg.default(self=%x) : f32[3]
    %e = aten.expand.default(self=%y, size=[2, 3]) : f32[2,3]
    %w = aten.relu_.default(self=%e) : f32[2,3]
    %u = aten.unfold.default(self=%y, dimension=0, size=2, step=1) : f32[2,2]
    %v = aten.relu_.default(self=%u) : f32[2,2]
  )"),
            "failed\n"
            "w: aten.relu_.default: it writes through a view whose elements overlap or are parts "
            "of numbers\n"
            "v: aten.relu_.default: it writes through a view whose elements overlap or are parts "
            "of numbers\n");
}

TEST_F(FunctionalizeTest, ListsAreWrittenOneByOne) {
  const std::string text = Normalize(R"(
    input %x : f32[3]
    %a = aten.neg.default(self=%x) : f32[3]
    %b = aten.exp.default(self=%x) : f32[3]
    %w:0 = aten._foreach_add_.Scalar(self=[%a, %b], scalar=1)
    output %a
    output %b
  )");
  EXPECT_NE(text.find("= aten.add.Tensor(self=%a, other=1.0"), std::string::npos) << text;
  EXPECT_NE(text.find("= aten.add.Tensor(self=%b, other=1.0"), std::string::npos) << text;
}

// What PyTorch refuses: elements that are written, and read at another place, by tensors without gaps.
class OverlapTest : public FunctionalizeTest {
 protected:
  std::string Add(const std::string &dims, const std::string &to, const std::string &from) {
    return Normalize(symbols + "input %x : f32[" + dims +
                     "]\n%y = aten.neg.default(self=%x) : f32[" + dims + "]\n%a = " + to +
                     "\n%b = " + from + "\n%w = aten.add_.Tensor(self=%a, other=%b) : f32[" +
                     to.substr(to.find("f32[") + 4) + "\noutput %y\n");
  }
  static std::string Slice(const std::string &args, const std::string &dims) {
    return "aten.slice.Tensor(self=%y, " + args + ") : f32[" + dims + "]";
  }

  std::string symbols;
};

TEST_F(OverlapTest, IsRefusedWhereElementsMove) {
  const std::string tail = Slice("dim=0, start=1, end=4, step=1", "3,4"),
                    head = Slice("dim=0, start=0, end=-1, step=1", "3,4"),
                    row = "aten.select.int(self=%y, dim=0, index=-2) : f32[4]",
                    whole = "aten.view.default(self=%y, size=[4, 4]) : f32[4,4]",
                    turned = "aten.t.default(self=%y) : f32[4,4]";
  for (const auto &[to, from] : {std::pair(tail, head),
                                 {head, tail},
                                 {tail, row},
                                 {whole, row},
                                 {whole, turned},
                                 {turned, whole}}) {
    const std::string text = Add("4,4", to, from);
    EXPECT_NE(text.find("which PyTorch refuses"), std::string::npos) << to << from << text;
  }
}

TEST_F(OverlapTest, IsNoneAtTheirOwnPlacesApartAndWithGaps) {
  const std::string tail = Slice("dim=0, start=2, end=4, step=1", "2,4"),
                    far = Slice("dim=0, start=-100, end=2, step=1", "2,4"),
                    again = Slice("dim=0, start=-2, end=100, step=1", "2,4"),
                    even = Slice("dim=0, start=0, end=4, step=2", "2,4"),
                    left = Slice("dim=1, start=0, end=3, step=1", "4,3"),
                    right = Slice("dim=1, start=1, end=4, step=1", "4,3"),
                    row = "aten.select.int(self=%y, dim=0, index=0) : f32[4]";
  for (const auto &[to, from] : {std::pair(tail, far),
                                 {far, tail},
                                 {tail, again},
                                 {even, far},
                                 {left, right},
                                 {tail, row}}) {
    const std::string text = Add("4,4", to, from);
    EXPECT_EQ(text.find("failed"), std::string::npos) << to << from << text;
  }
}

TEST_F(OverlapTest, IsNoneWhereTheOpReadsSomethingElse) {
  const std::string text = Normalize(R"(
    input %x : f32[4]
    input %m : i1[4]
    %y = aten.neg.default(self=%x) : f32[4]
    %first = aten.select.int(self=%y, dim=0, index=0) : f32[]
    %tail = aten.slice.Tensor(self=%y, dim=0, start=1, end=4, step=1) : f32[3]
    %head = aten.slice.Tensor(self=%y, dim=0, start=0, end=3, step=1) : f32[3]
    %a = aten.masked_fill_.Tensor(self=%y, mask=%m, value=%first) : f32[4]
    %b = aten.fill_.Tensor(self=%y, value=%first) : f32[4]
    %c = aten.ldexp_.default(self=%tail, other=%head) : f32[3]
    output %y
  )");
  EXPECT_EQ(text.find("failed"), std::string::npos) << text;
}

TEST_F(OverlapTest, IsAQuestionOfTheRunsSizes) {
  symbols = "symbol s0 [0, 1000]\n";
  const std::string text =
      Add("s0,4", Slice("dim=0, start=1, end=9223372036854775807, step=1", "s0-1,4"),
          Slice("dim=0, start=0, end=-1, step=1", "s0-1,4"));
  EXPECT_NE(text.find("guard {-4*s0+4*min(s0,1)+4} \"what is written"), std::string::npos) << text;
}

}  // namespace
