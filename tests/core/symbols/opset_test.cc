// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "buddy/graph.h"
#include "core/base/memory.h"
#include "core/symbols/opdef.h"
#include "tests/core/diags_text.h"

namespace {

class OpsetTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(buddy_opset_create(&opset), BUDDY_OK);
    ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  }
  void TearDown() override {
    buddy_opset_destroy(opset);
    buddy_diags_destroy(diags);
  }
  buddy_code Define(const char *schema) {
    return buddy_opset_define(opset, schema, BUDDY_KIND_OTHER, diags);
  }
  buddy_code Alias(const char *alias, const char *name) {
    return buddy_opset_alias(opset, alias, name, diags);
  }

  buddy_opset *opset = nullptr;
  buddy_diags *diags = nullptr;
};

TEST_F(OpsetTest, FindsWhatIsDefined) {
  EXPECT_EQ(buddy_opset_find(opset, "aten.relu.default"), nullptr);
  ASSERT_EQ(Define("aten::relu(Tensor self) -> Tensor"), BUDDY_OK);
  ASSERT_EQ(Define("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor"),
            BUDDY_OK);
  EXPECT_STREQ(buddy_opdef_name(buddy_opset_find(opset, "aten.relu.default")), "aten.relu.default");
  EXPECT_STREQ(buddy_opdef_name(buddy_opset_find(opset, "aten.add.Tensor")), "aten.add.Tensor");
  EXPECT_EQ(buddy_opset_find(opset, "aten.add"), nullptr);
}

