// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class PrepareTest : public ImportTest {};

TEST_F(PrepareTest, BatchNormSaysItsWrites) {
  const std::string text = Normalize(R"(
    buffer %m "mean" : f32[3]
    buffer %v "var" : f32[3]
    input %x : f32[2,3]
    %y = aten.batch_norm.default(input=%x, weight=none, bias=none, running_mean=%m, running_var=%v, training=true, momentum=0.1, eps=0.001, cudnn_enabled=false) : f32[2,3]
    output %y
  )");
  EXPECT_NE(text.find("aten._native_batch_norm_legit_functional.default("), std::string::npos)
      << text;
  EXPECT_NE(text.find("output buffer_mutation \"mean\" ="), std::string::npos) << text;
  EXPECT_NE(text.find("output buffer_mutation \"var\" ="), std::string::npos) << text;
}

TEST_F(PrepareTest, InstanceNormThatLearnsIsABatchNorm) {
  const std::string text = Normalize(R"(
    buffer %m "mean" : f32[3]
    buffer %v "var" : f32[3]
    input %x : f32[2,3,4]
    %y = aten.instance_norm.default(input=%x, weight=none, bias=none, running_mean=%m, running_var=%v, use_input_stats=true, momentum=0.1, eps=0.001, cudnn_enabled=false) : f32[2,3,4]
    output %y
  )");
  EXPECT_NE(text.find("aten._native_batch_norm_legit_functional.default("), std::string::npos)
      << text;
  EXPECT_NE(text.find(": f32[1,6,4]"), std::string::npos) << text;
  EXPECT_NE(text.find("output buffer_mutation \"mean\" ="), std::string::npos) << text;
  EXPECT_NE(text.find("output buffer_mutation \"var\" ="), std::string::npos) << text;
}

// x.t() and the storage it looks at: as_strided means the storage.
TEST_F(PrepareTest, AsStridedIsGivenTheStorage) {
  Program program;
  program.AddUserInput("x", Meta("2,3", "3,1"));
  program.AddValue("t", Meta("3,2", "1,3"));
  program.AddValue("s", Meta("2", "2"));
  program.AddNode(Node("torch.ops.aten.t.default", Input("self", Tensor("x")), Tensor("t"), "t"));
  program.AddNode(Node("torch.ops.aten.as_strided.default",
                       Input("self", Tensor("t")) + ", " + Input("size", R"({"as_ints": [2]})") +
                           ", " + Input("stride", R"({"as_ints": [2]})"),
                       Tensor("s"), "s"));
  program.AddOutput(Tensor("s"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(
      Print().find("aten.as_strided.default(self=%x, size=[2], stride=[2], storage_offset=0)"),
      std::string::npos)
      << Print();
}

TEST_F(PrepareTest, ReshapeOfATransposedTensorIsACopy) {
  Program program;
  program.AddUserInput("x", Meta("2,3", "3,1"));
  program.AddValue("y", Meta("2,3", "3,1"));
  program.AddValue("t", Meta("3,2", "1,3"));
  program.AddValue("r", Meta("6", "1"));
  program.AddValue("w", Meta("6", "1"));
  program.AddNode(Node("torch.ops.aten.neg.default", Input("self", Tensor("x")), Tensor("y"), "y"));
  program.AddNode(Node("torch.ops.aten.t.default", Input("self", Tensor("y")), Tensor("t"), "t"));
  program.AddNode(Node("torch.ops.aten.reshape.default",
                       Input("self", Tensor("t")) + ", " + Input("shape", R"({"as_ints": [-1]})"),
                       Tensor("r"), "r"));
  program.AddNode(
      Node("torch.ops.aten.relu_.default", Input("self", Tensor("r")), Tensor("w"), "w"));
  program.AddOutput(Tensor("y"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("output %y\n"), std::string::npos) << Print();
}

}  // namespace
