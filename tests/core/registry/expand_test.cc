// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/expand_test.cc: nodes that become others, and what is left when they cannot.
#include "tests/core/registry/registry_fixture.h"

namespace {

class ExpandTest : public RegistryTest {
 protected:
  buddy_code PlanUnary(const char *op, const char *order = "alpha:beta") {
    EXPECT_EQ(Load(order), BUDDY_OK) << Text();
    Output(Value(op, {Tensor("self", Input(BUDDY_F32, {2}))}));
    return Plan();
  }
};

TEST_F(ExpandTest, ANodeBecomesOthers) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2, 2});
  const buddy_value *y =
      Value("test.linear.default", {Tensor("self", x), Tensor("weight", x), Tensor("bias", x)});
  SetLine(y, "model.py", 7, "y = linear(x)");
  Output(Value("test.relu.default", {Tensor("self", y)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "test.mm.default test.add.default test.relu.default");
  EXPECT_EQ(Trail(0),
            "test.linear.default: beta OK {test.mm.default: alpha OK, test.add.default: alpha OK}");
  const buddy_decision *decision = buddy_plan_decision(plan, 0);
  EXPECT_STREQ(decision->types, "(f32[2,2], f32[2,2], f32[2,2]) -> f32[2,2]");
  EXPECT_STREQ(decision->op, "test.linear.default") << "although the node is gone";
  EXPECT_EQ(decision->location.line, 7u);
  EXPECT_EQ(decision->expansion[0]->location.line, 7u) << "they come from the same line";
  EXPECT_EQ(buddy_node_location(buddy_graph_first(graph))->line, 7u);
  Verify();
}

TEST_F(ExpandTest, ExpansionsInsideOfAnExpansion) {
  ASSERT_EQ(Load("beta:alpha"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2, 2});
  Output(Value("test.mlp.default", {Tensor("self", x), Tensor("weight", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "test.mm.default test.mm.default");
  EXPECT_EQ(Trail(0),
            "test.mlp.default: beta OK {test.linear.default: beta OK {test.mm.default: alpha OK}, "
            "test.linear.default: beta OK {test.mm.default: alpha OK}}");
  Verify();
}

TEST_F(ExpandTest, WhatIsThereForAnUnusedResultIsErased) {
  const std::pair<std::string, std::string> whys[] = {
      {"test.both.default",
       "its expansion needs test.nobody.default (f32[2]) -> f32[2], which nobody takes"},
      {"test.half.default", "expanded, but gave nothing for result 1"}};
  for (const auto &[op, why] : whys) {
    for (const bool is_used : {false, true}) {
      SCOPED_TRACE(op + (is_used ? ", used" : ""));
      StartGraph();
      ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
      const buddy_named_arg self = Tensor("self", Input(BUDDY_F32, {2}));
      const buddy_tensor_type types[] = {Type(BUDDY_F32, {2}), Type(BUDDY_F32, {2})};
      buddy_node *both = nullptr;
      ASSERT_EQ(buddy_graph_add_node(graph, nullptr, op.c_str(), nullptr, &self, 1, types, 2, diags,
                                     &both),
                BUDDY_OK)
          << Text();
      Output(buddy_node_result(both, 0));
      if (is_used) Output(buddy_node_result(both, 1));
      EXPECT_EQ(Plan(), is_used ? BUDDY_UNSUPPORTED : BUDDY_OK) << Text();
      EXPECT_EQ(Ops(), is_used ? op : "test.relu.default");
      EXPECT_EQ(Trail(0), op + (is_used ? ": beta DECLINED (" + why + ")"
                                        : ": beta OK {test.relu.default: alpha OK}"));
      Verify();
    }
  }
}

TEST_F(ExpandTest, ANodeMayBecomeItsArgument) {
  ASSERT_EQ(Load("alpha:beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2});
  Output(Value("test.same.default", {Tensor("self", x)}));
  Output(Value("test.via_same.default", {Tensor("self", x)}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "");
  EXPECT_EQ(buddy_graph_output(graph, 0)->as.tensor, x);
  EXPECT_EQ(buddy_graph_output(graph, 1)->as.tensor, x)
      << "what stood for the result was replaced in turn";
  EXPECT_EQ(Trail(1), "test.via_same.default: beta OK {test.same.default: beta OK}");
  Verify();
}

TEST_F(ExpandTest, AnExpansionThatNobodyTakesIsUndone) {
  EXPECT_EQ(PlanUnary("test.needy.default"), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Ops(), "test.needy.default");
  EXPECT_EQ(Trail(0),
            "test.needy.default: beta DECLINED (its expansion needs test.nobody.default (f32[2]) "
            "-> f32[2], which nobody "
            "takes)");
  Verify();
}

TEST_F(ExpandTest, PartOfAnExpansionIsUndoneToo) {
  // The product has its row, the sum has none.
  ASSERT_EQ(buddy_opset_define(opset, "test::mm(Tensor self, Tensor other) -> Tensor",
                               BUDDY_KIND_OTHER, diags),
            BUDDY_OK);
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  const buddy_value *x = Input(BUDDY_F32, {2, 2});
  Output(Value("test.mlp.default", {Tensor("self", x), Tensor("weight", x)}));
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Ops(), "test.mlp.default");
  EXPECT_EQ(buddy_value_n_uses(x), 2u);
  Verify();
}

TEST_F(ExpandTest, ACircleIsFoundAndShown) {
  EXPECT_EQ(PlanUnary("test.here.default"), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Trail(0),
            "test.here.default: beta CYCLE (expands back to itself: test.here.default -> "
            "test.there.default -> "
            "test.here.default)");
  EXPECT_EQ(Ops(), "test.here.default");
  EXPECT_EQ(buddy_diags_count(diags), 1u) << Text();
}

TEST_F(ExpandTest, GrowthEndsAtALimit) {
  EXPECT_EQ(PlanUnary("test.count.default"), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Trail(0).substr(0, 75),
            "test.count.default: beta CYCLE (expands too deep: test.count.default -> tes");
  EXPECT_EQ(Ops(), "test.count.default");
  EXPECT_EQ(PlanUnary("test.double.default"), BUDDY_UNSUPPORTED);
  EXPECT_EQ(Ops(), "test.double.default");
}

// item's row in beta comes first by order here; its expansion's result carries the symbol on.
TEST_F(ExpandTest, AShapeSymbolFollowsTheValueItIsReadFrom) {
  ASSERT_EQ(Load("beta"), BUDDY_OK) << Text();
  int64_t u0;
  ASSERT_EQ(buddy_graph_add_symbol(graph, "u0", 0, INT64_MAX, &u0), BUDDY_OK);
  const buddy_tensor_type type = Type(BUDDY_I64, {});
  const buddy_value *item =
      Value("test.item.default", {Tensor("self", Input(BUDDY_I64, {1}))}, &type);
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, item), BUDDY_OK);
  Output(Value("test.relu.default", {Tensor("self", Input(BUDDY_F32, {u0}))}));
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "test.unit.default test.relu.default") << "it has no use, but a symbol";
  EXPECT_EQ(buddy_graph_symbol(graph, 0)->bound_to, buddy_node_result(buddy_graph_first(graph), 0));
  Verify();
}

}  // namespace
