// tests/sdk/runtime/told_test.cc: functions that are told how many threads a run has.
#include <gtest/gtest.h>

#include <csetjmp>

extern "C" {
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/told.h"
}

namespace {

thread_local int32_t told;
void Listen(int32_t n) { told = n; }

TEST(ToldTest, EachRunSaysHowManyThreadsItHas) {
  ASSERT_TRUE(bd_told_add(nullptr));
  ASSERT_TRUE(bd_told_add(Listen));
  ASSERT_TRUE(bd_told_add(Listen));
  bd_pool *pool = nullptr, *other = nullptr;
  ASSERT_EQ(bd_pool_create(&pool), BUDDY_OK);
  ASSERT_EQ(bd_pool_create(&other), BUDDY_OK);
  bd_pool_set_threads(pool, 3);
  bd_pool_set_threads(other, 1);
  jmp_buf failed;
  bd_run run, inner;
  told = 0;
  ASSERT_EQ(bd_run_begin(&run, pool, &failed), BUDDY_OK);
  EXPECT_EQ(told, 3);
  ASSERT_EQ(bd_run_begin(&inner, other, &failed), BUDDY_OK);
  EXPECT_EQ(told, 1);
  bd_run_end(&inner);
  EXPECT_EQ(told, 3) << "the outer run goes on";
  bd_run_end(&run);
  bd_pool_destroy(other);
  bd_pool_destroy(pool);
}

TEST(ToldTest, OnlyTheCallersThread) {
  ASSERT_TRUE(bd_told_add(Listen));
  told = 0;
  bd_told_threads(5);
  EXPECT_EQ(told, 5);
}

}  // namespace
