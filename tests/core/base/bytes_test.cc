// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/bytes.h"

#include <gtest/gtest.h>

#include <string>

#include "core/base/memory.h"

TEST(BytesTest, Grow) {
  bd_bytes bytes = {};
  std::string all;
  const buddy_writer writer = bd_bytes_writer(&bytes);
  for (size_t n = 0; n < 3000; n = n * 2 + 1) {
    const std::string piece(n, static_cast<char>('a' + n % 26));
    EXPECT_EQ(writer.write(writer.user, piece.data(), piece.size()), BUDDY_OK);
    all += piece;
    EXPECT_EQ(std::string(bytes.data ? bytes.data : "", bytes.size), all);
  }
  bd_bytes_deinit(&bytes);
  EXPECT_EQ(bytes.size, 0u);
}

TEST(BytesTest, KeepTheFirstFailure) {
  bd_bytes bytes = {};
  EXPECT_EQ(bd_bytes_append(&bytes, "abc", 3), BUDDY_OK);
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_bytes_append(&bytes, std::string(100000, 'x').data(), 100000), BUDDY_OUT_OF_MEMORY);
  bd_memory_fail_after(-1);
  EXPECT_EQ(bd_bytes_append(&bytes, "d", 1), BUDDY_OUT_OF_MEMORY);
  EXPECT_EQ(std::string(bytes.data, bytes.size), "abc");
  bd_bytes_deinit(&bytes);
}
