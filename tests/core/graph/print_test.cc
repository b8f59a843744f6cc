// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class PrintTest : public GraphFixture {};

TEST_F(PrintTest, AWholeGraph) {
  const int64_t s0 = Symbol("s0", 2, 64);
  Symbol("u0", INT64_MIN, INT64_MAX);
  const buddy_value *x = Input("x", {s0, 4});
  const int64_t dims[] = {4};
  const buddy_tensor_type type = {BUDDY_F32, 1, dims}, scalar = {BUDDY_I64, 0, nullptr};
  const buddy_value *weight;
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, "p_w", "layer.\"w\"", &type,
                                  nullptr, diags, &weight),
            BUDDY_OK);
  const buddy_value *sum = Add(nullptr, x, weight);
  const buddy_location location = {"model.py", 41, "forward", "x + w", "layer1.0"};
  ASSERT_EQ(buddy_node_set_location(buddy_value_node(sum), &location), BUDDY_OK);
  const buddy_tensor_type part = *buddy_value_type(sum);
  TypedNode("aten.split.Tensor", "parts", {{"self", ArgTensor(sum)}, {"split_size", ArgInt(s0)}},
            {part, part});
  TypedNode("aten._assert.default", "check",
            {{"self", ArgTensor(x)}, {"message", ArgString("no\n")}}, {});
  buddy_node *item = TypedNode("aten.item.default", "an item", {{"self", ArgTensor(x)}}, {scalar});
  ASSERT_EQ(buddy_graph_bind_symbol(graph, 1, buddy_node_result(item, 0)), BUDDY_OK);
  const buddy_arg mutation = ArgTensor(Value("parts.1")), number = ArgInt(Dim("2*s0")),
                  text = ArgString("t");
  Output(sum);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_BUFFER_MUTATION, "mean", &mutation, diags),
            BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &number, diags), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &text, diags), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, "named", &text, diags), BUDDY_OK);
  const std::string expected =
      "graph @main {\n"
      "  symbol s0 [2, 64]\n"
      "  symbol u0 [-inf, inf]\n"
      "  input %x : f32[s0,4]\n"
      "  parameter %p_w \"layer.\\\"w\\\"\" : f32[4]\n"
      "  %add_1 = aten.add.Tensor(self=%x, other=%p_w) : f32[s0,4] loc(file=\"model.py\", "
      "function=\"forward\", "
      "code=\"x + w\", module=\"layer1.0\", line=41)\n"
      "  %parts:2 = aten.split.Tensor(self=%add_1, split_size={s0}) : f32[s0,4], f32[s0,4]\n"
      "  %check:0 = aten._assert.default(self=%x, message=\"no\\n\")\n"
      "  %\"an item\" = aten.item.default(self=%x) : i64[]\n"
      "  bind u0 = %\"an item\"\n"
      "  output %add_1\n"
      "  output buffer_mutation \"mean\" = %parts.1\n"
      "  output {2*s0}\n"
      "  output \"t\"\n"
      "  output \"named\" = \"t\"\n"
      "}\n";
  EXPECT_EQ(PrintGraph(graph), expected);
  Parse(expected);
  EXPECT_EQ(PrintGraph(graph), expected);
  EXPECT_EQ(buddy_graph_symbol(graph, 1)->bound_to, Value("an item"));
  EXPECT_STREQ(buddy_graph_input_target(graph, 1), "layer.\"w\"");
  EXPECT_EQ(buddy_node_location(buddy_value_node(Value("add_1")))->line, 41u);
  ExpectSound();
}

TEST_F(PrintTest, SubgraphsStandWhereTheyAreNamed) {
  const std::string text =
      "graph @main {\n"
      "  symbol u0 [0, inf]\n"
      "  graph @\"the true one\" {\n"
      "    graph @deep {\n"
      "      input %q : f32[]\n"
      "      output %q\n"
      "    }\n"
      "    input %a : f32[2]\n"
      "    input %p : i1[]\n"
      "    %c = higher_order.cond.default(pred=%p, true_graph=@deep, false_graph=@deep, "
      "operands=[%a]) : f32[2]\n"
      "    %n = aten.item.default(self=%p) : i64[]\n"
      "    bind u0 = %n\n"
      "    output %c\n"
      "  }\n"
      "  graph @false {\n"
      "    input %a : f32[2]\n"
      "    output %a\n"
      "  }\n"
      "  input %x : f32[2]\n"
      "  input %p : i1[]\n"
      "  %c = higher_order.cond.default(pred=%p, true_graph=@\"the true one\", false_graph=@false, "
      "operands=[%x, %p]) : f32[2]\n"
      "  output %c\n"
      "}\n";
  Parse(text);
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(PrintGraph(graph), text);
  ExpectSound();
  const buddy_arg *inner = buddy_node_arg_find(buddy_graph_first(graph), "true_graph");
  EXPECT_EQ(PrintGraph(inner->as.graph).substr(0, 50),
            "graph @\"the true one\" {\n  symbol u0 [0, inf]\n  gra");
}

TEST_F(PrintTest, SubgraphsThatNoNodeNamesAreLeftOut) {
  buddy_graph *inner;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "unused", &inner), BUDDY_OK);
  EXPECT_EQ(PrintGraph(graph), "graph @main {\n}\n");
}

buddy_code Refuse(void *user, const char *, size_t) {
  ++*static_cast<int *>(user);
  return BUDDY_IO;
}

TEST_F(PrintTest, AWriterThatFailsEndsIt) {
  const buddy_value *x = Input("x", {2});
  for (int i = 0; i < 5000; ++i) Add(nullptr, x, x);
  int n_calls = 0;
  const buddy_writer writer = {Refuse, &n_calls};
  EXPECT_EQ(buddy_graph_print(graph, &writer), BUDDY_IO);
  EXPECT_EQ(n_calls, 1);
}

}  // namespace
