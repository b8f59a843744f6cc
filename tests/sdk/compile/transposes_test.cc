// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products read the originals of transposed matrices, through views that add or take away axes of
// size 1.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/transposes.h"
#include "sdk/lower/module.h"
}

namespace {

// The product of %q, b by m by k, and %t, b by k by n, which `lines` make of %x.
std::string module_of(const std::string &x, const std::string &lines, const char *n = "7") {
  const std::string q = "tensor<3x5x4xf32>", t = std::string("tensor<3x4x") + n + "xf32>",
                    c = std::string("tensor<3x5x") + n + "xf32>";
  return "func.func @forward(%q: " + q + ", %x: " + x + ", %c: " + c + ") -> " + c + " {\n" +
         lines + "  %zero = arith.constant 0.0 : f32\n" +
         "  %first = linalg.fill ins(%zero : f32) outs(%c : " + c + ") -> " + c +
         "\n  %r = linalg.batch_matmul ins(%q, %t : " + q + ", " + t + ") outs(%first : " + c +
         ") -> " + c + "\n  return %r : " + c + "\n}\n";
}

// Heads of a projection, as attention turns them: [1, n, b, k] to [1, b, n, k] to [b, k, n].
std::string heads_of(const std::string &n) {
  const std::string one = "tensor<1x" + n + "x3x4xf32>", two = "tensor<1x3x" + n + "x4xf32>",
                    three = "tensor<1x3x4x" + n + "xf32>", four = "tensor<3x4x" + n + "xf32>";
  std::string made, made_too;
  if (n == "?") {
    made = "  %one = arith.constant 1 : index\n  %n = tensor.dim %x, %one : " + one + "\n";
    made_too = "%n";
  }
  return made + "  %e = tensor.empty(" + made_too + ") : " + two + "\n  %f = tensor.empty(" +
         made_too + ") : " + three + "\n  %h = linalg.transpose ins(%x : " + one +
         ") outs(%e : " + two + ") permutation = [0, 2, 1, 3]\n" +
         "  %k = linalg.transpose ins(%h : " + two + ") outs(%f : " + three +
         ") permutation = [0, 1, 3, 2]\n  %t = tensor.collapse_shape %k [[0, 1], [2], [3]] : " +
         three + " into " + four + "\n";
}

// Operations of the name; out_right: the right operand of the last one.
size_t count(const std::string &text, const char *name, std::string *out_right = nullptr) {
  Diags diags;
  buddy_module *module = nullptr;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  const MlirOperation root = mlirModuleGetOperation(module->module);
  EXPECT_EQ(bd_transposes_fold(root), BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root));
  EXPECT_EQ(bd_ops_collect(&ops, root, name), BUDDY_OK);
  const size_t n = ops.n;
  if (n > 0 && out_right != nullptr) {
    const auto append = [](MlirStringRef part, void *user) {
      static_cast<std::string *>(user)->append(part.data, part.length);
    };
    mlirTypePrint(mlirValueGetType(mlirOperationGetOperand(ops.items[n - 1], 1)), append,
                  out_right);
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return n;
}

TEST(Transposes, AreReadThroughAxesTakenAway) {
  for (const char *n : {"7", "?"}) {
    const std::string x = std::string("tensor<1x") + n + "x3x4xf32>";
    EXPECT_EQ(count(module_of(x, heads_of(n), n), "linalg.contract"), 1u) << n;
  }
}

// Kernels read rows of the left operand from end to end: a copy that has such is kept where it is small beside the product.
TEST(Transposes, OfLeftOperandsAreKeptForManyColumns) {
  const auto n_folded = [](const std::string &m, const std::string &k, const std::string &n,
                           bool is_left) {
    const std::string x = "tensor<" + (is_left ? k + "x" + m : n + "x" + k) + "xf32>",
                      t = "tensor<" + (is_left ? m + "x" + k : k + "x" + n) + "xf32>",
                      y = "tensor<" + (is_left ? k + "x" + n : m + "x" + k) + "xf32>",
                      c = "tensor<" + m + "x" + n + "xf32>";
    return count("func.func @forward(%x: " + x + ", %y: " + y + ", %c: " + c + ") -> " + c +
                     " {\n  %e = tensor.empty() : " + t + "\n  %t = linalg.transpose ins(%x : " +
                     x + ") outs(%e : " + t + ") permutation = [1, 0]\n  %r = linalg.matmul ins(" +
                     (is_left ? "%t, %y : " + t + ", " + y : "%y, %t : " + y + ", " + t) +
                     ") outs(%c : " + c + ") -> " + c + "\n  return %r : " + c + "\n}\n",
                 "linalg.contract");
  };
  EXPECT_EQ(n_folded("100", "50", "40", true), 0u);
  EXPECT_EQ(n_folded("100", "50", "31", true), 1u);  // few columns
  EXPECT_EQ(n_folded("100", "40", "40", true), 1u);  // few numbers
  EXPECT_EQ(n_folded("100", "50", "40", false), 1u);
}

TEST(Transposes, OfAxesThatBecomeOneAreKept) {
  const std::string lines =
      "  %e = tensor.empty() : tensor<3x2x2x7xf32>\n"
      "  %h = linalg.transpose ins(%x : tensor<2x3x2x7xf32>) outs(%e : tensor<3x2x2x7xf32>) "
      "permutation = [1, 0, 2, 3]\n"
      "  %t = tensor.collapse_shape %h [[0], [1, 2], [3]] : tensor<3x2x2x7xf32> into "
      "tensor<3x4x7xf32>\n";
  EXPECT_EQ(count(module_of("tensor<2x3x2x7xf32>", lines), "linalg.contract"), 0u);
}

// %TO, of f32, of %FROM.
std::string widening(const std::string &from, const std::string &to, const std::string &sizes,
                     const std::string &narrow) {
  const std::string given = "tensor<" + sizes + "x" + narrow + ">",
                    made = "tensor<" + sizes + "xf32>";
  const bool is_any = sizes.find('?') != std::string::npos;
  return (is_any ? "  %two = arith.constant 2 : index\n  %any = tensor.dim %" + from +
                       ", %two : " + given + "\n"
                 : "") +
         "  %" + to + "e = tensor.empty(" + (is_any ? "%any" : "") + ") : " + made + "\n  %" + to +
         " = linalg.generic {indexing_maps = [affine_map<(a, b, c, d) -> (a, b, c, d)>, "
         "affine_map<(a, b, c, d) -> (a, b, c, d)>], iterator_types = [\"parallel\", "
         "\"parallel\", \"parallel\", \"parallel\"]} ins(%" +
         from + " : " + given + ") outs(%" + to + "e : " + made + ") {\n  ^bb0(%i: " + narrow +
         ", %o: f32):\n  %y = arith.extf %i : " + narrow +
         " to f32\n  linalg.yield %y : f32\n  } -> " + made + "\n";
}

// Caches of keys and values, [1, heads, n, size] in 16 bits, are no matrices: they are reshaped after they were widened.
TEST(Transposes, ReshapesOfWhatIsWidenedAreOfTheNarrow) {
  for (const std::string narrow : {"bf16", "f16"}) {
    std::string right;
    const std::string values =
        widening("x", "w", "1x3x4x7", narrow) +
        "  %t = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<1x3x4x7xf32> into "
        "tensor<3x4x7xf32>\n";
    EXPECT_EQ(count(module_of("tensor<1x3x4x7x" + narrow + ">", values), "linalg.contract", &right),
              1u);
    EXPECT_EQ(right, "tensor<3x4x7x" + narrow + ">");
    const std::string twice =
        widening("x", "w", "3x1x4x7", narrow) +
        "  %f = tensor.collapse_shape %w [[0, 1, 2, 3]] : tensor<3x1x4x7xf32> into "
        "tensor<84xf32>\n  %t = tensor.expand_shape %f [[0, 1, 2]] output_shape [3, 4, 7] : "
        "tensor<84xf32> into tensor<3x4x7xf32>\n";
    right.clear();
    EXPECT_EQ(count(module_of("tensor<3x1x4x7x" + narrow + ">", twice), "linalg.contract", &right),
              1u);
    EXPECT_EQ(right, "tensor<3x4x7x" + narrow + ">");
    for (const std::string n : {"7", "?"}) {
      const std::string three = "tensor<1x3x4x" + n + "xf32>";
      const std::string keys = widening("x", "w", "1x3x" + n + "x4", narrow) +
                               "  %e = tensor.empty(" + (n == "?" ? "%any" : "") + ") : " + three +
                               "\n  %k = linalg.transpose ins(%w : tensor<1x3x" + n +
                               "x4xf32>) outs(%e : " + three +
                               ") permutation = [0, 1, 3, 2]\n"
                               "  %t = tensor.collapse_shape %k [[0, 1], [2], [3]] : " +
                               three + " into tensor<3x4x" + n + "xf32>\n";
      right.clear();
      EXPECT_EQ(count(module_of("tensor<1x3x" + n + "x4x" + narrow + ">", keys, n.c_str()),
                      "linalg.contract", &right),
                1u);
      EXPECT_EQ(right, "tensor<3x" + n + "x4x" + narrow + ">");
    }
  }
}

TEST(Transposes, OfHeadsGiveTheSameNumbers) {
  const Tensor q = Tensor::random(BUDDY_F32, {3, 5, 4}, 1),
               x = Tensor::random(BUDDY_F32, {1, 7, 3, 4}, 2), c(BUDDY_F32, {3, 5, 7});
  Program program(module_of("tensor<1x7x3x4xf32>", heads_of("7")));
  const auto outputs = program.run({&q, &x, &c});
  ASSERT_EQ(outputs.size(), 1u);
  for (size_t b = 0; b < 3; b++) {
    for (size_t i = 0; i < 5; i++) {
      for (size_t j = 0; j < 7; j++) {
        double sum = 0;
        for (size_t k = 0; k < 4; k++)
          sum += static_cast<double>(q.as<float>()[(b * 5 + i) * 4 + k]) *
                 x.as<float>()[(j * 3 + b) * 4 + k];
        EXPECT_NEAR(outputs[0].as<float>()[(b * 5 + i) * 7 + j], sum, 1e-6);
      }
    }
  }
}

}  // namespace
