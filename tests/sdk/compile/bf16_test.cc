// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// bf16 is moved as integers: LLVM would take vectors of it apart. What computes with it, is called with it, or is a
// function's own argument keeps its type.
#include <gtest/gtest.h>

#include <string>

#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/bf16.h"
}

namespace {

// The functions after the change.
std::string moved(const std::string &functions) {
  return rewritten(bd_bf16_move_as_integers,
                   "func.func @forward(%a: memref<1xf32>) {\n  return\n}\n" + functions);
}

TEST(Bf16, IsMovedAsIntegers) {
  const std::string all = moved(R"(
    llvm.func @f(%p: !llvm.ptr, %c: vector<4xi1>) {
      %zero = llvm.mlir.constant(dense<0.0> : vector<4xbf16>) : vector<4xbf16>
      %x = llvm.load %p : !llvm.ptr -> vector<4xbf16>
      %s = llvm.select %c, %x, %zero : vector<4xi1>, vector<4xbf16>
      %t = llvm.shufflevector %s, %x [0, 4, 1, 5] : vector<4xbf16>
      llvm.store %t, %p : vector<4xbf16>, !llvm.ptr
      llvm.return
    })");
  EXPECT_NE(all.find("llvm.load %arg0 : !llvm.ptr -> vector<4xi16>"), std::string::npos) << all;
  EXPECT_NE(all.find(": vector<4xi1>, vector<4xi16>"), std::string::npos) << all;
  EXPECT_NE(all.find("[0, 4, 1, 5] : vector<4xi16>"), std::string::npos) << all;
  EXPECT_NE(all.find(": vector<4xi16>, !llvm.ptr"), std::string::npos) << all;
}

TEST(Bf16, StaysWhereItIsComputedWith) {
  const std::string all = moved(R"(
    llvm.func @g(bf16, f32) -> bf16
    llvm.func @h(%b: bf16, %p: !llvm.ptr, %c: i1) -> bf16 {
      llvm.cond_br %c, ^bb1(%b : bf16), ^bb2(%b : bf16)
    ^bb1(%x: bf16):
      %wide = llvm.fpext %x : bf16 to f64
      %half = llvm.fadd %wide, %wide : f64
      %short = llvm.fptrunc %half : f64 to bf16
      %f = llvm.fpext %short : bf16 to f32
      %r = llvm.call @g(%short, %f) : (bf16, f32) -> bf16
      llvm.br ^bb2(%r : bf16)
    ^bb2(%y: bf16):
      llvm.store %y, %p : bf16, !llvm.ptr
      llvm.return %y : bf16
    })");
  EXPECT_NE(all.find("fpext"), std::string::npos) << all;
  EXPECT_NE(all.find(": bf16 to f64"), std::string::npos) << all;
  EXPECT_NE(all.find("(bf16, f32) -> bf16"), std::string::npos) << all;
  EXPECT_NE(all.find(": i16)"), std::string::npos) << all;
  EXPECT_NE(all.find("llvm.store %"), std::string::npos) << all;
  EXPECT_NE(all.find(": i16, !llvm.ptr"), std::string::npos) << all;
}

}  // namespace
