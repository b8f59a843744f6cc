// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of many terms: near to the exact ones, whatever axes they go over, and the same bits on any number of threads.
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tests/sdk/compile/harness.h"
#include "tests/sdk/compile/rewritten.h"

extern "C" {
#include "sdk/compile/rewrite/sums.h"
}

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

// Sums of a line of x by one of y, of all pairs.
std::string pairs_of(int n_x, int n_y, int width) {
  const std::string x = std::to_string(n_x), y = std::to_string(n_y), w = std::to_string(width);
  const std::string result = "tensor<" + x + "x" + y + "xf32>";
  return "func.func @forward(%x: tensor<" + x + "x" + w + "xf32>, %y: tensor<" + y + "x" + w +
         "xf32>) -> " + result +
         " {\n  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : " + result +
         "\n  %f = linalg.fill ins(%z : f32) outs(%e : " + result + ") -> " + result +
         "\n  %r = linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, c)>, "
         "affine_map<(a, b, c) -> (b, c)>, affine_map<(a, b, c) -> (a, b)>], iterator_types = "
         "[\"parallel\", \"parallel\", \"reduction\"]} ins(%x, %y : tensor<" +
         x + "x" + w + "xf32>, tensor<" + y + "x" + w + "xf32>) outs(%f : " + result +
         ") {\n  ^bb0(%p: f32, %q: f32, %s: f32):\n    %d = arith.subf %p, %q : f32\n    %a = "
         "math.absf %d : f32\n    %t = arith.addf %s, %a : f32\n    linalg.yield %t : f32\n  } "
         "-> " +
         result + "\n  return %r : " + result + "\n}\n";
}

TEST(Sums, OfAllPairsAreNearToTheExactOnes) {
  for (const auto &[n_x, n_y, width] :
       {std::tuple{4, 3, 16}, {3, 9, 40}, {11, 2, 301}, {6, 5, 5000}}) {
    std::vector<float> x, y;
    unsigned state = 777;
    for (int i = 0; i < (n_x + n_y) * width; i++) {
      state = state * 1664525u + 1013904223u;
      (i < n_x * width ? x : y).push_back(static_cast<float>(state >> 8) / (1 << 24));
    }
    Program program(pairs_of(n_x, n_y, width));
    const Tensor a(BUDDY_F32, {n_x, width}, x), b(BUDDY_F32, {n_y, width}, y);
    const auto outputs = program.run({&a, &b});
    ASSERT_EQ(outputs.size(), 1u) << program.diags.text();
    for (int i = 0; i < n_x * n_y; i++) {
      double exact = 0;
      for (int k = 0; k < width; k++)
        exact += std::fabs(x[static_cast<size_t>(i / n_y * width + k)] -
                           y[static_cast<size_t>(i % n_y * width + k)]);
      EXPECT_NEAR(static_cast<double>(outputs[0].as<float>()[i]), exact, 6e-7 * exact)
          << n_x << " " << n_y << " " << width << ", " << i;
    }
  }
}

// What n pairs' terms become, in a loop of so many results of x.
size_t count_terms(const std::string &n) {
  const std::string text = rewritten(
      [](MlirOperation root) {
        const bd_machine machine = {};
        return bd_sums_keep_accurate(root, &machine, true);
      },
      "func.func @f(%x: memref<" + n + "x40xf32>, %y: memref<5x40xf32>, %r: memref<" + n +
          "x5xf32>) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %n = "
          "arith.constant " +
          n +
          " : index\n  %c5 = arith.constant 5 : index\n  %c40 = arith.constant 40 : index\n  "
          "scf.parallel (%i, %j) = (%c0, %c0) to (%n, %c5) step (%c1, %c1) {\n    scf.for %k = %c0 "
          "to "
          "%c40 step %c1 {\n      %p = memref.load %x[%i, %k] : memref<" +
          n +
          "x40xf32>\n      %q = memref.load %y[%j, %k] : memref<5x40xf32>\n      %s = memref.load "
          "%r[%i, %j] : memref<" +
          n +
          "x5xf32>\n      %d = arith.subf %p, %q : f32\n      %t = arith.addf %s, %d "
          "{buddy.sum = 3 : i64} : f32\n      memref.store %t, %r[%i, %j] : memref<" +
          n + "x5xf32>\n    }\n    scf.reduce\n  }\n  return\n}\n");
  size_t count = 0;
  for (size_t at = text.find("arith.subf %"); at != std::string::npos;
       at = text.find("arith.subf %", at + 1))
    ++count;
  return count;
}

TEST(Sums, ThatReadTheSameLineAreComputedSideBySide) {
  EXPECT_EQ(count_terms("8"), 4u);        // in one loop
  EXPECT_EQ(count_terms("10"), 4u + 1u);  // and what is left, one by one
}

}  // namespace