TEST_F(OpsetTest, TheSameTwiceIsFineAndAnotherIsNot) {
  ASSERT_EQ(Define("x::f(Tensor a) -> Tensor"), BUDDY_OK);
  EXPECT_EQ(Define("x::f(Tensor a) -> Tensor"), BUDDY_OK);
  EXPECT_EQ(buddy_diags_count(diags), 0u);
  EXPECT_EQ(Define("x::f(Tensor b) -> Tensor"), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(DiagsText(diags),
            "x.f.default: the op is defined already, as \"x::f(Tensor a) -> Tensor\"; this is "
            "\"x::f(Tensor b) -> Tensor\"\n");
}

TEST_F(OpsetTest, AliasesMeanTheOtherOp) {
  ASSERT_EQ(Define("x::f(Tensor a) -> Tensor"), BUDDY_OK);
  ASSERT_EQ(Define("x::g(Tensor a) -> Tensor"), BUDDY_OK);
  const buddy_opdef *def = buddy_opset_find(opset, "x.f.default");
  EXPECT_EQ(Alias("x.f_.default", "x.f.default"), BUDDY_OK);
  EXPECT_EQ(Alias("x.f_.default", "x.f.default"), BUDDY_OK) << "the same again";
  EXPECT_EQ(Alias("y.f.default", "x.f_.default"), BUDDY_OK) << "an alias of an alias";
  EXPECT_EQ(buddy_opset_find(opset, "x.f_.default"), def);
  EXPECT_EQ(buddy_opset_find(opset, "y.f.default"), def);
  EXPECT_EQ(Alias("x.f_.default", "x.g.default"), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Alias("x.h.default", "x.missing.default"), BUDDY_NOT_FOUND);
  EXPECT_EQ(Alias("x.f.default", "y.f.default"), BUDDY_CYCLE);
  EXPECT_EQ(buddy_diags_count(diags), 3u);
}

TEST_F(OpsetTest, AnAliasOverridesADefinition) {
  ASSERT_EQ(Define("x::f(Tensor a) -> Tensor"), BUDDY_OK);
  ASSERT_EQ(Define("x::g(Tensor a) -> Tensor"), BUDDY_OK);
  ASSERT_EQ(Alias("a.f.default", "x.f.default"), BUDDY_OK);
  ASSERT_EQ(Alias("x.f.default", "x.g.default"), BUDDY_OK);
  EXPECT_STREQ(buddy_opdef_name(buddy_opset_find(opset, "x.f.default")), "x.g.default");
  EXPECT_STREQ(buddy_opdef_name(buddy_opset_find(opset, "a.f.default")), "x.g.default")
      << "aliases of it follow";
  EXPECT_EQ(Alias("x.g.default", "a.f.default"), BUDDY_CYCLE);
}

const buddy_schema_row rows[] = {
    {"x.a.default", "x::a(Tensor self) -> Tensor", BUDDY_KIND_REDUCE},
    {"x.b.default", "x::b(Tensor self", BUDDY_KIND_OTHER},
    {"x.c.default", "x::other(Tensor self) -> Tensor", BUDDY_KIND_OTHER},
    {"x.d.Tensor", "x::d.Tensor(Tensor self) -> Tensor", BUDDY_KIND_OTHER},
};

TEST_F(OpsetTest, TablesAreParsedWhenAsked) {
  ASSERT_EQ(buddy_opset_add_table(opset, rows, 4), BUDDY_OK);
  const buddy_opdef *a = buddy_opset_find(opset, "x.a.default");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(buddy_opdef_kind(a), BUDDY_KIND_REDUCE);
  EXPECT_EQ(buddy_opset_find(opset, "x.a.default"), a);
  EXPECT_NE(buddy_opset_find(opset, "x.d.Tensor"), nullptr);
  const buddy_opdef *def;
  EXPECT_EQ(bd_opset_find(opset, "x.b.default", &def), BUDDY_CORRUPT);
  EXPECT_EQ(bd_opset_find(opset, "x.c.default", &def), BUDDY_CORRUPT)
      << "the name of the row and of its schema differ";
  EXPECT_EQ(bd_opset_find(opset, "x.e.default", &def), BUDDY_NOT_FOUND);
  EXPECT_EQ(buddy_opset_find(opset, "x.b.default"), nullptr);
  EXPECT_EQ(Define("x::a(Tensor self) -> Tensor"), BUDDY_OK) << "the same text as the row";
  EXPECT_EQ(Define("x::a(int self) -> Tensor"), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(Alias("y.a.default", "x.a.default"), BUDDY_OK);
  EXPECT_EQ(buddy_opset_find(opset, "y.a.default"), a);
}

TEST_F(OpsetTest, TablesMustBeSorted) {
  const buddy_schema_row wrong[] = {rows[3], rows[0]}, twice[] = {rows[0], rows[0]};
  EXPECT_EQ(buddy_opset_add_table(opset, wrong, 2), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_opset_add_table(opset, twice, 2), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_opset_add_table(opset, nullptr, 0), BUDDY_OK);
}

TEST_F(OpsetTest, ManyThreadsFindTheSame) {
  std::vector<std::string> texts;
  std::vector<buddy_schema_row> many;
  for (int i = 0; i < 500; ++i) {
    const std::string number = std::to_string(1000 + i);
    texts.push_back("t.op" + number + ".default");
    texts.push_back("t::op" + number + "(Tensor self, int[2] padding=0, float eps=1e-5) -> Tensor");
  }
  for (size_t i = 0; i < texts.size(); i += 2)
    many.push_back({texts[i].c_str(), texts[i + 1].c_str(), 0});
  ASSERT_EQ(buddy_opset_add_table(opset, many.data(), many.size()), BUDDY_OK);
  std::vector<std::vector<const buddy_opdef *>> found(4);
  std::vector<std::thread> threads;
  for (auto &own : found) {
    threads.emplace_back([&] {
      for (const buddy_schema_row &row : many) own.push_back(buddy_opset_find(opset, row.name));
    });
  }
  for (std::thread &thread : threads) thread.join();
  for (size_t i = 0; i < many.size(); ++i) {
    ASSERT_NE(found[0][i], nullptr);
    for (const auto &own : found) EXPECT_EQ(own[i], found[0][i]);
  }
}

TEST(OpsetMemoryTest, EveryAllocationMayFail) {
  for (int64_t n = 0;; ++n) {
    buddy_opset *opset = nullptr;
    bd_memory_fail_after(n);
    buddy_code code = buddy_opset_create(&opset);
    if (!code) code = buddy_opset_add_table(opset, rows, 4);
    if (!code)
      code = buddy_opset_define(opset, "x::f(Tensor a, int[] b=[1,2]) -> Tensor", BUDDY_KIND_OTHER,
                                nullptr);
    if (!code) code = buddy_opset_alias(opset, "y.f.default", "x.f.default", nullptr);
    const buddy_opdef *def = nullptr;
    if (!code) code = bd_opset_find(opset, "x.a.default", &def);
    const bool has_failed = bd_memory_fail_after(-1);
    EXPECT_EQ(code, has_failed ? BUDDY_OUT_OF_MEMORY : BUDDY_OK) << n;
    buddy_opset_destroy(opset);
    if (!has_failed) break;
  }
}

}  // namespace
