// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

// x of s0 rows; numbers are computed from s0.
class NumbersTest : public ImportTest {
 protected:
  NumbersTest() {
    std::string meta = Meta("2", "1");
    meta.replace(meta.find("{\"as_int\": 2}"), 13, Expr(kS0));
    program.AddUserInput("x", meta);
    program.ranges = "\"s0\": {\"min_val\": 2, \"max_val\": 8}";
    program.sym_int_values = "\"n\": " + Expr(kS0);
    program.AddNode(Node("torch.ops.aten.sym_size.int",
                         Input("self", Tensor("x")) + ", " + Input("dim", R"({"as_int": 0})"),
                         R"({"as_sym_int": {"as_name": "n"}})", "n"));
  }
  static std::string Expr(const std::string &text) {
    return "{\"as_expr\": {\"expr_str\": \"" + text + "\", \"hint\": null}}";
  }
  static constexpr const char *kS0 = "Symbol('s0', positive=True, integer=True)";
  static constexpr const char *kN = R"({"as_sym_int": {"as_name": "n"}})";
  Program program;
};

TEST_F(NumbersTest, IntegersBecomeDims) {
  program.sym_int_values +=
      std::string(", \"m\": ") + Expr(std::string("Mul(Integer(2), ") + kS0 + ")");
  program.AddNode(Node("_operator.mul", Input("a", kN) + ", " + Input("b", R"({"as_int": 2})"),
                       R"({"as_sym_int": {"as_name": "m"}})", "m"));
  program.AddOutput(R"({"as_sym_int": {"as_name": "m"}})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  EXPECT_NE(Print().find("output {2*s0}"), std::string::npos) << Print();
}

TEST_F(NumbersTest, FloatsBecomeTensors) {
  program.sym_float_values = "\"f\": " + Expr(std::string("IntTrueDiv(") + kS0 + ", Integer(2))");
  program.AddNode(Node("_operator.truediv", Input("a", kN) + ", " + Input("b", R"({"as_int": 2})"),
                       R"({"as_sym_float": {"as_name": "f"}})", "f"));
  program.AddOutput(R"({"as_sym_float": {"as_name": "f"}})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("= aten.scalar_tensor.default(s={s0}, dtype=dtype(f64)) : f64[]"),
            std::string::npos)
      << Print();
  EXPECT_NE(Print().find("%f = aten.div.Tensor("), std::string::npos) << Print();
}

// What no range says stays: here 2*s0 >= 2.
TEST_F(NumbersTest, OtherChecksStay) {
  program.sym_int_values +=
      std::string(", \"m\": ") + Expr(std::string("Mul(Integer(2), ") + kS0 + ")");
  program.sym_bool_values = "\"ok\": " + Expr(std::string("GreaterThan(") + kS0 + ", Integer(2))");
  program.AddNode(Node("_operator.mul", Input("a", kN) + ", " + Input("b", R"({"as_int": 2})"),
                       R"({"as_sym_int": {"as_name": "m"}})", "m"));
  program.AddNode(Node(
      "_operator.ge",
      Input("a", R"({"as_sym_int": {"as_name": "m"}})") + ", " + Input("b", R"({"as_int": 2})"),
      R"({"as_sym_bool": {"as_name": "ok"}})", "ok"));
  program.AddNode(Node("torch.ops.aten._assert_scalar.default",
                       Input("self", R"({"as_sym_bool": {"as_name": "ok"}})") + ", " +
                           Input("assert_msg", R"({"as_string": "too few"})"),
                       "", "assert"));
  program.AddOutput(Tensor("x"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("aten._assert_scalar.default(self=%ok, assert_msg=\"too few\")"),
            std::string::npos)
      << Print();
}

// s0 is in 0 … 8, as the bound of 2 is PyTorch's own.
void AssertAtLeast(Program *program, const std::string &s0, const std::string &n,
                   const std::string &least) {
  program->sym_bool_values = "\"ok\": {\"as_expr\": {\"expr_str\": \"GreaterThan(" + s0 +
                             ", Integer(" + least + "))\", \"hint\": null}}";
  program->AddNode(Node("_operator.ge",
                        Input("a", n) + ", " + Input("b", "{\"as_int\": " + least + "}"),
                        R"({"as_sym_bool": {"as_name": "ok"}})", "ok"));
  program->AddNode(Node("torch.ops.aten._assert_scalar.default",
                        Input("self", R"({"as_sym_bool": {"as_name": "ok"}})") + ", " +
                            Input("assert_msg", R"({"as_string": "no"})"),
                        "", "assert"));
  program->AddOutput(Tensor("x"));
}

TEST_F(NumbersTest, ChecksThatRangesSayVanish) {
  AssertAtLeast(&program, kS0, kN, "0");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u) << Print();
}

TEST_F(NumbersTest, ChecksThatRangesDoNotSayStay) {
  AssertAtLeast(&program, kS0, kN, "2");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("aten._assert_scalar.default(self=%ok"), std::string::npos) << Print();
}

