// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What depends on constants alone is computed in the first run: which buffers that holds for.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "buddy/lower.h"
#include "tests/sdk/compile/fake_kernels.h"
#include "tests/sdk/compile/harness.h"

extern "C" {
#include "sdk/compile/rewrite/calls.h"
#include "sdk/compile/rewrite/hoist.h"
#include "sdk/lower/module.h"
}

namespace {

constexpr char kMaps[] =
    "#id = affine_map<(i, j) -> (i, j)>\n"
    "#row = affine_map<(i, j) -> (i)>\n";

// The sum of the rows of %w, 64 by 64, in %b; then a reader of %b, which writes to %out.
// between: what stands before the reader.
std::string module_of(const std::string &source, const std::string &between = "") {
  return std::string(kMaps) +
         "func.func @forward(%w: memref<64x64xf32>, %x: memref<64x64xf32>, %out: memref<64xf32>) "
         "{\n"
         "  %zero = arith.constant 0.0 : f32\n"
         "  %b = memref.alloc() : memref<64xf32>\n"
         "  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)\n"
         "  linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", "
         "\"reduction\"]} ins(" +
         source +
         " : memref<64x64xf32>) outs(%b : memref<64xf32>) {\n"
         "  ^bb0(%p: f32, %q: f32):\n    %r = arith.addf %p, %q : f32\n    linalg.yield %r : f32\n "
         " "
         "}\n" +
         between +
         "  linalg.exp ins(%b : memref<64xf32>) outs(%out : memref<64xf32>)\n"
         "  return\n}\nfunc.func private @other(memref<?xf32>)\n";
}

// A module, of whose inputs the first is constant.
class Once {
 public:
  explicit Once(const std::string &text, int n_constants = 1) {
    for (int i = 0; i < n_constants; i++) is_constant_[i] = 1;
    EXPECT_EQ(buddy_module_parse({text.data(), text.size()}, diags_, &module_), BUDDY_OK)
        << diags_.text();
    root_ = mlirModuleGetOperation(module_->module);
    const MlirOperation entry = mlirBlockGetFirstOperation(mlirModuleGetBody(module_->module));
    keeping_.entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(entry, 0));
    keeping_.is_constant = is_constant_;
    keeping_.n_arguments = sizeof(is_constant_);
  }
  ~Once() {
    keeping_.is_constant = nullptr;
    bd_prepacking_deinit(&keeping_);
    buddy_module_destroy(module_);
  }
  Once(const Once &) = delete;
  Once &operator=(const Once &) = delete;

  void compute() { ASSERT_EQ(bd_constants_hoist(root_, &keeping_), BUDDY_OK); }
  void keep() { ASSERT_EQ(bd_calls_keep(root_, &kernels_, &keeping_), BUDDY_OK); }
  size_t count(const char *name) const {
    bd_ops ops = {nullptr, 0, 0};
    EXPECT_EQ(bd_ops_collect(&ops, root_, name), BUDDY_OK);
    const size_t n = ops.n;
    bd_ops_deinit(&ops);
    return n;
  }
  // What the one scf.if holds, but for its end.
  std::vector<std::string> guarded() const {
    bd_ops ops = {nullptr, 0, 0};
    std::vector<std::string> names;
    EXPECT_EQ(bd_ops_collect(&ops, root_, "scf.if"), BUDDY_OK);
    EXPECT_EQ(ops.n, 1u);
    if (ops.n == 1) {
      MlirOperation op = mlirBlockGetFirstOperation(
          mlirRegionGetFirstBlock(mlirOperationGetRegion(ops.items[0], 0)));
      for (; op.ptr != nullptr; op = mlirOperationGetNextInBlock(op)) {
        const MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
        names.emplace_back(name.data, name.length);
      }
    }
    bd_ops_deinit(&ops);
    return names;
  }
  int64_t n_slots() const { return keeping_.n_slots; }

 private:
  Diags diags_;
  buddy_module *module_ = nullptr;
  bd_kernels kernels_;
  MlirOperation root_ = {nullptr};
  char is_constant_[3] = {1, 0, 0};
  bd_prepacking keeping_ = {};
};

