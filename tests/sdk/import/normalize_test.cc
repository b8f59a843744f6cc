// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/normalize.h"

#include "core/base/memory.h"
#include "tests/sdk/import/archive_builder.h"

namespace {

class NormalizeTest : public ImportTest {};

TEST_F(NormalizeTest, ErasesWhatNobodyUses) {
  EXPECT_EQ(Normalize(R"(
    input %x : f32[2]
    %a = aten.neg.default(self=%x) : f32[2]
    %b = aten.exp.default(self=%a) : f32[2]
    output %x
  )"),
            "input %x : f32[2]\noutput %x\n");
}

TEST_F(NormalizeTest, KeepsWhatSizesComeFrom) {
  const std::string text = Normalize(R"(
    symbol u0 [0, inf]
    symbol u1 [0, inf]
    input %x : i1[8]
    input %k : i64[1]
    %n = aten.nonzero.default(self=%x) : i64[u0,1]
    %item = aten.view.default(self=%k, size=ints[]) : i64[]
    bind u1 = %item
    output {u0}
    output {u1}
  )");
  EXPECT_NE(text.find("aten.nonzero.default"), std::string::npos) << text;
  EXPECT_NE(text.find("bind u1 = %item"), std::string::npos) << text;
}

TEST_F(NormalizeTest, KeepsUnknownOps) {
  const std::string text =
      Normalize("input %x : f32[2]\n%a = unknown \"acme.op\"(x=%x) : f32[2]\noutput %x\n");
  EXPECT_NE(text.find("unknown \"acme.op\""), std::string::npos) << text;
}

TEST_F(NormalizeTest, KeepsWhatOthersSee) {
  const std::string text = Normalize(R"(
    graph @yes {
      input %x : f32[2]
      %sum = _c10d_functional.all_reduce.default(input=%x, reduce_op="sum", group_name="0") : f32[2]
      output %sum
    }
    graph @no {
      input %x : f32[2]
      output %x
    }
    input %p : i1[]
    input %x : f32[2]
    %mean = _c10d_functional.all_reduce.default(input=%x, reduce_op="avg", group_name="0") : f32[2]
    %done = _c10d_functional.wait_tensor.default(tensor=%mean) : f32[2]
    %r = higher_order.cond.default(pred=%p, true_fn=@yes, false_fn=@no, operands=[%x]) : f32[2]
    output %x
  )");
  EXPECT_NE(text.find("%mean = "), std::string::npos) << text;
  EXPECT_EQ(text.find("wait_tensor"), std::string::npos) << text;
  EXPECT_NE(text.find("higher_order.cond"), std::string::npos) << text;
}

TEST_F(NormalizeTest, IsDoneOnce) {
  const std::string once = Normalize(R"(
    input %x : i64[2,3]
    %a = aten.add.Tensor(self=%x, other=1.5) : f32[2,3]
    %b = aten.slice.Tensor(self=%a, dim=-1, start=-2) : f32[2,2]
    %c = aten.new_zeros.default(self=%b, size=[2]) : f32[2]
    output %b
    output %c
  )");
  EXPECT_EQ(Normalize(once), once);
}

/* What is written gets the type of what it is written to: a size that had a name is a number then. */
TEST_F(NormalizeTest, TellsWhatAnEditContradicts) {
  const std::string text = R"(graph @f {
    symbol s0 [2, 64]
    input %x : f32[s0,64]
    %a = aten.add_.Tensor(self=%x, other=1) : f32[s0,2*s0]
    %n = aten.narrow.default(self=%a, dim=1, start=0, length=1) : f32[s0,1]
    %s = aten.slice_scatter.default(self=%a, src=%n, dim=1, start=7, end=17, step=2) : f32[s0,2*s0]
    output %s
  })";
  ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
      << Said();
  EXPECT_EQ(buddy_graph_normalize(graph, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(Said().find("s: aten.slice_scatter.default"), std::string::npos) << Said();
  EXPECT_NE(Said().find("the part is not of the shape of the slice"), std::string::npos) << Said();
}

TEST_F(NormalizeTest, FreesEverythingWhenMemoryIsOut) {
  const std::string text =
      "graph @f {\n  input %x : f32[4]\n  %y = aten.neg.default(self=%x) : f32[4]\n"
      "  %v = aten.slice.Tensor(self=%y, start=1, end=3) : f32[2]\n  %w = "
      "aten.add_.Tensor(self=%v, other=1) : f32[2]\n"
      "  output %y\n}\n";
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  for (int64_t n = 0; code; ++n) {
    Close();
    ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK);
    bd_memory_fail_after(n);
    code = buddy_graph_normalize(graph, diags);
    bd_memory_fail_after(-1);
    ASSERT_TRUE(code == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) << n << Said();
    ASSERT_LT(n, 10000);
  }
}

TEST_F(NormalizeTest, LosesNoGuardWhenMemoryIsOut) {
  const std::string text =
      "graph @f {\n  symbol s0 [0, 1000]\n  input %x : f32[s0]\n  %y = aten.neg.default(self=%x) : "
      "f32[s0]\n"
      "  %a = aten.slice.Tensor(self=%y, dim=0, start=1, end=9223372036854775807, step=1) : "
      "f32[s0-1]\n"
      "  %b = aten.slice.Tensor(self=%y, dim=0, start=0, end=-1, step=1) : f32[s0-1]\n"
      "  %w = aten.add_.Tensor(self=%a, other=%b) : f32[s0-1]\n  output %y\n}\n";
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  for (int64_t n = 0; code; ++n) {
    Close();
    ASSERT_EQ(buddy_graph_parse(opset, {text.data(), text.size()}, diags, &graph), BUDDY_OK)
        << Said();
    bd_memory_fail_after(n);
    code = buddy_graph_normalize(graph, diags);
    bd_memory_fail_after(-1);
    ASSERT_TRUE(code == BUDDY_OK || code == BUDDY_OUT_OF_MEMORY) << n << Said();
    ASSERT_LT(n, 10000);
    if (code) continue;
    EXPECT_NE(Print().find("what is written has no elements"), std::string::npos) << n << Print();
  }
}

}  // namespace
