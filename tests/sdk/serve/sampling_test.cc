// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens by their logits: the likeliest, ties, what is no number, and how often each is drawn.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/memory.h"

extern "C" {
#include "sdk/serve/triton/sampling.h"
}

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

int64_t Sample(bd_sampling how, const std::vector<float> &logits) {
  int64_t token = -2;
  EXPECT_EQ(bd_sample(&how, logits.data(), static_cast<int64_t>(logits.size()), &token), BUDDY_OK);
  return token;
}

std::vector<double> Shares(bd_sampling how, const std::vector<float> &logits) {
  constexpr int kDraws = 20000;
  std::vector<double> shares(logits.size());
  for (int i = 0; i < kDraws; i++) {
    int64_t token;
    EXPECT_EQ(bd_sample(&how, logits.data(), static_cast<int64_t>(logits.size()), &token),
              BUDDY_OK);
    shares[static_cast<size_t>(token)] += 1.0 / kDraws;
  }
  return shares;
}

TEST(Sampling, TakesTheLikeliestWithoutATemperature) {
  EXPECT_EQ(Sample({0, 0, 1, 7}, {1, 3, 2}), 1);
  EXPECT_EQ(Sample({0, 0, 1, 7}, {3, 1, 3}), 0);
  EXPECT_EQ(Sample({0, 0, 1, 7}, {kNan, -1, kNan, 2}), 3);
  EXPECT_EQ(Sample({0, 0, 1, 7}, {-kInf, -kInf}), 0);
  EXPECT_EQ(Sample({0, 0, 1, 7}, {5}), 0);
}

TEST(Sampling, RefusesWhatIsNoNumber) {
  bd_sampling how = {1, 0, 1, 7};
  const float logits[] = {kNan, kNan};
  int64_t token;
  EXPECT_EQ(bd_sample(&how, logits, 2, &token), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(bd_sample(&how, logits, 0, &token), BUDDY_INVALID_ARGUMENT);
}

TEST(Sampling, DrawsByProbability) {
  const std::vector<float> logits = {std::log(1.0f), std::log(2.0f), kNan, std::log(5.0f)};
  const auto shares = Shares({1, 0, 1, 3}, logits);
  const double wanted[] = {0.125, 0.25, 0, 0.625};
  for (size_t i = 0; i < 4; i++) EXPECT_NEAR(shares[i], wanted[i], 0.02) << i;
  EXPECT_EQ(shares[2], 0);
  const auto cold = Shares({0.5, 0, 1, 3}, logits); /* weights are squared */
  EXPECT_NEAR(cold[3], 25.0 / 30, 0.02);
  EXPECT_EQ(Sample({1e-6, 0, 1, 3}, logits), 3);
  EXPECT_NEAR(Shares({1, 0, 1, 3}, {0, kInf, -kInf})[1], 1, 1e-9);
}

TEST(Sampling, KeepsTheLikeliest) {
  const std::vector<float> logits = {std::log(1.0f), std::log(2.0f), std::log(3.0f),
                                     std::log(4.0f)};
  const auto two = Shares({1, 2, 1, 5}, logits);
  EXPECT_EQ(two[0] + two[1], 0);
  EXPECT_NEAR(two[2], 3.0 / 7, 0.02);
  EXPECT_NEAR(Shares({1, 1, 1, 5}, logits)[3], 1, 1e-9);
  EXPECT_NEAR(Shares({1, 0, 0, 5}, logits)[3], 1, 1e-9);
  const auto half = Shares({1, 0, 0.5, 5}, logits); /* 0.4, and what reaches 0.5 */
  EXPECT_EQ(half[0] + half[1], 0);
  EXPECT_GT(half[2], 0.3);
  EXPECT_GT(Shares({1, 100, 1, 5}, logits)[0], 0.05);
}

TEST(Sampling, DrawsTheSameBySeed) {
  const std::vector<float> logits(50, 0);
  EXPECT_EQ(Sample({1, 0, 1, 9}, logits), Sample({1, 0, 1, 9}, logits));
  bd_sampling how = {1, 0, 1, 9};
  int64_t first, second, third;
  ASSERT_EQ(bd_sample(&how, logits.data(), 50, &first), BUDDY_OK);
  ASSERT_EQ(bd_sample(&how, logits.data(), 50, &second), BUDDY_OK);
  ASSERT_EQ(bd_sample(&how, logits.data(), 50, &third), BUDDY_OK);
  EXPECT_FALSE(first == second && second == third);
}

TEST(Sampling, SaysWhenMemoryIsOut) {
  bd_sampling how = {1, 0, 1, 9};
  const float logits[] = {1, 2};
  int64_t token;
  bd_memory_fail_after(0);
  EXPECT_EQ(bd_sample(&how, logits, 2, &token), BUDDY_OUT_OF_MEMORY);
  bd_memory_fail_after(-1);
}

}  // namespace
