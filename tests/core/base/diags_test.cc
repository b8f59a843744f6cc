// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <string>

#include "buddy/base.h"
#include "core/base/memory.h"

TEST(DiagsTest, KeepsCopiesInOrder) {
  buddy_diags *diags;
  ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  std::string where = "here";
  EXPECT_EQ(
      buddy_diags_add(diags, BUDDY_ERROR, BUDDY_LIMIT, where.c_str(), nullptr, "%d things", 3),
      BUDDY_LIMIT);
  where = "gone";
  EXPECT_EQ(buddy_diags_add(diags, BUDDY_WARNING, BUDDY_OK, nullptr, "do it", "plain"), BUDDY_OK);
  const buddy_diag *first = buddy_diags_get(diags, 0);
  for (int i = 0; i < 100; ++i) buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "", "", "%d", i);
  ASSERT_EQ(buddy_diags_count(diags), 102u);
  EXPECT_EQ(buddy_diags_get(diags, 0), first) << "a problem stays where it is as the list grows";
  EXPECT_STREQ(first->where, "here");
  EXPECT_STREQ(first->what, "3 things");
  EXPECT_STREQ(first->todo, "");
  EXPECT_EQ(first->severity, BUDDY_ERROR);
  EXPECT_EQ(first->code, BUDDY_LIMIT);
  EXPECT_STREQ(buddy_diags_get(diags, 1)->where, "");
  EXPECT_STREQ(buddy_diags_get(diags, 1)->todo, "do it");
  EXPECT_EQ(buddy_diags_get(diags, 102), nullptr);
  buddy_diags_clear(diags);
  EXPECT_EQ(buddy_diags_count(diags), 0u);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, "", "", "again");
  EXPECT_STREQ(buddy_diags_get(diags, 0)->what, "again");
  buddy_diags_destroy(diags);
}

TEST(DiagsTest, TextsAreOneLineThatATerminalMayHave) {
  buddy_diags *diags;
  ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, "a\x1b[2J", "do\r\nbuddy: error: it", "the op '%s'",
                  "\xE2\x80\xAE\x07\x80");
  const buddy_diag *diag = buddy_diags_get(diags, 0);
  EXPECT_STREQ(diag->where, "a\\x1B[2J");
  EXPECT_STREQ(diag->what, "the op '\\u202E\\x07\\x80'");
  EXPECT_STREQ(diag->todo, "do\\x0D\\x0Abuddy: error: it");
  buddy_diags_destroy(diags);
}

TEST(DiagsTest, AListenerHearsThemAsTheyAreAdded) {
  buddy_diags *diags;
  std::string heard;
  ASSERT_EQ(buddy_diags_create(&diags), BUDDY_OK);
  buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "", "", "before");
  const auto listen = [](void *user, const buddy_diag *diag) {
    *static_cast<std::string *>(user) += std::string(diag->where) + ": " + diag->what + ";";
  };
  buddy_diags_listen(diags, listen, &heard);
  buddy_diags_add(diags, BUDDY_NOTE, BUDDY_OK, "a", nullptr, "%d nodes", 3);
  buddy_diags_clear(diags);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, nullptr, nullptr, "x\n");
  EXPECT_EQ(heard, "a: 3 nodes;: x\\x0A;");
  buddy_diags_listen(diags, nullptr, nullptr);
  buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, nullptr, nullptr, "y");
  EXPECT_EQ(heard, "a: 3 nodes;: x\\x0A;");
  EXPECT_EQ(buddy_diags_count(diags), 2u);
  buddy_diags_destroy(diags);
}

TEST(DiagsTest, NullMeansTheCodeAlone) {
  EXPECT_EQ(buddy_diags_add(nullptr, BUDDY_ERROR, BUDDY_IO, nullptr, nullptr, "x"), BUDDY_IO);
  EXPECT_EQ(buddy_diags_count(nullptr), 0u);
  EXPECT_EQ(buddy_diags_get(nullptr, 0), nullptr);
  buddy_diags_destroy(nullptr);
}

TEST(DiagsTest, DropsTheTextWhenMemoryIsOut) {
  for (int64_t n = 0;; ++n) {
    buddy_diags *diags = nullptr;
    bd_memory_fail_after(n);
    buddy_code code = buddy_diags_create(&diags);
    if (code == BUDDY_OK)
      code = buddy_diags_add(diags, BUDDY_ERROR, BUDDY_IO, "where", "todo", "what");
    const bool has_failed = bd_memory_fail_after(-1);
    EXPECT_EQ(code, has_failed ? BUDDY_OUT_OF_MEMORY : BUDDY_IO);
    EXPECT_EQ(buddy_diags_count(diags), has_failed ? 0u : 1u);
    buddy_diags_destroy(diags);
    if (!has_failed) break;
  }
}