TEST(Hoist, KeepsWhatComesOfConstants) {
  Once once(module_of("%w"));
  once.compute();
  EXPECT_EQ(once.n_slots(), 1);
  EXPECT_EQ(once.count("memref.alloc"), 0u);
  EXPECT_EQ(once.guarded(),
            (std::vector<std::string>{"linalg.fill", "linalg.generic", "func.call", "scf.yield"}));
  EXPECT_EQ(once.count("linalg.exp"), 1u); /* the reader stays outside, on what is kept */
}

TEST(Hoist, LeavesWhatComesOfInputs) {
  Once once(module_of("%x"));
  once.compute();
  EXPECT_EQ(once.n_slots(), 0);
  EXPECT_EQ(once.count("memref.alloc"), 1u);
  EXPECT_EQ(once.count("scf.if"), 0u);
}

// A second writer that reads no constant, one after a reader, or a call that may do anything.
TEST(Hoist, LeavesWhatIsWrittenOtherwise) {
  for (const char *between : {"  linalg.exp ins(%out : memref<64xf32>) outs(%b : memref<64xf32>)\n",
                              "  linalg.exp ins(%b : memref<64xf32>) outs(%out : memref<64xf32>)\n"
                              "  linalg.fill ins(%zero : f32) outs(%b : memref<64xf32>)\n",
                              "  %c = memref.cast %b : memref<64xf32> to memref<?xf32>\n"
                              "  func.call @other(%c) : (memref<?xf32>) -> ()\n"}) {
    Once once(module_of("%w", between));
    once.compute();
    EXPECT_EQ(once.n_slots(), 0) << between;
    EXPECT_EQ(once.count("scf.if"), 0u) << between;
  }
}

// A gather reads what its body captures: by constant indices out of an input, that is another in
// each run. Of 64 numbers 64 are made, few enough to be kept.
TEST(Hoist, LooksAtWhatBodiesCapture) {
  for (const std::string from : {"%w", "%x"}) {
    Once once(
        "#id = affine_map<(i) -> (i)>\n"
        "func.func @forward(%w: memref<64xi64>, %x: memref<64xi64>, %out: memref<64xi64>) {\n"
        "  %b = memref.alloc() : memref<64xi64>\n"
        "  linalg.generic {indexing_maps = [#id, #id], iterator_types = [\"parallel\"]} ins(%w : "
        "memref<64xi64>) outs(%b : memref<64xi64>) {\n  ^bb0(%p: i64, %q: i64):\n"
        "    %i = arith.index_cast %p : i64 to index\n    %r = memref.load " +
        from +
        "[%i] : memref<64xi64>\n    linalg.yield %r : i64\n  }\n"
        "  linalg.copy ins(%b : memref<64xi64>) outs(%out : memref<64xi64>)\n  return\n}\n");
    once.compute();
    EXPECT_EQ(once.n_slots(), from == "%w" ? 1 : 0) << from;
  }
}

// What a body loads counts as read, of a constant or of what is kept: filters are turned round so.
// A matrix of 64 by 64 is turned into one, and that into another; but not 64 numbers into one.
TEST(Hoist, CountsWhatBodiesLoad) {
  for (const int from : {64, 1}) {
    const std::string rows = std::to_string(from);
    const auto turned = [](const char *source, const char *to, const std::string &n) {
      return std::string("  %") + to + " = memref.alloc() : memref<64x64xf32>\n" +
             "  linalg.generic {indexing_maps = [#id], iterator_types = [\"parallel\", "
             "\"parallel\"]} outs(%" +
             to +
             " : memref<64x64xf32>) {\n  ^bb0(%q: f32):\n"
             "    %j = linalg.index 1 : index\n    %c0 = arith.constant 0 : index\n"
             "    %r = memref.load %" +
             source + "[%c0, %j] : memref<" + n +
             "x64xf32>\n"
             "    linalg.yield %r : f32\n  }\n";
    };
    Once once(std::string(kMaps) + "func.func @forward(%w: memref<" + rows +
              "x64xf32>, %x: memref<64xf32>, %out: memref<64x64xf32>) {\n" +
              turned("w", "b", rows) + turned("b", "d", "64") +
              "  linalg.exp ins(%d : memref<64x64xf32>) outs(%out : memref<64x64xf32>)\n"
              "  return\n}\n");
    once.compute();
    EXPECT_EQ(once.n_slots(), from == 64 ? 2 : 0) << from;
  }
}

