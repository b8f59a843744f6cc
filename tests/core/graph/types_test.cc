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
