// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class GraphTest : public GraphFixture {};

TEST_F(GraphTest, BeginsEmpty) {
  EXPECT_STREQ(buddy_graph_name(graph), "main");
  EXPECT_EQ(buddy_graph_opset(graph), opset);
  EXPECT_EQ(buddy_graph_parent(graph), nullptr);
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  EXPECT_EQ(buddy_graph_first(graph), nullptr);
  EXPECT_EQ(buddy_graph_last(graph), nullptr);
  ExpectSound();
}

TEST_F(GraphTest, SubgraphsShareDimsAndOpset) {
  buddy_graph *inner, *unnamed, *innermost;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "true_graph", &inner), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(graph, nullptr, &unnamed), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(inner, "innermost", &innermost), BUDDY_OK);
  EXPECT_EQ(buddy_graph_parent(inner), graph);
  EXPECT_EQ(buddy_graph_parent(innermost), inner);
  EXPECT_EQ(buddy_graph_opset(innermost), opset);
  EXPECT_STRNE(buddy_graph_name(unnamed), buddy_graph_name(inner));
  const int64_t s0 = Symbol("s0");
  int64_t again;
  ASSERT_EQ(buddy_graph_add_symbol(inner, "s0", 2, INT64_MAX, &again), BUDDY_OK);
  EXPECT_EQ(again, s0);
  buddy_graph *none;
  EXPECT_EQ(buddy_graph_add_subgraph(inner, "true_graph", &none), BUDDY_INVALID_ARGUMENT)
      << "names are unique";
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(buddy_graph_add_subgraph(inner, "", &none), BUDDY_INVALID_ARGUMENT);
  buddy_graph_destroy(inner); /* belongs to its parent: nothing happens */
  EXPECT_STREQ(buddy_graph_name(inner), "true_graph");
}

TEST_F(GraphTest, NestingIsLimited) {
  buddy_graph *inner = graph;
  buddy_code code = BUDDY_OK;
  int depth = 0;
  while (!code && depth < 1000) {
    code = buddy_graph_add_subgraph(inner, nullptr, &inner);
    ++depth;
  }
  EXPECT_EQ(code, BUDDY_LIMIT);
  EXPECT_EQ(depth, 65);
}

TEST_F(GraphTest, ChosenNamesOfSubgraphsStepAside) {
  buddy_graph *a, *b;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "graph_2", &a), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_subgraph(graph, nullptr, &b), BUDDY_OK);
  EXPECT_STREQ(buddy_graph_name(b), "graph_3");
}

}  // namespace
