// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products and convolutions in all their forms give what plain loops give.
#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/sdk/compile/harness.h"

namespace {

using Sizes = std::vector<int64_t>;

std::string type(const Sizes &sizes, const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t s : sizes) text += std::to_string(s) + "x";
  return text + element + ">";
}

// A function of two tensors that adds `op` to zeros.
std::string module_of(const std::string &op, const Sizes &a, const Sizes &b, const Sizes &c,
                      const std::string &in, const std::string &out) {
  return "func.func @forward(%a: " + type(a, in) + ", %b: " + type(b, in) + ") -> " + type(c, out) +
         " {\n"
         "  %z = arith.constant 0.0 : " +
         out +
         "\n"
         "  %e = tensor.empty() : " +
         type(c, out) +
         "\n"
         "  %f = linalg.fill ins(%z : " +
         out + ") outs(%e : " + type(c, out) + ") -> " + type(c, out) +
         "\n"
         "  %r = linalg." +
         op + " ins(%a, %b : " + type(a, in) + ", " + type(b, in) + ") outs(%f : " + type(c, out) +
         ") -> " + type(c, out) + "\n  return %r : " + type(c, out) + "\n}\n";
}

// Calls f for every index below `sizes`, in row-major order.
void each(const Sizes &sizes, const std::function<void(const Sizes &)> &f) {
  Sizes at(sizes.size(), 0);
  for (int64_t s : sizes) {
    if (s == 0) return;
  }
  for (;;) {
    f(at);
    size_t d = sizes.size();
    while (d > 0 && ++at[d - 1] == sizes[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

int64_t place(const Sizes &sizes, const Sizes &at) {
  int64_t p = 0;
  for (size_t d = 0; d < sizes.size(); d++) p = p * sizes[d] + at[d];
  return p;
}

// Where the three operands stand for one round of the loops.
struct Places {
  Sizes a, b, c;
};

// Runs the module on random numbers and compares with the sum over all rounds of a · b.
void check(const std::string &text, const Sizes &a, const Sizes &b, const Sizes &c,
           const Sizes &loops, const std::function<Places(const Sizes &)> &places) {
  const Tensor x = Tensor::random(BUDDY_F32, a, 1), y = Tensor::random(BUDDY_F32, b, 2);
  Program program(text);
  const auto out = program.run({&x, &y});
  ASSERT_EQ(out.size(), 1u) << text;
  ASSERT_EQ(out[0].sizes(), c);
  std::vector<double> expected(out[0].n(), 0.0);
  each(loops, [&](const Sizes &i) {
    const Places p = places(i);
    expected[static_cast<size_t>(place(c, p.c))] +=
        static_cast<double>(x.as<float>()[place(a, p.a)]) *
        static_cast<double>(y.as<float>()[place(b, p.b)]);
  });
  double rounds = 1;
  for (int64_t size : loops) rounds *= static_cast<double>(size);
  const double tolerance =
      std::max(1e-5, 1e-6 * std::sqrt(rounds / static_cast<double>(expected.size())));
  for (size_t i = 0; i < expected.size(); i++) {
    ASSERT_NEAR(out[0].as<float>()[i], expected[i], tolerance * (1 + std::abs(expected[i])))
        << text << "at " << i;
  }
}

TEST(Kernels, MultipliesMatricesOfManySizes) {
  for (const auto &[m, n, k] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{{1, 1, 1},
                                                                                  {4, 32, 9},
                                                                                  {12, 32, 256},
                                                                                  {13, 33, 257},
                                                                                  {5, 100, 300},
                                                                                  {241, 31, 17},
                                                                                  {64, 2050, 8},
                                                                                  {1, 300, 70}}) {
    check(module_of("matmul", {m, k}, {k, n}, {m, n}, "f32", "f32"), {m, k}, {k, n}, {m, n},
          {m, n, k},
          [](const Sizes &i) { return Places{{i[0], i[2]}, {i[2], i[1]}, {i[0], i[1]}}; });
  }
}

// Sizes with every kind of edge: rows in several blocks, k in several blocks, columns that fill a
// panel, one vector of it, or part of one; B short enough to be read in place, and not, and so
// large that it is fetched ahead, where k is whole groups of rounds, and not.
TEST(Kernels, MultipliesInBlocksWithEdges) {
  for (const auto &[m, n, k] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{{401, 33, 40},
                                                                                  {850, 16, 30},
                                                                                  {14, 64, 1281},
                                                                                  {5, 47, 2600},
                                                                                  {20, 100, 65},
                                                                                  {15, 1100, 64},
                                                                                  {40, 300, 256},
                                                                                  {40, 300, 258},
                                                                                  {61, 70, 1300}}) {
    for (const bool is_turned : {false, true}) {
      const Sizes b = is_turned ? Sizes{n, k} : Sizes{k, n};
      const std::string maps =
          std::string("matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, ") +
          (is_turned ? "affine_map<(m, n, k) -> (n, k)>" : "affine_map<(m, n, k) -> (k, n)>") +
          ", affine_map<(m, n, k) -> (m, n)>]";
      check(module_of(maps, {m, k}, b, {m, n}, "f32", "f32"), {m, k}, b, {m, n}, {m, n, k},
            [&](const Sizes &i) {
              return Places{
                  {i[0], i[2]}, is_turned ? Sizes{i[1], i[2]} : Sizes{i[2], i[1]}, {i[0], i[1]}};
            });
    }
  }
}

// Columns that lie dense are read where they are: sizes that are whole vectors and eights, and not.
TEST(Kernels, MultipliesFewRows) {
  const std::string maps =
      "matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
      "affine_map<(m, n, k) -> (m, n)>]";
  for (const auto &[m, n, k] : std::vector<std::tuple<int64_t, int64_t, int64_t>>{
           {1, 8, 16}, {1, 300, 70}, {2, 64, 128}, {3, 71, 33}, {8, 9, 1000}, {1, 2000, 40}}) {
    check(module_of(maps, {m, k}, {n, k}, {m, n}, "f32", "f32"), {m, k}, {n, k}, {m, n}, {m, n, k},
          [](const Sizes &i) { return Places{{i[0], i[2]}, {i[1], i[2]}, {i[0], i[1]}}; });
  }
}

// What the result begins with is made part of the product only where that is the same thing.
TEST(Kernels, BeginsWithWhatWasThere) {
  const struct {
    std::string begin;  // makes %f from %row and the empty %e
    std::function<float(const float *row, int64_t m, int64_t n)> value;
  } cases[] = {
      {"linalg.broadcast ins(%row : tensor<40xf32>) outs(%e : tensor<40x40xf32>) dimensions = [0]",
       [](const float *row, int64_t, int64_t n) { return row[n]; }},
      {"linalg.broadcast ins(%row : tensor<40xf32>) outs(%e : tensor<40x40xf32>) dimensions = [1]",
       [](const float *row, int64_t m, int64_t) { return row[m]; }},
      {"linalg.fill ins(%one : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>",
       [](const float *, int64_t, int64_t) { return 1.0f; }},
  };
  const Tensor a = Tensor::random(BUDDY_F32, {40, 1500}, 1),
               b = Tensor::random(BUDDY_F32, {1500, 40}, 2),
               row = Tensor::random(BUDDY_F32, {40}, 3);
  for (const auto &c : cases) {
    Program program(R"(
      func.func @forward(%a: tensor<40x1500xf32>, %b: tensor<1500x40xf32>, %row: tensor<40xf32>)
          -> tensor<40x40xf32> {
        %one = arith.constant 1.0 : f32
        %e = tensor.empty() : tensor<40x40xf32>
        %f = )" + c.begin +
                    R"(
        %c = linalg.matmul ins(%a, %b : tensor<40x1500xf32>, tensor<1500x40xf32>)
            outs(%f : tensor<40x40xf32>) -> tensor<40x40xf32>
        return %c : tensor<40x40xf32>
      })");
    for (int run = 0; run < 2; run++) {
      const auto out = program.run({&a, &b, &row});
      ASSERT_EQ(out.size(), 1u) << c.begin;
      each({40, 40}, [&](const Sizes &i) {
        double sum = c.value(row.as<float>(), i[0], i[1]);
        for (int64_t k = 0; k < 1500; k++)
          sum += static_cast<double>(a.as<float>()[i[0] * 1500 + k]) * b.as<float>()[k * 40 + i[1]];
        ASSERT_NEAR(out[0].as<float>()[i[0] * 40 + i[1]], sum, 1e-5 * (1 + std::abs(sum)) * 10)
            << c.begin;
      });
    }
  }
}

TEST(Kernels, MultipliesTransposedMatrices) {
  const std::string maps_b =
      "matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, "
      "affine_map<(m, n, k) -> (m, n)>]";
  check(module_of(maps_b, {37, 50}, {45, 50}, {37, 45}, "f32", "f32"), {37, 50}, {45, 50}, {37, 45},
        {37, 45, 50},
        [](const Sizes &i) { return Places{{i[0], i[2]}, {i[1], i[2]}, {i[0], i[1]}}; });
  const std::string maps_a =
      "matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, "
      "affine_map<(m, n, k) -> (m, n)>]";
  check(module_of(maps_a, {50, 37}, {50, 45}, {37, 45}, "f32", "f32"), {50, 37}, {50, 45}, {37, 45},
        {37, 45, 50},
        [](const Sizes &i) { return Places{{i[2], i[0]}, {i[2], i[1]}, {i[0], i[1]}}; });
}

TEST(Kernels, MultipliesBatches) {
  check(module_of("batch_matmul", {3, 17, 20}, {3, 20, 40}, {3, 17, 40}, "f32", "f32"), {3, 17, 20},
        {3, 20, 40}, {3, 17, 40}, {3, 17, 40, 20}, [](const Sizes &i) {
          return Places{{i[0], i[1], i[3]}, {i[0], i[3], i[2]}, {i[0], i[1], i[2]}};
        });
}

// The result's innermost axis belongs to the first operand: the operands change places.
TEST(Kernels, MultipliesIntoTransposedResult) {
  const std::string maps =
      "contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, "
      "affine_map<(m, n, k) -> (n, m)>]";
  check(module_of(maps, {37, 50}, {50, 45}, {45, 37}, "f32", "f32"), {37, 50}, {50, 45}, {45, 37},
        {37, 45, 50},
        [](const Sizes &i) { return Places{{i[0], i[2]}, {i[2], i[1]}, {i[1], i[0]}}; });
}

// Two loops of each kind; those of m are neighbours, those of k are in another order on each side.
TEST(Kernels, MultipliesTensorsOfManyAxes) {
  const std::string maps =
      "contract indexing_maps = [affine_map<(b, m0, m1, n, k0, k1) -> (m0, m1, b, k0, k1)>, "
      "affine_map<(b, m0, m1, n, k0, k1) -> (k1, b, n, k0)>, affine_map<(b, m0, m1, n, k0, k1) -> "
      "(b, m0, m1, n)>]";
  check(module_of(maps, {5, 6, 2, 7, 8}, {8, 2, 24, 7}, {2, 5, 6, 24}, "f32", "f32"),
        {5, 6, 2, 7, 8}, {8, 2, 24, 7}, {2, 5, 6, 24}, {2, 5, 6, 24, 7, 8}, [](const Sizes &i) {
          return Places{
              {i[1], i[2], i[0], i[4], i[5]}, {i[5], i[0], i[3], i[4]}, {i[0], i[1], i[2], i[3]}};
        });
}

// A generic product is named before elementwise operations are fused, so that its operand is
// computed once.
TEST(Kernels, KeepsWhatIsInFrontOfAProduct) {
  const std::string text = R"(
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
func.func @forward(%a: tensor<20x30xf32>, %b: tensor<40x30xf32>) -> tensor<20x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<20x40xf32>) -> tensor<20x40xf32>
  %n = arith.negf %a : tensor<20x30xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%n, %b : tensor<20x30xf32>, tensor<40x30xf32>) outs(%f : tensor<20x40xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %p = arith.mulf %x, %y : f32
      %t = arith.addf %s, %p : f32
      linalg.yield %t : f32
  } -> tensor<20x40xf32>
  %m = arith.negf %r : tensor<20x40xf32>
  return %m : tensor<20x40xf32>
})";
  check(text, {20, 30}, {40, 30}, {20, 40}, {20, 40, 30},
        [](const Sizes &i) { return Places{{i[0], i[2]}, {i[1], i[2]}, {i[0], i[1]}}; });
}

