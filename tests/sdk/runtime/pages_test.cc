// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of runs and their results: aligned, and where what was freed before lay.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <set>

extern "C" {
#include "sdk/runtime/pages.h"
}

namespace {

TEST(Pages, AreAlignedAndTheCallersOwn) {
  for (size_t n = 64; n <= size_t{64} << 20; n *= 2) {
    void *bytes = bd_pages_allocate(n);
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes) % 64, 0u);
    memset(bytes, 1, n);
    bd_pages_free(bytes);
  }
  bd_pages_free(nullptr);
  EXPECT_EQ(bd_pages_allocate(SIZE_MAX / 64 * 64), nullptr);
}

// A result is still there when the next is made.
TEST(Pages, TheOneBeforeTheLastMakesRoom) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "what is freed is kept for a while";
#endif
  std::set<void *> places;
  void *last = nullptr;
  for (int i = 0; i < 40; i++) {
    void *bytes = bd_pages_allocate(size_t{8} << 20);
    ASSERT_NE(bytes, nullptr);
    bd_pages_free(last);
    last = bytes;
    if (i >= 8) places.insert(bytes);  // malloc has learnt what is large
  }
  bd_pages_free(last);
  EXPECT_LE(places.size(), 3u);
}

}  // namespace
