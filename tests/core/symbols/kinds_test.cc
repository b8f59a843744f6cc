// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "buddy/graph.h"

TEST(KindsTest, HaveNames) {
  EXPECT_STREQ(buddy_op_kind_name(BUDDY_KIND_OTHER), "other");
  EXPECT_STREQ(buddy_op_kind_name(BUDDY_KIND_SIDE_EFFECT), "side_effect");
  EXPECT_STREQ(buddy_op_kind_name(static_cast<buddy_op_kind>(15)), "?");
}

TEST(KindsTest, ADefinitionCanBeRead) {
  buddy_opset *opset;
  ASSERT_EQ(buddy_opset_create(&opset), BUDDY_OK);
  const char *schema = "x::f(Tensor self, int dim=-1) -> (Tensor values, Tensor indices)";
  ASSERT_EQ(buddy_opset_define(opset, schema, BUDDY_KIND_REDUCE, nullptr), BUDDY_OK);
  const buddy_opdef *def = buddy_opset_find(opset, "x.f.default");
  ASSERT_NE(def, nullptr);
  EXPECT_STREQ(buddy_opdef_name(def), "x.f.default");
  EXPECT_STREQ(buddy_opdef_schema(def), schema);
  EXPECT_EQ(buddy_opdef_kind(def), BUDDY_KIND_REDUCE);
  ASSERT_EQ(buddy_opdef_n_args(def), 2u);
  ASSERT_EQ(buddy_opdef_n_results(def), 2u);
  EXPECT_STREQ(buddy_opdef_arg(def, 1)->name, "dim");
  EXPECT_STREQ(buddy_opdef_result(def, 1)->name, "indices");
  EXPECT_EQ(buddy_opdef_arg(def, 2), nullptr);
  EXPECT_EQ(buddy_opdef_result(def, 2), nullptr);
  size_t i;
  EXPECT_EQ(buddy_opdef_arg_find(def, buddy_sv{"dimension", 3}, &i), BUDDY_OK);
  EXPECT_EQ(i, 1u);
  EXPECT_EQ(buddy_opdef_arg_find(def, buddy_sv{"di", 2}, &i), BUDDY_NOT_FOUND);
  EXPECT_EQ(buddy_opdef_arg_find(def, buddy_sv{"dims", 4}, &i), BUDDY_NOT_FOUND);
  buddy_opset_destroy(opset);
}
