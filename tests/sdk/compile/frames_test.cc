// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is filled and then copied into has the number around the copy, and is seen as it is by who looks in between.
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

std::string type(const Sizes &sizes) { return "tensor<" + list(sizes, "x") + "xi32>"; }

// %x at `first` of 7s; `seen`: a second result, made of the 7s before.
std::string module_of(const Sizes &sizes, const Sizes &first, const Sizes &part, bool is_seen) {
  const std::string whole = type(sizes), small = type(part);
  const std::string results = is_seen ? "(" + whole + ", " + whole + ")" : whole;
  return "func.func @forward(%x: " + small + ") -> " + results +
         " {\n  %c = arith.constant 7 : i32\n  %e = tensor.empty() : " + whole +
         "\n  %f = linalg.fill ins(%c : i32) outs(%e : " + whole + ") -> " + whole +
         "\n  %r = tensor.insert_slice %x into %f[" + list(first, ", ") + "] [" + list(part, ", ") +
         "] [" + list(Sizes(sizes.size(), 1), ", ") + "] : " + small + " into " + whole +
         "\n  return %r" + (is_seen ? ", %f : " + whole + ", " : " : ") + whole + "\n}\n";
}

void check(const Sizes &sizes, const Sizes &first, const Sizes &part, bool is_seen = false) {
  Program program(module_of(sizes, first, part, is_seen));
  Tensor x(BUDDY_I32, part);
  std::iota(x.as<int32_t>(), x.as<int32_t>() + x.n(), 100);
  int64_t n = 1;
  for (const int64_t size : sizes) n *= size;
  std::vector<int32_t> expected(size_t(n), 7);
  for (size_t i = 0; i < x.n(); i++) {
    size_t rest = i, at = 0, stride = 1;
    for (size_t d = sizes.size(); d > 0; d--) {
      at += (rest % size_t(part[d - 1]) + size_t(first[d - 1])) * stride;
      rest /= size_t(part[d - 1]);
      stride *= size_t(sizes[d - 1]);
    }
    expected[at] = 100 + int32_t(i);
  }
  for (int run = 0; run < 2; run++) {
    const std::vector<Tensor> out = program.run({&x});
    ASSERT_EQ(out.size(), is_seen ? 2u : 1u);
    EXPECT_EQ(out[0].values<int32_t>(), expected) << list(sizes, "x") << " at " << list(first, ",");
    if (is_seen) {
      EXPECT_EQ(out[1].values<int32_t>(), std::vector<int32_t>(size_t(n), 7));
    }
  }
}

TEST(Frames, AreFilledAndCopiedInto) {
  check({9}, {2}, {3});
  check({90000}, {20000}, {30000});
  check({47, 61}, {3, 5}, {40, 50});
  check({47, 61}, {0, 11}, {47, 50});
  check({47, 61}, {7, 0}, {40, 61});
  check({3, 5, 50, 70}, {1, 0, 49, 1}, {2, 5, 1, 69});
  check({3, 40, 50, 70}, {0, 0, 1, 1}, {3, 40, 48, 68});
}

TEST(Frames, AreSeenBefore) { check({47, 61}, {3, 5}, {40, 50}, true); }

}  // namespace
