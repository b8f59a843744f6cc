// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which values are the same in every run: everything that is kept asks this.
#include <gtest/gtest.h>

#include <string>

#include "buddy/lower.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/constancy.h"
#include "sdk/lower/module.h"
}

namespace {

constexpr char kBegin[] =
    "#id = affine_map<(i) -> (i)>\n"
    "memref.global \"private\" constant @table : memref<64xf32> = dense<1.0>\n"
    "func.func @forward(%w: memref<64xf32>, %x: memref<64xf32>, %n: memref<64xi64>, %v: "
    "memref<5x8xf32>, %d: memref<?xf32>) {\n"
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %c5 = arith.constant 5 : index\n  %yes = arith.constant true\n";

constexpr char kFunctions[] =
    "func.func private @sink(memref<64xf32>)\n"
    "func.func private @number() -> f32\n"
    "func.func private @erf(f64) -> f64\n"
    "func.func private @twice(%a: f32) -> f32 {\n  %b = arith.addf %a, %a : f32\n"
    "  return %b : f32\n}\n"
    "func.func private @noisy(%a: f32) -> f32 {\n  %b = call @number() : () -> f32\n"
    "  return %b : f32\n}\n"
    "func.func private @reader(%a: memref<64xf32>) -> f32 {\n  %i = arith.constant 0 : index\n"
    "  %b = memref.load %a[%i] : memref<64xf32>\n  return %b : f32\n}\n"
    "func.func private @writer(%a: memref<64xf32>) {\n  %i = arith.constant 0 : index\n"
    "  %b = memref.load %a[%i] : memref<64xf32>\n"
    "  memref.store %b, %a[%i] : memref<64xf32>\n  return\n}\n";

// Of the inputs %w, %n and %v are constant.
class Asked {
 public:
  explicit Asked(const std::string &body, const std::string &globals = "") {
    const std::string text = globals + kBegin + body + "  return\n}\n" + kFunctions;
    EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags_, &module_), BUDDY_OK)
        << diags_.text();
    root_ = mlirModuleGetOperation(module_->module);
    MlirOperation entry = mlirBlockGetFirstOperation(mlirModuleGetBody(module_->module));
    while (!bd_op_is(entry, "func.func")) entry = mlirOperationGetNextInBlock(entry);
    keeping_.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
    keeping_.is_constant = is_constant_;
    keeping_.n_arguments = sizeof(is_constant_);
  }
  ~Asked() { buddy_module_destroy(module_); }
  Asked(const Asked &) = delete;
  Asked &operator=(const Asked &) = delete;

  // The operation with the attribute `ask`.
  MlirOperation asked() const {
    bd_ops ops = {nullptr, 0, 0};
    MlirOperation found = {nullptr};
    EXPECT_EQ(bd_ops_collect(&ops, root_, ""), BUDDY_OK);
    for (size_t i = 0; i < ops.n; i++) {
      if (bd_op_attribute(ops.items[i], "ask").ptr != nullptr) found = ops.items[i];
    }
    bd_ops_deinit(&ops);
    EXPECT_NE(found.ptr, nullptr);
    return found;
  }
  bool result() const { return bd_is_steady(&keeping_, mlirOperationGetResult(asked(), 0)); }
  bool loop() const { return bd_op_is_steady(&keeping_, asked(), 1); }
  bool is_only_read() const { return bd_is_only_read(mlirBlockGetArgument(keeping_.entry, 0)); }
  MlirOperation root() const { return root_; }
  void keep_nothing() { keeping_.entry = {nullptr}; }
  void have_variables() { keeping_.has_variables = true; }

 private:
  Diags diags_;
  buddy_module *module_ = nullptr;
  MlirOperation root_ = {nullptr};
  char is_constant_[5] = {1, 0, 1, 1, 0};
  bd_prepacking keeping_ = {};
};

bool IsSteady(const std::string &body) { return Asked(body).result(); }

TEST(Constancy, OfViews) {
  const char *part =
      "  %p = memref.subview %v[%i, 0] [1, 8] [1, 1] {ask} : memref<5x8xf32> to "
      "memref<1x8xf32, strided<[8, 1], offset: ?>>\n";
  const std::string of_number =
      "  %j = memref.load %n[%c1] : memref<64xi64>\n  %i = arith.index_cast %j : i64 to index\n";
  const std::string of_input =
      "  %f = memref.load %x[%c1] : memref<64xf32>\n  %j = arith.fptosi %f : f32 to i64\n"
      "  %i = arith.index_cast %j : i64 to index\n";
  EXPECT_TRUE(IsSteady("  %q = memref.cast %w {ask} : memref<64xf32> to memref<?xf32>\n"));
  EXPECT_FALSE(IsSteady("  %q = memref.cast %x {ask} : memref<64xf32> to memref<?xf32>\n"));
  EXPECT_TRUE(IsSteady(of_number + part));
  EXPECT_FALSE(IsSteady(of_input + part));
  EXPECT_FALSE(IsSteady("  %i = memref.dim %d, %c0 : memref<?xf32>\n" + std::string(part)));
}

