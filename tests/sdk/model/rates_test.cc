// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tests/sdk/model/rates_test.cc: what measurements say of other cases, and which registry they
// pick.
#include "sdk/model/rates.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

class RatesTest : public testing::Test {
 protected:
  ~RatesTest() override { bd_rates_deinit(&rates); }

  static bd_case Product(int64_t m, int64_t n, int64_t k) {
    return {BD_CASE_PRODUCT, BUDDY_F32, {1, m, n, k}};
  }
  void Add(const bd_case &c, const char *registry, int n_threads, uint64_t ns) {
    bd_rate rate{};
    rate.is = c;
    strcpy(rate.registry, registry);
    rate.n_threads = n_threads;
    rate.ns = ns;
    ASSERT_EQ(bd_rates_add(&rates, &rate), BUDDY_OK);
  }
  // "vendor 0.80 measured", or "order".
  std::string Pick(const bd_case &c) const {
    const char *const registries[] = {"tosa", "linalg", "vendor", "composite"};
    bd_pick pick;
    char text[64];
    if (!bd_rates_pick(&rates, &c, registries, 4, &pick)) return "order";
    EXPECT_EQ(pick.order, 1u) << "tosa was not measured: it does not take the case";
    snprintf(text, sizeof text, "%s %.2f %s", registries[pick.i], pick.ratio,
             pick.is_measured ? "measured" : "estimated");
    return text;
  }
  std::string Print() const {
    size_t size = 0;
    char *text = bd_rates_print(&rates, &size);
    std::string all(text, size);
    free(text);
    return all;
  }

  const bd_case usual = Product(128, 768, 768);
  bd_rates rates{};
};

TEST_F(RatesTest, WhatIsMuchFasterIsPicked) {
  EXPECT_EQ(Pick(usual), "order") << "nothing is known";
  Add(usual, "linalg", 1, 1000);
  EXPECT_EQ(Pick(usual), "order") << "nothing to compare with";
  Add(usual, "vendor", 1, 800);
  EXPECT_EQ(Pick(usual), "vendor 0.80 measured");
}

TEST_F(RatesTest, TheMarginKeepsNoiseOut) {
  Add(usual, "linalg", 1, 1000);
  Add(usual, "vendor", 1, 951);
  EXPECT_EQ(Pick(usual), "order");
  Add(usual, "vendor", 1, 949);
  EXPECT_EQ(Pick(usual), "vendor 0.95 measured");
}

TEST_F(RatesTest, EstimatesNeedALargerMargin) {
  const bd_case like = Product(128, 768, 800);
  Add(usual, "linalg", 1, 1000);
  Add(usual, "vendor", 1, 920);
  EXPECT_EQ(Pick(usual), "vendor 0.92 measured");
  EXPECT_EQ(Pick(like), "order");
  Add(usual, "vendor", 1, 890);
  EXPECT_EQ(Pick(like), "vendor 0.89 estimated");
}

TEST_F(RatesTest, NoNumberOfThreadsMaySpeakAgainstIt) {
  Add(usual, "linalg", 1, 1000);
  Add(usual, "vendor", 1, 500);
  Add(usual, "linalg", 2, 500);
  Add(usual, "vendor", 2, 501);
  EXPECT_EQ(Pick(usual), "order");
  Add(usual, "vendor", 2, 500);
  EXPECT_EQ(Pick(usual), "vendor 0.71 measured");
}

TEST_F(RatesTest, MeasurementsBeatEstimates) {
  const bd_case like = Product(128, 768, 800);
  Add(usual, "linalg", 1, 1000);
  Add(usual, "vendor", 1, 500);
  EXPECT_EQ(Pick(like), "vendor 0.50 estimated");
  Add(like, "linalg", 1, 1000);
  Add(like, "vendor", 1, 1100);
  EXPECT_EQ(Pick(like), "order");
}

// 2 x 401,408 bytes are read and written once more at 10 GB/s: 160.6 microseconds.
TEST_F(RatesTest, ConvolutionsHaveBorders) {
  const bd_case c = {BD_CASE_GROUPED, BUDDY_F32, {1, 28, 28, 128, 128, 32, 3, 3, 1, 1}};
  Add(c, "linalg", 1, 570000);
  Add(c, "vendor", 1, 400000);
  EXPECT_EQ(Pick(c), "order");
  Add(c, "vendor", 1, 215000);
  EXPECT_EQ(Pick(c), "vendor 0.66 measured");
}

TEST_F(RatesTest, WhatIsUnlikeSaysNothing) {
  Add(usual, "linalg", 1, 1000);
  Add(usual, "vendor", 1, 500);
  EXPECT_EQ(Pick(Product(2, 768, 768)), "order");
  bd_case half = usual;
  half.dtype = BUDDY_BF16;
  EXPECT_EQ(Pick(half), "order");
}

