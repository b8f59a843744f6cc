// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/sdk/import/archive_builder.h"

namespace {

// What the program says of %y, and what its symbol is bound to.
class SizesTest : public ImportTest {
 protected:
  std::string Sliced(const std::string &ends,
                     const std::string &symbols = "symbol u0 [-inf, inf]") {
    return Normalize("symbol s0 [2, 64]\n" + symbols +
                     "\nsymbol u1 [0, inf]\ninput %x : f32[s0,4]\ninput %n : i64[]\nbind u0 = %n\n"
                     "%y = aten.slice.Tensor(self=%x, dim=0, " +
                     ends + ") : f32[u1,4]\noutput %y\n");
  }
};

TEST_F(SizesTest, TheLengthOfASliceIsBound) {
  const std::string text = Sliced("start=0, end={u0}");
  EXPECT_NE(text.find("= aten.scalar_tensor.default(s={max(min(s0,s0*min(max(-u0,0),1)+u0),0)}"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("bind u1 = %"), std::string::npos) << text;
  EXPECT_NE(text.find("start=0, end={u1}"), std::string::npos) << text;
}

TEST_F(SizesTest, NumbersThatCannotBeNegativeAreNotWrapped) {
  const std::string text = Sliced("start={u0}, end=none", "symbol u0 [0, inf]");
  EXPECT_NE(text.find("s={s0-min(s0,u0)}"), std::string::npos) << text;
  EXPECT_NE(text.find("start={min(s0,u0)}, end={u1+min(s0,u0)}"), std::string::npos) << text;
}

TEST_F(SizesTest, StepsAreCountedUpwards) {
  const std::string text = Sliced("start=0, end={u0}, step=2", "symbol u0 [0, inf]");
  EXPECT_NE(text.find("s={(min(s0,u0)+1)//2}"), std::string::npos) << text;
}

TEST_F(SizesTest, AnEndThatIsATensorIsANumber) {
  const std::string text = Normalize(
      "symbol u1 [0, inf]\ninput %x : f32[7,4]\ninput %n : i64[]\n"
      "%y = aten.slice.Tensor(self=%x, dim=0, start=0, end=%n) : f32[u1,4]\noutput %y\n");
  EXPECT_NE(text.find("bind n_item = %n"), std::string::npos) << text;
  EXPECT_NE(text.find("bind u1 = %"), std::string::npos) << text;
}

// A length that says itself how it comes about.
TEST_F(SizesTest, OtherLengthsStay) {
  const std::string text = Normalize(
      "symbol u0 [0, 7]\ninput %x : f32[7,4]\ninput %n : i64[]\nbind u0 = %n\n"
      "%y = aten.slice.Tensor(self=%x, dim=0, start=0, end={u0}) : f32[u0,4]\noutput %y\n");
  EXPECT_EQ(text.find("scalar_tensor"), std::string::npos) << text;
}

TEST_F(SizesTest, NarrowSaysItsLength) {
  const std::string text = Normalize(
      "symbol u0 [0, 7]\nsymbol u1 [0, 7]\ninput %x : f32[7,4]\ninput %n : i64[]\nbind u0 = %n\n"
      "%y = aten.narrow.default(self=%x, dim=0, start=0, length={u0}) : f32[u1,4]\noutput %y\n");
  EXPECT_NE(text.find("aten.scalar_tensor.default(s={u0}"), std::string::npos) << text;
  EXPECT_NE(text.find("bind u1 = %"), std::string::npos) << text;
}

TEST_F(SizesTest, TensorSplitIsSlices) {
  const std::string text = Normalize(
      "symbol u0 [0, inf]\nsymbol u1 [0, inf]\ninput %x : f32[7,4]\ninput %at : i64[1]\n"
      "%y:2 = aten.tensor_split.tensor_indices_or_sections(self=%x, "
      "tensor_indices_or_sections=%at, dim=0) : f32[u0,4], f32[u1,4]\noutput %y.0\noutput %y.1\n");
  EXPECT_EQ(text.find("tensor_split.tensor"), std::string::npos) << text;
  EXPECT_NE(text.find("bind u0 = %"), std::string::npos) << text;
  EXPECT_NE(text.find("bind u1 = %"), std::string::npos) << text;
}

TEST_F(SizesTest, PositionsAreWrappedWhereTheirSignIsNotKnown) {
  const std::string text = Normalize(
      "symbol u0 [-inf, inf]\ninput %x : f32[7,4]\ninput %n : i64[]\nbind u0 = %n\n"
      "%y = aten.select.int(self=%x, dim=0, index={u0}) : f32[4]\noutput %y\n");
  EXPECT_NE(text.find("index={u0+7*min(max(-u0,0),1)}"), std::string::npos) << text;
}

}  // namespace
