// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/views.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

// Each view is written through, and the base read: what the base becomes says how the view was
// understood.
class ViewsTest : public ImportTest {
 protected:
  std::string Write(const std::string &view, const std::string &type) {
    const std::string text =
        Normalize("input %x : f32[4,6]\n%y = aten.neg.default(self=%x) : f32[4,6]\n%v = " + view +
                  " : " + type + "\n%w = aten.relu_.default(self=%v) : " + type + "\noutput %y\n");
    const size_t end = text.rfind("\noutput"), start = text.rfind('\n', end - 1);
    const std::string last = text.substr(start + 1, end - start - 1);
    return last.substr(last.find("= ") + 2);
  }
};

TEST_F(ViewsTest, AreWrittenThrough) {
  EXPECT_EQ(Write("aten.slice.Tensor(self=%y, dim=1, start=-2, end=100)", "f32[4,2]"),
            "aten.slice_scatter.default(self=%y, src=%relu_1, dim=1, start=4, end=6) : f32[4,6]");
  EXPECT_EQ(Write("aten.narrow.default(self=%y, dim=-1, start=-3, length=2)", "f32[4,2]"),
            "aten.slice_scatter.default(self=%y, src=%relu_1, dim=1, start=3, end=5) : f32[4,6]");
  EXPECT_EQ(Write("aten.select.int(self=%y, dim=-1, index=-1)", "f32[4]"),
            "aten.select_scatter.default(self=%y, src=%relu_1, dim=1, index=5) : f32[4,6]");
  EXPECT_EQ(Write("aten.permute.default(self=%y, dims=[1, 0])", "f32[6,4]"),
            "aten.permute.default(self=%relu_1, dims=[1, 0]) : f32[4,6]");
  EXPECT_EQ(Write("aten.transpose.int(self=%y, dim0=-1, dim1=0)", "f32[6,4]"),
            "aten.permute.default(self=%relu_1, dims=[1, 0]) : f32[4,6]");
  EXPECT_EQ(Write("aten.movedim.int(self=%y, source=0, destination=-1)", "f32[6,4]"),
            "aten.permute.default(self=%relu_1, dims=[1, 0]) : f32[4,6]");
  EXPECT_EQ(Write("aten.numpy_T.default(self=%y)", "f32[6,4]"),
            "aten.permute.default(self=%relu_1, dims=[1, 0]) : f32[4,6]");
  EXPECT_EQ(Write("aten.mT.default(self=%y)", "f32[6,4]"),
            "aten.permute.default(self=%relu_1, dims=[1, 0]) : f32[4,6]");
  EXPECT_EQ(Write("aten.view.default(self=%y, size=[24])", "f32[24]"),
            "aten.view.default(self=%relu_1, size=[4, 6]) : f32[4,6]");
  EXPECT_EQ(Write("aten.unsqueeze.default(self=%y, dim=0)", "f32[1,4,6]"),
            "aten.view.default(self=%relu_1, size=[4, 6]) : f32[4,6]");
  EXPECT_EQ(Write("aten.flatten.using_ints(self=%y)", "f32[24]"),
            "aten.view.default(self=%relu_1, size=[4, 6]) : f32[4,6]");
  EXPECT_EQ(Write("aten.diagonal.default(self=%y, offset=1)", "f32[4]"),
            "aten.diagonal_scatter.default(self=%y, src=%relu_1, offset=1) : f32[4,6]");
  EXPECT_EQ(
      Write("aten.as_strided.default(self=%y, size=[2], stride=[2], storage_offset=1)", "f32[2]"),
      "aten.as_strided_scatter.default(self=%y, src=%relu_1, size=[2], stride=[2], "
      "storage_offset=1) : f32[4,6]");
  EXPECT_EQ(Write("aten.expand.default(self=%y, size=[1, 4, 6])", "f32[1,4,6]"),
            "aten.view.default(self=%relu_1, size=[4, 6]) : f32[4,6]");
  EXPECT_EQ(Write("aten.detach.default(self=%y)", "f32[4,6]"),
            "aten.relu.default(self=%y) : f32[4,6]");
  EXPECT_EQ(Write("aten.to.dtype(self=%y, dtype=dtype(f32))", "f32[4,6]"),
            "aten.relu.default(self=%y) : f32[4,6]");
  EXPECT_EQ(Write("aten.dropout.default(input=%y, p=0.5, train=false)", "f32[4,6]"),
            "aten.relu.default(self=%y) : f32[4,6]");
}

TEST_F(ViewsTest, CopiesAreNotWrittenThrough) {
  EXPECT_EQ(Write("aten.clone.default(self=%y)", "f32[4,6]"),
            "aten.neg.default(self=%x) : f32[4,6]");
  EXPECT_EQ(Write("aten.to.dtype(self=%y, dtype=dtype(f32), copy=true)", "f32[4,6]"),
            "aten.neg.default(self=%x) : f32[4,6]");
}

TEST_F(ViewsTest, PartsAreSlices) {
  const std::string text = Normalize(R"(
    input %x : f32[5]
    %y = aten.neg.default(self=%x) : f32[5]
    %p:3 = aten.split.Tensor(self=%y, split_size=2) : f32[2], f32[2], f32[1]
    %w = aten.relu_.default(self=%p.1) : f32[2]
    output %y
    output %p.2
  )");
  EXPECT_NE(text.find("aten.slice_scatter.default(self=%y, src=%relu_1, start=2, end=4)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("start=4, end=5) : f32[1]"), std::string::npos) << text;
}

}  // namespace
