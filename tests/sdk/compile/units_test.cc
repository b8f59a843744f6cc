// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops beside reshapes read no operand at 0, so that fusion takes them past these.
#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/units.h"
}

namespace {

// %x plus %b, of that type and read by that map, and its result as `result` has it.
std::string sum_of(const std::string &x, const std::string &b, const std::string &map,
                   const std::string &result, const std::string &type) {
  return "#id = affine_map<(i, j, k) -> (i, j, k)>\n#b = affine_map<(i, j, k) -> (" + map +
         ")>\nfunc.func @forward(%x: " + x + ", %b: " + b + ", %e: " + x + ", %n: index) -> " +
         type +
         " {\n  %s = linalg.generic {indexing_maps = [#id, #b, #id], iterator_types = "
         "[\"parallel\", "
         "\"parallel\", \"parallel\"]} ins(%x, %b : " +
         x + ", " + b + ") outs(%e : " + x +
         ") {\n  ^bb0(%i: f32, %k: f32, %o: f32):\n    %r = arith.addf %i, %k : f32\n"
         "    linalg.yield %r : f32\n  } -> " +
         x + "\n  " + result + "\n  return %r : " + type + "\n}\n";
}

bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}

const std::string kX = "tensor<1x12x8xf32>", kWide = "tensor<1x3x4x8xf32>";
const std::string kExpand =
    "%r = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [1, 3, 4, 8] : " + kX + " into " +
    kWide;

TEST(Units, GoAwayBesideReshapes) {
  const std::string of_row =
      rewritten(bd_units_drop, sum_of(kX, "tensor<1x1x8xf32>", "i, 0, k", kExpand, kWide));
  EXPECT_TRUE(has(of_row, "tensor<1x1x8xf32> into tensor<1x8xf32>")) << of_row;
  EXPECT_TRUE(has(of_row, "[[0, 1], [2]]")) << of_row;
  EXPECT_FALSE(has(of_row, ", 0, ")) << of_row;
  const std::string of_one =
      rewritten(bd_units_drop, sum_of(kX, "tensor<1x1x1xf32>", "0, 0, 0", kExpand, kWide));
  EXPECT_TRUE(has(of_one, "tensor<1x1x1xf32> into tensor<f32>")) << of_one;
  const std::string of_line =
      rewritten(bd_units_drop, sum_of(kX, "tensor<1x12x1xf32>", "0, j, 0", kExpand, kWide));
  EXPECT_TRUE(has(of_line, "tensor<1x12x1xf32> into tensor<12xf32>")) << of_line;
}

TEST(Units, GoAwayOfUnknownSizes) {
  const std::string text = rewritten(
      bd_units_drop,
      sum_of("tensor<?x12x?xf32>", "tensor<1x1x?xf32>", "0, 0, k",
             "%r = tensor.expand_shape %s [[0], [1, 2], [3]] output_shape [%n, 3, 4, %n] : "
             "tensor<?x12x?xf32> into tensor<?x3x4x?xf32>",
             "tensor<?x3x4x?xf32>"));
  EXPECT_TRUE(has(text, "tensor<1x1x?xf32> into tensor<?xf32>")) << text;
}

TEST(Units, StayElsewhere) {
  const std::string alone = rewritten(
      bd_units_drop,
      sum_of(kX, "tensor<1x1x8xf32>", "i, 0, k", "%r = tensor.cast %s : " + kX + " to " + kX, kX));
  EXPECT_FALSE(has(alone, "collapse_shape")) << alone;
  const std::string first =  // read at a number, and not of one element
      rewritten(bd_units_drop, sum_of(kX, "tensor<1x12x8xf32>", "i, 3, k", kExpand, kWide));
  EXPECT_FALSE(has(first, "collapse_shape")) << first;
}

}  // namespace
