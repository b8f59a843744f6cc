// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/arena.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/base/memory.h"

namespace {

class ArenaTest : public testing::Test {
 protected:
  void SetUp() override { bd_arena_init(&arena); }
  void TearDown() override { bd_arena_deinit(&arena); }
  bd_arena arena;
};

TEST_F(ArenaTest, PiecesAreAlignedAndApart) {
  char *last = nullptr;
  for (size_t size = 1; size < 5000; size = size * 2 + 1) {
    char *piece = static_cast<char *>(bd_arena_alloc(&arena, size));
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % alignof(max_align_t), 0u);
    EXPECT_NE(piece, last);
    memset(piece, 0x5a, size);
    last = piece;
  }
}

TEST_F(ArenaTest, SizeZeroIsAllowed) { EXPECT_NE(bd_arena_alloc(&arena, 0), nullptr); }

TEST_F(ArenaTest, CallocIsZeroAndCheckedForOverflow) {
  const int *numbers = static_cast<int *>(bd_arena_calloc(&arena, 100, sizeof(int)));
  ASSERT_NE(numbers, nullptr);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(numbers[i], 0);
  EXPECT_EQ(bd_arena_calloc(&arena, SIZE_MAX / 2, 4), nullptr);
  EXPECT_EQ(bd_arena_alloc(&arena, SIZE_MAX), nullptr);
}

TEST_F(ArenaTest, TextsAreTerminated) {
  EXPECT_STREQ(bd_arena_text(&arena, "abcdef", 3), "abc");
  EXPECT_STREQ(bd_arena_text(&arena, nullptr, 0), "");
  EXPECT_STREQ(bd_arena_strdup(&arena, "x"), "x");
  EXPECT_STREQ(bd_arena_format(&arena, "%d-%s", 7, "y"), "7-y");
  EXPECT_EQ(bd_arena_text(&arena, "", SIZE_MAX), nullptr);
}

TEST_F(ArenaTest, BlocksGrowSoThatManyPiecesAskTheHeapRarely) {
  for (int i = 0; i < 100000; ++i) ASSERT_NE(bd_arena_alloc(&arena, 16), nullptr);
  EXPECT_LT(arena.n_bytes, 2u * 16 * 100000 + (1u << 20));
}

TEST_F(ArenaTest, IsUsableAgainAfterDeinit) {
  ASSERT_NE(bd_arena_alloc(&arena, 10), nullptr);
  bd_arena_deinit(&arena);
  EXPECT_EQ(arena.n_bytes, 0u);
  EXPECT_NE(bd_arena_alloc(&arena, 10), nullptr);
}

TEST_F(ArenaTest, SaysWhenMemoryIsOut) {
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_arena_alloc(&arena, 10), nullptr);
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_arena_strdup(&arena, "text"), nullptr);
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_arena_format(&arena, "%d", 1), nullptr);
  EXPECT_TRUE(bd_memory_fail_after(-1));
  EXPECT_NE(bd_arena_alloc(&arena, 10), nullptr);
}

}  // namespace
