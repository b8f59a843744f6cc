// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

class TypesTest : public ImportTest {
 protected:
  // relu of x whose one size is an expression.
  buddy_code ImportSize(const std::string &expr, const std::string &ranges = "") {
    const std::string size = "{\"as_expr\": {\"expr_str\": \"" + expr + "\", \"hint\": null}}";
    std::string meta = Meta("2", "1");
    meta.replace(meta.find("{\"as_int\": 2}"), 13, size);
    Program program = ReluProgram();
    program.tensor_values = "\"x\": " + meta + ", \"relu\": " + meta;
    program.ranges = ranges;
    zips.clear();
    return Import(program);
  }
  buddy_code ImportMeta(const std::string &meta) {
    Program program = ReluProgram();
    program.tensor_values = "\"x\": " + meta + ", \"relu\": " + meta;
    zips.clear();
    return Import(program);
  }
};

TEST_F(TypesTest, ReadsExpressions) {
  ASSERT_EQ(ImportSize("Symbol('s0', positive=True, integer=True)",
                       "\"s0\": {\"min_val\": 2, \"max_val\": 64}"),
            BUDDY_OK);
  EXPECT_NE(Print().find("symbol s0 [0, 64]"), std::string::npos) << Print();
  EXPECT_NE(Print().find("input %x : f32[s0]"), std::string::npos) << Print();
  ASSERT_EQ(
      ImportSize("Add(Mul(Integer(2), Symbol('s0', positive=True, integer=True)), Integer(1))"),
      BUDDY_OK)
      << Said();
  EXPECT_NE(Print().find("input %x : f32[2*s0+1]"), std::string::npos) << Print();
  ASSERT_EQ(ImportSize("FloorDiv(Symbol('s0', positive=True, integer=True), Integer(2))"), BUDDY_OK)
      << Said();
}

TEST_F(TypesTest, TellsExpressionsBeyondDims) {
  EXPECT_EQ(ImportSize("Gamma(Symbol('s0', integer=True))"), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("Gamma"), std::string::npos) << Said();
  EXPECT_EQ(ImportSize("Symbol('s0"), BUDDY_UNSUPPORTED);
  EXPECT_EQ(ImportSize("Symbol('', integer=True)"), BUDDY_UNSUPPORTED);
}

TEST_F(TypesTest, RefusesWrongTensors) {
  EXPECT_EQ(ImportMeta(Meta("-2", "1")), BUDDY_CORRUPT);
  EXPECT_EQ(ImportMeta(Meta("2,3", "1")), BUDDY_CORRUPT);
  EXPECT_EQ(ImportMeta(Meta("2", "1", 99)), BUDDY_UNSUPPORTED);
  EXPECT_NE(Said().find("99"), std::string::npos) << Said();
  EXPECT_EQ(ImportMeta(Meta("-9223372036854775808", "1")), BUDDY_CORRUPT);
  std::string dims = "1";
  for (int i = 0; i < 64; ++i) dims += ",1";
  EXPECT_EQ(ImportMeta(Meta(dims, dims)), BUDDY_CORRUPT);
  EXPECT_NE(Said().find("more than 64 dims"), std::string::npos) << Said();
  std::string sparse = Meta("2", "1");
  sparse.replace(sparse.find("\"layout\": 7"), 11, "\"layout\": 1");
  EXPECT_EQ(ImportMeta(sparse), BUDDY_UNSUPPORTED);
}

TEST_F(TypesTest, NotesOtherDevicesOnce) {
  std::string meta = Meta("2", "1");
  meta.replace(meta.find("\"cpu\""), 5, "\"cuda\"");
  ASSERT_EQ(ImportMeta(meta), BUDDY_OK) << Said();
  ASSERT_EQ(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_NOTE);
}

}  // namespace
