// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who asks is told how each product and convolution is computed, and why not faster.
#include "tests/sdk/compile/harness.h"

namespace {

struct Told {
  std::string op, nodes, kernel, why;
  bool is_slow;
};

void keep(void *user, const buddy_kernel_choice *choice) {
  EXPECT_EQ(choice->struct_size, sizeof(*choice));
  static_cast<std::vector<Told> *>(user)->push_back(
      {choice->op, choice->nodes, choice->kernel, choice->why, choice->is_slow != 0});
}

std::vector<Told> told(const std::string &text) {
  std::vector<Told> all;
  buddy_compile_options options = {};
  options.struct_size = sizeof(options);
  options.parameters_are_constant = 1;
  options.user = &all;
  options.choice = keep;
  const Program program(text, &options);
  EXPECT_EQ(program.code, BUDDY_OK) << program.diags.text();
  return all;
}

std::string product(const std::string &m, const std::string &k, const std::string &n,
                    const std::string &a, const std::string &c) {
  const std::string A = "tensor<" + m + "x" + k + "x" + a + ">",
                    B = "tensor<" + k + "x" + n + "x" + a + ">",
                    C = "tensor<" + m + "x" + n + "x" + c + ">";
  return "func.func @forward(%a: " + A + ", %b: " + B + ", %c: " + C + ") -> " + C +
         " {\n  %r = linalg.matmul ins(%a, %b : " + A + ", " + B + ") outs(%c : " + C + ") -> " +
         C + " loc(\"mine\"(\"layer\"(\"model.py\":7:1)))\n  return %r : " + C + "\n}";
}

std::string convolution(const std::string &op, const std::string &image, const std::string &filter,
                        const std::string &out) {
  const std::string I = "tensor<" + image + ">", F = "tensor<" + filter + ">",
                    O = "tensor<" + out + ">";
  return "func.func @forward(%a: " + I + ", %b: " + F + ", %c: " + O + ") -> " + O +
         " {\n  %r = linalg." + op + " ins(%a, %b : " + I + ", " + F + ") outs(%c : " + O +
         ") -> " + O + " loc(\"mine\"(\"layer\"(\"model.py\":7:1)))\n  return %r : " + O + "\n}";
}

// Of one image that each run brings with the filter, from nothing.
std::string convolution_of(const std::string &image, const std::string &filter,
                           const std::string &out) {
  const std::string I = "tensor<1x" + image + "xf32>", F = "tensor<" + filter + "xf32>",
                    O = "tensor<1x" + out + "xf32>";
  return "func.func @forward(%a: " + I + ", %b: " + F + ") -> " + O +
         " {\n  %zero = arith.constant 0.0 : f32\n  %empty = tensor.empty() : " + O +
         "\n  %c = linalg.fill ins(%zero : f32) outs(%empty : " + O + ") -> " + O +
         "\n  %r = linalg.conv_2d_nchw_fchw ins(%a, %b : " + I + ", " + F + ") outs(%c : " + O +
         ") -> " + O + " loc(\"mine\"(\"layer\"(\"model.py\":7:1)))\n  return %r : " + O + "\n}";
}

TEST(Choice, EachIsToldWithItsReason) {
  const struct {
    std::string text, kernel, why;
    bool is_slow;
  } cases[] = {
      {product("64", "64", "64", "f32", "f32"), "product", "few enough weights or rows", false},
      {product("64", "512", "512", "f32", "f32"), "product", "few enough weights or rows", false},
      {product("128", "512", "512", "f32", "f32"), "product", "weights are not constant", true},
      {product("64", "?", "?", "f32", "f32"), "contraction", "symbolic sizes", true},
      {product("64", "64", "64", "f16", "f16"), "contraction", "no tiles of one shape", true},
      {product("2", "8", "8", "f32", "f32"), "", "too small", false},
      {product("64", "64", "64", "i64", "i64"), "", "elements that no kernel", true},
      {convolution("conv_2d_nchw_fchw", "1x8x16x16xf32", "8x8x3x3xf32", "1x8x14x14xf32"), "image",
       "packed in each run", false},
      {convolution_of("8x16x16", "8x8x3x3", "8x14x14"), "image", "packed in each run", false},
      {convolution_of("8x3x3", "8x8x3x3", "8x1x1"), "image", "packed in each run", false},
      {R"(func.func @forward(%a: tensor<1x8x16x16xf32>)
           -> tensor<1x8x14x14xf32> {
         %zero = arith.constant 0.0 : f32
         %empty = tensor.empty() : tensor<1x8x14x14xf32>
         %c = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x8x14x14xf32>)
             -> tensor<1x8x14x14xf32>
         %b = arith.constant dense<0.5> : tensor<8x8x3x3xf32>
         %r = linalg.conv_2d_nchw_fchw
             ins(%a, %b : tensor<1x8x16x16xf32>, tensor<8x8x3x3xf32>)
             outs(%c : tensor<1x8x14x14xf32>) -> tensor<1x8x14x14xf32>
             loc("mine"("layer"("model.py":7:1)))
         return %r : tensor<1x8x14x14xf32>
       })",
       "image", "constant weights", false},
      {convolution("conv_2d_nchw_fchw", "?x?x?x?xf32", "8x?x3x3xf32", "?x8x?x?xf32"), "convolution",
       "symbolic channels", true},
      {convolution("conv_2d_nchw_fchw", "1x8x16x16xi64", "8x8x3x3xi64", "1x8x14x14xi64"), "",
       "elements that no kernel", true},
      {convolution("conv_2d_nchw_fchw", "1x1x16x16xf32", "2x1x1x1xf32", "1x2x16x16xf32"), "",
       "few filters", true},
      {convolution("depthwise_conv_2d_nchw_chw", "1x8x16x16xf32", "8x3x3xf32", "1x8x14x14xf32"),
       "image", "packed in each run", false},
      {convolution("depthwise_conv_2d_nchw_chw", "?x8x?x?xf32", "8x3x3xf32", "?x8x?x?xf32"),
       "image", "packed in each run", false},
      {convolution("depthwise_conv_2d_nchw_chw", "1x3x16x16xf32", "3x3x3xf32", "1x3x14x14xf32"), "",
       "few filters", true},
      {convolution("depthwise_conv_1d_nwc_wc", "1x16x8xf32", "3x8xf32", "1x14x8xf32"), "",
       "a layout that no kernel reads", true},
  };
  for (const auto &c : cases) {
    const std::vector<Told> all = told(c.text);
    ASSERT_EQ(all.size(), 1u) << c.text;
    EXPECT_EQ(all[0].op, c.text.find("conv_") == std::string::npos ? "product" : "convolution");
    EXPECT_EQ(all[0].nodes, "mine") << c.text;
    EXPECT_EQ(all[0].kernel, c.kernel) << c.text;
    EXPECT_NE(all[0].why.find(c.why), std::string::npos) << all[0].why << "\n" << c.text;
    EXPECT_EQ(all[0].is_slow, c.is_slow) << c.text;
  }
}

}  // namespace
