// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class InputsTest : public GraphFixture {};

TEST_F(InputsTest, KeepWhatTheyAreGiven) {
  const int64_t dims[] = {2, 3}, strides[] = {1, 2};
  const float bytes[6] = {};
  const buddy_tensor_type type = {BUDDY_F32, 2, dims};
  const buddy_data data = {bytes, sizeof bytes, 0, strides};
  const buddy_value *weight, *chosen;
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, "p_weight", "layer.weight", &type,
                                  &data, diags, &weight),
            BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, nullptr, nullptr, &type, nullptr, diags,
                                  &chosen),
            BUDDY_OK);
  EXPECT_EQ(buddy_graph_n_inputs(graph), 2u);
  EXPECT_EQ(buddy_graph_input(graph, 0), weight);
  EXPECT_EQ(buddy_graph_input_kind(graph, 0), BUDDY_INPUT_PARAMETER);
  EXPECT_STREQ(buddy_graph_input_target(graph, 0), "layer.weight");
  EXPECT_STREQ(buddy_graph_input_target(graph, 1), "");
  const buddy_data *kept = buddy_graph_input_data(graph, 0);
  EXPECT_EQ(kept->bytes, bytes) << "bytes are lent";
  EXPECT_NE(kept->strides, strides) << "strides are copied";
  EXPECT_EQ(kept->strides[1], 2);
  EXPECT_EQ(buddy_graph_input_data(graph, 1)->bytes, nullptr);
  EXPECT_STREQ(buddy_value_name(weight), "p_weight");
  EXPECT_STREQ(buddy_value_name(chosen), "input_1");
  EXPECT_EQ(buddy_value_node(weight), nullptr);
  EXPECT_EQ(buddy_value_index(chosen), 1u);
  EXPECT_EQ(buddy_value_graph(weight), graph);
  EXPECT_EQ(TypeText(weight), "f32[2,3]");
  EXPECT_EQ(buddy_graph_input(graph, 2), nullptr);
  EXPECT_EQ(buddy_graph_input_data(graph, 2), nullptr);
  EXPECT_STREQ(buddy_graph_input_target(graph, 2), "");
  EXPECT_EQ(buddy_graph_input_kind(graph, 2), BUDDY_INPUT_USER);
  ExpectSound();
}

TEST_F(InputsTest, BadOnesAreTold) {
  Input("x", {2});
  const int64_t negative[] = {-1};
  const int64_t strange[] = {INT64_MIN + 77};
  const buddy_tensor_type good = {BUDDY_F32, 0, nullptr}, no_dtype = {0, 0, nullptr},
                          bad_dtype = {99, 0, nullptr}, no_dims = {BUDDY_F32, 1, nullptr},
                          below = {BUDDY_F32, 1, negative}, unknown = {BUDDY_F32, 1, strange},
                          large = {BUDDY_F32, 65, negative};
  const struct {
    const char *name;
    const buddy_tensor_type *type;
    const char *what;
  } cases[] = {
      {"x", &good, "the input x has a name that the graph has already"},
      {"", &good, "the input  has an empty name"},
      {nullptr, &no_dtype, "the input without a name has no dtype"},
      {"y", &bad_dtype, "the input y has no known dtype"},
      {"y", &no_dims, "the input y has no dims behind its rank"},
      {"y", &below, "the input y has a negative dim"},
      {"y", &unknown, "the input y has a dim that this graph does not know"},
      {"y", &large, "the input y has more than 64 dims"},
  };
  for (const auto &each : cases) {
    const buddy_value *value;
    EXPECT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, each.name, nullptr, each.type, nullptr,
                                    diags, &value),
              BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(value, nullptr);
    EXPECT_EQ(Said(), std::string("main: ") + each.what + "\n");
  }
  EXPECT_EQ(buddy_graph_n_inputs(graph), 1u);
}