// Transposed copies of operands, with and without an axis of size 1 in front, are read where they
// came from.
TEST(Kernels, ReadsTransposedOperandsInPlace) {
  const std::string text = R"(
func.func @forward(%a: tensor<30x20xf32>, %b: tensor<40x30xf32>) -> tensor<1x20x40xf32> {
  %z = arith.constant 0.0 : f32
  %ea = tensor.empty() : tensor<20x30xf32>
  %ta = linalg.transpose ins(%a : tensor<30x20xf32>) outs(%ea : tensor<20x30xf32>) permutation = [1, 0]
  %xa = tensor.expand_shape %ta [[0, 1], [2]] output_shape [1, 20, 30] : tensor<20x30xf32> into tensor<1x20x30xf32>
  %eb = tensor.empty() : tensor<30x40xf32>
  %tb = linalg.transpose ins(%b : tensor<40x30xf32>) outs(%eb : tensor<30x40xf32>) permutation = [1, 0]
  %xb = tensor.expand_shape %tb [[0, 1], [2]] output_shape [1, 30, 40] : tensor<30x40xf32> into tensor<1x30x40xf32>
  %e = tensor.empty() : tensor<1x20x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x20x40xf32>) -> tensor<1x20x40xf32>
  %r = linalg.batch_matmul ins(%xa, %xb : tensor<1x20x30xf32>, tensor<1x30x40xf32>) outs(%f : tensor<1x20x40xf32>)
      -> tensor<1x20x40xf32>
  return %r : tensor<1x20x40xf32>
})";
  check(text, {30, 20}, {40, 30}, {1, 20, 40}, {20, 40, 30},
        [](const Sizes &i) { return Places{{i[2], i[0]}, {i[1], i[2]}, {0, i[0], i[1]}}; });
}