// The part that a loop takes of a weight is another in each round.
TEST(Constancy, OfPartsInLoops) {
  EXPECT_FALSE(
      IsSteady("  scf.for %i = %c0 to %c5 step %c1 {\n"
               "  %p = memref.subview %v[%i, 0] [1, 8] [1, 1] {ask} : memref<5x8xf32> to "
               "memref<1x8xf32, strided<[8, 1], offset: ?>>\n  }\n"));
  EXPECT_TRUE(
      IsSteady("  scf.for %i = %c0 to %c5 step %c1 {\n"
               "  %p = memref.subview %v[1, 0] [1, 8] [1, 1] {ask} : memref<5x8xf32> to "
               "memref<1x8xf32, strided<[8, 1], offset: 8>>\n  }\n"));
}

TEST(Constancy, OfWhatControlFlowChooses) {
  EXPECT_FALSE(
      IsSteady("  %q = scf.if %yes -> memref<64xf32> {\n    scf.yield %w : "
               "memref<64xf32>\n  } else {\n    scf.yield %w : memref<64xf32>\n  } {ask}\n"));
  EXPECT_TRUE(IsSteady("  %q = arith.select %yes, %w, %w {ask} : memref<64xf32>\n"));
  EXPECT_FALSE(IsSteady("  %q = arith.select %yes, %w, %x {ask} : memref<64xf32>\n"));
}

TEST(Constancy, OfCallsAndGlobals) {
  const char *global = "  %q = memref.get_global @table : memref<64xf32> {ask}\n";
  EXPECT_FALSE(IsSteady("  %q = func.call @number() {ask} : () -> f32\n"));
  EXPECT_FALSE(IsSteady("  %q = memref.alloc() {ask} : memref<64xf32>\n"));
  EXPECT_TRUE(IsSteady(global));
  Asked with_variables(global);
  with_variables.have_variables();
  EXPECT_FALSE(with_variables.result());
  Asked nothing(global);
  nothing.keep_nothing();
  EXPECT_FALSE(nothing.result());
}

// Marks are the compiler's own.
TEST(Constancy, OfMarks) {
  Asked marked("  %q = memref.alloc() {ask, buddy.once} : memref<64xf32>\n");
  bd_steady_unmark_all(marked.root());
  EXPECT_FALSE(marked.result());
  bd_steady_mark(marked.asked());
  EXPECT_TRUE(marked.result());
}

// A loop over %w whose body does `body` with the element %p, and yields %r.
bool IsLoopSteady(const std::string &body, const std::string &before = "") {
  return Asked(before +
               "  %b = memref.alloc() : memref<64xf32>\n"
               "  linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} "
               "ins(%w : memref<64xf32>) outs(%b : memref<64xf32>) attrs = {ask} {\n"
               "  ^bb0(%p: f32, %o: f32):\n" +
               body + "    linalg.yield %r : f32\n  }\n")
      .loop();
}

TEST(Constancy, OfWhatRegionsCapture) {
  const char *gather =
      "    %i = linalg.index 0 : index\n    %r = memref.load %%[%i] : "
      "memref<64xf32>\n";
  const auto from = [&](const std::string &name) {
    std::string text = gather;
    return text.replace(text.find("%%"), 2, "%" + name);
  };
  EXPECT_TRUE(IsLoopSteady(from("w")));
  EXPECT_FALSE(IsLoopSteady(from("x")));
  EXPECT_FALSE(
      IsLoopSteady("    %s = memref.cast %x : memref<64xf32> to memref<?xf32>\n"
                   "    %i = linalg.index 0 : index\n"
                   "    %r = memref.load %s[%i] : memref<?xf32>\n"));
  EXPECT_FALSE(IsLoopSteady("    %r = arith.mulf %p, %s : f32\n",
                            "  %s = memref.load %x[%c0] : memref<64xf32>\n"));
  EXPECT_TRUE(IsLoopSteady("    %r = arith.mulf %p, %s : f32\n",
                           "  %s = memref.load %w[%c0] : memref<64xf32>\n"));
  EXPECT_FALSE(IsLoopSteady("    %r = arith.mulf %p, %s : f32\n",
                            "  %s = func.call @number() : () -> f32\n"));
}

