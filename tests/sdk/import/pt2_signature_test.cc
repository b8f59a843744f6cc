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

TEST_F(SignatureTest, RefusesTokensObjectsAndGradients) {
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
  program = ReluProgram();
  Program::Comma(&program.inputs) += R"({"as_none": true})";
  Program::Comma(&program.input_specs) += R"({"token": {"arg": {"name": "t"}}})";
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
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
