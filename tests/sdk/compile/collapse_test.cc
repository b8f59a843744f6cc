// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbouring loops become one, and what they write over stays one value.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/collapse.h"
#include "sdk/lower/module.h"
}

namespace {

// A loop over %a and %b, both of `type`, that writes to %OUT.
class Loop {
 public:
  Loop(const std::string &type, const std::string &out, const std::string &body = "") {
    const std::string text =
        "#row = affine_map<(d0, d1) -> (d0, d1)>\n"
        "func.func @forward(%a: " +
        type + ", %b: " + type +
        ") {\n"
        "  linalg.generic {indexing_maps = [#row, #row, #row], iterator_types = [\"parallel\", "
        "\"parallel\"]} ins(%a, %b : " +
        type + ", " + type + ") outs(%" + out + " : " + type +
        ") {\n"
        "  ^bb0(%x: f32, %y: f32, %z: f32):\n    %s = arith.addf %x, %y : f32\n" +
        body + "    linalg.yield %s : f32\n  }\n  return\n}\n";
    EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags_, &module_), BUDDY_OK)
        << diags_.text();
    bd_ops ops = {nullptr, 0, 0};
    EXPECT_EQ(bd_ops_collect(&ops, mlirModuleGetOperation(module_->module), "linalg.generic"),
              BUDDY_OK);
    op = ops.items[0];
    bd_ops_deinit(&ops);
    EXPECT_TRUE(bd_structured_read(op, &s));
    EXPECT_EQ(bd_loops_collapse(&s), BUDDY_OK);
    EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module_->module)));
  }
  ~Loop() { buddy_module_destroy(module_); }
  bool is_same(int i, int k) const {
    return mlirValueEqual(mlirOperationGetOperand(op, i), mlirOperationGetOperand(op, k));
  }
  MlirOperation op;
  bd_structured s;

 private:
  Diags diags_;
  buddy_module *module_ = nullptr;
};

TEST(Collapse, WhatIsWrittenOverStaysOneValue) {
  for (const char *type : {"memref<?x97xf32>", "memref<7x7xf32>", "memref<?x?xf32>"}) {
    const Loop over_a(type, "a"), over_b(type, "b");
    EXPECT_EQ(over_a.s.n_loops, 1) << type;
    EXPECT_TRUE(over_a.is_same(0, 2)) << type;
    EXPECT_FALSE(over_a.is_same(0, 1)) << type;
    EXPECT_TRUE(over_b.is_same(1, 2)) << type;
    EXPECT_FALSE(over_b.is_same(0, 2)) << type;
  }
}

TEST(Collapse, LongLinesOfWholeVectorsStay) {
  EXPECT_EQ(Loop("memref<?x128xf32>", "a").s.n_loops, 2);
  EXPECT_EQ(Loop("memref<?x96xf32>", "a").s.n_loops, 1);
  EXPECT_EQ(Loop("memref<8x97xf32, strided<[128, 1]>>", "a").s.n_loops, 2);  // gaps
}

TEST(Collapse, LoopsThatAskWhereTheyAreStay) {
  EXPECT_EQ(Loop("memref<?x97xf32>", "a", "    %i = linalg.index 0 : index\n").s.n_loops, 2);
}

}  // namespace
