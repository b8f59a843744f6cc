// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of buffers are filled by one function: the part and nothing beside it, whatever its axes.
#include <algorithm>
#include <numeric>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

std::string list(const Sizes &numbers, const char *between) {
  std::string text;
  for (size_t i = 0; i < numbers.size(); i++)
    text += (i > 0 ? between : "") + std::to_string(numbers[i]);
  return text;
}

std::string type(const Sizes &sizes, const std::string &element) {
  return "tensor<" + list(sizes, "x") + "x" + element + ">";
}

// %x with `value` in two parts of it.
std::string module_of(const Sizes &sizes, const Sizes &first, const Sizes &part,
                      const std::string &element, const std::string &value) {
  const std::string whole = type(sizes, element), small = type(part, element);
  const Sizes ones(sizes.size(), 1), origin(sizes.size(), 0);
  std::string text = "func.func @forward(%x: " + whole + ") -> " + whole +
                     " {\n  %c = arith.constant " + value + " : " + element + "\n";
  std::string from = "%x";
  for (const Sizes &at : {first, origin}) {
    const std::string i = from == "%x" ? "0" : "1";
    const std::string place =
        "[" + list(at, ", ") + "] [" + list(part, ", ") + "] [" + list(ones, ", ") + "] : ";
    text += "  %s" + i + " = tensor.extract_slice " + from + place + whole + " to " + small +
            "\n  %f" + i + " = linalg.fill ins(%c : " + element + ") outs(%s" + i + " : " + small +
            ") -> " + small + "\n  %r" + i + " = tensor.insert_slice %f" + i + " into " + from +
            place + small + " into " + whole + "\n";
    from = "%r" + i;
  }
  return text + "  return " + from + " : " + whole + "\n}\n";
}

template <typename T>
void check(buddy_dtype dtype, const std::string &element, const Sizes &sizes, const Sizes &first,
           const Sizes &part) {
  Program program(module_of(sizes, first, part, element, element[0] == 'f' ? "7.0" : "7"));
  Tensor x(dtype, sizes);
  std::vector<T> expected(x.n());
  std::iota(expected.begin(), expected.end(), T(100));
  std::copy(expected.begin(), expected.end(), x.as<T>());
  for (size_t i = 0; i < expected.size(); i++) {
    bool in_first = true, in_origin = true;
    size_t rest = i;
    for (size_t d = sizes.size(); d > 0; d--) {
      const int64_t at = int64_t(rest % size_t(sizes[d - 1]));
      rest /= size_t(sizes[d - 1]);
      in_first = in_first && at >= first[d - 1] && at < first[d - 1] + part[d - 1];
      in_origin = in_origin && at < part[d - 1];
    }
    if (in_first || in_origin) expected[i] = T(7);
  }
  const std::vector<Tensor> out = program.run({&x});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].values<T>(), expected) << list(sizes, "x") << " at " << list(first, ",");
}

TEST(Fills, ThePartAndNothingBesideIt) {
  check<float>(BUDDY_F32, "f32", {9}, {2}, {3});
  check<float>(BUDDY_F32, "f32", {5, 7}, {1, 2}, {3, 4});
  check<float>(BUDDY_F32, "f32", {3, 5, 7}, {1, 0, 6}, {2, 5, 1});
  check<float>(BUDDY_F32, "f32", {2, 3, 5, 7}, {1, 1, 2, 3}, {1, 2, 2, 4});
  check<float>(BUDDY_F32, "f32", {2, 2, 3, 4, 5}, {1, 0, 1, 1, 2}, {1, 2, 2, 3, 2});
}

// Axes that lie end to end are one, however many there are.
TEST(Fills, WholeLines) {
  check<float>(BUDDY_F32, "f32", {2, 3, 5, 7}, {0, 0, 0, 0}, {2, 3, 5, 7});
  check<float>(BUDDY_F32, "f32", {2, 3, 5, 7}, {1, 2, 0, 0}, {1, 1, 5, 7});
  check<float>(BUDDY_F32, "f32", {3, 2, 3, 4, 5}, {1, 0, 0, 0, 0}, {2, 2, 3, 4, 5});
  check<float>(BUDDY_F32, "f32", {3, 2, 3, 4, 5}, {1, 0, 1, 0, 0}, {2, 1, 2, 4, 5});
  check<float>(BUDDY_F32, "f32", {2, 1, 3, 1, 4, 1, 5}, {0, 0, 1, 0, 1, 0, 2},
               {2, 1, 2, 1, 3, 1, 2});
  check<float>(BUDDY_F32, "f32", {1, 1, 1, 1, 1}, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1});
  check<float>(BUDDY_F32, "f32", {3, 4}, {1, 2}, {1, 1});
}

// The channels of an image that lies with these innermost: %x, and a part of it with 7 in it.
TEST(Fills, AxesInAnyOrder) {
  Program program(
      "func.func @forward(%x: tensor<2x5x6x3xf32>) -> tensor<2x5x6x3xf32> {\n"
      "  %c = arith.constant 7.0 : f32\n"
      "  %e = tensor.empty() : tensor<2x3x5x6xf32>\n"
      "  %p = linalg.transpose ins(%x : tensor<2x5x6x3xf32>) outs(%e : tensor<2x3x5x6xf32>) "
      "permutation = [0, 3, 1, 2]\n"
      "  %s = tensor.extract_slice %p[0, 1, 2, 0] [2, 2, 1, 6] [1, 1, 1, 1] : "
      "tensor<2x3x5x6xf32> to tensor<2x2x1x6xf32>\n"
      "  %f = linalg.fill ins(%c : f32) outs(%s : tensor<2x2x1x6xf32>) -> tensor<2x2x1x6xf32>\n"
      "  %r = tensor.insert_slice %f into %p[0, 1, 2, 0] [2, 2, 1, 6] [1, 1, 1, 1] : "
      "tensor<2x2x1x6xf32> into tensor<2x3x5x6xf32>\n"
      "  %o = tensor.empty() : tensor<2x5x6x3xf32>\n"
      "  %q = linalg.transpose ins(%r : tensor<2x3x5x6xf32>) outs(%o : tensor<2x5x6x3xf32>) "
      "permutation = [0, 2, 3, 1]\n"
      "  return %q : tensor<2x5x6x3xf32>\n}\n");
  const Tensor x = Tensor::random(BUDDY_F32, {2, 5, 6, 3}, 1);
  std::vector<float> expected = x.values<float>();
  for (size_t i = 0; i < expected.size(); i++) {
    if (i % 3 >= 1 && i / 18 % 5 == 2) expected[i] = 7;
  }
  const std::vector<Tensor> out = program.run({&x});
  ASSERT_EQ(out.size(), 1u);
  EXPECT_EQ(out[0].values<float>(), expected);
}

TEST(Fills, OtherElements) {
  check<double>(BUDDY_F64, "f64", {2, 3, 5, 7}, {0, 1, 2, 3}, {2, 2, 2, 4});
  check<int8_t>(BUDDY_I8, "i8", {4, 6}, {1, 2}, {2, 3});
  check<int64_t>(BUDDY_I64, "i64", {4, 6}, {1, 2}, {2, 3});
}

}  // namespace
