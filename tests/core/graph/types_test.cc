// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class TypesTest : public GraphFixture {};

TEST_F(TypesTest, PrintAndCut) {
  const int64_t dims[] = {2, Symbol("s0"), Dim("2*s0+1")};
  const buddy_tensor_type type = {BUDDY_BF16, 3, dims}, scalar = {BUDDY_BOOL, 0, nullptr},
                          none = {0, 0, nullptr};
  char text[64], small[8];
  buddy_graph_type_text(graph, &type, text, sizeof text);
  EXPECT_STREQ(text, "bf16[2,s0,2*s0+1]");
  buddy_graph_type_text(graph, &scalar, text, sizeof text);
  EXPECT_STREQ(text, "i1[]");
  buddy_graph_type_text(graph, &none, text, sizeof text);
  EXPECT_STREQ(text, "none");
  buddy_graph_type_text(graph, &type, small, sizeof small);
  EXPECT_STREQ(small, "bf16[2,");
}

// What no memory holds is no value: strides and bytes are multiplied without a further question after this.
TEST_F(TypesTest, HasNoMoreElementsThanMemory) {
  const int64_t most = int64_t{1} << 48;
  const std::vector<std::vector<int64_t>> good = {{most},
                                                  {most / 4, 2, 1, 2},
                                                  {0, most},
                                                  {Symbol("s0"), most}},
                                          bad = {{most + 1},
                                                 {most, 2},
                                                 {0, most, 3},
                                                 {3, INT64_MAX},
                                                 {INT64_MAX, INT64_MAX, 4},
                                                 {Symbol("s0"), int64_t{1} << 62, 3}};
  int n = 0;
  for (const auto &dims : good) {
    const buddy_tensor_type type = {BUDDY_F32, static_cast<uint32_t>(dims.size()), dims.data()};
    const buddy_value *x;
    EXPECT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, ("x" + std::to_string(n++)).c_str(),
                                    nullptr, &type, nullptr, diags, &x),
              BUDDY_OK);
  }
  for (const auto &dims : bad) {
    const buddy_tensor_type type = {BUDDY_F32, static_cast<uint32_t>(dims.size()), dims.data()};
    const buddy_value *x;
    EXPECT_EQ(
        buddy_graph_add_input(graph, BUDDY_INPUT_USER, "y", nullptr, &type, nullptr, diags, &x),
        BUDDY_INVALID_ARGUMENT);
    EXPECT_EQ(Said(), "main: the input y has more than 2^48 elements\n");
  }
}

TEST_F(TypesTest, DimsAreCopied) {
  int64_t dims[] = {2, 3};
  const buddy_tensor_type type = {BUDDY_F32, 2, dims};
  const buddy_value *x;
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, "x", nullptr, &type, nullptr, diags, &x),
            BUDDY_OK);
  dims[0] = 7;
  EXPECT_EQ(TypeText(x), "f32[2,3]");
}

}  // namespace
