// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The largest and the smallest of a row, whatever its length, with NaNs and infinities; masks.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/sdk/compile/harness.h"

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The function that reduces rows of n numbers with `op`, from `begin` on.
std::string module_of(const std::string &op, const std::string &begin, int64_t rows, int64_t n,
                      const std::string &element) {
  const std::string in =
      "tensor<" + std::to_string(rows) + "x" + std::to_string(n) + "x" + element + ">";
  const std::string out = "tensor<" + std::to_string(rows) + "x" + element + ">";
  return "func.func @forward(%a: " + in + ") -> " + out + " {\n  %z = arith.constant " + begin +
         " : " + element + "\n  %e = tensor.empty() : " + out +
         "\n  %f = linalg.fill ins(%z : " + element + ") outs(%e : " + out + ") -> " + out +
         "\n  %r = linalg.reduce { " + op + " } ins(%a : " + in + ") outs(%f : " + out +
         ") dimensions = [1]\n  return %r : " + out + "\n}\n";
}

// What the row gives: a NaN if there is one.
double extreme(const std::vector<double> &row, bool is_max) {
  double best = is_max ? -kInfinity : kInfinity;
  for (double x : row) {
    if (std::isnan(x)) return x;
    best = is_max ? std::fmax(best, x) : std::fmin(best, x);
  }
  return best;
}

template <typename T>
void check(buddy_dtype dtype, const std::string &element, bool is_max, int64_t n) {
  // As it comes; a NaN at either end; nothing but the worst; nothing but NaN.
  const int64_t rows = 5;
  std::vector<std::vector<double>> all;
  for (int64_t r = 0; r < rows; r++) {
    std::vector<double> row;
    for (int64_t i = 0; i < n; i++)
      row.push_back(static_cast<double>((i * 37 + r * 11) % 101) - 50);
    if (r == 1) row.front() = kNan;
    if (r == 2) row.back() = kNan;
    if (r == 3) row.assign(row.size(), is_max ? -kInfinity : kInfinity);
    if (r == 4) row.assign(row.size(), kNan);
    all.push_back(row);
  }
  std::vector<T> flat;
  for (const auto &row : all) flat.insert(flat.end(), row.begin(), row.end());
  Program program(module_of(is_max ? "arith.maximumf" : "arith.minimumf",
                            element == "f32"
                                ? (is_max ? "0xFF800000" : "0x7F800000")
                                : (is_max ? "0xFFF0000000000000" : "0x7FF0000000000000"),
                            rows, n, element));
  const Tensor input(dtype, {rows, n}, flat);
  const auto outputs = program.run({&input});
  ASSERT_EQ(outputs.size(), 1u) << program.diags.text();
  for (int64_t r = 0; r < rows; r++) {
    const double want = extreme(all[static_cast<size_t>(r)], is_max);
    const double got = static_cast<double>(outputs[0].as<T>()[r]);
    if (std::isnan(want))
      EXPECT_TRUE(std::isnan(got)) << element << ", row " << r << " of " << n << ": " << got;
    else
      EXPECT_EQ(got, want) << element << ", row " << r << " of " << n;
  }
}

TEST(Reductions, OfTheLargestAndTheSmallest) {
  for (int64_t n : {1, 7, 16, 33, 197, 1000}) {
    for (bool is_max : {true, false}) {
      check<float>(BUDDY_F32, "f32", is_max, n);
      check<double>(BUDDY_F64, "f64", is_max, n);
    }
  }
}

// Booleans that are read, computed with and written, in rows that are no whole vectors.
TEST(Reductions, MasksOfAnyLength) {
  for (int64_t n : {1, 15, 16, 67, 300}) {
    const std::string size = std::to_string(n);
    Program program(R"(
      #id = affine_map<(i) -> (i)>
      func.func @forward(%m: tensor<)" +
                    size + R"(xi1>, %a: tensor<)" + size + R"(xf32>)
          -> (tensor<)" +
                    size + R"(xf32>, tensor<)" + size + R"(xi1>) {
        %e = tensor.empty() : tensor<)" +
                    size + R"(xf32>
        %b = tensor.empty() : tensor<)" +
                    size + R"(xi1>
        %zero = arith.constant 0.0 : f32
        %r, %s = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
            ins(%m, %a : tensor<)" +
                    size + R"(xi1>, tensor<)" + size + R"(xf32>)
            outs(%e, %b : tensor<)" +
                    size + R"(xf32>, tensor<)" + size + R"(xi1>) {
        ^bb0(%on: i1, %x: f32, %old: f32, %was: i1):
          %y = arith.select %on, %x, %zero : f32
          %above = arith.cmpf ogt, %x, %zero : f32
          %is = arith.xori %on, %above : i1
          linalg.yield %y, %is : f32, i1
        } -> (tensor<)" +
                    size + R"(xf32>, tensor<)" + size + R"(xi1>)
        return %r, %s : tensor<)" +
                    size + R"(xf32>, tensor<)" + size + R"(xi1>
      })");
    std::vector<uint8_t> mask;
    std::vector<float> numbers;
    for (int64_t i = 0; i < n; i++) {
      mask.push_back(i % 3 == 0);
      numbers.push_back(static_cast<float>(i % 5) - 2);
    }
    const Tensor m(BUDDY_BOOL, {n}, mask), a(BUDDY_F32, {n}, numbers);
    const auto outputs = program.run({&m, &a});
    ASSERT_EQ(outputs.size(), 2u) << program.diags.text();
    for (size_t i = 0; i < mask.size(); i++) {
      EXPECT_EQ(outputs[0].as<float>()[i], mask[i] ? numbers[i] : 0.0F) << i << " of " << n;
      EXPECT_EQ(outputs[1].as<uint8_t>()[i], mask[i] != (numbers[i] > 0)) << i << " of " << n;
    }
  }
}

}  // namespace
