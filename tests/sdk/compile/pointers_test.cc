// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers of which a pointer says all are passed on as pointers.
#include <gtest/gtest.h>

#include <string>

#include "mlir-c/RegisterEverything.h"

extern "C" {
#include "sdk/compile/rewrite/pointers.h"
}

namespace {

class Pass {
 public:
  explicit Pass(const std::string &text) {
    const MlirDialectRegistry all = mlirDialectRegistryCreate();
    mlirRegisterAllDialects(all);
    mlirContextAppendDialectRegistry(context_, all);
    mlirDialectRegistryDestroy(all);
    mlirContextLoadAllAvailableDialects(context_);
    module_ = mlirModuleCreateParse(context_, mlirStringRefCreate(text.data(), text.size()));
    EXPECT_NE(module_.ptr, nullptr);
    EXPECT_EQ(bd_pointers_pass(module_), BUDDY_OK);
    EXPECT_TRUE(mlirOperationVerify(mlirModuleGetOperation(module_)));
    mlirOperationPrint(
        mlirModuleGetOperation(module_),
        [](MlirStringRef piece, void *out) {
          static_cast<std::string *>(out)->append(piece.data, piece.length);
        },
        &text_);
  }
  ~Pass() {
    mlirModuleDestroy(module_);
    mlirContextDestroy(context_);
  }
  Pass(const Pass &) = delete;
  Pass &operator=(const Pass &) = delete;

  int count(const std::string &words) const {
    int n = 0;
    for (size_t at = text_.find(words); at != std::string::npos; at = text_.find(words, at + 1))
      n++;
    return n;
  }
  bool has(const std::string &words) const { return count(words) > 0; }
  const std::string &text() const { return text_; }

