// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic on constants that loops over more than these repeat is done once: which, and that numbers
// stay as they were.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"
#include "tests/sdk/compile/weighted.h"

extern "C" {
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/compile/rewrite/factors.h"
#include "sdk/compile/structured.h"
}

namespace {

// ---- Which ----

// y = body(x, a, b, u, v): a and b are constant numbers of channels, u is one of an input; v, constant,
// has a number for each place.
std::string module_of(const std::string &body) {
  return "#id = affine_map<(n, c, p) -> (n, c, p)>\n#c = affine_map<(n, c, p) -> (c)>\n"
         "#p = affine_map<(n, c, p) -> (p)>\n"
         "func.func @forward(%a: memref<5xf32>, %b: memref<5xf32>, %v: memref<9xf32>, "
         "%x: memref<4x5x9xf32>, %u: memref<5xf32>, %y: memref<4x5x9xf32>) {\n"
         "  %two = arith.constant 2.0 : f32\n"
         "  linalg.generic {indexing_maps = [#id, #c, #c, #c, #p, #id], iterator_types = "
         "[\"parallel\", \"parallel\", \"parallel\"]} ins(%x, %a, %b, %u, %v : "
         "memref<4x5x9xf32>, memref<5xf32>, memref<5xf32>, memref<5xf32>, memref<9xf32>) "
         "outs(%y : memref<4x5x9xf32>) {\n"
         "  ^bb0(%xi: f32, %ai: f32, %bi: f32, %ui: f32, %vi: f32, %yi: f32):\n" +
         body + "    linalg.yield %r : f32\n  }\n  return\n}\n";
}

// How many loops there are after it, and operands of the last.
struct Found {
  size_t n_loops = 0;
  int n_operands = 0;
  bool operator==(const Found &o) const {
    return n_loops == o.n_loops && n_operands == o.n_operands;
  }
};
std::ostream &operator<<(std::ostream &out, const Found &f) {
  return out << f.n_loops << " loops, " << f.n_operands << " operands";
}

// n_constant: of the arguments, from the first on; 0: functions of others.
Found separate(const std::string &text, int n_constant = 3) {
  Diags diags;
  buddy_module *module = nullptr;
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text();
  const MlirOperation root = mlirModuleGetOperation(module->module);
  const MlirOperation entry = mlirBlockGetFirstOperation(mlirModuleGetBody(module->module));
  char is_constant[6] = {};
  for (int i = 0; i < n_constant; i++) is_constant[i] = 1;
  bd_prepacking prepacking = {};
  prepacking.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
  prepacking.is_constant = is_constant;
  prepacking.n_arguments = sizeof(is_constant);
  bool has_any = false;
  EXPECT_EQ(n_constant > 0 ? bd_factors_separate(root, &prepacking, &has_any)
                           : bd_factors_separate_costly(root, &prepacking),
            BUDDY_OK);
  EXPECT_TRUE(mlirOperationVerify(root)) << text;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(bd_ops_collect(&ops, root, "linalg.generic"), BUDDY_OK);
  EXPECT_EQ(has_any, n_constant > 0 && ops.n > 1);
  const Found found = {ops.n, static_cast<int>(mlirOperationGetNumOperands(ops.items[ops.n - 1]))};
  for (size_t i = 0; n_constant > 0 && i + 1 < ops.n; i++)
    EXPECT_TRUE(bd_op_is_steady(&prepacking, ops.items[i], 1)) << text;
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

TEST(Factors, AreArithmeticOnConstants) {
  // x * a + (2 - a * b): the sum in brackets in place of b; what no longer is asked for goes.
  EXPECT_EQ(separate(module_of("    %p = arith.mulf %ai, %bi : f32\n"
                               "    %q = arith.subf %two, %p : f32\n"
                               "    %s = arith.mulf %xi, %ai : f32\n"
                               "    %r = arith.addf %s, %q : f32\n")),
            (Found{2, 5}));
  // Two of one kind, of which one is made of the other; and one of another kind.
  EXPECT_EQ(separate(module_of("    %p = arith.mulf %ai, %bi : f32\n"
                               "    %q = math.exp %p : f32\n"
                               "    %o = math.exp %vi : f32\n"
                               "    %s = arith.mulf %xi, %p : f32\n"
                               "    %t = arith.mulf %s, %q : f32\n"
                               "    %r = arith.addf %t, %o : f32\n")),
            (Found{4, 6}));
}

// Of numbers that are no constants: functions and divisions of what lies along the fastest loop.
TEST(Factors, AreFunctionsOfOtherNumbers) {
  const auto n_loops = [](const std::string &body, const char *where) {
    const std::string text =
        "#id = affine_map<(n, p, c) -> (n, p, c)>\n#u = affine_map<(n, p, c) -> " +
        std::string(where) +
        ">\nfunc.func @forward(%x: memref<4x16x5xf32>, %u: memref<4x5xf32>, %y: "
        "memref<4x16x5xf32>) {\n"
        "  linalg.generic {indexing_maps = [#id, #u, #id], iterator_types = [\"parallel\", "
        "\"parallel\", \"parallel\"]} ins(%x, %u : memref<4x16x5xf32>, memref<4x5xf32>) outs(%y : "
        "memref<4x16x5xf32>) {\n  ^bb0(%xi: f32, %ui: f32, %yi: f32):\n    " +
        body + "\n    %r = arith.mulf %xi, %p : f32\n    linalg.yield %r : f32\n  }\n  return\n}\n";
    return separate(text, 0).n_loops;
  };
  const std::string exp = "%p = math.exp %ui : f32";
  EXPECT_EQ(n_loops(exp, "(n, c)"), 2u);
  EXPECT_EQ(n_loops("%q = math.exp %ui : f32\n    %p = arith.addf %q, %ui : f32", "(n, c)"), 2u);
  EXPECT_EQ(n_loops("%p = arith.divf %ui, %ui : f32", "(n, c)"), 2u);
  EXPECT_EQ(n_loops("%p = arith.addf %ui, %ui : f32", "(n, c)"), 1u);  // costs less than to read it
  EXPECT_EQ(n_loops("%p = arith.divf %ui, %xi : f32", "(n, c)"), 1u);  // another for each element
  EXPECT_EQ(n_loops(exp, "(n, 0)"), 1u);  // the same in the whole of a row
}

TEST(Factors, AreNotMadeOfOthers) {
  for (const char *body :
       {"    %p = arith.mulf %ai, %ui : f32\n    %r = arith.mulf %p, %xi : f32\n",
        "    %p = arith.mulf %ai, %vi : f32\n    %r = arith.mulf %p, %xi : f32\n",
        "    %p = arith.mulf %xi, %ai : f32\n    %r = arith.addf %p, %bi : f32\n",
        "    %p = arith.mulf %two, %two : f32\n    %r = arith.mulf %p, %xi : f32\n"})
    EXPECT_EQ(separate(module_of(body)), (Found{1, 6})) << body;
}

// It is done once as a whole, or where a product needs its numbers (dequantized/dequantized.h).
TEST(Factors, OfLoopsOverConstantsAloneStay) {
  const std::string text = module_of(
      "    %p = arith.mulf %ai, %bi : f32\n"
      "    %r = arith.mulf %xi, %p : f32\n");
  EXPECT_EQ(separate(text, 3), (Found{2, 4}));
  EXPECT_EQ(separate(text, 5), (Found{1, 6}));
}

// What follows one convolution is done with its filter; of two, the sums of each channel of both.
TEST(Factors, OfOneConvolutionStay) {
  for (const bool has_two : {false, true}) {
    const std::string conv =
        "  linalg.conv_2d_nhwc_fhwc ins(%x, %w : memref<1x9x9x4xf32>, "
        "memref<8x3x3x4xf32>) outs(%c : memref<1x7x7x8xf32>)\n";
    const std::string second = has_two ? "    %q = arith.mulf %bi, %bi : f32\n"
                                         "    %v = arith.addf %t, %q : f32\n"
                                         "    %y = arith.mulf %v, %bi : f32\n"
                                       : "    %y = arith.addf %t, %bi : f32\n";
    EXPECT_EQ(separate("#id = affine_map<(n, h, w, f) -> (n, h, w, f)>\n"
                       "#f = affine_map<(n, h, w, f) -> (f)>\n"
                       "func.func @forward(%w: memref<8x3x3x4xf32>, %a: memref<8xf32>, "
                       "%b: memref<8xf32>, %x: memref<1x9x9x4xf32>, %u: memref<8xf32>, "
                       "%o: memref<1x7x7x8xf32>) {\n"
                       "  %c = memref.alloc() : memref<1x7x7x8xf32>\n" +
                       conv +
                       "  linalg.generic {indexing_maps = [#id, #f, #f, #id], iterator_types = "
                       "[\"parallel\", \"parallel\", \"parallel\", \"parallel\"]} ins(%c, %a, %b : "
                       "memref<1x7x7x8xf32>, memref<8xf32>, memref<8xf32>) outs(%o : "
                       "memref<1x7x7x8xf32>) {\n  ^bb0(%p: f32, %ai: f32, %bi: f32, %old: f32):\n"
                       "    %n = arith.mulf %ai, %bi : f32\n    %s = arith.mulf %p, %ai : f32\n"
                       "    %t = arith.subf %s, %n : f32\n" +
                       second + "    linalg.yield %y : f32\n  }\n  return\n}\n"),
              (has_two ? Found{3, 6} : Found{1, 4}));
  }
}

// ---- Numbers ----

std::string type_of(const std::vector<int64_t> &sizes) {
  std::string text = "tensor<";
  for (const int64_t n : sizes) text += (n < 0 ? "?" : std::to_string(n)) + "x";
  return text + "f32>";
}

// y = x * a + (b - m * a) + x * (1 + d): the four of each channel are rows of a parameter. is_any:
// sizes of x are symbolic, but for the channels.
std::string program_of(std::vector<int64_t> sizes, bool is_any) {
  const std::string c = std::to_string(sizes[1]);
  if (is_any) sizes[0] = sizes[2] = -1;
  const std::string whole = type_of(sizes), row = "tensor<" + c + "xf32>";
  std::string text = "func.func @forward(%x: " + whole + ", %w: tensor<4x" + c + "xf32>) -> " +
                     whole + " {\n  %one = arith.constant 1.0 : f32\n";
  for (int i = 0; i < 4; i++)
    text += "  %w" + std::to_string(i) + " = tensor.extract_slice %w[" + std::to_string(i) +
            ", 0] [1, " + c + "] [1, 1] : tensor<4x" + c + "xf32> to " + row + "\n";
  text +=
      "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n"
      "  %n0 = tensor.dim %x, %c0 : " +
      whole + "\n  %n2 = tensor.dim %x, %c2 : " + whole + "\n  %e = tensor.empty(" +
      (is_any ? "%n0, %n2" : "") + ") : " + whole +
      "\n"
      "  %y = linalg.generic {indexing_maps = [affine_map<(n, c, p) -> (n, c, p)>";
  for (int i = 0; i < 4; i++) text += ", affine_map<(n, c, p) -> (c)>";
  text +=
      ", affine_map<(n, c, p) -> (n, c, p)>], iterator_types = [\"parallel\", \"parallel\", "
      "\"parallel\"]} ins(%x, %w0, %w1, %w2, %w3 : " +
      whole;
  for (int i = 0; i < 4; i++) text += ", " + row;
  return text + ") outs(%e : " + whole +
         ") {\n"
         "  ^bb0(%xi: f32, %a: f32, %b: f32, %m: f32, %d: f32, %old: f32):\n"
         "    %0 = arith.mulf %m, %a : f32\n    %1 = arith.subf %b, %0 : f32\n"
         "    %2 = arith.mulf %xi, %a : f32\n    %3 = arith.addf %2, %1 : f32\n"
         "    %4 = arith.addf %one, %d : f32\n    %5 = arith.mulf %xi, %4 : f32\n"
         "    %6 = arith.addf %3, %5 : f32\n    linalg.yield %6 : f32\n  } -> " +
         whole + "\n  return %y : " + whole + "\n}\n";
}

TEST(Factors, KeepNumbers) {
  for (const int64_t n : {0, 1, 2})
    for (const int64_t c : {1, 3, 17})
      for (const int64_t p : {0, 1, 7, 64})
        for (const bool is_any : {false, true}) {
          const Tensor x = Tensor::random(BUDDY_F32, {n, c, p}, 1),
                       w = Tensor::random(BUDDY_F32, {4, c}, 2);
          const Tensor like(BUDDY_F32, {n, c, p});
          for (const Tensor &y : run_weighted(program_of({n, c, p}, is_any), x, w, like)) {
            for (int64_t i = 0; i < n * c * p; i++) {
              const float *row = w.as<float>() + i / p % c;
              const double xi = x.as<float>()[i], a = row[0], b = row[c], m = row[2 * c],
                           d = row[3 * c];
              EXPECT_NEAR(y.as<float>()[i], xi * a + (b - m * a) + xi * (1 + d), 1e-5)
                  << n << " " << c << " " << p << " " << is_any;
            }
          }
        }
}

}  // namespace
