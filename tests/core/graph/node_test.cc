// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class NodeTest : public GraphFixture {
 protected:
  std::string Order() {
    std::string text;
    for (buddy_node *node = buddy_graph_first(graph); node; node = buddy_node_next(node)) {
      text += std::string(text.empty() ? "" : " ") + buddy_node_name(node);
    }
    std::string back;
    for (buddy_node *node = buddy_graph_last(graph); node; node = buddy_node_prev(node)) {
      back = std::string(buddy_node_name(node)) + (back.empty() ? "" : " ") + back;
    }
    EXPECT_EQ(text, back);
    return text;
  }
};

TEST_F(NodeTest, ArgumentsLeftOutTakeTheirDefault) {
  const buddy_value *x = Input("x", {2, 3});
  buddy_node *node =
      Node("aten.add.Tensor", "sum", {{"other", ArgTensor(x)}, {"self", ArgTensor(x)}});
  ASSERT_NE(node, nullptr);
  EXPECT_STREQ(buddy_node_op(node), "aten.add.Tensor");
  EXPECT_STREQ(buddy_node_name(node), "sum");
  EXPECT_EQ(buddy_node_graph(node), graph);
  EXPECT_EQ(buddy_node_opdef(node), buddy_opset_find(opset, "aten.add.Tensor"));
  ASSERT_EQ(buddy_node_n_args(node), 3u);
  EXPECT_STREQ(buddy_node_arg_name(node, 2), "alpha");
  EXPECT_EQ(buddy_node_arg(node, 2)->as.i, 1);
  EXPECT_TRUE(buddy_node_arg_is_default(node, 2));
  EXPECT_FALSE(buddy_node_arg_is_default(node, 0));
  EXPECT_FALSE(buddy_node_arg_is_default(node, 3));
  EXPECT_EQ(buddy_node_arg(node, 2), &buddy_opdef_arg(buddy_node_opdef(node), 2)->default_value)
      << "not copied";
  EXPECT_EQ(buddy_node_arg_find(node, "other")->as.tensor, x);
  EXPECT_EQ(buddy_node_arg_find(node, "none"), nullptr);
  EXPECT_EQ(buddy_node_arg(node, 3), nullptr);
  EXPECT_EQ(buddy_node_arg_name(node, 3), nullptr);
  EXPECT_EQ(buddy_node_n_results(node), 1u);
  EXPECT_STREQ(buddy_value_name(buddy_node_result(node, 0)), "sum");
  EXPECT_EQ(buddy_value_node(buddy_node_result(node, 0)), node);
  EXPECT_EQ(buddy_node_result(node, 1), nullptr);
  EXPECT_EQ(buddy_value_n_uses(x), 2u);
  ExpectSound();
}

TEST_F(NodeTest, AnArgumentEqualToItsDefaultIsTheDefault) {
  const buddy_value *x = Input("x", {1, 3, 8, 8});
  const std::vector<int64_t> ones = {1, 1};
  const int64_t dims[] = {1, 5, 10, 10};
  const buddy_tensor_type type = {BUDDY_F32, 4, dims};
  buddy_node *node = TypedNode("aten.conv2d.default", nullptr,
                               {{"input", ArgTensor(x)},
                                {"weight", ArgTensor(Input("w", {5, 3, 3, 3}))},
                                {"stride", ArgInts(ones)},
                                {"padding", ArgInt(2)},
                                {"dilation", ArgInt(1)}},
                               {type});
  EXPECT_TRUE(buddy_node_arg_is_default(node, 3)) << "[1, 1]";
  EXPECT_TRUE(buddy_node_arg_is_default(node, 5)) << "one int stands for both";
  const buddy_arg *padding = buddy_node_arg(node, 4);
  ASSERT_EQ(padding->kind, BUDDY_ARG_INTS);
  ASSERT_EQ(padding->n, 2u);
  EXPECT_EQ(padding->as.ints[1], 2);
  ExpectSound();
}

