// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/hostile/broken_test.cc: each broken registry is refused with the code and the sentence that
// tell why.
#include "tests/core/registry/registry_fixture.h"

namespace {

struct Case {
  const char *name;
  buddy_code code;
  const char *says;  // part of the message
};

void PrintTo(const Case &one, std::ostream *out) { *out << one.name; }

class BrokenTest : public RegistryTest, public testing::WithParamInterface<Case> {};

TEST_P(BrokenTest, IsRefusedAndSaysWhy) {
  const Case &one = GetParam();
  EXPECT_EQ(Load(one.name), one.code) << Text();
  EXPECT_EQ(registries, nullptr);
  EXPECT_NE(Text().find(one.says), std::string::npos) << Text();
  ASSERT_GE(buddy_diags_count(diags), 1u);
  EXPECT_EQ(buddy_diags_get(diags, 0)->severity, BUDDY_ERROR);
}

// The same after `*` costs a warning, and the others are loaded.
TEST_P(BrokenTest, IsAWarningBehindStar) {
  const Case &one = GetParam();
  ASSERT_EQ(Search(), BUDDY_OK);
  ASSERT_EQ(Load("good:*"), BUDDY_OK) << Text();
  EXPECT_EQ((":" + Loaded() + ":").find(std::string(":") + one.name + ":"), std::string::npos)
      << Loaded();
  EXPECT_NE(Text().find(one.says), std::string::npos) << Text();
  for (size_t i = 0; i < buddy_diags_count(diags); ++i) {
    EXPECT_EQ(buddy_diags_get(diags, i)->severity, BUDDY_WARNING)
        << buddy_diags_get(diags, i)->what;
  }
}

const Case cases[] = {
    {"unresolved", BUDDY_INCOMPATIBLE, "undefined symbol: buddy_test_symbol_that_nobody_defines"},
    {"no_query", BUDDY_INCOMPATIBLE, "exports no buddy_registry_query"},
    {"foreign_query", BUDDY_INCOMPATIBLE, "exports no buddy_registry_query"},
    {"no_note", BUDDY_INCOMPATIBLE, "not built with BUDDY_REGISTRY"},
    {"two_notes", BUDDY_CORRUPT, "more than one note"},
    {"other_major", BUDDY_INCOMPATIBLE, "plugin ABI 2.0, this buddy has 1.0"},
    {"query_null", BUDDY_INCOMPATIBLE, "does not serve a host of plugin ABI 1.0"},
    {"query_unmapped", BUDDY_CORRUPT,
     "its query returned a pointer to memory that no loaded object has"},
    {"note_count", BUDDY_CORRUPT, "disagree on the number of ops"},
    {"note_version", BUDDY_CORRUPT, "disagree on the version: '6.6.6' and '1.0.0'"},
    {"note_name", BUDDY_CORRUPT, "calls itself 'Not A Name', which is no name"},
    {"note_size", BUDDY_CORRUPT, "has a note 'buddy' of 16 bytes"},
    {"minor_lies", BUDDY_CORRUPT, "disagree on the ABI: 1.9"},
    {"other_llvm", BUDDY_INCOMPATIBLE, "built for LLVM 19.1, this buddy has 22.1"},
    {"needs_llvm", BUDDY_INCOMPATIBLE, "brings libMLIR.so.19.1 along"},
    {"own_llvm", BUDDY_INCOMPATIBLE, "has an LLVM of its own linked into it"},
    {"sanitizer", BUDDY_INCOMPATIBLE, "built with -fsanitize="},
    {"small_struct", BUDDY_CORRUPT, "its descriptor says it has 8 bytes"},
    {"huge_struct", BUDDY_CORRUPT, "its descriptor says it has 2147483647 bytes"},
    {"stride_zero", BUDDY_CORRUPT, "its op_stride is 0"},
    {"stride_odd", BUDDY_CORRUPT, "its op_stride is 65"},
    {"stride_huge", BUDDY_CORRUPT, "reaches into memory that no loaded object has"},
    {"null_name", BUDDY_CORRUPT, "the name of op 0 is null"},
    {"null_args", BUDDY_CORRUPT, "args of op 0 is null"},
    {"null_version", BUDDY_CORRUPT, "its version is null"},
    {"null_ops", BUDDY_CORRUPT, "its table is null"},
    {"unmapped_ops", BUDDY_CORRUPT,
     "its table of 1 ops reaches into memory that no loaded object has"},
    {"unmapped_name", BUDDY_CORRUPT, "the name of op 0 points to memory that no loaded object has"},
    {"unmapped_list", BUDDY_CORRUPT,
     "the list of its dialects points to memory that no loaded object has"},
    {"unaligned_list", BUDDY_CORRUPT, "the list of its dialects is not aligned"},
    {"unaligned_ops", BUDDY_CORRUPT, "its table of ops is not aligned"},
    {"unmapped_function", BUDDY_CORRUPT, "emit of op 0 is no code of this plugin"},
    {"unmapped_open", BUDDY_CORRUPT, "its open is no code of this plugin"},
    {"data_function", BUDDY_CORRUPT, "emit of op 0 is no code of this plugin"},
    {"no_function", BUDDY_CORRUPT, "op 0 (broken.one.default) has neither emit nor expand"},
    {"both_functions", BUDDY_CORRUPT, "op 0 (broken.one.default) has both emit and expand"},
    {"op_name", BUDDY_CORRUPT, "the name of op 0, 'broken one', is not spelled as such a name is"},
    {"not_utf8", BUDDY_CORRUPT, "args of op 0 is no UTF-8 text"},
    {"wrong_name", BUDDY_CORRUPT,
     "calls itself 'somebody_else', but its file name says 'wrong_name'"},
    {"twins", BUDDY_INVALID_ARGUMENT,
     "row 2 (broken.one.default): has the op and the benefit 0 of row 0"},
    {"argument", BUDDY_INVALID_ARGUMENT,
     "row 0 (broken.one.default): lists argument 'alfa', which the op does not have: self, alpha"},
    {"argument_twice", BUDDY_INVALID_ARGUMENT,
     "lists argument 'self', which it has listed already"},
    {"empty_argument", BUDDY_INVALID_ARGUMENT, "lists argument '', which the op does not have"},
    {"schema", BUDDY_INVALID_ARGUMENT, "schema 0 (broken::one(Tensor self)"},
    {"open_fails", BUDDY_PERMISSION, "its open() failed: the licence server\\x0A is down"},
    {"open_silent", BUDDY_IO, "its open() failed: xxxx"},
    {"open_code", BUDDY_INTERNAL, "its open() returned the unknown code 4711"},
    {"runtime_table", BUDDY_CORRUPT, "its table buddy.runtime/1 is malformed"},
    {"runtime_symbol", BUDDY_CORRUPT, "its runtime symbol 'broken_runtime' is no code"},
    {"runtime_null", BUDDY_CORRUPT,
     "its runtime symbol 'broken_runtime' is null, and buddy.ahead/1 names no library that has it"},
    {"transforms_unmapped", BUDDY_CORRUPT,
     "its table buddy.transforms/1 is malformed: it reaches into memory that cannot be read"},
    {"transforms_size", BUDDY_CORRUPT, "struct_size is too small"},
    {"transforms_stride", BUDDY_CORRUPT, "stride is no size of an entry"},
    {"transforms_code", BUDDY_CORRUPT, "its transform 0 has no name, root or args"},
    {"transforms_name", BUDDY_CORRUPT, "its transform 0 has no name, root or args"},
    {"transforms_argument", BUDDY_INVALID_ARGUMENT,
     "transform 0 (broken.one.default): lists argument 'myself', which the op does not have"},
    {"pipeline_stage", BUDDY_CORRUPT, "a stage that this host does not know (77)"},
    {"pipeline_text", BUDDY_CORRUPT, "its pass fragment 0 has no text"},
    {"ahead_unmapped", BUDDY_CORRUPT, "its table buddy.ahead/1 is malformed: it cannot be read"},
    {"ahead_size", BUDDY_CORRUPT, "struct_size is too small"},
    {"ahead_name", BUDDY_CORRUPT, "the file's name is none like libNAME.so or libNAME.a"},
    {"ahead_text", BUDDY_CORRUPT, "the file's name is none like libNAME.so or libNAME.a"},
    {"needs_missing", BUDDY_NOT_FOUND,
     "registry 'not_there', which 'needs_missing' needs: there is no buddy_not_there.so in"},
    {"needs_failing", BUDDY_PERMISSION, "it needs 'open_fails', which could not be loaded"},
    {"circle_a", BUDDY_CYCLE, "depends on itself: circle_a -> circle_b -> circle_c -> circle_a"},
    {"needs_itself", BUDDY_CYCLE, "depends on itself: needs_itself -> needs_itself"},
    {"needs_circle", BUDDY_CYCLE, "it needs 'circle_a', which could not be loaded"},
};

INSTANTIATE_TEST_SUITE_P(Hostile, BrokenTest, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case> &one) {
                           return std::string(one.param.name);
                         });

