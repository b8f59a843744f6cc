// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slots are filled once, by one thread, and seen whole by all.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

extern "C" {
#include "sdk/runtime/pages.h"
#include "sdk/runtime/prepacked.h"
}

namespace {

TEST(Prepacked, FillsEachSlotOnce) {
  bd_prepacked *prepacked = bd_prepacked_create();
  ASSERT_NE(prepacked, nullptr);
  constexpr int64_t n_slots = 600, n_bytes = 1000;
  std::atomic<int> n_filled{0}, n_wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (int64_t slot = 0; slot < n_slots; slot++) {
        auto *block = static_cast<char *>(bd_prepacked_get(prepacked, slot, n_bytes));
        int64_t is_filled;
        std::memcpy(&is_filled, block, sizeof(is_filled));
        if (!is_filled) {
          std::memset(block + BD_PREPACKED_HEAD, static_cast<int>(slot % 251), n_bytes);
          n_filled++;
          bd_prepacked_fill(prepacked, slot);
        }
        for (int64_t i = 0; i < n_bytes; i++) {
          if (block[BD_PREPACKED_HEAD + i] != static_cast<char>(slot % 251)) n_wrong++;
        }
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(n_filled, n_slots);
  EXPECT_EQ(n_wrong, 0);
  bd_prepacked_destroy(prepacked);
}

TEST(Prepacked, RefusesWhatIsNoSlot) {
  bd_prepacked *prepacked = bd_prepacked_create();
  EXPECT_EQ(bd_prepacked_get(prepacked, -1, 8), nullptr);
  EXPECT_EQ(bd_prepacked_get(prepacked, BD_PREPACKED_MAX_SLOTS, 8), nullptr);
  EXPECT_EQ(bd_prepacked_get(prepacked, 0, -8), nullptr);
  bd_prepacked_destroy(prepacked);
  bd_prepacked_destroy(nullptr);
}

TEST(Prepacked, AlignsLargeBlocks) {
  bd_prepacked *prepacked = bd_prepacked_create();
  auto *block = static_cast<char *>(bd_prepacked_get(prepacked, 7, 5 << 20));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0u);
  std::memset(block + BD_PREPACKED_HEAD, 1, 5 << 20);
  bd_prepacked_fill(prepacked, 7);
  EXPECT_EQ(bd_prepacked_get(prepacked, 7, 5 << 20), block);
  bd_prepacked_destroy(prepacked);
}

// ---- Equal blocks of several programs ----

// As compiled code does it; gives the block that the slot has, and what bd_prepacked_fill gave.
char *Fill(bd_prepacked *prepacked, int64_t slot, size_t n_bytes, int value, void **out_left) {
  auto *block =
      static_cast<char *>(bd_prepacked_get(prepacked, slot, static_cast<int64_t>(n_bytes)));
  *out_left = nullptr;
  if (bd_prepacked_is_filled(block)) return block;
  std::memset(block + BD_PREPACKED_HEAD, value, n_bytes);
  *out_left = bd_prepacked_fill(prepacked, slot);
  return static_cast<char *>(bd_prepacked_get(prepacked, slot, static_cast<int64_t>(n_bytes)));
}

TEST(Prepacked, EqualLargeBlocksAreThereOnce) {
  bd_common *common = bd_common_create();
  bd_prepacked *a = bd_prepacked_create(), *b = bd_prepacked_create();
  bd_prepacked_join(a, common);
  bd_prepacked_join(b, common);
  bd_common_release(common);
  const size_t large = BD_COMMON_LEAST;
  void *left = nullptr;
  char *first = Fill(a, 0, large, 1, &left);
  EXPECT_EQ(left, nullptr);
  EXPECT_EQ(Fill(b, 9, large, 1, &left), first);
  ASSERT_NE(left, nullptr);
  bd_pages_free(left);
  EXPECT_EQ(Fill(b, 9, large, 7, &left), first) << "it is filled";
  EXPECT_NE(Fill(b, 1, large, 2, &left), first);
  EXPECT_EQ(left, nullptr);
  EXPECT_NE(Fill(b, 2, large + 1, 1, &left), first) << "another size";
  EXPECT_NE(Fill(b, 3, large - 1, 1, &left), first) << "a small one";
  EXPECT_EQ(left, nullptr);
  bd_prepacked_destroy(a);
  EXPECT_EQ(first[BD_PREPACKED_HEAD + large - 1], 1) << "the other one has it still";
  // One that was given up is filled by who comes next.
  bd_prepacked_get(b, 5, static_cast<int64_t>(large));
  bd_prepacked_abandon(b);
  EXPECT_EQ(Fill(b, 5, large, 1, &left), first);
  bd_pages_free(left);
  bd_prepacked_destroy(b);
}

TEST(Prepacked, EqualBlocksOfProgramsThatRunAtOnce) {
  constexpr int n_programs = 3, n_threads = 2;
  constexpr int64_t n_slots = 40;
  constexpr size_t large = BD_COMMON_LEAST + 100;
  bd_common *common = bd_common_create();
  std::vector<bd_prepacked *> programs;
  for (int p = 0; p < n_programs; p++) {
    programs.push_back(bd_prepacked_create());
    bd_prepacked_join(programs.back(), common);
  }
  bd_common_release(common);
  std::atomic<int> n_wrong{0}, n_left{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < n_programs * n_threads; t++) {
    threads.emplace_back([&, t] {
      for (int64_t slot = 0; slot < n_slots; slot++) {
        const int value = static_cast<int>(slot % 5);
        void *left;
        char *block =
            Fill(programs[static_cast<size_t>(t) % n_programs], slot, large, value, &left);
        for (size_t i = 0; i < large; i += 97) n_wrong += block[BD_PREPACKED_HEAD + i] != value;
        n_left += left != nullptr;
        bd_pages_free(left);
      }
    });
  }
  for (std::thread &thread : threads) thread.join();
  EXPECT_EQ(n_wrong, 0);
  EXPECT_EQ(n_left, n_programs * n_slots - 5);
  for (bd_prepacked *prepacked : programs) bd_prepacked_destroy(prepacked);
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
