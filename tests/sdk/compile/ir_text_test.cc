// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

extern "C" {
#include "sdk/compile/kernels/ir_text.h"
}

#include <string>

namespace {

std::string written(const char *lines, buddy_code code = BUDDY_OK) {
  bd_text text = {};
  bd_ir_write(&text, "%s", lines);
  EXPECT_EQ(text.code, code) << lines;
  const std::string out = text.data ? text.data : "";
  bd_text_deinit(&text);
  return out;
}

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

TEST(IrText, SignsBindAsInC) {
  EXPECT_EQ(written("s = a + b >> c;"),
            "  %s.1 = arith.addi %a, %b : index\n  %s = arith.shrui %s.1, %c : index\n");
  EXPECT_EQ(written("t = a == b + c;"),
            "  %t.1 = arith.addi %b, %c : index\n  %t = arith.cmpi eq, %a, %t.1 : index\n");
  EXPECT_EQ(written("o = a >= b | c;"),
            "  %o.1 = arith.ori %b, %c : index\n  %o = arith.cmpi sge, %a, %o.1 : index\n");
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

TEST(IrText, BlocksAndLinesOfMlir) {
  EXPECT_EQ(written("for i = c0 to n {if is_there {} else {} }"),
            "  scf.for %i = %c0 to %n step %c1 {\n  scf.if %is_there {\n  } else {\n  }\n  }\n");
  EXPECT_EQ(written("for i = a to b by c {\n  %x = memref.load %y[%i] : memref<?xf32>\n}"),
            "  scf.for %i = %a to %b step %c {\n  %x = memref.load %y[%i] : memref<?xf32>\n  }\n");
  EXPECT_EQ(written("  } {cost = 3 : i64}\n  return\n"), "  } {cost = 3 : i64}\n  return\n");
  EXPECT_EQ(written("a = b * c;  %x = memref.load %y[%a] : "),
            "  %a = arith.muli %b, %c : index\n  %x = memref.load %y[%a] : ");
}

TEST(IrText, WhatIsNoLineFails) {
  for (const char *lines : {"a = b +;", "a = (b;", "a = b", "a = least(b, c);", "a = min(b);",
                            "for i = a {", "if a", "a = ;", "a = b c;"})
    written(lines, BUDDY_INTERNAL);
}

}  // namespace
