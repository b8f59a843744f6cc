// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class ValueTest : public GraphFixture {
 protected:
  /* "n.1 m.0 out.2": users with the argument's number, in order. */
  std::string Uses(const buddy_value *value) {
    std::string text;
    for (const buddy_use *use = buddy_value_first_use(value); use; use = buddy_use_next(use)) {
      const buddy_node *node = buddy_use_node(use);
      text += std::string(text.empty() ? "" : " ") + (node ? buddy_node_name(node) : "out") + "." +
              std::to_string(buddy_use_arg(use)) + "[" + std::to_string(buddy_use_element(use)) +
              "]";
    }
    return text;
  }
};

TEST_F(ValueTest, UsesStandInOrder) {
  const buddy_value *x = Input("x", {2});
  const buddy_value *a = Add("a", x, x);
  TypedNode("test.join.default", "c", {{"tensors", ArgTensors({a, x, a})}}, {*buddy_value_type(x)});
  Output(x);
  EXPECT_EQ(Uses(x), "a.0[0] a.1[0] c.0[1] out.0[0]");
  EXPECT_EQ(Uses(a), "c.0[0] c.0[2]");
  EXPECT_EQ(buddy_value_n_uses(x), 4u);
}

TEST_F(ValueTest, ReplacingMovesEveryUse) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2});
  const buddy_value *a = Add("a", x, y);
  TypedNode("test.join.default", "c", {{"tensors", ArgTensors({x, y, x})}}, {*buddy_value_type(x)});
  Output(x);
  ASSERT_EQ(buddy_graph_replace_value(graph, x, y), BUDDY_OK);
  EXPECT_EQ(buddy_value_n_uses(x), 0u);
  EXPECT_EQ(buddy_value_n_uses(y), 6u);
  EXPECT_EQ(Uses(y), "a.1[0] c.0[1] a.0[0] c.0[0] c.0[2] out.0[0]");
  EXPECT_EQ(buddy_node_arg(buddy_value_node(a), 0)->as.tensor, y);
  EXPECT_EQ(buddy_graph_output(graph, 0)->as.tensor, y);
  ExpectSound();
  ASSERT_EQ(buddy_graph_replace_value(graph, x, y), BUDDY_OK) << "nothing to do";
  ASSERT_EQ(buddy_graph_replace_value(graph, y, y), BUDDY_OK);
  ASSERT_EQ(buddy_graph_replace_value(graph, y, x), BUDDY_OK);
  ExpectSound();
}

TEST_F(ValueTest, TypesMustAgree) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2, 1}), *z = Input("z", {2}, BUDDY_I32),
                    *w = Input("w", {7});
  EXPECT_EQ(buddy_graph_replace_value(graph, x, y), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_replace_value(graph, x, z), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_replace_value(graph, x, w), BUDDY_OK) << "dims may differ";
  buddy_graph *other;
  ASSERT_EQ(buddy_graph_create(opset, "other", &other), BUDDY_OK);
  const buddy_value *foreign;
  ASSERT_EQ(buddy_graph_add_input(other, BUDDY_INPUT_USER, "x", nullptr, buddy_value_type(x),
                                  nullptr, diags, &foreign),
            BUDDY_OK);
  EXPECT_EQ(buddy_graph_replace_value(graph, x, foreign), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_replace_value(graph, foreign, foreign), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_set_value_type(graph, foreign, buddy_value_type(x)),
            BUDDY_INVALID_ARGUMENT);
  buddy_graph_destroy(other);
}

TEST_F(ValueTest, ReplacingMovesTheSymbol) {
  const buddy_value *x = Input("x", {}, BUDDY_I64), *y = Input("y", {}, BUDDY_I64);
  Symbol("u0");
  Symbol("u1");
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 1, x), BUDDY_OK);
  ASSERT_EQ(buddy_graph_replace_value(graph, x, y), BUDDY_OK);
  EXPECT_EQ(buddy_graph_symbol(graph, 1)->bound_to, y);
  EXPECT_EQ(buddy_graph_symbol(graph, 0)->bound_to, nullptr);
  ExpectSound();
}

