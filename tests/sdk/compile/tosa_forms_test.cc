// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of images that were turned, and products of one matrix, are as they were without
// TOSA's forms.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/tosa_forms.h"
#include "sdk/lower/module.h"
}

namespace {

// What is left of an operation of that name, after the rewriting.
size_t count(const std::string &text, const char *name) {
  Diags diags;
  buddy_module *module = nullptr;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  const MlirOperation root = mlirModuleGetOperation(module->module);
  EXPECT_EQ(bd_tosa_forms_undo(root), BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root));
  EXPECT_EQ(bd_ops_collect(&ops, root, name), BUDDY_OK);
  const size_t n = ops.n;
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return n;
}

// A convolution of %x, 1 x 2 x 6 x 5, by %w, 3 x 2 x 3 x 3, padded by `low` and `high` on both dims,
// of all rows and columns of the image or the first `rows` and `columns`.
struct Image {
  int low = 1, high = 1, rows = 6, columns = 5;
  std::string bias = "tensor<3xf32>";

  std::string text() const {
    const auto n = [](int i) { return std::to_string(i); };
    const std::string planes = "tensor<1x2x" + n(rows) + "x" + n(columns) + "xf32>",
                      pixels = "tensor<1x" + n(rows) + "x" + n(columns) + "x2xf32>",
                      size = n(rows + low + high - 2) + "x" + n(columns + low + high - 2),
                      out = "tensor<1x" + size + "x3xf32>", to = "tensor<1x3x" + size + "xf32>",
                      pad = n(low) + ", " + n(high);
    std::string image = "%x";
    std::string lines;
    if (rows != 6 || columns != 5) {
      image = "%cut";
      lines =
          "  %start = tosa.const_shape {values = dense<0> : tensor<4xindex>} : () -> "
          "!tosa.shape<4>\n  %size = tosa.const_shape {values = dense<[1, 2, " +
          n(rows) + ", " + n(columns) +
          "]> : tensor<4xindex>} : () -> !tosa.shape<4>\n  %cut = tosa.slice %x, %start, %size "
          ": (tensor<1x2x6x5xf32>, !tosa.shape<4>, !tosa.shape<4>) -> " +
          planes + "\n";
    }
    return "func.func @forward(%x: tensor<1x2x6x5xf32>, %w: tensor<3x2x3x3xf32>, %b: " + bias +
           ") -> " + to + " {\n" + lines +
           "  %zero = \"tosa.const\"() <{values = dense<0.0> : tensor<1xf32>}> : () -> "
           "tensor<1xf32>\n  %t = tosa.transpose " +
           image + " {perms = array<i32: 0, 2, 3, 1>} : (" + planes + ") -> " + pixels +
           "\n  %f = tosa.transpose %w {perms = array<i32: 0, 2, 3, 1>} : (tensor<3x2x3x3xf32>) -> "
           "tensor<3x3x3x2xf32>\n  %y = tosa.conv2d %t, %f, %b, %zero, %zero {acc_type = f32, "
           "dilation = array<i64: 1, 1>, pad = array<i64: " +
           pad + ", " + pad + ">, stride = array<i64: 1, 1>} : (" + pixels +
           ", tensor<3x3x3x2xf32>, " + bias + ", tensor<1xf32>, tensor<1xf32>) -> " + out +
           "\n  %r = tosa.transpose %y {perms = array<i32: 0, 3, 1, 2>} : (" + out + ") -> " + to +
           "\n  return %r : " + to + "\n}\n";
  }
};

constexpr char planes[] = "linalg.conv_2d_nchw_fchw";

TEST(TosaForms, TurnedImagesAreConvolvedAsTheyLie) {
  EXPECT_EQ(count(Image{}.text(), planes), 1u);
  EXPECT_EQ(count(Image{}.text(), "tosa.conv2d"), 0u);
  EXPECT_EQ(count(Image{}.text(), "tosa.pad"), 1u);
}

TEST(TosaForms, OneNumberForAllChannelsIsLeftToTosa) {
  EXPECT_EQ(count(Image{1, 1, 6, 5, "tensor<1xf32>"}.text(), planes), 0u);
}

// A slice is dropped only where no window would reach what it took off.
TEST(TosaForms, RowsThatNoWindowReachesStay) {
  Image cut{1, 0, 5, 4};
  EXPECT_EQ(count(cut.text(), planes), 1u);
  cut.high = 1;
  EXPECT_EQ(count(cut.text(), planes), 1u);
}

TEST(TosaForms, GiveTheSameNumbers) {
  const std::vector<Image> cases = {{}, {0, 2}, {1, 0, 5, 4}, {1, 1, 5, 3}};
  for (const Image &one : cases) {
    const Tensor x = Tensor::random(BUDDY_F32, {1, 2, 6, 5}, 1),
                 w = Tensor::random(BUDDY_F32, {3, 2, 3, 3}, 2),
                 b = Tensor::random(BUDDY_F32, {3}, 3);
    Program program(one.text());
    const auto outputs = program.run({&x, &w, &b});
    ASSERT_EQ(outputs.size(), 1u);
    const int height = one.rows + one.low + one.high - 2,
              width = one.columns + one.low + one.high - 2;
    for (int f = 0; f < 3; f++) {
      for (int i = 0; i < height * width; i++) {
        double sum = b.as<float>()[f];
        for (int k = 0; k < 2 * 9; k++) {
          const int c = k / 9, h = i / width + k % 9 / 3 - one.low, v = i % width + k % 3 - one.low;
          if (h < 0 || h >= one.rows || v < 0 || v >= one.columns) continue;
          sum +=
              static_cast<double>(w.as<float>()[f * 18 + k]) * x.as<float>()[(c * 6 + h) * 5 + v];
        }
        EXPECT_NEAR(outputs[0].as<float>()[f * height * width + i], sum, 1e-5);
      }
    }
  }
}

std::string product(const std::string &batch) {
  const std::string a = "tensor<" + batch + "x4x5xf32>", b = "tensor<" + batch + "x5x6xf32>",
                    c = "tensor<" + batch + "x4x6xf32>";
  return "func.func @forward(%a: " + a + ", %b: " + b + ") -> " + c +
         " {\n  %zero = \"tosa.const\"() <{values = dense<0.0> : tensor<1xf32>}> : () -> "
         "tensor<1xf32>\n  %r = tosa.matmul %a, %b, %zero, %zero : (" +
         a + ", " + b + ", tensor<1xf32>, tensor<1xf32>) -> " + c + "\n  return %r : " + c +
         "\n}\n";
}

TEST(TosaForms, ABatchOfOneIsAMatrix) {
  EXPECT_EQ(count(product("1"), "linalg.matmul"), 1u);
  EXPECT_EQ(count(product("2"), "linalg.matmul"), 0u);
  EXPECT_EQ(count(product("2"), "tosa.matmul"), 1u);
}

}  // namespace
