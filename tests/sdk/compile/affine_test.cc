// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which part of what follows a convolution is done with its filter: multiplications and additions
// of constants, up to the first operation that is anything else.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/affine.h"
#include "sdk/lower/module.h"
}

namespace {

// A convolution from %x and %w, both kept in what follows, whose body takes %p, the sum; %s and %t,
// which are constant; %u, which is not; and %q, an image, to %y.
std::string module_of(const std::string &body, const std::string &begin) {
  return "#id = affine_map<(n, h, w, f) -> (n, h, w, f)>\n"
         "#row = affine_map<(n, h, w, f) -> (f)>\n"
         "func.func @forward(%w: memref<8x3x3x4xf32>, %cs: memref<8xf32>, %ct: memref<8xf32>, "
         "%x: memref<1x9x9x4xf32>, %iu: memref<8xf32>, %iq: memref<1x7x7x8xf32>) {\n"
         "  %zero = arith.constant 0.0 : f32\n  %two = arith.constant 2.0 : f32\n"
         "  %c = memref.alloc() : memref<1x7x7x8xf32>\n"
         "  %o = memref.alloc() : memref<1x7x7x8xf32>\n  " +
         begin +
         "\n  linalg.conv_2d_nhwc_fhwc ins(%x, %w : memref<1x9x9x4xf32>, memref<8x3x3x4xf32>) "
         "outs(%c : memref<1x7x7x8xf32>)\n"
         "  linalg.generic {indexing_maps = [#id, #row, #row, #row, #id, #id], iterator_types = "
         "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%c, %cs, %ct, %iu, %iq : "
         "memref<1x7x7x8xf32>, memref<8xf32>, memref<8xf32>, memref<8xf32>, memref<1x7x7x8xf32>) "
         "outs(%o : memref<1x7x7x8xf32>) {\n"
         "  ^bb0(%p: f32, %s: f32, %t: f32, %u: f32, %q: f32, %old: f32):\n" +
         body + "    linalg.yield %y : f32\n  }\n  return\n}\n";
}

constexpr char kZero[] = "linalg.fill ins(%zero : f32) outs(%c : memref<1x7x7x8xf32>)";

std::string row_of(const char *buffer) {
  return std::string("linalg.broadcast ins(") + buffer +
         " : memref<8xf32>) outs(%c : memref<1x7x7x8xf32>) dimensions = [0, 1, 2]";
}

class Affine {
 public:
  explicit Affine(const std::string &body, const std::string &begin = kZero) {
    const std::string text = module_of(body, begin);
    EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags_, &module_), BUDDY_OK)
        << diags_.text();
    const MlirOperation root = mlirModuleGetOperation(module_->module);
    const MlirOperation entry = mlirBlockGetFirstOperation(mlirModuleGetBody(module_->module));
    char is_constant[6] = {1, 1, 1, 0, 0, 0};
    bd_prepacking prepacking = {};
    prepacking.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
    prepacking.is_constant = is_constant;
    prepacking.n_arguments = sizeof(is_constant);
    bd_ops ops = {nullptr, 0, 0};
    EXPECT_EQ(bd_ops_collect(&ops, root, "linalg.conv_"), BUDDY_OK);
    const bd_beginning begins =
        bd_beginning_find(ops.items[0], mlirOperationGetOperand(ops.items[0], 2), 3);
    left = bd_epilogue_find(ops.items[0], mlirOperationGetOperand(ops.items[0], 2), &begins, 3,
                            nullptr);
    bd_ops_deinit(&ops);
    EXPECT_NE(left.op.ptr, nullptr);
    taken = bd_affine_take(&left, &begins, &prepacking);
  }
  ~Affine() { buddy_module_destroy(module_); }
  Affine(const Affine &) = delete;
  Affine &operator=(const Affine &) = delete;

  // The function that makes the map.
  std::string text() {
    bd_kernels kernels;
    bd_panels p;
    bd_text caller = {};
    bd_panels_init(&p, &fake_machine, &bd_f32);
    p.m = 49;
    p.n = 8;
    p.k = 36;
    bd_affine_write(&caller, &taken, &p, &kernels);
    EXPECT_FALSE(caller.code);
    bd_text_deinit(&caller);
    EXPECT_EQ(kernels.texts.size(), 1u);
    return kernels.texts.empty() ? "" : *kernels.texts.begin();
  }

  bd_epilogue left = {};
  bd_affine taken = {};

 private:
  Diags diags_;
  buddy_module *module_ = nullptr;
};

int count(const std::string &text, const std::string &part) {
  int n = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) n++;
  return n;
}

