// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing may be quadratic in the size of a graph. The tests count memory and steps rather than
// time, and stay far below a second as long as they are right.
#include "tests/core/graph/fixture.h"

namespace {

class ScaleTest : public GraphFixture {
 protected:
  static constexpr int kNodes = 100000;
};

TEST_F(ScaleTest, AChainOfManyNodes) {
  const buddy_value *x = Input("x", {Symbol("s0"), 4});
  const buddy_value *value = x;
  for (int i = 0; i < kNodes; ++i) value = Add(nullptr, value, x);
  Output(value);
  EXPECT_EQ(buddy_graph_n_nodes(graph), static_cast<size_t>(kNodes));
  EXPECT_EQ(buddy_value_n_uses(x), static_cast<size_t>(kNodes) + 1);
  ExpectSound();
  const std::string text = PrintGraph(graph);
  buddy_graph *again;
  ASSERT_EQ(TryParse(text, &again), BUDDY_OK) << Said();
  EXPECT_TRUE(PrintGraph(again) == text);
  buddy_graph_destroy(again);
  ASSERT_EQ(buddy_graph_replace_value(graph, x, x), BUDDY_OK);
  const buddy_arg none = ArgNone();
  ASSERT_EQ(buddy_graph_set_output(graph, 0, &none, diags), BUDDY_OK);
  for (buddy_node *node = buddy_graph_last(graph); node;) {
    buddy_node *before = buddy_node_prev(node);
    ASSERT_EQ(buddy_node_erase(node), BUDDY_OK);
    node = before;
  }
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  ExpectSound();
}

TEST_F(ScaleTest, AFanOfManyUses) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2});
  std::vector<buddy_node *> nodes;
  for (int i = 0; i < kNodes; ++i) nodes.push_back(buddy_value_node(Add(nullptr, x, x)));
  const buddy_arg arg = ArgTensor(y);
  for (buddy_node *node : nodes) ASSERT_EQ(buddy_node_set_arg(node, 0, &arg, diags), BUDDY_OK);
  EXPECT_EQ(buddy_value_n_uses(x), nodes.size());
  ASSERT_EQ(buddy_graph_replace_value(graph, x, y), BUDDY_OK);
  EXPECT_EQ(buddy_value_n_uses(y), 2 * nodes.size());
  for (buddy_node *node : nodes) buddy_node_move(node, buddy_graph_first(graph));
  ExpectSound();
  for (buddy_node *node : nodes) ASSERT_EQ(buddy_node_erase(node), BUDDY_OK);
  ExpectSound();
}

TEST_F(ScaleTest, OneNodeOfManyArgumentsAndResults) {
  const buddy_value *x = Input("x", {2});
  const std::vector<const buddy_value *> many(kNodes, x);
  const std::vector<buddy_tensor_type> types(kNodes, *buddy_value_type(x));
  TypedNode("test.join.default", "c", {{"tensors", ArgTensors(many)}}, {types[0]});
  TypedNode("test.many.default", "s", {{"self", ArgTensor(x)}}, types);
  EXPECT_EQ(buddy_value_n_uses(x), static_cast<size_t>(kNodes) + 1);
  EXPECT_EQ(buddy_value_index(Value("s.99999")), 99999u);
  ExpectSound();
  const std::string text = PrintGraph(graph);
  Parse(text);
  EXPECT_TRUE(PrintGraph(graph) == text);
}

TEST_F(ScaleTest, ManySymbolsAndDims) {
  const int64_t s0 = Symbol("s0");
  int64_t dim = s0;
  for (int i = 1; i < 20000; ++i) {
    ASSERT_EQ(buddy_graph_dim(graph, BUDDY_DIM_ADD, dim, i, &dim), BUDDY_OK);
    Symbol(("t" + std::to_string(i)).c_str());
  }
  EXPECT_EQ(DimText(dim), "s0+199990000");
}

TEST_F(ScaleTest, ManySubgraphs) {
  const buddy_value *x = Input("x", {}, BUDDY_BOOL);
  const buddy_tensor_type type = *buddy_value_type(x);
  for (int i = 0; i < 10000; ++i) {
    buddy_graph *inner;
    ASSERT_EQ(buddy_graph_add_subgraph(graph, nullptr, &inner), BUDDY_OK);
    TypedNode("higher_order.cond.default", nullptr,
              {{"pred", ArgTensor(x)},
               {"true_graph", ArgGraph(inner)},
               {"false_graph", ArgGraph(inner)},
               {"operands", ArgTensors({})}},
              {type});
  }
  ExpectSound();
  const std::string text = PrintGraph(graph);
  Parse(text);
  EXPECT_TRUE(PrintGraph(graph) == text);
}

}  // namespace
