// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops over f32 that add up in f64 are told the width of f32.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/kernels/machine.h"
#include "sdk/compile/rewrite/widths.h"
}

namespace {

buddy_code name_for_avx2(MlirOperation root) {
  const bd_machine machine = bd_machine_of("avx2,fma", 0);
  return bd_loops_name_widths(root, &machine);
}

// Whether a loop whose body gives %y, an f32, and %z, an f64 that is added up, is told a width of 8.
bool is_told(const std::string &body) {
  const std::string after = rewritten(
      name_for_avx2,
      "func.func private @call(f32) -> f32\n"
      "func.func @forward(%a: memref<?xf32>, %d: memref<?xf64>, %s: memref<?xf32, strided<[2]>>, "
      "%n: index, %first: f64) -> f64 {\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %first) -> (f64) {\n" +
          body +
          "    memref.store %y, %a[%i] : memref<?xf32>\n"
          "    %next = arith.addf %sum, %z : f64\n    scf.yield %next : f64\n  }\n"
          "  return %r : f64\n}\n");
  return after.find("loop_annotation") != std::string::npos &&
         after.find("width = 8 : i32") != std::string::npos;
}

const std::string kLoad = "    %x = memref.load %a[%i] : memref<?xf32>\n";
const std::string kExp = "    %y = math.exp %x : f32\n";
const std::string kWide = "    %z = arith.extf %y : f32 to f64\n";

TEST(Widths, SumsInF64LetFunctionsKeepTheirs) { EXPECT_TRUE(is_told(kLoad + kExp + kWide)); }

TEST(Widths, ASumThatLiesInMemoryIsNoMovement) {
  EXPECT_TRUE(is_told(kLoad + kExp + kWide +
                      "    %old = memref.load %d[%c1] : memref<?xf64>\n"
                      "    memref.store %old, %d[%c0] : memref<?xf64>\n"));
}

TEST(Widths, LittleComputingIsLeft) {
  EXPECT_FALSE(is_told(kLoad + "    %y = arith.addf %x, %x : f32\n" + kWide));
}

TEST(Widths, WhatIsNoNeighbourIsLeft) {
  EXPECT_FALSE(
      is_told("    %x = memref.load %s[%i] : memref<?xf32, strided<[2]>>\n" + kExp + kWide));
  EXPECT_FALSE(
      is_told("    %j = arith.addi %i, %i : index\n"
              "    %x = memref.load %a[%j] : memref<?xf32>\n" +
              kExp + kWide));
}

TEST(Widths, WiderElementsAreLeft) {
  EXPECT_FALSE(is_told(kLoad + kExp + "    %z = memref.load %d[%i] : memref<?xf64>\n"));
}

TEST(Widths, CallsAreLeft) {
  EXPECT_FALSE(is_told(
      kLoad + "    %w = math.exp %x : f32\n    %y = func.call @call(%w) : (f32) -> f32\n" + kWide));
}

}  // namespace
