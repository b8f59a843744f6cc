// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of which only a run knows how many rows there are: which of them have loops of their
// shape, that panels of constants are kept for many rows and not for few, and which tiles there are.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/product.h"
#include "sdk/lower/module.h"
#include "sdk/runtime/prepacked.h"
}

namespace {

struct Case {
  std::string rows = "?", element = "f32", batch, strides;
  bool is_constant = true;
};

Case but(void (*change)(Case *)) {
  Case c;
  change(&c);
  return c;
}

// %b, 48 columns of 64, multiplied from the left by rows, in batches of %b's own if there are any.
std::string text_of(const Case &of) {
  const std::string a = "memref<" + of.batch + of.rows + "x64x" + of.element + ">";
  const std::string b = "memref<" + of.batch + "48x64x" + of.element + of.strides + ">";
  const std::string c = "memref<" + of.batch + of.rows + "x48x" + of.element + ">";
  const std::string batch = of.batch.empty() ? "" : "b, ";
  const std::string map = "affine_map<(" + batch + "m, n, k) -> (" + batch;
  return "func.func @forward(%b: " + b + ", %a: " + a + ", %c: " + c +
         ") {\n  linalg.contract indexing_maps = [" + map + "m, k)>, " + map + "n, k)>, " + map +
         "m, n)>] ins(%a, %b : " + a + ", " + b + ") outs(%c : " + c + ")\n  return\n}\n";
}

// The text of its kernel; empty if it has none of its shape. tiles: how many functions it calls.
std::string find(const Case &of, size_t *tiles = nullptr) {
  Diags diags;
  std::string found;
  buddy_module *module = nullptr;
  const std::string text = text_of(of);
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return found;
  char is_constant[3] = {of.is_constant, 0, 0};
  bd_prepacking prepacking = {};
  prepacking.machine = &fake_machine;
  prepacking.entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), 0));
  prepacking.is_constant = is_constant;
  prepacking.n_arguments = sizeof(is_constant);
  bd_ops ops = {nullptr, 0, 0};
  bd_contraction c;
  bd_product s;
  bd_callees callees;
  bd_kernels kernels;
  EXPECT_EQ(bd_ops_collect_outermost(&ops, mlirModuleGetOperation(module->module), "linalg."),
            BUDDY_OK);
  if (ops.n == 1 && bd_contraction_read(ops.items[0], &c) && bd_product_read(&c, &prepacking, &s)) {
    bd_text kernel = {};
    EXPECT_EQ(bd_product_find_callees(&c, &s, &prepacking, &kernels, &callees), BUDDY_OK);
    bd_product_write_kernel(&kernel, &c, &s, &callees, &kernels);
    EXPECT_FALSE(kernel.code);
    found = mlir_of(&kernel);
    if (tiles != nullptr) *tiles = kernels.texts.size();
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Product, KeepsPanelsForManyRows) {
  const std::string kernel = find({});
  const size_t many = kernel.find("} else {"), kept = kernel.find("call @" BD_RUNTIME_PACK "(");
  ASSERT_NE(many, std::string::npos);
  ASSERT_NE(kept, std::string::npos);
  EXPECT_LT(many, kept); /* a program of few rows keeps nothing */
  EXPECT_LT(kernel.find("call @near_dots("), many);
  EXPECT_TRUE(has(kernel, "call @gemm_pack_b("));
  EXPECT_TRUE(has(kernel, "memref<2x64x32xf32>")); /* 48 columns: two panels of 32 */
  EXPECT_TRUE(has(kernel, "%height = "));
  EXPECT_TRUE(has(find(but([](Case *c) { c->element = "f64"; })), "memref<3x64x16xf64>"));
}

TEST(Product, HasTilesForWhatIsLeftOfRows) {
  size_t of_any = 0, of_known = 0;
  find({}, &of_any);
  find(but([](Case *c) { c->rows = "28"; }), &of_known);
  EXPECT_EQ(of_known, 2u);    /* 14 rows, of whole panels and of the last one */
  EXPECT_EQ(of_any, 2u * 4u); /* 14, 12, 10 and 8 */
}

