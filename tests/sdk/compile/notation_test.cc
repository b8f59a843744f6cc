// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

extern "C" {
#include "sdk/compile/kernels/notation/notation.h"
}

#include <string>

namespace {

// What comes of a text, after what comes of `before`.
std::string written(const std::string &lines, buddy_code code = BUDDY_OK,
                    const std::string &before = "") {
  std::string outs[2];
  const std::string texts[] = {before, before + lines};
  for (int i = 0; i < 2; ++i) {
    bd_text text = {}, out = {};
    bd_text_string(&text, texts[i].c_str());
    bd_ir_expand(&out, &text);
    EXPECT_EQ(out.code, i == 0 ? BUDDY_OK : code) << texts[i];
    outs[i] = out.data ? out.data : "";
    bd_text_deinit(&text);
    bd_text_deinit(&out);
  }
  return outs[1].substr(code ? 0 : outs[0].size());
}

const std::string kHead =
    "(%m: memref<?x?xf32, strided<[?, 1], offset: ?>>, %b: memref<bf16>, %w: i64, %i: index) {\n"
    "v = 1.0 : vector<8xf32>; s = 0.5 : f32; k = 3 : vector<8xi32>; flag = true;";

// Of values of several types.
std::string typed(const std::string &lines) { return written(lines, BUDDY_OK, kHead); }

TEST(IrText, OperationsComeFromLeftToRight) {
  EXPECT_EQ(written("p = k / n * a + k % n * b;"),
            "  %p.1 = arith.divui %k, %n : index\n"
            "  %p.2 = arith.muli %p.1, %a : index\n"
            "  %p.3 = arith.remui %k, %n : index\n"
            "  %p.4 = arith.muli %p.3, %b : index\n"
            "  %p = arith.addi %p.2, %p.4 : index\n");
  EXPECT_EQ(written("d = a - (b - c);"),
            "  %d.1 = arith.subi %b, %c : index\n  %d = arith.subi %a, %d.1 : index\n");
  EXPECT_EQ(written("d = a - b - c;"),
            "  %d.1 = arith.subi %a, %b : index\n  %d = arith.subi %d.1, %c : index\n");
}

TEST(IrText, SignsBindAsTold) {
  EXPECT_EQ(written("s = a + b >> c;"),
            "  %s.1 = arith.addi %a, %b : index\n  %s = arith.shrui %s.1, %c : index\n");
  EXPECT_EQ(written("t = a == b + c;"),
            "  %t.1 = arith.addi %b, %c : index\n  %t = arith.cmpi eq, %a, %t.1 : index\n");
  EXPECT_EQ(written("o = a >= b | c;"),
            "  %o.1 = arith.ori %b, %c : index\n  %o = arith.cmpi sge, %a, %o.1 : index\n");
  EXPECT_EQ(written("x = a ^ b & c << d;"),
            "  %x.1 = arith.shli %c, %d : index\n  %x.2 = arith.andi %b, %x.1 : index\n"
            "  %x = arith.xori %a, %x.2 : index\n");
}

TEST(IrText, NumbersNamesAndFunctions) {
  EXPECT_EQ(written("n = -7;"), "  %n = arith.constant -7 : index\n");
  EXPECT_EQ(written("x = y#2 * 3;"),
            "  %x.1 = arith.constant 3 : index\n  %x = arith.muli %y#2, %x.1 : index\n");
  EXPECT_EQ(written("same = other;"), "  %same = arith.addi %other, %c0 : index\n");
  EXPECT_EQ(written("m = select(ult(a, b), umin(a, c), ceildiv(b, c));"),
            "  %m.1 = arith.cmpi ult, %a, %b : index\n"
            "  %m.2 = arith.minui %a, %c : index\n"
            "  %m.3 = arith.ceildivui %b, %c : index\n"
            "  %m = arith.select %m.1, %m.2, %m.3 : index\n");
}

TEST(IrText, TypesAreThoseOfTheOperands) {
  EXPECT_EQ(typed("x = v * 2.0;"),
            "  %x.1 = arith.constant dense<2.0> : vector<8xf32>\n"
            "  %x = arith.mulf %v, %x.1 : vector<8xf32>\n");
  EXPECT_EQ(typed("x = v + 2.0 < v;"),
            "  %x.1 = arith.constant dense<2.0> : vector<8xf32>\n"
            "  %x.2 = arith.addf %v, %x.1 : vector<8xf32>\n"
            "  %x = arith.cmpf olt, %x.2, %v : vector<8xf32>\n");
  EXPECT_EQ(typed("c = v == v; x = select(c, v, 0.0);"),
            "  %c = arith.cmpf oeq, %v, %v : vector<8xf32>\n"
            "  %x.1 = arith.constant dense<0.0> : vector<8xf32>\n"
            "  %x = arith.select %c, %v, %x.1 : vector<8xi1>, vector<8xf32>\n");
  EXPECT_EQ(
      typed("x = s; y = m; z = flag & x;"),
      "  %x = arith.bitcast %s : f32 to f32\n"
      "  %y = memref.cast %m : memref<?x?xf32, strided<[?, 1], offset: ?>> to memref<?x?xf32, "
      "strided<[?, 1], offset: ?>>\n  %z = arith.andi %flag, %x : i1\n");
  EXPECT_EQ(typed("  %x = \"arith.negf\"(%v) : (vector<8xf32>) -> vector<8xf32>\ny = x * x;"),
            "  %x = \"arith.negf\"(%v) : (vector<8xf32>) -> vector<8xf32>\n"
            "  %y = arith.mulf %x, %x : vector<8xf32>\n");
  EXPECT_EQ(
      typed("  %x = arith.constant false\n  %y = arith.constant 1.0 : f64\nz = x | x; u = y * y;"),
      "  %x = arith.constant false\n  %y = arith.constant 1.0 : f64\n"
      "  %z = arith.ori %x, %x : i1\n  %u = arith.mulf %y, %y : f64\n");
}

TEST(IrText, Conversions) {
  EXPECT_EQ(typed("x = sitofp(k, f32); y = extf(v, f32); z = truncf(s, bf16);"),
            "  %x = arith.sitofp %k : vector<8xi32> to vector<8xf32>\n"
            "  %y = arith.bitcast %v : vector<8xf32> to vector<8xf32>\n"
            "  %z = arith.truncf %s : f32 to bf16\n");
  EXPECT_EQ(typed("x = bitcast(k, vector<32xi8>); y = bitcast(k, vector<8xf32>); p = pointer(w);"),
            "  %x = vector.bitcast %k : vector<8xi32> to vector<32xi8>\n"
            "  %y = arith.bitcast %k : vector<8xi32> to vector<8xf32>\n"
            "  %p = llvm.inttoptr %w : i64 to !llvm.ptr\n");
}

TEST(IrText, Memory) {
  const std::string m = "memref<?x?xf32, strided<[?, 1], offset: ?>>";
  EXPECT_EQ(typed("x = m[i, c0] + s; store(x, m[c0, i]); store(v, m[c0, i]);"),
            "  %x.1 = memref.load %m[%i, %c0] : " + m +
                "\n  %x = arith.addf %x.1, %s : f32\n  memref.store %x, %m[%c0, %i] : " + m +
                "\n  vector.store %v, %m[%c0, %i] : " + m + ", vector<8xf32>\n");
  EXPECT_EQ(
      typed("x = load(m[c0, i], 8); y = transfer_read(m[c0, i], 8, s); prefetch(m[i, i], 2);"),
      "  %x = vector.load %m[%c0, %i] : " + m +
          ", vector<8xf32>\n  %y = vector.transfer_read %m[%c0, %i], %s : " + m +
          ", vector<8xf32>\n  memref.prefetch %m[%i, %i], read, locality<2>, data : " + m + "\n");
  EXPECT_EQ(
      typed("x = view(b, i, [c1, 16], [i, 1]); metadata y = x; z = alloc(memref<?xf32>, i); w = "
            "alloca(memref<4xf32>);"),
      "  %x = memref.reinterpret_cast %b to offset: [%i], sizes: [%c1, 16], strides: [%i, 1] : "
      "memref<bf16> to memref<?x16xbf16, strided<[?, 1], offset: ?>>\n"
      "  %y_base, %y_at, %y_sizes:2, %y_strides:2 = memref.extract_strided_metadata %x : "
      "memref<?x16xbf16, strided<[?, 1], offset: ?>> -> memref<bf16>, index, index, index, "
      "index, index\n  %z = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>\n"
      "  %w = memref.alloca() {alignment = 64 : i64} : memref<4xf32>\n");
}

TEST(IrText, LanesAndCalls) {
  EXPECT_EQ(
      typed("x = shuffle(v, v, 4: 2 * n + 1); y = shuffle(x, x, [3, 0]); z = slice(v, 2, 4);"),
      "  %x = vector.shuffle %v, %v [1, 3, 5, 7] : vector<8xf32>, vector<8xf32>\n"
      "  %y = vector.shuffle %x, %x [3, 0] : vector<4xf32>, vector<4xf32>\n"
      "  %z = vector.extract_strided_slice %v {offsets = [2], sizes = [4], strides = [1]} : "
      "vector<8xf32> to vector<4xf32>\n");
  EXPECT_EQ(typed("call(\"f\", v, i); x = intrinsic(\"llvm.g\", s) : f32; intrinsic(\"llvm.h\");"),
            "  func.call @f(%v, %i) : (vector<8xf32>, index) -> ()\n"
            "  %x = llvm.call_intrinsic \"llvm.g\"(%s) : (f32) -> f32\n"
            "  llvm.call_intrinsic \"llvm.h\"() : () -> ()\n");
}

TEST(IrText, BlocksAndLinesOfMlir) {
  EXPECT_EQ(written("for i = c0 to n {if is_there {} else {} }"),
            "  scf.for %i = %c0 to %n step %c1 {\n  scf.if %is_there {\n  } else {\n  }\n  }\n");
  EXPECT_EQ(written("for i = a to b by c {\n  %x = memref.load %y[%i] : memref<?xf32>\n}"),
            "  scf.for %i = %a to %b step %c {\n  %x = memref.load %y[%i] : memref<?xf32>\n  }\n");
  EXPECT_EQ(written("  } {cost = 3 : i64}\n  return\n"), "  } {cost = 3 : i64}\n  return\n");
}

TEST(IrText, BlocksWithResults) {
  EXPECT_EQ(
      typed("r:2 = for p = c0 to i carry x_$n = v { y = x_0 + x_1; yield y, x_0; } z = r#1 * v;"),
      "  %r:2 = scf.for %p = %c0 to %i step %c1 iter_args(%x_0 = %v, %x_1 = %v) -> "
      "(vector<8xf32>, vector<8xf32>) {\n  %y = arith.addf %x_0, %x_1 : vector<8xf32>\n"
      "  scf.yield %y, %x_0 : vector<8xf32>, vector<8xf32>\n  }\n"
      "  %z = arith.mulf %r#1, %v : vector<8xf32>\n");
  EXPECT_EQ(typed("r = if flag like s { yield s; } else { t = s * s; yield t; }"),
            "  %r = scf.if %flag -> (f32) {\n  scf.yield %s : f32\n  } else {\n"
            "  %t = arith.mulf %s, %s : f32\n  scf.yield %t : f32\n  }\n");
}

TEST(IrText, WhatIsKnownWhenTextIsRead) {
  EXPECT_EQ(written("let a = of0, b = 3; $a_at_$b = $a_round * $(b * 2 - 1);"),
            "  %of0_at_3.1 = arith.constant 5 : index\n"
            "  %of0_at_3 = arith.muli %of0_round, %of0_at_3.1 : index\n");
  EXPECT_EQ(written("each i to 2 { each k = i to i + 1 { x_$i_$k = y_$(i + k); } }"),
            "  %x_0_0 = arith.addi %y_0, %c0 : index\n  %x_1_1 = arith.addi %y_2, %c0 : index\n");
  EXPECT_EQ(written("each i to 0 { nothing } a = b * c;"), "  %a = arith.muli %b, %c : index\n");
}

TEST(IrText, WhatIsNoStatementFails) {
  for (const char *lines : {"a = b +;",
                            "a = (b;",
                            "a = b",
                            "a = least(b, c);",
                            "a = min(b);",
                            "for i = a {",
                            "if a",
                            "a = ;",
                            "a = b c;",
                            "a = b[c];",
                            "store(a);",
                            "let n = 3;",
                            "let ab = 3;",
                            "each i { }",
                            "each A to 2 { x = y; }",
                            "each ab to 2 { x = y; }",
                            "a = shuffle(b, c, n);",
                            "a:2 = for i = b to c { }",
                            "a = load(b, 4);",
                            "yield;;"})
    written(lines, BUDDY_INTERNAL);
  /* A text that a variable has no room for is not cut. */
  written("let a = " + std::string(200, 'b') + "; x = $a;", BUDDY_INTERNAL);
}

}  // namespace