 private:
  MlirContext context_ = mlirContextCreate();
  MlirModule module_ = {nullptr};
  std::string text_;
};

const char kernel[] = "func.func private @k(memref<f32>, index, index) attributes {llvm.bareptr}\n";

TEST(Pointers, PassThroughViews) {
  const Pass p(std::string(kernel) + R"(
    func.func private @f(%a: memref<2x8x4xf32>, %at: index) attributes {llvm.bareptr} {
      %v = memref.reinterpret_cast %a to offset: [%at], sizes: [3, 5], strides: [7, 1]
         : memref<2x8x4xf32> to memref<3x5xf32, strided<[7, 1], offset: ?>>
      %b, %o, %n:2, %s:2 = memref.extract_strided_metadata %v
         : memref<3x5xf32, strided<[7, 1], offset: ?>>
        -> memref<f32>, index, index, index, index, index
      call @k(%b, %o, %s#0) : (memref<f32>, index, index) -> ()
      return
    })");
  EXPECT_TRUE(p.has("@k(!llvm.ptr, index, index)")) << p.text();
  EXPECT_TRUE(p.has("@f(%arg0: !llvm.ptr, %arg1: index)")) << p.text();
  EXPECT_TRUE(p.has("arith.constant 7 : index")) << p.text();
  EXPECT_TRUE(p.has("call @k(%arg0, %arg1, %c7)")) << p.text();
  EXPECT_FALSE(p.has("memref.")) << p.text();
  EXPECT_FALSE(p.has("insertvalue")) << p.text();
}

TEST(Pointers, OtherUsesGetAMemref) {
  const Pass p(R"(
    func.func private @f(%a: memref<3x5xf32>, %i: index) -> f32 attributes {llvm.bareptr} {
      %x = memref.load %a[%i, %i] : memref<3x5xf32>
      return %x : f32
    })");
  EXPECT_TRUE(p.has("@f(%arg0: !llvm.ptr, %arg1: index)")) << p.text();
  EXPECT_EQ(p.count("llvm.insertvalue"), 7) << p.text();
  EXPECT_TRUE(p.has("memref.load")) << p.text();
  /* Sizes 3 and 5, strides 5 and 1. */
  EXPECT_EQ(p.count("constant(5 : i64)"), 2) << p.text();
  EXPECT_EQ(p.count("constant(3 : i64)"), 1) << p.text();
  EXPECT_EQ(p.count("constant(1 : i64)"), 1) << p.text();
}

// Of a descriptor in memory, only the pointer is read; the steps to it are one.
TEST(Pointers, ReadOneWord) {
  const Pass p(std::string(kernel) + R"(
    func.func @f(%all: !llvm.ptr, %i: index) {
      %at = llvm.getelementptr %all[64] : (!llvm.ptr) -> !llvm.ptr, i8
      %d = llvm.load %at : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64)>
      %a = builtin.unrealized_conversion_cast %d : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
      call @k(%a, %i, %i) : (memref<f32>, index, index) -> ()
      return
    })");
  EXPECT_TRUE(p.has("%arg0[72]")) << p.text();
  EXPECT_FALSE(p.has("[64]")) << p.text();
  EXPECT_EQ(p.count("llvm.load"), 1) << p.text();
  EXPECT_FALSE(p.has("struct")) << p.text();
}

// The two pointers of a descriptor differ where memory is aligned by hand.
TEST(Pointers, TheAlignedOne) {
  const Pass p(std::string(kernel) + R"(
    func.func @f(%x: !llvm.ptr, %y: !llvm.ptr, %i: index) {
      %n = llvm.mlir.constant(0 : i64) : i64
      %u = llvm.mlir.undef : !llvm.struct<(ptr, ptr, i64)>
      %0 = llvm.insertvalue %x, %u[0] : !llvm.struct<(ptr, ptr, i64)>
      %1 = llvm.insertvalue %y, %0[1] : !llvm.struct<(ptr, ptr, i64)>
      %2 = llvm.insertvalue %n, %1[2] : !llvm.struct<(ptr, ptr, i64)>
      %a = builtin.unrealized_conversion_cast %2 : !llvm.struct<(ptr, ptr, i64)> to memref<f32>
      call @k(%a, %i, %i) : (memref<f32>, index, index) -> ()
      return
    })");
  EXPECT_TRUE(p.has("call @k(%arg1, %arg2, %arg2)")) << p.text();
  EXPECT_FALSE(p.has("insertvalue")) << p.text();
}

TEST(Pointers, PartsOfOneAllocation) {
  const Pass p(std::string(kernel) + R"(
    func.func @f(%i: index) {
      %c0 = arith.constant 0 : index
      %c96 = arith.constant 96 : index
      %all = memref.alloc() : memref<256xi8>
      %a = memref.view %all[%c0][] : memref<256xi8> to memref<f32>
      %b = memref.view %all[%c96][] : memref<256xi8> to memref<f32>
      %c = memref.view %all[%i][] : memref<256xi8> to memref<f32>
      call @k(%a, %i, %i) : (memref<f32>, index, index) -> ()
      call @k(%b, %i, %i) : (memref<f32>, index, index) -> ()
      call @k(%c, %i, %i) : (memref<f32>, index, index) -> ()
      memref.dealloc %all : memref<256xi8>
      return
    })");
  EXPECT_EQ(p.count("memref.view"), 1) << p.text();  // by a number that is not known
  EXPECT_TRUE(p.has("[96] : (!llvm.ptr) -> !llvm.ptr, i8")) << p.text();
  EXPECT_EQ(p.count("llvm.extractvalue"), 2) << p.text();
}

// A loop's values go through memory as pointers; a cast that is none of these stays as it is.
TEST(Pointers, CastsToAndFromPointers) {
  const Pass p(R"(
    func.func private @f(%a: memref<4xf32>, %to: !llvm.ptr, %n: i64) attributes {llvm.bareptr} {
      %x = builtin.unrealized_conversion_cast %a : memref<4xf32> to !llvm.ptr
      llvm.store %x, %to : !llvm.ptr, !llvm.ptr
      %y = builtin.unrealized_conversion_cast %to : !llvm.ptr to memref<?xf32>
      %c = builtin.unrealized_conversion_cast %n : i64 to index
      %z = memref.load %y[%c] : memref<?xf32>
      return
    })");
  EXPECT_TRUE(p.has("llvm.store %arg0, %arg1")) << p.text();
  EXPECT_TRUE(p.has("%arg1 : !llvm.ptr to memref<?xf32>")) << p.text();
}

// What is called by an address, or from outside, takes what it said.
TEST(Pointers, SomeFunctionsStay) {
  const Pass p(R"(
    func.func private @called(%a: memref<4xf32>) attributes {llvm.bareptr} { return }
    func.func @shown(%a: memref<4xf32>) attributes {llvm.bareptr} {
      %f = func.constant @called : (memref<4xf32>) -> ()
      call_indirect %f(%a) : (memref<4xf32>) -> ()
      return
    }
    func.func private @whole(%a: memref<4xf32>) { return })");
  EXPECT_TRUE(p.has("@called(%arg0: memref<4xf32>)")) << p.text();
  EXPECT_TRUE(p.has("@shown(%arg0: memref<4xf32>)")) << p.text();
  EXPECT_TRUE(p.has("@whole(%arg0: memref<4xf32>)")) << p.text();
}

}  // namespace
