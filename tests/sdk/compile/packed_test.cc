// Products with constants whose panels are kept although only a run knows how many rows there are:
// which these are, and that few rows keep nothing.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/kernels/packed.h"
#include "sdk/lower/module.h"
#include "sdk/runtime/kept.h"
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

// The text of its panels; empty if none are kept.
std::string find(const Case &of) {
  Diags diags;
  std::string found;
  buddy_module *module = nullptr;
  const std::string text = text_of(of);
  EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags, &module), BUDDY_OK)
      << diags.text() << text;
  if (module == nullptr) return found;
  char is_constant[3] = {of.is_constant, 0, 0};
  bd_keeping keeping = {};
  keeping.entry = mlirRegionGetFirstBlock(
      mlirOperationGetRegion(mlirBlockGetFirstOperation(mlirModuleGetBody(module->module)), 0));
  keeping.is_constant = is_constant;
  keeping.n_arguments = sizeof(is_constant);
  bd_ops ops = {nullptr, 0, 0};
  bd_contraction c;
  EXPECT_EQ(bd_ops_collect_outermost(&ops, mlirModuleGetOperation(module->module), "linalg."),
            BUDDY_OK);
  if (ops.n == 1 && bd_contraction_read(ops.items[0], &c) && bd_packed_is_for(&c, &keeping)) {
    bd_text panels = {nullptr, 0, 0, 0};
    bd_packed_write_panels(&panels, &c, "gemm");
    EXPECT_FALSE(panels.is_lost);
    found = panels.data;
    bd_text_deinit(&panels);
  }
  bd_ops_deinit(&ops);
  buddy_module_destroy(module);
  return found;
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Packed, KeepsPanelsForSymbolicRows) {
  const std::string panels = find({});
  EXPECT_TRUE(has(panels, "call @" BD_RUNTIME_PACK "("));
  EXPECT_TRUE(has(panels, "call @gemm_pack_b("));
  EXPECT_TRUE(has(panels, "memref<2x64x32xf32>")); /* 48 columns: two panels of 32 */
  EXPECT_TRUE(has(find(but([](Case *c) { c->element = "f64"; })), "memref<3x64x16xf64>"));
}

TEST(Packed, LeavesOtherProducts) {
  EXPECT_EQ(find(but([](Case *c) { c->rows = "40"; })), ""); /* loops of its shape are better */
  EXPECT_EQ(find(but([](Case *c) { c->is_constant = false; })), "");
  EXPECT_EQ(find(but([](Case *c) { c->element = "bf16"; })), ""); /* panels would be of f32 */
  EXPECT_EQ(find(but([](Case *c) { c->batch = "3x"; })), "");
  EXPECT_EQ(find(but([](Case *c) { c->strides = ", strided<[?, 1]>"; })), "");
}

}  // namespace
