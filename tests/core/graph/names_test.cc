// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class NamesTest : public GraphFixture {
 protected:
  buddy_code TrySplit(const char *name, size_t n) {
    const std::vector<buddy_tensor_type> types(n, *buddy_value_type(Value("x")));
    const buddy_named_arg args[] = {{"self", ArgTensor(Value("x"))}};
    buddy_diags_clear(diags);
    return buddy_graph_add_node(graph, nullptr, "test.many.default", name, args, 1, types.data(), n,
                                diags, nullptr);
  }
};

TEST_F(NamesTest, ChosenNamesTellTheOp) {
  const buddy_value *x = Input("x", {2});
  EXPECT_STREQ(buddy_value_name(Add(nullptr, x, x)), "add_1");
  EXPECT_NE(Add("add_2", x, x), nullptr);
  EXPECT_STREQ(buddy_value_name(Add(nullptr, x, x)), "add_3");
  const buddy_named_arg none[] = {{"", ArgNone()}};
  buddy_node *node;
  const std::string odd = std::string(300, 'o');
  for (const char *op : {"", ".", "plain", odd.c_str()}) {
    ASSERT_EQ(buddy_graph_add_unknown_node(graph, nullptr, op, nullptr, none, 1, nullptr, 0, diags,
                                           &node),
              BUDDY_OK);
    EXPECT_EQ(buddy_node_n_results(node), 0u);
  }
  ExpectSound();
}

TEST_F(NamesTest, ResultsOfSeveralAreNumbered) {
  Input("x", {2});
  ASSERT_EQ(TrySplit("s", 12), BUDDY_OK);
  EXPECT_EQ(buddy_value_index(Value("s.0")), 0u);
  EXPECT_EQ(buddy_value_index(Value("s.11")), 11u);
  for (const char *name :
       {"s", "s.12", "s.00", "s.", "s.-1", "s.1.0", ".0", "", "s.99999999999999999999"}) {
    EXPECT_EQ(Value(name), nullptr) << name;
  }
  ExpectSound();
}

TEST_F(NamesTest, NoNameMeansTwoValues) {
  const buddy_value *x = Input("x", {2});
  Input("t.1", {2});
  ASSERT_EQ(TrySplit("s", 2), BUDDY_OK);
  EXPECT_EQ(TrySplit("t", 2), BUDDY_INVALID_ARGUMENT) << "t.1 is there";
  EXPECT_EQ(TrySplit("t", 1), BUDDY_OK);
  EXPECT_EQ(TrySplit("s.1", 3), BUDDY_INVALID_ARGUMENT) << "s.1 is a result";
  EXPECT_EQ(TrySplit("s.2", 1), BUDDY_OK);
  buddy_node *node;
  EXPECT_EQ(
      TryNode("aten.add.Tensor", "s.0", {{"self", ArgTensor(x)}, {"other", ArgTensor(x)}}, &node),
      BUDDY_INVALID_ARGUMENT);
  ExpectSound();
}

TEST_F(NamesTest, NamesMayBeAnything) {
  const std::string name = "ä\n\"%" + std::string(500, 'x');
  const buddy_value *x = Input(name.c_str(), {2});
  EXPECT_EQ(Value(name.c_str()), x);
  ASSERT_EQ(buddy_graph_add_node(graph, nullptr, "test.many.default", (name + "s").c_str(),
                                 Args{{"self", ArgTensor(x)}}.data(), 1,
                                 std::vector<buddy_tensor_type>(2, *buddy_value_type(x)).data(), 2,
                                 diags, nullptr),
            BUDDY_OK);
  EXPECT_NE(Value((name + "s.1").c_str()), nullptr);
  ExpectSound();
}

}  // namespace
