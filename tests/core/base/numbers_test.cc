// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "core/base/numbers.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>

namespace {

std::string Print(double number) {
  char text[BD_DOUBLE_TEXT];
  bd_double_print(number, text);
  return text;
}

bool Parse(const std::string &text, double *number) {
  return bd_double_parse(buddy_sv{text.data(), text.size()}, number);
}

TEST(NumbersTest, DoublesPrintShortAndReadBack) {
  EXPECT_EQ(Print(1), "1.0");
  EXPECT_EQ(Print(-0.0), "-0.0");
  EXPECT_EQ(Print(0.1), "0.1");
  EXPECT_EQ(Print(1e-5), "1e-05");
  EXPECT_EQ(Print(1e300), "1e+300");
  EXPECT_EQ(Print(HUGE_VAL), "inf");
  EXPECT_EQ(Print(-HUGE_VAL), "-inf");
  EXPECT_EQ(Print(std::nan("")), "nan");
  EXPECT_EQ(Print(-std::nan("")), "nan");
  for (const double number : {0.1 + 0.2, 1.0 / 3, std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::max(), 5e-324, 123456789012345678.0}) {
    double back;
    ASSERT_TRUE(Parse(Print(number), &back)) << Print(number);
    EXPECT_EQ(back, number);
  }
}

TEST(NumbersTest, TheLocaleDoesNotMatter) {
  const char *names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ps_AF.UTF-8"};
  const char *chosen = nullptr;
  for (const char *name : names) {
    if (!chosen) chosen = setlocale(LC_NUMERIC, name);
  }
  double number;
  EXPECT_EQ(Print(1.5), "1.5");
  EXPECT_TRUE(Parse("1.5", &number));
  EXPECT_EQ(number, 1.5);
  setlocale(LC_NUMERIC, "C");
}

TEST(NumbersTest, WhatIsNoDoubleIsRefused) {
  double number;
  const std::string texts[] = {"",
                               "x",
                               "1.5x",
                               "1,5",
                               "0x10",
                               " 1",
                               "infinity",
                               "nan(1)",
                               "1e",
                               "--1",
                               std::string(80, '1')};
  for (const std::string &text : texts) EXPECT_FALSE(Parse(text, &number)) << text;
  EXPECT_TRUE(Parse("-inf", &number));
  EXPECT_TRUE(std::isinf(number));
  EXPECT_TRUE(Parse("+2.", &number));
  EXPECT_EQ(number, 2);
}

TEST(NumbersTest, IntsReachBothEnds) {
  int64_t number;
  const auto parse = [&](const char *text) {
    return bd_int_parse(buddy_sv{text, strlen(text)}, &number);
  };
  ASSERT_TRUE(parse("9223372036854775807"));
  EXPECT_EQ(number, INT64_MAX);
  ASSERT_TRUE(parse("-9223372036854775808"));
  EXPECT_EQ(number, INT64_MIN);
  ASSERT_TRUE(parse("-0"));
  EXPECT_EQ(number, 0);
  for (const char *text : {"", "-", "9223372036854775808", "-9223372036854775809", "1x", "+1", " 1",
                           "99999999999999999999"}) {
    EXPECT_FALSE(parse(text)) << text;
  }
}

TEST(NumbersTest, DivisionIsPythons) {
  EXPECT_EQ(bd_floordiv(7, 2), 3);
  EXPECT_EQ(bd_floordiv(-7, 2), -4);
  EXPECT_EQ(bd_floordiv(7, -2), -4);
  EXPECT_EQ(bd_floordiv(-7, -2), 3);
  EXPECT_EQ(bd_mod(7, 2), 1);
  EXPECT_EQ(bd_mod(-7, 2), 1);
  EXPECT_EQ(bd_mod(7, -2), -1);
  EXPECT_EQ(bd_mod(-6, 2), 0);
}

}  // namespace