TEST(Kernels, MultipliesDoublesAndHalves) {
  const std::string wide = module_of("matmul", {37, 50}, {50, 45}, {37, 45}, "f64", "f64");
  const Tensor a = Tensor::random(BUDDY_F64, {37, 50}, 1),
               b = Tensor::random(BUDDY_F64, {50, 45}, 2);
  Program doubles(wide);
  const auto out = doubles.run({&a, &b});
  ASSERT_EQ(out.size(), 1u);
  for (int m = 0; m < 37; m++) {
    for (int n = 0; n < 45; n++) {
      double sum = 0;
      for (int k = 0; k < 50; k++) sum += a.as<double>()[m * 50 + k] * b.as<double>()[k * 45 + n];
      ASSERT_NEAR(out[0].as<double>()[m * 45 + n], sum, 1e-13);
    }
  }
  const Tensor x = Tensor::random(BUDDY_BF16, {37, 50}, 1),
               y = Tensor::random(BUDDY_BF16, {50, 45}, 2);
  for (const std::string result : {"f32", "bf16"}) {
    Program halves(module_of("matmul", {37, 50}, {50, 45}, {37, 45}, "bf16", result));
    const auto h = halves.run({&x, &y});
    ASSERT_EQ(h.size(), 1u);
    auto value = [](uint16_t bits) {
      const uint32_t wide_bits = static_cast<uint32_t>(bits) << 16;
      float f;
      std::memcpy(&f, &wide_bits, 4);
      return f;
    };
    for (int m = 0; m < 37; m++) {
      for (int n = 0; n < 45; n++) {
        double sum = 0;
        for (int k = 0; k < 50; k++) {
          sum += static_cast<double>(value(x.as<uint16_t>()[m * 50 + k])) *
                 value(y.as<uint16_t>()[k * 45 + n]);
        }
        const double got =
            result == "f32" ? h[0].as<float>()[m * 45 + n] : value(h[0].as<uint16_t>()[m * 45 + n]);
        ASSERT_NEAR(got, sum, result == "f32" ? 1e-4 : 8e-3 * (std::abs(sum) + 0.1));
      }
    }
  }
}

