// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of words: which contractions are taken for them, on which processors, and by which
// instruction.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/product.h"
#include "sdk/lower/module.h"
}

namespace {

// The kernel of %b, whose columns lie dense or whose rows do, multiplied from the left by 20 rows.
struct Case {
  int k = 64;
  bool has_dense_rows = false, has_words = true, is_constant = true;
  std::string element = "bf16", sum = "f32";
};

Case but(void (*change)(Case *)) {
  Case c;
  change(&c);
  return c;
}

struct Found {
  bool is_shaped = false, has_pairs = false, has_dots_of_pairs = false;
  std::string kernel, tiles, packing;
};

std::string text_of(const Case &of) {
  const std::string k = std::to_string(of.k);
  const std::string a = "memref<20x" + k + "x" + of.element + ">";
  const std::string b =
      "memref<" + (of.has_dense_rows ? k + "x48x" : "48x" + k + "x") + of.element + ">";
  const std::string c = "memref<20x48x" + of.sum + ">";
  const std::string map_of_b = of.has_dense_rows ? "(k, n)" : "(n, k)";
  return "func.func @forward(%b: " + b + ", %a: " + a + ", %c: " + c +
         ") {\n  linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
         "affine_map<(m, n, k) -> " +
         map_of_b + ">, affine_map<(m, n, k) -> (m, n)>] ins(%a, %b : " + a + ", " + b +
         ") outs(%c : " + c + ")\n  return\n}\n";
}

void read(MlirOperation op, bd_prepacking *prepacking, Found *out) {
  bd_contraction c;
  bd_product s;
  bd_kernels kernels;
  bd_callees of;
  ASSERT_TRUE(bd_contraction_read(op, &c));
  out->has_dots_of_pairs = bd_gemm_packs_bf16(&c, prepacking);
  out->is_shaped = bd_product_read(&c, prepacking, &s);
  if (!out->is_shaped) return;
  out->has_pairs = s.p.words == bd_dot_packing_of(BD_PACKED_BF16);
  EXPECT_EQ(bd_product_find_callees(&c, &s, prepacking, &kernels, &of), BUDDY_OK);
  out->packing = of.pack;
  bd_text text = {};
  bd_product_write_kernel(&text, &c, &s, &of, &kernels);
  ASSERT_FALSE(text.code);
  out->kernel = mlir_of(&text);
  for (const std::string &tile : kernels.texts) out->tiles += tile;
}

Found find(const Case &of) {
  Diags diags;
  Found found;
  buddy_module *module = nullptr;
  const std::string text = text_of(of);
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return found;
  char is_constant[3] = {of.is_constant, 0, 0};
  bd_prepacking prepacking = {};
  prepacking.entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), 0));
  prepacking.is_constant = is_constant;
  prepacking.n_arguments = sizeof(is_constant);
  const bd_machine machine = bd_machine_of(of.has_words ? "avx512f,avx512bf16" : "avx512f", 0);
  prepacking.machine = &machine;
  bd_ops ops = {nullptr, 0, 0};
  EXPECT_EQ(bd_ops_collect_outermost(&ops, mlirModuleGetOperation(module->module), "linalg."),
            BUDDY_OK);
  EXPECT_EQ(ops.n, 1u);
  if (ops.n == 1) read(ops.items[0], &prepacking, &found);
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Words, PairsAreMultipliedByOneInstruction) {
  const Found found = find({});
  ASSERT_TRUE(found.is_shaped);
  EXPECT_TRUE(found.has_pairs);
  EXPECT_TRUE(has(found.tiles, "llvm.x86.avx512bf16.dpbf16ps.512"));
  EXPECT_FALSE(has(found.tiles, "vector.fma"));
  EXPECT_TRUE(has(found.kernel, "%a_at = arith.divui %at0, %a_at.1 : index"));  // in words
}

TEST(Words, ColumnsAreWordsAlreadyAndRowsArePaired) {
  const Found columns = find({}), rows = find(but([](Case *c) { c->has_dense_rows = true; }));
  EXPECT_EQ(columns.packing, "gemm");
  EXPECT_TRUE(has(columns.kernel, "%b_k = arith.constant 32 "));
  EXPECT_TRUE(has(columns.kernel, "%b_of_n = arith.constant 32 "));
  EXPECT_TRUE(has(columns.kernel, "%any_b = memref.reinterpret_cast %b_words "));
  EXPECT_EQ(rows.packing, "pairs");
  EXPECT_TRUE(has(rows.kernel, "%b_k = arith.constant 64 "));
  EXPECT_TRUE(has(rows.kernel, "%b_of_n = arith.constant 1 "));
  EXPECT_TRUE(has(rows.kernel, "memref<bf16> to memref<?x?xbf16, strided<[?, ?], offset: ?>>"));
}

TEST(Words, WhatIsNotConstantIsPackedInEachRun) {
  const Found columns = find(but([](Case *c) { c->is_constant = false; }));
  ASSERT_TRUE(columns.is_shaped);
  EXPECT_TRUE(columns.has_pairs);
  EXPECT_FALSE(has(columns.kernel, "%slot"));
  EXPECT_TRUE(has(columns.kernel, "%b_words_at"));  // in words
  EXPECT_TRUE(has(columns.tiles, "llvm.x86.avx512bf16.dpbf16ps.512"));
}

TEST(Words, OtherProductsAreLeft) {
  EXPECT_FALSE(
      find(but([](Case *c) { c->has_words = false; })).is_shaped);  // the processor lacks it
  EXPECT_FALSE(find(but([](Case *c) { c->k = 63; })).is_shaped);    // half a word would be left
  EXPECT_FALSE(find(but([](Case *c) { c->sum = "bf16"; })).is_shaped);
  EXPECT_FALSE(find(but([](Case *c) { c->element = "f16"; })).is_shaped);
}

// Any number of elements: what is left of the last vector is filled up.
TEST(Words, FewRowsAreMultipliedInPairsToo) {
  EXPECT_TRUE(find({}).has_dots_of_pairs);
  EXPECT_TRUE(find(but([](Case *c) { c->k = 63; })).has_dots_of_pairs);
  EXPECT_FALSE(find(but([](Case *c) { c->has_words = false; })).has_dots_of_pairs);
  EXPECT_FALSE(find(but([](Case *c) { c->is_constant = false; })).has_dots_of_pairs);
  EXPECT_FALSE(find(but([](Case *c) { c->sum = "bf16"; })).has_dots_of_pairs);
  EXPECT_FALSE(find(but([](Case *c) { c->element = "f32"; })).has_dots_of_pairs);
}

TEST(Words, FloatsAreMultipliedOneByOne) {
  const Found found = find(but([](Case *c) { c->element = "f32"; }));
  ASSERT_TRUE(found.is_shaped);
  EXPECT_FALSE(found.has_pairs);
  EXPECT_TRUE(has(found.tiles, "vector.fma"));
  EXPECT_FALSE(has(found.tiles, "dpbf16ps"));
}

}  // namespace
