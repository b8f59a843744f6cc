// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/core/graph/fixture.h"

namespace {

class DimDivisionTest : public GraphFixture {
 protected:
  void SetUp() override {
    GraphFixture::SetUp();
    Symbol("s0", 2, 64);
    Symbol("s1", 2);
    Symbol("s2", 0);
    Symbol("u0", INT64_MIN);
  }
};

TEST_F(DimDivisionTest, ByANumber) {
  EXPECT_EQ(Normal("(4*s0+3)//2"), "2*s0+1");
  EXPECT_EQ(Normal("(3*s0+5)//2"), "s0+(s0+1)//2+2");
  EXPECT_EQ(Normal("(2*s0+1)//4"), "s0//2");
  EXPECT_EQ(Normal("(s0-1)//2+1"), "(s0+1)//2");
  EXPECT_EQ(Normal("((s0-1)//2)//2+1"), "(s0+3)//4");
  EXPECT_EQ(Normal("s0//65"), "0");
  EXPECT_EQ(Normal("(s0+128)//65"), "2");
  EXPECT_EQ(Normal("(s0+130)//65"), "2");
  EXPECT_EQ(Normal("(s0+70)//65"), "(s0+5)//65+1");
  EXPECT_EQ(Normal("s0//-3"), "-s0+(2*s0)//3");
}

TEST_F(DimDivisionTest, ByAnExpression) {
  EXPECT_EQ(Normal("(s0*s1+s0)//(s1+1)"), "s0");
  EXPECT_EQ(Normal("(s1*s1-1)//(s1+1)"), "s1-1");
  EXPECT_EQ(Normal("(6*s0)//(4*s1)"), "(3*s0)//(2*s1)");
  EXPECT_EQ(Normal("(s0*s1)//(s1*s2)"), "s0//s2");
  EXPECT_EQ(Normal("(s0*s1)//(2*s1)"), "s0//2");
  EXPECT_EQ(Normal("(s0*s1+s2)//s1"), "s0+s2//s1");
  EXPECT_EQ(Normal("s2//(s2+1)"), "0") << "below the divisor";
  EXPECT_EQ(Normal("s1//s1"), "1");
  EXPECT_EQ(Normal("0//s1"), "0");
  EXPECT_EQ(Normal("s1//(-s0)"), "(-s1)//s0");
}

TEST_F(DimDivisionTest, Remainders) {
  EXPECT_EQ(Normal("(4*s0+3)%2"), "1");
  EXPECT_EQ(Normal("(4*s1)%6"), "2*((2*s1)%3)");
  EXPECT_EQ(Normal("s0%65"), "s0");
  EXPECT_EQ(Normal("(s0%64)%64"), "s0%64");
  EXPECT_EQ(Normal("(s1%8)%4"), "s1%4");
  EXPECT_EQ(Normal("(s0*s1)%s1"), "0");
  EXPECT_EQ(Normal("(s0*s1+1)%s1"), "1");
  EXPECT_EQ(Normal("(2*s0*s1)%(4*s1)"), "2*s1*(s0%2)");
  EXPECT_EQ(Normal("s2%(s2+1)"), "s2");
  EXPECT_EQ(Normal("s1%-4"), "-((3*s1)%4)");
  EXPECT_EQ(Normal("(10*(s1%8))%16"), "2*((5*s1)%8)") << "the inner mod opens once 2 is outside";
  EXPECT_EQ(Normal("((s1%8+s2)%16)%8"), "(s1+s2)%8") << "an opened mod may hold another";
  EXPECT_EQ(Normal("u0%1"), "0");
  EXPECT_EQ(Normal("s1%s1"), "0");
}

TEST_F(DimDivisionTest, NumbersThatDoNotFitStay) {
  EXPECT_EQ(Normal("(u0//4611686018427387904)//4"), "(u0//4611686018427387904)//4");
}

}  // namespace
