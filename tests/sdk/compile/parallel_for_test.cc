// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that threads share: a part for each, and functions around it for all that carry the same.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/ir.h"
#include "sdk/compile/rewrite/parallel_for.h"
#include "sdk/lower/module.h"
}

namespace {

// A kernel that fills a buffer of that type with %v, in a loop over its rows.
std::string kernel(const std::string &name, const std::string &type) {
  return "func.func private @" + name + "(%b: " + type +
         ", %v: f32) {\n"
         "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
         "  %n = memref.dim %b, %c0 : " +
         type + "\n  %m = memref.dim %b, %c1 : " + type +
         "\n  scf.parallel (%i, %j) = (%c0, %c0) to (%n, %m) step (%c1, %c1) {\n"
         "    memref.store %v, %b[%i, %j] : " +
         type + "\n  } {cost = 100000 : i64}\n  return\n}\n";
}

// How many functions whose names begin so there are when loops have been spread.
size_t count(const std::string &text, const std::string &prefix) {
  Diags diags;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  if (module == nullptr) return 0;
  EXPECT_EQ(bd_loops_make_parallel(module->module, diags), BUDDY_OK) << diags.text();
  size_t n = 0;
  MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(module->module));
  for (; op.ptr != nullptr; op = mlirOperationGetNextInBlock(op)) {
    bd_text name = {};
    mlirAttributePrint(bd_op_attribute(op, "sym_name"), bd_text_piece, &name);
    n += std::string(name.data).find("\"" + prefix) == 0;
    bd_text_deinit(&name);
  }
  buddy_module_destroy(module);
  return n;
}

const std::string kForward = "func.func @forward(%x: memref<2xf32>) {\n  return\n}\n";

TEST(ParallelFor, LoopsThatCarryTheSameShareFunctions) {
  const std::string text = kForward + kernel("a", "memref<64x64xf32>") +
                           kernel("b", "memref<32x80xf32>") + kernel("c", "memref<?x64xf32>");
  EXPECT_EQ(count(text, "a.part_0"), 1u);
  EXPECT_EQ(count(text, "b.part_0"), 1u);
  EXPECT_EQ(count(text, "c.part_0"), 1u);
  EXPECT_EQ(count(text, "buddy.share_"), 2u);
  EXPECT_EQ(count(text, "buddy.task_"), 2u);
}

// What is filled in this way by threads, with all that may be carried.
TEST(ParallelFor, ValuesArrive) {
  const char *const text =
      "func.func @forward(%x: tensor<?x?x64xf32>, %y: tensor<64x32xf32>) -> "
      "(tensor<?x?x64xf32>, tensor<64x32xf32>) {\n"
      "  %a = math.absf %x : tensor<?x?x64xf32>\n  %b = arith.negf %y : tensor<64x32xf32>\n"
      "  return %a, %b : tensor<?x?x64xf32>, tensor<64x32xf32>\n}\n";
  Program program(text);
  const Tensor x = Tensor::random(BUDDY_F32, {37, 41, 64}, 1);
  const Tensor y = Tensor::random(BUDDY_F32, {64, 32}, 2);
  const std::vector<Tensor> out = program.run({&x, &y});
  ASSERT_EQ(out.size(), 2u);
  std::vector<float> a = x.values<float>(), b = y.values<float>();
  for (float &v : a) v = std::abs(v);
  for (float &v : b) v = -v;
  EXPECT_EQ(out[0].values<float>(), a);
  EXPECT_EQ(out[1].values<float>(), b);
}

}  // namespace
