// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class ArgsTest : public ImportTest {
 protected:
  // The text of an argument of an op that buddy does not know, so that the schema decides nothing.
  std::string Read(const std::string &arg) {
    Program program = ReluProgram();
    program.nodes =
        Node("torch.ops.acme.op.default", Input("self", Tensor("x")) + ", " + Input("a", arg),
             Tensor("relu"), "relu");
    zips.clear();
    const buddy_code code = Import(program);
    if (code) return buddy_code_name(code) + (": " + Said());
    const std::string text = Print();
    const size_t at = text.find("a=", text.find("unknown")), end = text.find(") : ", at);
    return text.substr(at + 2, end - at - 2);
  }
};

TEST_F(ArgsTest, ReadsEveryKind) {
  EXPECT_EQ(Read(R"({"as_none": true})"), "none");
  EXPECT_EQ(Read(R"({"as_int": -3})"), "-3");
  EXPECT_EQ(Read(R"({"as_ints": [1, 2]})"), "[1, 2]");
  EXPECT_EQ(Read(R"({"as_float": 1.5})"), "1.5");
  EXPECT_EQ(Read(R"({"as_float": "-Infinity"})"), "-inf");
  EXPECT_EQ(Read(R"({"as_floats": [1.5, 2]})"), "[1.5, 2.0]");
  EXPECT_EQ(Read(R"({"as_string": "tanh"})"), "\"tanh\"");
  EXPECT_EQ(Read(R"({"as_strings": ["a", "b"]})"), "[\"a\", \"b\"]");
  EXPECT_EQ(Read(R"({"as_bool": true})"), "true");
  EXPECT_EQ(Read(R"({"as_bools": [true, false]})"), "[true, false]");
  EXPECT_EQ(Read(R"({"as_scalar_type": 7})"), "dtype(f32)");
  EXPECT_EQ(Read(R"({"as_memory_format": 2})"), "memory_format(\"channels_last\")");
  EXPECT_EQ(Read(R"({"as_layout": 7})"), "layout(\"strided\")");
  EXPECT_EQ(Read(R"({"as_device": {"type": "cuda", "index": 1}})"), "device(\"cuda:1\")");
  EXPECT_EQ(Read(R"({"as_device": {"type": "cpu", "index": null}})"), "device(\"cpu\")");
  EXPECT_EQ(Read(R"({"as_complex": {"real": 1.0, "imag": -2.0}})"), "complex(1.0, -2.0)");
  EXPECT_EQ(Read(R"({"as_tensors": [{"name": "x"}, {"name": "x"}]})"), "[%x, %x]");
  EXPECT_EQ(Read(R"({"as_optional_tensors": [{"as_none": true}, {"as_tensor": {"name": "x"}}]})"),
            "[none, %x]");
  EXPECT_EQ(Read(R"({"as_optional_tensor": {"as_tensor": {"name": "x"}}})"), "%x");
  EXPECT_EQ(Read(R"({"as_optional_tensor": {"as_none": true}})"), "none");
  EXPECT_EQ(Read(R"({"as_sym_int": {"as_int": 4}})"), "4");
  EXPECT_EQ(Read(R"({"as_sym_ints": [{"as_int": 4}, {"as_int": -1}]})"), "[4, -1]");
  EXPECT_EQ(Read(R"({"as_sym_float": {"as_float": 2.5}})"), "2.5");
  EXPECT_EQ(Read(R"({"as_sym_floats": [{"as_float": 2.5}]})"), "[2.5]");
  EXPECT_EQ(Read(R"({"as_sym_bool": {"as_bool": true}})"), "true");
  EXPECT_EQ(Read(R"({"as_sym_bools": [{"as_bool": false}]})"), "[false]");
  EXPECT_EQ(Read(R"({"as_operator": "torch.ops.aten.mm.default"})"),
            "\"torch.ops.aten.mm.default\"");
  EXPECT_EQ(Read(R"({"as_string_to_argument": {}})"), "none");
}

TEST_F(ArgsTest, TellsKindsBeyondIt) {
  for (const char *arg :
       {R"({"as_nested_tensors": [[]]})", R"({"as_int_lists": [[1]]})",
        R"({"as_float_lists": [[1.0]]})", R"({"as_string_to_argument": {"a": {"as_int": 1}}})",
        R"({"as_custom_obj": {"name": "obj", "class_fqn": "acme.Queue"}})",
        R"({"as_novelty": 1})"}) {
    EXPECT_EQ(Read(arg).substr(0, 12), "UNSUPPORTED:") << arg;
  }
  EXPECT_NE(
      Read(R"({"as_custom_obj": {"name": "obj", "class_fqn": "acme.Queue"}})").find("acme.Queue"),
      std::string::npos);
}

TEST_F(ArgsTest, RefusesWrongTypes) {
  for (const char *arg : {R"({"as_int": "3"})", R"({"as_ints": 3})", R"({"as_bool": 1})",
                          R"({"as_layout": 8})", R"({"as_memory_format": -1})",
                          R"({"as_device": "cpu"})", R"({"as_sym_int": {"as_other": 1}})", R"({})",
                          R"({"as_tensors": [{"name": 3}]})", R"(3)"}) {
    EXPECT_EQ(Read(arg).substr(0, 8), "CORRUPT:") << arg << ": " << Read(arg);
  }
}

TEST_F(ArgsTest, KeepsTheLowestIntegers) {
  EXPECT_EQ(Read(R"({"as_int": -9223372036854775808})"), "%constant.made1");
}

}  // namespace