// A call that says that it only reads.
TEST(Hoist, IsReadByCalls) {
  Once once(module_of("%w",
                      "  %c = memref.cast %b : memref<64xf32> to memref<?xf32>\n"
                      "  func.call @other(%c) {buddy.inputs = 1 : i64} : (memref<?xf32>) -> ()\n"));
  once.compute();
  EXPECT_EQ(once.n_slots(), 1);
}

// A call with a weight, which it makes something of: how many slots it gets.
int64_t SlotsOf(const std::string &weight, const std::string &attributes) {
  Once once(
      "func.func @forward(%w: memref<64xf32>, %x: memref<64xf32>, %out: memref<64xf32>) {\n"
      "  %zero = arith.constant 0 : i64\n"
      "  %c = memref.cast " +
      weight +
      " : memref<64xf32> to memref<*xf32>\n"
      "  func.call @product(%x, %c, %out, %zero, %zero) {" +
      attributes +
      "} : (memref<64xf32>, memref<*xf32>, memref<64xf32>, i64, i64) -> ()\n  return\n}\n"
      "func.func private @product(memref<64xf32>, memref<*xf32>, memref<64xf32>, i64, i64)\n");
  once.keep();
  // The number of the slot, and the call that gives the keeper.
  EXPECT_EQ(once.count("arith.constant"), once.n_slots() > 0 ? 2u : 1u);
  EXPECT_EQ(once.count("func.call"), once.n_slots() > 0 ? 2u : 1u);
  return once.n_slots();
}

TEST(Calls, KeepWhatTheyMakeOfConstants) {
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 2 : i64, buddy.keeps = 2 : i64"), 1);
}

TEST(Calls, KeepNothingOfWhatMayChange) {
  EXPECT_EQ(SlotsOf("%x", "buddy.inputs = 2 : i64, buddy.keeps = 2 : i64"), 0);
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 2 : i64, buddy.keeps = 3 : i64"), 0);
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 1 : i64, buddy.keeps = 2 : i64"), 0);
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 2 : i64"), 0);
}

// Attributes may come from any text.
TEST(Calls, DoNotTrustSets) {
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 5 : i64, buddy.keeps = 8 : i64"), 0);
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = 5 : i64, buddy.keeps = -1 : i64"), 0);
  EXPECT_EQ(SlotsOf("%w", "buddy.inputs = \"2\", buddy.keeps = 2 : i8"), 0);
}

// Of 64 numbers 4096 are made: rather that each time than 16 KiB more to keep.
TEST(Hoist, LeavesWhatIsLargerThanWhatItComesOf) {
  const char *large =
      "func.func @forward(%w: memref<64xf32>, %x: memref<64xf32>, %out: memref<64x64xf32>) {\n"
      "  %b = memref.alloc() : memref<64x64xf32>\n"
      "  linalg.broadcast ins(%w : memref<64xf32>) outs(%b : memref<64x64xf32>) dimensions = [1]\n"
      "  linalg.exp ins(%b : memref<64x64xf32>) outs(%out : memref<64x64xf32>)\n  return\n}\n";
  Once once(large);
  once.compute();
  EXPECT_EQ(once.n_slots(), 0);
}

// What is computed once is as good as a constant for what is after it.
TEST(Hoist, GoesOnFromWhatIsKept) {
  Once once(module_of("%w",
                      "  %d = memref.alloc() : memref<64xf32>\n"
                      "  linalg.exp ins(%b : memref<64xf32>) outs(%d : memref<64xf32>)\n"
                      "  linalg.exp ins(%d : memref<64xf32>) outs(%out : memref<64xf32>)\n"));
  once.compute();
  EXPECT_EQ(once.n_slots(), 2);
  EXPECT_EQ(once.count("memref.alloc"), 0u);
  EXPECT_EQ(once.count("scf.if"), 2u);
}

