// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a buffer holds when a product begins to add to it: told by whoever had to do with it last,
// through whatever view and in whatever loop, and by nobody else.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/beginning.h"
#include "sdk/lower/module.h"
}

namespace {

// A product to %c, of which %v is a view; `before` is before it.
bd_begin begin_of(const std::string &before) {
  const std::string text =
      "func.func @forward(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %o: memref<4x6xf32>) {\n"
      "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32\n"
      "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
      "  %c = memref.alloc() : memref<4x6xf32>\n"
      "  %v = memref.collapse_shape %c [[0, 1]] : memref<4x6xf32> into memref<24xf32>\n" +
      before +
      "  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)\n"
      "  linalg.fill ins(%one : f32) outs(%c : memref<4x6xf32>)\n"
      "  return\n}\n";
  Diags diags;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  if (module == nullptr) return BD_BEGIN_ROW;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(bd_ops_collect(&ops, mlirModuleGetOperation(module->module), "linalg.matmul"),
            BUDDY_OK);
  const bd_beginning found =
      bd_beginning_find(ops.items[0], mlirOperationGetOperand(ops.items[0], 2), 1);
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found.begin;
}

std::string fill_of(const std::string &what, const std::string &buffer, const char *type) {
  return "  linalg.fill ins(%" + what + " : f32) outs(%" + buffer + " : " + type + ")\n";
}

std::string loop_to(const std::string &place) {
  return "  scf.for %i = %c0 to %c1 step %c1 {\n  memref.store %one, " + place + "\n  }\n";
}

const std::string kZero = fill_of("zero", "c", "memref<4x6xf32>");

TEST(Beginning, IsWhatWasWrittenLast) {
  EXPECT_EQ(begin_of(kZero), BD_BEGIN_ZERO);
  EXPECT_EQ(begin_of(""), BD_BEGIN_OLD);
  EXPECT_EQ(begin_of(kZero + fill_of("one", "c", "memref<4x6xf32>")), BD_BEGIN_OLD);
  EXPECT_EQ(begin_of(fill_of("one", "c", "memref<4x6xf32>") + kZero), BD_BEGIN_ZERO);
}

TEST(Beginning, IsWrittenThroughViews) {
  EXPECT_EQ(begin_of(kZero + fill_of("one", "v", "memref<24xf32>")), BD_BEGIN_OLD);
  EXPECT_EQ(begin_of(fill_of("one", "v", "memref<24xf32>") + kZero), BD_BEGIN_ZERO);
}

TEST(Beginning, IsWrittenInLoops) {
  EXPECT_EQ(begin_of(kZero + loop_to("%c[%c0, %i] : memref<4x6xf32>")), BD_BEGIN_OLD);
  EXPECT_EQ(begin_of(kZero + loop_to("%v[%i] : memref<24xf32>")), BD_BEGIN_OLD);
  EXPECT_EQ(begin_of(loop_to("%c[%c0, %i] : memref<4x6xf32>") + kZero), BD_BEGIN_ZERO);
}

TEST(Beginning, IsNotWrittenByOthers) {
  EXPECT_EQ(begin_of(kZero + loop_to("%o[%c0, %i] : memref<4x6xf32>")), BD_BEGIN_ZERO);
  EXPECT_EQ(begin_of(kZero + fill_of("one", "o", "memref<4x6xf32>")), BD_BEGIN_ZERO);
}

}  // namespace
