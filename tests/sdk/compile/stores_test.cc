// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fence keeps a vector that is selected from what lies at its place from becoming a masked store.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/code/stores.h"
}

namespace {

std::string kept(const std::string &body) {
  return rewritten(bd_stores_keep_whole,
                   "declare <4 x double> @llvm.maximum.v4f64(<4 x double>, <4 x double>)\n"
                   "define void @f(ptr %p, ptr %q, <4 x i1> %c) {\n  %x = load <4 x i64>, ptr %q\n"
                   "  %d = load <4 x double>, ptr %q\n" +
                       body + "  ret void\n}\n");
}

bool has_fence(const std::string &body) {
  return kept(body).find("call <4 x double> @llvm.arithmetic.fence.v4f64") != std::string::npos;
}

TEST(Stores, OfWhatIsSelectedAreKept) {
  EXPECT_TRUE(
      has_fence("  %y = load <4 x double>, ptr %p\n"
                "  %m = call <4 x double> @llvm.maximum.v4f64(<4 x double> %y, <4 x double> %d)\n"
                "  store <4 x double> %m, ptr %p\n"));
  EXPECT_TRUE(
      has_fence("  %y = load <4 x i64>, ptr %p\n"
                "  %m = select <4 x i1> %c, <4 x i64> %x, <4 x i64> %y\n"
                "  store <4 x i64> %m, ptr %p\n"));
}

TEST(Stores, OfOtherThingsStay) {
  // Of another place, of a scalar, and of a sum.
  EXPECT_FALSE(
      has_fence("  %m = select <4 x i1> %c, <4 x i64> %x, <4 x i64> zeroinitializer\n"
                "  store <4 x i64> %m, ptr %p\n"));
  EXPECT_FALSE(
      has_fence("  %y = load i64, ptr %p\n  %b = icmp eq i64 %y, 0\n"
                "  %m = select i1 %b, i64 %y, i64 1\n  store i64 %m, ptr %p\n"));
  EXPECT_FALSE(
      has_fence("  %y = load <4 x double>, ptr %p\n"
                "  %m = fadd <4 x double> %y, %d\n  store <4 x double> %m, ptr %p\n"));
}

}  // namespace