TEST_F(NodeTest, AllProblemsAreToldTogether) {
  const buddy_value *x = Input("x", {2});
  buddy_node *node;
  EXPECT_EQ(TryNode("aten.add.Tensor", "n",
                    {{"self", ArgString("x")},
                     {"self", ArgTensor(x)},
                     {"alfa", ArgInt(1)},
                     {"self", ArgTensor(x)}},
                    &node),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(node, nullptr);
  EXPECT_EQ(Said(),
            "n: aten.add.Tensor: argument \"self\" is a string, but the schema wants Tensor\n"
            "n: aten.add.Tensor: there is no argument \"alfa\"\n"
            "n: aten.add.Tensor: argument \"self\" is given twice\n"
            "n: aten.add.Tensor: argument \"other\" is missing\n");
  EXPECT_EQ(buddy_value_n_uses(x), 0u);
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  ExpectSound();
}

TEST_F(NodeTest, UnknownOps) {
  const buddy_value *x = Input("x", {2});
  buddy_node *node;
  EXPECT_EQ(TryNode("acme.fused.default", "n", {}, &node), BUDDY_NOT_FOUND);
  EXPECT_EQ(Said(), "n: there is no op \"acme.fused.default\"\n");
  const buddy_named_arg args[] = {
      {"q", ArgTensor(x)}, {"scale", ArgFloat(0.5)}, {nullptr, ArgInt(1)}};
  const buddy_tensor_type types[] = {*buddy_value_type(x), *buddy_value_type(x)};
  ASSERT_EQ(buddy_graph_add_unknown_node(graph, nullptr, "acme.fused.default", nullptr, args, 3,
                                         types, 2, diags, &node),
            BUDDY_OK)
      << Said();
  EXPECT_EQ(buddy_node_opdef(node), nullptr);
  EXPECT_STREQ(buddy_node_op(node), "acme.fused.default");
  EXPECT_STREQ(buddy_node_arg_name(node, 1), "scale");
  EXPECT_STREQ(buddy_node_arg_name(node, 2), "");
  EXPECT_FALSE(buddy_node_arg_is_default(node, 1));
  EXPECT_EQ(buddy_node_arg_find(node, "scale")->as.f, 0.5);
  ExpectSound();
  const buddy_arg changed = ArgString("now a string");
  EXPECT_EQ(buddy_node_set_arg(node, 1, &changed, diags), BUDDY_OK);
  const buddy_named_arg bad[] = {{"q", ArgTensor(nullptr)}};
  EXPECT_EQ(buddy_graph_add_unknown_node(graph, nullptr, "acme.x", nullptr, bad, 1, types, 2, diags,
                                         &node),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(), "acme.x: argument \"q\" is a null tensor\n");
  ExpectSound();
}

TEST_F(NodeTest, RequestsThatCannotBe) {
  const buddy_value *x = Input("x", {2});
  buddy_graph *inner;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "inner", &inner), BUDDY_OK);
  const buddy_named_arg args[] = {{"self", ArgTensor(x)}, {"other", ArgTensor(x)}};
  const buddy_tensor_type types[] = {*buddy_value_type(x), *buddy_value_type(x)};
  const buddy_tensor_type bad = {BUDDY_F32, 3, nullptr};
  buddy_node *node, *added;
  const auto add = [&](buddy_graph *to, buddy_node *before, const char *name,
                       const buddy_tensor_type *its, size_t n) {
    return buddy_graph_add_node(to, before, "aten.add.Tensor", name, args, 2, its, n, diags, &node);
  };
  ASSERT_EQ(add(graph, nullptr, "first", nullptr, 0), BUDDY_OK);
  added = node;
  EXPECT_EQ(add(graph, nullptr, "a", types, 2), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(graph, nullptr, "a", nullptr, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(graph, nullptr, "", types, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(graph, nullptr, "x", types, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(graph, nullptr, "a", &bad, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(inner, added, "a", types, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(add(inner, nullptr, "a", types, 1), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(),
            "a: aten.add.Tensor: 2 result types are given, but the schema has 1 results\n"
            "a: aten.add.Tensor: its types are null, but their number is not 0\n"
            ": aten.add.Tensor: its name is empty\n"
            "x: aten.add.Tensor: the graph has a value or a node of that name already\n"
            "a: aten.add.Tensor: the type of result 0 has no dims behind its rank\n"
            "a: aten.add.Tensor: it would stand before a node of another graph\n"
            "a: aten.add.Tensor: argument \"self\" is a tensor of another graph\n"
            "a: aten.add.Tensor: argument \"other\" is a tensor of another graph\n");
  ExpectSound();
}

TEST_F(NodeTest, OpsWithAnyNumberOfResults) {
  const buddy_value *x = Input("x", {4});
  const int64_t two[] = {2};
  const buddy_tensor_type part = {BUDDY_F32, 1, two};
  buddy_node *node = TypedNode("aten.split.Tensor", "parts",
                               {{"self", ArgTensor(x)}, {"split_size", ArgInt(2)}}, {part, part});
  ASSERT_EQ(buddy_node_n_results(node), 2u);
  EXPECT_STREQ(buddy_value_name(buddy_node_result(node, 1)), "parts.1");
  EXPECT_EQ(Value("parts.1"), buddy_node_result(node, 1));
  EXPECT_EQ(Value("parts"), nullptr);
  buddy_node *none = TypedNode("aten._assert.default", "check",
                               {{"self", ArgTensor(x)}, {"message", ArgString("no")}}, {});
  EXPECT_EQ(buddy_node_n_results(none), 0u);
  ExpectSound();
  buddy_node *unused;
  EXPECT_EQ(TryNode("aten.split.Tensor", "p", {{"self", ArgTensor(x)}, {"split_size", ArgInt(2)}},
                    &unused),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(),
            "p: aten.split.Tensor: the result types cannot be inferred: there is no rule for "
            "aten.split.Tensor\n");
}

TEST_F(NodeTest, OrderCanBeChanged) {
  const buddy_value *x = Input("x", {2});
  buddy_node *a = buddy_value_node(Add("a", x, x));
  buddy_node *b = buddy_value_node(Add("b", x, x));
  buddy_node *c = buddy_value_node(Add("c", x, x));
  EXPECT_EQ(Order(), "a b c");
  buddy_node_move(c, a);
  EXPECT_EQ(Order(), "c a b");
  buddy_node_move(c, nullptr);
  EXPECT_EQ(Order(), "a b c");
  buddy_node_move(b, b);
  buddy_node_move(b, c);
  EXPECT_EQ(Order(), "a b c");
  buddy_node_move(a, c);
  EXPECT_EQ(Order(), "b a c");
  const buddy_named_arg args[] = {{"self", ArgTensor(x)}, {"other", ArgTensor(x)}};
  buddy_node *d;
  ASSERT_EQ(buddy_graph_add_node(graph, b, "aten.add.Tensor", "d", args, 2, nullptr, 0, diags, &d),
            BUDDY_OK);
  EXPECT_EQ(Order(), "d b a c");
  ExpectSound();
}

TEST_F(NodeTest, OnlyUnusedNodesAreErased) {
  const buddy_value *x = Input("x", {2});
  const buddy_value *a = Add("a", x, x), *b = Add("b", a, x);
  EXPECT_EQ(buddy_node_erase(buddy_value_node(a)), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_node_erase(buddy_value_node(b)), BUDDY_OK);
  EXPECT_EQ(buddy_node_erase(buddy_value_node(a)), BUDDY_OK);
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  EXPECT_EQ(buddy_value_n_uses(x), 0u);
  EXPECT_EQ(Value("a"), nullptr);
  EXPECT_NE(Add("a", x, x), nullptr) << "the name is free again";
  ExpectSound();
}

TEST_F(NodeTest, AValueOfASymbolIsKept) {
  const buddy_value *x = Input("x", {}, BUDDY_I64);
  const buddy_tensor_type scalar = {BUDDY_I64, 0, nullptr};
  buddy_node *item = TypedNode("aten.item.default", "item", {{"self", ArgTensor(x)}}, {scalar});
  Symbol("u0", 0);
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, buddy_node_result(item, 0)), BUDDY_OK);
  EXPECT_EQ(buddy_node_erase(item), BUDDY_INVALID_ARGUMENT);
  ExpectSound();
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 0, nullptr), BUDDY_OK);
  EXPECT_EQ(buddy_node_erase(item), BUDDY_OK);
  ExpectSound();
}

TEST_F(NodeTest, ArgumentsAreSetOneByOne) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2});
  buddy_node *node = buddy_value_node(Add("n", x, x));
  const buddy_arg tensor = ArgTensor(y), two = ArgInt(2), one = ArgInt(1), text = ArgString("x");
  ASSERT_EQ(buddy_node_set_arg(node, 1, &tensor, diags), BUDDY_OK);
  EXPECT_EQ(buddy_value_n_uses(x), 1u);
  EXPECT_EQ(buddy_value_n_uses(y), 1u);
  ASSERT_EQ(buddy_node_set_arg(node, 2, &two, diags), BUDDY_OK);
  EXPECT_FALSE(buddy_node_arg_is_default(node, 2));
  ASSERT_EQ(buddy_node_set_arg(node, 2, &one, diags), BUDDY_OK);
  EXPECT_TRUE(buddy_node_arg_is_default(node, 2));
  EXPECT_EQ(buddy_node_set_arg(node, 2, &text, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_node_set_arg(node, 3, &one, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(),
            "n: aten.add.Tensor: argument \"alpha\" is a string, but the schema wants Scalar\n"
            "n: aten.add.Tensor: there is no argument 3\n");
  ExpectSound();
}

TEST_F(NodeTest, AnArgumentMayBeSetToItself) {
  const buddy_value *x = Input("x", {4});
  buddy_node *node = TypedNode("test.join.default", "n", {{"tensors", ArgTensors({x, x})}},
                               {*buddy_value_type(x)});
  const buddy_arg *arg = buddy_node_arg(node, 0);
  ASSERT_EQ(buddy_node_set_arg(node, 0, arg, diags), BUDDY_OK);
  EXPECT_EQ(buddy_node_arg(node, 0)->n, 2u);
  EXPECT_EQ(buddy_value_n_uses(x), 2u);
  ExpectSound();
}

TEST_F(NodeTest, SubgraphsAreArguments) {
  const buddy_value *x = Input("x", {}, BUDDY_BOOL);
  buddy_graph *inner, *other;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "inner", &inner), BUDDY_OK);
  ASSERT_EQ(buddy_graph_create(opset, "other", &other), BUDDY_OK);
  TypedNode("higher_order.cond.default", "c",
            {{"pred", ArgTensor(x)},
             {"true_graph", ArgGraph(inner)},
             {"false_graph", ArgGraph(inner)},
             {"operands", ArgTensors({})}},
            {});
  ExpectSound();
  for (const buddy_graph *wrong :
       {const_cast<const buddy_graph *>(graph), const_cast<const buddy_graph *>(other)}) {
    const buddy_arg arg = ArgGraph(wrong);
    EXPECT_EQ(buddy_node_set_arg(buddy_graph_first(graph), 1, &arg, diags), BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(
        Said(),
        "c: higher_order.cond.default: argument \"true_graph\" is no subgraph of this graph\n");
  }
  buddy_graph_destroy(other);
}

}  // namespace
