// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class ParseTest : public GraphFixture {
 protected:
  std::string Wrong(const std::string &text) {
    buddy_graph *none = nullptr;
    EXPECT_EQ(TryParse(text, &none), BUDDY_INVALID_ARGUMENT) << text;
    EXPECT_EQ(none, nullptr);
    return Said();
  }
  std::string WrongLine(const std::string &line) {
    return Wrong("graph @main {\ninput %x : f32[2]\n" + line + "\n}\n");
  }
};

TEST_F(ParseTest, AllMistakesAreToldTogether) {
  EXPECT_EQ(Wrong("graph @main {\n"
                  "  input %x : f32[2\n"
                  "  input %y : f32[2]\n"
                  "  nonsense\n"
                  "  %z = aten.add.Tensor(self=%y, other=%x) : f32[2]\n"
                  "  %w = aten.relu.default(self=%y) : f32[2]\n"
                  "  output %y extra\n"
                  "}\n"),
            "line 2, column 19: ',' or ']' should come, but the line ends here\n"
            "line 4, column 3: a node, an input, an output, a symbol, a guard, a binding or a "
            "graph should "
            "come, but here is 'nonsense'\n"
            "line 5, column 41: no value before this line is called \"x\"\n"
            "w: there is no op \"aten.relu.default\"\n"
            "line 7, column 13: the line should end, but here is 'extra'\n");
}

TEST_F(ParseTest, GraphsMustBeginAndEnd) {
  Wrong("");
  Wrong("main {\n}");
  Wrong("graph main {\n}");
  Wrong("graph @ {\n}");
  Wrong("graph @main\n}");
  Wrong("graph @main {");
  Wrong("graph @main {\n}\n}");
  Wrong("graph @main {\n  graph @inner {\n}\n");
}

TEST_F(ParseTest, Symbols) {
  for (const char *line :
       {"symbol", "symbol s0", "symbol s0 [2]", "symbol s0 [2, 1]", "symbol s0 [a, b]",
        "symbol s0 [2, inf", "symbol \"s 0\" [2, 3]", "symbol s0 [99999999999999999999, inf]"}) {
    WrongLine(line);
  }
  EXPECT_EQ(WrongLine("symbol s0 [2, 3]\nsymbol s0 [2, 4]"),
            "line 4, column 17: there are two symbols \"s0\"\n");
  WrongLine("bind s0 = %x");
  WrongLine("symbol s0 [2, 3]\nbind s0 %x");
  WrongLine("symbol s0 [2, 3]\nbind s0 = %y");
  EXPECT_EQ(WrongLine("symbol s0 [2, 3]\nbind s0 = %x"),
            "line 4, column 13: it has dims, and so cannot be the value of the symbol \"s0\"\n");
}

TEST_F(ParseTest, InputsAndOutputs) {
  for (const char *line :
       {"input x : f32[2]", "input %y f32[2]", "input %x : f32[2]", "input %y \"t : f32[2]",
        "parameter %y", "output", "output mutation \"t\" = %x", "output buffer_mutation \"t\" = 1",
        "output [%x]"}) {
    WrongLine(line);
  }
}

TEST_F(ParseTest, Nodes) {
  for (const char *line : {"%",
                           "%y",
                           "%y:",
                           "%y:x = a.b()",
                           "%y:-1 = a.b()",
                           "%y:9999999 = unknown \"a\"()",
                           "%y a.b()",
                           "%y = ",
                           "%y = a.b",
                           "%y = aten.neg.default(self)",
                           "%y = aten.neg.default(self=%x",
                           "%y = aten.neg.default(self=%x) :",
                           "%y = aten.neg.default(self=%x)",
                           "%y:2 = aten.neg.default(self=%x) : f32[2], f32[2]",
                           "%y = aten.neg.default(self=%x) : f32[2] loc",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(file)",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(file=1)",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(line=x)",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(line=99999999999)",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(what=\"\")",
                           "%y = aten.neg.default(self=%x) : f32[2] loc(file=\"a\"",
                           "%x = aten.neg.default(self=%x) : f32[2]",
                           "%y = aten.neg.default(self=%x) : f32[2] loc()"}) {
    WrongLine(line);
  }
}

TEST_F(ParseTest, Subgraphs) {
  WrongLine("graph");
  WrongLine("graph @a\n");
  EXPECT_EQ(WrongLine("graph @a {\n}\ngraph @a {"),
            "line 5, column 11: it is nested too deeply, or there is already a graph \"a\"\n");
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += "graph @g" + std::to_string(i) + " {\n";
  EXPECT_NE(WrongLine(deep).find("nested too deeply"), std::string::npos);
}

TEST_F(ParseTest, MistakesAreLimited) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "nonsense\n";
  buddy_graph *none;
  EXPECT_EQ(TryParse("graph @main {\n" + lines + "}\n", &none), BUDDY_INVALID_ARGUMENT);
  EXPECT_EQ(buddy_diags_count(diags), 100u);
}

}  // namespace
