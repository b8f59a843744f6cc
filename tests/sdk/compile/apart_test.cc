// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose iterations are apart, as their registry says, become parallel ones, unless what they do is seen to be otherwise.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/apart.h"
}

namespace {

bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}

// A loop with that body over rows of %x, for those of %y; `behind` it what else there is.
std::string spread(const std::string &body, const std::string &behind = "",
                   const std::string &from = "%c0", const std::string &mark = " {buddy.apart}") {
  return rewritten(bd_apart_spread,
                   "func.func private @other(f32)\n"
                   "func.func @forward(%x: memref<8x9xf32>, %z: memref<8x9xf32>) -> "
                   "memref<8x9xf32> {\n"
                   "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                   "  %c8 = arith.constant 8 : index\n  %c9 = arith.constant 9 : index\n"
                   "  %l = memref.alloc() : memref<9xf32>\n"
                   "  %y = memref.alloc() : memref<8x9xf32>\n"
                   "  scf.for %i = " +
                       from + " to %c8 step %c1 {\n" + body + "  }" + mark + "\n" + behind +
                       "  return %y : memref<8x9xf32>\n}\n");
}

const std::string kRow =
    "    scf.for %j = %c0 to %c9 step %c1 {\n"
    "      %a = memref.load %x[%i, %j] : memref<8x9xf32>\n"
    "      memref.store %a, %l[%j] : memref<9xf32>\n    }\n"
    "    scf.for %j = %c0 to %c9 step %c1 {\n"
    "      %a = memref.load %l[%j] : memref<9xf32>\n"
    "      memref.store %a, %y[%i, %j] : memref<8x9xf32>\n    }\n";

// %y of the row, from %x, at those positions.
std::string copied(const std::string &from, const std::string &at, const std::string &what = "%x",
                   const std::string &to = "%y") {
  return "    scf.for %j = %c0 to %c9 step %c1 {\n"
         "      %a = memref.load " +
         what + "[" + from + "] : memref<8x9xf32>\n      memref.store %a, " + to + "[" + at +
         "] : memref<8x9xf32>\n    } {buddy.apart}\n";
}

TEST(Apart, RowsWithAListOfTheirOwn) {
  const std::string after = spread(kRow);
  const size_t loop = after.find("scf.parallel");
  ASSERT_NE(loop, std::string::npos) << after;
  EXPECT_TRUE(has(after, "buddy.rows")) << after;
  EXPECT_GT(after.find("memref.alloc() : memref<9xf32>"), loop) << after;
  EXPECT_LT(after.find("memref.alloc() : memref<8x9xf32>"), loop) << after;
}

TEST(Apart, LoopsThatAreAllOfOne) {
  const std::string after = spread(copied("%i, %j", "%i, %j"));
  EXPECT_TRUE(has(after, "scf.parallel (%arg2, %arg3)")) << after;
  EXPECT_FALSE(has(after, "scf.for")) << after;
}

TEST(Apart, OnlyWhereTheRegistrySaysSo) {
  EXPECT_FALSE(has(spread(kRow, "", "%c0", ""), "scf.parallel"));
}

TEST(Apart, NotWhatIsSeenToBeOtherwise) {
  const std::string next = "    %n = arith.addi %i, %c1 : index\n";
  EXPECT_FALSE(has(spread(kRow, "", "%c1"), "scf.parallel"));
  EXPECT_FALSE(has(spread(next + copied("%i, %j", "%n, %j")), "scf.parallel"));
  EXPECT_FALSE(has(spread(copied("%c1, %j", "%i, %j", "%y")), "scf.parallel"));
  EXPECT_FALSE(has(spread(copied("%i, %j", "%i, %j", "%x", "%z")), "scf.parallel"));
  EXPECT_FALSE(has(spread(kRow,
                          "  %e = memref.load %l[%c0] : memref<9xf32>\n"
                          "  call @other(%e) : (f32) -> ()\n"),
                   "scf.parallel"));
  EXPECT_FALSE(has(spread(kRow + "    %e = memref.load %l[%c0] : memref<9xf32>\n"
                                 "    func.call @other(%e) : (f32) -> ()\n"),
                   "scf.parallel"));
}

}  // namespace
