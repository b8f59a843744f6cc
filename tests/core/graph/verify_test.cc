// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/break_graph.h"
#include "tests/core/graph/fixture.h"

namespace {

class VerifyTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    x = Input("x", {2});
    a = Add("a", x, x);
    b = Add("b", a, x);
    Output(b);
    ExpectSound();
  }
  std::string Problems() {
    EXPECT_EQ(Verify(), BUDDY_VERIFY_FAILED);
    return Said();
  }
  buddy_node *node(const buddy_value *value) { return buddy_value_node(value); }

  const buddy_value *x = nullptr, *a = nullptr, *b = nullptr;
};

TEST_F(VerifyTest, OrderOfDefinitionAndUse) {
  buddy_node_move(node(b), node(a));
  EXPECT_EQ(Problems(), "b: it uses a before that is defined\n");
  buddy_node_move(node(b), nullptr);
  ExpectSound();
  const buddy_arg self = ArgTensor(a);
  ASSERT_EQ(buddy_node_set_arg(node(a), 0, &self, diags), BUDDY_OK);
  EXPECT_EQ(Problems(), "a: it uses a before that is defined\n");
}

TEST_F(VerifyTest, SubgraphsToo) {
  buddy_graph *inner;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "inner", &inner), BUDDY_OK);
  break_node_count(inner);
  EXPECT_EQ(Problems(), "inner: the list of nodes does not end where the graph says\n");
  EXPECT_EQ(buddy_graph_verify(inner, diags), BUDDY_VERIFY_FAILED);
  EXPECT_EQ(buddy_graph_verify(inner, nullptr), BUDDY_VERIFY_FAILED);
}

TEST_F(VerifyTest, BrokenLists) {
  break_node_prev(node(b));
  EXPECT_EQ(Problems(), "b: the list of nodes is broken here\n");
}

TEST_F(VerifyTest, TwoNodesOfOneId) {
  break_node_id(node(b), node(a));
  EXPECT_EQ(Problems(), "b: the list of nodes is broken here\n");
}

TEST_F(VerifyTest, LostNames) {
  break_node_name(node(a));
  EXPECT_EQ(Problems(),
            "a: another node, or none, is found under its name\n"
            "a: another value, or none, is found under its name\n");
}

TEST_F(VerifyTest, WrongValueName) {
  break_value_name(a, "b");
  EXPECT_EQ(Problems(), "b: another value, or none, is found under its name\n");
}

TEST_F(VerifyTest, WrongNumberOfResults) {
  break_node_results(node(b));
  const std::string said = Problems();
  EXPECT_NE(said.find("b: its results are not as many as the schema says\n"), std::string::npos)
      << said;
}

TEST_F(VerifyTest, WrongTypes) {
  break_value_type(x);
  EXPECT_EQ(Problems(), "x: its type has no known dtype\n");
}

TEST_F(VerifyTest, LostValues) {
  break_value_index(a);
  EXPECT_EQ(Problems(), "a: the value does not know where it belongs\n");
}

TEST_F(VerifyTest, WrongUseCount) {
  break_use_count(x);
  EXPECT_EQ(Problems(), "x: its uses are not as many as it counts\n");
}

TEST_F(VerifyTest, UseThatPointsElsewhere) {
  break_use_owner(a);
  EXPECT_EQ(Problems(),
            "a: the list of its uses holds one that no argument makes\n"
            "b: a use does not know its argument\n"
            "main: arguments make 5 uses, but values count 4\n");
}

TEST_F(VerifyTest, UseThatIsInNoList) {
  break_use_lost(x);
  EXPECT_EQ(Problems(), "main: arguments make 5 uses, but values count 4\n");
}

TEST_F(VerifyTest, WrongArguments) {
  const buddy_arg text = ArgString("x"), strange = ArgInt(INT64_MIN + 999);
  break_arg(node(a), 2, &text);
  break_arg(node(b), 2, &strange);
  EXPECT_EQ(Problems(),
            "a: argument \"alpha\" is a string, which the schema does not allow\n"
            "b: argument \"alpha\" is a dim that this graph does not know\n");
}

TEST_F(VerifyTest, WrongOutputs) {
  const buddy_arg strange = ArgInt(INT64_MIN + 999);
  break_output(graph, &strange);
  const std::string said = Problems();
  EXPECT_NE(said.find("main: output 0 is a dim that this graph does not know\n"), std::string::npos)
      << said;
}

TEST_F(VerifyTest, BindingsThatAreNotCounted) {
  const buddy_value *n = Input("n", {}, BUDDY_I64);
  Symbol("u0");
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, n), BUDDY_OK);
  ExpectSound();
  break_symbol_count(n);
  EXPECT_EQ(Problems(),
            "u0: the symbol is bound to a value that cannot be its own\n"
            "main: bindings of symbols and their values do not agree\n");
}

}  // namespace