using GoodTest = RegistryTest;

TEST_F(GoodTest, TheSameSourceUnbrokenIsLoaded) {
  ASSERT_EQ(Load("good"), BUDDY_OK) << Text();
  EXPECT_EQ(buddy_diags_count(diags), 0u) << Text();
  EXPECT_STREQ(buddy_registries_get(registries, 0)->version, "1.0.0");
}

TEST_F(GoodTest, WhatOneNeedsIsLoadedAfterWhatWasNamed) {
  ASSERT_EQ(Load("needs_good:good_runtime"), BUDDY_OK) << Text();
  EXPECT_EQ(Loaded(), "needs_good:good_runtime:good");
}

TEST_F(GoodTest, RuntimeSymbolsAreCollected) {
  ASSERT_EQ(Load("good_runtime:good"), BUDDY_OK) << Text();
  ASSERT_EQ(buddy_registries_n_symbols(registries), 1u);
  EXPECT_STREQ(buddy_registries_symbol(registries, 0)->name, "broken_runtime");
  EXPECT_NE(buddy_registries_symbol(registries, 0)->function, nullptr);
}

TEST_F(GoodTest, OneRuntimeSymbolTwiceIsAnError) {
  EXPECT_EQ(Load("good_runtime:same_runtime"), BUDDY_INVALID_ARGUMENT);
  EXPECT_NE(
      Text().find(
          "the runtime symbol 'broken_runtime' is brought by 'good_runtime' and by 'same_runtime'"),
      std::string::npos)
      << Text();
}

}  // namespace
