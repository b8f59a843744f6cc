// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of many terms: near to the exact ones, whatever axes they go over, and the same bits on any number of threads.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

// The sum of a tensor over the dims whose iterators are "reduction".
std::string module_of(const std::string &in, const std::string &out, const std::string &element,
                      const std::string &maps, const std::string &iterators) {
  return "func.func @forward(%a: tensor<" + in + "x" + element + ">) -> tensor<" + out + element +
         "> {\n  %z = arith.constant 0.0 : " + element + "\n  %e = tensor.empty() : tensor<" + out +
         element + ">\n  %f = linalg.fill ins(%z : " + element + ") outs(%e : tensor<" + out +
         element + ">) -> tensor<" + out + element + ">\n  %r = linalg.generic {indexing_maps = [" +
         maps + "], iterator_types = [" + iterators + "]} ins(%a : tensor<" + in + "x" + element +
         ">) outs(%f : tensor<" + out + element + ">) {\n  ^bb0(%x: " + element +
         ", %s: " + element + "):\n    %t = arith.addf %s, %x : " + element +
         "\n    linalg.yield %t : " + element + "\n  } -> tensor<" + out + element +
         ">\n  return %r : tensor<" + out + element + ">\n}\n";
}

struct Layout {
  std::string in, out, maps, iterators;
  std::vector<int64_t> dims;
  std::vector<bool> kept;
};

const std::string kReduced = "\"reduction\"", kKept = "\"parallel\"";

std::vector<Layout> layouts() {
  return {
      {"1000x3000",
       "",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> ()>",
       kReduced + ", " + kReduced,
       {1000, 3000},
       {false, false}},
      {"3x300001",
       "3x",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>",
       kKept + ", " + kReduced,
       {3, 300001},
       {true, false}},
      {"300001x3",
       "3x",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>",
       kReduced + ", " + kKept,
       {300001, 3},
       {false, true}},
      {"700x5000",
       "5000x",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (b)>",
       kReduced + ", " + kKept,
       {700, 5000},
       {false, true}},
      {"50x4x7x300",
       "4x",
       "affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b)>",
       kReduced + ", " + kKept + ", " + kReduced + ", " + kReduced,
       {50, 4, 7, 300},
       {false, true, false, false}},
      {"400x3x5x8",
       "3x8x",
       "affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (b, d)>",
       kReduced + ", " + kKept + ", " + kReduced + ", " + kKept,
       {400, 3, 5, 8},
       {false, true, false, true}},
      {"5x64",
       "5x",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>",
       kKept + ", " + kReduced,
       {5, 64},
       {true, false}},
      {"6x1",
       "6x",
       "affine_map<(a, b) -> (a, b)>, affine_map<(a, b) -> (a)>",
       kKept + ", " + kReduced,
       {6, 1},
       {true, false}},
      {"4x3x7x5",
       "4x7x",
       "affine_map<(a, b, c, d) -> (a, b, c, d)>, affine_map<(a, b, c, d) -> (a, c)>",
       kKept + ", " + kReduced + ", " + kKept + ", " + kReduced,
       {4, 3, 7, 5},
       {true, false, true, false}},
  };
}

// Which result each element belongs to.
std::vector<size_t> places(const Layout &l, size_t *out_n) {
  size_t n = 1, n_kept = 1;
  for (size_t d = 0; d < l.dims.size(); d++) {
    n *= static_cast<size_t>(l.dims[d]);
    if (l.kept[d]) n_kept *= static_cast<size_t>(l.dims[d]);
  }
  std::vector<size_t> at(n);
  for (size_t i = 0; i < n; i++) {
    size_t rest = i, place = 0, stride = 1;
    for (size_t d = l.dims.size(); d-- > 0;) {
      const size_t size = static_cast<size_t>(l.dims[d]), index = rest % size;
      rest /= size;
      if (!l.kept[d]) continue;
      place += index * stride;
      stride *= size;
    }
    at[i] = place;
  }
  *out_n = n_kept;
  return at;
}

template <typename T>
void check(const Layout &l, buddy_dtype dtype, const std::string &element, double offset,
           double most) {
  size_t n_kept;
  const std::vector<size_t> at = places(l, &n_kept);
  std::vector<T> values(at.size());
  std::vector<long double> exact(n_kept, 0);
  unsigned state = 12345;
  for (size_t i = 0; i < at.size(); i++) {
    state = state * 1664525u + 1013904223u;
    values[i] = static_cast<T>(offset + static_cast<double>(state >> 8) / (1 << 24));
    exact[at[i]] += static_cast<long double>(values[i]);
  }
  Program program(module_of(l.in, l.out, element, l.maps, l.iterators));
  const Tensor input(dtype, l.dims, values);
  const auto outputs = program.run({&input});
  ASSERT_EQ(outputs.size(), 1u) << program.diags.text();
  for (size_t i = 0; i < n_kept; i++) {
    const double got = static_cast<double>(outputs[0].as<T>()[i]);
    const double off =
        std::fabs((got - static_cast<double>(exact[i])) / static_cast<double>(exact[i]));
    EXPECT_LE(off, most) << l.in << " x " << element << ", result " << i;
  }
}

TEST(Sums, AreNearToTheExactOnes) {
  for (const Layout &l : layouts()) {
    for (double offset : {0.0, 1e4}) {
      check<float>(l, BUDDY_F32, "f32", offset, 6e-7);
      check<double>(l, BUDDY_F64, "f64", offset, 7e-16);
    }
  }
}

TEST(Sums, OfInfinitiesAreInfinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Layout &l : layouts()) {
    size_t n_kept;
    const std::vector<size_t> at = places(l, &n_kept);
    if (at.size() == n_kept) continue;  // of one term each
    std::vector<float> values(at.size(), 1.0f);
    values[at.size() - 1] = static_cast<float>(infinity);
    for (size_t i = 0; i < at.size(); i++) {
      if (at[i] == 0 && n_kept > 1) values[i] = 3e38f;  // runs over
    }
    Program program(module_of(l.in, l.out, "f32", l.maps, l.iterators));
    const Tensor input(BUDDY_F32, l.dims, values);
    const auto outputs = program.run({&input});
    ASSERT_EQ(outputs.size(), 1u) << program.diags.text();
    EXPECT_EQ(outputs[0].as<float>()[0], infinity) << l.in;
    EXPECT_EQ(outputs[0].as<float>()[n_kept - 1], infinity) << l.in;
  }
}

}  // namespace
