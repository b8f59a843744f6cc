// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class ParseTokensTest : public GraphFixture {};

TEST_F(ParseTokensTest, BlanksAndCommentsDoNotMatter) {
  Parse(
      "# a comment\n\n graph\t@main{ # here\r\n\n#\n  input %x:f32[ 2 , 3 ]# there\r\n  output   "
      "%x\n}\n# end");
  ASSERT_NE(graph, nullptr);
  EXPECT_EQ(PrintGraph(graph), "graph @main {\n  input %x : f32[2,3]\n  output %x\n}\n");
}

TEST_F(ParseTokensTest, StringsAreUnescaped) {
  Parse("graph @main {\n  input %\"a\\tb\\x41\\x0a\\\"\\\\\" : f32[]\n}\n");
  ASSERT_NE(graph, nullptr);
  EXPECT_STREQ(buddy_value_name(buddy_graph_input(graph, 0)), "a\tbA\n\"\\");
}

TEST_F(ParseTokensTest, BadStringsAreTold) {
  const std::pair<const char *, const char *> cases[] = {
      {"\"abc", "the string has no closing quote"},
      {"\"abc\\\"", "the string has no closing quote"},
      {"\"a\\q\"", "the string has an unknown escape"},
      {"\"a\\x4\"", "the string has an unknown escape"},
      {"\"a\\xgg\"", "the string has an unknown escape"},
  };
  for (const auto &each : cases) {
    buddy_graph *none;
    EXPECT_EQ(TryParse(std::string("graph @main {\n  input %") + each.first + "\n}", &none),
              BUDDY_INVALID_ARGUMENT);
    EXPECT_NE(Said().find(each.second), std::string::npos) << each.first;
  }
}

TEST_F(ParseTokensTest, TheTextNeedsNoNul) {
  const std::string text = "graph @main {\n}\n";
  for (size_t size = 0; size + 1 < text.size() - 1; ++size) {
    const std::vector<char> exact(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(size));
    buddy_graph *none;
    EXPECT_EQ(buddy_graph_parse(opset, buddy_sv{exact.data(), exact.size()}, diags, &none),
              BUDDY_INVALID_ARGUMENT)
        << size;
    EXPECT_EQ(none, nullptr);
  }
}

}  // namespace
