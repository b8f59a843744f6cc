// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/runtime/callbacks_test.cc: functions that are told how many threads a run has, and get them.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <set>
#include <thread>
#include <mutex>

extern "C" {
#include "sdk/runtime/runtime.h"
#include "sdk/runtime/callbacks.h"
#include "sdk/runtime/parallel_for.h"
}

namespace {

thread_local int32_t told;
void Listen(int32_t n) { told = n; }

thread_local const buddy_crew *crew;
void TakeCrew(const buddy_crew *given) {
  EXPECT_NE(told, 0) << "the number comes first";
  crew = given;
}

int Add(void (*set_threads)(int32_t), void (*set_crew)(const buddy_crew *)) {
  const bd_callbacks listener = {set_threads, set_crew, nullptr, nullptr, bd_crew_services()};
  return bd_callbacks_add(&listener);
}

TEST(CallbacksTest, EachRunSaysHowManyThreadsItHas) {
  ASSERT_TRUE(Add(nullptr, nullptr));
  ASSERT_TRUE(Add(Listen, nullptr));
  ASSERT_TRUE(Add(Listen, nullptr));
  bd_run_pool *pool = nullptr, *other = nullptr;
  ASSERT_EQ(bd_run_pool_create(&pool), BUDDY_OK);
  ASSERT_EQ(bd_run_pool_create(&other), BUDDY_OK);
  bd_run_pool_set_threads(pool, 3);
  bd_run_pool_set_threads(other, 1);
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
  bd_run_pool_destroy(other);
  bd_run_pool_destroy(pool);
}

TEST(CallbacksTest, OnlyTheCallersThread) {
  ASSERT_TRUE(Add(Listen, nullptr));
  told = 0;
  bd_callbacks_set_threads(5);
  EXPECT_EQ(told, 5);
}

// Units that a function of a registry spreads are done by the threads of the run, once each.
TEST(CallbacksTest, ARunGivesItsThreads) {
  struct Seen {
    std::mutex lock;
    std::condition_variable is_more;
    std::set<std::thread::id> threads;
    size_t awaited = 2;
    std::atomic<int> n_units[64] = {};
  } seen;
  const auto units = [](void *context, int64_t first, int64_t last) {
    auto *s = static_cast<Seen *>(context);
    for (int64_t i = first; i < last; ++i) ++s->n_units[i];
    std::unique_lock<std::mutex> guard(s->lock);
    s->threads.insert(std::this_thread::get_id());
    s->is_more.notify_all();
    s->is_more.wait_for(guard, std::chrono::seconds(20),
                        [s] { return s->threads.size() >= s->awaited; });
  };
  ASSERT_TRUE(Add(Listen, TakeCrew));
  bd_run_pool *pool = nullptr;
  ASSERT_EQ(bd_run_pool_create(&pool), BUDDY_OK);
  bd_run_pool_set_threads(pool, 2);
  jmp_buf failed;
  bd_run run;
  ASSERT_EQ(bd_run_begin(&run, pool, &failed), BUDDY_OK);
  ASSERT_NE(crew, nullptr);
  ASSERT_GE(crew->struct_size, sizeof(buddy_crew));
  constexpr int64_t kCostly = 1 << 24;
  crew->spread(units, &seen, 64, kCostly);
  EXPECT_EQ(seen.threads.size(), 2U);
  for (const auto &n : seen.n_units) EXPECT_EQ(n, 1);
  bd_run_end(&run);
  // Outside a run all of it stays on the thread.
  seen.threads.clear();
  seen.awaited = 1;
  crew->spread(units, &seen, 64, kCostly);
  EXPECT_EQ(seen.threads.size(), 1U);
  for (const auto &n : seen.n_units) EXPECT_EQ(n, 2);
  bd_run_pool_destroy(pool);
}

}  // namespace
