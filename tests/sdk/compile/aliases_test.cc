// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A buffer that shares memory with no other is said to do so where it is passed in parts, too.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/aliases.h"
}

namespace {

bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}

TEST(Aliases, ArgumentsAreCountedAsParts) {
  const std::string after = rewritten(
      bd_aliases_note,
      "func.func private @f(%n: index, %x: memref<?x?xf32>, %s: memref<f32> {llvm.noalias}, "
      "%k: f32, %y: memref<?xf32> {llvm.noalias}) {\n  return\n}\n"
      "func.func private @bare(%y: memref<4xf32> {llvm.noalias}) attributes {llvm.bareptr} {\n"
      "  return\n}\n"
      "func.func private @shared(%y: memref<?xf32>, %x: memref<?xf32> {}) {\n  return\n}\n"
      "func.func @forward(%x: memref<2xf32>) {\n  return\n}\n");
  EXPECT_TRUE(has(after, "buddy.alone = array<i32: 9, 13>")) << after;
  EXPECT_EQ(after.find("buddy.alone"), after.rfind("buddy.alone")) << after;
}

TEST(Aliases, TheirPointersSaySo) {
  const std::string after =
      rewritten(bd_aliases_tell,
                "llvm.func @f(%a: !llvm.ptr, %b: !llvm.ptr, %n: i64) attributes {buddy.alone = "
                "array<i32: 1>} {\n  llvm.return\n}\n"
                "func.func @forward(%x: memref<2xf32>) {\n  return\n}\n");
  EXPECT_TRUE(has(after, "(%arg0: !llvm.ptr, %arg1: !llvm.ptr {llvm.noalias}, %arg2: i64)"))
      << after;
  EXPECT_FALSE(has(after, "buddy.alone")) << after;
}

}  // namespace
