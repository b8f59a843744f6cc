// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Live in this file, however it is built.
#ifndef BUDDY_PARANOID
#define BUDDY_PARANOID
#endif
#include "core/base/assert.h"

#include <gtest/gtest.h>

namespace {

TEST(Assert, WhatHoldsIsEvaluatedOnceAndGoesOn) {
  int n = 0;
  BD_ASSERT(++n == 1);
  EXPECT_EQ(n, 1);
}

TEST(Assert, WhatDoesNotHoldEndsTheProcessAndSaysWhere) {
  const int links = 2;
  EXPECT_DEATH(BD_ASSERT(links == 1), "assert_test.cc:[0-9]+: assertion failed: links == 1");
}

}  // namespace
