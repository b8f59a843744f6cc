// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The generator gives the published words of Philox 4x32-10, and the runtime's distributions have their moments.
#include <gtest/gtest.h>

#include <cmath>

extern "C" {
#include "sdk/runtime/random.h"
}

namespace {

void expect_words(uint64_t seed, uint64_t stream, uint64_t index, const uint32_t (&wanted)[4]) {
  uint32_t words[4];
  bd_random_words(seed, stream, index, words);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(words[i], wanted[i]) << "word " << i;
}

TEST(Random, GivesTheWordsOfTheAlgorithmsAuthors) {
  expect_words(0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect_words(UINT64_MAX, UINT64_MAX, UINT64_MAX,
               {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  // counter 243f6a88 85a308d3 13198a2e 03707344, key a4093822 299f31d0
  expect_words(0x299f31d0a4093822, 0x0370734413198a2e, 0x85a308d3243f6a88,
               {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

using Function = double (*)(double, double, int64_t, int64_t, int64_t);

void expect_moments(Function draw, double a, double b, double mean, double variance) {
  const int n = 20000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double x = draw(a, b, 5, 3, i);
    sum += x;
    squares += (x - mean) * (x - mean);
  }
  EXPECT_NEAR(sum / n, mean, 5 * std::sqrt(variance / n)) << a << " " << b;
  EXPECT_NEAR(squares / n, variance, 0.1 * variance) << a << " " << b;
}

TEST(Random, PoissonHasItsMoments) {
  for (double rate : {0.1, 1.0, 9.5, 10.0, 200.0})
    expect_moments(bd_random_poisson, rate, 0, rate, rate);
  EXPECT_EQ(bd_random_poisson(0, 0, 1, 1, 1), 0);
  EXPECT_TRUE(std::isnan(bd_random_poisson(-1, 0, 1, 1, 1)));
  EXPECT_TRUE(std::isnan(bd_random_poisson(INFINITY, 0, 1, 1, 1)));
}

TEST(Random, GammaHasItsMoments) {
  for (double shape : {0.2, 1.0, 3.5, 100.0})
    expect_moments(bd_random_gamma, shape, 0, shape, shape);
  EXPECT_TRUE(std::isnan(bd_random_gamma(-1, 0, 1, 1, 1)));
}

TEST(Random, BinomialHasItsMoments) {
  for (double p : {0.01, 0.3, 0.95}) {
    expect_moments(bd_random_binomial, 10, p, 10 * p, 10 * p * (1 - p));
    expect_moments(bd_random_binomial, 1e6, p, 1e6 * p, 1e6 * p * (1 - p));
  }
  EXPECT_EQ(bd_random_binomial(12, 1, 1, 1, 1), 12);
  EXPECT_EQ(bd_random_binomial(1e6, 0, 1, 1, 1), 0);
  EXPECT_TRUE(std::isnan(bd_random_binomial(5, NAN, 1, 1, 1)));
}

}  // namespace
