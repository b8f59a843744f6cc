// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A module falls into parts that can be translated by themselves, the same ones each time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Dialect/LLVM.h"

extern "C" {
#include "sdk/compile/code/parts.h"
}

namespace {

// A function of n additions, and what else is put into it.
std::string function(const std::string &name, int n, const std::string &more = "") {
  std::string text =
      "llvm.func @" + name + "(%x: i64) attributes {sym_visibility = \"private\"} {\n";
  text += more;
  for (int i = 0; i < n; i++) text += "  %s" + std::to_string(i) + " = llvm.add %x, %x : i64\n";
  return text + "  llvm.return\n}\n";
}

std::string call(const std::string &name) {
  return "  llvm.call @" + name + "(%x) : (i64) -> ()\n";
}

class Split {
 public:
  Split(const std::string &text, size_t most, bool (*stays)(void *, const char *) = nullptr) {
    mlirDialectHandleRegisterDialect(mlirGetDialectHandle__llvm__(), context_);
    mlirContextSetAllowUnregisteredDialects(context_, true); /* attributes of our own */
    module_ = mlirModuleCreateParse(context_, mlirStringRefCreate(text.data(), text.size()));
    EXPECT_NE(module_.ptr, nullptr);
    EXPECT_EQ(bd_parts_split(module_, most, stays, nullptr, &parts), BUDDY_OK);
    for (size_t i = 0; i < parts.n; i++)
      EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(parts.items[i])));
  }
  ~Split() {
    bd_parts_deinit(&parts);
    mlirModuleDestroy(module_);
    mlirContextDestroy(context_);
  }
  Split(const Split &) = delete;
  Split &operator=(const Split &) = delete;

  // "name" of what part i defines, "-name" of what it declares.
  std::vector<std::string> names(size_t i) const {
    std::vector<std::string> all;
    MlirOperation op = mlirBlockGetFirstOperation(mlirModuleGetBody(parts.items[i]));
    for (; op.ptr != nullptr; op = mlirOperationGetNextInBlock(op)) {
      const MlirStringRef name = mlirStringAttrGetValue(
          mlirOperationGetAttributeByName(op, mlirStringRefCreateFromCString("sym_name")));
      const bool has_body = mlirOperationGetNumRegions(op) == 0 ||
                            mlirRegionGetFirstBlock(mlirOperationGetRegion(op, 0)).ptr != nullptr;
      all.push_back((has_body ? "" : "-") + std::string(name.data, name.length));
    }
    return all;
  }
  // The part that defines it.
  size_t where(const std::string &name) const {
    for (size_t i = 0; i < parts.n; i++) {
      for (const std::string &n : names(i)) {
        if (n == name) return i;
      }
    }
    return BD_MAX_PARTS;
  }

  bd_parts parts = {};

 private:
  MlirContext context_ = mlirContextCreate();
  MlirModule module_ = {};
};

using Names = std::vector<std::string>;

const std::string kEntry =
    "llvm.func @forward(%x: i64) {\n" + call("buddy.a") + call("buddy.b") + "  llvm.return\n}\n";

TEST(Parts, ASmallModuleStaysWhole) {
  const Split split(kEntry + function("buddy.a", 10) + function("buddy.b", 10), BD_MAX_PARTS);
  ASSERT_EQ(split.parts.n, 1u);
  EXPECT_EQ(split.names(0), (Names{"forward", "buddy.a", "buddy.b"}));
  EXPECT_TRUE(split.parts.is_cold[0]);
}

TEST(Parts, OneIsOneWhateverTheSize) {
  const Split split(kEntry + function("buddy.a", 9000) + function("buddy.b", 9000), 1);
  EXPECT_EQ(split.parts.n, 1u);
}

TEST(Parts, KernelsGoAndAreDeclaredWhereTheyAreCalled) {
  const Split split(kEntry + function("buddy.a", 4500) +
                        function("buddy.b", 5000, call("buddy.a") + call("outside")) +
                        "llvm.func @outside(i64)\n",
                    BD_MAX_PARTS);
  ASSERT_EQ(split.parts.n, 2u);
  EXPECT_EQ(split.names(0), (Names{"forward", "buddy.a", "-outside", "-buddy.b"}));
  EXPECT_EQ(split.names(1), (Names{"buddy.b", "-buddy.a", "-outside"}));
}

TEST(Parts, WhatNeedsTheModuleStaysInIt) {
  const std::string data = "llvm.mlir.global private constant @data(1 : i64) : i64\n";
  const Split split(
      kEntry + data + function("small", 1) + "llvm.func @registry(i64)\n" +
          function("buddy.a", 5000, "  %p = llvm.mlir.addressof @data : !llvm.ptr\n") +
          function("buddy.b", 5000, call("small")) + function("buddy.c", 5000, call("registry")) +
          function("buddy.d", 5000),
      BD_MAX_PARTS, [](void *, const char *name) { return std::string(name) == "registry"; });
  ASSERT_EQ(split.parts.n, 5u);
  EXPECT_EQ(split.where("buddy.a"), 0u);
  EXPECT_EQ(split.where("buddy.b"), 0u);
  EXPECT_EQ(split.where("buddy.c"), 0u);
  EXPECT_EQ(split.where("buddy.d"), 1u);
}

