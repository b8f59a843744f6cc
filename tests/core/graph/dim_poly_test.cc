// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class DimPolyTest : public GraphFixture {};

TEST_F(DimPolyTest, TermsAreOrderedByDegree) {
  Symbol("b");
  Symbol("a");
  EXPECT_EQ(Normal("1 + a + b + a*b + a*a*b + b**3"), "b**3+b*a**2+b*a+b+a+1")
      << "symbols in the order they came";
  EXPECT_EQ(Normal("(a+b)**3"), "b**3+3*b**2*a+3*b*a**2+a**3");
  EXPECT_EQ(Normal("(a-b)*(a+b)"), "-b**2+a**2");
}

TEST_F(DimPolyTest, ProductsOfLargeSumsAreRefused) {
  std::string sum = "0";
  for (int i = 0; i < 150; ++i) {
    const std::string name = "s" + std::to_string(i);
    Symbol(name.c_str());
    sum += "+" + name;
  }
  int64_t dim;
  EXPECT_EQ(TryDim("(" + sum + ")*(" + sum + ")", &dim), BUDDY_LIMIT);
  EXPECT_EQ(TryDim("(" + sum + ")**2-(" + sum + ")**2", &dim), BUDDY_LIMIT);
}

TEST_F(DimPolyTest, FactorsAreLimited) {
  Symbol("a");
  int64_t dim;
  EXPECT_EQ(TryDim("a**64", &dim), BUDDY_OK);
  EXPECT_EQ(TryDim("a**64*a", &dim), BUDDY_LIMIT);
}

}  // namespace
