// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class DimPrintTest : public GraphFixture {};

TEST_F(DimPrintTest, FewestParentheses) {
  Symbol("s0");
  Symbol("s1");
  for (const char *text : {"7",
                           "-7",
                           "s0",
                           "-s0",
                           "2*s0+1",
                           "-2*s0+s1",
                           "s0**2*s1",
                           "s0*s1-3",
                           "s0//2",
                           "(s0+1)//2",
                           "2*(s0//2)",
                           "(s0*s1)//7",
                           "s0//s1",
                           "s0%4",
                           "(s0//3)**2",
                           "max(s0,s1)",
                           "min(s0,2*s1+1)",
                           "3*max(s0,s1)",
                           "(max(s0,s1)+1)//2",
                           "7//s0",
                           "-7//s0",
                           "s0+s1//2",
                           "(s0//s1)//(s1+1)",
                           "-((s0%4)**2)",
                           "s0**2-(s1//2)"}) {
    const std::string normal = Normal(text);
    EXPECT_EQ(Dim(normal), Dim(text)) << text << " -> " << normal;
  }
  EXPECT_EQ(Normal("2*s0+1"), "2*s0+1");
  EXPECT_EQ(Normal("s0*s0*s1"), "s0**2*s1");
  EXPECT_EQ(Normal("-(s0*s0)"), "-s0**2");
  EXPECT_EQ(Normal("s1*(s0//2)"), "s1*(s0//2)");
  EXPECT_EQ(Normal("((s0+1)//2)%3"), "((s0+1)//2)%3");
}

TEST_F(DimPrintTest, WhatIsNoDimIsAQuestion) {
  EXPECT_EQ(DimText(INT64_MIN + 12345), "?");
  char none[1];
  buddy_graph_dim_text(graph, 12, none, 1);
  EXPECT_STREQ(none, "");
  buddy_graph_dim_text(graph, 12, none, 0);
}

}  // namespace
