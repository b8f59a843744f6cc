// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/intern.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/memory.h"

TEST(InternTest, EqualStringsAreOnePointer) {
  bd_arena arena = {};
  bd_interner interner = {&arena, nullptr};
  const char *a = bd_intern(&interner, "layer.weight", 12);
  EXPECT_STREQ(a, "layer.weight");
  EXPECT_EQ(bd_intern(&interner, std::string("layer.weight").c_str(), 12), a);
  EXPECT_NE(bd_intern(&interner, "layer.weight", 5), a);
  EXPECT_STREQ(bd_intern(&interner, "layer.weight", 5), "layer");
  EXPECT_STREQ(bd_intern(&interner, "", 0), "");
  for (int i = 0; i < 10000; ++i) {
    const std::string text = "s" + std::to_string(i);
    ASSERT_NE(bd_intern(&interner, text.data(), text.size()), nullptr);
  }
  EXPECT_EQ(bd_intern(&interner, "layer.weight", 12), a);
  bd_interner_deinit(&interner);
  bd_arena_deinit(&arena);
}

TEST(InternTest, SaysWhenMemoryIsOutAndGoesOnAfterwards) {
  for (int64_t n = 0;; ++n) {
    bd_arena arena = {};
    bd_interner interner = {&arena, nullptr};
    bd_memory_fail_after(n);
    const char *text = bd_intern(&interner, "x", 1);
    const bool has_failed = bd_memory_fail_after(-1);
    EXPECT_EQ(text == nullptr, has_failed);
    EXPECT_STREQ(bd_intern(&interner, "x", 1), "x");
    bd_interner_deinit(&interner);
    bd_arena_deinit(&arena);
    if (!has_failed) break;
  }
}
