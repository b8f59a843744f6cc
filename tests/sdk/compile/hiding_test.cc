// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What takes many instructions stays out of loops that would compute it again and again.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/hiding.h"
}

namespace {

// y[i, j] = x[i, j] * op(w) in loops over `rows` x 16, where w lies as `map` says; whether op's loop is hidden.
bool is_hidden(const std::string &op, const std::string &rows, const std::string &size,
               const std::string &map) {
  const std::string wide = "tensor<" + rows + "x16xf32>", small = "tensor<" + size + "xf32>";
  const std::string text =
      "#id = affine_map<(d0) -> (d0)>\n#all = affine_map<(d0, d1) -> (d0, d1)>\n#of = " + map +
      "\nfunc.func @forward(%x: " + wide + ", %w: " + small + ", %out: " + wide + ") -> " + wide +
      " {\n  %e = tensor.empty() : " + small +
      "\n  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} "
      "ins(%w : " +
      small + ") outs(%e : " + small + ") {\n  ^bb0(%a: f32, %o: f32):\n    %r = " + op +
      " : f32\n    linalg.yield %r : f32\n  } -> " + small +
      "\n  %y = linalg.generic {indexing_maps = [#all, #of, #all], iterator_types = [\"parallel\", "
      "\"parallel\"]} ins(%x, %c : " +
      wide + ", " + small + ") outs(%out : " + wide +
      ") {\n  ^bb0(%a: f32, %b: f32, %o: f32):\n    %r = arith.mulf %a, %b : f32\n    "
      "linalg.yield %r : f32\n  } -> " +
      wide + "\n  return %y : " + wide + "\n}\n";
  return rewritten(bd_products_hide, text, bd_products_restore).find("buddy.hidden") !=
         std::string::npos;
}

const std::string kColumn = "affine_map<(d0, d1) -> (d1)>", kRow = "affine_map<(d0, d1) -> (d0)>";

TEST(Hiding, WhatIsDearIsComputedOnce) {
  EXPECT_TRUE(is_hidden("math.cos %a", "64", "16", kColumn));
  EXPECT_TRUE(is_hidden("math.exp %a", "?", "16", kColumn));
}

TEST(Hiding, WhatIsCheapOrSeldomAskedForStays) {
  EXPECT_FALSE(is_hidden("arith.negf %a", "64", "16", kColumn));
  EXPECT_FALSE(is_hidden("math.cos %a", "4", "16", kColumn));
  // Of a row: the loop inside takes it out of its rounds.
  EXPECT_FALSE(is_hidden("math.cos %a", "64", "64", kRow));
}

}  // namespace
