// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reshapes of weights cut before they join; powers of two by integers.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/weights.h"
#include "sdk/lower/module.h"
}

namespace {

// How many operations of that name are left of a module whose one input is of that kind.
size_t count(const std::string &text, const char *name,
             buddy_input_kind kind = BUDDY_INPUT_PARAMETER) {
  Diags diags;
  buddy_module *module = nullptr;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  if (module == nullptr) return 0;
  bd_input input = {};
  input.port.kind = kind;
  bd_signature signature = {};
  signature.inputs = &input;
  signature.n_inputs = 1;
  const MlirOperation root = mlirModuleGetOperation(module->module);
  EXPECT_EQ(bd_weights_cut_first(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)),
                                 &signature),
            BUDDY_OK);
  EXPECT_EQ(bd_weights_write_powers(root), BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root));
  EXPECT_EQ(bd_ops_collect(&ops, root, name), BUDDY_OK);
  const size_t n = ops.n;
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return n;
}

// %w reshaped by way of one dim.
std::string reshape(const std::string &from, const std::string &to, const std::string &all,
                    const std::string &dims, const std::string &first, const std::string &then) {
  const auto type = [](const std::string &sizes) { return "tensor<" + sizes + "xf32>"; };
  return "func.func @forward(%w: " + type(from) + ") -> " + type(to) +
         " {\n  %a = tensor.collapse_shape %w " + first + " : " + type(from) + " into " +
         type(all) + "\n  %b = tensor.expand_shape %a " + then + " output_shape " + dims + " : " +
         type(all) + " into " + type(to) + "\n  return %b : " + type(to) + "\n}\n";
}

// Where the dims nest, nothing is joined first; the one of all elements is erased by others.
TEST(Weights, AreCutFirst) {
  const std::string blocks = reshape("6x8", "12x4", "48", "[12, 4]", "[[0, 1]]", "[[0, 1]]");
  EXPECT_EQ(count(blocks, "tensor.collapse_shape"), 2u);
  EXPECT_EQ(count(blocks, "tensor.expand_shape"), 1u);
  const std::string scales = reshape("6x2", "12x1", "12", "[12, 1]", "[[0, 1]]", "[[0, 1]]");
  EXPECT_EQ(count(scales, "tensor.collapse_shape"), 2u);
  const std::string three =
      reshape("6x8x5", "2x24x5", "240", "[2, 24, 5]", "[[0, 1, 2]]", "[[0, 1, 2]]");
  EXPECT_EQ(count(three, "tensor.collapse_shape"), 2u);
}

TEST(Weights, AreLeftWhereDimsDoNotNestOrInputsChange) {
  const std::string other = reshape("6x4", "8x3", "24", "[8, 3]", "[[0, 1]]", "[[0, 1]]");
  EXPECT_EQ(count(other, "tensor.collapse_shape"), 1u);
  const std::string blocks = reshape("6x8", "12x4", "48", "[12, 4]", "[[0, 1]]", "[[0, 1]]");
  EXPECT_EQ(count(blocks, "tensor.collapse_shape", BUDDY_INPUT_USER), 1u);
}

// What is written in parts joins no loop before it: cut first, it would keep those after it apart.
TEST(Weights, AreLeftWhereTheyAreWrittenInParts) {
  const std::string half = " [6, 8, 1] [1, 1, 1] : tensor<6x8xf32> into tensor<6x8x2xf32>\n";
  EXPECT_EQ(count("func.func @forward(%w: tensor<6x8xf32>) -> tensor<6x4x4xf32> {\n"
                  "  %e = tensor.empty() : tensor<6x8x2xf32>\n"
                  "  %low = tensor.insert_slice %w into %e[0, 0, 0]" +
                      half + "  %both = tensor.insert_slice %w into %low[0, 0, 1]" + half +
                      "  %a = tensor.collapse_shape %both [[0], [1, 2]] : tensor<6x8x2xf32> into "
                      "tensor<6x16xf32>\n"
                      "  %b = tensor.expand_shape %a [[0], [1, 2]] output_shape [6, 4, 4] : "
                      "tensor<6x16xf32> into tensor<6x4x4xf32>\n"
                      "  return %b : tensor<6x4x4xf32>\n}\n",
                  "tensor.collapse_shape"),
            1u);
}

std::string power(const std::string &base, const std::string &integer, const std::string &real) {
  return "func.func @forward(%i: " + integer + ") -> " + real + " {\n  %two = arith.constant " +
         base + " : " + real + "\n  %f = arith.sitofp %i : " + integer + " to " + real +
         "\n  %p = math.powf %two, %f : " + real + "\n  return %p : " + real + "\n}\n";
}

TEST(Weights, PowersOfTwoAreWrittenByIntegers) {
  EXPECT_EQ(count(power("2.0", "i16", "f32"), "math.powf"), 0u);
  EXPECT_EQ(count(power("2.0", "i8", "f32"), "math.powf"), 0u);
  EXPECT_EQ(count(power("3.0", "i16", "f32"), "math.powf"), 1u);
  EXPECT_EQ(count(power("2.0", "i32", "f32"), "math.powf"), 1u) << "beyond what halves hold";
  EXPECT_EQ(count(power("2.0", "i16", "f64"), "math.powf"), 1u);
}

}  // namespace
