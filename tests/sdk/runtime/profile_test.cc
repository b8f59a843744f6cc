// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a profile tells is seconds of the system's clock, whatever it counts by.
#include <gtest/gtest.h>

#include <chrono>

extern "C" {
#include "sdk/runtime/profile.h"
}

namespace {
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

void spin(double seconds) {
  const Clock::time_point begin = Clock::now();
  while (since(begin) < seconds) {
  }
}

// A run of two steps, the second of which is called twice. The process may sleep between any two lines.
void run(bd_profile *profile) {
  const double times[] = {0.004, 0.002, 0.003};
  const int steps[] = {0, 1, 1};
  double least[2] = {0, 0}, most[2] = {0, 0};
  const Clock::time_point begin = Clock::now();
  bd_profile_begin(profile);
  Clock::time_point last = Clock::now();
  bd_profile_mark(profile, -1);
  for (int i = 0; i < 3; ++i) {
    const Clock::time_point before = Clock::now();
    spin(times[i]);
    const Clock::time_point after = Clock::now();
    least[steps[i]] += std::chrono::duration<double>(after - before).count();
    bd_profile_mark(profile, steps[i]);
    most[steps[i]] += since(last);
    last = after;
  }
  bd_profile_end(profile);
  const double whole = since(begin);
  bd_profile_tell(profile);
  for (int k = 0; k < 2; ++k) {
    EXPECT_GT(profile->items[k].report.seconds, 0.99 * least[k]);
    EXPECT_LT(profile->items[k].report.seconds, 1.01 * most[k]);
  }
  ASSERT_EQ(profile->n_spans, 4u);
  for (size_t i = 0; i < 3; ++i) {
    const buddy_span *span = &profile->spans[i];
    const double end = span->begin + span->seconds;
    EXPECT_EQ(span->step, steps[i]);
    const double next = i < 2 ? span[1].begin : end;
    EXPECT_NEAR(next, end, 1e-9);  // one after the other
    EXPECT_LE(end, profile->spans[3].seconds + 1e-9);
  }
  EXPECT_EQ(profile->spans[3].step, -1);
  EXPECT_LT(profile->spans[3].seconds, 1.01 * whole);
}

TEST(ProfileTest, SecondsAreThoseOfTheClock) {
  for (const bool has_counter : {true, false}) {
    bd_profile *profile = nullptr;
    ASSERT_EQ(bd_profile_create(&profile), BUDDY_OK);
    profile->has_counter &= has_counter;
    buddy_step step = {};
    step.nodes = step.module = step.where = step.kernel = "";
    for (int i = 0; i < 2; ++i) ASSERT_EQ(bd_profile_add(profile, &step), BUDDY_OK);
    run(profile);
    const double first = profile->items[0].report.seconds;
    bd_profile_begin(profile);
    bd_profile_mark(profile, 0);
    bd_profile_end(profile);
    bd_profile_tell(profile);
    EXPECT_LT(profile->items[0].report.seconds, first);  // the least of all runs
    EXPECT_EQ(profile->items[0].report.n_calls, 2u);
    EXPECT_EQ(profile->items[1].report.n_calls, 2u);  // in the first run alone
    bd_profile_destroy(profile);
  }
}

TEST(ProfileTest, HelpersBelongToTheNextStep) {
  bd_profile *profile = nullptr;
  ASSERT_EQ(bd_profile_create(&profile), BUDDY_OK);
  buddy_step step = {};
  step.nodes = step.module = step.where = step.kernel = "";
  ASSERT_EQ(bd_profile_add(profile, &step), BUDDY_OK);
  bd_profile_begin(profile);
  bd_profile_help(profile, 1, bd_profile_now(profile));
  bd_profile_help(profile, 2, 0);  // a counter that is after: no time before the run
  bd_profile_mark(profile, 0);
  bd_profile_end(profile);
  bd_profile_tell(profile);
  ASSERT_EQ(profile->n_spans, 4u);
  for (size_t i = 0; i < 3; ++i) EXPECT_EQ(profile->spans[i].step, 0);
  EXPECT_EQ(profile->spans[1].begin, 0);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_GE(profile->spans[i].begin, 0);
    EXPECT_GE(profile->spans[i].seconds, 0);
  }
  bd_profile_destroy(profile);
}

// A run of more marks than are kept: its first spans are told, and the time of all.
TEST(ProfileTest, LongRunsLoseNoTime) {
  enum { N = (1 << 20) + 1000 };
  bd_profile *profile = nullptr;
  ASSERT_EQ(bd_profile_create(&profile), BUDDY_OK);
  buddy_step step = {};
  step.nodes = step.module = step.where = step.kernel = "";
  ASSERT_EQ(bd_profile_add(profile, &step), BUDDY_OK);
  for (int k = 1; k <= 2; ++k) {
    bd_profile_begin(profile);
    for (int i = 0; i < N; ++i) bd_profile_mark(profile, 0);
    bd_profile_end(profile);
    bd_profile_tell(profile);
    EXPECT_EQ(profile->items[0].report.n_calls, static_cast<uint64_t>(k) * N);
    EXPECT_EQ(profile->n_spans, (1u << 20) + 1u);
    EXPECT_GT(profile->items[0].report.seconds,
              k == 1 ? 0.99 * profile->spans[1 << 20].seconds : 0);
  }
  bd_profile_destroy(profile);
}

// Steps of no time, between which clocks are all that there is: few runs are measured but the first, and
// what is counted is of all. With time enough between them, all are.
TEST(ProfileTest, ClocksTakeAPartOfAllRuns) {
  enum { RUNS = 4000, STEPS = 100 };
  for (const bool has_counter : {true, false}) {
    for (const double between : {0.0, 2e-3}) {
      const int n_runs = between > 0 ? 70 : RUNS;
      bd_profile *profile = nullptr;
      ASSERT_EQ(bd_profile_create(&profile), BUDDY_OK);
      profile->has_counter &= has_counter;
      buddy_step step = {};
      step.nodes = step.module = step.where = step.kernel = "";
      ASSERT_EQ(bd_profile_add(profile, &step), BUDDY_OK);
      int n_measured = 0;
      for (int k = 0; k < n_runs; ++k) {
        bd_profile_begin(profile);
        EXPECT_TRUE(profile->is_measured || k >= 64);
        n_measured += profile->is_measured;
        bd_profile_help(profile, 1, bd_profile_now(profile));
        for (int i = 0; i < STEPS; ++i) bd_profile_mark(profile, 0);
        if (between > 0) spin(between);
        bd_profile_end(profile);
      }
      bd_profile_tell(profile);
      EXPECT_EQ(profile->items[0].report.n_calls, static_cast<uint64_t>(n_runs) * STEPS);
      EXPECT_EQ(profile->n_spans, STEPS + 2u);
      EXPECT_GT(profile->items[0].report.seconds, 0);
      if (between > 0) {
        EXPECT_EQ(n_measured, n_runs);
      } else {
        EXPECT_LT(n_measured, RUNS / 10);
        EXPECT_GE(n_measured, 64);
      }
      bd_profile_destroy(profile);
    }
  }
}

TEST(ProfileTest, NoneIsAllowed) {
  bd_profile_tell(nullptr);
  bd_profile_begin(nullptr);
  bd_profile_mark(nullptr, 0);
  bd_profile_help(nullptr, 1, bd_profile_now(nullptr));
  bd_profile_end(nullptr);
  bd_profile_destroy(nullptr);
}
}  // namespace