TEST(Affine, TakesAllOfANorm) {
  Affine norm("    %a = arith.mulf %p, %s : f32\n    %y = arith.addf %a, %t : f32\n");
  EXPECT_EQ(norm.taken.n, 2);
  EXPECT_EQ(norm.taken.map.n, 2);
  EXPECT_TRUE(norm.taken.has_scale);
  EXPECT_EQ(bd_affine_prepacked_rows(&norm.taken), 2);
  EXPECT_EQ(norm.left.op.ptr, nullptr);
}

TEST(Affine, LeavesTheActivation) {
  Affine relu(
      "    %m = arith.mulf %t, %s : f32\n    %a = arith.subf %p, %m : f32\n"
      "    %y = arith.maximumf %a, %zero : f32\n");
  EXPECT_EQ(relu.taken.n, 1);
  EXPECT_EQ(relu.taken.map.n, 2);
  EXPECT_FALSE(relu.taken.has_scale);
  EXPECT_EQ(bd_affine_prepacked_rows(&relu.taken), 1);
  ASSERT_NE(relu.left.op.ptr, nullptr);
  EXPECT_EQ(relu.left.n, 0);
  EXPECT_EQ(count(relu.text(), "arith.mulf"), 2);  // t · s; the scale of the step, which is 1
}

// The same is left of different bodies: the tiles are the same functions.
TEST(Affine, LeavesTheSameText) {
  std::string texts[2];
  const char *bodies[] = {
      "    %m = arith.mulf %t, %s : f32\n    %a = arith.subf %p, %m : f32\n"
      "    %y = arith.maximumf %a, %zero : f32\n",
      "    %a = arith.addf %p, %t : f32\n    %y = arith.maximumf %a, %zero : f32\n"};
  for (int i = 0; i < 2; i++) {
    const Affine affine(bodies[i]);
    const bd_vectors vectors = {"f32", 16, nullptr, nullptr};
    const bd_epilogue_names names = {"sum", "of_row", "of", nullptr};
    bd_text text = {};
    bd_epilogue_write_numbers(&text, &affine.left, &vectors);
    bd_epilogue_write_body(&text, &affine.left, &vectors, &names);
    texts[i] = std::string(text.data, text.size) + bd_epilogue_result(&affine.left, &names).data;
    bd_text_deinit(&text);
  }
  EXPECT_EQ(texts[0], texts[1]);
  EXPECT_EQ(count(texts[0], "arith.maximumf"), 1);
}

TEST(Affine, StopsBeforeAnotherImage) {
  Affine sum(
      "    %a = arith.mulf %p, %s : f32\n    %b = arith.addf %a, %q : f32\n"
      "    %y = arith.mulf %b, %t : f32\n");
  EXPECT_EQ(sum.taken.n, 1);
  EXPECT_EQ(sum.taken.map.n, 1);
  EXPECT_EQ(sum.left.n, 2);
}

TEST(Affine, NegatesAndDivides) {
  Affine from(
      "    %a = arith.subf %s, %p : f32\n    %b = arith.divf %a, %two : f32\n"
      "    %y = arith.negf %b : f32\n");
  EXPECT_EQ(from.taken.n, 3);
  EXPECT_TRUE(from.taken.has_scale);
  EXPECT_EQ(from.left.op.ptr, nullptr);
}

// Vectors that are no constants, a value with two users, a division by the sum.
TEST(Affine, TakesNothingElse) {
  for (const char *body :
       {"    %y = arith.mulf %p, %u : f32\n", "    %y = arith.mulf %p, %p : f32\n",
        "    %y = arith.divf %s, %p : f32\n",
        "    %a = arith.addf %u, %s : f32\n    %y = arith.mulf %p, %a : f32\n",
        "    %a = arith.mulf %p, %s : f32\n    %y = arith.addf %a, %p : f32\n"}) {
    const Affine affine(body);
    EXPECT_EQ(affine.taken.map.op.ptr, nullptr) << body;
    EXPECT_NE(affine.left.op.ptr, nullptr) << body;
    EXPECT_EQ(bd_affine_prepacked_rows(&affine.taken), 0) << body;
  }
}

TEST(Affine, GoesOnFromARow) {
  const char *body = "    %y = arith.mulf %p, %s : f32\n";
  Affine row(body, row_of("%ct"));
  EXPECT_EQ(row.taken.n, 1);
  ASSERT_NE(row.taken.row.ptr, nullptr);
  EXPECT_EQ(count(row.text(), "memref.load %began_row"), 1);
  const Affine given(body, row_of("%iu"));
  EXPECT_EQ(given.taken.map.op.ptr, nullptr);
}

}  // namespace