// Two that do the same to the same constants are one, if the first is filled before the second is read.
TEST(Hoist, ComputesTheSameOnce) {
  const auto second = [](const std::string &of, const std::string &op) {
    return "  %d = memref.alloc() : memref<64xf32>\n"
           "  linalg.fill ins(%zero : f32) outs(%d : memref<64xf32>)\n"
           "  linalg.generic {indexing_maps = [#id, #row], iterator_types = [\"parallel\", "
           "\"reduction\"]} ins(" +
           of +
           " : memref<64x64xf32>) outs(%d : memref<64xf32>) {\n"
           "  ^bb0(%p: f32, %q: f32):\n    %r = " +
           op +
           " : f32\n    linalg.yield %r : f32\n  }\n"
           "  linalg.exp ins(%d : memref<64xf32>) outs(%out : memref<64xf32>)\n";
  };
  const struct {
    std::string of, op;
    int n;
  } cases[] = {{"%w", "arith.addf %p, %q", 1},
               {"%w", "arith.addf %q, %p", 2},
               {"%w", "arith.mulf %p, %q", 2},
               {"%v", "arith.addf %p, %q", 2}};
  for (const auto &c : cases) {
    std::string text = module_of("%w", second(c.of, c.op));
    text.replace(text.find("%x: memref"), 10, "%v: memref");
    Once once(text, 2);
    once.compute();
    EXPECT_EQ(once.n_slots(), c.n) << c.of << c.op;
    EXPECT_EQ(once.count("scf.if"), size_t(c.n)) << c.of << c.op;
    EXPECT_EQ(once.count("memref.alloc"), 0u);
  }
}

TEST(Hoist, ReadsNothingThatIsNotFilledYet) {
  const std::string fill = "  linalg.exp ins(%w : memref<64x64xf32>) outs(%",
                    read = " : memref<64x64xf32>) outs(%out : memref<64x64xf32>)\n";
  Once once(
      "func.func @forward(%w: memref<64x64xf32>, %x: memref<64x64xf32>, %out: memref<64x64xf32>) "
      "{\n"
      "  %b = memref.alloc() : memref<64x64xf32>\n"
      "  %d = memref.alloc() : memref<64x64xf32>\n" +
      fill + "d : memref<64x64xf32>)\n  linalg.abs ins(%d" + read + fill +
      "b : memref<64x64xf32>)\n  linalg.abs ins(%b" + read + "  return\n}\n");
  once.compute();
  EXPECT_EQ(once.n_slots(), 2);
}

// A product of constants, also where it is larger than they are: to make it again costs more than to read it.
TEST(Hoist, KeepsProducts) {
  for (const std::string from : {"%w", "%x"}) {
    Once once(
        "func.func @forward(%w: memref<300x2xf32>, %x: memref<300x2xf32>, %out: "
        "memref<300x300xf32>) {\n"
        "  %zero = arith.constant 0.0 : f32\n"
        "  %b = memref.alloc() : memref<300x300xf32>\n"
        "  linalg.fill ins(%zero : f32) outs(%b : memref<300x300xf32>)\n"
        "  linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, "
        "affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>] ins(%w, " +
        from +
        " : memref<300x2xf32>, memref<300x2xf32>) outs(%b : memref<300x300xf32>)\n"
        "  linalg.exp ins(%b : memref<300x300xf32>) outs(%out : memref<300x300xf32>)\n"
        "  return\n}\n");
    once.compute();
    EXPECT_EQ(once.n_slots(), from == "%w" ? 1 : 0) << from;
    if (from == "%w") {
      EXPECT_EQ(once.guarded(), (std::vector<std::string>{"linalg.fill", "linalg.matmul",
                                                          "func.call", "scf.yield"}));
    }
  }
}

}  // namespace
