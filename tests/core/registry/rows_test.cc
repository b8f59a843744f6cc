// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/core/registry/rows_test.cc: rows against the schemas of their ops. What breaks a rule:
// tests/hostile.
#include "core/registry/rows.h"

#include "core/registry/registries.h"
#include "tests/core/registry/registry_fixture.h"

namespace {

using RowsTest = RegistryTest;

// An op with so many arguments that a set of them does not fit.
TEST_F(RowsTest, AnOpOfTooManyArguments) {
  std::string schema = "closer::one(Tensor self";
  for (int i = 0; i < 64; ++i) schema += ", int a" + std::to_string(i) + "=0";
  ASSERT_EQ(buddy_opset_define(opset, (schema + ") -> Tensor").c_str(), BUDDY_KIND_OTHER, diags),
            BUDDY_OK)
      << Text();
  EXPECT_EQ(Load("aaa"), BUDDY_LIMIT);
  EXPECT_NE(
      Text().find("registry 'aaa', row 0 (closer.one.default): the op has more than 64 arguments"),
      std::string::npos)
      << Text();
}

TEST_F(RowsTest, ARowMayBeNamedByAnAlias) {
  ASSERT_EQ(buddy_opset_define(opset, "real::one(Tensor self) -> Tensor", BUDDY_KIND_OTHER, diags),
            BUDDY_OK);
  ASSERT_EQ(buddy_opset_alias(opset, "closer.one.default", "real.one.default", diags), BUDDY_OK)
      << Text();
  ASSERT_EQ(Load("aaa"), BUDDY_OK) << Text();
  const buddy_candidate *candidates;
  EXPECT_EQ(buddy_registries_candidates(registries, "real.one.default", &candidates), 1u);
  EXPECT_EQ(buddy_registries_candidates(registries, "closer.one.default", &candidates), 1u);
}

}  // namespace
