// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs become modules: what rows build is kept whole or not at all, and parameters come in three
// forms.
#include "core/base/memory.h"
#include "tests/sdk/graph_fixture.h"

namespace {

class Lower : public GraphTest {
 protected:
  void SetUp() override {
    Load({LOWERTEST_REGISTRY, PORTABLE_REGISTRY}, "lowertest:lowerportable");
  }
};

const char kAbs[] =
    "module {\n"
    "  func.func @forward(%arg0: tensor<3xf32>) -> tensor<3xf32> {\n"
    "    %0 = tosa.abs %arg0 : (tensor<3xf32>) -> tensor<3xf32>\n"
    "    return %0 : tensor<3xf32>\n"
    "  }\n"
    "}\n";

TEST_F(Lower, PrintsJustTheOps) {
  Output(Node("lowertest.abs.default", Input({3}), {3}));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_EQ(Text().substr(0, sizeof(kAbs) - 1), kAbs);
}

// ---- What is undone leaves nothing --------------------------------------------------------------

struct Spoiler {
  const char *op, *reason;
  int fallback; /* a row that fails, rather than declines or does not verify, needs it */
};

class Spoiled : public Lower, public testing::WithParamInterface<Spoiler> {};

TEST_P(Spoiled, LeavesNoResidue) {
  const std::string op = std::string("lowertest.") + GetParam().op + ".default";
  Output(Node(op.c_str(), Input({3}), {3}));
  ASSERT_EQ(Run(BUDDY_PARAMS_ARGS, GetParam().fallback), BUDDY_OK) << Said();
  EXPECT_EQ(Text().substr(0, sizeof(kAbs) - 1), kAbs);
  EXPECT_EQ(Text().find("mess"), std::string::npos);
  EXPECT_NE(FirstReason().find(GetParam().reason), std::string::npos) << FirstReason();
}

INSTANTIATE_TEST_SUITE_P(
    Rows, Spoiled,
    testing::Values(Spoiler{"decline", "changed my mind", 0},
                    Spoiler{"unverifiable", "'arith.addi' op", 0},
                    Spoiler{"wrong_type", "tensor<77xf32>, the graph says tensor<3xf32>", 0},
                    Spoiler{"unset", "result 0 was not set", 0},
                    Spoiler{"null_operand", "operand 0 of tosa.abs is null", 1},
                    Spoiler{"null_result", "result 0 was set to null", 1},
                    Spoiler{"out_of_range", "result 7 of 1", 1},
                    Spoiler{"foreign", "foreign attribute", 1},
                    Spoiler{"unknown_op", "tosa.frobnicate is not an op of any loaded dialect", 1}),
    [](const auto &row) { return std::string(row.param.op); });

TEST_F(Lower, ReportsEveryNodeThatNobodyEmits) {
  const buddy_value *input = Input({3});
  Output(Node("lowertest.decline_only.default", input, {3}));
  Output(Node("lowertest.decline_only.default", input, {3}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_EQ(module, nullptr);
  EXPECT_NE(Said().find("changed my mind"), std::string::npos) << Said();
}

TEST_F(Lower, ARowThatFailsEndsTheLowering) {
  Output(Node("lowertest.null_operand.default", Input({3}), {3}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_NE(Said().find("operand 0 of tosa.abs is null"), std::string::npos) << Said();
}

// ---- Functions ----------------------------------------------------------------------------------

TEST_F(Lower, DeclaresAFunctionOnce) {
  const buddy_value *first = Node("lowertest.declare.default", Input({3}), {3});
  Output(Node("lowertest.declare.default", first, {3}));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  const std::string text = Text();
  const size_t at = text.find("func.func private @kernel(tensor<3xf32>) -> tensor<3xf32>");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find("func.func private", at + 1), std::string::npos) << text;
  EXPECT_NE(text.find("llvm.emit_c_interface", at), std::string::npos) << text;
}

TEST_F(Lower, RefusesASecondDeclarationOfAnotherType) {
  Output(Node("lowertest.declare_twice.default", Input({3}), {3}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_NE(Said().find("@kernel of another type"), std::string::npos) << Said();
}

// ---- Outputs ------------------------------------------------------------------------------------

TEST_F(Lower, PassesInputsThroughAndReturnsTwice) {
  const buddy_value *input = Input({3});
  const buddy_value *result = Node("lowertest.abs.default", input, {3});
  Output(result);
  Output(input);
  Output(result);
  buddy_arg none = {BUDDY_ARG_NONE, 0, 0, {0}};
  buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &none, diags);
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_NE(Text().find("return %0, %arg0, %0 : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>"),
            std::string::npos)
      << Text();
}

TEST_F(Lower, CastsLooseResults) {
  Output(Node("lowertest.loose.default", Input({3}), {3}));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_NE(Text().find("tensor<?xf32> to tensor<3xf32>"), std::string::npos) << Text();
}

// ---- Dims ---------------------------------------------------------------------------------------

TEST_F(Lower, ComputesEachDimOnce) {
  int64_t s0, s1, twice, sum;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s0", 2, INT64_MAX, &s0), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s1", 2, INT64_MAX, &s1), BUDDY_OK);
  ASSERT_EQ(buddy_graph_dim(graph, BUDDY_DIM_MUL, s0, 2, &twice), BUDDY_OK);
  ASSERT_EQ(buddy_graph_dim(graph, BUDDY_DIM_ADD, twice, s1, &sum), BUDDY_OK);
  Input({s0, 5});
  const buddy_value *other = Input({s1, sum});
  Output(Node("lowertest.sizes.default", other, {}, BUDDY_I64));
  Output(Node("lowertest.sizes.default", other, {}, BUDDY_I64));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  const std::string text = Text();
  size_t n = 0;
  for (size_t at = text.find("tensor.dim"); at != std::string::npos;
       at = text.find("tensor.dim", at + 1))
    n++;
  EXPECT_EQ(n, 2u) << text;
}

TEST_F(Lower, SolvesForASymbolThatOnlyOccursInASum) {
  int64_t s0, twice, sum;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s0", 2, INT64_MAX, &s0), BUDDY_OK);
  ASSERT_EQ(buddy_graph_dim(graph, BUDDY_DIM_MUL, s0, 2, &twice), BUDDY_OK);
  ASSERT_EQ(buddy_graph_dim(graph, BUDDY_DIM_ADD, twice, 1, &sum), BUDDY_OK);
  const buddy_value *input = Input({sum});
  Output(Node("lowertest.sizes.default", input, {}, BUDDY_I64));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_NE(Text().find("arith.divsi"), std::string::npos) << Text();
}

// ---- Parameters ---------------------------------------------------------------------------------

class Parameters : public Lower {
 protected:
  void SetUp() override {
    Lower::SetUp();
    const int64_t strides[] = {1, 2};
    data = {bytes, sizeof(bytes), 0, nullptr};
    strided = {bytes, sizeof(bytes), 0, strides};
    Output(Node("lowertest.abs.default",
                Input({2, 3}, BUDDY_F32, BUDDY_INPUT_PARAMETER, "weight", &data), {2, 3}));
    Output(Node("lowertest.abs.default",
                Input({2, 3}, BUDDY_F32, BUDDY_INPUT_BUFFER, "strided", &strided), {2, 3}));
    Output(Node("lowertest.abs.default",
                Input({}, BUDDY_F32, BUDDY_INPUT_PARAMETER, "scalar", &data), {}));
    const buddy_value *state = Input({3}, BUDDY_F32, BUDDY_INPUT_BUFFER, "state", &data);
    Output(Node("lowertest.abs.default", state, {3}), BUDDY_OUTPUT_BUFFER_MUTATION, "state");
    Output(Node("lowertest.abs.default", Input({3}), {3}));
  }

  alignas(64) float bytes[6] = {1, 2, 3, 4, 5, 6};
  buddy_data data, strided;
};

TEST_F(Parameters, AsArguments) {
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_NE(
      Text().find("@forward(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<f32>, "
                  "%arg3: tensor<3xf32>, %arg4: tensor<3xf32>)"),
      std::string::npos)
      << Text();
}

TEST_F(Parameters, AsResources) {
  ASSERT_EQ(Run(BUDDY_PARAMS_RESOURCE), BUDDY_OK) << Said();
  const std::string text = Text();
  EXPECT_NE(text.find("@forward(%arg0: tensor<3xf32>, %arg1: tensor<3xf32>)"), std::string::npos)
      << text;
  EXPECT_NE(text.find("0x400000000000803F0000004000004040000080400000A0400000C040"),
            std::string::npos)
      << text;
  /* strides (1, 2): 1 3 5 2 4 6, gathered into a copy */
  EXPECT_NE(text.find("0000803F000040400000A04000000040000080400000C040"), std::string::npos)
      << text;
}

TEST_F(Parameters, AsOnePackPerDtype) {
  ASSERT_EQ(Run(BUDDY_PARAMS_PACK), BUDDY_OK) << Said();
  const std::string text = Text();
  EXPECT_NE(
      text.find("@forward(%arg0: tensor<13xf32>, %arg1: tensor<3xf32>, %arg2: tensor<3xf32>)"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("tensor.extract_slice %arg0[6] [6] [1]"), std::string::npos) << text;
  EXPECT_NE(text.find("output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>"),
            std::string::npos)
      << text;
}

TEST_F(Lower, RefusesAParameterBeyondItsBytes) {
  const float bytes[4] = {};
  const buddy_data data = {bytes, sizeof(bytes), 2, nullptr};
  Output(Node("lowertest.abs.default",
              Input({3}, BUDDY_F32, BUDDY_INPUT_PARAMETER, "weight", &data), {3}));
  EXPECT_EQ(Run(BUDDY_PARAMS_RESOURCE), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("reaches beyond its bytes"), std::string::npos) << Said();
}

// ---- The portable tier --------------------------------------------------------------------------

TEST_F(Lower, ServesThePortableTier) {
  Output(Node("lowerportable.plus.default", Input({3}), {3}));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  EXPECT_NE(Text().find("arith.addf %arg0, %cst : tensor<3xf32>"), std::string::npos) << Text();
  EXPECT_NE(Text().find("dense<1.000000e+00>"), std::string::npos) << Text();
}

TEST_F(Lower, RecordsWhatDoesNotParse) {
  Output(Node("lowerportable.parse.default", Input({3}), {3}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_NE(Said().find("no type of MLIR"), std::string::npos) << Said();
}

// ---- Text ----

TEST_F(Lower, TakesTextWithRegionsAndDeclarations) {
  const buddy_value *text = Node("lowerportable.text.default", Input({3}), {3});
  Output(Node("lowerportable.text.default", text, {3})); /* declared once */
  Output(Node("lowerportable.text_identity.default", text, {3}));
  ASSERT_EQ(Run(), BUDDY_OK) << Said();
  const std::string all = Text();
  EXPECT_NE(all.find("%0 = call @twice(%arg0)"), std::string::npos) << all;
  EXPECT_NE(all.find("linalg.generic"), std::string::npos) << all;
  EXPECT_EQ(all.find("func.func private @twice"), all.rfind("func.func private @twice")) << all;
  EXPECT_EQ(all.find("@f("), std::string::npos) << all;
}

struct BadText {
  const char *op, *reason;
};
class BadTextTest : public Lower, public testing::WithParamInterface<BadText> {};

TEST_P(BadTextTest, IsRefused) {
  const std::string op = std::string("lowerportable.text_") + GetParam().op + ".default";
  Output(Node(op.c_str(), Input({3}), {3}));
  EXPECT_NE(Run(), BUDDY_OK);
  EXPECT_NE(Said().find(GetParam().reason), std::string::npos) << Said();
}

INSTANTIATE_TEST_SUITE_P(
    Texts, BadTextTest,
    testing::Values(BadText{"garbage", "ir_text: "}, BadText{"empty", "no function with a body"},
                    BadText{"unverified", "ir_text: "},
                    BadText{"other_type",
                            "operand 0 is a tensor<3xf32>, the function takes a tensor<4xf32>"},
                    BadText{"no_argument", "the function returns 0 values, 1 are wanted"},
                    BadText{"two", "two functions with a body"},
                    BadText{"blocks", "the body is not one block"},
                    BadText{"nested", "not only func.func"}),
    [](const testing::TestParamInfo<BadText> &one) { return std::string(one.param.op); });

// ---- Misuse -------------------------------------------------------------------------------------

TEST_F(Lower, RefusesNonsense) {
  EXPECT_EQ(buddy_lower(nullptr, nullptr, diags, &module), BUDDY_INVALID_ARGUMENT);
  Output(Input({3}));
  ASSERT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_OK);
  buddy_lower_options options = {};
  options.struct_size = sizeof(options);
  options.function = "not a name";
  EXPECT_EQ(buddy_lower(plan, &options, diags, &module), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_lower(plan, nullptr, nullptr, &module), BUDDY_OK);
}

/* Fails the n-th allocation for n = 0, 1, …, until the lowering succeeds. */
TEST_F(Lower, SurvivesEveryFailedAllocation) {
  int64_t s0;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s0", 2, INT64_MAX, &s0), BUDDY_OK);
  const buddy_value *input = Input({s0, 3});
  Output(Node("lowertest.sizes.default", input, {}, BUDDY_I64));
  Output(
      Node("lowertest.declare.default", Node("lowertest.decline.default", Input({3}), {3}), {3}));
  ASSERT_EQ(buddy_plan_create(registries, graph, diags, &plan), BUDDY_OK) << Said();
  buddy_code code = BUDDY_OUT_OF_MEMORY;
  for (int64_t n = 0; n < 10000 && code != BUDDY_OK; n++) {
    bd_memory_fail_after(n);
    code = buddy_lower(plan, nullptr, nullptr, &module);
    bd_memory_fail_after(-1);
    EXPECT_EQ(module != nullptr, code == BUDDY_OK);
  }
  EXPECT_EQ(code, BUDDY_OK);
}

}  // namespace