// The exporter was told that the number is 4: what the data give has to be it.
TEST_F(NumbersTest, ItemsThatAreKnownAreCompared) {
  program.AddUserInput("k", Meta("", "", 5));
  program.sym_int_values += R"(, "item": {"as_int": 4})";
  program.AddNode(Node("torch.ops.aten.item.default", Input("self", Tensor("k")),
                       R"({"as_sym_int": {"as_name": "item"}})", "item"));
  program.AddOutput(Tensor("x"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("aten._assert_scalar.default("), std::string::npos) << Print();
}

TEST_F(NumbersTest, ItemsBindSymbols) {
  program.AddUserInput("k", Meta("", "", 5));
  program.sym_int_values += ", \"item\": " + Expr("Symbol('u0', integer=True)");
  program.AddNode(Node("torch.ops.aten.item.default", Input("self", Tensor("k")),
                       R"({"as_sym_int": {"as_name": "item"}})", "item"));
  program.AddOutput(R"({"as_sym_int": {"as_name": "item"}})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("bind u0 = %k"), std::string::npos) << Print();
  EXPECT_NE(Print().find("output {u0}"), std::string::npos) << Print();
}

// Python raises where ATen's ops go on: a check stands beside the op, unless the operands tell that it holds.
struct Refusal {
  const char *name, *target, *first, *second, *check;
};

class RefusalTest : public NumbersTest, public testing::WithParamInterface<Refusal> {};

TEST_P(RefusalTest, IsChecked) {
  const Refusal &one = GetParam();
  const bool is_whole = std::string(one.target) == "math.trunc";
  const bool is_shift = std::string(one.target).find("shift") != std::string::npos ||
                        std::string(one.name).find("Whole") != std::string::npos;
  program.AddUserInput("k", Meta("", "", is_shift ? 5 : 8));
  const std::string kind = is_shift ? "int" : "float";
  (is_shift ? program.sym_int_values : program.sym_float_values) +=
      std::string(is_shift ? ", " : "") + "\"item\": " + Expr("Symbol('z0', integer=True)");
  program.AddNode(Node("torch.ops.aten.item.default", Input("self", Tensor("k")),
                       "{\"as_sym_" + kind + "\": {\"as_name\": \"item\"}}", "item"));
  const bool is_int = is_shift || is_whole;
  std::string &values = is_int ? program.sym_int_values : program.sym_float_values;
  values += std::string(values.empty() ? "" : ", ") + "\"r\": " + Expr("Unknown(z0)");
  const std::string inputs =
      Input("a", one.first) + (*one.second ? ", " + Input("b", one.second) : "");
  program.AddNode(Node(
      one.target, inputs,
      std::string("{\"as_sym_") + (is_int ? "int" : "float") + "\": {\"as_name\": \"r\"}}", "r"));
  program.AddOutput(Tensor("x"));
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  if (*one.check)
    EXPECT_NE(Print().find(one.check), std::string::npos) << Print();
  else
    EXPECT_EQ(Print().find("_assert_scalar"), std::string::npos) << Print();
}

constexpr const char *kSize = R"({"as_sym_int": {"as_name": "n"}})",
                     *kItem = R"({"as_sym_float": {"as_name": "item"}})",
                     *kWhole = R"({"as_sym_int": {"as_name": "item"}})",
                     *kHalf = R"({"as_float": -0.5})";
INSTANTIATE_TEST_SUITE_P(
    Python, RefusalTest,
    testing::Values(
        Refusal{"BySize", "_operator.truediv", R"({"as_float": 1.5})", kSize, "divided by 0"},
        Refusal{"ByItem", "_operator.truediv", kSize, kItem, "divided by 0"},
        Refusal{"ByNumber", "_operator.truediv", kSize, R"({"as_int": 2})", ""},
        Refusal{"ByLessThanZero", "_operator.truediv", kSize, R"({"as_float": -2.5})", ""},
        Refusal{"ByZero", "_operator.truediv", kSize, R"({"as_float": 0.0})", "divided by 0"},
        Refusal{"FloorOfFloats", "_operator.floordiv", kItem, kSize, "divided by 0"},
        Refusal{"ModOfFloats", "_operator.mod", kItem, kItem, "divided by 0"},
        Refusal{"RootOfSize", "_operator.pow", kSize, kHalf, "a power is no number"},
        Refusal{"PowerOfSize", "_operator.pow", kSize, R"({"as_float": 0.5})", ""},
        Refusal{"LargePower", "_operator.pow", kSize, R"({"as_float": 17.5})",
                "a power is no number"},
        Refusal{"PowerByItem", "_operator.pow", R"({"as_float": 2.5})", kItem,
                "a power is no number"},
        Refusal{"Root", "torch.sym_sqrt", kItem, "", "square root"},
        Refusal{"RootOfASize", "torch._sym_sqrt", kSize, "", ""},
        Refusal{"Trunc", "math.trunc", kItem, "", "none of 64 bits"},
        Refusal{"Shift", "_operator.lshift", kSize, kWhole, "shifted by a negative"},
        Refusal{"WholeSum", "_operator.add", kWhole, kWhole, "beyond the 64 bits"},
        Refusal{"WholeDifference", "_operator.sub", kSize, kWhole, "beyond the 64 bits"},
        Refusal{"WholeProduct", "_operator.mul", kWhole, kSize, "beyond the 64 bits"},
        Refusal{"WholePower", "_operator.pow", R"({"as_int": 2})", kWhole, "beyond the 64 bits"},
        Refusal{"WholeShift", "_operator.lshift", kWhole, kWhole, "beyond the 64 bits"},
        Refusal{"WholeMod", "_operator.mod", kWhole, kWhole, ""},
        Refusal{"ShiftByNumber", "_operator.rshift", kWhole, R"({"as_int": 2})", ""}),
    [](const testing::TestParamInfo<Refusal> &one) { return std::string(one.param.name); });

// A quotient that is a dim leaves no op: the graph asks for its divisor.
TEST_F(NumbersTest, DivisorsOfDimsAreGuarded) {
  program.sym_int_values +=
      std::string(", \"q\": ") + Expr(std::string("FloorDiv(Integer(7), ") + kS0 + ")");
  program.AddNode(Node("_operator.floordiv", Input("a", R"({"as_int": 7})") + ", " + Input("b", kN),
                       R"({"as_sym_int": {"as_name": "q"}})", "q"));
  program.AddOutput(R"({"as_sym_int": {"as_name": "q"}})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_NE(Print().find("\"s0 != 0\""), std::string::npos) << Print();
}

// A symbol that stands for a float is no size: what is cut to an integer is computed, and has to be one.
TEST_F(NumbersTest, FloatSymbolsAreNoSizes) {
  program.AddUserInput("k", Meta("", "", 8));
  program.sym_float_values = "\"f\": " + Expr("Symbol('zuf0')");
  program.sym_int_values += ", \"t\": " + Expr("TruncToInt(Symbol('zuf0'))");
  program.AddNode(Node("torch.ops.aten.item.default", Input("self", Tensor("k")),
                       R"({"as_sym_float": {"as_name": "f"}})", "f"));
  program.AddNode(Node("math.trunc", Input("a", R"({"as_sym_float": {"as_name": "f"}})"),
                       R"({"as_sym_int": {"as_name": "t"}})", "t"));
  program.AddOutput(R"({"as_sym_int": {"as_name": "t"}})");
  ASSERT_EQ(Import(program), BUDDY_OK) << Said();
  EXPECT_EQ(Print().find("zuf0"), std::string::npos) << Print();
  EXPECT_NE(Print().find("none of 64 bits"), std::string::npos) << Print();
}

TEST_F(NumbersTest, RefusesWrongOperands) {
  program.sym_float_values = "\"f\": " + Expr(std::string("ToFloat(") + kS0 + ")");
  program.AddNode(
      Node("_operator.truediv", Input("a", kN), R"({"as_sym_float": {"as_name": "f"}})", "f"));
  EXPECT_EQ(Import(program), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("too few operands"), std::string::npos) << Said();
}

TEST_F(NumbersTest, TellsNumbersThatItCannotCompute) {
  program.sym_float_values = "\"f\": " + Expr(std::string("Gamma(") + kS0 + ")");
  program.AddNode(Node("math.gamma", Input("a", kN), R"({"as_sym_float": {"as_name": "f"}})", "f"));
  EXPECT_EQ(Import(program), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("math.gamma"), std::string::npos) << Said();
}

}  // namespace