TEST_F(InputsTest, WeightsMayBecomeOthers) {
  const int64_t dims[] = {2, 3}, fewer[] = {3};
  const float bytes[6] = {};
  const signed char small[3] = {};
  const buddy_tensor_type type = {BUDDY_F32, 2, dims}, other = {BUDDY_I8, 1, fewer},
                          no_dtype = {0, 0, nullptr};
  const buddy_data data = {bytes, sizeof bytes, 0, nullptr},
                   less = {small, sizeof small, 0, nullptr};
  const buddy_value *weight;
  ASSERT_EQ(
      buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, "w", "w", &type, &data, diags, &weight),
      BUDDY_OK);
  Input("x", {2});
  ASSERT_EQ(buddy_graph_set_input(graph, 0, &other, &less, diags), BUDDY_OK);
  EXPECT_EQ(TypeText(weight), "i8[3]");
  EXPECT_EQ(buddy_graph_input_data(graph, 0)->bytes, small);
  EXPECT_STREQ(buddy_graph_input_target(graph, 0), "w");
  ASSERT_EQ(buddy_graph_set_input(graph, 0, &type, nullptr, diags), BUDDY_OK);
  EXPECT_EQ(TypeText(weight), "f32[2,3]");
  EXPECT_EQ(buddy_graph_input_data(graph, 0)->bytes, nullptr);
  EXPECT_EQ(buddy_graph_set_input(graph, 1, &other, nullptr, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(), "main: the input x is the user's, and stays what it is\n");
  EXPECT_EQ(buddy_graph_set_input(graph, 2, &other, nullptr, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(), "main: the input without a name is not there\n");
  EXPECT_EQ(buddy_graph_set_input(graph, 0, &no_dtype, nullptr, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(), "main: the input w has no dtype\n");
  EXPECT_EQ(TypeText(weight), "f32[2,3]");
  ExpectSound();
}

TEST_F(InputsTest, OutputsAreUsesOrConstants) {
  const buddy_value *x = Input("x", {2}), *y = Input("y", {2});
  Output(x);
  const buddy_arg none = ArgNone(), number = ArgInt(3), tensor = ArgTensor(y);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &none, diags), BUDDY_OK);
  ASSERT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &number, diags), BUDDY_OK);
  ASSERT_EQ(
      buddy_graph_add_output(graph, BUDDY_OUTPUT_BUFFER_MUTATION, "running_mean", &tensor, diags),
      BUDDY_OK);
  EXPECT_EQ(buddy_graph_n_outputs(graph), 4u);
  EXPECT_EQ(buddy_graph_output(graph, 2)->as.i, 3);
  EXPECT_EQ(buddy_graph_output_kind(graph, 3), BUDDY_OUTPUT_BUFFER_MUTATION);
  EXPECT_STREQ(buddy_graph_output_target(graph, 3), "running_mean");
  EXPECT_STREQ(buddy_graph_output_target(graph, 0), "");
  const buddy_use *use = buddy_value_first_use(y);
  ASSERT_NE(use, nullptr);
  EXPECT_EQ(buddy_use_node(use), nullptr);
  EXPECT_EQ(buddy_use_arg(use), 3u);
  ExpectSound();
  ASSERT_EQ(buddy_graph_set_output(graph, 0, &tensor, diags), BUDDY_OK);
  EXPECT_EQ(buddy_value_n_uses(x), 0u);
  EXPECT_EQ(buddy_value_n_uses(y), 2u);
  ExpectSound();
  EXPECT_EQ(buddy_graph_output(graph, 4), nullptr);
  EXPECT_EQ(buddy_graph_output_kind(graph, 4), BUDDY_OUTPUT_USER);
  EXPECT_STREQ(buddy_graph_output_target(graph, 4), "");
}

TEST_F(InputsTest, BadOutputsAreTold) {
  const buddy_value *x = Input("x", {2});
  buddy_graph *inner;
  ASSERT_EQ(buddy_graph_add_subgraph(graph, "inner", &inner), BUDDY_OK);
  const std::vector<const buddy_value *> one = {x};
  const buddy_arg list = ArgTensors(one), number = ArgInt(1), tensor = ArgTensor(x);
  EXPECT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_USER, nullptr, &list, diags),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_add_output(graph, BUDDY_OUTPUT_INPUT_MUTATION, "x", &number, diags),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_add_output(inner, BUDDY_OUTPUT_USER, nullptr, &tensor, diags),
            BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_graph_set_output(graph, 0, &tensor, diags), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(
      buddy_graph_add_output(graph, static_cast<buddy_output_kind>(3), nullptr, &tensor, diags),
      BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Said(),
            "main: output 0 is neither a tensor, nor None, nor a constant\n"
            "main: output 0 is a mutation without a tensor\n"
            "inner: output 0 is a tensor of another graph\n"
            "main: output 0 does not exist\n"
            "main: output 0 is of an unknown kind\n");
  EXPECT_EQ(buddy_value_n_uses(x), 0u);
}

}  // namespace
