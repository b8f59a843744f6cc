// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots are filled once, by one thread, and seen whole by all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
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

// ---- Equal blocks of several programs ----

// As compiled code does it; gives the block that the slot has, and what bd_kept_fill gave.
char *Fill(bd_kept *kept, int64_t slot, size_t n_bytes, int value, void **out_left) {
  auto *block = static_cast<char *>(bd_kept_get(kept, slot, static_cast<int64_t>(n_bytes)));
  *out_left = nullptr;
  if (bd_kept_is_filled(block)) return block;
  std::memset(block + BD_KEPT_HEAD, value, n_bytes);
  *out_left = bd_kept_fill(kept, slot);
  return static_cast<char *>(bd_kept_get(kept, slot, static_cast<int64_t>(n_bytes)));
}

TEST(Kept, EqualLargeBlocksAreThereOnce) {
  bd_common *common = bd_common_create();
  bd_kept *a = bd_kept_create(), *b = bd_kept_create();
  bd_kept_join(a, common);
  bd_kept_join(b, common);
  bd_common_release(common);
  const size_t large = BD_COMMON_LEAST;
  void *left = nullptr;
  char *first = Fill(a, 0, large, 1, &left);
  EXPECT_EQ(left, nullptr);
  EXPECT_EQ(Fill(b, 9, large, 1, &left), first);
  ASSERT_NE(left, nullptr);
  std::free(left);
  EXPECT_EQ(Fill(b, 9, large, 7, &left), first) << "it is filled";
  EXPECT_NE(Fill(b, 1, large, 2, &left), first);
  EXPECT_EQ(left, nullptr);
  EXPECT_NE(Fill(b, 2, large + 1, 1, &left), first) << "another size";
  EXPECT_NE(Fill(b, 3, large - 1, 1, &left), first) << "a small one";
  EXPECT_EQ(left, nullptr);
  bd_kept_destroy(a);
  EXPECT_EQ(first[BD_KEPT_HEAD + large - 1], 1) << "the other one has it still";
  // One that was given up is filled by who comes next.
  bd_kept_get(b, 5, static_cast<int64_t>(large));
  bd_kept_abandon(b);
  EXPECT_EQ(Fill(b, 5, large, 1, &left), first);
  std::free(left);
  bd_kept_destroy(b);
}

TEST(Kept, EqualBlocksOfProgramsThatRunAtOnce) {
  constexpr int n_programs = 3, n_threads = 2;
  constexpr int64_t n_slots = 40;
  constexpr size_t large = BD_COMMON_LEAST + 100;
  bd_common *common = bd_common_create();
  std::vector<bd_kept *> programs;
  for (int p = 0; p < n_programs; p++) {
    programs.push_back(bd_kept_create());
    bd_kept_join(programs.back(), common);
  }
  bd_common_release(common);
  std::atomic<int> n_wrong{0}, n_left{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < n_programs * n_threads; t++) {
    threads.emplace_back([&, t] {
      for (int64_t slot = 0; slot < n_slots; slot++) {
        const int value = static_cast<int>(slot % 5);
        void *left;
        char *block = Fill(programs[t % n_programs], slot, large, value, &left);
        for (size_t i = 0; i < large; i += 97) n_wrong += block[BD_KEPT_HEAD + i] != value;
        n_left += left != nullptr;
        std::free(left);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(n_wrong, 0);
  EXPECT_EQ(n_left, n_programs * n_slots - 5);
  for (bd_kept *kept : programs) bd_kept_destroy(kept);
}

TEST(Common, TellsContentsApart) {
  std::vector<char> bytes(100);
  const uint64_t hash = bd_content_hash(bytes.data(), bytes.size());
  EXPECT_EQ(bd_content_hash(bytes.data(), bytes.size()), hash);
  EXPECT_NE(bd_content_hash(bytes.data(), bytes.size() - 1), hash);
  for (size_t i = 0; i < bytes.size(); i++) {
    bytes[i] = 1;
    EXPECT_NE(bd_content_hash(bytes.data(), bytes.size()), hash) << i;
    bytes[i] = 0;
  }
}

}  // namespace
