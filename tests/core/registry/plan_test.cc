// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/plan_test.cc: which row takes a node, and what the trail says.
#include "tests/core/registry/registry_fixture.h"

namespace {

using PlanTest = RegistryTest;

TEST_F(PlanTest, TheFirstOfTheOrderTakesANode) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2, 3});
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  ASSERT_EQ(buddy_plan_n_decisions(plan), 1u);
  EXPECT_EQ(Trail(0), "test.add.default: alpha OK");
  EXPECT_STREQ(buddy_plan_decision(plan, 0)->types, "(f32[2,3], f32[2,3]) -> f32[2,3]");
  EXPECT_EQ(buddy_plan_decision(plan, 0)->is_taken, 1);
  EXPECT_EQ(buddy_plan_graph(plan), graph);
  EXPECT_EQ(buddy_plan_registries(plan), registries);
}

TEST_F(PlanTest, AnArgumentThatARowDoesNotListMustBeAtItsDefault) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x), Int("alpha", 2)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Trail(0),
            "test.add.default: alpha DECLINED (argument 'alpha' = 2 is not handled by this row); "
            "beta OK");
}

TEST_F(PlanTest, DtypesOutsideOfTheMasksAreDeclined) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_I64, {2});
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x)}));
  Output(Value("test.cast.default", {Tensor("self", x), Int("dtype", BUDDY_I64, BUDDY_ARG_DTYPE)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Trail(0),
            "test.add.default: alpha DECLINED (dtype i64 of argument 'self' is not among f16 bf16 "
            "f32 f64); beta OK");
  EXPECT_EQ(Trail(1),
            "test.cast.default: alpha DECLINED (dtype i64 of result 0 is not among f32); beta OK");
}

TEST_F(PlanTest, AStaticRowDeclinesSymbolicDims) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  int64_t s0;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "s0", 1, INT64_MAX, &s0), BUDDY_OK);
  Output(Value("test.relu.default", {Tensor("self", Input(BUDDY_F32, {s0, 4}))}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(
      Trail(0),
      "test.relu.default: alpha DECLINED (dim 0 of argument 'self' is symbolic (s0)); beta OK");
}

TEST_F(PlanTest, RowsOfOneRegistryAreAskedByBenefit) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.conv.default", {Tensor("self", x), Int("dilation", 2)}));
  Output(Value("test.conv.default", {Tensor("self", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Trail(0), "test.conv.default: alpha DECLINED (dilation is not 1); alpha OK");
  EXPECT_EQ(Trail(1), "test.conv.default: alpha OK");
}

TEST_F(PlanTest, PinsComeFirst) {
  ASSERT_EQ(Load("alpha:beta", {"test.add.default=beta"}), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.add.default", {Tensor("self", x), Tensor("other", x)}));
  Output(Value("test.relu.default", {Tensor("self", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Trail(0), "test.add.default: beta OK");
  EXPECT_EQ(Trail(1), "test.relu.default: alpha OK");
}

TEST_F(PlanTest, DecliningWithoutAReasonIsSaid) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  Output(Value("test.silent.default", {Tensor("self", Input(BUDDY_F32, {2}))}));
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Trail(0), "test.silent.default: alpha DECLINED (no reason given)");
}

TEST_F(PlanTest, AllThatNobodyTakesIsReportedInGroups) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2}), *y = Input(BUDDY_F32, {3});
  for (uint32_t i = 0; i < 3; ++i) {
    const buddy_value *value = Value("test.nobody.default", {Tensor("self", i < 2 ? x : y)});
    SetLine(value, "/home/user/model.py", 41 + i, "y = nobody(x)");
    Output(value);
  }
  Output(Value("test.silent.default", {Tensor("self", x)}));
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  ASSERT_NE(plan, nullptr);
  ASSERT_EQ(buddy_diags_count(diags), 2u) << Text();
  EXPECT_STREQ(
      buddy_diags_get(diags, 0)->what,
      "nobody takes test.nobody.default (3 nodes); no registry of the order has a row for it; "
      "near are test.needy.default; "
      "types (f32[2]) -> f32[2] (2 times), (f32[3]) -> f32[3]; "
      "at model.py:41 `y = nobody(x)`, model.py:42 `y = nobody(x)`, model.py:43 `y = nobody(x)`");
  EXPECT_STREQ(
      buddy_diags_get(diags, 1)->what,
      "nobody takes test.silent.default; alpha: no reason given; types (f32[2]) -> f32[2]");
  EXPECT_EQ(buddy_plan_n_decisions(plan), 4u);
}

TEST_F(PlanTest, AnOpWithoutDefinitionIsReported) {
  ASSERT_EQ(Load("alpha"), BUDDY_OK) << Text();
  const buddy_named_arg args[] = {Tensor("self", Input(BUDDY_F32, {2}))};
  const buddy_tensor_type type = Type(BUDDY_F32, {2});
  for (const char *op : {"nowhere.defined.default", "acme.secret.default"}) {
    buddy_node *node = nullptr;
    ASSERT_EQ(
        buddy_graph_add_unknown_node(graph, nullptr, op, nullptr, args, 1, &type, 1, diags, &node),
        BUDDY_OK);
    Output(buddy_node_result(node, 0));
  }
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  ASSERT_EQ(buddy_diags_count(diags), 2u) << Text();
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what,
               "nobody takes nowhere.defined.default; registry 'alpha' has a row for it, but no "
               "schema, so its "
               "arguments are not known; types (f32[2]) -> f32[2]");
  EXPECT_STREQ(
      buddy_diags_get(diags, 1)->what,
      "nobody takes acme.secret.default; no schema defines this op; types (f32[2]) -> f32[2]");
}

TEST_F(PlanTest, SubgraphsArePlannedToo) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  buddy_graph *body = nullptr;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "body", &body), BUDDY_OK);
  const buddy_value *x = Input(BUDDY_F32, {2, 2}), *inner = Input(BUDDY_F32, {2, 2}, body);
  buddy_node *linear =
      Node("test.linear.default", {Tensor("self", inner), Tensor("weight", inner)}, nullptr, body);
  Output(buddy_node_result(linear, 0), body);
  buddy_named_arg graph_arg{"body", {}};
  graph_arg.arg.kind = BUDDY_ARG_GRAPH;
  graph_arg.arg.as.graph = body;
  Output(Value("test.loop.default", {Tensor("self", x), graph_arg}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  ASSERT_EQ(buddy_plan_n_decisions(plan), 2u);
  EXPECT_EQ(Trail(0), "test.loop.default: alpha OK");
  EXPECT_EQ(Trail(1), "test.linear.default: beta OK {test.mm.default: alpha OK}");
  EXPECT_EQ(Ops(body), "test.mm.default");
  Verify();
}

}  // namespace
