// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class DimsParseTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    Symbol("s0", 0);
    Symbol("s77", 0);
    Symbol("u0", INT64_MIN);
  }
  std::string Wrong(const std::string &text, buddy_code code) {
    int64_t dim = 7;
    EXPECT_EQ(TryDim(text, &dim), code) << text;
    EXPECT_EQ(dim, 0);
    return Said();
  }
};

TEST_F(DimsParseTest, WhatTorchExportWrites) {
  const std::pair<const char *, const char *> pairs[] = {
      {"Symbol('s77', positive=True, integer=True)", "s77"},
      {"Add(Mul(Integer(2), Symbol('s77', positive=True, integer=True)), Integer(1))", "2*s77+1"},
      {"Add(Mul(Integer(-1), Symbol('s0', positive=True, integer=True)), "
       "FloorDiv(Add(Symbol('s77', positive=True, "
       "integer=True), Integer(3)), Integer(2)))",
       "-s0+(s77+3)//2"},
      {"Mul(Symbol('s0', positive=True, integer=True), Pow(Symbol('s77', integer=True), "
       "Integer(2)))",
       "s0*s77**2"},
      {"Mul(Integer(-1), Integer(4), Symbol(\"s77\"))", "-4*s77"},
      {"Mod(Symbol('s77'), Integer(4))", "s77%4"},
      {"PythonMod(-s0 + u0, 4)", "(u0-s0)%4"},
      {"CleanDiv(Symbol('s77'), Integer(2))", "s77//2"},
      {"CeilDiv(s77, 2)", "-((-s77)//2)"},
      {"Max(Integer(1), Symbol('u0', integer=True))", "max(1,u0)"},
      {"Max(1, u0, s0)", "max(u0,s0,1)"},
      {"Min(s0, s77)", "min(s0,s77)"},
      {"math.trunc(1.5*torch.sym_float(2*s77))", "3*s77"},
      {"math.trunc(0.125*torch.sym_float(s77))", "s77//8"},
      {"ceiling(Mul(Rational(1, 2), Symbol('s77', positive=True, integer=True)))", "-((-s77)//2)"},
      {"math.floor(torch.sym_float(s77) * 0.375)", "3*s77//8"},
      {"math.trunc(1.5*ToFloat(s77) + 2.0)", "(3*s77+4)//2"},
      {"torch.sym_max(u0, 3.)", "max(u0,3)"},
      {"floor(Mul(Rational(1, 2), Symbol('s77', positive=True, integer=True)))", "s77//2"},
      {"floor(s77/2)", "s77//2"},
      {"floor(s77/2 + 1/2)", "(s77+1)//2"},
      {"floor(s77/2 + s0/3)", "(3*s77+2*s0)//6"},
      {"TruncToInt(IntTrueDiv(s77, 2))", "s77//2"},
      {"CeilToInt(IntTrueDiv(s77, 2))", "-((-s77)//2)"},
      {"FloorToInt(IntTrueDiv(u0, 2))", "u0//2"},
      {"ModularIndexing(s77, 2, 4)", "(s77//2)%4"},
      {"LShift(s0, 2)", "4*s0"},
      {"RShift(s0, 2)", "s0//4"},
      {"PowByNatural(s77, Integer(2))", "s77**2"},
      {"Identity(Symbol('s77'))", "s77"},
      {"Integer(4)", "4"},
      {"(s77//2)", "s77//2"},
      {"s77/2*2", "s77"},
      {"(2*s77)/2", "s77"},
      {"s77*2**-1*4", "2*s77"},
      {"  + - -s0 ", "s0"},
      {"Max(s0)", "s0"},
      {"s0 // 2 % 3", "(s0//2)%3"},
  };
  for (const auto &pair : pairs)
    EXPECT_EQ(Dim(pair.first), Dim(pair.second)) << pair.first << " is " << Normal(pair.first);
}

TEST_F(DimsParseTest, WhatSizesDoNotHave) {
  EXPECT_EQ(Wrong("cos(s77)", BUDDY_UNSUPPORTED),
            "main: the size \"cos(s77)\" uses cos, which whole-number sizes do not have, at byte "
            "4\n");
  Wrong("FloatTrueDiv(s77, 2.0)", BUDDY_UNSUPPORTED);
  for (const char *number : {"0.3", "0.1234567891", "1.00000000000000000001"})
    Wrong("floor(s77*" + std::string(number) + ")", BUDDY_UNSUPPORTED);
  EXPECT_EQ(Wrong("TruncToInt(IntTrueDiv(u0, 2))", BUDDY_UNSUPPORTED),
            "main: the size \"TruncToInt(IntTrueDiv(u0, 2))\" truncates what may be negative, at "
            "byte 28\n");
  Wrong("s77/2", BUDDY_UNSUPPORTED);
  Wrong("max(s77/2,1)", BUDDY_UNSUPPORTED);
  Wrong("s77*0.5", BUDDY_UNSUPPORTED);
  Wrong("math.trunc(s77*1.3)", BUDDY_UNSUPPORTED);
  Wrong("math.trunc(s77*0.0000000001)", BUDDY_UNSUPPORTED);
  Wrong("s77**s0", BUDDY_INVALID_ARGUMENT);
  Wrong("Pow(s77, s0)", BUDDY_UNSUPPORTED);
  Wrong("s77**65", BUDDY_UNSUPPORTED);
  Wrong("LShift(s0, s77)", BUDDY_UNSUPPORTED);
  Wrong("LShift(s0, 62)", BUDDY_UNSUPPORTED);
  Wrong("Where(s77 > 2, s77, s0)", BUDDY_UNSUPPORTED);
}

TEST_F(DimsParseTest, Mistakes) {
  EXPECT_EQ(Wrong("s9+1", BUDDY_NOT_FOUND),
            "main: the size \"s9+1\" names a symbol that the graph does not have, at byte 2\n");
  Wrong("Symbol('s9')", BUDDY_NOT_FOUND);
  Wrong("oo", BUDDY_NOT_FOUND);
  for (const char *text : {"",
                           " ",
                           "1+",
                           "(1",
                           "1)",
                           "1 2",
                           "s0*",
                           "Max(",
                           "Max()",
                           "Max(1",
                           "Symbol(s0)",
                           "Symbol('s0",
                           "Symbol('s0'",
                           "FloorDiv(1)",
                           "FloorDiv(1,2,3)",
                           "Integer(1,2)",
                           "ModularIndexing(1,2)",
                           "1//0",
                           "s0%0",
                           "1/0",
                           "0**-1",
                           "CeilDiv(1,0)",
                           "*",
                           "s0**",
                           "s0**-"}) {
    Wrong(text, BUDDY_INVALID_ARGUMENT);
  }
  Wrong("9223372036854775808", BUDDY_LIMIT);
  Wrong("9223372036854775807+1", BUDDY_LIMIT);
  Wrong("9223372036854775807*s0*2", BUDDY_LIMIT);
  Wrong(std::string(200, '(') + "1" + std::string(200, ')'), BUDDY_LIMIT);
  Wrong(std::string(100000, '('), BUDDY_LIMIT);
  EXPECT_EQ(Dim(std::string(10000, '-') + "s0"), Dim("s0")) << "signs need no recursion";
}

TEST_F(DimsParseTest, TheTextNeedsNoNul) {
  int64_t dim;
  ASSERT_EQ(buddy_graph_dim_parse(graph, buddy_sv{"s0+12", 4}, diags, &dim), BUDDY_OK);
  EXPECT_EQ(DimText(dim), "s0+1");
}

}  // namespace
