// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class NamesTest : public ImportTest {};

TEST_F(NamesTest, RefusesNamesThatAreNotDescribed) {
  Program program = ReluProgram();
  program.nodes =
      Node("torch.ops.aten.relu.default", Input("self", Tensor("y")), Tensor("relu"), "relu");
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(
      Said().find("$.graph_module.graph.nodes[0].inputs[0].arg.as_tensor.name is a name that the "
                  "graph does not describe"),
      std::string::npos)
      << Said();
}

TEST_F(NamesTest, RefusesUseBeforeDefinition) {
  Program program = ReluProgram();
  program.nodes =
      Node("torch.ops.aten.relu.default", Input("self", Tensor("relu")), Tensor("relu"), "relu");
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("before it is defined"), std::string::npos) << Said();
}

TEST_F(NamesTest, RefusesSecondDefinitions) {
  Program program = ReluProgram();
  program.AddNode(
      Node("torch.ops.aten.neg.default", Input("self", Tensor("x")), Tensor("relu"), "neg"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("'relu' is defined twice"), std::string::npos) << Said();
}

TEST_F(NamesTest, RefusesNumbersForTensors) {
  Program program = ReluProgram();
  program.tensor_values = "\"x\": " + Meta("2", "1");
  program.sym_int_values = "\"relu\": {\"as_int\": 3}";
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("no tensor"), std::string::npos) << Said();
}

}  // namespace