TEST_F(ValueTest, TypesCanBeRefined) {
  const buddy_value *x = Input("x", {2});
  const int64_t dims[] = {Symbol("s0"), 3};
  const buddy_tensor_type one = {BUDDY_F64, 1, dims}, two = {BUDDY_F32, 2, dims},
                          bad = {77, 0, nullptr};
  EXPECT_EQ(buddy_graph_set_value_type(graph, x, &two), BUDDY_OK);
  EXPECT_EQ(TypeText(x), "f32[s0,3]");
  EXPECT_EQ(buddy_graph_set_value_type(graph, x, &bad), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_set_value_type(graph, x, &one), BUDDY_OK);
  Output(x);
  EXPECT_EQ(buddy_graph_set_value_type(graph, x, &two), BUDDY_INVALID_ARGUMENT)
      << "it is used, and the rank would change";
  EXPECT_EQ(TypeText(x), "f64[s0]");
  EXPECT_EQ(buddy_graph_set_value_type(graph, x, buddy_value_type(x)), BUDDY_OK) << "its own type";
  EXPECT_EQ(TypeText(x), "f64[s0]");
}

/* The names of 1.0, which find the graph by the value. */
TEST_F(ValueTest, WhatIsDeprecatedDoesTheSame) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2});
  const int64_t dims[] = {5};
  const buddy_tensor_type five = {BUDDY_F32, 1, dims};
  Output(x);
  EXPECT_EQ(buddy_value_set_type(x, &five), BUDDY_OK);
  EXPECT_EQ(TypeText(x), "f32[5]");
  EXPECT_EQ(buddy_value_replace(x, y), BUDDY_OK);
  EXPECT_EQ(Uses(y), "out.0[0]");
  ExpectSound();
}

TEST_F(ValueTest, LocationsAreInterned) {
  const buddy_value *x = Input("x", {2});
  buddy_node *a = buddy_value_node(Add("a", x, x)), *b = buddy_value_node(Add("b", x, x));
  EXPECT_EQ(buddy_node_location(a)->file, nullptr);
  const std::string file = "/home/user/model.py";
  const buddy_location location = {file.c_str(), 41, "forward", "return x + x", "layer1.0"};
  ASSERT_EQ(buddy_node_set_location(a, &location), BUDDY_OK);
  ASSERT_EQ(buddy_node_set_location(b, &location), BUDDY_OK);
  EXPECT_NE(buddy_node_location(a)->file, file.c_str());
  EXPECT_STREQ(buddy_node_location(a)->code, "return x + x");
  EXPECT_EQ(buddy_node_location(a), buddy_node_location(b));
}

TEST_F(ValueTest, Descriptions) {
  const buddy_value *x = Input("x", {2});
  buddy_node *a = buddy_value_node(Add("conv2d_3", x, x));
  char text[64];
  const auto describe = [&](const char *file, uint32_t line, const char *module_path) {
    const buddy_location location = {file, line, nullptr, nullptr, module_path};
    EXPECT_EQ(buddy_node_set_location(a, &location), BUDDY_OK);
    buddy_node_describe(a, text, sizeof text);
    return std::string(text);
  };
  EXPECT_EQ(describe("/home/user/model.py", 41, "layer1.0.conv2"),
            "conv2d_3 (model.py:41, layer1.0.conv2)");
  EXPECT_EQ(describe("model.py", 41, nullptr), "conv2d_3 (model.py:41)");
  EXPECT_EQ(describe(nullptr, 0, "layer1"), "conv2d_3 (layer1)");
  EXPECT_EQ(describe(nullptr, 0, nullptr), "conv2d_3");
  char small[10];
  const buddy_location location = {"model.py", 41, nullptr, nullptr, nullptr};
  ASSERT_EQ(buddy_node_set_location(a, &location), BUDDY_OK);
  buddy_node_describe(a, small, sizeof small);
  EXPECT_STREQ(small, "conv2d_3 ");
  buddy_node_describe(a, small, 0);
}

}  // namespace
