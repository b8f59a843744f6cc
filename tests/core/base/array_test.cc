// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/array.h"

#include <gtest/gtest.h>

TEST(ArrayTest, DoublesAndKeepsWhatIsThere) {
  size_t capacity = 0;
  int *items = nullptr;
  int n_moves = 0;
  for (int i = 0; i < 1000; ++i) {
    const size_t before = capacity;
    items = static_cast<int *>(
        bd_array_grow(items, &capacity, static_cast<size_t>(i) + 1, sizeof(int)));
    ASSERT_NE(items, nullptr);
    items[i] = i;
    n_moves += before != capacity;
  }
  EXPECT_LE(n_moves, 10);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(items[i], i);
  bd_free(items);
}

TEST(ArrayTest, LeavesTheArrayAloneWhenItCannotGrow) {
  size_t capacity = 0;
  void *items = bd_array_grow(nullptr, &capacity, 1, 8);
  ASSERT_NE(items, nullptr);
  const size_t before = capacity;
  EXPECT_EQ(bd_array_grow(items, &capacity, SIZE_MAX, 8), nullptr);
  EXPECT_EQ(bd_array_grow(items, &capacity, SIZE_MAX / 8, 16), nullptr);
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_array_grow(items, &capacity, 1000, 8), nullptr);
  bd_memory_fail_after(-1);
  EXPECT_EQ(capacity, before);
  bd_free(items);
}

TEST(ArrayTest, NextHasRoomUpToThePowerOfTwo) {
  int *items = nullptr;
  for (int i = 0; i < 1000; ++i) {
    auto *grown = static_cast<int *>(bd_array_next(items, static_cast<size_t>(i), sizeof(int)));
    ASSERT_NE(grown, nullptr);
    const bool has_room = (i & (i - 1)) != 0;
    EXPECT_TRUE(!has_room || grown == items) << "moved at " << i;
    items = grown;
    items[i] = i;
  }
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(items[i], i);
  EXPECT_EQ(bd_array_next(items, SIZE_MAX / 2 + 1, 8), nullptr);
  ASSERT_FALSE(bd_memory_fail_after(0));
  EXPECT_EQ(bd_array_next(items, 1024, sizeof(int)), nullptr);
  EXPECT_TRUE(bd_memory_fail_after(-1));
  bd_free(items);
}
