// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/symbols/contracts.h"
#include "sdk/import/functionalize.h"
#include "tests/sdk/import/archive_builder.h"

namespace {

class OpsetTest : public ImportTest {};

TEST_F(OpsetTest, KnowsOpsAliasesAndKinds) {
  const buddy_opdef *def = buddy_opset_find(opset, "aten.add.Scalar");
  ASSERT_NE(def, nullptr);
  EXPECT_STREQ(buddy_opdef_name(def), "aten.add.Tensor");
  EXPECT_EQ(buddy_opdef_kind(def), BUDDY_KIND_ELEMENTWISE);
  EXPECT_STREQ(buddy_opdef_name(buddy_opset_find(opset, "aten.__and__.Tensor")),
               "aten.bitwise_and.Tensor");
  EXPECT_EQ(buddy_opdef_kind(buddy_opset_find(opset, "aten.conv2d.default")),
            BUDDY_KIND_CONVOLUTION);
  EXPECT_EQ(buddy_opdef_kind(buddy_opset_find(opset, "aten.sum.dim_IntList")), BUDDY_KIND_REDUCE);
  EXPECT_EQ(buddy_opdef_kind(buddy_opset_find(opset, "higher_order.cond.default")),
            BUDDY_KIND_CONTROL);
  EXPECT_NE(buddy_opset_find(opset, "aten.t.default"), nullptr);
  EXPECT_EQ(buddy_opset_find(opset, "aten.nothing.default"), nullptr);
}

TEST_F(OpsetTest, EverySchemaParses) {
  static const buddy_schema_row rows[] = {
#include "sdk/import/aten_schemas.inc"
  };
  for (const buddy_schema_row &row : rows)
    EXPECT_NE(buddy_opset_find(opset, row.name), nullptr) << row.name << ": " << row.schema;
}

TEST_F(OpsetTest, TwinsComputeWhatOpsWrite) {
  EXPECT_STREQ(bd_functional_twin("aten.add_.Tensor"), "aten.add.Tensor");
  EXPECT_STREQ(bd_functional_twin("aten.add.out"), "aten.add.Tensor");
  EXPECT_STREQ(bd_functional_twin("aten.copy_.default"), "aten.copy.default");
  EXPECT_EQ(bd_functional_twin("aten.add.Tensor"), nullptr);
}

/* But where the twin has other arguments or results, and a name of its own for that. */
TEST_F(OpsetTest, WhatWritesHasTheContractOfItsTwin) {
  static const char *const pairs[][2] = {
#include "sdk/import/aten_functional.inc"
  };
  const auto contract = [&](const char *op) {
    const buddy_opdef *def = buddy_opset_find(opset, op);
    return def ? bd_contract_find(op, buddy_opdef_kind(def)) : nullptr;
  };
  size_t n = 0;
  for (const auto &pair : pairs) {
    const bd_contract *own = contract(pair[0]), *twin = contract(pair[1]);
    if (!own || !twin || strstr(pair[1], "_functional") || strstr(pair[1], "matrix_rank")) continue;
    EXPECT_EQ(own->shape, twin->shape) << pair[0] << " and " << pair[1];
    EXPECT_EQ(own->dtypes[0], twin->dtypes[0]) << pair[0] << " and " << pair[1];
    EXPECT_STREQ(own->text, twin->text) << pair[0] << " and " << pair[1];
    ++n;
  }
  EXPECT_GT(n, 800u);
}

}  // namespace
