// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No boolean is left in memory, which LLVM would not read or write as vectors.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/code/booleans.h"
}

namespace {

std::string widened(const std::string &text) { return rewritten(bd_booleans_widen, text); }

TEST(Booleans, AreBytesInMemory) {
  const std::string all = widened(R"(
    define i1 @f(ptr %p, ptr %q, <4 x i1> %v) {
      %x = load i1, ptr %p, align 1
      %y = xor i1 %x, true
      store i1 %y, ptr %q, align 1
      %n = load i32, ptr %p, align 4
      store i32 %n, ptr %q, align 4
      ret i1 %x
    })");
  EXPECT_EQ(all.find("load i1"), std::string::npos) << all;
  EXPECT_EQ(all.find("store i1"), std::string::npos) << all;
  EXPECT_NE(all.find("load i8, ptr %p, align 1"), std::string::npos) << all;
  EXPECT_NE(all.find("zext i1"), std::string::npos) << all;
  EXPECT_NE(all.find("load i32, ptr %p, align 4"), std::string::npos) << all;
}

}  // namespace