// Blocks that go round, with an operation in the loop and one behind it.
std::string loop(const std::string &name, const std::string &inside, const std::string &behind) {
  return "llvm.func @" + name + "(%x: i64) {\n  %p = llvm.mlir.zero : !llvm.ptr\n" +
         "  %f = llvm.mlir.undef : f32\n  %one = llvm.mlir.constant(1 : i64) : i64\n  llvm.br "
         "^head(%one : i64)\n" +
         "^head(%i: i64):\n  %go = llvm.icmp \"slt\" %i, %x : i64\n" +
         "  llvm.cond_br %go, ^body, ^end\n^body:\n" + inside +
         "  %n = llvm.add %i, %one : i64\n  llvm.br ^head(%n : i64)\n^end:\n" + behind +
         "  llvm.return\n}\n";
}

const std::string kLoad = "  %l = llvm.load %p : !llvm.ptr -> i64\n";
const std::string kAddFloats = "  %s = llvm.fadd %f, %f : f32\n";
const std::string kAddVectors =
    "  %v = llvm.mlir.undef : vector<4xi32>\n  %s = llvm.add %v, %v : vector<4xi32>\n";
const std::string kLeast = "  %s = llvm.intr.smin(%x, %x) : (i64, i64) -> i64\n";
const std::string kRoot = "  %s = llvm.intr.sqrt(%f) : (f32) -> f32\n";
const std::string kConstant = "  %s = llvm.mlir.constant(1.0 : f32) : f32\n";

TEST(Parts, ColdFunctionsAreApart) {
  const Split split(kEntry + function("buddy.a", 1000) + loop("buddy.load", kLoad, "") +
                        loop("buddy.float", "", kAddFloats) +
                        loop("buddy.vector", "", kAddVectors) + loop("buddy.root", "", kRoot) +
                        loop("buddy.b", kLeast + call("buddy.a"), kLoad) +
                        loop("buddy.c", kConstant, "  llvm.store %x, %p : i64, !llvm.ptr\n"),
                    BD_MAX_PARTS);
  ASSERT_EQ(split.parts.n, 2u);
  EXPECT_TRUE(split.parts.is_cold[0]);
  EXPECT_FALSE(split.parts.is_cold[1]);
  for (const char *name : {"forward", "buddy.a", "buddy.b", "buddy.c"})
    EXPECT_EQ(split.where(name), 0u) << name;
  for (const char *name : {"buddy.load", "buddy.float", "buddy.vector", "buddy.root"})
    EXPECT_EQ(split.where(name), 1u) << name;
}

TEST(Parts, WhatSaysThatItIsColdIsCold) {
  std::string said = loop("buddy.said", kLoad, kAddFloats);
  said.replace(said.find("{"), 1, "attributes {" BD_COLD "} {");
  const Split split(kEntry + function("buddy.a", 1000) + loop("buddy.b", kLoad, kAddFloats) + said,
                    BD_MAX_PARTS);
  ASSERT_EQ(split.parts.n, 2u);
  EXPECT_EQ(split.where("buddy.said"), 0u);
  EXPECT_EQ(split.where("buddy.b"), 1u);
}

TEST(Parts, AHotMainModuleStaysHot) {
  const Split split(loop("forward", kLoad + call("buddy.a"), "") + function("buddy.a", 1000) +
                        loop("buddy.b", kLoad, ""),
                    BD_MAX_PARTS);
  ASSERT_EQ(split.parts.n, 2u);
  EXPECT_FALSE(split.parts.is_cold[0]);
  EXPECT_TRUE(split.parts.is_cold[1]);
  EXPECT_EQ(split.where("buddy.a"), 1u);
  EXPECT_EQ(split.where("buddy.b"), 0u);
}

TEST(Parts, AFewColdFunctionsStayWithTheHotOnes) {
  const std::string text = kEntry + function("buddy.a", 10) + loop("buddy.b", kLoad, "");
  const Split split(text, BD_MAX_PARTS), whole(text + function("buddy.c", 1000), 1);
  ASSERT_EQ(split.parts.n, 1u);
  EXPECT_FALSE(split.parts.is_cold[0]);
  EXPECT_FALSE(whole.parts.is_cold[0]);
}

TEST(Parts, AreTheSameEachTime) {
  std::string text = kEntry;
  for (const char *name : {"buddy.a", "buddy.b", "buddy.c", "buddy.d", "buddy.e"})
    text += function(name, 4000);
  const Split one(text, BD_MAX_PARTS), two(text, BD_MAX_PARTS);
  ASSERT_GT(one.parts.n, 2u);
  ASSERT_EQ(one.parts.n, two.parts.n);
  for (size_t i = 0; i < one.parts.n; i++) EXPECT_EQ(one.names(i), two.names(i));
}

}  // namespace
