// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class TextFormTest : public GraphFixture {};

/* Each kind of argument, as a text that reads back to the same text. */
TEST_F(TextFormTest, EveryKindHasItsForm) {
  for (const char *value : {"none",
                            "true",
                            "false",
                            "12",
                            "-3",
                            "1.5",
                            "-0.0",
                            "1e+300",
                            "inf",
                            "-inf",
                            "nan",
                            "\"text\"",
                            "\"q\\\"b\\\\n\\n\\x01\"",
                            "%x",
                            "{s0}",
                            "{2*s0+1}",
                            "dtype(f32)",
                            "device(\"cuda:0\")",
                            "layout(\"strided\")",
                            "memory_format(\"preserve\")",
                            "complex(1.0, -inf)",
                            "[%x, none]",
                            "[none, %x]",
                            "[1, {s0}, -2]",
                            "[1.5, nan]",
                            "[true, false]",
                            "[\"a\", \"\"]",
                            "tensors[]",
                            "tensors[none, none]",
                            "ints[]",
                            "floats[]",
                            "bools[]",
                            "strings[]"}) {
    const std::string text = std::string(
                                 "graph @main {\n  symbol s0 [2, inf]\n  input %x : f32[s0]\n  "
                                 "%n:0 = unknown \"a.b\"(v=") +
                             value + ")\n}\n";
    Parse(text);
    ASSERT_NE(graph, nullptr) << value;
    EXPECT_EQ(PrintGraph(graph), text);
    ExpectSound();
  }
}

}  // namespace
