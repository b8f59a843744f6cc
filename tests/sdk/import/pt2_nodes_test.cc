// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class NodesTest : public ImportTest {};

std::string Graph(const std::string &inputs, const std::string &outputs, const std::string &nodes,
                  const std::string &values) {
  return "{\"inputs\": [" + inputs + "], \"outputs\": [" + outputs + "], \"nodes\": [" + nodes +
         "], \"tensor_values\": {" + values +
         "}, \"sym_int_values\": {}, \"sym_bool_values\": {}, \"is_single_tensor_return\": false}";
}

std::string GraphArg(const std::string &name, const std::string &graph) {
  return Input("", "{\"as_graph\": {\"name\": \"" + name + "\", \"graph\": " + graph + "}}");
}

// A graph that applies an op to its one input.
std::string Body(const std::string &op) {
  return Graph(Tensor("v"), Tensor("w"),
               Node("torch.ops.aten." + op, Input("self", Tensor("v")), Tensor("w"), "w"),
               "\"v\": " + Meta("2", "1") + ", \"w\": " + Meta("2", "1"));
}

TEST_F(NodesTest, FlattensListsOfResults) {
  Program program = ReluProgram();
  program.AddValue("a", Meta("1", "1"));
  program.AddValue("b", Meta("1", "1"));
  program.AddNode(Node("torch.ops.acme.split.default", Input("self", Tensor("x")),
                       R"({"as_tensors": [{"name": "a"}, {"name": "b"}]})", "split"));
  program.AddOutput(Tensor("b"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("%split:2 = unknown \"acme.split.default\"(self=%x) : f32[1], f32[1]"),
            std::string::npos)
      << Print();
  EXPECT_NE(Print().find("output %split.1"), std::string::npos);
}

TEST_F(NodesTest, ReadsBranchesAsSubgraphs) {
  Program program = ReluProgram();
  program.AddUserInput("p", Meta("", "", 12));
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(Node("torch.ops.higher_order.cond",
                       Input("", Tensor("p")) + ", " + GraphArg("t", Body("neg.default")) + ", " +
                           GraphArg("f", Body("exp.default")) + ", " +
                           Input("", R"({"as_tensors": [{"name": "x"}]})"),
                       Tensor("y"), "cond"));
  program.AddOutput(Tensor("y"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("higher_order.cond.default(pred=%p, true_fn=@"), std::string::npos)
      << Print();
  EXPECT_NE(Print().find("aten.neg.default(self=%v)"), std::string::npos);
  EXPECT_NE(Print().find("aten.exp.default(self=%v)"), std::string::npos);
}

TEST_F(NodesTest, ReadsWrappedRegionsInPlace) {
  Program program = ReluProgram();
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(Node("torch.ops.higher_order.wrap_with_set_grad_enabled",
                       Input("", R"({"as_bool": false})") + ", " +
                           GraphArg("g", Body("neg.default")) + ", " + Input("", Tensor("x")),
                       Tensor("y"), "wrap"));
  program.AddOutput(Tensor("y"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("%wrap.w = aten.neg.default(self=%x)"), std::string::npos) << Print();
}

TEST_F(NodesTest, RefusesWritesToOperandsOfBranches) {
  Program program = ReluProgram();
  program.AddUserInput("p", Meta("", "", 12));
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(Node("torch.ops.higher_order.cond",
                       Input("", Tensor("p")) + ", " + GraphArg("t", Body("neg_.default")) + ", " +
                           GraphArg("f", Body("exp.default")) + ", " +
                           Input("", R"({"as_tensors": [{"name": "x"}]})"),
                       Tensor("y"), "cond"));
  program.AddOutput(Tensor("y"));
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("writes into its operand"), std::string::npos) << Said();
}

TEST_F(NodesTest, LimitsGraphsInGraphs) {
  std::string nested = Body("neg.default");
  for (int i = 0; i < 80; ++i) {
    nested = Graph(Tensor("v"), Tensor("w"),
                   Node("torch.ops.higher_order.wrap",
                        GraphArg("g", nested) + ", " + Input("", Tensor("v")), Tensor("w"), "w"),
                   "\"v\": " + Meta("2", "1") + ", \"w\": " + Meta("2", "1"));
  }
  Program program = ReluProgram();
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(Node("torch.ops.higher_order.wrap",
                       GraphArg("g", nested) + ", " + Input("", Tensor("x")), Tensor("y"), "y"));
  EXPECT_EQ(Import(program), BUDDY_LIMIT) << Said();
}

TEST_F(NodesTest, RefusesArgumentsThatTheSchemaHasNot) {
  Program program = ReluProgram();
  program.nodes = Node("torch.ops.aten.relu.default",
                       R"({"name": "input", "arg": {"as_tensor": {"name": "x"}}, "kind": 2})",
                       Tensor("relu"), "relu");
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("relu"), std::string::npos) << Said();
}

// Another release's name for it; what was given by its name, as kind 2, has none but that.
TEST_F(NodesTest, TakesWhatIsGivenByPositionUnderAnyName) {
  Program program = ReluProgram();
  program.nodes =
      Node("torch.ops.aten.relu.default", Input("input", Tensor("x")), Tensor("relu"), "relu");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("aten.relu.default(self=%x)"), std::string::npos) << Print();
}

TEST_F(NodesTest, RefusesAnArgumentThatAnotherReleasePutBetween) {
  Program program = ReluProgram();
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(Node("torch.ops.aten.sub.Tensor",
                       Input("between", Tensor("x")) + ", " + Input("self", Tensor("x")) + ", " +
                           Input("other", Tensor("relu")),
                       Tensor("y"), "y"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("argument \"self\" is given twice"), std::string::npos) << Said();
}

TEST_F(NodesTest, RefusesRegionsWithTooFewOperands) {
  Program program = ReluProgram();
  program.AddValue("y", Meta("2", "1"));
  program.AddNode(
      Node("torch.ops.higher_order.wrap", GraphArg("g", Body("neg.default")), Tensor("y"), "y"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT) << Said();
}

}  // namespace
