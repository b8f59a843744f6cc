// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that compare positions end where the outcome changes.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/splitting.h"
}

namespace {

size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// What becomes of a loop from 0 to `upper` that stores what `body` makes as %v, of 100 elements.
std::string split(const std::string &upper, const std::string &body) {
  return rewritten(bd_loops_split,
                   "func.func @forward(%x: memref<100xf32>, %y: memref<200xf32>, %n: index, %k: "
                   "f32) {\n"
                   "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                   "  %c3 = arith.constant 3 : index\n  %c99 = arith.constant 99 : index\n"
                   "  %c100 = arith.constant 100 : index\n  %c106 = arith.constant 106 : index\n"
                   "  %c198 = arith.constant 198 : index\n"
                   "  scf.for %i = %c0 to " +
                       upper + " step %c1 {\n" + body +
                       "    memref.store %v, %y[%i] : memref<200xf32>\n  }\n  return\n}\n");
}

const std::string kLoad = "    %v = memref.load %x[%p] : memref<100xf32>\n";
const std::string kAt = "    %a = arith.subi %i, %c3 : index\n";
const std::string kMirrored = kAt +
                              "    %b = arith.subi %c0, %a : index\n"
                              "    %d = arith.maxsi %a, %b : index\n"
                              "    %e = arith.subi %c198, %d : index\n"
                              "    %p = arith.minsi %d, %e : index\n" +
                              kLoad;
const std::string kRound = kAt +
                           "    %l = arith.cmpi slt, %a, %c0 : index\n"
                           "    %b = arith.addi %a, %c100 : index\n"
                           "    %d = arith.select %l, %b, %a : index\n"
                           "    %g = arith.cmpi sge, %d, %c100 : index\n"
                           "    %e = arith.subi %d, %c100 : index\n"
                           "    %p = arith.select %g, %e, %d : index\n" +
                           kLoad;

TEST(Splitting, AMirrorHasItsEdges) {
  const std::string after = split("%c106", kMirrored);
  EXPECT_EQ(count(after, "scf.for"), 3u) << after;
  EXPECT_EQ(count(after, "arith.maxsi") + count(after, "arith.minsi"), 0u) << after;
  EXPECT_EQ(count(after, "to %c3"), 1u) << after;                         // 3 before it
  EXPECT_EQ(count(after, " = arith.constant 102 : index"), 1u) << after;  // the last one is 102
}

TEST(Splitting, WhatIsNearestIsRepeated) {
  const std::string after = split("%c106", kAt +
                                               "    %b = arith.minsi %a, %c99 : index\n"
                                               "    %p = arith.maxsi %b, %c0 : index\n" +
                                               kLoad);
  EXPECT_EQ(count(after, "scf.for"), 3u) << after;
}

TEST(Splitting, SelectsGoWithTheirConditions) {
  const std::string after = split("%c106", kRound);
  EXPECT_EQ(count(after, "scf.for"), 3u) << after;
  EXPECT_EQ(count(after, "arith.select") + count(after, "arith.cmpi"), 0u) << after;
}

TEST(Splitting, OnlyTheRunKnowsWhere) {
  const std::string after = split("%n", kRound);
  EXPECT_EQ(count(after, "scf.for"), 4u) << after;  // one of them finds nothing to do
  EXPECT_EQ(count(after, "arith.select"), 0u) << after;
}

TEST(Splitting, RoundsWithOneOutcomeStayTogether) {
  const std::string after = split("%c3", "    %p = arith.minsi %i, %c99 : index\n" + kLoad);
  EXPECT_EQ(count(after, "scf.for"), 1u) << after;
  EXPECT_EQ(count(after, "arith.minsi"), 0u) << after;
}

TEST(Splitting, NumbersAreNotPositions) {
  const std::string after = split("%c100",
                                  "    %w = memref.load %x[%i] : memref<100xf32>\n"
                                  "    %l = arith.cmpi slt, %i, %c3 : index\n"
                                  "    %v = arith.select %l, %w, %k : f32\n");
  EXPECT_EQ(count(after, "scf.for"), 1u) << after;
}

TEST(Splitting, WhatGrowsOtherwiseStays) {
  const std::string after = split("%c100",
                                  "    %q = arith.muli %i, %i : index\n"
                                  "    %p = arith.minsi %q, %c99 : index\n" +
                                      kLoad);
  EXPECT_EQ(count(after, "scf.for"), 1u) << after;
}

TEST(Splitting, FewLoopsAtMost) {
  std::string body = "    %p0 = arith.minsi %i, %n : index\n", last = "%p0";
  for (int k = 1; k < 6; ++k) {
    const std::string next = "%p" + std::to_string(k), more = "%m" + std::to_string(k);
    body += "    " + more + " = arith.addi %i, %n : index\n    " + next + " = arith.minsi " + last +
            ", %c99 : index\n";
    body += "    " + next + "x = arith.addi " + next + ", " + more + " : index\n";
    last = next + "x";
  }
  body += "    %v = memref.load %x[" + last + "] : memref<100xf32>\n";
  EXPECT_LE(count(split("%n", body), "scf.for"), 8u);
}

}  // namespace
