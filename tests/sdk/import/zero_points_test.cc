// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/zero_points.h"

#include "buddy/import.h"
#include "tests/sdk/import/archive_builder.h"

namespace {

class ZeroPointsTest : public ImportTest {
 protected:
  // The kind of the zero points' argument once the graph has been looked at.
  buddy_arg_kind Kind(const int64_t *zeros, buddy_input_kind kind, const int64_t *strides = nullptr,
                      bool is_written = false) {
    static const int64_t dims[] = {3, 2}, one[] = {3};
    const buddy_tensor_type q = {BUDDY_I8, 2, dims}, scale = {BUDDY_F32, 1, one},
                            zero = {BUDDY_I64, 1, one}, to = {BUDDY_F32, 2, dims};
    const buddy_data data = {zeros, 6 * sizeof(int64_t), 0, strides};
    const buddy_value *values[3];
    buddy_node *node;
    Close();
    EXPECT_EQ(buddy_graph_create(opset, "forward", &graph), BUDDY_OK);
    EXPECT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, "w", "w", &q, nullptr, diags,
                                    &values[0]),
              BUDDY_OK);
    EXPECT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_PARAMETER, "s", "s", &scale, nullptr, diags,
                                    &values[1]),
              BUDDY_OK);
    EXPECT_EQ(buddy_graph_add_input(graph, kind, "z", kind == BUDDY_INPUT_USER ? nullptr : "z",
                                    &zero, zeros ? &data : nullptr, diags, &values[2]),
              BUDDY_OK);
    buddy_named_arg args[] = {{"input", {}}, {"scales", {}},    {"zero_points", {}},
                              {"axis", {}},  {"quant_min", {}}, {"quant_max", {}},
                              {"dtype", {}}};
    for (int i = 0; i < 3; ++i) {
      args[i].arg.kind = BUDDY_ARG_TENSOR;
      args[i].arg.as.tensor = values[i];
      args[3 + i].arg.kind = BUDDY_ARG_INT;
    }
    args[6].arg.kind = BUDDY_ARG_DTYPE;
    args[6].arg.as.i = BUDDY_I8;
    EXPECT_EQ(
        buddy_graph_add_node(graph, nullptr, "quantized_decomposed.dequantize_per_channel.default",
                             "y", args, 7, &to, 1, diags, &node),
        BUDDY_OK);
    if (is_written) {
      EXPECT_EQ(
          buddy_graph_add_output(graph, BUDDY_OUTPUT_BUFFER_MUTATION, "z", &args[2].arg, diags),
          BUDDY_OK);
    }
    EXPECT_EQ(bd_zero_points_drop(graph, nullptr, diags), BUDDY_OK);
    return buddy_node_arg_find(node, "zero_points")->kind;
  }
};

TEST_F(ZeroPointsTest, ZerosAreNone) {
  const int64_t zeros[6] = {};
  EXPECT_EQ(Kind(zeros, BUDDY_INPUT_BUFFER), BUDDY_ARG_NONE);
}

TEST_F(ZeroPointsTest, OthersStay) {
  const int64_t last[6] = {0, 0, 1}, zeros[6] = {}, spread[6] = {0, 0, 0, 0, 3}, two[] = {2};
  EXPECT_EQ(Kind(last, BUDDY_INPUT_BUFFER), BUDDY_ARG_TENSOR);
  EXPECT_EQ(Kind(zeros, BUDDY_INPUT_USER), BUDDY_ARG_TENSOR);
  EXPECT_EQ(Kind(nullptr, BUDDY_INPUT_BUFFER), BUDDY_ARG_TENSOR);
  EXPECT_EQ(Kind(zeros, BUDDY_INPUT_BUFFER, nullptr, true), BUDDY_ARG_TENSOR);
  EXPECT_EQ(Kind(spread, BUDDY_INPUT_BUFFER, two), BUDDY_ARG_TENSOR) << "the third is not zero";
}

}  // namespace
