// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What kernels pack for themselves: memory of the run the first time, kept from the second on.
#include <gtest/gtest.h>

#include <csetjmp>
#include <cstdint>
#include <cstring>

extern "C" {
#include "sdk/runtime/prepacked.h"
#include "sdk/runtime/runtime.h"
}

namespace {

class Packing : public ::testing::Test {
 protected:
  Packing() { EXPECT_EQ(bd_run_pool_create(&pool_), BUDDY_OK); }
  ~Packing() override { bd_run_pool_destroy(pool_); }
  void begin() { ASSERT_EQ(bd_run_begin(&run_, pool_, &failed_), BUDDY_OK); }
  void end() { bd_run_end(&run_); }
  // As a kernel does; *out_was_filled: there was nothing to do.
  static char *pack(int64_t slot, int64_t n_bytes, bool *out_was_filled) {
    auto *block = static_cast<char *>(buddy_runtime_pack(slot, n_bytes));
    int64_t is_filled;
    std::memcpy(&is_filled, block, sizeof(is_filled));
    *out_was_filled = is_filled != 0;
    if (is_filled) return block + BD_PREPACKED_HEAD;
    std::memset(block + BD_PREPACKED_HEAD, static_cast<int>(slot + 1),
                static_cast<size_t>(n_bytes));
    buddy_runtime_packed(slot);
    return block + BD_PREPACKED_HEAD;
  }

 private:
  bd_run_pool *pool_ = nullptr;
  bd_run run_;
  jmp_buf failed_;
};

TEST_F(Packing, TheFirstTimeInMemoryThatTheNextOneGets) {
  bool was_filled;
  begin();
  const char *first = pack(0, 5000, &was_filled);
  EXPECT_FALSE(was_filled);
  EXPECT_EQ(pack(1, 3000, &was_filled), first);
  EXPECT_FALSE(was_filled);
  const char *large = pack(2, 1 << 20, &was_filled);
  EXPECT_EQ(large[0], 3);
  EXPECT_EQ(large[(1 << 20) - 1], 3);
  EXPECT_EQ(pack(3, 5000, &was_filled), large);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(large) % 64, 0u);
  end();
}

TEST_F(Packing, NeverKeptWithoutASlot) {
  bool was_filled;
  for (int run = 0; run < 3; run++) {
    begin();
    const char *first = pack(BD_PREPACKED_NO_SLOT, 5000, &was_filled);
    EXPECT_FALSE(was_filled);
    EXPECT_EQ(pack(0, 3000, &was_filled) == first, run == 0);
    EXPECT_EQ(was_filled, run > 1);
    EXPECT_EQ(pack(BD_PREPACKED_NO_SLOT, 5000, &was_filled), first);
    EXPECT_FALSE(was_filled);
    end();
  }
}

TEST_F(Packing, KeptFromTheSecondTimeOn) {
  bool was_filled;
  const char *kept[4];
  for (int64_t slot = 0; slot < 4; slot++) {
    begin();
    const char *first = pack(slot, 5000, &was_filled);
    kept[slot] = pack(slot, 5000, &was_filled); /* of the same run, as in a loop */
    EXPECT_NE(kept[slot], first);
    EXPECT_FALSE(was_filled);
    end();
  }
  begin();
  for (int64_t slot = 0; slot < 4; slot++) {
    EXPECT_EQ(pack(slot, 5000, &was_filled), kept[slot]);
    EXPECT_TRUE(was_filled);
    for (int i = 0; i < 5000; i++) ASSERT_EQ(kept[slot][i], slot + 1);
  }
  end();
}

TEST_F(Packing, EverySlotHasItsOwnFirstTime) {
  bool was_filled;
  for (int round = 0; round < 3; round++) {
    begin();
    for (int64_t slot = 0; slot < 600; slot++) {
      const char *bytes = pack(slot, 64, &was_filled);
      EXPECT_EQ(bytes[63], static_cast<char>(slot + 1));
      EXPECT_EQ(was_filled, round == 2);
    }
    end();
  }
}

TEST_F(Packing, RefusesWhatIsNoSlot) {
  jmp_buf failed;
  bd_run run;
  bd_run_pool *pool;
  ASSERT_EQ(bd_run_pool_create(&pool), BUDDY_OK);
  for (const int64_t slot : {int64_t{-2}, int64_t{BD_PREPACKED_MAX_SLOTS}}) {
    ASSERT_EQ(bd_run_begin(&run, pool, &failed), BUDDY_OK);
    if (setjmp(failed) == 0) {
      buddy_runtime_pack(slot, 8);
      ADD_FAILURE() << slot;
    }
    EXPECT_EQ(run.code, BUDDY_OUT_OF_MEMORY);
    bd_run_end(&run);
  }
  bd_run_pool_destroy(pool);
}

// A run that fails while it fills a slot leaves it to the next one, which may want more.
TEST_F(Packing, GivenUpByARunThatFails) {
  for (int64_t n_bytes : {100, 100, 5000}) {
    begin();
    auto *block = static_cast<char *>(buddy_runtime_keep(7, n_bytes));
    int64_t is_filled;
    std::memcpy(&is_filled, block, sizeof(is_filled));
    EXPECT_EQ(is_filled, 0);
    std::memset(block + BD_PREPACKED_HEAD, 1, static_cast<size_t>(n_bytes));
    end();
  }
  begin();
  const void *block = buddy_runtime_keep(7, 5000);
  buddy_runtime_keep_filled(7);
  EXPECT_EQ(buddy_runtime_keep(7, 5000), block);
  end();
}

}  // namespace