TEST_F(RatesTest, EstimatesScaleWithTheWork) {
  bd_estimate estimate;
  Add(usual, "linalg", 1, 1000000);
  ASSERT_TRUE(bd_rates_estimate(&rates, &usual, "linalg", 1, &estimate));
  EXPECT_TRUE(estimate.is_measured);
  EXPECT_DOUBLE_EQ(estimate.seconds, 1e-3);
  const bd_case twice = Product(128, 768, 1536);
  ASSERT_TRUE(bd_rates_estimate(&rates, &twice, "linalg", 1, &estimate));
  EXPECT_FALSE(estimate.is_measured);
  EXPECT_NEAR(estimate.seconds, 2e-3, 1e-4);
  EXPECT_FALSE(bd_rates_estimate(&rates, &usual, "linalg", 2, &estimate));
  EXPECT_FALSE(bd_rates_estimate(&rates, &usual, "vendor", 1, &estimate));
}

TEST_F(RatesTest, AnotherMeasurementTakesThePlace) {
  Add(usual, "linalg", 1, 1000);
  Add(usual, "linalg", 1, 700);
  ASSERT_EQ(rates.n, 1u);
  EXPECT_EQ(rates.items[0].ns, 700u);
  EXPECT_TRUE(bd_rates_know(&rates, &usual));
}

TEST_F(RatesTest, TheTextIsReadBack) {
  Add(usual, "linalg", 1, 1000);
  Add({BD_CASE_DEPTHWISE, BUDDY_BF16, {1, 56, 56, 32, 32, 32, 3, 3, 1, 1}}, "vendor", 2, 12345);
  const std::string text = Print();
  EXPECT_EQ(text,
            "buddy rates 1\nproduct f32 1 128 768 768 0 0 0 0 0 0 linalg 1 1000\n"
            "depthwise bf16 1 56 56 32 32 32 3 3 1 1 vendor 2 12345\n");
  bd_rates again;
  ASSERT_EQ(bd_rates_parse(text.data(), text.size(), &again), BUDDY_OK);
  bd_rates_deinit(&rates);
  rates = again;
  EXPECT_EQ(Print(), text);
}

TEST_F(RatesTest, WhatIsNoSuchTextIsRefusedWhole) {
  const std::string head = "buddy rates 1\n", good = "product f32 1 2 3 4 0 0 0 0 0 0 linalg 1 5\n";
  bd_rates out;
  ASSERT_EQ(bd_rates_parse((head + good).data(), head.size() + good.size(), &out), BUDDY_OK);
  bd_rates_deinit(&out);
  for (const std::string &bad :
       {std::string(""), std::string("buddy rates 2\n") + good, head + good.substr(0, 20),
        head + good.substr(0, good.size() - 1), head + "\n", head + std::string(600, 'a') + "\n",
        head + std::string("product f32 1 2 3\0 4 0 0 0 0 0 0 linalg 1 5\n", 44),
        head + "product f32 1 2 3 4 5 0 0 0 0 0 linalg 1 5\n",
        head + "product f32 1 2 0 4 0 0 0 0 0 0 linalg 1 5\n",
        head + "product f32 1 2 -3 4 0 0 0 0 0 0 linalg 1 5\n",
        head + "product f32 1 2 99999999999999999999999 4 0 0 0 0 0 0 linalg 1 5\n",
        head + "product f32 1 2 3 4 0 0 0 0 0 0 linalg 0 5\n",
        head + "product f32 1 2 3 4 0 0 0 0 0 0 linalg 1 0\n",
        head + "product f32 1 2 3 4 0 0 0 0 0 0 linalg 1 5 6\n",
        head + "product f32 1 2 3 4 0 0 0 0 0 0 " + std::string(40, 'r') + " 1 5\n",
        head + "product i8 1 2 3 4 0 0 0 0 0 0 linalg 1 5\n",
        head + "quotient f32 1 2 3 4 0 0 0 0 0 0 linalg 1 5\n",
        head + "convolution f32 1 8 8 4 4 1 9 9 0 0 linalg 1 5\n"}) {
    EXPECT_EQ(bd_rates_parse(bad.data(), bad.size(), &out), BUDDY_CORRUPT) << bad;
    EXPECT_EQ(out.n, 0u);
  }
}

TEST_F(RatesTest, ThereIsALimit) {
  for (int64_t i = 1; i <= BD_RATES_MAX; ++i) Add(Product(i, 2, 3), "linalg", 1, 5);
  bd_rate one_more{};
  one_more.is = Product(1, 1, 1);
  strcpy(one_more.registry, "linalg");
  one_more.n_threads = 1;
  one_more.ns = 5;
  EXPECT_EQ(bd_rates_add(&rates, &one_more), BUDDY_LIMIT);
}

}  // namespace
