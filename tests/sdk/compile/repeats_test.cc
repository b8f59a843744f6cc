// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is cheap is computed by each loop that reads it, where that saves memory; reductions are loops that can do so.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/reductions.h"
#include "sdk/compile/rewrite/repeats.h"
}

namespace {

const std::string kMaps =
    "#id = affine_map<(d0, d1) -> (d0, d1)>\n#row = affine_map<(d0, d1) -> (d0)>\n"
    "#one = affine_map<(d0, d1) -> (d0, 0)>\n";

std::string after(buddy_code (*pass)(MlirOperation), const std::string &body,
                  const std::string &arguments) {
  return rewritten(pass, kMaps + "func.func @forward(" + arguments +
                             ") -> tensor<4xf32> {\n"
                             "  %zero = arith.constant 0.0 : f32\n"
                             "  %rows = tensor.empty() : tensor<4xf32>\n"
                             "  %begin = linalg.fill ins(%zero : f32) outs(%rows : tensor<4xf32>) "
                             "-> tensor<4xf32>\n" +
                             body + "}\n");
}

size_t count(const std::string &text, const std::string &what) {
  size_t n = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

// %to, of `step` on %in and what else there is, in loops over 4x8.
std::string loop(const std::string &to, const std::string &operands, const std::string &types,
                 const std::string &maps, const std::string &arguments, const std::string &step) {
  return "  %" + to + "_out = tensor.empty() : tensor<4x8xf32>\n  %" + to +
         " = linalg.generic {indexing_maps = [" + maps +
         ", #id], iterator_types = [\"parallel\", \"parallel\"]} ins(" + operands + " : " + types +
         ") outs(%" + to + "_out : tensor<4x8xf32>) {\n  ^bb0(" + arguments + ", %o: f32):\n    " +
         step + "\n    linalg.yield %r : f32\n  } -> tensor<4x8xf32>\n";
}

std::string sum(const std::string &to, const std::string &of, const std::string &begin) {
  return "  %" + to +
         " = linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", "
         "\"reduction\"]} ins(%" +
         of + " : tensor<4x8xf32>) outs(%" + begin +
         " : tensor<4xf32>) {\n  ^bb0(%i: f32, %o: f32):\n    %r = arith.addf %o, %i : f32\n"
         "    linalg.yield %r : f32\n  } -> tensor<4xf32>\n";
}

const std::string kX = "%x: tensor<4x8xbf16>, %m: tensor<4x1xf32>";
const std::string kWide =
    loop("w", "%x", "tensor<4x8xbf16>", "#id", "%i: bf16", "%r = arith.extf %i : bf16 to f32");
const std::string kCentred = loop("c", "%w, %m", "tensor<4x8xf32>, tensor<4x1xf32>", "#id, #one",
                                  "%i: f32, %k: f32", "%r = arith.subf %i, %k : f32");

TEST(Repeats, AreForEachReader) {
  const std::string all = after(bd_repeats_make,
                                kWide + kCentred + sum("s", "w", "begin") + sum("t", "c", "s") +
                                    sum("u", "c", "t") + "  return %u : tensor<4xf32>\n",
                                kX);
  EXPECT_EQ(count(all, "arith.subf"), 2U) << all; /* of 4 means: too few rows for loops to share */
  EXPECT_EQ(count(all, "arith.extf"), 3U) << all;
}

TEST(Repeats, SaveMemory) {
  // Of what is no wider, each row is in the cache, and the result may lie in its place.
  const std::string scaled =
      loop("c", "%x", "tensor<4x8xf32>", "#id", "%i: f32", "%r = arith.mulf %i, %i : f32");
  EXPECT_EQ(count(after(bd_repeats_make,
                        scaled + sum("s", "c", "begin") + sum("t", "c", "s") +
                            "  return %t : tensor<4xf32>\n",
                        "%x: tensor<4x8xf32>"),
                  "arith.mulf"),
            1U);
}

TEST(Repeats, NeedAReaderThatFusionKnows) {
  // Returned, too: it is in memory anyway.
  const std::string read = sum("s", "w", "begin") + sum("t", "w", "s");
  EXPECT_EQ(count(after(bd_repeats_make, kWide + read + "  return %t : tensor<4xf32>\n", kX),
                  "arith.extf"),
            2U);
  const std::string kept =
      "  %part = tensor.extract_slice %w[0, 0] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4xf32>\n"
      "  return %part : tensor<4xf32>\n";
  EXPECT_EQ(count(after(bd_repeats_make, kWide + read + kept, kX), "arith.extf"), 1U);
}

TEST(Repeats, AreCheap) {
  // Two instructions may be; a function, or two tensors, are not.
  const std::string x = "%x: tensor<4x8xf32>, %y: tensor<4x8xf32>";
  const std::string read =
      sum("s", "c", "begin") + sum("t", "c", "s") + "  return %t : tensor<4xf32>\n";
  const std::string exp = loop("c", "%x", "tensor<4x8xf32>", "#id", "%i: f32",
                               "%r = math.exp %i : f32"),
                    both = loop("c", "%x, %y", "tensor<4x8xf32>, tensor<4x8xf32>", "#id, #id",
                                "%i: f32, %k: f32", "%r = arith.addf %i, %k : f32");
  EXPECT_EQ(count(after(bd_repeats_make, exp + read, x), "math.exp"), 1U);
  EXPECT_EQ(count(after(bd_repeats_make, both + read, x), "arith.addf"), 3U);
}

TEST(Reductions, BecomeGeneric) {
  const std::string all = after(
      bd_reductions_generalize,
      "  %s = linalg.reduce ins(%x : tensor<4x16xf32>) outs(%begin : tensor<4xf32>) dimensions = "
      "[1]\n    (%i: f32, %o: f32) {\n      %r = arith.addf %i, %o : f32\n      linalg.yield %r : "
      "f32\n    }\n  return %s : tensor<4xf32>\n",
      "%x: tensor<4x16xf32>");
  EXPECT_EQ(all.find("linalg.reduce"), std::string::npos) << all;
  EXPECT_NE(all.find("iterator_types = [\"parallel\", \"reduction\"]"), std::string::npos) << all;
}

}  // namespace
