// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/prune_test.cc: nodes without effect go before anything is asked.
#include "tests/core/registry/registry_fixture.h"

namespace {

class PruneTest : public RegistryTest {
 protected:
  PruneTest() { EXPECT_EQ(Load("alpha"), BUDDY_OK) << Text(); }
  const buddy_value *Relu(const buddy_value *x) {
    return Value("test.relu.default", {Tensor("self", x)});
  }
};

TEST_F(PruneTest, ChainsThatLeadNowhere) {
  const buddy_value *x = Input(BUDDY_F32, {2});
  const buddy_value *y = Relu(x);
  Relu(Relu(Relu(y)));
  Output(y);
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(buddy_graph_n_nodes(graph), 1u);
  EXPECT_EQ(buddy_plan_n_decisions(plan), 1u);
  Verify();
}

TEST_F(PruneTest, EffectsStay) {
  const buddy_value *x = Input(BUDDY_F32, {2});
  Value("test.effect.default", {Tensor("self", Relu(x))});
  ASSERT_EQ(
      buddy_opset_define(opset, "test::log(Tensor self) -> Tensor", BUDDY_KIND_SIDE_EFFECT, diags),
      BUDDY_OK);
  Value("test.log.default", {Tensor("self", x)});
  Value("test.conv.default", {Tensor("self", x)});
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED) << "nobody takes the log";
  EXPECT_EQ(Ops(), "test.relu.default test.effect.default test.log.default");
}

TEST_F(PruneTest, UnknownOpsMayHaveEffects) {
  const buddy_named_arg args[] = {Tensor("self", Input(BUDDY_F32, {2}))};
  buddy_node *node = nullptr;
  ASSERT_EQ(buddy_graph_add_unknown_node(graph, nullptr, "acme.send.default", nullptr, args, 1,
                                         nullptr, 0, diags, &node),
            BUDDY_OK);
  EXPECT_EQ(Plan(), BUDDY_UNSUPPORTED);
  EXPECT_EQ(buddy_graph_n_nodes(graph), 1u);
}

TEST_F(PruneTest, EffectsInsideOfASubgraph) {
  buddy_graph *quiet = nullptr, *loud = nullptr;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "quiet", &quiet), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "loud", &loud), BUDDY_OK);
  const buddy_value *x = Input(BUDDY_F32, {2});
  for (buddy_graph *body : {quiet, loud}) {
    const buddy_value *inner = Input(BUDDY_F32, {2}, body);
    Node("test.relu.default", {Tensor("self", inner)}, nullptr, body);
    if (body == loud) Node("test.effect.default", {Tensor("self", inner)}, nullptr, body);
    buddy_named_arg arg{"body", {}};
    arg.arg.kind = BUDDY_ARG_GRAPH;
    arg.arg.as.graph = body;
    Value("test.loop.default", {Tensor("self", x), arg});
  }
  ASSERT_EQ(Plan(), BUDDY_OK) << Text();
  EXPECT_EQ(Ops(), "test.loop.default") << "the quiet one is gone";
  EXPECT_EQ(Ops(loud), "test.effect.default");
}

}  // namespace