TEST(Product, TakesAnyNumberOfRowsAsOfKnownOnes) {
  EXPECT_FALSE(has(find(but([](Case *c) { c->rows = "40"; })), "} else {"));
  EXPECT_FALSE(has(find(but([](Case *c) { c->is_constant = false; })), BD_RUNTIME_PACK));
  EXPECT_TRUE(has(find(but([](Case *c) { c->batch = "3x"; })), "%height = "));
  EXPECT_TRUE(has(find(but([](Case *c) { c->batch = "?x"; })), "%height = "));
  EXPECT_EQ(find(but([](Case *c) { c->element = "bf16"; })), ""); /* no words on this processor */
  EXPECT_EQ(find(but([](Case *c) { c->strides = ", strided<[?, 1]>"; })), "");
}

struct Sizes {
  int64_t n, k;
  bool has_dense_rows;
};

// A row added to the product of so many rows, or of "?", with %b, whose rows or columns lie dense.
std::string program_of(const std::string &rows, const Sizes &c) {
  const std::string K = std::to_string(c.k), N = std::to_string(c.n);
  const std::string x = "tensor<" + rows + "x" + K + "xf32>",
                    y = "tensor<" + rows + "x" + N + "xf32>";
  const std::string b = "tensor<" + (c.has_dense_rows ? K + "x" + N : N + "x" + K) + "xf32>";
  return "func.func @forward(%a: " + x + ", %b: " + b + ", %row: tensor<" + N + "xf32>) -> " + y +
         " {\n  %c0 = arith.constant 0 : index\n  %m = tensor.dim %a, %c0 : " + x +
         "\n  %e = tensor.empty(" + (rows == "?" ? "%m" : "") + ") : " + y +
         "\n  %f = linalg.broadcast ins(%row : tensor<" + N + "xf32>) outs(%e : " + y +
         ") dimensions = [0]\n  %y = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, "
         "k)>, affine_map<(m, n, k) -> " +
         (c.has_dense_rows ? "(k, n)" : "(n, k)") +
         ">, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : " + x + ", " + b + ") outs(%f : " + y +
         ") -> " + y + "\n  return %y : " + y + "\n}\n";
}

void multiply(Program &program, int64_t rows, const Sizes &c) {
  SCOPED_TRACE(std::to_string(rows) + " " + std::to_string(c.n) + " " + std::to_string(c.k));
  const int64_t sizes[] = {c.has_dense_rows ? c.k : c.n, c.has_dense_rows ? c.n : c.k};
  const Tensor a = Tensor::random(BUDDY_F32, {rows, c.k}, 1),
               b = Tensor::random(BUDDY_F32, {sizes[0], sizes[1]}, 2),
               row = Tensor::random(BUDDY_F32, {c.n}, 3);
  const auto out = program.run({&a, &b, &row});
  ASSERT_EQ(out.size(), 1u);
  for (int64_t i = 0; i < rows * c.n; i++) {
    const int64_t m = i / c.n, n = i % c.n;
    double sum = row.as<float>()[n], size = 0;
    for (int64_t k = 0; k < c.k; k++) {
      const double x = a.as<float>()[m * c.k + k],
                   y = b.as<float>()[c.has_dense_rows ? k * c.n + n : n * c.k + k];
      sum += x * y;
      size += std::abs(x * y);
    }
    ASSERT_NEAR(out[0].as<float>()[i], sum, 1e-6 * (1 + size)) << m << " " << n;
  }
}

// Numbers of rows that fill tiles of each height, and one more and one less; several blocks of rows.
TEST(Product, MultipliesAnyNumberOfRows) {
  for (const Sizes &c : {Sizes{40, 64, true},
                         {300, 520, true},
                         {300, 520, false},
                         {33, 1500, false},
                         {530, 900, true}}) {
    Program program(program_of("?", c));
    for (const int64_t rows : {9, 0, 1, 8, 10, 13, 14, 15, 17, 24, 29, 40, 64, 65, 129, 300, 15})
      multiply(program, rows, c);
  }
}

// What is no constant is read in place for few rows, panels as wide as these leave room for.
TEST(Product, MultipliesKnownNumbersOfRows) {
  for (const Sizes &c : {Sizes{41, 64, true}, {300, 521, true}, {70, 1500, true}}) {
    for (const int64_t rows : {1, 2, 3, 5, 7, 9, 14, 15, 28, 29, 64, 65}) {
      Program program(program_of(std::to_string(rows), c));
      multiply(program, rows, c);
    }
  }
}

}  // namespace
