// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class SignatureTest : public ImportTest {};

TEST_F(SignatureTest, BakesPythonNumbers) {
  Program program;
  program.AddUserInput("x", Meta("2", "1"));
  Program::Comma(&program.inputs) += R"({"as_int": 3})";
  Program::Comma(&program.input_specs) +=
      R"({"constant_input": {"name": "k", "value": {"as_int": 3}}})";
  program.AddOutput(Tensor("x"));
  program.AddOutput(R"({"as_none": true})");
  program.AddOutput(R"({"as_float": 2.5})");
  program.AddOutput(R"({"as_bool": true})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(Print(),
            "graph @forward {\n  input %x : f32[2]\n  output %x\n  output none\n  output 2.5\n  "
            "output true\n}\n");
}

TEST_F(SignatureTest, KeepsMutationsThatAreListed) {
  Program program = ReluProgram();
  program.output_specs =
      R"({"user_input_mutation": {"arg": {"name": "relu"}, "user_input_name": "x"}})";
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("output input_mutation \"x\" = %relu"), std::string::npos) << Print();
}

TEST_F(SignatureTest, RefusesMutationsOfAnotherType) {
  for (const char *meta : {"1000", "2, 1", ""}) {
    const bool is_flat = std::string(meta) == "1000";
    Program program = ReluProgram();
    const std::string type = is_flat ? Meta("1000", "1")
                             : *meta ? Meta("2,1", "1,1")
                                     : Meta("", "");
    program.AddUserInput("y", type);
    program.output_specs =
        R"({"user_input_mutation": {"arg": {"name": "y"}, "user_input_name": "x"}})";
    program.outputs = Tensor("y");
    EXPECT_EQ(Import(program), BUDDY_INVALID_ARGUMENT) << meta;
    EXPECT_NE(Said().find("x: the program writes a value of type f32["), std::string::npos)
        << Said();
  }
}

TEST_F(SignatureTest, RefusesObjectsAndGradients) {
  Program program = ReluProgram();
  Program::Comma(&program.inputs) +=
      R"({"as_custom_obj": {"name": "o", "class_fqn": "acme.Queue"}})";
  Program::Comma(&program.input_specs) +=
      R"({"custom_obj": {"arg": {"name": "o", "class_fqn": "acme.Queue"}, "custom_obj_name": "queue"}})";
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("queue"), std::string::npos) << Said();
  program = ReluProgram();
  program.output_specs =
      R"({"gradient_to_parameter": {"arg": {"name": "relu"}, "parameter_name": "w"}})";
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
}

// with_effects(token, op, …) gives (token, …): the op alone is left, in its place.
TEST_F(SignatureTest, TokensOrderEffectsAndAreLeftOut) {
  Program program = ReluProgram();
  Program::Comma(&program.inputs) += R"({"as_tensor": {"name": "t"}})";
  Program::Comma(&program.input_specs) += R"({"token": {"arg": {"name": "t"}}})";
  program.AddNode(Node(
      "torch.ops.higher_order.with_effects",
      Input("", Tensor("t")) +
          R"(, {"name": "", "arg": {"as_operator": "torch.ops.aten._assert_async.msg"}, "kind": 1}, )" +
          Input("", Tensor("relu")) +
          R"(, {"name": "", "arg": {"as_string": "is zero"}, "kind": 1})",
      R"({"as_tensor": {"name": "t2"}}, {"as_none": true})", "effects"));
  program.outputs = Tensor("t2") + ", " + program.outputs;
  program.output_specs = R"({"token": {"arg": {"name": "t2"}}}, )" + program.output_specs;
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(Print().find("token"), std::string::npos) << Print();
  EXPECT_EQ(Print().find("%t"), std::string::npos) << Print();
  program.nodes =
      Node("torch.ops.higher_order.with_effects", Input("", Tensor("t")), "", "effects");
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
}

TEST_F(SignatureTest, RefusesCountsThatDiffer) {
  Program program = ReluProgram();
  program.input_specs = "";
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  program = ReluProgram();
  program.output_specs += ", " + program.output_specs;
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  program = ReluProgram();
  program.input_specs = R"({"novelty": {}})";
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
}

}  // namespace
