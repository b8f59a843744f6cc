// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class ParseArgsTest : public GraphFixture {
 protected:
  std::string Wrong(const std::string &value, buddy_code code = BUDDY_INVALID_ARGUMENT) {
    buddy_graph *none;
    EXPECT_EQ(
        TryParse("graph @main {\nsymbol s0 [2, inf]\ninput %x : f32[2]\n%n:0 = unknown \"a.b\"(v=" +
                     value + ")\n}\n",
                 &none),
        code)
        << value;
    return Said();
  }
};

TEST_F(ParseArgsTest, Mistakes) {
  EXPECT_EQ(Wrong("%y"), "line 4, column 26: no value before this line is called \"y\"\n");
  EXPECT_EQ(Wrong("@g"), "line 4, column 26: no graph before this line is called \"g\"\n");
  EXPECT_EQ(Wrong("[]"),
            "line 4, column 26: an empty list should say of what, like ints[], but here is ')'\n");
  EXPECT_EQ(Wrong("[none]x"),
            "line 4, column 30: an empty list should say of what, like ints[], but here is 'x)'\n");
  EXPECT_EQ(Wrong("[1, 2.0]"),
            "line 4, column 32: the elements of a list should be of one kind, but here is ')'\n");
  EXPECT_EQ(Wrong("ints[1.0]"),
            "line 4, column 33: the elements of a list should be of one kind, but here is ')'\n");
  EXPECT_EQ(Wrong("[1, none]"),
            "line 4, column 33: the elements of a list should be of one kind, but here is ')'\n");
  EXPECT_EQ(Wrong("word"), "line 4, column 24: a value should come, but here is 'word)'\n");
  EXPECT_EQ(Wrong("ints(1)"), "line 4, column 28: '[' should come, but here is '(1))'\n");
  EXPECT_EQ(Wrong("[1 2]"), "line 4, column 27: ',' or ']' should come, but here is '2])'\n");
  EXPECT_EQ(Wrong("dtype(f31)"),
            "line 4, column 30: a dtype like f32 should come, but here is 'f31))'\n");
  EXPECT_EQ(Wrong("dtype f32"), "line 4, column 30: '(' should come, but here is 'f32)'\n");
  EXPECT_EQ(Wrong("device(cpu)"),
            "line 4, column 31: a quoted string should come, but here is 'cpu))'\n");
  EXPECT_EQ(Wrong("device(\"cpu\""),
            "line 4, column 37: ',' or ')' should come, but the line ends here\n");
  EXPECT_EQ(
      Wrong("complex(1.0)"),
      "line 4, column 35: a complex number like complex(1.0, 2.0) should come, but here is '))'\n");
  EXPECT_EQ(Wrong("{s9}", BUDDY_NOT_FOUND),
            "line 4: the size \"s9\" names a symbol that the graph does not have, at byte 2\n");
  EXPECT_EQ(Wrong("{s0"), "line 4: the size \"s0)\" goes on after its end, at byte 2\n");
  EXPECT_EQ(Wrong("-9223372036854775808"),
            "line 4, column 44: the number is too low, but here is ')'\n");
  EXPECT_EQ(Wrong("1.5.5"), "line 4, column 24: a value should come, but here is '1.5.5)'\n");
  EXPECT_EQ(Wrong("%"), "line 4, column 25: a name should come, but here is ')'\n");
}

TEST_F(ParseArgsTest, BadTypes) {
  for (const char *type : {"", "f31[2]", "f32", "f32[", "f32[2", "f32[2,]", "f32[-1]", "f32[s9]",
                           "f32[1 2]", "none[2]"}) {
    buddy_graph *none;
    EXPECT_EQ(
        TryParse(std::string("graph @main {\ninput %x : ") + type + "\n}\n", &none) == BUDDY_OK,
        false)
        << type;
    EXPECT_EQ(none, nullptr);
  }
  std::string dims = "f32[1";
  for (int i = 0; i < 64; ++i) dims += ",1";
  buddy_graph *none;
  EXPECT_EQ(TryParse("graph @main {\ninput %x : " + dims + "]\n}\n", &none),
            BUDDY_INVALID_ARGUMENT);
}

}  // namespace