std::string with_steps(const std::string &op, int axes, int64_t stride, int64_t dilation) {
  const std::string of = " : tensor<" + std::to_string(axes) + "xi64>";
  return op + " {strides = dense<" + std::to_string(stride) + ">" + of + ", dilations = dense<" +
         std::to_string(dilation) + ">" + of + "}";
}

// Axes by letters, as in convolution.c; d: the place in the input that an output place and a window
// place lead to.
void check_convolution(const std::string &op, const std::string &in, const std::string &filter,
                       const std::string &out, int64_t c, int64_t f, int64_t window, int64_t stride,
                       int64_t dilation) {
  const int axes = in.find('h') == std::string::npos ? 1 : 2;
  const int64_t h_out = 9, w_out = 11;
  auto size = [&](char letter, bool is_out, bool is_window) -> int64_t {
    const int64_t n_h = is_window ? window
                        : is_out  ? h_out
                                  : (h_out - 1) * stride + (window - 1) * dilation + 1;
    const int64_t n_w = is_window ? window
                        : is_out  ? w_out
                                  : (w_out - 1) * stride + (window - 1) * dilation + 2;
    return letter == 'n'   ? 2
           : letter == 'g' ? 3
           : letter == 'c' ? c
           : letter == 'f' ? f
           : letter == 'h' ? n_h
                           : n_w;
  };
  Sizes a, b, o;
  for (char l : in) a.push_back(size(l, false, false));
  for (char l : filter) b.push_back(size(l, false, true));
  for (char l : out) o.push_back(size(l, true, false));
  // Loops: n g f h w c kh kw
  const bool grouped = in.find('g') != std::string::npos;
  const Sizes loops = {2, grouped ? 3 : 1,        f,     axes == 2 ? h_out : 1, w_out,
                       c, axes == 2 ? window : 1, window};
  check(module_of(with_steps(op, axes, stride, dilation), a, b, o, "f32", "f32"), a, b, o, loops,
        [&](const Sizes &i) {
          Places p;
          for (char l : in) {
            p.a.push_back(l == 'n'   ? i[0]
                          : l == 'g' ? i[1]
                          : l == 'c' ? i[5]
                          : l == 'h' ? i[3] * stride + i[6] * dilation
                                     : i[4] * stride + i[7] * dilation);
          }
          for (char l : filter)
            p.b.push_back(l == 'g'   ? i[1]
                          : l == 'f' ? i[2]
                          : l == 'c' ? i[5]
                          : l == 'h' ? i[6]
                                     : i[7]);
          for (char l : out)
            p.c.push_back(l == 'n'   ? i[0]
                          : l == 'g' ? i[1]
                          : l == 'f' ? i[2]
                          : l == 'h' ? i[3]
                                     : i[4]);
          return p;
        });
}

