// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between float widths, against what rounding to nearest, ties to even, means.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

extern "C" {
#include "sdk/runtime/softfloat.h"
}

namespace {

uint32_t bits_of(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  return bits;
}

TEST(SoftFloat, ReadsEveryHalf) {
  for (uint32_t h = 0; h < 0x10000; h++) {
    const auto bits = static_cast<uint16_t>(h);
    const int exponent = (bits >> 10) & 31, fraction = bits & 1023;
    const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f, value = bd_f16_value(bits);
    if (exponent == 31) {
      EXPECT_EQ(std::isnan(value), fraction != 0);
      EXPECT_EQ(std::isinf(value), fraction == 0);
    } else if (exponent == 0) {
      EXPECT_EQ(value, sign * std::ldexp(static_cast<float>(fraction), -24));
    } else {
      EXPECT_EQ(value, sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25));
    }
  }
}

// Every half comes back, and what lies between two halves goes to the nearer one, in the middle to
// the even one.
TEST(SoftFloat, RoundsToTheNearestHalf) {
  for (uint16_t h = 0; h < 0x7bff; h++) {
    const double low = bd_f16_value(h), high = bd_f16_value(static_cast<uint16_t>(h + 1));
    const double middle = (low + high) / 2, step = (high - low) / 64;
    const auto even = static_cast<uint16_t>(h % 2 == 0 ? h : h + 1);
    EXPECT_EQ(bd_f16_bits(static_cast<float>(low)), h);
    EXPECT_EQ(bd_f16_bits(static_cast<float>(middle)), even);
    EXPECT_EQ(bd_f16_bits(static_cast<float>(middle - step)), h);
    EXPECT_EQ(bd_f16_bits(static_cast<float>(middle + step)), h + 1);
    EXPECT_EQ(bd_f16_bits(static_cast<float>(-middle)), even | 0x8000);
  }
  EXPECT_EQ(bd_f16_bits(65519.0f), 0x7bff);
  EXPECT_EQ(bd_f16_bits(65520.0f), 0x7c00);
  EXPECT_EQ(bd_f16_bits(std::numeric_limits<float>::infinity()), 0x7c00);
  EXPECT_EQ(bd_f16_bits(std::numeric_limits<float>::quiet_NaN()) & 0x7c00, 0x7c00);
  EXPECT_NE(bd_f16_bits(std::numeric_limits<float>::quiet_NaN()) & 0x3ff, 0);
}

TEST(SoftFloat, RoundsToTheNearestBfloat) {
  EXPECT_EQ(bd_bf16_bits(1.0f), 0x3f80);
  EXPECT_EQ(bd_bf16_bits(1.0f + 0x1p-8f), 0x3f80) << "a tie goes to the even one";
  EXPECT_EQ(bd_bf16_bits(1.0f + 0x1p-8f + 0x1p-20f), 0x3f81);
  EXPECT_EQ(bd_bf16_bits(1.0f + 3 * 0x1p-8f), 0x3f82);
  EXPECT_EQ(bd_bf16_bits(-std::numeric_limits<float>::max()), 0xff80);
  EXPECT_EQ(bd_bf16_bits(std::numeric_limits<float>::quiet_NaN()) & 0x7fc0, 0x7fc0);
}

// 1 + 2^-8 + 2^-40 rounds up, but only to those who do not round it to float in between.
TEST(SoftFloat, RoundsDoublesOnce) {
  EXPECT_EQ(bits_of(bd_truncdfbf2(1.0 + 0x1p-8 + 0x1p-40)) & 0xffff, 0x3f81u);
  EXPECT_EQ(bits_of(bd_truncdfbf2(1.0 + 0x1p-8 - 0x1p-40)) & 0xffff, 0x3f80u);
  EXPECT_EQ(bits_of(bd_truncdfhf2(1.0 + 0x1p-11 + 0x1p-40)) & 0xffff, 0x3c01u);
  EXPECT_EQ(bits_of(bd_truncdfhf2(-1.0 - 0x1p-11 - 0x1p-40)) & 0xffff, 0xbc01u);
  EXPECT_EQ(bits_of(bd_truncdfhf2(1e300)) & 0xffff, 0x7c00u);
  EXPECT_EQ(bits_of(bd_truncdfhf2(1e-300)) & 0xffff, 0u);
}

}  // namespace
