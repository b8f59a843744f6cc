// Slots are filled once, by one thread, and seen whole by all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

extern "C" {
#include "sdk/runtime/kept.h"
}

namespace {

TEST(Kept, FillsEachSlotOnce) {
  bd_kept *kept = bd_kept_create();
  ASSERT_NE(kept, nullptr);
  constexpr int64_t n_slots = 600, n_bytes = 1000;
  std::atomic<int> n_filled{0}, n_wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int64_t slot = 0; slot < n_slots; slot++) {
        auto *block = static_cast<char *>(bd_kept_get(kept, slot, n_bytes));
        int64_t is_filled;
        std::memcpy(&is_filled, block, sizeof(is_filled));
        if (!is_filled) {
          std::memset(block + BD_KEPT_HEAD, static_cast<int>(slot % 251), n_bytes);
          n_filled++;
          bd_kept_fill(kept, slot);
        }
        for (int64_t i = 0; i < n_bytes; i++) {
          if (block[BD_KEPT_HEAD + i] != static_cast<char>(slot % 251)) n_wrong++;
        }
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(n_filled, n_slots);
  EXPECT_EQ(n_wrong, 0);
  bd_kept_destroy(kept);
}

TEST(Kept, RefusesWhatIsNoSlot) {
  bd_kept *kept = bd_kept_create();
  EXPECT_EQ(bd_kept_get(kept, -1, 8), nullptr);
  EXPECT_EQ(bd_kept_get(kept, BD_KEPT_MAX_SLOTS, 8), nullptr);
  EXPECT_EQ(bd_kept_get(kept, 0, -8), nullptr);
  bd_kept_destroy(kept);
  bd_kept_destroy(nullptr);
}

TEST(Kept, AlignsLargeBlocks) {
  bd_kept *kept = bd_kept_create();
  auto *block = static_cast<char *>(bd_kept_get(kept, 7, 5 << 20));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  std::memset(block + BD_KEPT_HEAD, 1, 5 << 20);
  bd_kept_fill(kept, 7);
  EXPECT_EQ(bd_kept_get(kept, 7, 5 << 20), block);
  bd_kept_destroy(kept);
}

}  // namespace
