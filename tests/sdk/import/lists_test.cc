// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>
#include <vector>

#include "tests/sdk/import/archive_builder.h"

namespace {

class ListsTest : public ImportTest {
 protected:
  void Gives(const std::string &node, const std::vector<std::string> &parts) {
    const std::string text = Normalize("input %x : f32[3]\ninput %y : f32[4]\n" + node);
    for (const std::string &part : parts) EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_EQ(text.find("_foreach_"), std::string::npos) << text;
  }
};

TEST_F(ListsTest, AreOneOpAnElement) {
  Gives(
      "%a:2 = aten._foreach_add.List(self=[%x, %y], other=[%x, %y], alpha=2) : f32[3], f32[4]\n"
      "output %a.0\noutput %a.1\n",
      {"aten.add.Tensor(self=%x, other=%x, alpha=2.0) : f32[3]",
       "aten.add.Tensor(self=%y, other=%y, alpha=2.0) : f32[4]"});
}

TEST_F(ListsTest, NumbersOfAListGoToTheirElements) {
  Gives(
      "%a:2 = aten._foreach_mul.ScalarList(self=[%x, %y], scalars=[2.0, 3.0]) : f32[3], f32[4]\n"
      "output %a.0\noutput %a.1\n",
      {"aten.mul.Tensor(self=%x, other=2.0)", "aten.mul.Tensor(self=%y, other=3.0)"});
}

TEST_F(ListsTest, TheOverloadIsTheOneThatHoldsTheArguments) {
  Gives(
      "%a:1 = aten._foreach_pow.ScalarAndTensor(self=2.0, exponent=[%x]) : f32[3]\n"
      "%b:1 = aten._foreach_norm.Scalar(self=[%y]) : f32[]\n"
      "%c:1 = aten._foreach_maximum.Scalar(self=[%y], scalar=1.0) : f32[4]\n"
      "output %a\noutput %b\noutput %c\n",
      {"aten.pow.Scalar(self=2.0, exponent=%x)", "aten.linalg_vector_norm.default(self=%y",
       "aten.clamp_min.default(self=%y, min=1.0)"});
}

TEST_F(ListsTest, WritesFollowOneAnother) {
  Gives(
      "%a = aten.neg.default(self=%x) : f32[3]\n"
      "%w:0 = aten._foreach_add_.List(self=[%a, %a], other=[%x, %a])\n"
      "output %a\n",
      {"%add_3 = aten.add.Tensor(self=%a, other=%x)",
       "aten.add.Tensor(self=%add_3, other=%add_3)"});
}

TEST_F(ListsTest, ListsOfDifferentLengthsStay) {
  const std::string text = Normalize(
      "input %x : f32[3]\n%a:1 = aten._foreach_add.List(self=[%x], other=[%x, %x]) : f32[3]\n"
      "output %a\n");
  EXPECT_NE(text.find("_foreach_add.List"), std::string::npos) << text;
}

}  // namespace