struct Form {
  const char *op, *in, *filter, *out;
};
const Form forms[] = {{"conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"},
                      {"conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"},
                      {"conv_2d_nhwc_fhwc", "nhwc", "fhwc", "nhwf"},
                      {"conv_2d_ngchw_fgchw", "ngchw", "fgchw", "ngfhw"},
                      {"conv_2d_ngchw_gfchw", "ngchw", "gfchw", "ngfhw"},
                      {"conv_2d_nhwgc_gfhwc", "nhwgc", "gfhwc", "nhwgf"},
                      {"conv_1d_ncw_fcw", "ncw", "fcw", "nfw"},
                      {"conv_1d_nwc_wcf", "nwc", "wcf", "nwf"}};

TEST(Kernels, ConvolvesInEveryLayout) {
  for (const Form &form : forms)
    check_convolution(form.op, form.in, form.filter, form.out, 4, 6, 3, 1, 1);
}

TEST(Kernels, ConvolvesWithStepsAndGaps) {
  for (const Form &form : forms)
    check_convolution(form.op, form.in, form.filter, form.out, 4, 6, 3, 2, 3);
}

TEST(Kernels, ConvolvesPoints) {
  for (const Form &form : forms)
    check_convolution(form.op, form.in, form.filter, form.out, 9, 6, 1, 1, 1);
}

TEST(Kernels, ConvolvesFewChannelsByLoops) {
  for (const Form &form : forms)
    check_convolution(form.op, form.in, form.filter, form.out, 1, 2, 2, 1, 1);
}

}  // namespace
