// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sdk/import/build.h"

#include "tests/sdk/import/archive_builder.h"

namespace {

class BuildTest : public ImportTest {};

TEST_F(BuildTest, CastsAndExpandsOnlyWhatDiffers) {
  ASSERT_EQ(buddy_graph_create(opset, "f", &graph), BUDDY_OK);
  const int64_t dims[] = {2, 3};
  const buddy_tensor_type row = {BUDDY_F32, 1, dims + 1}, whole = {BUDDY_F32, 2, dims};
  const buddy_value *x, *value;
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, "x", nullptr, &row, nullptr, diags, &x),
            BUDDY_OK);
  const bd_build at = {graph, nullptr, diags};
  ASSERT_EQ(bd_build_cast(&at, x, BUDDY_F32, &value), BUDDY_OK);
  EXPECT_EQ(value, x);
  ASSERT_EQ(bd_build_expand(&at, x, &row, &value), BUDDY_OK);
  EXPECT_EQ(value, x);
  EXPECT_EQ(buddy_graph_n_nodes(graph), 0u);
  ASSERT_EQ(bd_build_cast(&at, x, BUDDY_F64, &value), BUDDY_OK);
  ASSERT_EQ(bd_build_expand(&at, value, &whole, &value), BUDDY_OK);
  EXPECT_EQ(buddy_value_type(value)->dtype, BUDDY_F64);
  EXPECT_TRUE(bd_same_dims(buddy_value_type(value), &whole));
  EXPECT_EQ(buddy_graph_n_nodes(graph), 2u);
}

TEST_F(BuildTest, ANodeThatIsStillUsedIsNotErased) {
  ASSERT_EQ(buddy_graph_create(opset, "f", &graph), BUDDY_OK);
  const buddy_tensor_type type = {BUDDY_F32, 0, nullptr};
  const buddy_value *x, *value;
  ASSERT_EQ(buddy_graph_add_input(graph, BUDDY_INPUT_USER, "x", nullptr, &type, nullptr, diags, &x),
            BUDDY_OK);
  const bd_build at = {graph, nullptr, diags};
  ASSERT_EQ(bd_build_cast(&at, x, BUDDY_F64, &value), BUDDY_OK);
  ASSERT_EQ(bd_build_cast(&at, value, BUDDY_F32, &value), BUDDY_OK);
  EXPECT_EQ(bd_build_erase(buddy_graph_first(graph), diags), BUDDY_INTERNAL);
  EXPECT_NE(Said().find("the program still uses a result of it"), std::string::npos) << Said();
  EXPECT_EQ(bd_build_erase(buddy_graph_last(graph), diags), BUDDY_OK);
}

}  // namespace
