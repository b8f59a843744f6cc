// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/graph/extract.h"

#include <set>

#include "tests/core/graph/fixture.h"

namespace {

class ExtractTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    const buddy_value *x = Input("x", {2, 3});
    buddy_node *a = Node("aten.add.Tensor", "a", {{"self", ArgTensor(x)}, {"other", ArgTensor(x)}});
    const buddy_value *sum = buddy_node_result(a, 0);
    Node("aten.add.Tensor", "b", {{"self", ArgTensor(sum)}, {"other", ArgTensor(x)}});
    const buddy_value *product = buddy_graph_find_value(graph, "b");
    Node("aten.add.Tensor", "c", {{"self", ArgTensor(product)}, {"other", ArgTensor(sum)}});
  }

  static bool Has(const void *user, const buddy_node *node) {
    return static_cast<const std::set<std::string> *>(user)->count(buddy_node_name(node)) > 0;
  }

  buddy_graph *Extract(const std::set<std::string> &nodes, const char *output, bool is_double,
                       buddy_code expected) {
    const buddy_value *value = buddy_graph_find_value(graph, output);
    bd_cut cut = {};
    cut.has = Has;
    cut.user = &nodes;
    cut.outputs = &value;
    cut.n_outputs = 1;
    cut.is_double = is_double;
    buddy_graph *made;
    EXPECT_EQ(bd_graph_extract(graph, &cut, diags, &made), expected);
    return made;
  }
};

TEST_F(ExtractTest, WhatIsMadeOutsideIsAnInput) {
  buddy_graph *part = Extract({"b", "c"}, "c", false, BUDDY_OK);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(buddy_graph_n_nodes(part), 2u);
  ASSERT_EQ(buddy_graph_n_inputs(part), 2u);
  EXPECT_STREQ(buddy_value_name(buddy_graph_input(part, 0)), "a");
  EXPECT_STREQ(buddy_value_name(buddy_graph_input(part, 1)), "x");
  EXPECT_EQ(buddy_value_type(buddy_graph_input(part, 0))->dtype, BUDDY_F32);
  EXPECT_EQ(buddy_graph_n_outputs(part), 1u);
  buddy_graph_destroy(part);
}

TEST_F(ExtractTest, FloatsBecomeDouble) {
  buddy_graph *part = Extract({"a", "b"}, "b", true, BUDDY_OK);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(buddy_value_type(buddy_graph_input(part, 0))->dtype, BUDDY_F64);
  EXPECT_EQ(buddy_value_type(buddy_graph_find_value(part, "b"))->dtype, BUDDY_F64);
  buddy_graph_destroy(part);
  EXPECT_EQ(bd_dtype_double(BUDDY_I64), BUDDY_I64);
  EXPECT_EQ(bd_dtype_double(BUDDY_C64), BUDDY_C128);
}

// Of nodes that are added, none has the name of one that comes after.
TEST_F(ExtractTest, WhatIsAddedHasNamesOfItsOwn) {
  const buddy_value *value = buddy_graph_find_value(graph, "x");
  const char *schema = "aten::nextafter(Tensor self, Tensor other) -> Tensor";
  ASSERT_EQ(buddy_opset_define(opset, schema, BUDDY_KIND_ELEMENTWISE, nullptr), BUDDY_OK);
  Node("aten.nextafter.default", "d", {{"self", ArgTensor(value)}, {"other", ArgTensor(value)}});
  value = buddy_graph_find_value(graph, "d");
  for (const char *name : {"_to_copy", "_to_copy_1", "nextafter", "own_0", "own_1", "own_2"}) {
    Node("aten.add.Tensor", name, {{"self", ArgTensor(value)}, {"other", ArgTensor(value)}});
    value = buddy_graph_find_value(graph, name);
  }
  buddy_graph *part =
      Extract({"d", "_to_copy", "_to_copy_1", "nextafter", "own_0", "own_1", "own_2"}, "own_2",
              true, BUDDY_OK);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(buddy_graph_n_nodes(part), 6u + 4u);
  buddy_graph_destroy(part);
}

TEST_F(ExtractTest, WhatFollowsFromADtypeKeepsIt) {
  const buddy_value *x = buddy_graph_find_value(graph, "x");
  const char *schema = "aten::nextafter(Tensor self, Tensor other) -> Tensor";
  ASSERT_EQ(buddy_opset_define(opset, schema, BUDDY_KIND_ELEMENTWISE, nullptr), BUDDY_OK);
  Node("aten.nextafter.default", "d", {{"self", ArgTensor(x)}, {"other", ArgTensor(x)}});
  buddy_graph *part = Extract({"d"}, "d", true, BUDDY_OK);
  ASSERT_NE(part, nullptr);
  EXPECT_EQ(buddy_value_type(buddy_graph_input(part, 0))->dtype, BUDDY_F64);
  EXPECT_EQ(buddy_value_type(buddy_graph_find_value(part, "d"))->dtype, BUDDY_F64);
  int n = 0;
  for (const buddy_node *node = buddy_graph_first(part); node; node = buddy_node_next(node)) {
    if (std::string(buddy_node_op(node)) != "aten.nextafter.default") continue;
    EXPECT_EQ(buddy_value_type(buddy_node_result(node, 0))->dtype, BUDDY_F32);
    ++n;
  }
  EXPECT_EQ(n, 1);
  buddy_graph_destroy(part);
}

TEST_F(ExtractTest, AnOutputIsOfTheNodes) {
  EXPECT_EQ(Extract({"a"}, "c", false, BUDDY_NOT_FOUND), nullptr);
}

}  // namespace