// As deep as it may be.
TEST(Constancy, OfRegionsInRegions) {
  const char *choice =
      "    %t = arith.cmpf olt, %p, %p : f32\n    %r = scf.if %t -> f32 {\n"
      "      %s = memref.load %%[%c1] : memref<64xf32>\n"
      "      scf.yield %s : f32\n    } else {\n      scf.yield %p : f32\n    }\n";
  for (const char *name : {"w", "x"}) {
    std::string text = choice;
    EXPECT_EQ(IsLoopSteady(text.replace(text.find("%%"), 2, std::string("%") + name)),
              name[0] == 'w');
  }
  EXPECT_FALSE(
      IsLoopSteady("    memref.store %p, %x[%c1] : memref<64xf32>\n"
                   "    %r = arith.addf %p, %p : f32\n"));
}

// What a function of the module does is seen; a registry's says by the attribute that it is one.
TEST(Constancy, OfCallsInRegions) {
  EXPECT_TRUE(IsLoopSteady("    %r = func.call @twice(%p) : (f32) -> f32\n"));
  EXPECT_FALSE(IsLoopSteady("    %r = func.call @noisy(%p) : (f32) -> f32\n"));
  EXPECT_FALSE(IsLoopSteady("    %r = func.call @number() : () -> f32\n"));
  const std::string begin = "    %e = arith.extf %p : f32 to f64\n    %f = func.call @erf(%e) ",
                    end = ": (f64) -> f64\n    %r = arith.truncf %f : f64 to f32\n";
  EXPECT_FALSE(IsLoopSteady(begin + end));
  EXPECT_TRUE(IsLoopSteady(begin + "{buddy.inputs = 0 : i64} " + end));
  EXPECT_FALSE(IsLoopSteady(begin + "{buddy.inputs = 0 : i64, buddy.effects = 1 : i64} " + end));
}

// What a program writes to in its code is no constant, whatever the signature says.
TEST(Constancy, OfWhatIsWritten) {
  const char *reads[] = {
      "",
      "  %q = memref.load %w[%c0] : memref<64xf32>\n",
      "  memref.copy %w, %x : memref<64xf32> to memref<64xf32>\n",
      "  linalg.exp ins(%w : memref<64xf32>) outs(%x : memref<64xf32>)\n",
      "  %q = func.call @reader(%w) : (memref<64xf32>) -> f32\n",
      "  func.call @sink(%w) {buddy.inputs = 1 : i64} : (memref<64xf32>) -> ()\n",
      ("  %q = scf.if %yes -> memref<64xf32> {\n    scf.yield %w : memref<64xf32>\n  } else {\n"
       "    scf.yield %x : memref<64xf32>\n  }\n"
       "  linalg.exp ins(%q : memref<64xf32>) outs(%x : memref<64xf32>)\n"),
      "  %q = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %w) -> memref<64xf32> {\n"
      "    scf.yield %k : memref<64xf32>\n  }\n"};
  const char *writes[] = {
      "  memref.copy %x, %w : memref<64xf32> to memref<64xf32>\n",
      "  linalg.exp ins(%x : memref<64xf32>) outs(%w : memref<64xf32>)\n",
      "  %q = memref.subview %w[3] [8] [2] : memref<64xf32> to memref<8xf32, strided<[2], offset: "
      "3>>\n  %k = arith.constant 1.0 : f32\n"
      "  linalg.fill ins(%k : f32) outs(%q : memref<8xf32, strided<[2], offset: 3>>)\n",
      "  %q = memref.reinterpret_cast %w to offset: [0], sizes: [8, 8], strides: [8, 1] : "
      "memref<64xf32> to memref<8x8xf32>\n  %k = arith.constant 1.0 : f32\n"
      "  memref.store %k, %q[%c1, %c1] : memref<8x8xf32>\n",
      "  func.call @writer(%w) : (memref<64xf32>) -> ()\n",
      "  func.call @sink(%w) : (memref<64xf32>) -> ()\n",
      "  %q = scf.if %yes -> memref<64xf32> {\n    scf.yield %w : memref<64xf32>\n  } else {\n"
      "    scf.yield %x : memref<64xf32>\n  }\n"
      "  linalg.exp ins(%x : memref<64xf32>) outs(%q : memref<64xf32>)\n",
      "  %q = scf.for %i = %c0 to %c5 step %c1 iter_args(%k = %w) -> memref<64xf32> {\n"
      "    linalg.exp ins(%x : memref<64xf32>) outs(%k : memref<64xf32>)\n"
      "    scf.yield %k : memref<64xf32>\n  }\n"};
  for (const char *text : reads) EXPECT_TRUE(Asked(text).is_only_read()) << text;
  for (const char *text : writes) EXPECT_FALSE(Asked(text).is_only_read()) << text;
}

}  // namespace
