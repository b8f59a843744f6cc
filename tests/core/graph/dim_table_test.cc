// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class DimTableTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    Symbol("s", 2, 10);
    Symbol("t", -3, 4);
    Symbol("u", 0);
    Symbol("v", INT64_MIN);
  }
};

/* Ranges show in what max and min leave out. */
TEST_F(DimTableTest, Ranges) {
  EXPECT_EQ(Normal("max(s, 2)"), "s");
  EXPECT_EQ(Normal("max(s, 3)"), "max(s,3)");
  EXPECT_EQ(Normal("max(s, 10)"), "10");
  EXPECT_EQ(Normal("min(s, 10)"), "s");
  EXPECT_EQ(Normal("max(2*s+t, 1)"), "2*s+t");
  EXPECT_EQ(Normal("max(s*t, -30)"), "s*t");
  EXPECT_EQ(Normal("min(s*t, 40)"), "s*t");
  EXPECT_EQ(Normal("max(s*t, -29)"), "max(s*t,-29)");
  EXPECT_EQ(Normal("max(s//3, 0)"), "s//3");
  EXPECT_EQ(Normal("min(s//3, 3)"), "s//3");
  EXPECT_EQ(Normal("min(u%5, 4)"), "u%5");
  EXPECT_EQ(Normal("max(v%5, 0)"), "v%5");
  EXPECT_EQ(Normal("max(u//s, 0)"), "u//s");
  EXPECT_EQ(Normal("max(v//s, 0)"), "max(v//s,0)");
  EXPECT_EQ(Normal("min(10//s, 5)"), "10//s");
  EXPECT_EQ(Normal("min(max(s,u), 1)"), "1");
  EXPECT_EQ(Normal("max(min(s,u), 10)"), "10");
  EXPECT_EQ(Normal("max(u*s, 0)"), "s*u");
  EXPECT_EQ(Normal("max(u*v, 0)"), "max(u*v,0)");
  EXPECT_EQ(Normal("max(s//t, 1)"), "max(s//t,1)") << "the divisor may be negative";
  EXPECT_EQ(Normal("max(s%t, 1)"), "max(s%t,1)");
  EXPECT_EQ(Normal("max(s%u, 1)"), "max(s%u,1)");
}

TEST_F(DimTableTest, TheOrderDoesNotDependOnWhatCameFirst) {
  const char *texts[] = {"s//2+t//3+max(s,t)+min(s,t)+s%3+u*v+(s+1)//2",
                         "(t+2*u)//(s+3)+(t+3*u)//(s+3)", "max(s,t,u,v)"};
  std::string once;
  for (const char *text : texts) once += Normal(text) + "\n";
  TearDown();
  SetUp();
  std::string again;
  Dim("(t+3*u)//(s+3)");
  Dim("(s+1)//2");
  Dim("v*u");
  Dim("max(v,u)");
  for (const char *text : texts) again += Normal(text) + "\n";
  EXPECT_EQ(once, again);
}

}  // namespace
