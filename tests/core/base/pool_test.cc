// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/pool.h"

#include <gtest/gtest.h>

#include <cstring>

TEST(PoolTest, PiecesComeBack) {
  bd_pool pool = {};
  for (const size_t size : {size_t{1}, size_t{16}, size_t{17}, size_t{512}, size_t{513},
                            size_t{5000}, size_t{1} << 20}) {
    void *piece = bd_pool_alloc(&pool, size);
    ASSERT_NE(piece, nullptr);
    memset(piece, 1, size);
    bd_pool_free(&pool, piece, size);
    EXPECT_EQ(bd_pool_alloc(&pool, size), piece) << size;
  }
  bd_pool_deinit(&pool);
}

TEST(PoolTest, AnEditLoopDoesNotGrowIt) {
  bd_pool pool = {};
  void *pieces[10];
  const auto round = [&] {
    for (size_t i = 0; i < 10; ++i) pieces[i] = bd_pool_alloc(&pool, 24 + i * 100);
    for (size_t i = 0; i < 10; ++i) bd_pool_free(&pool, pieces[i], 24 + i * 100);
  };
  round();
  const size_t before = pool.arena.n_bytes;
  for (int i = 0; i < 10000; ++i) round();
  EXPECT_EQ(pool.arena.n_bytes, before);
  bd_pool_deinit(&pool);
}

TEST(PoolTest, NothingIsAllowed) {
  bd_pool pool = {};
  void *nothing = bd_pool_alloc(&pool, 0);
  EXPECT_NE(nothing, nullptr);
  bd_pool_free(&pool, nothing, 0);
  bd_pool_free(&pool, nullptr, 10);
  EXPECT_EQ(bd_pool_alloc(&pool, SIZE_MAX), nullptr);
  EXPECT_EQ(bd_pool_alloc(&pool, SIZE_MAX / 2 + 2), nullptr);
  bd_pool_deinit(&pool);
}
